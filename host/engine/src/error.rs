//! Internal failures of the engine. A job's own failure is a `JobError`, not one of these.

use gtm_store::StoreError;

/// Why the engine could not do what it was asked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EngineError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A stored or computed value does not have the shape that this version writes.
    #[error("{what}: {problem}")]
    Shape {
        /// Which value it is.
        what: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The job cannot be replayed; the sentence says why.
    #[error("the job cannot be replayed: {0}")]
    NotReplayable(String),
}

impl EngineError {
    /// The error for a value of the wrong shape.
    pub(crate) fn shape(what: &'static str, problem: impl std::fmt::Display) -> Self {
        Self::Shape {
            what,
            problem: problem.to_string(),
        }
    }
}
