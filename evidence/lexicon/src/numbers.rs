//! Numbers in texts: one reader for those who write claims and for those who check them.
//!
//! Numbers match by value, not by spelling: `1,200`, `1.200`, `1 200` and `1.2k` are the same one, and so are `20 %`,
//! `twenty percent` and `a fifth`. A word with digits, such as `q3`, is read like a number: it must not be made up either.
//! Evidence offers every reading of its numbers; a claim needs one of its own.

mod around;
mod digits;
mod in_words;
mod reader;

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

use crate::figures::{JOINTS, SPANS};
use crate::{fold, split, with_ascii_digits};

pub use self::around::{is_currency, is_unspaced};
pub use self::reader::Reader;

/// Which numbers in words are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum InWords<'l> {
    /// None of them.
    #[default]
    Ignored,
    /// Those that count something for certain in this language: a claim needs them. `one` is an article or a pronoun in
    /// most languages, so no claim needs it.
    Of(&'l str),
    /// Whatever may be one in any language: evidence offers them.
    All,
}

/// A number of a text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Number {
    /// Its readings, the likeliest first.
    forms: Vec<String>,
    /// Numbers that it consists of, such as day, month and year; together they stand for it.
    parts: Vec<String>,
    /// Whether its parts are groups of digits with spaces between them. They may be cells of a table, so evidence offers
    /// each; but `5 000 000` is no five and two nothings.
    is_row: bool,
    /// Whether it is a percentage. Its forms then lack the sign.
    percent: bool,
    /// Readings that it shares with the number behind it: the 3 of `3 to 5 million`.
    shared: Vec<String>,
    /// How far it may be from the number that bears it out, as a share of that.
    rounding: f64,
    /// How long it says that something lasts, in hours.
    hours: Option<f64>,
    /// Whether it only tells something of its neighbours, as the article in `one in nine`.
    silent: bool,
    /// Whether it is written as a word.
    pub in_words: bool,
    /// Where it stands, in bytes of the text with ASCII digits.
    pub place: Range<usize>,
}

/// What numbers are told in.
pub(crate) const TOLD_IN: [f64; 3] = [1e3, 1e6, 1e9];
/// How much a percentage or a multiple of a thousand may be rounded.
const ROUNDING: f64 = 0.005;
/// Thousands and millions are rounded by their share alone.
const LEAST_SHARED: f64 = 1_000.0;
/// How much a share in words may be rounded: 23 percent are `nearly a quarter`.
const ROUGH: f64 = 0.1;

/// How much a length of time in another unit may be rounded: four weeks are a month.
const ROUGH_TIME: f64 = 0.1;
/// Behind the hours of a length of time, among the forms that evidence offers.
const HOURS: char = '~';
/// Most digits of what is compared by value. A longer run is a code, and stands as it is written or not at all.
const MOST_DIGITS: usize = 20;

/// The most that somebody counts at sight.
const MOST_COUNTED: f64 = 12.0;

/// What the value of a form counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counts {
    /// Anything.
    Things,
    Percent,
    Hours,
}

/// The value of a form, and what it counts; none if it is a code or too long to be a number.
#[must_use]
pub fn value_of(form: &str) -> Option<(Counts, f64)> {
    let (counts, bare) = match form.strip_suffix('%') {
        Some(bare) => (Counts::Percent, bare),
        None => match form.strip_suffix(HOURS) {
            Some(bare) => (Counts::Hours, bare),
            None => (Counts::Things, form),
        },
    };
    let plain = bare.bytes().all(|c| c.is_ascii_digit() || c == b'.');
    let value: f64 = bare.parse().ok().filter(|_| plain)?;
    let whole = bare.split_once('.').map_or(bare, |(whole, _)| whole);
    (whole.len() <= MOST_DIGITS && value.is_finite()).then_some((counts, value))
}

/// Forms of numbers that bear others out.
pub trait Forms {
    /// Whether this form is among them.
    fn has(&self, form: &str) -> bool;
    /// Whether one of them counts this and lies in the range.
    fn has_within(&self, counts: Counts, range: &RangeInclusive<f64>) -> bool;
}

impl Forms for BTreeSet<String> {
    fn has(&self, form: &str) -> bool {
        self.contains(form)
    }
    fn has_within(&self, counts: Counts, range: &RangeInclusive<f64>) -> bool {
        self.iter()
            .filter_map(|form| value_of(form))
            .any(|(of, value)| of == counts && range.contains(&value))
    }
}

impl Number {
    /// The likeliest reading, as it is compared, without the sign of a percentage.
    #[must_use]
    pub fn form(&self) -> &str {
        self.forms.first().map_or("", String::as_str)
    }

