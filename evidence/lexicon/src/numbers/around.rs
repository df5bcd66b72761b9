//! What stands around a number: its scale, its unit of time, the sign of a percentage, and words that round it.

use unicode_general_category::{GeneralCategory, get_general_category};

use super::Number;
use crate::figures::{AT_LEAST, PERCENT, ROUGHLY, SCALES, TIMES};
use crate::{Phrase, Phrases, fold, split};

/// Most bytes behind a number that are looked at.
const NEAR_BYTES: usize = 72;

pub(super) fn written_of<'t>(number: &Number, text: &'t str) -> &'t str {
    let written = text.get(number.place.clone()).unwrap_or_default();
    written.trim_matches(|c: char| !c.is_ascii_digit())
}

/// Whether the words around a number say that it is rounded.
pub(super) fn is_rough(before: &[&str], behind: &[&str]) -> bool {
    let near = before
        .get(before.len().saturating_sub(3)..)
        .unwrap_or_default();
    let said = |phrases: &'static Phrases| {
        phrases
            .places(near)
            .any(|(at, phrase)| at + phrase.len() + 1 >= near.len())
    };
    let unspaced = |word: Option<&&str>, at_end: bool| {
        word.filter(|word| is_unspaced_word(word))
            .is_some_and(|word| {
                ROUGHLY.iter().any(|phrase| match at_end {
                    true => ends_with(word, phrase),
                    false => contains_near(word, phrase),
                })
            })
    };
    said(&AT_LEAST)
        || said(&ROUGHLY)
        || unspaced(before.last(), true)
        || unspaced(behind.first(), false)
}

/// How much a number may be rounded that is said to be: the fewer of its digits count, the more.
pub(super) fn roughness(form: &str) -> f64 {
    let counting = form
        .trim_end_matches('0')
        .chars()
        .filter(char::is_ascii_digit);
    match (form.len(), counting.count()) {
        (0..=1, _) => 0.0,
        (_, 1) => 0.1,
        (_, 2) => 0.05,
        _ => 0.01,
    }
}

/// Whether a sign beside a number may tell something of it.
pub(super) fn says_something(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '¢' | ':')
}

pub(super) fn hours_behind(words: &[&str]) -> Option<f64> {
    let first = words.first()?;
    if is_unspaced_word(first) {
        return TIMES.longest_prefix_of(first).map(|(_, hours)| hours);
    }
    // `18 long months`.
    (0..2)
        .filter_map(|at| words.get(at..))
        .find_map(|rest| TIMES.at_start(rest, None).first().map(|(.., hours)| *hours))
}

pub(super) fn is_unspaced_word(word: &str) -> bool {
    word.starts_with(is_unspaced)
}

pub(super) fn ends_with(word: &str, phrase: Phrase) -> bool {
    phrase
        .first()
        .is_some_and(|end| is_unspaced_word(end) && word.ends_with(end))
}

/// Whether a word without spaces has the phrase among its first signs: 30名近く.
pub(super) fn contains_near(word: &str, phrase: Phrase) -> bool {
    let head: String = word.chars().take(4).collect();
    phrase
        .first()
        .is_some_and(|part| is_unspaced_word(part) && head.contains(part))
}

/// What is looked at of a text before a number.
pub(super) fn ending(text: &str) -> &str {
    let mut begin = text.len().saturating_sub(NEAR_BYTES / 2);
    while !text.is_char_boundary(begin) {
        begin += 1;
    }
    text.get(begin..).unwrap_or_default()
}

/// Whether it is the sign of a currency, by its category in Unicode.
#[must_use]
pub fn is_currency(c: char) -> bool {
    get_general_category(c) == GeneralCategory::CurrencySymbol
}

/// Whether the letter belongs to a script that is written without spaces: Thai to Khmer, kana, Han.
#[must_use]
pub fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}')
}

/// What is looked at of a text behind a number.
pub(super) fn beginning(text: &str) -> &str {
    let mut end = text.len().min(NEAR_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// The scales that the text begins with, each with its length in bytes and whether it can be nothing else.
pub(super) fn scales_behind(text: &str) -> Vec<(usize, f64, bool)> {
    let near = beginning(text);
    let Some(first) = near.chars().next() else {
        return Vec::new();
    };
    if is_unspaced(first) {
        return SCALES
            .longest_prefix_of(near)
            .map(|(length, scale)| (length, scale, true))
            .into_iter()
            .collect();
    }
    let glued = first.is_alphabetic();
    let blank: usize = near
        .chars()
        .take_while(|c| matches!(c, ' ' | '-' | '\u{a0}' | '\u{202f}' | '\u{2009}'))
        .map(char::len_utf8)
        .sum();
    if !glued && (blank == 0 || blank > 4) {
        return Vec::new();
    }
    let behind = near.get(blank..).unwrap_or_default();
    if !behind.starts_with(char::is_alphanumeric)
        || behind.starts_with(|c: char| c.is_ascii_digit())
    {
        return Vec::new();
    }
    let folded = fold(behind);
    let words = split(&folded);
    let found = SCALES.at_start(&words, None);
    let mut scales = Vec::new();
    for (_, count, scale) in found {
        let length = blank + bytes_of_words(behind, count);
        let single = words.first().is_some_and(|word| word.len() == 1);
        // A single letter may be metres, too; with a space before it, only a currency makes it a scale.
        let written = behind.starts_with(|c: char| c.is_uppercase() || c == 'k');
        let money = near
            .get(length..)
            .is_some_and(|rest| rest.trim_start().starts_with(['€', '$', '£', '¥']));
        if single && !glued && !(written && money) {
            continue;
        }
        if scales.contains(&(length, scale, true)) {
            continue;
        }
        scales.push((length, scale, !single || money));
    }
    scales
}

/// How many bytes the sign or the words of a percentage take with which the text begins.
pub(super) fn percent_sign(behind: &str) -> Option<usize> {
    let near = beginning(behind);
    let trimmed = near.trim_start_matches([' ', '-', '\u{a0}', '\u{202f}', '\u{2009}']);
    let blank = near.len() - trimmed.len();
    if let Some(sign) = trimmed
        .chars()
        .next()
        .filter(|c| matches!(c, '%' | '％' | '﹪' | '٪'))
    {
        return Some(blank + sign.len_utf8());
    }
    if !trimmed.starts_with(char::is_alphabetic) {
        return None;
    }
    let folded = fold(trimmed);
    if trimmed.starts_with(is_unspaced) {
        return PERCENT
            .iter()
            .filter_map(|phrase| phrase.first().filter(|word| folded.starts_with(**word)))
            .map(|word| blank + word.len())
            .max();
    }
    let words = split(&folded);
    let phrase = PERCENT.at_start(&words).map(<[_]>::len).max()?;
    Some(blank + bytes_of_words(trimmed, phrase))
}

/// How many bytes the first words of a text take.
pub(super) fn bytes_of_words(text: &str, words: usize) -> usize {
    let mut seen = 0;
    let mut inside = false;
    let mut unspaced = false;
    for (at, c) in text.char_indices() {
        // The figure behind `百万` or `million円` is another number's.
        if inside && seen == words && is_unspaced(c) != unspaced {
            return at;
        }
        if c.is_alphanumeric() {
            if !inside {
                seen += 1;
                unspaced = is_unspaced(c);
            }
            inside = true;
        } else {
            if inside && seen == words {
                return at;
            }
            inside = false;
        }
    }
    text.len()
}
