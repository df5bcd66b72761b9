//! The founding as the first station of a history whose years stand above their texts: `1931`, `Founded by Karl Holm`.

use gtm_lexicon::founding::{FOUNDED, LABELS};
use gtm_site_research::claim::Excerpt;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::words;

use super::super::founding::{is_date, year_in};
use crate::conflicts::Statement;
use crate::part::Part;
use crate::site::Site;

/// Fewest stations of a history.
const LEAST: usize = 3;
/// Most words of a year alone.
const LONGEST_YEAR: usize = 3;
/// How much such a station says.
const WEIGHT: u32 = 2;

/// What the earliest station of each page says, if it begins with a word for a founding.
pub(super) fn foundings(site: &Site, evidence: &Evidence) -> Vec<Statement> {
    let presents = |page: usize| matches!(site.part(page), Part::Home | Part::About | Part::Other);
    let mut stations: Vec<(i64, &str, &str, usize)> = Vec::new();
    for pair in evidence.passages.windows(2) {
        let [year, text] = pair else { continue };
        let dated = year.page == text.page
            && year.block + 1 == text.block
            && presents(year.page)
            && words::count(&year.text) <= LONGEST_YEAR
            && is_date(&year.text)
            && !is_date(&text.text);
        if let Some(told) = year_in(&words::fold(&year.text)).filter(|_| dated) {
            stations.push((told, &year.text, &text.text, year.page));
        }
    }
    let mut found = Vec::new();
    for page in stations.chunk_by(|one, other| one.3 == other.3) {
        let first = page.iter().min_by_key(|(year, ..)| *year);
        let Some((year, shown, text, page)) = first.filter(|_| page.len() >= LEAST) else {
            continue;
        };
        let folded = words::fold(text);
        let words = words::split(&folded);
        let begins =
            LABELS.open(&words) || words.first().is_some_and(|first| FOUNDED.contains(first));
        if begins {
            let excerpt = |text: &str| Excerpt {
                page: *page,
                text: text.to_owned(),
            };
            found.push(Statement {
                key: year.to_string(),
                value: (*year).into(),
                excerpts: vec![excerpt(shown), excerpt(text)],
                weight: WEIGHT,
            });
        }
    }
    found
}
