//! The patterns searched for: each secret raw, in hex and in base64, found in a text by hashes.
//!
//! Danger: comparing letter by letter takes longer the more letters match, so somebody who sends a body
//! full of guesses could measure how close they are; and somebody who issues tokens of one repeated letter
//! and bodies full of it would have each letter compared thousands of times. So every position of a text
//! costs the same: one hash over as many bytes as a pattern has, and a second one where the first matches.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use zeroize::Zeroizing;

use super::MIN_SECRET_BYTES;
use super::chains::{Chains, Proofs};
use super::hashes::{Powers, folded, longer, over, proved};
use super::reading::Reading;
use super::spelling;

/// One spelling of a secret.
pub(super) struct Pattern {
    hash: u64,
    /// Of its letters as they are if it is exact, otherwise of the folded ones.
    proof: u64,
    /// Whether case matters, as it does in base64.
    exact: bool,
    /// The numbers of the secrets that it spells; equal secrets have the same number.
    secrets: Vec<usize>,
}

/// The matches in a text: for each position, the end of the longest secret that begins there, and whether
/// one of them was not carried by the request.
#[derive(Default)]
pub(super) struct Matches(Vec<Match>);

#[derive(Clone, Copy, Default)]
struct Match {
    /// Zero if no secret begins here.
    end: usize,
    stray: bool,
}

impl Matches {
    /// The ranges of the secrets found, in order and possibly overlapping, each with whether one that
    /// begins there was not carried by the request.
    pub(super) fn each(&self) -> impl Iterator<Item = (std::ops::Range<usize>, bool)> {
        let all = self.0.iter().enumerate();
        all.filter(|(_, found)| found.end > 0)
            .map(|(start, found)| (start..found.end, found.stray))
    }
}

/// The patterns of any number of secrets.
#[derive(Default)]
pub(super) struct Patterns {
    /// Grouped by length in bytes, each group sorted by hash.
    lengths: Vec<(usize, Vec<Pattern>)>,
    powers: Powers,
    /// The letters of all patterns.
    #[cfg(test)]
    texts: Vec<Vec<u8>>,
}

