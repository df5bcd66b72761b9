//! Organizations, projects and API keys.

use gtm_domain::{KeyRecordId, OrganizationId, Permissions, ProjectId, Timestamp};
use serde::Serialize;

/// An organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OrganizationRow {
    /// Identifier.
    pub id: OrganizationId,
    /// Name for people.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was archived; its projects' keys are refused since.
    pub archived_at: Option<Timestamp>,
}

/// A project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProjectRow {
    /// Identifier.
    pub id: ProjectId,
    /// Its organization.
    pub organization: OrganizationId,
    /// Name for people.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was archived; its keys are refused since.
    pub archived_at: Option<Timestamp>,
}

/// An API key without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeyRecord {
    /// Identifier of the record.
    pub id: KeyRecordId,
    /// The public part of the key's text.
    pub public_id: String,
    /// Last four characters of the secret, to recognize it by.
    pub last4: String,
    /// The project that it acts for.
    pub project: ProjectId,
    /// Name for people.
    pub name: String,
    /// What it may do.
    pub permissions: Permissions,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it stops to be accepted.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, to about a minute.
    pub last_used_at: Option<Timestamp>,
}
