//! Numbers in Han numerals, and what Japanese and Chinese put between two numbers.

use super::super::around::{beginning, percent_sign};
use super::super::digits::{self, Digits};
use super::super::{InWords, Number, ROUNDING, value_of};
use super::{Reader, form_of, percentage};
use crate::figures::{COUNTERS, NOT_NUMBERS, TIMES};
/// What the Japanese unit 割 is in percent.
pub(super) const TENTHS: char = '割';
/// Stands between denominator and numerator in Japanese and Chinese.
const PARTS_OF: &str = "分の";
/// Numerals that also stand in other words: they count only before one of the units of spans.
pub(super) const HAN_NUMERALS: &str = "〇一二三四五六七八九十百千";
/// Makes a numeral behind it vague: 数十.
const VAGUE_HAN: &str = "数何幾";

impl Reader<'_> {
    /// A share such as 3分の1, whose denominator was read.
    pub(super) fn parts_of(&mut self, denominator: &Digits) -> Option<f64> {
        let behind = self.rest().strip_prefix(PARTS_OF)?;
        let numerator = digits::read(behind);
        let share = value_of(&numerator.form)?.1 / value_of(&denominator.form)?.1;
        if !share.is_finite() || numerator.length == 0 {
            return None;
        }
        self.at += PARTS_OF.len() + numerator.length;
        Some(share)
    }

    /// A number in Han numerals, before a unit: 三名.
    pub(super) fn in_han(&mut self) -> Option<Number> {
        let begin = self.at;
        let before = self.text.get(..begin)?.chars().next_back();
        let run: String = self
            .rest()
            .chars()
            .take_while(|c| HAN_NUMERALS.contains(*c))
            .collect();
        self.at += run.len();
        let idiom = NOT_NUMBERS
            .iter()
            .filter_map(|phrase| phrase.first())
            .any(|word| {
                word.starts_with(&*run)
                    && self
                        .text
                        .get(begin..)
                        .is_some_and(|rest| rest.starts_with(word))
            });
        let ordinal = idiom || before.is_some_and(|c| c == '第');
        let whole = TIMES.longest_prefix_of(self.text.get(begin..)?);
        if let Some((length, hours)) = whole.filter(|(length, _)| *length > run.len()) {
            self.at = begin + length;
            return (self.words == InWords::All).then(|| Number {
                hours: Some(hours),
                in_words: true,
                place: begin..self.at,
                ..Number::default()
            });
        }
        if self.words == InWords::Ignored || ordinal || run.chars().count() > 6 {
            return None;
        }
        let value = han_value(&run)?;
        let behind = beginning(self.rest());
        if behind.starts_with(TENTHS) {
            self.at += TENTHS.len_utf8();
            return Some(percentage(value * 10.0, ROUNDING, begin..self.at));
        }
        // Before the sign of a percentage they count for certain: 五十 %.
        if let Some(length) = percent_sign(self.rest()) {
            self.at += length;
            return Some(percentage(value, ROUNDING, begin..self.at));
        }
        let vague = before.is_some_and(|c| VAGUE_HAN.contains(c));
        let certain = matches!(self.words, InWords::Of(_));
        let counts = COUNTERS.iter().any(|unit| behind.starts_with(unit));
        if certain && (vague || !counts) {
            return None;
        }
        let mut number = Number {
            forms: vec![form_of(value)],
            silent: certain && value < 2.0,
            in_words: true,
            place: begin..self.at,
            ..Number::default()
        };
        self.look_around(&mut number);
        Some(number)
    }
}

/// The number of Han numerals up to the thousands.
fn han_value(numerals: &str) -> Option<f64> {
    let mut value = 0.0;
    let mut digit: Option<f64> = None;
    for c in numerals.chars() {
        let mut one = [0; 4];
        let found = crate::figures::NUMBERS.at_start(&[c.encode_utf8(&mut one)], Some("ja"));
        let (.., number) = found.first()?;
        if *number >= 10.0 {
            value += digit.take().unwrap_or(1.0) * number;
        } else {
            // Digits one after the other, as in 二〇二六.
            digit = Some(digit.map_or(*number, |digit| digit * 10.0 + number));
        }
    }
    Some(value + digit.unwrap_or(0.0))
}
