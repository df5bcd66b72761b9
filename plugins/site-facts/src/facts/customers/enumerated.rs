//! Groups of buyers that one paragraph lists right below a line that announces them: `We serve many industries:`, `Dairies,
//! Paper mills, Rail, Oil and Gas`.

use gtm_lexicon::segments::{HEADINGS, JOINTS, NO_NAMES, SECTORS};
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use crate::part::Part;
use crate::site::Site;

/// Most words of the line that announces the list.
const LONGEST_LINE: usize = 8;
/// Fewest groups of such a list, and most words of each.
const LEAST: usize = 4;
const LONGEST: usize = 5;

/// The groups of all such paragraphs of the company's own pages.
pub fn below_announcements(site: &Site, evidence: &Evidence) -> Vec<(String, Claim)> {
    let mut found = Vec::new();
    for pair in evidence.passages.windows(2) {
        let [line, list] = pair else { continue };
        let own = matches!(
            site.part(line.page),
            Part::Home | Part::About | Part::Product | Part::Customers | Part::Other
        );
        let follows = line.page == list.page && line.block + 1 == list.block;
        if !own || !follows || !list.main || !announces(line) {
            continue;
        }
        let excerpt = Excerpt {
            page: list.page,
            text: list.text.clone(),
        };
        found.extend(enumerated(&list.text).into_iter().map(|name| {
            let claim = Claim::stated(name, vec![excerpt.clone()]);
            (name.to_owned(), claim)
        }));
    }
    found
}

/// Whether a heading, or a line that ends with a colon, announces groups of buyers.
fn announces(line: &Passage) -> bool {
    let folded = words::fold(&line.text);
    let words = words::split(&folded);
    let leads = line.kind == BlockKind::Heading || line.text.ends_with([':', '：']);
    leads
        && words.len() <= LONGEST_LINE
        && !line.text.ends_with(['?', '？'])
        && (HEADINGS.any_in(&words) || SECTORS.any_in(&words))
}

/// What the commas of a text part, if all of it is short names.
fn enumerated(text: &str) -> Vec<&str> {
    let text = text.trim().trim_end_matches(['.', '…']);
    let mut parts: Vec<&str> = text.split(',').map(without_joint).collect();
    // `and more`
    let says_more = |part: &&str| NO_NAMES.open(&words::split(&words::fold(part)));
    if parts.last().is_some_and(says_more) {
        parts.pop();
    }
    let is_name = |part: &&str| {
        (1..=LONGEST).contains(&words::count(part))
            && part.starts_with(char::is_alphabetic)
            && !part.contains(|c: char| c.is_numeric() || ".:;!?".contains(c))
            && !says_more(part)
    };
    let fits = parts.len() >= LEAST && parts.iter().all(is_name);
    if fits { parts } else { Vec::new() }
}

fn without_joint(part: &str) -> &str {
    let part = part.trim();
    let joined = part
        .split_once(' ')
        .filter(|(first, _)| JOINTS.any_has(&words::fold(first)));
    joined.map_or(part, |(_, rest)| rest.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_part_names_and_nothing_else() {
        assert_eq!(
            enumerated("Dairies, Paper mills, Oil and Gas, Rail, and Shipping."),
            ["Dairies", "Paper mills", "Oil and Gas", "Rail", "Shipping"]
        );
        for text in [
            "Dairies, mills and more",
            "Our pumps run for years, in mills, in dairies, on ships, and we repair each of them on site",
            "Ulm, 2 mills, 3 dairies, 4 ships",
        ] {
            assert!(enumerated(text).is_empty(), "{text}");
        }
    }
}
