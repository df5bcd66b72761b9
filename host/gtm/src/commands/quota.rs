//! `gtm quota …`: how many jobs a project, a key or an organization may create in a UTC month.

use clap::Subcommand;
use gtm_domain::OrganizationId;
use gtm_store::LimitMetric;

use super::limit::{LimitCommand, LimitKind};
use super::limit_scope::LimitScopeArgs;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::Output;

/// Commands on quotas.
#[derive(Debug, Subcommand)]
pub enum Quota {
    /// Set how many jobs may be created in a UTC month, replacing what was set
    Set {
        /// Whose.
        #[command(flatten)]
        scope: LimitScopeArgs,
        /// Jobs a month
        #[arg(value_name = "JOBS")]
        limit: u32,
    },
    /// Remove one
    Clear {
        /// Whose.
        #[command(flatten)]
        scope: LimitScopeArgs,
    },
    /// List all, or those of one organization with its projects and keys
    List {
        /// Only this organization's
        #[arg(long, value_name = "ORG")]
        org: Option<OrganizationId>,
    },
}

const KIND: LimitKind = LimitKind {
    noun: "quota",
    metric: LimitMetric::MonthlyJobs,
    heading: "JOBS",
    label: "jobs",
    member: "jobs_per_month",
    value: |jobs| jobs.into(),
    shown: |jobs| jobs.to_string(),
};

/// Run one.
///
/// # Errors
/// If the scope does not exist, or the store refuses.
pub async fn run(
    command: Quota,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let command = match command {
        Quota::Set { scope, limit } => LimitCommand::Set(scope, i64::from(limit)),
        Quota::Clear { scope } => LimitCommand::Clear(scope),
        Quota::List { org } => LimitCommand::List(org),
    };
    KIND.run(command, installation, output).await
}
