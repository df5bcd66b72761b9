//! Organizations, projects and API keys.

use gtm_domain::capability::ProductCapability;
use gtm_domain::{
    CidrList, KeyRecordId, MicroUsd, OrganizationId, Permissions, ProjectId, Timestamp,
};
use serde::Serialize;

use crate::model::money::BillingMode;

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
    /// How it pays.
    pub billing: BillingMode,
    /// What its jobs were charged since it exists.
    pub paid_total: MicroUsd,
    /// Key of the usage tier that an operator gave it; `None` for the one that it grew into.
    pub tier: Option<String>,
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

/// Whether an organization may use a capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CapabilitySwitch {
    /// The capability.
    pub capability: ProductCapability,
    /// Whether the organization may use it.
    pub enabled: bool,
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
    /// Requests that it may make in 60 seconds, where that is fewer than the usage tier's.
    pub requests_per_minute: Option<u32>,
    /// From where it may be used; from anywhere if there is none.
    pub allowed_cidrs: CidrList,
    /// The key that it replaces.
    pub rotates_from: Option<KeyRecordId>,
}

impl KeyRecord {
    /// Whether it is accepted at `now`, as far as the key itself goes. Its project may be archived.
    #[must_use]
    pub fn status(&self, now: Timestamp) -> KeyStatus {
        if self.revoked_at.is_some() {
            KeyStatus::Revoked
        } else if self.expires_at.is_some_and(|at| at <= now) {
            KeyStatus::Expired
        } else {
            KeyStatus::Active
        }
    }
}

/// What became of an API key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyStatus {
    /// Accepted.
    Active,
    /// Its time is over.
    Expired,
    /// An operator ended it.
    Revoked,
}

impl KeyStatus {
    /// As it is shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
        }
    }
}

/// What a new API key is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyTerms {
    /// Name for people.
    pub name: String,
    /// What it may do.
    pub permissions: Permissions,
    /// When it stops to be accepted; never by itself if `None`.
    pub expires_at: Option<Timestamp>,
    /// Requests that it may make in 60 seconds, where that is fewer than the usage tier's.
    pub requests_per_minute: Option<u32>,
    /// From where it may be used; from anywhere if there is none.
    pub allowed_cidrs: CidrList,
}

/// A key and the one that takes over from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRotation {
    /// The old key, with the end of the overlap as its expiry.
    pub old: KeyRecord,
    /// The new key.
    pub new: KeyRecord,
}
