//! Whose limit a `gtm budget` or `gtm quota` command refers to.

use clap::{ArgGroup, Args};
use gtm_domain::money::LimitOwner;
use gtm_domain::{KeyRecordId, OrganizationId, ProjectId};

/// Exactly one of project, key and organization.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("whose").required(true).args(["project", "key", "org"]))]
pub struct LimitScopeArgs {
    /// Limit of this project
    #[arg(long, value_name = "PRJ")]
    project: Option<ProjectId>,
    /// Limit of this API key
    #[arg(long, value_name = "KEY")]
    key: Option<KeyRecordId>,
    /// Limit of this organization
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
}

impl LimitScopeArgs {
    /// The owner; `None` only if the grammar allowed none.
    #[must_use]
    pub fn owner(&self) -> Option<LimitOwner> {
        let project = self.project.map(LimitOwner::Project);
        let key = self.key.map(LimitOwner::Key);
        let organization = self.org.map(LimitOwner::Organization);
        project.or(key).or(organization)
    }
}
