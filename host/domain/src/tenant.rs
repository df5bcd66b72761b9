//! Organizations and projects.

use serde::Serialize;

use crate::Capability;
use crate::money::BillingMode;
use crate::{MicroUsd, OrganizationId, ProjectId, Timestamp};

/// An organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Organization {
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
pub struct Project {
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
    pub capability: Capability,
    /// Whether the organization may use it.
    pub enabled: bool,
}

/// Nothing is made any more for what is archived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Archived {
    /// An organization, with all its projects.
    #[error("organization {0} is archived")]
    Organization(OrganizationId),
    /// A project.
    #[error("project {0} is archived")]
    Project(ProjectId),
}

impl Organization {
    /// Whether projects may be made in it.
    ///
    /// # Errors
    /// If it is archived.
    pub const fn active(&self) -> Result<(), Archived> {
        match self.archived_at {
            None => Ok(()),
            Some(_) => Err(Archived::Organization(self.id)),
        }
    }
}

impl Project {
    /// Whether it may be given things.
    ///
    /// # Errors
    /// If it is archived.
    pub const fn active(&self) -> Result<(), Archived> {
        match self.archived_at {
            None => Ok(()),
            Some(_) => Err(Archived::Project(self.id)),
        }
    }
}
