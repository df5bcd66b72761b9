//! Walks through a text from number to number.

mod forms;
mod han;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

pub(super) use self::forms::percent_form;
use self::forms::{code, form_of, in_a_sign, percentage, vulgar_fraction};
use self::han::{HAN_NUMERALS, TENTHS};
use super::around::{
    beginning, bytes_of_words, ending, ends_with, hours_behind, is_rough, is_unspaced,
    is_unspaced_word, percent_sign, roughness, says_something, scales_behind, written_of,
};
use super::digits::{self, Digits};
use super::in_words::{self, Quantity};
use super::{InWords, Number, ROUGH, ROUNDING, is_joint, value_of};
use crate::figures::{AFTERNOON, CENTS, ERAS, IMPLIED, RATIOS, SHARES, SPANS, TIMES};
use crate::{fold, months, split, with_ascii_digits};

/// Reads the numbers of a text in order.
#[derive(Debug)]
pub struct Reader<'t> {
    text: Cow<'t, str>,
    at: usize,
    words: InWords<'t>,
    /// A number that waits for the one behind it.
    pending: Option<Number>,
}

impl<'t> Reader<'t> {
    pub(super) fn of(text: &'t str, words: InWords<'t>) -> Self {
        let text = match text.is_ascii() {
            true => Cow::Borrowed(text),
            false => Cow::Owned(with_ascii_digits(text)),
        };
        Self {
            text,
            at: 0,
            words,
            pending: None,
        }
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next_number(&mut self) -> Option<Number> {
        loop {
            let c = self.rest().chars().next()?;
            let found = if c.is_ascii_digit() {
                Some(self.in_digits())
            } else if let Some(share) = vulgar_fraction(c) {
                let begin = self.at;
                self.at += c.len_utf8();
                Some(percentage(share * 100.0, ROUGH, begin..self.at))
            } else if HAN_NUMERALS.contains(c) {
                self.in_han()
            } else if let Some(value) = in_a_sign(c) {
                let begin = self.at;
                self.at += c.len_utf8();
                Some(Number {
                    forms: vec![form_of(value)],
                    shared: vec![percent_form(value)],
                    place: begin..self.at,
                    ..Number::default()
                })
            } else if is_other_number(c) {
                Some(self.in_other_numerals())
            } else if c.is_alphabetic() {
                self.in_word(c)
            } else {
                self.at += c.len_utf8();
                None
            };
            if found.is_some() {
                return found;
            }
        }
    }

    fn in_digits(&mut self) -> Number {
        let begin = self.at;
        let read = digits::read(self.rest());
        self.at += read.length.max(1);
        if let Some(share) = self.parts_of(&read) {
            return percentage(share * 100.0, ROUGH, begin..self.at);
        }
        let mut number = self.scaled(read, begin);
        self.percentage_behind(&mut number);
        self.look_around(&mut number);
        // `10x`, `5G`, `2nd`: letters that follow directly belong to the number.
        let behind = self.rest();
        let letters = behind
            .chars()
            .take_while(|c| c.is_alphabetic() && !is_unspaced(*c));
        self.at += letters.map(char::len_utf8).sum::<usize>();
        number
    }

    /// Numerals that are no decimal digits, such as ⑫, ² and Ⅻ: a text bears them out that has the same.
    fn in_other_numerals(&mut self) -> Number {
        let begin = self.at;
        let run = self.rest().chars().take_while(|c| is_other_number(*c));
        self.at += run.map(char::len_utf8).sum::<usize>();
        let form = self.text.get(begin..self.at).unwrap_or_default().to_owned();
        Number {
            forms: vec![form],
            place: begin..self.at,
            ..Number::default()
        }
    }

    /// What stands before and behind a number tells its rounding, its unit of time, and its era.
    fn look_around(&self, number: &mut Number) {
        let Some(value) = number.value() else {
            return;
        };
        let before = ending(self.text.get(..number.place.start).unwrap_or_default());
        let behind = beginning(self.rest());
        let is_round = value >= 10_000.0 && value % 1_000.0 == 0.0;
        // A table of numbers tells nothing more, and may be long.
        if ![before, behind]
            .iter()
            .any(|text| text.contains(says_something))
        {
            if is_round {
                number.rounding = number.rounding.max(ROUNDING);
            }
            return;
        }
        let (folded_before, folded_behind) = (fold(before), fold(behind));
        let (words_before, words_behind) = (split(&folded_before), split(&folded_behind));
        if is_rough(&words_before, &words_behind) {
            number.rounding = number.rounding.max(roughness(number.form()));
        } else if is_round {
            number.rounding = number.rounding.max(ROUNDING);
        }
        if number.percent {
            return;
        }
        number.hours = hours_behind(&words_behind).map(|unit| value * unit);
        if behind.starts_with('¢') || CENTS.open(&words_behind) {
            number.shared.push(form_of(value / 100.0));
        }
        if let Some((_, year)) = ERAS.longest_suffix_of(before.trim_end()) {
            number.shared.push(form_of(year + value));
        }
        let late = AFTERNOON.open(&words_behind)
            || words_behind
                .get(1..)
                .is_some_and(|rest| AFTERNOON.open(rest))
            || words_before.last().is_some_and(|word| {
                is_unspaced_word(word) && AFTERNOON.iter().any(|phrase| ends_with(word, phrase))
            });
        // `18.30` is a time, too.
        if SPANS.open(&words_behind)
            && let Some((hours, minutes)) = written_of(number, &self.text).split_once('.')
            && minutes.len() == 2
        {
            number.parts = vec![hours.to_owned(), minutes.to_owned()];
            number.is_row = false;
        }
        if late && value <= 12.0 {
            number.shared.push(form_of(value + 12.0));
        }
        let clock = behind.starts_with(':') || SPANS.open(&words_behind);
        if clock && (13.0..=23.0).contains(&value) {
            number.shared.push(form_of(value - 12.0));
        }
    }

    /// The number that digits and the scale behind them make.
    fn scaled(&mut self, read: Digits, begin: usize) -> Number {
        let mut number = Number {
            forms: vec![read.form.clone()],
            parts: read.parts,
            is_row: read.is_row,
            place: begin..self.at,
            ..Number::default()
        };
        let scales = scales_behind(self.rest());
        let Some((length, _, certain)) = scales.first().copied() else {
            return number;
        };
        let readings = [Some(read.form), read.as_decimals];
        let values: Vec<f64> = readings
            .iter()
            .flatten()
            .filter_map(|form| value_of(form).map(|(_, value)| value))
            .collect();
        // Nothing is a million times a code.
        if values.is_empty() {
            return number;
        }
        let mut forms: Vec<String> = Vec::new();
        for value in values.iter().rev() {
            forms.extend(scales.iter().map(|(_, scale, _)| form_of(value * scale)));
        }
        self.at += length;
        // 1億2000万 is one number.
        if let Some(more) = self.further(&scales) {
            forms = vec![form_of(values.first().unwrap_or(&0.0) * scales[0].1 + more)];
        }
        if !certain {
            forms.append(&mut number.forms);
        }
        forms.dedup();
        number.forms = forms;
        number.rounding = ROUNDING;
        number.place.end = self.at;
        number
    }

    /// What follows a scale of a script without spaces and belongs to the same number.
    fn further(&mut self, scales: &[(usize, f64, bool)]) -> Option<f64> {
        let (_, scale, _) = scales.first()?;
        let before = self.text.get(..self.at)?.chars().next_back()?;
        if !is_unspaced(before) || !self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let read = digits::read(self.rest());
        let behind = self.rest().get(read.length..)?;
        let smaller = scales_behind(behind).into_iter().next();
        let (length, factor) = smaller.map_or((0, 1.0), |(length, factor, _)| (length, factor));
        let more = value_of(&read.form)?.1 * factor;
        if more >= *scale {
            return None;
        }
        self.at += read.length + length;
        Some(more)
    }

    fn percentage_behind(&mut self, number: &mut Number) {
        let behind = self.rest();
        if behind.starts_with(TENTHS) {
            if let Some(value) = number.value() {
                number.forms = vec![form_of(value * 10.0)];
                number.percent = true;
                self.at += TENTHS.len_utf8();
            }
            return;
        }
        if let Some(length) = percent_sign(behind) {
            self.at += length;
            number.percent = true;
            number.rounding = ROUNDING;
        }
    }

    /// Reads a word: one with digits, or one that begins a number in words.
    fn in_word(&mut self, first: char) -> Option<Number> {
        let begin = self.at;
        let unspaced = is_unspaced(first);
        let run: usize = self
            .rest()
            .chars()
            .take_while(|c| match unspaced {
                true => is_unspaced(*c) && !HAN_NUMERALS.contains(*c),
                false => c.is_alphanumeric() && !is_unspaced(*c),
            })
            .map(char::len_utf8)
            .sum();
        let word = self.rest().get(..run)?.to_owned();
        self.at += run;
        if !unspaced && word.chars().any(char::is_numeric) {
            // `CO₂` is CO2.
            let plain: String = word.nfkc().collect();
            return code(&plain, begin..self.at);
        }
        if self.words == InWords::Ignored {
            return None;
        }
        let folded = fold(&word);
        if unspaced {
            return self.share_in(&folded, begin);
        }
        let parts = split(&folded);
        let first = parts.first()?;
        let told = match self.words {
            InWords::All => tells(first, begin..self.at),
            _ => None,
        };
        if !in_words::may_begin(first, self.words) {
            return told;
        }
        let window = fold(beginning(self.text.get(begin..)?));
        let words = split(&window);
        let (found, read) = in_words::read(&words, self.words);
        if read > 0 {
            self.at = begin + bytes_of_words(self.text.get(begin..)?, read);
        }
        // French sept is seven, and a month elsewhere.
        match self.number_of(&found, begin) {
            Some(mut number) => {
                if let Some(told) = told {
                    number.hours = number.hours.or(told.hours);
                    number.shared.extend(told.forms);
                }
                Some(number)
            }
            None => told,
        }
    }

    /// A share in a script without spaces: 半分.
    fn share_in(&self, word: &str, begin: usize) -> Option<Number> {
        if self.words != InWords::All {
            return None;
        }
        let mut number = Number {
            in_words: true,
            place: begin..self.at,
            ..Number::default()
        };
        for (at, _) in word.char_indices() {
            let rest = word.get(at..).unwrap_or_default();
            if let Some((length, share)) = SHARES.longest_prefix_of(rest) {
                // What stands around it in its run of letters is said of it.
                if number.shared.is_empty() {
                    number.place = begin + at..begin + at + length;
                }
                number.shared.push(percent_form(share * 100.0));
            }
            if let Some((_, count)) = IMPLIED.longest_prefix_of(rest) {
                number.shared.push(form_of(count));
            }
            if let Some((_, hours)) = TIMES.longest_prefix_of(rest) {
                number.hours = Some(hours);
            }
        }
        (number.hours.is_some() || !number.shared.is_empty()).then_some(number)
    }

    fn number_of(&mut self, found: &[Quantity], begin: usize) -> Option<Number> {
        let first = found.first()?;
        let mut number = match first {
            Quantity::Share(share) => percentage(share * 100.0, ROUGH, begin..self.at),
            Quantity::Count(value) | Quantity::Multiple(value) => Number {
                forms: vec![form_of(*value)],
                rounding: if *value >= 1_000.0 { ROUNDING } else { 0.0 },
                place: begin..self.at,
                ..Number::default()
            },
        };
        number.in_words = true;
        for quantity in found {
            number.shared.extend(match quantity {
                // A half is what is divided by two.
                Quantity::Share(share) => {
                    vec![percent_form(share * 100.0), form_of((1.0 / share).round())]
                }
                Quantity::Count(value) => vec![form_of(*value)],
                Quantity::Multiple(times) => vec![
                    form_of(*times),
                    percent_form(times * 100.0),
                    percent_form((times - 1.0) * 100.0),
                ],
            });
        }
        if self.words != InWords::All {
            number.shared.clear();
        }
        if !number.percent {
            self.percentage_behind(&mut number);
        }
        number.silent =
            self.words != InWords::All && number.value().is_some_and(|value| value < 2.0);
        if !matches!(first, Quantity::Share(_)) {
            self.look_around(&mut number);
        }
        Some(number)
    }

    /// The first of two numbers has the unit of the second: `3 to 5 million`, `7–11 percent`.
    fn share_unit(&self, before: &mut Number, next: &mut Number) {
        let between = self.text.get(before.place.end..next.place.start);
        let Some(value) = before.value().filter(|_| between.is_some_and(is_joint)) else {
            return;
        };
        if next.percent && !before.percent {
            before.shared.push(percent_form(value));
        }
        let unscaled = digits::read(self.text.get(next.place.clone()).unwrap_or_default());
        if let (Some(scaled), Some((_, plain))) = (next.value(), value_of(&unscaled.form))
            && plain > 0.0
            && scaled > plain
        {
            before.shared.push(form_of(value * scaled / plain));
        }
        // The second year of 2025/26.
        let (first, second) = (before.form(), next.form().to_owned());
        if first.len() == 4 && second.len() == 2 && (1900.0..2100.0).contains(&value) {
            let century: String = first.chars().take(2).collect();
            next.shared.push(century + &second);
        }
    }

    /// Two numbers make a ratio: `one in nine`, 9人に1人.
    fn share_ratio(&self, before: &mut Number, next: &mut Number) {
        let between = self
            .text
            .get(before.place.end..next.place.start)
            .filter(|between| between.len() <= LONGEST_RATIO);
        let (Some(one), Some(other), Some(between)) = (before.value(), next.value(), between)
        else {
            return;
        };
        let folded = fold(between);
        let words = split(&folded);
        let unspaced = words.iter().any(|word| {
            is_unspaced_word(word) && RATIOS.iter().any(|phrase| ends_with(word, phrase))
        });
        let (part, whole) = (one.min(other), one.max(other));
        if part > 0.0 && part < whole && (unspaced || RATIOS.any_in(&words)) {
            let share = percent_form(part / whole * 100.0);
            before.shared.push(share.clone());
            next.shared.push(share);
        }
    }
}

/// Most bytes between the numbers of a ratio.
const LONGEST_RATIO: usize = 40;

/// What a word of evidence tells that is no number itself: a month, or how often something comes back.
fn tells(word: &str, place: Range<usize>) -> Option<Number> {
    static MONTHS: LazyLock<BTreeMap<String, u8>> = LazyLock::new(|| {
        months()
            .map(|(name, number)| (fold(name).trim_end_matches('.').to_owned(), number))
            .collect()
    });
    let mut number = Number {
        in_words: true,
        place,
        ..Number::default()
    };
    number.forms.extend(MONTHS.get(word).map(u8::to_string));
    let unit = TIMES.at_start(&[word], None);
    // Shorter words mean something else in other languages.
    number.hours = unit
        .first()
        .filter(|_| word.len() >= 4)
        .map(|(.., hours)| *hours);
    (number.hours.is_some() || !number.forms.is_empty()).then_some(number)
}

impl Iterator for Reader<'_> {
    type Item = Number;

    fn next(&mut self) -> Option<Number> {
        loop {
            let number = self.joined()?;
            if !number.silent {
                return Some(number);
            }
        }
    }
}

impl Reader<'_> {
    /// The next number, with what it shares with the one behind it.
    fn joined(&mut self) -> Option<Number> {
        let mut first = match self.pending.take() {
            Some(number) => number,
            None => self.next_number()?,
        };
        self.pending = self.next_number();
        if let Some(mut next) = self.pending.take() {
            self.share_unit(&mut first, &mut next);
            self.share_ratio(&mut first, &mut next);
            self.pending = Some(next);
        }
        Some(first)
    }
}

/// Whether this counts, but is neither a decimal digit nor a Han numeral.
fn is_other_number(c: char) -> bool {
    !c.is_ascii() && c.is_numeric() && !HAN_NUMERALS.contains(c) && vulgar_fraction(c).is_none()
}
