//! Which of the calls marked for reconciliation to list.

use gtm_domain::{ConnectionId, JobId, OrganizationId};

/// Which of the calls marked for reconciliation to list, oldest job first.
#[derive(Debug, Clone, Default)]
pub struct MarkedCallFilter {
    /// Only calls of jobs of this organization.
    pub organization: Option<OrganizationId>,
    /// Only calls of this job.
    pub job: Option<JobId>,
    /// Only calls that this connection served.
    pub connection: Option<ConnectionId>,
    /// Include settled calls.
    pub settled: bool,
    /// At most this many.
    pub limit: u32,
}
