//! What becomes of a create, whatever it makes.

use super::job::{KnownRequest, StoredResponse};

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
    pub(crate) fn known(known: KnownRequest) -> Self {
        match known {
            KnownRequest::Replay(response) => Self::Replayed(response),
            KnownRequest::Reused => Self::KeyReused,
        }
    }
}
