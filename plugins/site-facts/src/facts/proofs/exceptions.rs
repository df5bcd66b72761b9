//! What looks like a proof and is none, and lines that count only where they stand.

use std::collections::BTreeSet;

use gtm_lexicon::company::THE_COMPANY;
use gtm_lexicon::foundations::{COMMITS, MISSION_PHRASES};
use gtm_lexicon::founding::FOUNDED;
use gtm_lexicon::offer::QUALITIES;
use gtm_lexicon::proofs::NUMBERED_STANDARDS;
use gtm_lexicon::questions::DEFINITIONS;
use gtm_site_research::boilerplate;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::super::certificates::is_certificate;
use super::super::doubles;
use super::super::legal_names;
use super::super::others::Own;
use crate::site::Site;

/// Most words of a line that is nothing but a standard.
const LONGEST_STANDARD: usize = 4;

/// Whether a line outside the main part, where certificates often stand, is nothing but one.
pub(super) fn is_footer_certificate(passage: &Passage, site: &Site) -> bool {
    passage.kind != BlockKind::Heading
        && !passage.text.contains('©')
        && (3..=12).contains(&words::count(&passage.text))
        && !boilerplate::is_boilerplate(&passage.text)
        && !boilerplate::is_call_to_act(&passage.text)
        && !is_glued(&passage.text, site)
        && is_certificate(&passage.text, false, site)
}

/// The latest year of the copyright lines, which tells about when the pages were kept up.
pub(super) fn copyright_year(site: &Site) -> Option<u64> {
    let lines = site.own_pages().flat_map(|(_, _, page)| &page.blocks);
    lines
        .filter(|block| block.text.contains('©'))
        .flat_map(|block| words::split(&block.text))
        .filter_map(|word| word.parse().ok())
        .filter(|year| (1990..2100).contains(year))
        .max()
}

/// Whether the company's own people speak: they say `we` and name no one else, or what the company stands for.
pub(super) fn speaks_as_owner(text: &str, site: &Site) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let named = site.research.names.iter().any(|name| {
        let name = words::fold(legal_names::without_form(name));
        !name.is_empty() && folded.contains(&name)
    });
    !named && THE_COMPANY.any_in(&words)
        || named && words.iter().any(|word| FOUNDED.contains(word))
        || MISSION_PHRASES.any_in(&words)
        || COMMITS.any_in(&words)
}

/// Whether a line holds several facts that only points or bars part, and not only certificates.
pub(super) fn is_glued(text: &str, site: &Site) -> bool {
    let parts: Vec<&str> = text.split(['·', '|', '•']).collect();
    parts.len() > 1
        && !parts
            .iter()
            .all(|part| is_certificate(part.trim(), true, site))
}