impl Patterns {
    /// Adds a secret under this number.
    pub(super) fn add(&mut self, secret: &str, number: usize) {
        each_spelling(secret, |text, exact| self.insert(text, exact, number));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// How many pattern lengths there are: the cost of a search at each position of a text.
    pub(super) fn lengths(&self) -> usize {
        self.lengths.len()
    }

    fn insert(&mut self, text: &[u8], exact: bool, secret: usize) {
        #[cfg(test)]
        self.texts.push(text.to_vec());
        self.powers.reach(text.len());
        let place = self
            .lengths
            .iter()
            .position(|(length, _)| *length == text.len())
            .unwrap_or_else(|| {
                self.lengths.push((text.len(), Vec::new()));
                self.lengths.len() - 1
            });
        let same = &mut self.lengths[place].1;
        let hash = text.iter().fold(0, |hash, byte| longer(hash, *byte));
        let shown = |byte: u8| if exact { byte } else { folded(byte) };
        let proof = text
            .iter()
            .fold(0, |proof, byte| proved(proof, shown(*byte)));
        let first = same.partition_point(|pattern| pattern.hash < hash);
        let known = first..first + fitting(same, hash).len();
        let mut alike = same[known.clone()].iter_mut();
        match alike.find(|one| one.proof == proof && one.exact == exact) {
            Some(one) if one.secrets.contains(&secret) => {}
            Some(one) => one.secrets.push(secret),
            None => same.insert(
                known.end,
                Pattern {
                    hash,
                    proof,
                    exact,
                    secrets: vec![secret],
                },
            ),
        }
    }

    /// Finds the secrets that begin before `end` and are no longer than `reach` bytes. For each spelling,
    /// asks whether its secrets may be there, until one at that position may not.
    pub(super) fn find(
        &self,
        text: &[u8],
        end: usize,
        reach: usize,
        mut may_be: impl FnMut(&[usize]) -> bool,
    ) -> Matches {
        let mut matches = Matches::default();
        for units in 0..Reading::units(text) {
            self.find_in(units, text, end, reach, &mut may_be, &mut matches);
        }
        matches
    }

    /// The same for one kind of code units; adds to what was found before.
    pub(super) fn find_in(
        &self,
        units: usize,
        text: &[u8],
        end: usize,
        reach: usize,
        mut may_be: impl FnMut(&[usize]) -> bool,
        Matches(matches): &mut Matches,
    ) {
        Reading::each_of(units, text, |reading| {
            #[cfg(test)]
            super::looks::add(reading.len() * super::READ);
            let chains = Chains::of(reading);
            let proofs = OnceCell::new();
            self.fitting(reading, &chains, end, |start, length, pattern| {
                let proofs = proofs.get_or_init(|| Proofs::of(reading, &chains));
                let part = proofs.of_part(&chains, start, length, pattern.exact, &self.powers);
                let ended =
                    part.filter(|(proof, ends)| *proof == pattern.proof && *ends - start <= reach);
                let Some((_, ends)) = ended else {
                    return;
                };
                if matches.is_empty() {
                    *matches = vec![Match::default(); end.min(text.len())];
                }
                let found = &mut matches[start];
                found.end = found.end.max(ends);
                if !found.stray {
                    found.stray = !may_be(&pattern.secrets);
                }
            });
        });
    }

    /// Calls back for each position before `end` where the hash of a pattern matches: the whole pattern
    /// then stands there, apart from rare collisions or different case. A text without a whole secret costs
    /// no more than this.
    pub(super) fn fitting(
        &self,
        reading: &Reading,
        chains: &Chains,
        end: usize,
        mut see: impl FnMut(usize, usize, &Pattern),
    ) {
        let places = reading.places().take_while(|start| *start < end);
        for start in places.filter(|start| reading.may_begin(*start)) {
            #[cfg(test)]
            super::looks::add(self.lengths.len());
            let nearby = chains.nearby(start);
            for (length, patterns) in &self.lengths {
                let hash = match nearby {
                    [none, ..] if *length < nearby.len() => {
                        let power = self.powers.quick[*length];
                        Some(over(*none, nearby[*length], power))
                    }
                    _ => chains.hash(start, *length, &self.powers),
                };
                if let Some(hash) = hash {
                    for pattern in fitting(patterns, hash) {
                        see(start, *length, pattern);
                    }
                }
            }
        }
    }

    /// Whether a pattern occurs in a text, compared letter by letter and ignoring case.
    #[cfg(test)]
    pub(super) fn occurs_in_any_case(&self, text: &[u8]) -> bool {
        let mut any = false;
        Reading::each(text, |reading| {
            for start in reading.places() {
                any |= self.texts.iter().any(|wanted| {
                    let characters = std::iter::successors(Some(start), |at| {
                        (*at < reading.len()).then(|| at + reading.character(*at).spelled())
                    });
                    let characters = characters.take_while(|at| *at < reading.len());
                    let there = characters.map(|at| reading.character(at));
                    let mut there = there.flat_map(|c| c.bytes().to_vec());
                    wanted
                        .iter()
                        .all(|own| there.next().is_some_and(|c| folded(c) == folded(*own)))
                });
            }
        });
        any
    }
}

/// The lengths of all spellings of a secret that are searched for.
pub(super) fn lengths_of(secret: &str) -> BTreeSet<usize> {
    let mut lengths = BTreeSet::new();
    each_spelling(secret, |text, _| {
        lengths.insert(text.len());
    });
    lengths
}

/// Calls back for each spelling of a secret that is searched for, with whether case matters.
fn each_spelling(secret: &str, mut see: impl FnMut(&[u8], bool)) {
    let mut see = |text: &[u8], exact| {
        if text.len() >= MIN_SECRET_BYTES {
            see(text, exact);
        }
    };
    let bytes = secret.as_bytes();
    see(bytes, false);
    // Part of a secret may look like an escape, and a reader may resolve it.
    for unescaped in Reading::unescaped_secret(bytes) {
        see(&unescaped, false);
    }
    let in_hex = Zeroizing::new(hex::encode(bytes));
    see(in_pairs(&in_hex).as_bytes(), false);
    each_encoding(bytes, &mut see);
    for escaped in spelling::escaped(secret) {
        each_encoding(escaped.as_bytes(), &mut see);
    }
}

/// Calls back for each encoding of these bytes of a secret, alone or embedded in other bytes.
fn each_encoding(bytes: &[u8], see: &mut impl FnMut(&[u8], bool)) {
    see(Zeroizing::new(hex::encode(bytes)).as_bytes(), false);
    for offset in 0..3 {
        let mut padded = Zeroizing::new(vec![0; offset]);
        padded.extend_from_slice(bytes);
        // Only the characters that depend on the secret alone, when it stands `offset` bytes (modulo three)
        // into the encoded data.
        let own = (offset * 8).div_ceil(6)..(offset + bytes.len()) * 8 / 6;
        for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
            let encoded = Zeroizing::new(engine.encode(&*padded));
            see(&encoded.as_bytes()[own.clone()], true);
        }
    }
}

/// Hexadecimal digits with a colon after each byte but the last.
fn in_pairs(digits: &str) -> Zeroizing<String> {
    let mut out = Zeroizing::new(String::with_capacity(digits.len() * 3 / 2));
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && at % 2 == 0 {
            out.push(':');
        }
        out.push(digit);
    }
    out
}

/// The patterns with this hash; the slice is sorted by hash.
fn fitting(patterns: &[Pattern], hash: u64) -> &[Pattern] {
    let from = &patterns[patterns.partition_point(|pattern| pattern.hash < hash)..];
    let same = from.iter().take_while(|pattern| pattern.hash == hash);
    &from[..same.count()]
}
