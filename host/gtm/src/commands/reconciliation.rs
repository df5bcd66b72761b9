//! `gtm ledger reconcile …`: provider calls whose cost is not known for certain: their answer was lost,
//! or what the provider reported was over the most that the call may cost, or cannot be true. What a job
//! was charged for them is corrected by what the provider's invoice says. Until then the rest of what each
//! may have cost is held: it counts against limits and credit.

use clap::Subcommand;
use gtm_domain::{JobId, MicroUsd, OrganizationId};
use gtm_store::{MarkedCall, MarkedCallFilter, ProviderCallId};
use serde_json::{Value, json};

use super::credit::parse_note;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, or_dash, table};

/// Commands on calls whose cost is not known for certain.
#[derive(Debug, Subcommand)]
pub enum Reconcile {
    /// List the calls that await it, those of the oldest jobs first
    ///
    /// CHARGED and HELD together count against limits and credit until the call is settled.
    #[command(after_help = "Example:\n  gtm ledger reconcile list --org ORG")]
    List {
        /// Only of this organization's jobs
        #[arg(long, value_name = "ORG")]
        org: Option<OrganizationId>,
        /// Those that were settled too
        #[arg(long)]
        all: bool,
        /// At most this many
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
    },
    /// Say what a call cost: the difference is charged, or given back, in the month of its job's charge
    #[command(after_help = "Example:\n  gtm ledger reconcile settle CALL --cost-usd 0.0123")]
    Settle {
        /// The call as the list names it: <job id>.<step>
        #[arg(value_name = "CALL")]
        id: ProviderCallId,
        /// What the provider charged for it, in dollars with at most six decimals; 0 if nothing
        #[arg(long, value_name = "USD", allow_negative_numbers = true)]
        cost_usd: MicroUsd,
        /// What stands beside it in the ledger, such as the invoice's number
        #[arg(long, value_name = "TEXT", value_parser = parse_note)]
        note: Option<String>,
    },
}

/// Run one.
///
/// # Errors
/// If no such call was marked, its job has not ended, or it was settled with another cost.
pub async fn run(
    command: &Reconcile,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    let calls = match command {
        Reconcile::List { org, all, limit } => {
            let filter = MarkedCallFilter {
                organization: *org,
                settled: *all,
                limit: *limit,
                ..MarkedCallFilter::default()
            };
            operator.marked_calls(&filter).await?
        }
        Reconcile::Settle { id, cost_usd, note } => {
            let settled = operator
                .reconcile_call(*id, *cost_usd, note.clone())
                .await?;
            return output.print(&as_json(&settled), || {
                listing(std::slice::from_ref(&settled))
            });
        }
    };
    let value = json!({"calls": calls.iter().map(as_json).collect::<Vec<_>>()});
    output.print(&value, || listing(&calls))
}

/// The marked calls of a job.
///
/// # Errors
/// If the database cannot be read.
pub(super) async fn of_job(
    installation: &Installation,
    job: JobId,
) -> Result<Vec<MarkedCall>, Failure> {
    let filter = MarkedCallFilter {
        job: Some(job),
        settled: true,
        limit: 10_000,
        ..MarkedCallFilter::default()
    };
    Ok(installation.operator().marked_calls(&filter).await?)
}

/// A call for programs.
pub(super) fn as_json(call: &MarkedCall) -> Value {
    let said = call.reconciliation.as_ref();
    json!({
        "id": call.id,
        "job": call.id.job,
        "step": call.id.step,
        "organization": call.organization,
        "project": call.project,
        "capability": call.capability,
        "connection": call.connection,
        "connector": call.connector,
        "idempotency_key": call.step_key,
        "ceiling_usd": call.ceiling.map(MicroUsd::usd),
        "charged_usd": call.charged.usd(),
        "held_usd": call.held.usd(),
        "reported_usd": call.reported.map(MicroUsd::usd),
        "at": call.at,
        "charged_at": call.charged_at,
        "reconciliation": call.state(),
        "cost_usd": said.map(|said| said.cost.usd()),
        "transaction": said.map(|said| said.transaction),
        "settled_at": said.map(|said| said.at),
        "note": said.and_then(|said| said.note.as_deref()),
    })
}

/// Calls for people.
pub(super) fn listing(calls: &[MarkedCall]) -> String {
    let cells = |call: &MarkedCall| {
        vec![
            call.id.to_string(),
            or_dash(
                call.connector
                    .as_ref()
                    .map(|connector| connector.key.as_str()),
            ),
            call.capability.clone(),
            call.charged.to_string(),
            call.held.to_string(),
            or_dash(call.reported),
            or_dash(call.ceiling),
            or_dash(call.reconciliation.as_ref().map(|said| said.cost)),
            call.at.to_string(),
        ]
    };
    table(
        &[
            "CALL",
            "CONNECTOR",
            "CAPABILITY",
            "CHARGED",
            "HELD",
            "REPORTED",
            "AT MOST",
            "COST",
            "AT",
        ],
        &calls.iter().map(cells).collect::<Vec<_>>(),
    )
}
