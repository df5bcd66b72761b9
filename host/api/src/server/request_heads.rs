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
                        self.place = Place::Unknown;
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
            return Place::Unknown;
        }
        self.complete += 1;
        let value = |name: &str| {
            let found = request
                .headers
                .iter()
                .find(|field| field.name.eq_ignore_ascii_case(name));
            found.map(|field| field.value)
        };
        match (value("transfer-encoding"), value("content-length")) {
            (Some(_), Some(_)) => {
                self.both_lengths = Some(self.complete);
                Place::Unknown
            }
            (Some(_), None) => Place::Unknown,
            (None, None) => Place::Body(0),
            (None, Some(length)) => std::str::from_utf8(length)
                .ok()
                .and_then(|length| length.trim().parse().ok())
                .map_or(Place::Unknown, Place::Body),
        }
    }

    /// Which request of the connection, from 1, has both `Content-Length` and `Transfer-Encoding`.
    pub(super) const fn both_lengths(&self) -> Option<u64> {
        self.both_lengths
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn seen(parts: &[&[u8]]) -> RequestHeads {
        let mut heads = RequestHeads::new();
        for part in parts {
            heads.see(part);
        }
        heads
    }

    #[test]
    fn both_lengths_are_found_in_either_order_and_behind_other_requests() {
        let before =
            "GET / HTTP/1.1\r\nhost: x\r\n\r\nPOST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc";
        for both in [
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
            "POST / HTTP/1.1\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n",
        ] {
            assert_eq!(seen(&[both.as_bytes()]).both_lengths(), Some(1));
            let behind = format!("{before}\r\n{both}");
            assert_eq!(seen(&[behind.as_bytes()]).both_lengths(), Some(3));
        }
        assert_eq!(seen(&[before.as_bytes()]).both_lengths(), None);
        // A body is no head, whatever it looks like.
        let body = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n";
        let outer = format!(
            "POST / HTTP/1.1\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        assert_eq!(seen(&[outer.as_bytes()]).both_lengths(), None);
    }

    #[test]
    fn an_unreadable_head_still_names_its_request() {
        let id = |head: &str| seen(&[head.as_bytes()]).request_id();
        assert_eq!(
            id("GET / HTTP/1.1\r\nX-Request-Id:  a-1 \r\nbad header\r\n\r\n").as_deref(),
            Some("a-1")
        );
        for none in [
            "GET / HTTP/1.1\r\nbad\r\n\r\n",
            "GET / HTTP/1.1\r\nx-request-id: a\r\nx-request-id: b\r\n\r\n",
            "GET / HTTP/1.1\r\nx-request-id: a b\r\n\r\n",
            "GET / HTTP/1.1\r\nx-request-id:\r\n\r\n",
        ] {
            assert_eq!(id(none), None, "{none}");
        }
    }

    proptest! {
        #[test]
        fn how_the_bytes_are_cut_changes_nothing(
            text in "(GET / HTTP/1.1\r\n|a: b\r\n|content-length: [0-9]{1,2}\r\n|transfer-encoding: chunked\r\n|\r\n|\n|[a-z]{1,5}){0,12}",
            size in 1usize..9,
        ) {
            let whole = seen(&[text.as_bytes()]);
            let cut = seen(&text.as_bytes().chunks(size).collect::<Vec<_>>());
            prop_assert_eq!(whole.both_lengths(), cut.both_lengths());
            prop_assert_eq!(whole.complete, cut.complete);
            prop_assert_eq!(whole.head(), cut.head());
        }

        #[test]
        fn nothing_is_too_odd_to_look_at(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let heads = seen(&[&bytes]);
            let _ = (heads.request_id(), heads.is_in_head());
        }
    }
}
