//! Cuts secrets out of what comes back: a provider that echoes a credential must not hand it to the
//! guest, to a receipt or to stored evidence.
//!
//! Danger: whatever is done differently because a part of a secret stands in a text tells its author
//! how far a guess was right, and a whole secret is guessed letter by letter. So only whole secrets
//! count. How many bytes are held back, where a stream's pieces end, how far beyond its end a cut body is
//! read, and what it costs to look (see [`pattern`]) depends on a secret's length at most.

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

use pattern::{Patterns, Stands};
use reading::Reading;
pub(super) use texts::Texts;
use zeroize::Zeroizing;

/// What stands in place of a secret.
pub(super) const REPLACEMENT: &str = "[redacted]";

/// Shorter secrets are not looked for: they would hit by chance and mangle ordinary answers.
pub(super) const MIN_SECRET_BYTES: usize = 6;

/// Bytes that are held back at least, so that most keys have the same number.
const MIN_REACH: usize = 2048;

/// Bytes that are held back at most, as long as that is enough for what spells each byte of a secret in six:
/// each turn of a search reads them again. So no secret of more than 2,730 bytes is found with each of its
/// characters in its longest spelling, which nobody writes.
const MAX_REACH: usize = 128 * 1024;
const IN_SIMPLE_SPELLINGS: usize = 6;

/// Bytes of one turn of a search at most, together with which is read what is held back behind them, and
/// at least: fewer would cost more to read than to search.
pub(super) const BLOCK: usize = 64 * 1024;
const LEAST_BLOCK: usize = 8 * 1024;

/// What one turn of a search costs, about: looks at a place for one length of what is looked for. Some
/// hundredths of a second.
const TURN: usize = 4 << 20;

/// What it costs to read a byte before it is searched, in looks.
const READ: usize = 4;

/// The secrets of one call, looked for in their usual encodings: raw, hex, base64 (both alphabets,
/// wherever the secret stands in the encoded text, in one line or several), both also of what stands for
/// the secret in a URL, a form or JSON, and each character of those as
/// it is or escaped for a URL, a form, JSON, JavaScript or HTML, also within one another, in bytes or in
/// UTF-16, in capitals or small letters.
#[derive(Clone, Default)]
pub(super) struct Secrets {
    patterns: Arc<Patterns>,
    /// Longest spelling of a secret that is found, in bytes; none without secrets.
    reach: usize,
    /// Whether each of them may be found, by their numbers: those that the request carried may.
    carried: Arc<[bool]>,
}

/// What was found in a text. Secrets that begin at one place are found together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Findings {
    /// Places that were replaced.
    pub replaced: u64,
    /// Places at which a secret begins that the request did not carry.
    pub uncarried: u64,
}

impl AddAssign for Findings {
    fn add_assign(&mut self, more: Self) {
        self.replaced += more.replaced;
        self.uncarried += more.uncarried;
    }
}

impl Secrets {
    /// Secrets of these values. The second part counts those too short to look for.
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

    /// The lengths that are looked for because of one value: what a search costs grows with their number.
    pub(super) fn lengths_of(value: &str) -> BTreeSet<usize> {
        if value.len() < MIN_SECRET_BYTES {
            return BTreeSet::new();
        }
        pattern::lengths_of(value)
    }

    /// The same for the answer to a request that carried these credentials: it may echo them, and the
    /// secrets that they hold.
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

    /// Whether one of these may be found.
    fn may_be_found(&self, secrets: &[usize]) -> bool {
        let mut carried = secrets.iter().map(|secret| self.carried.get(*secret));
        carried.any(|carried| carried.copied().unwrap_or_default())
    }

    /// What it costs at least to search some bytes of a text, of which so many are read, in looks. It depends on
    /// the text and on the lengths of what is looked for, never on what is found.
    fn cost(&self, text: &[u8], searched: usize, read: usize) -> usize {
        let once = self.cost_once(searched, read);
        // What costs more than a turn anyway needs no closer look: that goes over the text.
        if once > TURN {
            return once;
        }
        once.saturating_mul(Reading::at_most(text))
    }

    /// The same of a search in one part of the ways in which the text can be read: made of the same units.
    fn cost_of_units(&self, text: &[u8], searched: usize, read: usize) -> usize {
        let ways = Reading::at_most(text) / Reading::units(text);
        self.cost_once(searched, read).saturating_mul(ways)
    }

    /// The same of a text that is read in one way.
    fn cost_once(&self, searched: usize, read: usize) -> usize {
        let each = searched.saturating_mul(self.patterns.lengths());
        each.saturating_add(read.saturating_mul(READ))
    }

    /// What it costs to search a short text.
    pub(super) fn cost_of(&self, text: &[u8]) -> usize {
        if self.is_empty() {
            0
        } else {
            self.cost(text, text.len(), text.len())
        }
    }

