//! Creates that may be repeated: a request with a known key is answered as it was before, and makes
//! nothing new (specification, Idempotency).

use std::time::Duration;

use bytes::Bytes;

use crate::Digest;

/// How long a replay is answered (specification, Limits).
pub const REPLAY_WINDOW: Duration = Duration::from_secs(24 * 60 * 60);

/// An answer as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResponse {
    /// HTTP status.
    pub status: u16,
    /// Headers that belong to the answer itself, such as `location`. No request ids.
    pub headers: Vec<(String, String)>,
    /// The body's exact bytes.
    pub body: Bytes,
}

/// A claim of an idempotency key (specification, Idempotency).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdempotencyClaim {
    /// From the store's keyed hash: the key itself is not stored.
    pub key_hmac: [u8; 32],
    /// Digest of what makes two requests the same.
    pub fingerprint: Digest,
}

/// What is known of an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KnownRequest {
    /// The same request was answered with this.
    Replay(StoredResponse),
    /// The key belongs to another request.
    Reused,
}

/// What became of a create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Create<T> {
    /// It was created.
    Created(T),
    /// The key was used with the same fingerprint within 24 hours: its answer again, nothing new.
    Replayed(StoredResponse),
    /// The key was used with another fingerprint: 409 `idempotency_key_reused`.
    KeyReused,
    /// Another request holds the key right now: 409 `idempotency_in_progress`.
    InProgress,
}

impl<T> Create<T> {
    /// The answer to a request whose key is known already.
    #[must_use]
    pub fn known(known: KnownRequest) -> Self {
        match known {
            KnownRequest::Replay(response) => Self::Replayed(response),
            KnownRequest::Reused => Self::KeyReused,
        }
    }
}
