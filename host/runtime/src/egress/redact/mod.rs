//! Cuts secrets out of what comes back: a provider that echoes a credential must not pass it on to the
//! guest, a receipt or stored evidence.
//!
//! Danger: any visible difference caused by *part* of a secret tells the text's author how much of a guess
//! was right, and the whole secret can then be guessed letter by letter. So only whole secrets count. How
//! many bytes are held back, where the pieces of a stream end, how far a cut body is read beyond its end,
//! and what a search costs (see [`pattern`]) depend at most on the length of a secret.

mod chains;
mod escapes;
mod hashes;
#[cfg(test)]
pub(super) mod looks;
mod pattern;
mod reading;
mod spelling;
mod texts;

use std::collections::BTreeSet;
use std::ops::AddAssign;
use std::sync::Arc;

#[cfg(test)]
use bytes::Bytes;
use bytes::BytesMut;

use pattern::{Matches, Patterns};
use reading::Reading;
pub(super) use texts::Texts;
use zeroize::Zeroizing;

/// Replaces a secret.
pub(super) const REPLACEMENT: &str = "[redacted]";

/// Shorter secrets are not searched for: chance matches would mangle ordinary answers.
pub(super) const MIN_SECRET_BYTES: usize = 6;

/// Minimum number of bytes held back, so that the number is the same for most keys.
const MIN_REACH: usize = 2048;

/// Maximum number of bytes held back, provided that it covers a secret whose every byte is spelled with
/// six: every turn of a search reads them again. So a secret of more than 2,730 bytes is missed if each of
/// its characters has its longest spelling, which nobody writes.
const MAX_REACH: usize = 128 * 1024;
const IN_SIMPLE_SPELLINGS: usize = 6;

/// Maximum and minimum number of bytes searched in one turn; the bytes held back behind them are read as
/// well. Fewer would cost more to read than to search.
pub(super) const BLOCK: usize = 64 * 1024;
const LEAST_BLOCK: usize = 8 * 1024;

/// Approximate cost of one turn of a search, in looks; a look examines one position of a text for one
/// length of pattern. A turn takes some hundredths of a second.
const TURN: usize = 4 << 20;

/// Cost of reading a byte before it is searched, in looks.
const READ: usize = 4;

/// The secrets of one call. They are found raw, in hex and in base64 (both alphabets, at any offset in the
/// encoded text, in one line or several). Each of these is also found for the form that a secret takes in a
/// URL, a form or JSON. Characters may be escaped for a URL, a form, JSON, JavaScript or HTML, also nested,
/// in bytes or UTF-16, in capitals or small letters.
#[derive(Clone, Default)]
pub(super) struct Secrets {
    patterns: Arc<Patterns>,
    /// Longest spelling of a secret that is found, in bytes; zero without secrets.
    reach: usize,
    /// For each secret, by number: whether the request carried it, so that the answer may echo it.
    carried: Arc<[bool]>,
}

/// What was found in a text. Secrets that begin at the same position count once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Findings {
    /// How many places were replaced.
    pub replaced: u64,
    /// How many places begin a secret that the request did not carry.
    pub uncarried: u64,
}

impl AddAssign for Findings {
    fn add_assign(&mut self, more: Self) {
        self.replaced += more.replaced;
        self.uncarried += more.uncarried;
    }
}