    /// Whether there is nothing to look for.
    pub(super) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// How many lengths are looked for.
    #[cfg(test)]
    pub(super) fn lengths(&self) -> usize {
        self.patterns.lengths()
    }

    /// Whether these were put together at the same time.
    #[cfg(test)]
    pub(super) fn is_the_same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.patterns, &other.patterns)
    }

    /// A text without secrets, and what was cut out.
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

    /// A redactor for bytes that come in pieces.
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

/// A search of held bytes that takes several turns: one for each kind of units of which they may be made.
struct Begun {
    /// How many of them are searched.
    end: usize,
    /// Units that come next.
    units: usize,
    /// What was found so far.
    stands: Stands,
}

/// Cuts secrets out of a stream, also where a secret is spread over pieces.
pub(super) struct Redactor {
    secrets: Secrets,
    /// Bytes that are held back, since a secret may begin in each of them.
    held: BytesMut,
    /// How many of them, from the first on, are the rest of a secret that was replaced.
    covered: usize,
    /// How many of them belong to the body, once it is cut: the others only show what began before.
    cut: Option<usize>,
    /// How many of them, from the first on, are to be searched now and passed on.
    due: usize,
    begun: Option<Begun>,
    /// What was found so far.
    pub found: Findings,
}

impl Redactor {
    /// What can be passed on after these bytes: pieces of one size, behind which a constant number of
    /// bytes is held back.
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

    /// Hold these bytes until it is known whether they can be passed on.
    pub(super) fn take_in(&mut self, bytes: &[u8]) {
        self.held.extend_from_slice(bytes);
    }

    /// What can be passed on is to be searched.
    pub(super) fn ask(&mut self) {
        self.due = self.decided();
    }

    /// All that is left is to be searched: the stream has come to its end or has been read far enough
    /// beyond a cut.
    pub(super) fn ask_rest(&mut self) {
        self.due = self.cut.unwrap_or(self.held.len());
    }

    /// Whether there is something to be searched.
    pub(super) const fn is_due(&self) -> bool {
        self.due > 0
    }

    /// What it costs to search what is due, in looks.
    pub(super) fn cost(&self) -> usize {
        if self.due == 0 || self.secrets.is_empty() {
            return 0;
        }
        let turns = self.due.div_ceil(self.block());
        let read = self.due + turns * self.secrets.reach;
        self.secrets.cost(&self.held, self.due, read)
    }

    /// Search a part of what is due, as much as one turn may cost, and pass it on once it is searched in all
    /// ways. Tells what it cost.
    pub(super) fn turn(&mut self, out: &mut BytesMut) -> usize {
        if self.secrets.is_empty() {
            out.extend_from_slice(&self.held.split_to(std::mem::take(&mut self.due)));
            return 0;
        }
        let begun = self.begun.take();
        let mut begun = begun.unwrap_or_else(|| Begun {
            end: self.due.min(self.block()),
            units: 0,
            stands: Stands::default(),
        });
        let (secrets, end) = (&self.secrets, begun.end);
        let text = &self.held[..self.window(end)];
        let may_be = |found: &[usize]| secrets.may_be_found(found);
        let (units, stands) = (begun.units, &mut begun.stands);
        let reach = secrets.reach;
        let patterns = &secrets.patterns;
        patterns.find_in(units, text, end, reach, may_be, stands);
        let cost = secrets.cost_of_units(text, end, text.len());
        begun.units += 1;
        if begun.units < Reading::units(text) {
            self.begun = Some(begun);
        } else {
            self.due -= end;
            self.release(end, &begun.stands, out);
        }
        cost
    }

    /// Bytes of one turn.
    fn block(&self) -> usize {
        if self.secrets.is_empty() {
            return usize::MAX;
        }
        let read = self.window(BLOCK);
        let each = self.secrets.cost_of_units(&self.held[..read], 1, 0);
        (TURN / each.max(1)).clamp(LEAST_BLOCK, BLOCK)
    }

    /// Bytes of what is held that are read in order to search so many of them.
    fn window(&self, searched: usize) -> usize {
        self.held
            .len()
            .min(searched.saturating_add(self.secrets.reach))
    }

    /// How many bytes can be passed on, once they are searched.
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

    /// Bytes that are held back, and that are wanted beyond a cut.
    pub(super) const fn reach(&self) -> usize {
        self.secrets.reach
    }

    /// The body ends here, although the stream does not. Tells how many bytes to push still, of those
    /// that follow: they are not passed on.
    pub(super) fn cut(&mut self) -> usize {
        self.cut = Some(self.held.len());
        self.secrets.reach
    }

    /// The rest, when the stream has come to its end or has been read far enough beyond a cut.
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

    /// Pass on what is held up to `end`, without the secrets that stand there. Those that overlap are replaced
    /// as one.
    fn release(&mut self, end: usize, stands: &Stands, out: &mut BytesMut) {
        let mut done = self.covered.min(end);
        for (place, stray) in stands.each() {
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
