//! Sums: reads `46 * (29 + 1) / 2`, and says whether a number is its result.

use crate::numbers::{self, InWords, Number, TOLD_IN};
use crate::with_ascii_digits;

/// The numbers of a formula that no evidence needs: one, percent of a whole, months, weeks and days of a year, days of a week,
/// hours of a day, minutes of an hour, and what a thousand and a million are of their units.
const CONSTANTS: [&str; 10] = [
    "1", "7", "12", "24", "52", "60", "100", "365", "1000", "1000000",
];
/// Most numbers of one formula.
const MOST_OPERANDS: usize = 16;
/// How far a stated result may be from the sum, as a share of it.
const ROUNDING: f64 = 0.005;

/// A sum that was done again.
#[derive(Debug, Clone, PartialEq)]
pub struct Sum {
    /// The formula as it was written, for example `46*29`.
    pub formula: String,
    /// Its result as it was written.
    pub result: String,
    /// What the formula gives.
    pub value: f64,
    /// The numbers that must stand in the evidence.
    pub operands: Vec<Number>,
}

impl Sum {
    /// Reads a formula and its result; `None` if the result is wrong or one of them cannot be read.
    #[must_use]
    pub fn read(formula: &str, result: &str) -> Option<Self> {
        // An `x` between digits multiplies.
        let formula = with_ascii_digits(formula).replace('x', "×");
        let mut results = numbers::read(result, InWords::Ignored);
        let (stated, None) = (results.next()?, results.next()) else {
            return None;
        };
        let value = Formula::value(&formula)?;
        // Three decimals look like a group of thousands.
        let plain = result.trim().replace(',', ".").parse().ok();
        let near = [stated.value(), plain]
            .into_iter()
            .flatten()
            .any(|stated: f64| (stated - value).abs() <= ROUNDING * value.abs());
        if !(near || stated.rounds(value)) {
            return None;
        }
        let operands: Vec<Number> = numbers::read(&formula, InWords::Ignored)
            .filter(|number| !CONSTANTS.contains(&number.form()) || number.is_percent())
            .map(Number::or_percentage)
            .collect();
        // Constants alone would prove any number.
        let counted = (1..=MOST_OPERANDS).contains(&operands.len());
        let computed = formula.contains(['*', '/', '×', '÷', '+', '-', '−', '–', '·', ':']);
        (counted && computed).then(|| Self {
            formula: formula.trim().to_owned(),
            result: result.trim().to_owned(),
            value,
            operands,
        })
    }

    /// The sum of a formula, with its result to one decimal.
    #[must_use]
    pub fn computed(formula: String) -> Option<Self> {
        let value = Formula::value(&formula)?;
        Self::read(&formula, &format!("{value:.1}"))
    }

