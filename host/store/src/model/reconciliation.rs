//! Which marked calls to list.

use gtm_domain::{ConnectionId, JobId, OrganizationId};

/// Which of the marked calls to list, oldest job first.
#[derive(Debug, Clone, Default)]
pub struct MarkedCallFilter {
    /// Only of jobs of this organization.
    pub organization: Option<OrganizationId>,
    /// Only of this job.
    pub job: Option<JobId>,
    /// Only those that this connection served.
    pub connection: Option<ConnectionId>,
    /// Those that are settled too.
    pub settled: bool,
    /// At most this many.
    pub limit: u32,
}
