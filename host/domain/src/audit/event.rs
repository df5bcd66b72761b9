//! An action that the audit log records.

use std::fmt;

use serde::Serialize;

use super::action::AuditAction;
use crate::canonical::NotCanonical;
use crate::{Digest, OrganizationId, ProjectId, canonical_digest};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditActor {
    /// `user`, `key`, `operator` or `system`.
    pub kind: &'static str,
    /// The key's record id, the operator's name, or the part of the system.
    pub id: String,
}

impl AuditActor {
    /// A part of the system that acts on its own, such as `retention`.
    #[must_use]
    pub fn system(part: &str) -> Self {
        Self {
            kind: "system",
            id: part.to_owned(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditResource {
    /// Such as `api_key` or `job`.
    pub kind: &'static str,
    pub id: String,
}

/// An action to be recorded in the transaction that performs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    pub actor: AuditActor,
    pub action: AuditAction,
    pub resource: AuditResource,
    /// Organization of the resource; `None` puts the entry on the platform's own chain.
    pub organization: Option<OrganizationId>,
    /// Project of the resource.
    pub project: Option<ProjectId>,
    /// Id of the API request that caused the action.
    pub request_id: Option<String>,
    /// Keyed hash of the caller's address.
    pub ip_hash: Option<String>,
    /// Digest of the resource's canonical JSON before the action.
    pub before: Option<Digest>,
    /// Digest of the resource's canonical JSON after the action.
    pub after: Option<Digest>,
}

impl AuditEvent {
    /// An event for an action; the resource's kind is the word before the dot in the action's name.
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

    /// Adds the digest of the resource before the action. DANGER: the resource must hold no secret.
    ///
    /// # Errors
    /// If the resource has no canonical form.
    pub fn before<T: Serialize>(self, resource: &T) -> Result<Self, NotCanonical> {
        let before = Some(digest(resource)?);
        Ok(Self { before, ..self })
    }

    /// Adds the digest of the resource after the action. DANGER: the resource must hold no secret.
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
