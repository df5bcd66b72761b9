//! `gtm budget …`: what a project's, a key's or an organization's jobs may cost in a UTC month.

use clap::Subcommand;
use gtm_domain::{MicroUsd, OrganizationId};
use gtm_store::LimitMetric;

use super::limit::{LimitCommand, LimitKind};
use super::limit_scope::LimitScopeArgs;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::Output;

/// Commands on budgets.
#[derive(Debug, Subcommand)]
pub enum Budget {
    /// Set what jobs may cost in a UTC month, replacing what was set
    Set {
        /// Whose.
        #[command(flatten)]
        scope: LimitScopeArgs,
        /// Dollars a month, with at most six decimals; 0 allows nothing that costs
        #[arg(value_name = "USD", allow_negative_numbers = true)]
        limit: MicroUsd,
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
    noun: "budget",
    metric: LimitMetric::MonthlyBudget,
    heading: "MONTHLY",
    label: "monthly",
    member: "monthly_budget_usd",
    value: |micros| MicroUsd::from_micros(micros).usd().into(),
    shown: |micros| MicroUsd::from_micros(micros).to_string(),
};

/// Run one.
///
/// # Errors
/// If the scope does not exist, or the store refuses.
pub async fn run(
    command: Budget,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let command = match command {
        Budget::Set { scope, limit } => LimitCommand::Set(scope, limit.micros()),
        Budget::Clear { scope } => LimitCommand::Clear(scope),
        Budget::List { org } => LimitCommand::List(org),
    };
    KIND.run(command, installation, output).await
}
