//! Words and numbers that stand where a detail is still to come: `VAT number: to be completed`, `00000000000`.

use gtm_lexicon::legal::PLACEHOLDERS;
use gtm_site_research::words;

use super::Line;

/// Most characters of a text that holds details and is no running text.
const LONGEST: usize = 200;
/// Fewest digits of a number that is a row of one digit only where nobody knew it.
const LEAST_DIGITS: usize = 5;

/// Whether a short text leaves a detail open.
pub fn is_in(text: &str) -> bool {
    let folded = words::fold(text);
    text.chars().count() <= LONGEST
        && (PLACEHOLDERS.any_in(&words::split(&folded))
            || text.contains("___")
            || text.contains("{{"))
}

/// The lines that leave nothing open.
pub fn without<'a>(lines: &[Line<'a>]) -> Vec<Line<'a>> {
    let given = lines.iter().filter(|line| !is_in(line.text));
    given.copied().collect()
}

/// Whether a number was never filled in: it is one digit again and again, or has letters that stand for digits.
pub fn is_number(value: &str) -> bool {
    let mut digits = value.chars().filter(char::is_ascii_digit);
    let first = digits.next();
    let rest: Vec<char> = digits.collect();
    let one_digit = rest.len() + 1 >= LEAST_DIGITS && rest.iter().all(|c| Some(*c) == first);
    first.is_some() && one_digit || is_in(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_details_are_told_from_given_ones() {
        for text in [
            "P. IVA: da indicare",
            "XXXX GmbH",
            "Company number: TBD",
            "Musterstraße 1, 12345 Musterstadt",
            "Registered office: to be completed",
            "{{ vat_number }}",
            "HRB ______",
        ] {
            assert!(is_in(text), "{text}");
        }
        for text in [
            "Acme GmbH, Messweg 12, 89073 Ulm",
            "Rue de la Définition 3, Lyon",
            "Maxx Reifen GmbH",
            "Sizes up to XXL",
        ] {
            assert!(!is_in(text), "{text}");
        }
        assert!(is_number("00000000000") && is_number("DE999999999") && is_number("HRB XXXXX"));
        assert!(!is_number("DE136695976") && !is_number("HRB 1111") && !is_number("09123456"));
    }
}
