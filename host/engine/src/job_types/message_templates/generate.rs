//! The operation that generates a revision with a backend. No writer is planned for it yet, so each such job ends like
//! one whose capability has no backend.

use gtm_domain::{JobType, Usage};
use serde_json::Value;

use super::super::JobRun;
use crate::ending::Ending;
use crate::job_error;
use crate::plan::Plan;

/// What such a job needs.
pub fn plan(_input: &Value) -> Plan {
    Plan::default()
}

/// Runs such a job.
pub async fn run(_run: JobRun) -> (Ending, Usage) {
    let error = job_error::backend_not_configured(JobType::MessageTemplates.as_str());
    (Ending::Failed(error), Usage::default())
}
