//! What a worker asks for when it claims jobs.

use std::time::Duration;

use gtm_domain::WorkerId;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim {
    pub(crate) worker: WorkerId,
    pub(crate) max: usize,
    pub(crate) per_project_running: usize,
    pub(crate) lease: Duration,
}
