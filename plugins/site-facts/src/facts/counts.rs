//! What the numbers of a text count, by which two figures are known to tell the same.

use gtm_lexicon::figures::TIMES;
use gtm_site_research::words;

use super::figures::{YEAR, is_digits, is_grouped, is_year};

/// What [`counts`] calls years.
pub const YEARS: &str = "years";

/// The numbers of a text with what they count, by which two figures are known to tell the same: `45 a` of `+45 años`.
/// Years count as one thing in all languages.
pub fn counts(text: &str) -> Vec<(String, String)> {
    counts_at(text, 1)
}

/// The numbers of a text with the word so many places behind them.
pub fn counts_at(text: &str, place: usize) -> Vec<(String, String)> {
    let folded = words::fold(&ungrouped(text));
    let words = words::split(&folded);
    let pairs = words.iter().zip(words.iter().skip(place));
    pairs
        .filter(|(number, unit)| is_digits(number) && !is_year(number) && !is_digits(unit))
        .map(|(number, unit)| {
            let is_years = TIMES
                .at_start(&[*unit], None)
                .iter()
                .any(|(_, _, hours)| *hours == YEAR);
            let unit = if is_years {
                YEARS.to_owned()
            } else {
                unit.chars().take(5).collect()
            };
            ((*number).to_owned(), unit)
        })
        .collect()
}

/// A text whose numbers have no marks between groups of digits. One that looks like a year then gets a zero before it.
fn ungrouped(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(begin);
        found.push_str(before);
        let of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '’');
        let end = number.find(|c| !of_number(c)).unwrap_or(number.len());
        let (number, behind) = number.split_at(end);
        if is_grouped(number) {
            let digits: String = number.chars().filter(char::is_ascii_digit).collect();
            if is_year(&digits) {
                found.push('0');
            }
            found.push_str(&digits);
            let ends = number.trim_end_matches(|c: char| !c.is_ascii_digit());
            found.push_str(number.get(ends.len()..).unwrap_or_default());
        } else {
            found.push_str(number);
        }
        rest = behind;
    }
    found.push_str(rest);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_before_what_they_count() {
        let years = |number: &str| vec![(number.to_owned(), YEARS.to_owned())];
        assert_eq!(counts("+45 años de experiencia"), years("45"));
        assert_eq!(counts("Met ruim 40 jaar werkervaring"), years("40"));
        let things = |number: &str| vec![(number.to_owned(), "thing".to_owned())];
        assert_eq!(counts("More than 1,000 things"), things("1000"));
        assert_eq!(counts("2.000 things"), things("02000"));
        assert_eq!(
            counts("12 pumps in 2019"),
            [("12".to_owned(), "pumps".to_owned())]
        );
    }
}
