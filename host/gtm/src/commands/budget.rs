//! `gtm budget …`: what a project's, a key's or an organization's jobs may cost in a UTC month.

use clap::Subcommand;
use gtm_domain::money::LimitMetric;
use gtm_domain::{MicroUsd, OrganizationId};
use serde_json::json;

use super::limit::{LimitCommand, LimitKind};
use super::limit_scope::LimitScopeArgs;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::Output;

/// Commands on budgets.
#[derive(Debug, Subcommand)]
pub enum Budget {
    /// Set what jobs may cost in a UTC month, replacing any earlier budget
    ///
    /// A create call over the budget gets 429 budget_exceeded until the next UTC month. Without a budget
    /// only the usage tier's monthly cap applies.
    #[command(after_help = "Example:\n  gtm budget set --project PRJ 12.50")]
    Set {
        /// Whose.
        #[command(flatten)]
        scope: LimitScopeArgs,
        /// US dollars a month, with at most six decimals; 0 allows nothing that costs
        #[arg(value_name = "USD", allow_negative_numbers = true)]
        limit: MicroUsd,
    },
    /// Remove a budget
    #[command(after_help = "Example:\n  gtm budget clear --key KEY")]
    Clear {
        /// Whose.
        #[command(flatten)]
        scope: LimitScopeArgs,
    },
    /// List all budgets, or those of one organization with its projects and keys
    #[command(after_help = "Example:\n  gtm budget list --org ORG")]
    List {
        /// Show only budgets of this organization and its projects and keys
        #[arg(long, value_name = "ORG")]
        org: Option<OrganizationId>,
    },
}

const KIND: LimitKind = LimitKind {
    noun: "budget",
    metric: LimitMetric::MonthlyBudget,
    heading: "MONTHLY",
    label: "monthly",
    value: |micros| json!({ "limit_usd": MicroUsd::from_micros(micros).usd() }),
    shown: |micros| MicroUsd::from_micros(micros).to_string(),
};

/// Runs a command.
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