    /// The likeliest reading as a number; none for a word with digits.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        value_of(self.form()).map(|(_, value)| value)
    }

    /// How many decimals are written.
    #[must_use]
    pub fn decimals(&self) -> usize {
        self.form()
            .split_once('.')
            .map_or(0, |(_, decimals)| decimals.len())
    }

    /// Whether it is a percentage.
    #[must_use]
    pub const fn is_percent(&self) -> bool {
        self.percent
    }

    /// The number, or the percentage that it is as a factor: 0.15 is 15 percent of something, 0.85 is 15 percent less.
    #[must_use]
    pub fn or_percentage(mut self) -> Self {
        if let Some(value) = self.value().filter(|value| (0.0..2.0).contains(value)) {
            let shares = [value, 1.0 - value, value - 1.0];
            let shares = shares.into_iter().filter(|share| *share > 0.0);
            self.shared
                .extend(shares.map(|share| reader::percent_form(share * 100.0)));
        }
        self
    }

    /// The readings of which a claim needs one.
    fn needed(&self) -> impl Iterator<Item = String> {
        let sign = if self.percent { "%" } else { "" };
        let own = self.forms.iter().map(move |form| format!("{form}{sign}"));
        own.chain(self.shared.iter().cloned())
    }

    /// All forms that it offers as evidence.
    pub fn offered(&self, mut offer: impl FnMut(&str)) {
        for form in self.needed() {
            offer(&form);
        }
        if self.percent {
            self.forms.iter().for_each(|form| offer(form));
        }
        if let Some(hours) = self.hours {
            offer(&format!("{hours:.3}{HOURS}"));
        }
        for (at, part) in self.parts.iter().enumerate() {
            offer(&digits::without_leading_zeros(part));
            // A row of groups of digits may begin with a number of its own.
            let rest = self.parts.get(at..).unwrap_or_default();
            if rest.len() > 1 && rest.iter().skip(1).all(|group| group.len() == 3) {
                offer(&digits::without_leading_zeros(&rest.concat()));
            }
        }
    }

    /// Whether one of these bears it out.
    #[must_use]
    pub fn stands_in(&self, evidence: &[&dyn Forms]) -> bool {
        let has = |form: &str| evidence.iter().any(|known| known.has(form));
        self.needed().any(|form| has(&form))
            || (!self.parts.is_empty()
                && !self.is_row
                && self
                    .parts
                    .iter()
                    .all(|part| has(&digits::without_leading_zeros(part))))
            || self.is_rounded_from(evidence)
            || self.lasts_as_long(evidence)
    }

    /// Whether one of these bears it out as so many thousands, millions or whatever the scale is: the 38.5 of 38.5 million.
    #[must_use]
    pub fn stands_in_scale(&self, scale: f64, evidence: &[&dyn Forms]) -> bool {
        self.value().filter(|_| !self.percent).is_some_and(|value| {
            let scaled = (value * scale).round().to_string();
            evidence.iter().any(|known| known.has(&scaled))
        })
    }

    fn lasts_as_long(&self, evidence: &[&dyn Forms]) -> bool {
        let Some(hours) = self.hours else {
            return false;
        };
        let near = hours / (1.0 + ROUGH_TIME)..=hours / (1.0 - ROUGH_TIME);
        evidence
            .iter()
            .any(|known| known.has_within(Counts::Hours, &near))
    }

    /// Whether it is a small number in words, such as somebody counts at sight.
    #[must_use]
    pub fn is_few(&self) -> bool {
        let few = |value: f64| (2.0..=MOST_COUNTED).contains(&value);
        self.in_words && !self.percent && self.value().is_some_and(few)
    }

    /// Whether it is a small number in words, and a text lists so many things: `Leeds, Hull and York` are three.
    #[must_use]
    pub fn counts(&self, text: &str) -> bool {
        let Some(count) = self.value().filter(|_| self.is_few()) else {
            return false;
        };
        text.split(['.', ':', ';', '。', '!', '?', '(', ')', '\n'])
            .any(|clause| {
                let commas = clause.matches([',', '、', '・', '|', '/']).count();
                let folded = fold(clause);
                let joined = split(&folded).iter().any(|word| JOINTS.contains(word));
                #[allow(clippy::cast_precision_loss)]
                let fits = |parts: usize| parts >= 1 && (parts + 1) as f64 == count;
                // An Oxford comma and its `and` part the same two things.
                fits(commas + usize::from(joined)) || fits(commas)
            })
    }

    fn is_rounded_from(&self, evidence: &[&dyn Forms]) -> bool {
        let Some(value) = self.value().filter(|_| self.rounding > 0.0) else {
            return false;
        };
        let counts = match self.percent {
            true => Counts::Percent,
            false => Counts::Things,
        };
        let step = step_of(self.decimals());
        let ranges = [
            value / (1.0 + self.rounding)..=value / (1.0 - self.rounding),
            value - step..=(value + step).min(LEAST_SHARED),
        ];
        let stands =
            |known: &&dyn Forms| ranges.iter().any(|range| known.has_within(counts, range));
        evidence.iter().any(stands)
    }

    /// Whether it is this number, rounded to the decimals that are written, or nearly this number.
    #[must_use]
    pub fn rounds(&self, exact: f64) -> bool {
        self.value().is_some_and(|value| {
            is_rounded(value, self.decimals(), exact, self.rounding)
                || is_rounded(value, self.decimals(), exact, 0.0)
        })
    }
}