/// The items of a list that marks begin, if each is a certificate: `◆ ISO 9001 ◆ ISO 14001`; else the whole text.
pub(super) fn parts_of_a_list<'t>(text: &'t str, site: &Site) -> Vec<&'t str> {
    let parts: Vec<&str> = text
        .split(['◆', '■', '●', '◎', '▪', '✓', '✔'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let whole = parts.len() < 2 || !parts.iter().all(|part| is_certificate(part, true, site));
    if whole { vec![text] } else { parts }
}

/// Most numbers of a line that counts one thing.
const MOST_NUMBERS: usize = 2;

/// Whether a line that is no sentence joins several figures that only a stylesheet sets apart: `10+ years of roofs 100 %
/// local Quote in 24 h`.
pub(super) fn joins_figures(text: &str) -> bool {
    let numbers = text
        .split_whitespace()
        .filter(|word| word.contains(|c: char| c.is_ascii_digit()))
        .count();
    let parted = || {
        let counted = |part: &&&str| part.contains(|c: char| c.is_ascii_digit());
        let parts: Vec<&str> = text.split(['·', '|', '•']).collect();
        parts.iter().filter(counted).count() > 1
    };
    let ends = text.ends_with(['.', '!', '。', '！']);
    !ends && !text.contains([',', '、', '/']) && (numbers > MOST_NUMBERS || parted())
}

/// Most words of a line that gives an age.
const LONGEST_AGE: usize = 8;
/// So many different ages on one page are not all the company's.
const AGES: usize = 3;

/// The pages of which short lines give several different ages: those of persons, or of machines.
pub(super) fn ages_of_persons(evidence: &Evidence) -> BTreeSet<usize> {
    let mut ages: BTreeSet<(usize, u64)> = BTreeSet::new();
    let mut tell = |page: usize, text: &str| {
        if words::count(text) <= LONGEST_AGE
            && let Some(years) = doubles::years(text)
        {
            ages.insert((page, years));
        }
    };
    for passage in &evidence.passages {
        tell(passage.page, &passage.text);
    }
    // A figure may stand above what it counts.
    for pair in evidence.passages.windows(2) {
        if let [figure, label] = pair
            && figure.page == label.page
            && words::count(&figure.text) == 1
        {
            tell(figure.page, &format!("{} {}", figure.text, label.text));
        }
    }
    let pages = ages.iter().map(|(page, _)| *page);
    let several = |page: &usize| ages.iter().filter(|(other, _)| other == page).count() >= AGES;
    pages.filter(several).collect()
}

/// Whether a text says what something else than the company is: `X制度とは、国が…`.
pub(super) fn defines(text: &str, own: &Own) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let first = words.first().copied().unwrap_or_default();
    DEFINITIONS.open(&words) && !own.is_named_in(first)
}

/// Whether a number beside the mark of a standard is that of the standard: `18363 DIN`.
pub(super) fn names_a_standard(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    words.len() <= LONGEST_STANDARD && words.iter().any(|word| NUMBERED_STANDARDS.contains(word))
}

/// Among how many words behind the number the word for what is counted stands, and fewest years that prove anything.
const NEAR: usize = 3;
const LEAST_YEARS: u32 = 5;

/// Whether a sentence counts years of experience: `With 30 years of experience we cover the region.`
pub(super) fn tells_experience(words: &[&str]) -> bool {
    let is_count = |word: &str| {
        word.parse()
            .is_ok_and(|years: u32| (LEAST_YEARS..=200).contains(&years))
    };
    words.iter().enumerate().any(|(at, word)| {
        let near = words.iter().skip(at + 1).take(NEAR);
        let mut near = near.skip(1);
        is_count(word) && near.any(|word| QUALITIES.are(&[*word]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_of_experience_are_counted_where_the_word_stands_near() {
        for text in [
            "With over 30 years of experience we are your partner.",
            "Mit über 30 Jahren Erfahrung sind wir Ihr Partner.",
            "Avec plus de 30 ans d'expérience, nous couvrons la région.",
            "Da oltre 30 anni di esperienza copriamo la regione.",
        ] {
            let folded = words::fold(text);
            assert!(tells_experience(&words::split(&folded)), "{text}");
        }
        for text in [
            "We give 10 years of warranty on every roof.",
            "Wir geben 10 Jahre Garantie auf jedes Dach.",
            "With 2 years of experience you may apply.",
        ] {
            let folded = words::fold(text);
            assert!(!tells_experience(&words::split(&folded)), "{text}");
        }
    }

    #[test]
    fn figures_that_stand_in_one_line_by_chance_are_known() {
        for text in [
            "10+ ans de toits 100 % local Devis sous 24 h",
            "30 Jahre Erfahrung · 400 Dächer",
            "12 crews | 3 depots",
        ] {
            assert!(joins_figures(text), "{text}");
        }
        for text in [
            "98 % resueltos en 24 h",
            "4.8 / 5 on 320 reviews by 200 buyers",
            "More than 1,000 roofs in 12 countries since 1990.",
            "400 Dächer · Ulm",
        ] {
            assert!(!joins_figures(text), "{text}");
        }
    }
}
