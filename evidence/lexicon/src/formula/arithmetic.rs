//! Does the sum of a formula.

use crate::numbers::{self, InWords};

/// What a formula, or a part of it, gives.
pub(super) struct Term {
    pub value: f64,
    /// Its numbers, in the order in which they are written.
    pub numbers: Vec<f64>,
}

pub(super) struct Formula<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    depth: usize,
    /// Numbers by their place in the formula, and what each is to be multiplied by first.
    factors: &'a [(usize, f64)],
    numbers: Vec<f64>,
    /// Numbers that need no evidence as part of a product.
    constants: &'a [usize],
    /// Those among them that are added or subtracted.
    added: Vec<usize>,
}

impl<'a> Formula<'a> {
    /// Deepest nesting of brackets.
    const DEEPEST: usize = 8;

    /// Does the sum, some of whose numbers are multiplied first.
    pub fn read(text: &'a str, factors: &'a [(usize, f64)]) -> Option<Term> {
        let (value, formula) = Self::done(text, factors, &[])?;
        Some(Term {
            value,
            numbers: formula.numbers,
        })
    }

    /// Those of the constants that are added to something else or taken from it. A one may be, and so may the hundred from
    /// which a share is taken.
    pub fn added(text: &'a str, constants: &'a [usize]) -> Option<Vec<usize>> {
        Some(Self::done(text, &[], constants)?.1.added)
    }

    fn done(
        text: &'a str,
        factors: &'a [(usize, f64)],
        constants: &'a [usize],
    ) -> Option<(f64, Self)> {
        let mut formula = Self {
            rest: text.chars().peekable(),
            depth: 0,
            factors,
            numbers: Vec::new(),
            constants,
            added: Vec::new(),
        };
        let value = formula.sum()?;
        formula.skip_spaces();
        (formula.rest.next().is_none() && value.is_finite()).then_some((value, formula))
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
        let mut terms = vec![self.numbers.len()];
        let mut subtracts = true;
        let mut value = self.product()?;
        loop {
            self.skip_spaces();
            let sign = self.rest.next_if(|c| matches!(c, '+' | '-' | '−' | '–'));
            if sign.is_some() {
                terms.push(self.numbers.len());
            }
            match sign {
                Some('+') => {
                    subtracts = false;
                    value += self.product()?;
                }
                Some(_) => value -= self.product()?,
                None => {
                    self.note_added(&terms, subtracts);
                    return Some(value);
                }
            }
        }
    }

    /// Notes the terms that consist of constants alone; `terms` are the places of their first numbers.
    fn note_added(&mut self, terms: &[usize], subtracts: bool) {
        if terms.len() < 2 {
            return;
        }
        let ends = terms.iter().skip(1).copied().chain([self.numbers.len()]);
        let mut ones = 0;
        for (at, (begin, end)) in terms.iter().copied().zip(ends).enumerate() {
            if !(begin..end).all(|place| self.constants.contains(&place)) {
                continue;
            }
            let number = self.numbers.get(begin).copied();
            let alone = number.filter(|_| end - begin == 1);
            let whole = alone == Some(100.0) && at == 0 && subtracts;
            ones += usize::from(alone == Some(1.0));
            if !whole && alone != Some(1.0) {
                self.added.extend(begin..end);
            }
        }
        // One is counted once: `2026-2019+1`.
        if ones > 1 {
            self.added.extend(
                (terms.iter().copied()).filter(|place| self.numbers.get(*place) == Some(&1.0)),
            );
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
        let place = self.numbers.len();
        let mut value = number.value()? * share;
        for (_, factor) in self.factors.iter().filter(|(of, _)| *of == place) {
            value *= factor;
        }
        self.numbers.push(value);
        Some(value)
    }
}
