//! Values and commitments in cards that their heading counts, `Three rules`, and on pages about commitments.

use gtm_lexicon::Phrases;
use gtm_lexicon::company::{THE_COMPANY, YOU};
use gtm_lexicon::figures::NUMBERS;
use gtm_lexicon::foundations::COMMITMENT_HEADINGS;
use gtm_page_text::primary_language;
use gtm_site_research::boilerplate;
use gtm_site_research::claim::Claim;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::super::outline::{Item, Section};
use super::super::speaker::{addresses, says_what_it_is};
use super::super::topics;
use crate::site::Site;

/// Most words of a heading that counts, and between its number and its noun.
const LONGEST_HEADING: usize = 7;
const BETWEEN: usize = 2;
/// Fewest and most that a heading counts.
const COUNTED: std::ops::RangeInclusive<usize> = 2..=9;
/// Fewest words, and most characters, of a commitment.
const SHORTEST: usize = 6;
const LONGEST: usize = 500;
/// Fewest commitments of a page.
const LEAST: usize = 2;

/// The sections whose heading counts one of the nouns, and that hold just as many named things.
pub(super) fn counted<'s, 'a>(
    sections: &'s [Section<'a>],
    nouns: &'static Phrases,
) -> impl Iterator<Item = &'s Section<'a>> {
    sections.iter().filter(move |section| {
        let count = section.announced().find_map(|text| count_in(text, nouns));
        count.is_some_and(|count| section.items().len() == count)
    })
}

/// Whether a heading counts one of the nouns.
pub(super) fn counts(text: &str, nouns: &'static Phrases) -> bool {
    count_in(text, nouns).is_some()
}

/// The number with which a heading counts one of the nouns: 3 of `Three rules of ours`.
fn count_in(text: &str, nouns: &'static Phrases) -> Option<usize> {
    let ascii = words::with_ascii_digits(text);
    let folded = words::fold(&ascii);
    let words = words::split(&folded);
    if words.len() > LONGEST_HEADING || text.ends_with(['?', '？']) {
        return None;
    }
    let first = words.first()?;
    let digits = first.chars().take_while(char::is_ascii_digit).count();
    let in_digits = first.get(..digits)?.parse().ok();
    let in_words = || {
        let (_, _, value) = *NUMBERS.at_start(&words, None).first()?;
        COUNTED
            .into_iter()
            .find(|count| f64::from(u8::try_from(*count).unwrap_or(0)) == value)
    };
    let count = in_digits.or_else(in_words)?;
    // In a script without blanks, the noun stands in the same run.
    let noun = nouns.places(&words).any(|(at, _)| at <= 1 + BETWEEN);
    (noun && COUNTED.contains(&count)).then_some(count)
}

/// What cards say on pages that the site calls after commitments, where the company speaks of itself.
pub(super) fn of_pages(site: &Site, evidence: &Evidence) -> Vec<Claim> {
    let mut found = Vec::new();
    for (section, is_page) in topics::about(site, evidence, &COMMITMENT_HEADINGS) {
        if !is_page || site.is_policy(section.heading.page) {
            continue;
        }
        let cards = topics::cards(&section);
        let told: Vec<Claim> = cards
            .iter()
            .filter_map(|card| commitment(card, site))
            .collect();
        if told.len() >= LEAST {
            found.extend(told);
        }
    }
    found
}

fn commitment(card: &Item<'_>, site: &Site) -> Option<Claim> {
    let text = card.text_passage?;
    let language = primary_language(&site.research.language);
    let folded = words::fold(&text.text);
    let speaks = says_what_it_is(&text.text, site) || THE_COMPANY.any_in(&words::split(&folded));
    let fits = matches!(
        text.kind,
        BlockKind::Paragraph | BlockKind::ListItem | BlockKind::Other
    ) && words::count(&text.text) >= SHORTEST
        && text.text.chars().count() <= LONGEST
        && text.text.ends_with(['.', '。', '!', '！'])
        && !boilerplate::is_call_to_act(card.name)
        && !addresses(&YOU, card.name, language)
        && !addresses(&YOU, &text.text, language);
    (speaks && fits).then(|| Claim::quoted(&text.text, text.page))
}

#[cfg(test)]
mod tests {
    use gtm_lexicon::foundations::VALUE_NOUNS;

    use super::*;

    #[test]
    fn headings_count_values() {
        for (text, count) in [
            ("Tre regole non negoziabili", Some(3)),
            ("4 values we keep", Some(4)),
            ("Fünf klare Regeln", Some(5)),
            ("Nos trois règles", None),
            ("Three steps to your stairs", None),
            ("Rules", None),
        ] {
            assert_eq!(count_in(text, &VALUE_NOUNS), count, "{text}");
        }
    }
}
