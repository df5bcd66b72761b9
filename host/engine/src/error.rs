//! Faults of the engine itself. What a job ends with is a `JobError`, not one of these.

use gtm_store::StoreError;

/// Why the engine could not do what it was asked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EngineError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A value that was stored or computed has not the shape that this version writes.
    #[error("{what}: {problem}")]
    Shape {
        /// What it is.
        what: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// A job cannot be replayed; the sentence says why.
    #[error("the job cannot be replayed: {0}")]
    NotReplayable(String),
}

impl EngineError {
    /// A value of the wrong shape.
    pub(crate) fn shape(what: &'static str, problem: impl std::fmt::Display) -> Self {
        Self::Shape {
            what,
            problem: problem.to_string(),
        }
    }
}
