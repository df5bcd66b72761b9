//! What was done for customers, on pages about them.

use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::sentences;

use super::super::others::Own;
use super::super::outline::sections;
use crate::part::Part;
use crate::site::Site;

/// What was done for customers: on pages about them, headings that name them, each over a sentence that names it again.
pub(super) fn cases(site: &Site, evidence: &Evidence) -> Vec<(usize, String)> {
    let mut found: Vec<(&Passage, String)> = Vec::new();
    for section in sections(site, evidence) {
        if section.part != Part::Customers {
            continue;
        }
        let mut under = section
            .body
            .iter()
            .take_while(|passage| passage.kind != BlockKind::Heading);
        let Some(lead) = under.find(|passage| passage.kind == BlockKind::Paragraph) else {
            continue;
        };
        let sentence = sentences::split(&lead.text, &site.research.language)
            .into_iter()
            .next()
            .unwrap_or_default();
        if (40..=330).contains(&sentence.chars().count())
            && sentence.ends_with(['.', '。'])
            && names_customer(&section.heading.text, sentence, site)
        {
            found.push((section.heading, sentence.to_owned()));
        }
    }
    // One alone may be any heading whose words its text takes up.
    let has_sibling = |one: &Passage| {
        let alike =
            |other: &&(&Passage, String)| other.0.page == one.page && other.0.level == one.level;
        found.iter().filter(alike).count() > 1
    };
    let cases = found.iter().filter(|(heading, _)| has_sibling(heading));
    cases
        .map(|(heading, text)| (heading.page, text.clone()))
        .collect()
}

/// Whether a heading is a name, not the company's own, that the sentence uses within it as a name.
fn names_customer(heading: &str, sentence: &str, site: &Site) -> bool {
    let name = heading.split(" - ").next().unwrap_or(heading);
    let name = name
        .split(['–', '|', ',', ':'])
        .next()
        .unwrap_or(name)
        .trim();
    let words: Vec<&str> = name.split_whitespace().collect();
    let opening = match words.as_slice() {
        [one, two, _, ..] => format!("{one} {two}"),
        _ => name.to_owned(),
    };
    let is_name = words.len() <= 6
        && words.iter().all(|word| word.starts_with(char::is_uppercase) || word.chars().count() <= 3)
        // German writes every noun like a name.
        && (words.len() > 1 || !site.research.language.starts_with("de"));
    let own = Own::new(site, None);
    is_name
        && opening.chars().count() >= 4
        && !own.is_named_in(heading)
        && sentence.find(&opening).is_some_and(|at| at > 0)
}
