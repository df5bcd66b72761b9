//! `gtm quota …`: how many jobs a project, a key or an organization may create in a UTC month.

use clap::Subcommand;
use gtm_domain::OrganizationId;
use gtm_domain::money::LimitMetric;
use serde_json::json;

use super::limit::{LimitCommand, LimitKind};
use super::limit_scope::LimitScopeArgs;
use super::whole_number::whole_number;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::Output;

/// Commands on quotas.
#[derive(Debug, Subcommand)]
pub enum Quota {
    /// Set how many jobs may be created in a UTC month, replacing any earlier quota
    ///
    /// A create call over the quota gets 429 quota_exceeded until the next UTC month. Without a quota the
    /// number of jobs is unlimited.
    #[command(after_help = "Example:\n  gtm quota set --project PRJ 500")]
    Set {
        /// Whose.
        #[command(flatten)]
        scope: LimitScopeArgs,
        /// Jobs a month, from 0 (none) to 4294967295
        #[arg(value_name = "JOBS", allow_negative_numbers = true, value_parser = whole_number(0..=u32::MAX, 500))]
        limit: u32,
    },
    /// Remove a quota
    #[command(after_help = "Example:\n  gtm quota clear --project PRJ")]
    Clear {
        /// Whose.
        #[command(flatten)]
        scope: LimitScopeArgs,
    },
    /// List all quotas, or those of one organization with its projects and keys
    #[command(after_help = "Example:\n  gtm quota list --org ORG")]
    List {
        /// Show only quotas of this organization and its projects and keys
        #[arg(long, value_name = "ORG")]
        org: Option<OrganizationId>,
    },
}

const KIND: LimitKind = LimitKind {
    noun: "quota",
    metric: LimitMetric::MonthlyJobs,
    heading: "JOBS",
    label: "jobs a month",
    value: |jobs| json!({ "metric": "jobs_per_month", "limit": jobs }),
    shown: |jobs| jobs.to_string(),
};

/// Runs a command.
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
