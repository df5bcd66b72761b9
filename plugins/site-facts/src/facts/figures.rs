//! Recognizes figures that prove something, as opposed to prices, addresses and dates.

use gtm_lexicon::figures::{AT_LEAST, MAGNITUDES, PRICES, RESULTS};
use gtm_site_research::facts;
use gtm_site_research::words;

/// Whether a text has a number that is not a year.
pub fn has_number(text: &str) -> bool {
    let own = without_names(text);
    facts::numbers(&own).iter().any(|number| {
        number != "0"
            && !(number.len() == 4 && (number.starts_with("19") || number.starts_with("20")))
    })
}

/// A text without words that are names with digits in them, such as `7UP` and `ISO9001`.
fn without_names(text: &str) -> String {
    let is_name = |word: &&str| {
        word.chars().filter(|c| c.is_uppercase()).count() >= 2
            && word.chars().any(|c| c.is_ascii_digit())
    };
    let words = text.split_whitespace().filter(|word| !is_name(word));
    words.collect::<Vec<_>>().join(" ")
}

/// Whether a text has a number of three digits or more that is not a year.
pub fn has_hundreds(text: &str) -> bool {
    facts::numbers(text).iter().any(|number| {
        let whole = number.split('.').next().unwrap_or_default();
        whole.len() >= 3 && has_number(whole)
    })
}

/// Whether a number is introduced as reached or exceeded: `more than 1,200 roofs`.
pub fn at_least(words: &[&str]) -> bool {
    AT_LEAST.places(words).any(|(at, phrase)| {
        let next = words.get(at + phrase.len());
        next.is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// Whether a text gives a price, and not an amount achieved.
pub fn is_price(words: &[&str], text: &str) -> bool {
    text.contains(['€', '$', '£', '¥']) && PRICES.any_in(words) && !MAGNITUDES.any_in(words)
}

/// A short block such as `18,000 flats billed monthly`: a quantity, not an address or a date.
pub fn is_figure(words: &[&str], text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let quantity = first.contains(['%', '+', '>'])
        || words.iter().take(4).any(|word| MAGNITUDES.has_word(word))
        || (first.contains([',', '.', '\''])
            && facts::numbers(first)
                .iter()
                .any(|number| number.len() >= 4 && !number.contains('.')));
    // `96,000pallets` is two texts that only a stylesheet separates.
    let glued = first
        .trim_start_matches(|c: char| !c.is_alphabetic())
        .chars()
        .count()
        > 3;
    first.contains(|c: char| c.is_ascii_digit())
        && !glued
        && has_number(text)
        && (2..=14).contains(&words.len())
        && (quantity || RESULTS.any_in(words))
        && !text.ends_with('?')
}

/// Whether a number is written in groups of three digits: `1.352.428`.
fn is_grouped(text: &str) -> bool {
    let groups: Vec<&str> = text
        .trim_end_matches(|c: char| !c.is_ascii_digit())
        .split(['.', ',', '\'', '’'])
        .collect();
    groups.len() >= 2
        && groups
            .first()
            .is_some_and(|first| (1..=3).contains(&first.len()))
        && groups.iter().skip(1).all(|group| group.len() == 3)
        && groups
            .iter()
            .all(|group| group.chars().all(|c| c.is_ascii_digit()))
}

/// Whether a short block is only a number, as pages show it above its label: `4,200+`.
pub fn is_bare(text: &str) -> bool {
    let first = text.trim_start_matches(['$', '€', '£', '<', '>', '~']);
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let folded = words::fold(text);
    let words = words::split(&folded);
    let multiplied = words.iter().any(|word| MAGNITUDES.has_word(word));
    // Groups of digits without a sign of quantity are a telephone number or a date.
    let one = text.split_whitespace().count() == 1 && (words.len() <= 2 || is_grouped(first));
    first.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().count() <= 16
        && (letters <= 1 || multiplied)
        && (one || multiplied || text.contains(['%', '+']))
        && !text.contains(['/', ':', '@', '(', ')'])
        && has_number(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_told_from_prices() {
        let figure = |text: &str| {
            let folded = words::fold(text);
            let words = words::split(&folded);
            is_figure(&words, text) && !is_price(&words, text)
        };
        assert!(figure("$4.1 billion paid to builders in 2025") && figure("98% on time"));
        assert!(!figure("$1,150 per classroom") && !figure("1,290 € pro Monat"));
        let at_least = |text: &str| super::at_least(&words::split(&words::fold(text)));
        assert!(at_least("Mehr als 1.200 Anlagen haben wir gebaut."));
        assert!(at_least("We have fitted over 300 roofs."));
        assert!(!at_least("It is over in 3 days.") && !at_least("We have 12 vans."));
    }

    #[test]
    fn bare_figures_are_numbers_alone() {
        assert!(is_bare("1.352.428") && is_bare("1,352,428+") && !is_bare("12.03.2026"));
        assert!(!has_number("0+ years") && !has_number("We bottle 7UP") && has_number("7 sites"));
        assert!(is_bare("4,200+") && is_bare("98%") && is_bare("$4.1 billion") && is_bare("12k"));
        assert!(
            !is_bare("0731 12345")
                && !is_bare("12.03.2026")
                && !is_bare("2014")
                && !is_bare("12 Mill Lane")
                && !is_bare("01/02")
                && !is_bare("+49 731 12")
        );
    }
}
