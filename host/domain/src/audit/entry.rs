//! An entry of the audit log, and the head of a chain.

use serde::{Deserialize, Serialize};

use crate::{AuditEntryId, Digest, OrganizationId, ProjectId, Timestamp};

/// A stored entry. Its hash covers every other field, the previous hash included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditEntry {
    pub id: AuditEntryId,
    /// The organization's id, or `platform`.
    pub chain: String,
    /// Position in the chain, from 1.
    pub seq: u64,
    pub at: Timestamp,
    /// `user`, `key`, `operator` or `system`, and its id.
    pub actor: Party,
    pub action: String,
    /// The resource acted on.
    pub resource: Party,
    /// Organization of the resource.
    pub organization_id: Option<OrganizationId>,
    /// Project of the resource.
    pub project_id: Option<ProjectId>,
    /// Id of the API request.
    pub request_id: Option<String>,
    /// Keyed hash of the caller's address.
    pub ip_hash: Option<String>,
    /// Digest of the resource before the action.
    pub before_hash: Option<Digest>,
    /// Digest of the resource after the action.
    pub after_hash: Option<Digest>,
    /// Hash of the previous entry; for the first entry, hash of the chain's name.
    pub prev_hash: Digest,
    /// SHA-256 of the RFC 8785 form of all fields above (`docs/audit-log.md`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<Digest>,
}

/// A kind and an id, as stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Party {
    #[serde(rename = "type")]
    pub kind: String,
    pub id: String,
}

/// The head of a chain. A copy kept elsewhere reveals later whether the chain was truncated or rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditHead {
    /// The organization's id, or `platform`.
    pub chain: String,
    /// Position of the last entry.
    pub seq: u64,
    /// Hash of the last entry.
    pub hash: Digest,
}
