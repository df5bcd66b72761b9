//! Organizations and projects.

use serde::Serialize;

use crate::Capability;
use crate::message::compliance::Environment;
use crate::money::BillingMode;
use crate::{MicroUsd, OrganizationId, ProjectId, Timestamp};

/// An organization: the tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Organization {
    pub id: OrganizationId,
    pub name: String,
    pub created_at: Timestamp,
    /// When it was archived; the keys of its projects are refused from then on.
    pub archived_at: Option<Timestamp>,
    /// How it pays.
    pub billing: BillingMode,
    /// Total charged for its jobs so far.
    pub paid_total: MicroUsd,
    /// Key of the usage tier assigned by an operator; `None` for the tier that it has grown into.
    pub tier: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Project {
    pub id: ProjectId,
    pub organization: OrganizationId,
    pub name: String,
    /// What its messages are for; set when it was made, for good.
    pub environment: Environment,
    pub created_at: Timestamp,
    /// When it was archived; its keys are refused from then on.
    pub archived_at: Option<Timestamp>,
}

/// Whether an organization may use a capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CapabilitySwitch {
    pub capability: Capability,
    /// Whether the organization may use it.
    pub enabled: bool,
}

/// Nothing can be created in what is archived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Archived {
    /// An organization, with all its projects.
    #[error("organization {0} is archived")]
    Organization(OrganizationId),
    #[error("project {0} is archived")]
    Project(ProjectId),
}

impl Organization {
    /// Whether projects may be created in it.
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
    /// Whether anything may be created in it.
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
