//! Receipts: what the egress gate writes down of each HTTP exchange (architecture §10, annex A18).

use serde::{Deserialize, Serialize};

use crate::{Digest, ReceiptId, Timestamp};

/// One HTTP exchange through the egress gate. Holds digests and counters; no secret, no query
/// string, no request body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// Identifier that plug-ins and results cite.
    pub id: ReceiptId,
    /// Upper-case method.
    pub method: String,
    /// URL that was asked for. A secret in a query parameter is injected after this was written.
    pub url: String,
    /// URL that answered, after redirects.
    pub final_url: String,
    /// Host that answered.
    pub host: String,
    /// Port that answered.
    pub port: u16,
    /// Status of the answer; absent if there was none.
    pub status: Option<u16>,
    /// Media type of the answer as the server declared it.
    pub content_type: Option<String>,
    /// Bytes of the request's body.
    pub request_bytes: u64,
    /// Bytes of the answer's body after content decoding, as kept.
    pub response_bytes: u64,
    /// Digest of exactly those bytes; absent if there was no answer.
    pub response_digest: Option<Digest>,
    /// When the exchange ended.
    pub at: Timestamp,
    /// Wall-clock time of the exchange in milliseconds, retries included.
    pub duration_ms: u64,
    /// Attempts on the wire, retries and redirects included.
    pub attempts: u32,
    /// `allowed`, or the code of the refusal.
    pub decision: String,
    /// Ids of the credential schemes that were applied.
    pub credentials: Vec<String>,
}
