//! Which entries of the audit log to read.

use gtm_domain::{OrganizationId, Timestamp};

/// Which entries to read in the order of the chains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AuditRange {
    /// Only this organization's chain.
    pub organization: Option<OrganizationId>,
    /// Only entries from this instant on.
    pub since: Option<Timestamp>,
    /// Only entries before this instant.
    pub until: Option<Timestamp>,
}

/// Where a reading of the chains goes on: after this entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditPlace {
    /// The chain; empty before the first one.
    pub chain: String,
    /// The entry's place in it; 0 before the first one.
    pub seq: u64,
}

/// Which of the newest entries to show.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// Only this organization's.
    pub organization: Option<OrganizationId>,
    /// Only those on the resource with this id, or on resources of this kind.
    pub resource: Option<String>,
    /// Only this action.
    pub action: Option<String>,
    /// At most this many.
    pub limit: u32,
}
