//! The heads of requests as they come in, before the HTTP library takes them apart. It drops a
//! `Content-Length` that follows a `Transfer-Encoding`, and it does not give back what it refuses;
//! both are looked for here. Nothing is decided about where a request begins or ends: what is unclear
//! ends the watching, and the connection with it.

use super::{MAX_HEAD_BYTES, MAX_HEAD_FIELDS};
use crate::request_id;

/// Watches what a connection reads.
#[derive(Debug)]
pub(super) struct RequestHeads {
    /// The head that is being read, or the last one while its body is.
    head: Vec<u8>,
    place: Place,
    complete: u64,
    both_lengths: Option<u64>,
    last_watched: Option<u64>,
}

#[derive(Debug)]
enum Place {
    Head,
    /// In a body of which so many bytes are to come; after the last one, before the next head.
    Body(u64),
    /// After a head that cannot be read, or whose body has no announced length.
    Unknown,
}

impl RequestHeads {
    pub(super) const fn new() -> Self {
        Self {
            head: Vec::new(),
            place: Place::Head,
            complete: 0,
            both_lengths: None,
            last_watched: None,
        }
    }

    /// Take notice of bytes that were read.
    pub(super) fn see(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            match self.place {
                Place::Unknown => return,
                Place::Body(0) => {
                    self.head.clear();
                    self.place = Place::Head;
                }
                Place::Body(left) => {
                    let here = left.min(bytes.len() as u64);
                    self.place = Place::Body(left - here);
                    bytes = bytes.get(here as usize..).unwrap_or_default();
                }
                Place::Head => {
                    let end = bytes.iter().position(|b| *b == b'\n');
                    let (line, rest) = bytes.split_at(end.map_or(bytes.len(), |at| at + 1));
                    self.head.extend_from_slice(line);
                    bytes = rest;
                    if matches!(&*self.head, b"\r\n" | b"\n") {
                        // Empty lines may stand before a request (RFC 9112 §2.2).
                        self.head.clear();
                    } else if self.head.ends_with(b"\n\n") || self.head.ends_with(b"\n\r\n") {
                        self.place = self.body();
                    } else if self.head.len() > MAX_HEAD_BYTES {
                        self.place = self.lost(self.complete + 1);
                    }
                }
            }
        }
    }

    /// Where the head that has just been completed leads to.
    fn body(&mut self) -> Place {
        let mut fields = [httparse::EMPTY_HEADER; MAX_HEAD_FIELDS];
        let mut request = httparse::Request::new(&mut fields);
        if !request.parse(&self.head).is_ok_and(|s| s.is_complete()) {
            return self.lost(self.complete + 1);
        }
        let value = |name: &str| {
            let found = request
                .headers
                .iter()
                .find(|field| field.name.eq_ignore_ascii_case(name));
            found.map(|field| field.value)
        };
        let lengths = (value("transfer-encoding"), value("content-length"));
        let (both, length) = match lengths {
            (Some(_), length) => (length.is_some(), None),
            (None, None) => (false, Some(0)),
            (None, Some(length)) => (false, number(length)),
        };
        self.complete += 1;
        if both {
            self.both_lengths = Some(self.complete);
        }
        match length {
            Some(length) => Place::Body(length),
            None => self.lost(self.complete),
        }
    }

    /// The watching ends with this request.
    fn lost(&mut self, number: u64) -> Place {
        self.last_watched = Some(number);
        Place::Unknown
    }

    /// Which request of the connection, from 1, has both `Content-Length` and `Transfer-Encoding`.
    pub(super) const fn both_lengths(&self) -> Option<u64> {
        self.both_lengths
    }

    /// The request, from 1, of which it cannot be told where it ends.
    pub(super) const fn last_watched(&self) -> Option<u64> {
        self.last_watched
    }

    /// Whether a head has begun and has not ended.
    pub(super) fn is_in_head(&self) -> bool {
        matches!(self.place, Place::Head) && !self.head.is_empty()
    }

    /// What there is of the current head.
    pub(super) fn head(&self) -> &[u8] {
        &self.head
    }

    /// The caller's own request id, as far as a head that nobody could read has exactly one.
    pub(super) fn request_id(&self) -> Option<String> {
        let mut ids = self.head.split(|b| *b == b'\n').filter_map(|line| {
            let colon = line.iter().position(|b| *b == b':')?;
            let (name, value) = line.split_at(colon);
            name.eq_ignore_ascii_case(b"x-request-id")
                .then(|| value.get(1..).unwrap_or_default().trim_ascii())
        });
        let id = ids.next().filter(|id| request_id::is_acceptable(id))?;
        let only = ids.next().is_none();
        only.then(|| String::from_utf8_lossy(id).into_owned())
    }
}

/// Digits alone; `str::parse` takes a sign, too, which HTTP does not.
fn number(value: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(value).ok()?;
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

#[cfg(test)]
mod tests;
