//! Cuts secrets out of what comes back: a provider that echoes a credential must not hand it to the
//! guest, to a receipt or to stored evidence.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use bytes::{Bytes, BytesMut};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::sync::Arc;
use zeroize::Zeroizing;

/// What stands in place of a secret.
pub(super) const REPLACEMENT: &str = "[redacted]";

/// Shorter secrets are not looked for: they would hit by chance and mangle ordinary answers.
pub(super) const MIN_SECRET_BYTES: usize = 6;

/// A cut body may end within a secret. This many bytes of one are taken for its beginning.
const MIN_CUT_BYTES: usize = 4;

/// Everything but the characters that `encodeURIComponent` leaves alone.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

type Pattern = Zeroizing<Vec<u8>>;

/// The secrets of one exchange in their usual encodings: raw, base64 (both alphabets, wherever the
/// secret stands in the encoded text), percent-encoded, hex, JSON- and HTML-escaped.
#[derive(Clone, Default)]
pub(super) struct Secrets {
    /// By first byte; in each the longest first.
    buckets: Arc<Vec<Vec<Pattern>>>,
}

impl Secrets {
    /// Patterns of these values. The second part counts those too short to look for.
    pub(super) fn of<'a>(values: impl Iterator<Item = &'a str>) -> (Self, usize) {
        let mut short = 0;
        let mut buckets: Vec<Vec<Pattern>> = vec![Vec::new(); 256];
        for value in values {
            if value.len() < MIN_SECRET_BYTES {
                short += 1;
                continue;
            }
            for pattern in spellings(value) {
                let bucket = &mut buckets[usize::from(pattern[0])];
                if pattern.len() >= MIN_SECRET_BYTES && !bucket.contains(&pattern) {
                    bucket.push(pattern);
                }
            }
        }
        for bucket in &mut buckets {
            bucket.sort_by_key(|p| std::cmp::Reverse(p.len()));
        }
        if buckets.iter().all(Vec::is_empty) {
            buckets.clear();
        }
        (
            Self {
                buckets: Arc::new(buckets),
            },
            short,
        )
    }

    /// A text without secrets, and how many were cut out.
    pub(super) fn clean(&self, text: &str) -> (String, u64) {
        let mut redactor = self.redactor();
        let mut out = redactor.push(text.as_bytes());
        out.extend_from_slice(&redactor.finish());
        (String::from_utf8_lossy(&out).into_owned(), redactor.count)
    }

    /// Whether a text holds a secret.
    pub(super) fn found_in(&self, text: &str) -> bool {
        self.clean(text).1 > 0
    }

    /// A redactor for bytes that come in pieces.
    pub(super) fn redactor(&self) -> Redactor {
        Redactor {
            secrets: self.clone(),
            held: BytesMut::new(),
            count: 0,
        }
    }
}

/// Cuts secrets out of a stream, also where a secret is spread over pieces.
pub(super) struct Redactor {
    secrets: Secrets,
    /// Bytes that may be the beginning of a secret.
    held: BytesMut,
    /// Occurrences that were replaced.
    pub count: u64,
}

impl Redactor {
    /// What can be passed on after these bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) -> BytesMut {
        if self.secrets.buckets.is_empty() {
            return BytesMut::from(bytes);
        }
        self.held.extend_from_slice(bytes);
        self.scan(false)
    }

    /// The rest, when the stream has come to its end.
    pub(super) fn finish(&mut self) -> Bytes {
        self.scan(true).freeze()
    }

    /// The rest, when the stream is cut: what looks like the beginning of a secret is dropped.
    pub(super) fn finish_cut(&mut self) -> Bytes {
        if self.held.len() >= MIN_CUT_BYTES {
            self.held.clear();
            self.count += 1;
            return Bytes::from_static(REPLACEMENT.as_bytes());
        }
        self.finish()
    }

    fn scan(&mut self, last: bool) -> BytesMut {
        let data = std::mem::take(&mut self.held);
        let mut out = BytesMut::with_capacity(data.len());
        let mut done = 0;
        let mut at = 0;
        while at < data.len() {
            let rest = &data[at..];
            let bucket = self
                .secrets
                .buckets
                .get(usize::from(rest[0]))
                .map_or(&[][..], Vec::as_slice);
            if !last
                && bucket
                    .iter()
                    .any(|p| p.len() > rest.len() && p.starts_with(rest))
            {
                out.extend_from_slice(&data[done..at]);
                self.held = BytesMut::from(rest);
                return out;
            }
            if let Some(found) = bucket.iter().find(|p| rest.starts_with(p)) {
                out.extend_from_slice(&data[done..at]);
                out.extend_from_slice(REPLACEMENT.as_bytes());
                self.count += 1;
                at += found.len();
                done = at;
            } else {
                at += 1;
            }
        }
        out.extend_from_slice(&data[done..]);
        out
    }
}

/// The ways in which a secret may come back.
fn spellings(secret: &str) -> Vec<Pattern> {
    let bytes = secret.as_bytes();
    let mut out = vec![
        secret.to_owned(),
        hex::encode(bytes),
        hex::encode_upper(bytes),
    ];
    for set in [COMPONENT, NON_ALPHANUMERIC] {
        let upper = utf8_percent_encode(secret, set).to_string();
        out.push(upper.replace("%20", "+"));
        out.push(lower_escapes(&upper));
        out.push(upper);
    }
    out.extend(json_spellings(secret));
    out.extend(html_spellings(secret));
    let mut patterns: Vec<Pattern> = out
        .into_iter()
        .map(|s| Zeroizing::new(s.into_bytes()))
        .collect();
    for offset in 0..3 {
        patterns.push(base64_within(
            bytes,
            offset,
            STANDARD_NO_PAD.encode(padded(bytes, offset).as_slice()),
        ));
        patterns.push(base64_within(
            bytes,
            offset,
            URL_SAFE_NO_PAD.encode(padded(bytes, offset).as_slice()),
        ));
    }
    patterns
}

fn padded(secret: &[u8], offset: usize) -> Pattern {
    let mut out = Zeroizing::new(vec![0; offset]);
    out.extend_from_slice(secret);
    out
}

/// The characters of a base64 text that depend on the secret alone, when it stands `offset` bytes
/// (modulo three) into what was encoded.
fn base64_within(secret: &[u8], offset: usize, encoded: String) -> Pattern {
    let encoded = Zeroizing::new(encoded.into_bytes());
    let first = (offset * 8).div_ceil(6);
    let end = (offset + secret.len()) * 8 / 6;
    Zeroizing::new(encoded[first..end].to_vec())
}

/// `%2F` as `%2f`.
fn lower_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut digits = 0;
    for c in text.chars() {
        out.push(if digits > 0 {
            c.to_ascii_lowercase()
        } else {
            c
        });
        digits = if c == '%' {
            2
        } else {
            usize::saturating_sub(digits, 1)
        };
    }
    out
}

fn json_spellings(secret: &str) -> Vec<String> {
    let plain = serde_json::Value::from(secret).to_string();
    let plain = plain[1..plain.len() - 1].to_owned();
    let slashed = plain.replace('/', "\\/");
    let mut ascii = String::new();
    for c in plain.chars() {
        if c.is_ascii() && !matches!(c, '<' | '>' | '&' | '\'' | '+' | '=') {
            ascii.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                ascii.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    vec![plain, slashed, ascii]
}

fn html_spellings(secret: &str) -> Vec<String> {
    let named = secret
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;");
    vec![
        named.replace('\'', "&#39;"),
        named.replace('\'', "&#x27;"),
        named,
    ]
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod tests;
