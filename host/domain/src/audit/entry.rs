//! An entry of the log, and the place where its chain ends.

use serde::{Deserialize, Serialize};

use crate::{AuditEntryId, Digest, OrganizationId, ProjectId, Timestamp};

/// An entry as it stands in the log. Its hash covers every other field, the previous hash included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditEntry {
    /// Identifier.
    pub id: AuditEntryId,
    /// The organization's id, or `platform`.
    pub chain: String,
    /// Place in the chain, from 1.
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// `user`, `key`, `operator` or `system`, and which one.
    pub actor: Party,
    /// What was done.
    pub action: String,
    /// To what.
    pub resource: Party,
    /// Whose organization.
    pub organization_id: Option<OrganizationId>,
    /// Whose project.
    pub project_id: Option<ProjectId>,
    /// The API request.
    pub request_id: Option<String>,
    /// Keyed hash of the caller's address.
    pub ip_hash: Option<String>,
    /// The resource before.
    pub before_hash: Option<Digest>,
    /// The resource after.
    pub after_hash: Option<Digest>,
    /// Hash of the entry before, or of the chain's name for the first one.
    pub prev_hash: Digest,
    /// SHA-256 of the RFC 8785 form of all fields above (`docs/audit-log.md`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<Digest>,
}

/// A kind and an id, as they were stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Party {
    /// What sort.
    #[serde(rename = "type")]
    pub kind: String,
    /// Which one.
    pub id: String,
}

/// Where a chain ends. Kept elsewhere, it shows later whether the chain was cut or rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditHead {
    /// The organization's id, or `platform`.
    pub chain: String,
    /// Place of the last entry.
    pub seq: u64,
    /// Its hash.
    pub hash: Digest,
}
