//! How a run of a job ends. What is written of it is the run's affair.

use gtm_domain::job::{JobError, Product};
use serde_json::Value;

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// With a result.
    Succeeded {
        /// The public result.
        result: Value,
        /// What is stored with it.
        product: Product,
    },
    /// With an error.
    Failed(JobError),
    /// Canceled.
    Canceled,
    /// Not at all: it goes back and is resumed by whoever claims it.
    HandBack(String),
    /// Not now: something is broken here. The lease is left to run out, which is the pause before
    /// the next attempt.
    Pause(String),
    /// The lease is lost: somebody else has the job, nothing is written.
    LeaseLost,
}
