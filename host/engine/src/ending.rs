//! How a run of a job ends. What is written for it is decided by the run.

use gtm_domain::job::{JobError, Product};
use serde_json::Value;

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// With a result.
    Succeeded {
        /// The public result.
        result: Value,
        /// What is stored with the result.
        product: Product,
    },
    /// With an error.
    Failed(JobError),
    Canceled,
    /// The job has not ended: it is handed back, and the worker that claims it next resumes it.
    HandBack(String),
    /// The job cannot go on now, because something is broken on this node. Its lease is left to expire,
    /// which is the pause before the next attempt.
    Pause(String),
    /// The lease is lost. DANGER: another worker may have the job, so write nothing.
    LeaseLost,
}
