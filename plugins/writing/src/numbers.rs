//! Numbers in what a model writes: which ones it may choose, and which follow from others by a formula.

use std::collections::BTreeSet;

use gtm_lexicon::figures;
use gtm_site_research::facts;
use gtm_site_research::words;

/// The numbers of a formula that need not stand in the evidence: percent of a whole, and months of a year.
const CONSTANTS: [&str; 2] = ["100", "12"];
/// Most numbers of one formula.
const MOST_OPERANDS: usize = 16;

/// A sum that the model did.
#[derive(Debug, Clone, PartialEq)]
pub struct Derivation {
    /// The formula as the model wrote it, for example `46*29`.
    pub formula: String,
    /// Its result in the form in which numbers are compared.
    pub result: String,
    /// The numbers that must stand in the evidence.
    pub operands: BTreeSet<String>,
}

impl Derivation {
    /// Reads a formula and its result; `None` if the result is wrong or one of them cannot be read.
    #[must_use]
    pub fn read(formula: &str, result: &str) -> Option<Self> {
        let formula = words::with_ascii_digits(formula);
        let mut results = in_text(result).into_iter();
        let (result, None) = (results.next()?, results.next()) else {
            return None;
        };
        let expected: f64 = result.parse().ok()?;
        let decimals = result.split_once('.').map_or(0, |(_, after)| after.len());
        // A result is rounded to the decimals that are written.
        let tolerance = 0.5 / 10f64.powi(i32::try_from(decimals).ok()?) + 1e-9;
        let value = Formula::value(&formula)?;
        if (value - expected).abs() > tolerance {
            return None;
        }
        let operands: BTreeSet<String> = in_text(&formula)
            .into_iter()
            .filter(|number| !CONSTANTS.contains(&number.as_str()))
            .collect();
        // Constants alone would prove any number.
        let counted = (1..=MOST_OPERANDS).contains(&operands.len());
        let computed = formula.contains(['*', '/', '×', '÷', '+', '-']);
        (counted && (operands.len() > 1 || computed)).then_some(Self {
            formula: formula.trim().to_owned(),
            result,
            operands,
        })
    }
}

/// The numbers of a text, in the form in which they are compared.
#[must_use]
pub fn in_text(text: &str) -> BTreeSet<String> {
    facts::numbers(&words::with_ascii_digits(text))
}

/// The numbers of a text that only say how long something lasts or how many come: `20 minutes`, `3 colleagues`.
#[must_use]
pub fn proposed(text: &str) -> BTreeSet<String> {
    let folded = words::fold(text);
    let words = words::split(&folded);
    words
        .iter()
        .enumerate()
        .filter(|(_, word)| word.chars().all(|c| c.is_ascii_digit()))
        .filter(|(at, _)| {
            let behind = words.get(at + 1..).unwrap_or_default();
            figures::SPANS.open(behind)
        })
        .flat_map(|(_, word)| facts::numbers(word))
        .collect()
}

/// The numbers of a text that are written as words: `five`.
#[must_use]
pub fn in_words(text: &str) -> BTreeSet<String> {
    let folded = words::fold(text);
    words::split(&folded)
        .into_iter()
        .filter(|word| figures::NUMBERS.contains(word))
        .map(str::to_owned)
        .collect()
}

/// Reads `46 * (29 + 1) / 2` from left to right.
struct Formula<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    depth: usize,
}

impl<'a> Formula<'a> {
    /// Deepest nesting of brackets.
    const DEEPEST: usize = 8;

    fn value(text: &'a str) -> Option<f64> {
        let mut formula = Self {
            rest: text.chars().peekable(),
            depth: 0,
        };
        let value = formula.sum()?;
        formula.skip_spaces();
        (formula.rest.next().is_none() && value.is_finite()).then_some(value)
    }

    fn skip_spaces(&mut self) {
        while self.rest.next_if(|c| c.is_whitespace()).is_some() {}
    }

    fn sum(&mut self) -> Option<f64> {
        let mut value = self.product()?;
        loop {
            self.skip_spaces();
            match self.rest.next_if(|c| matches!(c, '+' | '-' | '−' | '–')) {
                Some('+') => value += self.product()?,
                Some(_) => value -= self.product()?,
                None => return Some(value),
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.number()?;
        loop {
            self.skip_spaces();
            match self
                .rest
                .next_if(|c| matches!(c, '*' | '×' | 'x' | '·' | '/' | '÷' | ':'))
            {
                Some('/' | '÷' | ':') => value /= self.number()?,
                Some(_) => value *= self.number()?,
                None => return Some(value),
            }
        }
    }

    fn number(&mut self) -> Option<f64> {
        self.skip_spaces();
        if self.rest.next_if_eq(&'(').is_some() {
            self.depth += 1;
            if self.depth > Self::DEEPEST {
                return None;
            }
            let value = self.sum()?;
            self.skip_spaces();
            self.depth -= 1;
            return (self.rest.next() == Some(')')).then_some(value);
        }
        let mut text = String::new();
        while let Some(c) = self.rest.next_if(|c| {
            c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '\u{a0}' | '\u{202f}')
        }) {
            text.push(c);
        }
        // A percentage is a share of a hundred.
        let share = self.rest.next_if_eq(&'%').map_or(1.0, |_| 0.01);
        let mut numbers = facts::numbers(&text).into_iter();
        let (number, None) = (numbers.next()?, numbers.next()) else {
            return None;
        };
        Some(number.parse::<f64>().ok()? * share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_done_again() {
        for (formula, result) in [
            ("46*29", "1334"),
            ("46 × 29", "1,334"),
            ("2 * (3 + 4)", "14"),
            ("2007 + 15", "2022"),
            ("100/3", "33.3"),
            ("340 * 12%", "40.8"),
            ("1,200 / 4", "300"),
        ] {
            assert!(Derivation::read(formula, result).is_some(), "{formula}");
        }
        for (formula, result) in [
            ("46*29", "1335"),
            ("1334", "1334"),
            ("46*", "46"),
            ("46*29", ""),
            ("1/0", "0"),
            ("drop table", "1"),
        ] {
            assert!(Derivation::read(formula, result).is_none(), "{formula}");
        }
        let operands = Derivation::read("46*29/100", "13.34").map(|found| found.operands);
        assert_eq!(
            operands,
            Some(BTreeSet::from(["46".to_owned(), "29".to_owned()]))
        );
    }

    #[test]
    fn lengths_of_meetings_may_be_proposed() {
        assert!(proposed("Can we take 20 minutes next week?").contains("20"));
        assert!(proposed("Eine 30-minütige Runde mit 3 Kollegen").contains("3"));
        assert!(proposed("Die Pilotphase dauert 6 Wochen.").contains("6"));
        assert!(proposed("You serve 210 producers.").is_empty());
    }

    #[test]
    fn numbers_in_words_are_told() {
        let told = in_words("Two of five sites, and 3 more");
        assert_eq!(told, ["five", "two"].map(str::to_owned).into());
    }
}
