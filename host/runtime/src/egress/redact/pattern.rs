//! What is looked for: each secret as it is, in hex and in base64, found in a text by hashes.
//!
//! Comparing letter by letter would take longer the more letters fit, and whoever sends a body full of
//! guesses could measure that. So each place of a text costs the same: one hash over as many bytes as a
//! pattern has, and letters are compared only where the whole hash fits.

use std::ops::Range;
use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use zeroize::Zeroizing;

use super::MIN_SECRET_BYTES;
use super::reading::Reading;
use super::spelling;

/// One spelling that the characters of a text are compared with.
pub(super) struct Pattern {
    text: Zeroizing<Vec<u8>>,
    hash: u64,
    /// Whether capitals and small letters differ: they do in base64.
    exact: bool,
    /// The secrets that it is a spelling of, by their numbers: equal ones have the same.
    secrets: Vec<usize>,
}

/// A place where secrets stand, which have this spelling in common.
pub(super) struct Found<'a> {
    pub place: Range<usize>,
    pub secrets: &'a [usize],
}

/// Patterns of any number of secrets.
#[derive(Default)]
pub(super) struct Patterns {
    /// By their length in bytes, those of one length in the order of their hashes.
    lengths: Vec<(usize, Vec<Pattern>)>,
    /// Powers of the hashes' base, up to the longest length.
    powers: Vec<u64>,
}

impl Patterns {
    /// Look for this secret too, under this number.
    pub(super) fn add(&mut self, secret: &str, number: usize) {
        let bytes = secret.as_bytes();
        self.insert(bytes, false, number);
        // Where a secret has something like an escape of its own, that may be read as one.
        for unescaped in Reading::unescaped_secret(bytes) {
            self.insert(&unescaped, false, number);
        }
        let in_hex = Zeroizing::new(hex::encode(bytes));
        self.insert(in_pairs(&in_hex).as_bytes(), false, number);
        self.insert_encoded(bytes, number);
        for escaped in spelling::escaped(secret) {
            self.insert_encoded(escaped.as_bytes(), number);
        }
    }

