//! Whole texts that are searched one after the other, in turns.

use std::collections::VecDeque;

use bytes::{Bytes, BytesMut};

use super::{BLOCK, Findings, Redactor, Secrets, TURN};

/// Texts in which secrets are looked for.
pub(in crate::egress) struct Texts {
    secrets: Secrets,
    waiting: VecDeque<Bytes>,
    /// The search of the first of those, which holds some of its bytes already.
    begun: Option<(Redactor, BytesMut)>,
    /// What is left of those that were searched.
    cleaned: Vec<BytesMut>,
    found: Findings,
    /// Which text was the first in which something was found.
    holding: Option<usize>,
}

impl Texts {
    pub(in crate::egress) fn new(
        secrets: &Secrets,
        texts: impl IntoIterator<Item = Bytes>,
    ) -> Self {
        Self {
            secrets: secrets.clone(),
            waiting: texts.into_iter().collect(),
            begun: None,
            cleaned: Vec::new(),
            found: Findings::default(),
            holding: None,
        }
    }

    /// What it costs to search them, in looks.
    pub(in crate::egress) fn cost(&self) -> usize {
        let costs = self.waiting.iter().map(|text| self.secrets.cost_of(text));
        costs.fold(0, usize::saturating_add)
    }

    /// Search on for as long as one turn is. Tells whether there is more.
    pub(in crate::egress) fn turn(&mut self) -> bool {
        let mut spent = 0;
        while spent < TURN && !self.waiting.is_empty() {
            spent += self.step();
        }
        !self.waiting.is_empty()
    }

    /// What was found, in texts that are searched and in what is searched of the next.
    pub(in crate::egress) fn found(&self) -> Findings {
        let mut found = self.found;
        if let Some((redactor, _)) = &self.begun {
            found += redactor.found;
        }
        found
    }

    /// Which text is the first in which something was found, by its number.
    pub(in crate::egress) const fn holding(&self) -> Option<usize> {
        self.holding
    }

    /// The texts that are searched, without secrets.
    pub(in crate::egress) fn into_cleaned(self) -> Vec<BytesMut> {
        self.cleaned
    }

    /// Search a block of the next text at most. Tells what it cost.
    fn step(&mut self) -> usize {
        let Some(text) = self.waiting.front_mut() else {
            return 0;
        };
        let (redactor, out) = self
            .begun
            .get_or_insert_with(|| (self.secrets.redactor(), BytesMut::new()));
        if !redactor.is_due() {
            redactor.take_in(&text.split_to(text.len().min(BLOCK)));
            if text.is_empty() {
                redactor.ask_rest();
            } else {
                redactor.ask();
            }
        }
        let cost = redactor.turn(out);
        if redactor.found.replaced > 0 && self.holding.is_none() {
            self.holding = Some(self.cleaned.len());
        }
        if text.is_empty() && !redactor.is_due() {
            self.waiting.pop_front();
            if let Some((redactor, out)) = self.begun.take() {
                self.found += redactor.found;
                self.cleaned.push(out);
            }
        }
        cost
    }
}
