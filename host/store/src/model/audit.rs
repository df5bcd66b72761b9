//! The audit log (annex A15): who did what to which resource. No bodies and no secrets, only hashes.

use std::fmt;

use gtm_domain::{AuditEntryId, Digest, OrganizationId, ProjectId, Timestamp, canonical_digest};
use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::model::audit_action::AuditAction;

/// Who acted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditActor {
    /// `user`, `key`, `operator` or `system`.
    pub kind: &'static str,
    /// The key's record id, the operator's name, the part of the system.
    pub id: String,
}

impl AuditActor {
    /// The part of the system that acts by itself, such as `retention`.
    pub(crate) fn system(part: &str) -> Self {
        Self {
            kind: "system",
            id: part.to_owned(),
        }
    }
}

/// What was acted on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditResource {
    /// Such as `api_key` or `job`.
    pub kind: &'static str,
    /// Its id.
    pub id: String,
}

/// An action to be recorded, in the transaction that performs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    /// Who.
    pub actor: AuditActor,
    /// What was done.
    pub action: AuditAction,
    /// What.
    pub resource: AuditResource,
    /// Whose organization; with none, the entry belongs to the platform's own chain.
    pub organization: Option<OrganizationId>,
    /// Whose project.
    pub project: Option<ProjectId>,
    /// Id of the API request that caused it.
    pub request_id: Option<String>,
    /// Keyed hash of the caller's address.
    pub ip_hash: Option<String>,
    /// Digest of the resource's canonical JSON before.
    pub before: Option<Digest>,
    /// Digest of the resource's canonical JSON after.
    pub after: Option<Digest>,
}

impl AuditEvent {
    /// An action; what sort of resource it was done to is the word before the action's dot.
    pub(crate) fn new(
        actor: &AuditActor,
        action: AuditAction,
        resource: impl fmt::Display,
        organization: Option<OrganizationId>,
        project: Option<ProjectId>,
    ) -> Self {
        Self {
            actor: actor.clone(),
            action,
            resource: AuditResource {
                kind: action.resource(),
                id: resource.to_string(),
            },
            organization,
            project,
            request_id: None,
            ip_hash: None,
            before: None,
            after: None,
        }
    }

    /// The same with the resource as it was; it must hold no secret.
    pub(crate) fn before<T: Serialize>(self, resource: &T) -> Result<Self, StoreError> {
        let before = Some(digest(resource)?);
        Ok(Self { before, ..self })
    }

    /// The same with the resource as it is now; it must hold no secret.
    pub(crate) fn after<T: Serialize>(self, resource: &T) -> Result<Self, StoreError> {
        let after = Some(digest(resource)?);
        Ok(Self { after, ..self })
    }
}

fn digest<T: Serialize>(resource: &T) -> Result<Digest, StoreError> {
    canonical_digest(resource).map_err(|e| StoreError::Corrupt(format!("audited resource: {e}")))
}

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

/// A place where a chain does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditBreach {
    /// The chain.
    pub chain: String,
    /// The first place that is wrong.
    pub seq: u64,
    /// What is wrong there.
    pub fault: String,
}

impl fmt::Display for AuditBreach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} #{}: {}", self.chain, self.seq, self.fault)
    }
}

/// What a check of the whole log found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AuditReport {
    /// Chains that were walked.
    pub chains: u64,
    /// Entries that hold.
    pub entries: u64,
    /// Chains that do not hold.
    pub broken_chains: u64,
    /// The first breach of each of them; of the first hundred, if there are more.
    pub breaches: Vec<AuditBreach>,
}

impl AuditReport {
    /// Whether every chain holds.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        self.broken_chains == 0
    }

    pub(crate) fn note(&mut self, breach: AuditBreach) {
        self.broken_chains += 1;
        if self.breaches.len() < 100 {
            self.breaches.push(breach);
        }
    }
}