    /// Look for what encodes these bytes of a secret, alone or among others.
    fn insert_encoded(&mut self, bytes: &[u8], number: usize) {
        self.insert(Zeroizing::new(hex::encode(bytes)).as_bytes(), false, number);
        for offset in 0..3 {
            let mut padded = Zeroizing::new(vec![0; offset]);
            padded.extend_from_slice(bytes);
            // Only the characters that depend on nothing but the secret, when it stands `offset`
            // bytes (modulo three) into what was encoded.
            let own = (offset * 8).div_ceil(6)..(offset + bytes.len()) * 8 / 6;
            for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
                let encoded = Zeroizing::new(engine.encode(&*padded));
                self.insert(&encoded.as_bytes()[own.clone()], true, number);
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// How many lengths patterns have: what a search costs at each place of a text.
    #[cfg(test)]
    pub(super) fn lengths(&self) -> usize {
        self.lengths.len()
    }

    fn insert(&mut self, text: &[u8], exact: bool, secret: usize) {
        if text.len() < MIN_SECRET_BYTES {
            return;
        }
        while self.powers.len() <= text.len() {
            let next = self.powers.last().map_or(1, |p| p.wrapping_mul(base()));
            self.powers.push(next);
        }
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
        let known = fitting(same, hash);
        let mut alike = same[known.clone()].iter_mut();
        match alike.find(|one| one.text[..] == *text && one.exact == exact) {
            Some(one) if one.secrets.contains(&secret) => {}
            Some(one) => one.secrets.push(secret),
            None => same.insert(
                known.end,
                Pattern {
                    text: Zeroizing::new(text.to_vec()),
                    hash,
                    exact,
                    secrets: vec![secret],
                },
            ),
        }
    }

    /// Where secrets stand that begin before `end` and are no longer than `reach` bytes, by their
    /// beginnings. They may overlap.
    pub(super) fn find(&self, text: &[u8], end: usize, reach: usize) -> Vec<Found<'_>> {
        let mut found: Vec<Found<'_>> = Vec::new();
        Reading::each(text, |reading| {
            let places = self.fitting(reading, end).into_iter();
            let ended = places.filter_map(|(start, pattern)| {
                let place = start..pattern.end(reading, start)?;
                let secrets = &pattern.secrets[..];
                Some(Found { place, secrets })
            });
            found.extend(ended.filter(|found| found.place.len() <= reach));
        });
        found.sort_unstable_by_key(|found| found.place.start);
        found
    }

    /// Places before `end` where the hash of a pattern fits, and so, but for a rare chance, the whole of
    /// it. What this costs is all that a text costs in which no whole secret stands.
    pub(super) fn fitting(&self, reading: &Reading, end: usize) -> Vec<(usize, &Pattern)> {
        let chains = Chains::of(reading);
        let mut found = Vec::new();
        let places = reading.places().take_while(|start| *start < end);
        for start in places.filter(|start| reading.may_begin(*start)) {
            let nearby = chains.nearby(start);
            for (length, patterns) in &self.lengths {
                let hash = match nearby {
                    [none, ..] if *length < nearby.len() => {
                        Some(over(*none, nearby[*length], self.powers[*length]))
                    }
                    _ => chains.hash(start, *length, &self.powers),
                };
                if let Some(hash) = hash {
                    let same = &patterns[fitting(patterns, hash)];
                    found.extend(same.iter().map(|pattern| (start, pattern)));
                }
            }
        }
        found
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

/// Which of these have a hash, in the order of their hashes.
fn fitting(patterns: &[Pattern], hash: u64) -> Range<usize> {
    let first = patterns.partition_point(|pattern| pattern.hash < hash);
    let same = patterns[first..]
        .iter()
        .take_while(|pattern| pattern.hash == hash);
    first..first + same.count()
}

impl Pattern {
    /// Where this pattern ends in a text, if the text spells it from `start` on.
    fn end(&self, reading: &Reading, start: usize) -> Option<usize> {
        let (mut at, mut left) = (start, &self.text[..]);
        while !left.is_empty() && at < reading.len() {
            let character = reading.character(at);
            let (own, rest) = left.split_at_checked(character.bytes().len())?;
            let fits = own.iter().zip(character.bytes()).all(|(wanted, found)| {
                wanted == found || !self.exact && folded(*wanted) == folded(*found)
            });
            if !fits {
                return None;
            }
            at += character.spelled();
            left = rest;
        }
        left.is_empty().then_some(at)
    }
}

/// The characters of a text from each place on at which one may begin.
///
/// A secret may begin within what reads as an escape from before it: a `%` before a secret must not
/// hide its first letters. So there is a chain of characters from each place; most run into one that is
/// there already, and are kept only up to that point.
struct Chains {
    /// For each byte of the text, its chain and where its character stands in `hashes`.
    places: Vec<(u32, u32)>,
    chains: Vec<Chain>,
    /// For each chain, the hashes over none, one, … of its bytes.
    hashes: Vec<u64>,
}

struct Chain {
    /// Its last hash.
    last: u32,
    /// Where in the text it runs into another chain, or ends.
    joins: usize,
}

const NOWHERE: u32 = u32::MAX;

impl Chains {
    fn of(reading: &Reading) -> Self {
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
            last: small(self.hashes.len() - 1),
            joins: at,
        });
    }

    /// The hashes from a place on, as far as its own chain goes: over none, one, … of its bytes.
    fn nearby(&self, start: usize) -> &[u64] {
        let place = self.places.get(start);
        let nearby = place.and_then(|(chain, first)| {
            let last = self.chains.get(*chain as usize)?.last;
            self.hashes.get(*first as usize..=last as usize)
        });
        nearby.unwrap_or_default()
    }

    /// The hash over `length` bytes of characters from a place on, if there are as many.
    fn hash(&self, start: usize, length: usize, powers: &[u64]) -> Option<u64> {
        let (mut at, mut left, mut hash) = (start, length, 0_u64);
        loop {
            let (chain, first) = self.places.get(at)?;
            let chain = self.chains.get(*chain as usize)?;
            let first = *first as usize;
            let here = left.min(chain.last as usize - first);
            let own = over(self.hashes[first], self.hashes[first + here], powers[here]);
            hash = hash.wrapping_mul(powers[here]).wrapping_add(own);
            left -= here;
            if left == 0 {
                return Some(hash);
            }
            at = chain.joins;
        }
    }
}

/// The hash over what makes the one hash the other, with the power for as many bytes.
const fn over(before: u64, after: u64, power: u64) -> u64 {
    after.wrapping_sub(before.wrapping_mul(power))
}

/// A text's parts are far shorter than 4 GiB: what is scanned at once is bounded.
fn small(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(NOWHERE)
}

/// Capitals and small letters are the same, and so are a space and the `+` that forms write for it.
const fn folded(byte: u8) -> u8 {
    match byte {
        b'+' => b' ',
        other => other.to_ascii_lowercase(),
    }
}

/// The hash over one more byte.
fn longer(hash: u64, byte: u8) -> u64 {
    hash.wrapping_mul(base())
        .wrapping_add(u64::from(folded(byte)) + 1)
}

/// The base of the hashes: odd, and chosen by chance, so that nobody can make texts whose hashes fit.
fn base() -> u64 {
    static BASE: OnceLock<u64> = OnceLock::new();
    *BASE.get_or_init(|| {
        let mut bytes = [0x5d; 8];
        // Without randomness hashes only become predictable: letters are compared all the same.
        let _ = aws_lc_rs::rand::fill(&mut bytes);
        u64::from_le_bytes(bytes) | 1
    })
}