/// Whether `value`, written with this many decimals, is `exact` rounded, or differs from it by this share at most.
fn is_rounded(value: f64, decimals: usize, exact: f64, share: f64) -> bool {
    let difference = (value - exact).abs();
    let written = exact.abs() < LEAST_SHARED || share == 0.0;
    (written && difference <= step_of(decimals)) || difference <= share * exact.abs()
}

/// How far a number may be from the one that it is rounded from, by the decimals that are written.
fn step_of(decimals: usize) -> f64 {
    let decimals = i32::try_from(decimals.min(12)).unwrap_or(12);
    0.5 / 10f64.powi(decimals) + 1e-9
}

/// The numbers of a text.
#[must_use]
pub fn read<'t>(text: &'t str, words: InWords<'t>) -> Reader<'t> {
    Reader::of(text, words)
}

/// The forms of all numbers that a text offers as evidence.
#[must_use]
pub fn offered(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for number in read(text, InWords::All) {
        number.offered(|form| {
            found.insert(form.to_owned());
        });
    }
    found
}

/// Places of the numbers that only say how long something lasts, when, or how many come: `20 minutes`, `15–20 minutes`,
/// `3 colleagues`. Who proposes a meeting may choose them. They are bytes of the text with ASCII digits.
#[must_use]
pub fn spans(text: &str, words: InWords<'_>) -> Vec<Range<usize>> {
    let text = &with_ascii_digits(text);
    let numbers: Vec<Number> = read(text, words).collect();
    let mut found: Vec<Range<usize>> = Vec::new();
    for number in numbers.iter().rev() {
        let small = number
            .value()
            .is_some_and(|value| value < 1_000.0 && !number.percent);
        let behind = text.get(number.place.end..).unwrap_or_default();
        let next = found.last().filter(|next: &&Range<usize>| {
            let between = text.get(number.place.end..next.start);
            between.is_some_and(is_joint)
        });
        if small && (next.is_some() || opens_span(behind) || is_of_a_clock(text, &number.place)) {
            found.push(number.place.clone());
        }
    }
    found.reverse();
    found
}

/// Places of the numbers that an ask or a question may choose: those of [`spans`], and small ones in words, since how many
/// samples to bring is up to its writer, too.
#[must_use]
pub fn proposed(text: &str, words: InWords<'_>) -> Vec<Range<usize>> {
    let mut found = spans(text, words);
    let few = read(text, words).filter(|number| number.is_few());
    found.extend(few.map(|number| number.place));
    found.sort_by_key(|place| place.start);
    found.dedup();
    found
}

/// The text without the numbers of [`proposed`].
#[must_use]
pub fn without_proposed(text: &str, words: InWords<'_>) -> String {
    let text = &with_ascii_digits(text);
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for place in proposed(text, words) {
        kept.push_str(text.get(at..place.start).unwrap_or_default());
        at = place.end;
    }
    kept.push_str(text.get(at..).unwrap_or_default());
    kept
}

/// Whether a number is the hour or the minutes of a time of day: `10:30`, `14h30`.
fn is_of_a_clock(text: &str, place: &Range<usize>) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || ":h".contains(c);
    let before = text.get(..place.start).unwrap_or_default();
    let behind = text.get(place.end..).unwrap_or_default();
    let begin = before.trim_end_matches(is_part).len();
    let end = text.len() - behind.trim_start_matches(is_part).len();
    let whole = text.get(begin..end).unwrap_or_default();
    let Some((hour, minutes)) = whole.split_once([':', 'h']) else {
        return false;
    };
    let below = |digits: &str, most: u32| digits.parse::<u32>().is_ok_and(|value| value < most);
    hour.len() <= 2 && below(hour, 24) && minutes.len() == 2 && below(minutes, 60)
}

fn opens_span(behind: &str) -> bool {
    let near = around::beginning(behind);
    if near
        .trim_start()
        .starts_with([',', ';', ':', '.', '!', '?', ')'])
    {
        return false;
    }
    let folded = fold(near);
    let words = split(&folded);
    // `30 short minutes`, `two more people`.
    SPANS.open(&words) || words.get(1..).is_some_and(|rest| SPANS.open(rest))
}

/// Whether what stands between two numbers makes them one range.
fn is_joint(between: &str) -> bool {
    let folded = fold(between.trim());
    matches!(folded.as_str(), "-" | "–" | "—" | "~" | "〜" | "～" | "/") || JOINTS.contains(&folded)
}

#[cfg(test)]
mod tests;
