//! Idempotent creates: a repeated request under a known key gets the earlier answer and creates nothing
//! (specification, Idempotency).

use std::time::Duration;

use bytes::Bytes;

use crate::Digest;

/// How long an answer can be replayed (specification, Limits).
pub const REPLAY_WINDOW: Duration = Duration::from_secs(24 * 60 * 60);

/// An answer as it was given, in the form of whoever gave it. It is stored and given again, and never read
/// here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswer {
    /// What the answer says besides its body, as text.
    pub head: String,
    /// The body's exact bytes.
    pub body: Bytes,
}

impl StoredAnswer {
    /// The answer of a job that nobody asked for over the API.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            head: String::new(),
            body: Bytes::new(),
        }
    }
}

/// A claim of an idempotency key (specification, Idempotency).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdempotencyClaim {
    /// The store's keyed hash of the key; the key itself is not stored.
    pub key_hmac: [u8; 32],
    /// Digest that is equal for equal requests.
    pub fingerprint: Digest,
}

/// What the store knows about an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KnownRequest {
    /// The same request was answered before; this is the answer.
    Replay(StoredAnswer),
    /// The key belongs to another request.
    Reused,
}

/// Outcome of an idempotent create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Create<T> {
    /// It was created.
    Created(T),
    /// The key was used with the same fingerprint within 24 hours: replay its answer, create nothing.
    Replayed(StoredAnswer),
    /// The key was used with another fingerprint: `idempotency_key_reused`.
    KeyReused,
    /// Another request is using the key right now: `idempotency_in_progress`.
    InProgress,
}

impl<T> Create<T> {
    /// The answer to a request whose key is already known.
    #[must_use]
    pub fn known(known: KnownRequest) -> Self {
        match known {
            KnownRequest::Replay(response) => Self::Replayed(response),
            KnownRequest::Reused => Self::KeyReused,
        }
    }
}
