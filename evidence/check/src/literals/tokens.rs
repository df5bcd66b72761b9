//! The tokens of a text, a few at a time.

use std::collections::VecDeque;

use super::{Token, bounded_pieces, chunk_tokens, joined_groups};

/// Most groups of digits that make one number: quadrillions. A longer row of them is a table, and joining it
/// from each of its cells on would take quadratic time.
pub(super) const MAX_GROUPS: usize = 5;
/// How many chunks after a number may hold the word for "percent".
const FOLLOWING: usize = 2;

/// Reads a text's tokens in order. Only those of the next chunks are in memory.
pub(super) struct Tokens<'t> {
    chunks: Box<dyn Iterator<Item = &'t str> + 't>,
    next_chunks: VecDeque<&'t str>,
    ahead: VecDeque<Token>,
}

impl<'t> Tokens<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self {
            chunks: Box::new(text.split_whitespace().flat_map(bounded_pieces)),
            next_chunks: VecDeque::new(),
            ahead: VecDeque::new(),
        }
    }

    /// The number that begins here in groups of three digits, whether it is a percentage, and how many
    /// tokens it spans.
    pub(super) fn joined(&mut self) -> Option<(String, bool, usize)> {
        self.look_ahead();
        joined_groups(self.ahead.make_contiguous())
    }

    pub(super) fn pass(&mut self, tokens: usize) {
        for _ in 0..tokens {
            self.next();
        }
    }

    /// Reads until a whole number in groups would be in memory.
    fn look_ahead(&mut self) {
        while self.ahead.len() < MAX_GROUPS {
            while self.next_chunks.len() <= FOLLOWING {
                let Some(chunk) = self.chunks.next() else {
                    break;
                };
                self.next_chunks.push_back(chunk);
            }
            let Some(chunk) = self.next_chunks.pop_front() else {
                return;
            };
            let mut found = Vec::new();
            chunk_tokens(chunk, self.next_chunks.make_contiguous(), &mut found);
            self.ahead.extend(found);
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.look_ahead();
        self.ahead.pop_front()
    }
}
