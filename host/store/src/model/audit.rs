//! Which entries of the audit log to read.

use gtm_domain::{OrganizationId, Timestamp};

/// Which entries to read, in chain order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AuditRange {
    /// Only this organization's chain.
    pub organization: Option<OrganizationId>,
    /// Only entries from this instant on.
    pub since: Option<Timestamp>,
    /// Only entries before this instant.
    pub until: Option<Timestamp>,
}

/// Where reading of the chains continues: after this entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditPlace {
    /// The chain; empty before the first chain.
    pub chain: String,
    /// The entry's position in the chain; 0 before the first entry.
    pub seq: u64,
}

/// Which of the newest entries to show.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// Only entries of this organization.
    pub organization: Option<OrganizationId>,
    /// Only entries about the resource with this id, or about resources of this kind.
    pub resource: Option<String>,
    /// Only entries with this action.
    pub action: Option<String>,
    /// At most this many.
    pub limit: u32,
}
