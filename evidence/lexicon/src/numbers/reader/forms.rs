//! The forms in which numbers are compared.

use std::ops::Range;

use crate::figures::SYMBOLS;
use crate::numbers::{Number, digits};
use crate::trade::BUSINESS_MODELS;

/// Longest word with digits; a longer one is noise.
const LONGEST_CODE: usize = 64;

/// A word with digits, such as `Q3`. It counts nothing if it is a unit or a kind of business.
pub(super) fn code(word: &str, place: Range<usize>) -> Option<Number> {
    let lower = word.to_lowercase();
    if BUSINESS_MODELS.contains(&lower) || SYMBOLS.contains(&lower) || lower.len() > LONGEST_CODE {
        return None;
    }
    // `ISO9001` is `ISO 9001`.
    let digits = lower.trim_start_matches(|c: char| !c.is_ascii_digit());
    let number = (digits.len() >= 3 && digits.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| digits::without_leading_zeros(digits));
    Some(Number {
        forms: [Some(lower), number].into_iter().flatten().collect(),
        place,
        ..Number::default()
    })
}

pub(super) fn percentage(value: f64, rounding: f64, place: Range<usize>) -> Number {
    let form = percent_form(value);
    Number {
        forms: vec![form.trim_end_matches('%').to_owned()],
        percent: true,
        rounding,
        in_words: true,
        place,
        ..Number::default()
    }
}

pub(crate) fn percent_form(value: f64) -> String {
    format!("{}%", form_of((value * 10.0).round() / 10.0))
}

/// A number as it is compared.
pub(super) fn form_of(value: f64) -> String {
    let rounded = match value.abs() < 1e9 {
        true => (value * 1e6).round() / 1e6,
        false => value.round(),
    };
    format!("{rounded}")
}

/// The number that a sign shows as a picture: 💯, 🔟. A reader takes it for a figure.
pub(super) const fn in_a_sign(c: char) -> Option<f64> {
    match c {
        '\u{1f4af}' => Some(100.0),
        '\u{1f51f}' => Some(10.0),
        _ => None,
    }
}

pub(super) fn vulgar_fraction(c: char) -> Option<f64> {
    match c {
        '½' => Some(0.5),
        '⅓' => Some(1.0 / 3.0),
        '⅔' => Some(2.0 / 3.0),
        '¼' => Some(0.25),
        '¾' => Some(0.75),
        _ => None,
    }
}
