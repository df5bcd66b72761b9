//! An action that the log is to record.

use std::fmt;

use serde::Serialize;

use super::action::AuditAction;
use crate::canonical::NotCanonical;
use crate::{Digest, OrganizationId, ProjectId, canonical_digest};

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
    #[must_use]
    pub fn system(part: &str) -> Self {
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
    #[must_use]
    pub fn new(
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
    ///
    /// # Errors
    /// If the resource has no canonical form.
    pub fn before<T: Serialize>(self, resource: &T) -> Result<Self, NotCanonical> {
        let before = Some(digest(resource)?);
        Ok(Self { before, ..self })
    }

    /// The same with the resource as it is now; it must hold no secret.
    ///
    /// # Errors
    /// If the resource has no canonical form.
    pub fn after<T: Serialize>(self, resource: &T) -> Result<Self, NotCanonical> {
        let after = Some(digest(resource)?);
        Ok(Self { after, ..self })
    }
}

fn digest<T: Serialize>(resource: &T) -> Result<Digest, NotCanonical> {
    canonical_digest(resource).map_err(|e| NotCanonical::new("audited resource", &e))
}
