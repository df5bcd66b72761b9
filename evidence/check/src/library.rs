//! The stored answers that a job's claims may cite, with their text.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use gtm_domain::evidence::ConnectorRef;
use gtm_domain::receipt::Receipt;
use gtm_domain::{Digest, ReceiptId};
use gtm_page_text::{Media, classify};
use serde_json::Value;
use url::Url;

use super::literals::Literals;

/// A stored answer of a connector.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The gate's receipt.
    pub receipt: Receipt,
    /// The connector that fetched it.
    pub connector: ConnectorRef,
    pub bytes: Bytes,
    /// Text that `gtm-page-text` extracts from the stored bytes: what the page shows, then what it declares.
    /// Empty for a style sheet.
    pub text: String,
    /// Literals in that text and in the answer's addresses.
    pub literals: Literals,
    /// Texts in the connector's output for this exchange: titles, publishers and dates that the connector
    /// read from the bytes.
    pub facts: BTreeSet<String>,
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
    /// `output` is the settled output of the connector call that made the exchange.
    ///
    /// # Errors
    /// If the exchange failed or the bytes are not those of the receipt.
    pub fn of(
        receipt: Receipt,
        bytes: &Bytes,
        connector: ConnectorRef,
        output: &Value,
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
        let text = if is_style_sheet(&receipt, bytes) {
            String::new()
        } else {
            gtm_page_text::extract(receipt.content_type.as_deref(), bytes).evidence_text()
        };
        let mut literals = Literals::of(&text);
        literals.add(&receipt.url);
        literals.add(&receipt.final_url);
        let mut facts = BTreeSet::new();
        shallow_texts(output, &mut facts);
        Ok(Self {
            receipt,
            connector,
            bytes: bytes.clone(),
            text,
            literals,
            facts,
        })
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
fn shallow_texts(output: &Value, facts: &mut BTreeSet<String>) {
    let Value::Object(members) = output else {
        return;
    };
    for (key, member) in members {
        match member {
            Value::String(text) => {
                facts.insert(gtm_page_text::normalize(text));
            }
            Value::Array(items) if key == "results" => {
                items.iter().for_each(|item| shallow_texts(item, facts))
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
    /// The stored answer for a receipt id as written in a draft.
    #[must_use]
    pub fn find(&self, receipt_id: &str) -> Option<&Stored> {
        receipt_id.parse().ok().and_then(|id| self.stored.get(&id))
    }
    pub fn iter(&self) -> impl Iterator<Item = &Stored> {
        self.stored.values()
    }
}
