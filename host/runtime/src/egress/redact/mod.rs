//! Cuts secrets out of what comes back: a provider that echoes a credential must not hand it to the
//! guest, to a receipt or to stored evidence.
//!
//! Danger: whatever is done differently because a part of a secret stands in a text tells its author
//! how far a guess was right, and a whole secret is guessed letter by letter. So only whole secrets
//! count. How many bytes are held back, where a stream's pieces end, how far beyond its end a cut body is
//! read, and what it costs to look (see [`pattern`]) depends on a secret's length at most.

mod escapes;
mod pattern;
mod reading;
mod spelling;

use std::ops::AddAssign;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};

use pattern::Patterns;
use zeroize::Zeroizing;

/// What stands in place of a secret.
pub(super) const REPLACEMENT: &str = "[redacted]";

/// Shorter secrets are not looked for: they would hit by chance and mangle ordinary answers.
pub(super) const MIN_SECRET_BYTES: usize = 6;

/// Bytes that are held back at least, so that most keys have the same number.
const MIN_REACH: usize = 2048;

/// Bytes that are looked at together with what is held back.
const BLOCK: usize = 64 * 1024;

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
    /// Which of them may be found, by their numbers: those that the request carried.
    carried: Arc<[usize]>,
}

/// What was found in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Findings {
    /// Places that were replaced.
    pub replaced: u64,
    /// Finds of secrets that the request did not carry.
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
            (longest * reading::LONGEST)
                .next_power_of_two()
                .max(MIN_REACH)
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

    /// The same for the answer to a request that carried these credentials: it may echo them, and the
    /// secrets that they hold.
    pub(super) fn answering(&self, credentials: &[Zeroizing<String>]) -> Self {
        let holds = |value: &Zeroizing<String>| {
            let found = self
                .patterns
                .find(value.as_bytes(), value.len(), self.reach);
            found.into_iter().flat_map(|found| found.secrets).copied()
        };
        Self {
            carried: credentials.iter().flat_map(holds).collect(),
            ..self.clone()
        }
    }

    /// Whether there is nothing to look for.
    pub(super) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Whether these were put together at the same time.
    #[cfg(test)]
    pub(super) fn is_the_same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.patterns, &other.patterns)
    }

    /// A text without secrets, and what was cut out.
    pub(super) fn clean(&self, text: &str) -> (String, Findings) {
        let mut redactor = self.redactor();
        let mut out = redactor.push(text.as_bytes());
        out.extend_from_slice(&redactor.finish());
        (String::from_utf8_lossy(&out).into_owned(), redactor.found)
    }

    /// Which secrets these bytes hold.
    pub(super) fn found_in(&self, bytes: &[u8]) -> Findings {
        self.found_unless(bytes, || false).unwrap_or_default()
    }

    /// Which secrets these bytes hold, unless this says between two blocks that nobody wants to know.
    pub(super) fn found_unless(&self, bytes: &[u8], stop: impl Fn() -> bool) -> Option<Findings> {
        let mut redactor = self.redactor();
        for block in bytes.chunks(BLOCK) {
            if stop() {
                return None;
            }
            redactor.push(block);
        }
        if stop() {
            return None;
        }
        redactor.finish();
        Some(redactor.found)
    }

    /// Whether these bytes hold a secret.
    #[cfg(test)]
    pub(super) fn any_in(&self, bytes: &[u8]) -> bool {
        self.found_in(bytes).replaced > 0
    }

    /// A redactor for bytes that come in pieces.
    pub(super) fn redactor(&self) -> Redactor {
        Redactor {
            secrets: self.clone(),
            held: BytesMut::new(),
            covered: 0,
            cut: None,
            found: Findings::default(),
        }
    }
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
    /// What was found so far.
    pub found: Findings,
}

impl Redactor {
    /// What can be passed on after these bytes: pieces of one size, behind which a constant number of
    /// bytes is held back.
    pub(super) fn push(&mut self, bytes: &[u8]) -> BytesMut {
        let mut out = BytesMut::new();
        for block in bytes.chunks(BLOCK) {
            self.take_in(block);
            out.extend_from_slice(&self.pass_on());
        }
        out
    }

    /// Hold these bytes until it is known whether they can be passed on.
    pub(super) fn take_in(&mut self, bytes: &[u8]) {
        self.held.extend_from_slice(bytes);
    }

    /// What can be passed on now.
    pub(super) fn pass_on(&mut self) -> BytesMut {
        if self.secrets.reach == 0 && self.cut.is_none() {
            return std::mem::take(&mut self.held);
        }
        let mut out = BytesMut::new();
        self.release(self.decided(), &mut out);
        out
    }

    /// How many bytes are to be searched before something can be passed on, if anything can.
    pub(super) fn due(&self) -> usize {
        if self.decided() > 0 { self.held() } else { 0 }
    }

    /// Bytes that are held back now.
    pub(super) fn held(&self) -> usize {
        self.held.len()
    }

    /// How many bytes can be passed on, once they are searched.
    fn decided(&self) -> usize {
        let reach = self.secrets.reach;
        if reach == 0 || self.cut.is_some() {
            return 0;
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
    pub(super) fn finish(&mut self) -> Bytes {
        let mut out = BytesMut::new();
        self.release(self.cut.unwrap_or(self.held.len()), &mut out);
        self.held.clear();
        out.freeze()
    }

    /// Pass on what is held up to `end`. Secrets that overlap are replaced as one.
    fn release(&mut self, end: usize, out: &mut BytesMut) {
        if end == 0 {
            return;
        }
        let Secrets {
            patterns,
            reach,
            carried,
        } = &self.secrets;
        let mut done = self.covered.min(end);
        for found in patterns.find(&self.held, end, *reach) {
            let place = found.place;
            if !found.secrets.iter().any(|secret| carried.contains(secret)) {
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