impl Secrets {
    /// Compiles these values. Also returns how many were too short to search for.
    pub(super) fn of<'a>(values: impl Iterator<Item = &'a str>) -> (Self, usize) {
        let mut patterns = Patterns::default();
        let (mut short, mut longest) = (0, 0);
        for (number, value) in values.enumerate() {
            if value.len() < MIN_SECRET_BYTES {
                short += 1;
            } else {
                longest = longest.max(value.len());
                patterns.add(value, number);
            }
        }
        let reach = if patterns.is_empty() {
            0
        } else {
            let all_escaped = (longest * reading::LONGEST).min(MAX_REACH);
            let simple = longest * IN_SIMPLE_SPELLINGS;
            all_escaped.max(simple).next_power_of_two().max(MIN_REACH)
        };
        (
            Self {
                patterns: Arc::new(patterns),
                reach,
                carried: Arc::default(),
            },
            short,
        )
    }

    /// The pattern lengths that one value adds: the cost of a search grows with their number.
    pub(super) fn lengths_of(value: &str) -> BTreeSet<usize> {
        if value.len() < MIN_SECRET_BYTES {
            return BTreeSet::new();
        }
        pattern::lengths_of(value)
    }

    /// The same secrets, for the answer to a request that carried these credentials: the answer may echo
    /// them, and any secret inside them.
    pub(super) fn answering(&self, credentials: &[Zeroizing<String>]) -> Self {
        let mut carried = Vec::new();
        for value in credentials {
            let bytes = value.as_bytes();
            self.patterns.find(bytes, bytes.len(), self.reach, |held| {
                for secret in held {
                    if carried.len() <= *secret {
                        carried.resize(secret + 1, false);
                    }
                    carried[*secret] = true;
                }
                true
            });
        }
        Self {
            carried: carried.into(),
            ..self.clone()
        }
    }

    /// Whether one of these secrets may be in the answer.
    fn may_be_found(&self, secrets: &[usize]) -> bool {
        let mut carried = secrets.iter().map(|secret| self.carried.get(*secret));
        carried.any(|carried| carried.copied().unwrap_or_default())
    }

    /// The minimum cost, in looks, of searching `searched` bytes of a text of which `read` bytes are read.
    /// Danger: it must not depend on what is found, only on the text and the pattern lengths.
    fn cost(&self, text: &[u8], searched: usize, read: usize) -> usize {
        let once = self.cost_once(searched, read);
        // A cost above one turn needs no exact figure, which would take a pass over the text.
        if once > TURN {
            return once;
        }
        once.saturating_mul(Reading::at_most(text))
    }

    /// The same, for a search with one kind of code units.
    fn cost_of_units(&self, text: &[u8], searched: usize, read: usize) -> usize {
        let ways = Reading::at_most(text) / Reading::units(text);
        self.cost_once(searched, read).saturating_mul(ways)
    }

    /// The same, for a text with a single reading.
    fn cost_once(&self, searched: usize, read: usize) -> usize {
        let each = searched.saturating_mul(self.patterns.lengths());
        each.saturating_add(read.saturating_mul(READ))
    }

    /// The cost of searching a short text.
    pub(super) fn cost_of(&self, text: &[u8]) -> usize {
        if self.is_empty() {
            0
        } else {
            self.cost(text, text.len(), text.len())
        }
    }

    /// Whether there are no secrets to search for.
    pub(super) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// How many pattern lengths there are.
    #[cfg(test)]
    pub(super) fn lengths(&self) -> usize {
        self.patterns.lengths()
    }

    /// Whether both were compiled together.
    #[cfg(test)]
    pub(super) fn is_the_same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.patterns, &other.patterns)
    }

    /// A text without secrets, and what was removed.
    #[cfg(test)]
    pub(super) fn clean(&self, text: &str) -> (String, Findings) {
        let mut redactor = self.redactor();
        let mut out = redactor.push(text.as_bytes());
        out.extend_from_slice(&redactor.finish());
        (String::from_utf8_lossy(&out).into_owned(), redactor.found)
    }

    /// Whether these bytes hold a secret.
    #[cfg(test)]
    pub(super) fn any_in(&self, bytes: &[u8]) -> bool {
        let mut redactor = self.redactor();
        redactor.push(bytes);
        redactor.finish();
        redactor.found.replaced > 0
    }

    /// A redactor for bytes that arrive in pieces.
    pub(super) fn redactor(&self) -> Redactor {
        Redactor {
            secrets: self.clone(),
            held: BytesMut::new(),
            covered: 0,
            cut: None,
            due: 0,
            begun: None,
            found: Findings::default(),
        }
    }
}

/// A search of held bytes that takes several turns, one for each kind of code units.
struct Begun {
    /// How many of the held bytes are searched.
    end: usize,
    /// The next kind of code units.
    units: usize,
    /// What was found so far.
    matches: Matches,
}

/// Cuts secrets out of a stream, even if a secret is spread over several pieces.
pub(super) struct Redactor {
    secrets: Secrets,
    /// Bytes held back because a secret may begin in any of them.
    held: BytesMut,
    /// How many of them, at the front, are the rest of a secret that was replaced.
    covered: usize,
    /// How many of them belong to the body once it is cut; the others only show which secrets began before
    /// the cut.
    cut: Option<usize>,
    /// How many of them, at the front, are to be searched now and passed on.
    due: usize,
    begun: Option<Begun>,
    pub found: Findings,
}

impl Redactor {
    /// Takes bytes in and returns what can be passed on: pieces of one size, with a constant number of
    /// bytes held back behind them.
    #[cfg(test)]
    pub(super) fn push(&mut self, bytes: &[u8]) -> BytesMut {
        let mut out = BytesMut::new();
        for block in bytes.chunks(BLOCK) {
            self.take_in(block);
            self.ask();
            while self.is_due() {
                self.turn(&mut out);
            }
        }
        out
    }