    /// Whether the number is this sum, perhaps rounded.
    #[must_use]
    pub fn gives(&self, number: &Number) -> bool {
        // Only a round number is a rounded one: the year after is none.
        let near = |stated: f64| {
            stated % 10.0 == 0.0 && (stated - self.value).abs() <= ROUNDING * self.value.abs()
        };
        // A sum in millions gives millions.
        let told_in = |stated: f64| {
            TOLD_IN
                .iter()
                .any(|scale| (stated / scale - self.value).abs() <= ROUNDING * self.value.abs())
        };
        let told_in = |stated: f64| self.value.abs() >= 1.0 && told_in(stated);
        number.rounds(self.value)
            || number
                .value()
                .is_some_and(|stated| near(stated) || told_in(stated))
    }
}

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

    /// Signs of a currency say nothing in a sum.
    fn skip_spaces(&mut self) {
        let skipped = |c: &char| c.is_whitespace() || matches!(c, '€' | '$' | '£' | '¥' | '¢');
        while self.rest.next_if(skipped).is_some() {}
    }

    /// Whether a space and a group of three digits follow.
    fn group_behind_space(&self) -> bool {
        let mut behind = self.rest.clone();
        behind.next() == Some(' ') && behind.take_while(char::is_ascii_digit).count() == 3
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
        let mark = |c: &char| {
            matches!(
                c,
                '.' | ',' | '\'' | '’' | '\u{a0}' | '\u{202f}' | '\u{2009}'
            )
        };
        loop {
            if let Some(c) = self.rest.next_if(|c| c.is_ascii_digit() || mark(c)) {
                text.push(c);
            } else if !text.is_empty() && self.group_behind_space() {
                text.extend(self.rest.next());
            } else {
                break;
            }
        }
        // `1.2k` and 3万: a scale belongs to its number.
        while let Some(c) = self
            .rest
            .next_if(|c| c.is_alphabetic() && !matches!(c, 'x'))
        {
            text.push(c);
        }
        self.skip_spaces();
        // A percentage is a share of a hundred.
        let share = self
            .rest
            .next_if(|c| matches!(c, '%' | '％'))
            .map_or(1.0, |_| 0.01);
        let mut numbers = numbers::read(&text, InWords::Ignored);
        let (number, None) = (numbers.next()?, numbers.next()) else {
            return None;
        };
        Some(number.value()? * share)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_sum_in_millions_gives_millions() {
        let sum = Sum::read("38.5*0.62", "23.87").unwrap();
        let number = |text| numbers::read(text, InWords::Ignored).next().unwrap();
        assert!(sum.gives(&number("23.9 million")));
        assert!(!sum.gives(&number("24.9 million")));
        assert!(!sum.gives(&number("239")));
        let evidence = numbers::offered("Revenue 38.5 million, exports 62 %");
        let evidence: [&dyn numbers::Forms; 1] = [&evidence];
        assert!(
            sum.operands
                .iter()
                .all(|operand| operand.stands_in_some_scale(&evidence))
        );
    }

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
            ("£38 * 14", "£532"),
            ("€ 3.50 × 52", "182"),
            ("0.125 * 8", "1"),
            ("8 * 60 * 24", "11520"),
            ("1.2k * 3", "3600"),
            ("3万 / 2", "15000"),
            ("21 000 * 2", "42 000"),
            ("(97200-91500)/97200*100", "5.9"),
            // Rounded by no more than half a percent.
            ("21000 * 2 * 0.12", "5050"),
        ] {
            assert!(Sum::read(formula, result).is_some(), "{formula}");
        }
        for (formula, result) in [
            ("46*29", "1341"),
            ("1334", "1334"),
            ("46*", "46"),
            ("46*29", ""),
            ("1/0", "0"),
            ("drop table", "1"),
            ("52*7", "364"),
        ] {
            assert!(Sum::read(formula, result).is_none(), "{formula}");
        }
    }

    #[test]
    fn operands_are_what_no_calendar_knows() {
        let sum = Sum::read("46*29/100", "13.34").map(|sum| sum.operands);
        let forms: Vec<String> = sum
            .iter()
            .flatten()
            .map(|number| number.form().to_owned())
            .collect();
        assert_eq!(forms, ["46", "29"]);
    }

    #[test]
    fn a_sum_gives_its_result_in_any_writing() {
        let gives = |formula: &str, result: &str, claim: &str| {
            let sum = Sum::read(formula, result);
            let number = numbers::read(claim, InWords::Of("en")).next();
            sum.zip(number)
                .is_some_and(|(sum, number)| sum.gives(&number))
        };
        assert!(gives("(97200-91500)/97200*100", "5.864", "six percent"));
        assert!(gives("14-5", "9", "nine rounds"));
        assert!(gives("120 * 9", "1080", "1.08k"));
        assert!(!gives("14-5", "9", "ten rounds"));
        let stand = |formula: &str, result: &str, evidence: &str| {
            let offered = numbers::offered(evidence);
            let sum = Sum::read(formula, result).unwrap();
            sum.operands
                .iter()
                .all(|operand| operand.stands_in(&[&offered]))
        };
        assert!(stand("340*0.15", "51", "15 percent of 340 crates"));
        assert!(stand("340*0.85", "289", "15 percent fewer than 340 crates"));
        assert!(stand("840/2", "420", "half of the 840 crates"));
        assert!(stand("1/9*100", "11.1", "every ninth call"));
        assert!(!stand("340*0.25", "85", "15 percent of 340 crates"));
        assert!(!gives("2007+15", "2022", "2023"));
    }
}
