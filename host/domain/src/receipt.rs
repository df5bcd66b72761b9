//! Receipts: what the egress gate records of each HTTP exchange (architecture §10, annex A18).

use serde::{Deserialize, Serialize};

use crate::{Digest, ReceiptId, Timestamp};

/// One HTTP exchange through the egress gate. Holds digests and counters; no secret, no query string, no
/// request body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The id that plug-ins and results cite.
    pub id: ReceiptId,
    /// HTTP method in upper case.
    pub method: String,
    /// URL as requested. The gate injects a secret into a query parameter only after recording it.
    pub url: String,
    /// URL that answered, after redirects.
    pub final_url: String,
    /// Host that answered.
    pub host: String,
    /// Port that answered.
    pub port: u16,
    /// Status of the answer; `None` without an answer.
    pub status: Option<u16>,
    /// Media type of the answer, as the server declared it.
    pub content_type: Option<String>,
    /// Size of the request body.
    pub request_bytes: u64,
    /// Size of the response body after content decoding, as kept.
    pub response_bytes: u64,
    /// Digest of exactly those bytes; `None` without an answer.
    pub response_digest: Option<Digest>,
    /// When the exchange ended.
    pub at: Timestamp,
    /// Wall-clock time of the exchange in milliseconds, retries included.
    pub duration_ms: u64,
    /// Attempts on the wire, including retries and redirects.
    pub attempts: u32,
    /// `allowed`, or the code of the refusal.
    pub decision: String,
    /// Ids of the credential schemes applied.
    pub credentials: Vec<String>,
}

/// The decision of an exchange that the gate let through.
pub const ALLOWED: &str = "allowed";

impl Receipt {
    /// Whether the gate let the exchange through, from the first request to the last redirect.
    #[must_use]
    pub fn was_allowed(&self) -> bool {
        self.decision == ALLOWED
    }

    /// Whether the server's answer says that it did what was asked (2xx).
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.status
            .is_some_and(|status| (200..300).contains(&status))
    }
}
