//! Groups of buyers whom cards and labels address: `For landlords` beside `For tenants`, `法人向け`.

use gtm_lexicon::company::WE_AND_YOU;
use gtm_lexicon::places::ARTICLES;
use gtm_lexicon::segments::{FOR_WHOM, NO_NAMES};
use gtm_page_text::{is_joined, primary_language};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::customers::is_kind;
use super::outline::Item;
use crate::part::Part;
use crate::site::Site;

/// Fewest groups that are addressed alike.
const LEAST: usize = 2;
/// Most words of a group.
const LONGEST: usize = 3;
/// Most characters of a group in a script without blanks.
const LONGEST_JOINED: usize = 8;
/// Words behind a group in Japanese that say that something is made for it.
const MADE_FOR: &str = "向け";

/// The groups that the headings or items of one page address alike, of which some are known kinds of buyers.
pub fn groups<'a>(site: &Site, evidence: &'a Evidence) -> Vec<Item<'a>> {
    let language = primary_language(&site.research.language);
    let own = |page: usize| {
        matches!(
            site.part(page),
            Part::Home | Part::About | Part::Product | Part::Customers | Part::Other
        )
    };
    let addressed: Vec<(usize, &'a Passage, &'a str)> = evidence
        .passages
        .iter()
        .enumerate()
        .filter(|(_, passage)| passage.main && own(passage.page))
        .filter(|(_, passage)| {
            let kind = passage.kind;
            matches!(
                kind,
                BlockKind::Heading | BlockKind::ListItem | BlockKind::Other
            )
        })
        .filter_map(|(at, passage)| {
            let text = passage.text.as_str();
            Some((
                at,
                passage,
                made_for(text).or_else(|| opened(text, language))?,
            ))
        })
        .collect();
    let mut found = Vec::new();
    for page in addressed.chunk_by(|one, next| one.1.page == next.1.page) {
        let kinds = page.iter().filter(|(.., name)| is_kind(name)).count();
        if page.len() < LEAST || kinds == 0 {
            continue;
        }
        for (at, passage, name) in page {
            // Beside known kinds a card may have a rarer one; a line that is no heading may have anything.
            if passage.kind != BlockKind::Heading && !is_kind(name) {
                continue;
            }
            let text = evidence.passages.get(at + 1).filter(|next| {
                passage.kind == BlockKind::Heading
                    && next.page == passage.page
                    && next.kind == BlockKind::Paragraph
            });
            found.push(Item {
                name_passage: passage,
                name,
                text_passage: text,
                text: text.map(|text| text.text.as_str()),
            });
        }
    }
    found
}

/// The group behind a word such as `for` with which a short text begins.
fn opened<'t>(text: &'t str, language: &str) -> Option<&'t str> {
    let tokens = words::tokens(text);
    let opens = FOR_WHOM
        .of(language)
        .contains(&words::fold(tokens.first()?.2));
    let article = tokens
        .get(1)
        .is_some_and(|(.., word)| ARTICLES.contains(&words::fold(word)));
    let begin = tokens.get(1 + usize::from(article))?.0;
    let name = text.get(begin..)?.trim_end_matches([':', '：']);
    let folded = words::fold(name);
    let words = words::split(&folded);
    let fits = (1..=LONGEST).contains(&words.len())
        && !name.ends_with(['.', '!', '?', '…'])
        && !name.contains(char::is_numeric)
        && !NO_NAMES.open(&words)
        && !WE_AND_YOU.any_in(&words);
    (opens && fits).then_some(name)
}

/// The group before the Japanese word for `made for`.
fn made_for(text: &str) -> Option<&str> {
    let (name, _) = text.split_once(MADE_FOR)?;
    let length = name.chars().count();
    ((2..=LONGEST_JOINED).contains(&length)
        && name.chars().all(is_joined)
        && text.chars().count() <= 2 * LONGEST_JOINED)
        .then_some(name)
}
