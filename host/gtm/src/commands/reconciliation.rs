//! `gtm ledger reconcile …`: provider calls whose cost is not known for certain. Either the answer was
//! lost, or the provider reported a cost above the most that the call may cost, or one that cannot be true.
//! The operator corrects what a job was charged by the provider's invoice. Until then, the rest of what
//! each call may have cost is held: it counts against limits and credit.

use clap::Subcommand;
use gtm_domain::money::{MarkedCall, ProviderCallId};
use gtm_domain::{ConnectionId, JobId, MicroUsd, OrganizationId};
use gtm_store::{MarkedCallFilter, StoreError};
use serde_json::{Value, json};

use super::credit::parse_note;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, or_dash, table};

/// Commands on calls whose cost is not known for certain.
#[derive(Debug, Subcommand)]
pub enum Reconcile {
    /// List the calls that await reconciliation, those of the oldest jobs first
    ///
    /// CHARGED and HELD together count against limits and credit until the call is settled.
    #[command(after_help = "Example:\n  gtm ledger reconcile list --org ORG")]
    List {
        /// Show only calls of this organization's jobs
        #[arg(long, value_name = "ORG")]
        org: Option<OrganizationId>,
        /// Also show calls that are already settled
        #[arg(long)]
        all: bool,
        /// Show at most this many calls
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
    },
    /// State what a call cost; the difference is charged, or given back, in the month of its job's charge
    ///
    /// With --job or --connection, the cost applies to each of its calls that await reconciliation; each is
    /// settled and audited by itself. Calls of jobs that have not ended are left, with exit code 1. The
    /// command stops at the first call that cannot be written and says what it has settled; you can run it
    /// again.
    #[command(
        after_help = "Examples:\n  gtm ledger reconcile settle CALL --cost-usd 0.0123\n  gtm ledger reconcile settle --connection CONN --cost-usd 0",
        group = clap::ArgGroup::new("calls").required(true)
    )]
    Settle {
        /// The call as the list names it: <job id>.<step>
        #[arg(value_name = "CALL", group = "calls")]
        id: Option<ProviderCallId>,
        /// All calls of this job that await reconciliation, at most 10,000 at once
        #[arg(long, value_name = "JOB", group = "calls")]
        job: Option<JobId>,
        /// All calls through this connection that await reconciliation, at most 10,000 at once
        #[arg(long, value_name = "CONN", group = "calls")]
        connection: Option<ConnectionId>,
        /// What the provider charged for the call, or for each call, in dollars with at most six decimals; 0 if nothing
        #[arg(long, value_name = "USD", allow_negative_numbers = true)]
        cost_usd: MicroUsd,
        /// Note in the ledger, such as the invoice's number
        #[arg(long, value_name = "TEXT", value_parser = parse_note)]
        note: Option<String>,
    },
}

/// Runs a command.
///
/// # Errors
/// If no such call was marked, its job has not ended, or it was settled with another cost. Of several
/// calls, the others are still settled, up to the first that cannot be written.
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
        Reconcile::Settle {
            id: None,
            job,
            connection,
            cost_usd,
            note,
        } => {
            let filter = MarkedCallFilter {
                job: *job,
                connection: *connection,
                limit: 10_000,
                ..MarkedCallFilter::default()
            };
            return settle_all(&filter, *cost_usd, note.as_deref(), installation, output).await;
        }
        Reconcile::Settle {
            id: Some(id),
            cost_usd,
            note,
            ..
        } => {
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

/// Settles every call that a filter finds, each on its own. If a write fails, the rest is left, and what
/// was settled so far is still reported.
async fn settle_all(
    filter: &MarkedCallFilter,
    cost: MicroUsd,
    note: Option<&str>,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    let (mut settled, mut left, mut failed) = (Vec::new(), Vec::new(), None);
    for call in operator.marked_calls(filter).await? {
        let note = note.map(str::to_owned);
        match operator.reconcile_call(call.id, cost, note).await {
            Ok(call) => settled.push(call),
            // Its job has not ended yet, or another operator was faster.
            Err(StoreError::Conflict(problem)) => left.push((call.id, problem)),
            Err(error) => {
                left.push((call.id, error.to_string()));
                failed = Some(error);
                break;
            }
        }
    }
    if settled.is_empty() && left.is_empty() {
        return Err(Failure::new(
            "no such call awaits reconciliation; `gtm ledger reconcile list` shows those that do",
        ));
    }
    let calls: Vec<Value> = settled.iter().map(as_json).collect();
    let problems = left.iter();
    let problems: Vec<Value> = problems
        .map(|(id, problem)| json!({"id": id, "problem": problem}))
        .collect();
    output.print(&json!({"calls": calls, "left": problems}), || {
        let mut out = listing(&settled);
        for (id, problem) in &left {
            out.push_str(&format!("\n{id} was not settled: {problem}\n"));
        }
        out
    })?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    if left.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{} calls were not settled",
        left.len()
    )))
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

/// A call as JSON.
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

/// Calls as a table.
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
