//! The stored answers that a job's claims may cite, with their text.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use gtm_domain::evidence::ConnectorRef;
use gtm_domain::receipt::Receipt;
use gtm_domain::{Digest, ReceiptId};
use gtm_page_text::{Media, SearchText, classify};
use serde_json::Value;
use url::Url;

use super::literals::Literals;

/// Most bytes of answers that one job may cite. Researching a company takes some dozens of pages of up to 2 MB
/// each, most of them far smaller.
pub const MAX_CITED_BYTES: usize = 32 * 1024 * 1024;
/// Most bytes of one answer that are read. Reading takes a multiple of it in memory.
pub const MAX_READ_BYTES: usize = 4 * 1024 * 1024;
/// Most text of one answer, in bytes; a page has some ten thousand.
pub const MAX_ANSWER_TEXT: usize = 3_000_000;
/// Most text of all answers that one job cites, in bytes.
pub const MAX_JOB_TEXT: usize = 16_000_000;
/// Longest text of a connector's output that is kept, in bytes: a title, a publisher, a date.
const MAX_FACT_BYTES: usize = 4_000;
/// Most texts of one output that are kept, in bytes.
const MAX_FACTS_BYTES: usize = 128 * 1024;

/// A stored answer of a connector.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The gate's receipt.
    pub receipt: Receipt,
    /// The connector that fetched it.
    pub connector: ConnectorRef,
    pub bytes: Bytes,
    /// Text that `gtm-page-text`, or `gtm-file-text` for a document's file, extracts from the stored bytes: what
    /// it shows, then what it declares. Empty for a style sheet and for a file that cannot be read.
    pub text: String,
    /// The same text, for finding quotations.
    searched: SearchText,
    /// Literals in that text and in the answer's addresses.
    pub literals: Literals,
    /// What the connector read from the bytes.
    pub facts: Reported,
}

/// Texts in a connector's output: titles, publishers and dates that the connector read from the bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reported(Arc<BTreeSet<String>>);

impl Reported {
    /// Reads them from the settled output of a connector call. What is too long for a title, such as the
    /// page's own text, is left out.
    #[must_use]
    pub fn of(output: &Value) -> Self {
        let mut texts = BTreeSet::new();
        let mut room = MAX_FACTS_BYTES;
        shallow_texts(output, &mut texts, &mut room);
        Self(Arc::new(texts))
    }
    /// Whether one of the texts is this one.
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        self.0.contains(text)
    }
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// Why stored bytes cannot serve as evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// There was no answer, or the answer was not successful.
    #[error("the exchange brought no successful answer")]
    NoAnswer,
    /// The bytes are not those that the receipt was written for.
    #[error("the stored bytes do not have the receipt's digest")]
    Digest,
}

impl Stored {
    /// Checks the digest of stored bytes and extracts their text.
    ///
    /// `facts` are those of the connector call that made the exchange, and `room` is how much text the
    /// library still takes ([`Library::room`]). Bytes and text beyond a bound are not read, so nothing in
    /// them supports a claim.
    ///
    /// # Errors
    /// If the exchange failed or the bytes are not those of the receipt.
    pub fn of(
        receipt: Receipt,
        bytes: &Bytes,
        connector: ConnectorRef,
        facts: Reported,
        room: usize,
    ) -> Result<Self, Unusable> {
        if !receipt
            .status
            .is_some_and(|status| (200..300).contains(&status))
        {
            return Err(Unusable::NoAnswer);
        }
        if receipt.response_digest != Some(Digest::of(bytes)) {
            return Err(Unusable::Digest);
        }
        // The numbers in a style sheet say nothing about the company.
        let mut text = if is_style_sheet(&receipt, bytes) {
            String::new()
        } else {
            text_of(receipt.content_type.as_deref(), bytes)
        };
        cut(&mut text, room.min(MAX_ANSWER_TEXT));
        let literals =
            Literals::of_all([&text, &receipt.url, &receipt.final_url].map(String::as_str));
        Ok(Self {
            receipt,
            connector,
            bytes: bytes.clone(),
            searched: SearchText::of(&text),
            text,
            literals,
            facts,
        })
    }

    /// The bytes that are read: all of them, except of an answer that is too large.
    #[must_use]
    pub fn readable(&self) -> &[u8] {
        readable(&self.bytes)
    }

    /// Code points `[start, end)` of a quotation in the text.
    #[must_use]
    pub fn find(&self, excerpt: &str) -> Option<(usize, usize)> {
        self.searched.find(excerpt)
    }

    /// Whether it is a style sheet, which has no text for readers.
    #[must_use]
    pub fn is_style_sheet(&self) -> bool {
        is_style_sheet(&self.receipt, &self.bytes)
    }

    /// Digest of the stored bytes.
    #[must_use]
    pub fn digest(&self) -> Option<Digest> {
        self.receipt.response_digest
    }
}

fn readable(bytes: &[u8]) -> &[u8] {
    bytes.get(..MAX_READ_BYTES).unwrap_or(bytes)
}

pub(crate) fn text_of(content_type: Option<&str>, bytes: &[u8]) -> String {
    match gtm_file_text::read(content_type, bytes) {
        // A part of a file cannot be read, so it has a bound of its own.
        Some(file) => file.map_or_else(
            |_| String::new(),
            |file| file.into_page_text().evidence_text(),
        ),
        None => gtm_page_text::extract(content_type, readable(bytes)).evidence_text(),
    }
}

fn cut(text: &mut String, most: usize) {
    if text.len() > most {
        text.truncate(text.floor_char_boundary(most));
        text.shrink_to_fit();
    }
}

/// Whether an answer is a style sheet: by its content type, or as plain text under a name that says so.
fn is_style_sheet(receipt: &Receipt, bytes: &[u8]) -> bool {
    let declared = receipt.content_type.as_deref();
    let essence = declared.unwrap_or_default().split(';').next();
    let by_name = || Url::parse(&receipt.final_url).is_ok_and(|url| url.path().ends_with(".css"));
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("text/css"))
        || by_name() && classify(declared, bytes) == Media::Text
}

/// The texts of an output's top-level members and, for lists of results, of their members. That is enough for
/// titles and dates without repeating the page's whole text.
fn shallow_texts(output: &Value, texts: &mut BTreeSet<String>, room: &mut usize) {
    let Value::Object(members) = output else {
        return;
    };
    for (key, member) in members {
        match member {
            Value::String(text) if text.len() <= MAX_FACT_BYTES.min(*room) => {
                *room -= text.len();
                texts.insert(gtm_page_text::normalize(text));
            }
            Value::Array(items) if key == "results" => {
                items
                    .iter()
                    .for_each(|item| shallow_texts(item, texts, room));
            }
            _ => {}
        }
    }
}

/// All stored answers that the draft names and the job really has.
#[derive(Debug, Clone, Default)]
pub struct Library {
    stored: BTreeMap<ReceiptId, Stored>,
}

impl Library {
    pub fn insert(&mut self, stored: Stored) {
        self.stored.insert(stored.receipt.id, stored);
    }
    /// How much more text it takes, in bytes.
    #[must_use]
    pub fn room(&self) -> usize {
        let taken: usize = self.iter().map(|stored| stored.text.len()).sum();
        MAX_JOB_TEXT.saturating_sub(taken)
    }
    /// The stored answer for a receipt id as written in a draft.
    #[must_use]
    pub fn find(&self, receipt_id: &str) -> Option<&Stored> {
        receipt_id.parse().ok().and_then(|id| self.stored.get(&id))
    }
    pub fn iter(&self) -> impl Iterator<Item = &Stored> {
        self.stored.values()
    }
}
