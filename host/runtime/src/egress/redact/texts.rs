//! Searches whole texts one after the other, in turns.

use std::collections::VecDeque;

use bytes::{Bytes, BytesMut};

use super::{BLOCK, Findings, Redactor, Secrets, TURN};

/// Texts in which secrets are looked for.
pub(in crate::egress) struct Texts {
    secrets: Secrets,
    waiting: VecDeque<Bytes>,
    /// The unfinished search of the next text; it holds some of that text's bytes already.
    begun: Option<(Redactor, BytesMut)>,
    /// The searched texts, cleared of secrets.
    cleaned: Vec<BytesMut>,
    found: Findings,
    /// Index of the first text in which a secret was found.
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

    /// The cost of searching them, in looks.
    pub(in crate::egress) fn cost(&self) -> usize {
        let costs = self.waiting.iter().map(|text| self.secrets.cost_of(text));
        costs.fold(0, usize::saturating_add)
    }

    /// Searches for one turn. Returns whether there is more to search.
    pub(in crate::egress) fn turn(&mut self) -> bool {
        let mut spent = 0;
        while spent < TURN && !self.waiting.is_empty() {
            spent += self.step();
        }
        !self.waiting.is_empty()
    }

    /// Secrets found so far, in finished texts and in the searched part of the next.
    pub(in crate::egress) fn found(&self) -> Findings {
        let mut found = self.found;
        if let Some((redactor, _)) = &self.begun {
            found += redactor.found;
        }
        found
    }

    /// Index of the first text in which a secret was found.
    pub(in crate::egress) const fn holding(&self) -> Option<usize> {
        self.holding
    }

    /// The searched texts, cleared of secrets.
    pub(in crate::egress) fn into_cleaned(self) -> Vec<BytesMut> {
        self.cleaned
    }

    /// Searches at most one block of the next text. Returns the cost.
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
