//! Whether a number is less than nothing: `-25`, `minus 25`, `25 degrees below zero`. Who leaves the sign out says something
//! else.

use std::collections::BTreeSet;
use std::ops::Range;

use gtm_domain::message::characters::is_hyphen;
use gtm_lexicon::figures::{AT_LEAST, BELOW_ZERO, MINUS, ROUGHLY};
use gtm_lexicon::numbers::{self, InWords, Number, is_currency, is_unspaced};
use gtm_lexicon::{fold, split, with_ascii_digits};

/// Most characters beside a number in which words of its sign are looked for, and most words between the two.
const NEAR: usize = 40;
const BETWEEN: usize = 2;
/// Most numbers of a text that are kept.
const MOST: usize = 200;

/// The numbers of texts with their signs.
#[derive(Debug, Clone, Default)]
pub(super) struct Signs(Vec<Signed>);

#[derive(Debug, Clone)]
struct Signed {
    forms: BTreeSet<String>,
    is_percent: bool,
    is_negative: bool,
}

impl Signs {
    pub(super) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let signed = texts.into_iter().flat_map(|text| {
            let ascii = with_ascii_digits(text);
            let numbers = numbers::read(&ascii, InWords::All).take(MOST);
            let signed = numbers.map(|number| {
                let mut forms = BTreeSet::new();
                number.offered(|form| {
                    forms.insert(form.to_owned());
                });
                Signed {
                    forms,
                    is_percent: number.is_percent(),
                    is_negative: is_negative(&ascii, &number.place),
                }
            });
            signed.collect::<Vec<_>>()
        });
        Self(signed.collect())
    }

    /// Whether a number stands in the texts with the other sign alone.
    pub(super) fn contradict(&self, number: &Number, is_negative: bool) -> bool {
        let same = self.0.iter();
        let mut same = same
            .filter(|it| it.is_percent == number.is_percent() && number.stands_in(&[&it.forms]))
            .peekable();
        same.peek().is_some() && !same.any(|it| it.is_negative == is_negative)
    }
}

/// Whether the number there is less than nothing. A hyphen behind a word or another number is none of its sign.
pub(super) fn is_negative(text: &str, place: &Range<usize>) -> bool {
    let before = text.get(..place.start).unwrap_or_default();
    let bare = before.trim_end_matches(is_currency);
    if let Some(lead) = bare.strip_suffix(is_hyphen) {
        let is_apart = lead.is_empty()
            || lead.ends_with(|c: char| {
                c.is_whitespace() || is_unspaced(c) || "([{\"'“„«‹:;=~".contains(c)
            });
        return is_apart && !lead.trim_end().ends_with(|c: char| c.is_ascii_digit());
    }
    has_word_before(before) || has_words_behind(text.get(place.end..).unwrap_or_default())
}

fn has_word_before(before: &str) -> bool {
    let near: Vec<char> = before.trim_end().chars().rev().take(NEAR).collect();
    let near: String = near.into_iter().rev().collect();
    if !near.ends_with(char::is_alphabetic) {
        return false;
    }
    let folded = fold(&near);
    let words = split(&folded);
    let Some(last) = words.last() else {
        return false;
    };
    if last.starts_with(is_unspaced) {
        let mut inner = MINUS.iter().filter_map(|phrase| phrase.first());
        return inner.any(|word| word.starts_with('*') && last.ends_with(word.trim_matches('*')));
    }
    // `Au moins 25`.
    let is_rough = [&AT_LEAST, &ROUGHLY].into_iter().any(|phrases| {
        let mut places = phrases.places(&words);
        places.any(|(at, phrase)| phrase.len() > 1 && at + phrase.len() == words.len())
    });
    MINUS.has_word(last) && !is_rough
}

fn has_words_behind(behind: &str) -> bool {
    let near: String = behind.chars().take(NEAR).collect();
    let clause = near.split([',', ';', '.', '!', '?', '\n']).next();
    let folded = fold(clause.unwrap_or_default());
    let words = split(&folded);
    let mut places = BELOW_ZERO.places(&words);
    places.any(|(at, _)| at <= BETWEEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(text: &str) -> Vec<bool> {
        let numbers = numbers::read(text, InWords::Ignored);
        numbers
            .map(|number| is_negative(text, &number.place))
            .collect()
    }

    #[test]
    fn numbers_below_zero_are_told() {
        for text in [
            "down to -25 degrees",
            "down to −25 °C",
            "(-25 °C)",
            "minus 25 degrees",
            "25 degrees below zero",
            "25 °C below freezing",
            "bis minus 25 Grad",
            "25 Grad unter Null",
            "moins 25 degrés",
            "25 degrés sous zéro",
            "25 grados bajo cero",
            "25 gradi sotto zero",
            "25 graus abaixo de zero",
            "min 25 graden",
            "25 graden onder nul",
            "氷点下25度",
            "マイナス25度",
        ] {
            assert_eq!(signs(text), [true], "{text}");
        }
        for text in [
            "25 degrees",
            "COVID-19",
            "a fleet-25 van",
            "au moins 25 degrés",
            "al menos 25 grados",
            "pelo menos 25 graus",
            "25 flats, none below zero",
            "25度",
        ] {
            assert_eq!(signs(text), [false], "{text}");
        }
        assert_eq!(signs("10-25"), [false, false]);
        assert_eq!(signs("10 -25"), [false, false]);
        assert_eq!(signs("from -5 to -25"), [true, true]);
    }
}
