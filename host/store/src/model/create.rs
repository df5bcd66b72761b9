//! What becomes of a create that makes no job (jobs have [`super::job::CreateJob`]).

use super::job::StoredResponse;

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