    /// Holds these bytes until it is known whether they can be passed on.
    pub(super) fn take_in(&mut self, bytes: &[u8]) {
        self.held.extend_from_slice(bytes);
    }

    /// Marks as due what can be passed on.
    pub(super) fn ask(&mut self) {
        self.due = self.decided();
    }

    /// Marks all remaining bytes as due: the stream has ended, or has been read far enough beyond a cut.
    pub(super) fn ask_rest(&mut self) {
        self.due = self.cut.unwrap_or(self.held.len());
    }

    /// Whether anything is to be searched.
    pub(super) const fn is_due(&self) -> bool {
        self.due > 0
    }

    /// The cost of searching what is due, in looks.
    pub(super) fn cost(&self) -> usize {
        if self.due == 0 || self.secrets.is_empty() {
            return 0;
        }
        let turns = self.due.div_ceil(self.block());
        let read = self.due + turns * self.secrets.reach;
        self.secrets.cost(&self.held, self.due, read)
    }

    /// Searches as much of what is due as one turn may cost, and passes it on once it is searched in all
    /// its readings. Returns the cost.
    pub(super) fn turn(&mut self, out: &mut BytesMut) -> usize {
        if self.secrets.is_empty() {
            out.extend_from_slice(&self.held.split_to(std::mem::take(&mut self.due)));
            return 0;
        }
        let begun = self.begun.take();
        let mut begun = begun.unwrap_or_else(|| Begun {
            end: self.due.min(self.block()),
            units: 0,
            matches: Matches::default(),
        });
        let (secrets, end) = (&self.secrets, begun.end);
        let text = &self.held[..self.window(end)];
        let may_be = |found: &[usize]| secrets.may_be_found(found);
        let (units, matches) = (begun.units, &mut begun.matches);
        let reach = secrets.reach;
        let patterns = &secrets.patterns;
        patterns.find_in(units, text, end, reach, may_be, matches);
        let cost = secrets.cost_of_units(text, end, text.len());
        begun.units += 1;
        if begun.units < Reading::units(text) {
            self.begun = Some(begun);
        } else {
            self.due -= end;
            self.release(end, &begun.matches, out);
        }
        cost
    }

    /// Bytes searched in one turn.
    fn block(&self) -> usize {
        if self.secrets.is_empty() {
            return usize::MAX;
        }
        let read = self.window(BLOCK);
        let each = self.secrets.cost_of_units(&self.held[..read], 1, 0);
        (TURN / each.max(1)).clamp(LEAST_BLOCK, BLOCK)
    }

    /// How many held bytes are read in order to search `searched` of them.
    fn window(&self, searched: usize) -> usize {
        self.held
            .len()
            .min(searched.saturating_add(self.secrets.reach))
    }

    /// How many bytes can be passed on once they are searched.
    fn decided(&self) -> usize {
        let reach = self.secrets.reach;
        if self.cut.is_some() {
            return 0;
        }
        if reach == 0 {
            return self.held.len();
        }
        let piece = reach / 4;
        self.held.len().saturating_sub(reach) / piece * piece
    }

    /// How many bytes are held back, and needed beyond a cut.
    pub(super) const fn reach(&self) -> usize {
        self.secrets.reach
    }

    /// Ends the body here although the stream goes on. Returns how many of the following bytes to push;
    /// they are not passed on.
    pub(super) fn cut(&mut self) -> usize {
        self.cut = Some(self.held.len());
        self.secrets.reach
    }

    /// All remaining bytes, once the stream has ended or has been read far enough beyond a cut.
    #[cfg(test)]
    pub(super) fn finish(&mut self) -> Bytes {
        let mut out = BytesMut::new();
        self.ask_rest();
        while self.is_due() {
            self.turn(&mut out);
        }
        self.held.clear();
        out.freeze()
    }

    /// Passes on the held bytes up to `end` without the secrets in them. Overlapping secrets are replaced
    /// as one.
    fn release(&mut self, end: usize, matches: &Matches, out: &mut BytesMut) {
        let mut done = self.covered.min(end);
        for (place, stray) in matches.each() {
            if stray {
                self.found.uncarried += 1;
            }
            if place.start >= self.covered {
                out.extend_from_slice(&self.held[done..place.start]);
                out.extend_from_slice(REPLACEMENT.as_bytes());
                self.found.replaced += 1;
            }
            self.covered = self.covered.max(place.end);
            done = self.covered.min(end);
        }
        out.extend_from_slice(&self.held[done..end]);
        let _ = self.held.split_to(end);
        self.covered = self.covered.saturating_sub(end);
    }
}

#[cfg(test)]
pub(super) mod teasing;
#[cfg(test)]
mod tests;
