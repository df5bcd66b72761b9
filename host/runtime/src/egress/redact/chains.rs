//! The characters of a text from each position where one may begin, with hashes over any part of them.
//!
//! Danger: a secret may begin inside what reads as an escape sequence from an earlier position; a `%`
//! placed before a secret must not hide its first letters. So there is a chain of characters from each
//! position. Most chains soon join an existing one and are kept only up to that point.

use std::ops::Range;

use super::hashes::{Powers, folded, longer, over, proof_of_both, proof_over, proved};
use super::reading::Reading;

pub(super) struct Chains {
    /// For each byte of the text, its chain and its character's index in `hashes`.
    places: Vec<(u32, u32)>,
    chains: Vec<Chain>,
    /// For each chain, the hashes over its first zero, one, … bytes.
    hashes: Vec<u64>,
}

struct Chain {
    /// Where it begins in the text.
    start: usize,
    /// Its first and last index in `hashes`.
    first: u32,
    last: u32,
    /// Where in the text it joins another chain, or ends.
    joins: usize,
}

const NOWHERE: u32 = u32::MAX;

impl Chains {
    pub(super) fn of(reading: &Reading) -> Self {
        let mut all = Self {
            places: vec![(NOWHERE, 0); reading.len()],
            chains: Vec::new(),
            hashes: Vec::with_capacity(reading.len() + 1),
        };
        for start in reading.places() {
            if all.places[start].0 == NOWHERE {
                all.follow(reading, start);
            }
        }
        all
    }

    fn follow(&mut self, reading: &Reading, start: usize) {
        let chain = small(self.chains.len());
        let first = small(self.hashes.len());
        let (mut at, mut hash) = (start, 0);
        self.hashes.push(hash);
        while let Some(place) = self.places.get_mut(at)
            && place.0 == NOWHERE
        {
            *place = (chain, small(self.hashes.len() - 1));
            let character = reading.character(at);
            for byte in character.bytes() {
                hash = longer(hash, *byte);
                self.hashes.push(hash);
            }
            at += character.spelled();
        }
        self.chains.push(Chain {
            start,
            first,
            last: small(self.hashes.len() - 1),
            joins: at,
        });
    }

    /// The hashes from a position on, as far as its own chain goes: over zero, one, … bytes.
    pub(super) fn nearby(&self, start: usize) -> &[u64] {
        let place = self.places.get(start);
        let nearby = place.and_then(|(chain, first)| {
            let last = self.chains.get(*chain as usize)?.last;
            self.hashes.get(*first as usize..=last as usize)
        });
        nearby.unwrap_or_default()
    }

    /// The hash over `length` bytes of characters from a position on, if there are that many.
    pub(super) fn hash(&self, start: usize, length: usize, powers: &Powers) -> Option<u64> {
        let mut hash = 0_u64;
        self.each_part(start, length, |part| {
            let power = powers.quick[part.len()];
            let own = over(self.hashes[part.start], self.hashes[part.end], power);
            hash = hash.wrapping_mul(power).wrapping_add(own);
        })?;
        Some(hash)
    }

    /// Calls back with the ranges of `hashes` that hold the next `length` bytes from a position on, if
    /// there are that many. The ranges are few: chains that join one another all pass through the first
    /// position, and no more of them do than the longest spelling of a character has bytes.
    fn each_part(
        &self,
        start: usize,
        length: usize,
        mut see: impl FnMut(Range<usize>),
    ) -> Option<()> {
        let (mut at, mut left) = (start, length);
        loop {
            let (chain, first) = self.places.get(at)?;
            let chain = self.chains.get(*chain as usize)?;
            let first = *first as usize;
            let here = left.min(chain.last as usize - first);
            see(first..first + here);
            left -= here;
            if left == 0 {
                return Some(());
            }
            at = chain.joins;
        }
    }
}

/// Second hashes that confirm that the bytes of chains are those of a pattern, and where in the text they
/// end.
pub(super) struct Proofs {
    /// One for each index of `hashes`: case-sensitive, and case-insensitive.
    exact: Vec<u64>,
    folded: Vec<u64>,
    /// Where in the text the character ends whose last byte this is.
    ends: Vec<u32>,
}

impl Proofs {
    pub(super) fn of(reading: &Reading, chains: &Chains) -> Self {
        let size = chains.hashes.len();
        let mut all = Self {
            exact: vec![0; size],
            folded: vec![0; size],
            ends: vec![NOWHERE; size],
        };
        for chain in &chains.chains {
            let (mut at, mut index) = (chain.start, chain.first as usize);
            while index < chain.last as usize {
                let character = reading.character(at);
                for byte in character.bytes() {
                    all.exact[index + 1] = proved(all.exact[index], *byte);
                    all.folded[index + 1] = proved(all.folded[index], folded(*byte));
                    index += 1;
                }
                at += character.spelled();
                all.ends[index] = small(at);
            }
        }
        all
    }

    /// The proof of `length` bytes from a position on, and where they end in the text; `None` if that is
    /// inside a character.
    pub(super) fn of_part(
        &self,
        chains: &Chains,
        start: usize,
        length: usize,
        exact: bool,
        powers: &Powers,
    ) -> Option<(u64, usize)> {
        let proofs = if exact { &self.exact } else { &self.folded };
        let (mut proof, mut last) = (0, 0);
        chains.each_part(start, length, |part| {
            let power = powers.proof[part.len()];
            let own = proof_over(proofs[part.start], proofs[part.end], power);
            proof = proof_of_both(proof, own, power);
            last = part.end;
        })?;
        let end = self.ends[last];
        (end != NOWHERE).then_some((proof, end as usize))
    }
}

/// What is scanned at once is bounded, so a text is far shorter than 4 GiB.
fn small(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(NOWHERE)
}
