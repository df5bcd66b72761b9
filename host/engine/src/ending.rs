//! How a run of a job ends. The run itself decides what is written.

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
    /// It has not ended: it is handed back, and whichever worker claims it resumes it.
    HandBack(String),
    /// It cannot go on now, because something is broken on this node. The lease is left to run out, which is the
    /// pause before the next attempt.
    Pause(String),
    /// The lease is lost: another worker may have the job, so nothing is written.
    LeaseLost,
}
