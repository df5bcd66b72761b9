//! `gtm ledger …`.

use clap::Subcommand;
use gtm_domain::money::{LedgerPlace, LedgerViolation};
use gtm_domain::{JobId, MicroUsd};
use serde_json::{Value, json};

use super::reconciliation::{self, Reconcile};
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash};

/// Commands on the ledger.
#[derive(Debug, Subcommand)]
pub enum Ledger {
    /// Check that the ledger balances and that every stored sum is right
    ///
    /// Checks every transaction, charges against usage, and each sum that limits and credit are checked
    /// against. Exits with 1 if something is wrong; each violation names the place. In US dollars.
    #[command(after_help = "Example:\n  gtm ledger verify")]
    Verify,
    /// Provider calls whose cost is not known for certain: the answer was lost, or what the provider
    /// reported cannot be true
    #[command(subcommand)]
    Reconcile(Reconcile),
    /// Complete the end of a job that failed with settlement_failed
    ///
    /// Writes whatever the database refused when the job was given up: its settlement, which frees what
    /// was reserved for it, its usage row, marks on its calls, and sums that are off. This happens by itself
    /// with the last of the job's calls that `gtm ledger reconcile settle` settles; use this command for
    /// jobs without such calls, and for what was refused again. Exits with 1 if nothing is missing, or calls
    /// are in doubt.
    #[command(after_help = "Example:\n  gtm ledger settle JOB")]
    Settle {
        /// The job as `gtm ledger verify` names it
        #[arg(value_name = "JOB")]
        id: JobId,
    },
}

/// Runs a command.
///
/// # Errors
/// If the ledger has violations (the report is printed first), or a call or job cannot be settled.
pub async fn run(
    command: &Ledger,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    match command {
        Ledger::Verify => verify(installation, output).await,
        Ledger::Reconcile(command) => reconciliation::run(command, installation, output).await,
        Ledger::Settle { id } => settle(*id, installation, output).await,
    }
}

async fn settle(id: JobId, installation: &Installation, output: Output) -> Result<(), Failure> {
    let end = installation.operator().settle_job(id).await?;
    let value = json!({
        "job": end.job,
        "organization": end.organization,
        "project": end.project,
        "settled": end.released.is_some(),
        "released_usd": end.released.map(MicroUsd::usd),
        "usage_row": end.usage_row,
        "calls_marked": end.calls_marked,
        "sums_recounted": end.sums_recounted,
    });
    output.print(&value, || {
        let mut out = fields(&[
            ("job", end.job.to_string()),
            ("released", or_dash(end.released)),
            ("usage row", written(end.usage_row)),
            ("sums", written(end.sums_recounted)),
            ("calls", format!("{} marked", end.calls_marked)),
        ]);
        if end.calls_marked > 0 {
            out.push_str(
                "\nSettle its calls now (gtm ledger reconcile); the last one settles the job.\n",
            );
        }
        out
    })
}

fn written(was_missing: bool) -> String {
    (if was_missing {
        "written"
    } else {
        "not missing"
    })
    .to_owned()
}

async fn verify(installation: &Installation, output: Output) -> Result<(), Failure> {
    let report = installation.store.verify_ledger().await?;
    let value = json!({
        "balanced": report.is_sound(),
        "transactions": report.transactions,
        "settled_usd": report.charged.usd(),
        "used_usd": report.used.usd(),
        "reserved_usd": report.reserved.usd(),
        "granted_usd": report.granted.usd(),
        "reconciled_usd": report.reconciled.usd(),
        "awaiting_reconciliation": report.awaiting_reconciliation,
        "awaiting_usd": report.awaiting.usd(),
        "violations": report.violations.iter().map(violation).collect::<Vec<_>>(),
    });
    output.print(&value, || {
        let mut out = fields(&[
            ("balanced", report.is_sound().to_string()),
            ("transactions", report.transactions.to_string()),
            ("settled", report.charged.to_string()),
            ("used", report.used.to_string()),
            ("reserved", report.reserved.to_string()),
            ("granted", report.granted.to_string()),
            ("reconciled", report.reconciled.to_string()),
            (
                "awaiting",
                format!(
                    "{} calls to reconcile, {} kept for those of ended jobs",
                    report.awaiting_reconciliation, report.awaiting
                ),
            ),
        ]);
        for violation in &report.violations {
            out.push_str(&fields(&[("violation", violation.sentence.clone())]));
            for place in &violation.places {
                out.push_str(&fields(&[("    ", place.to_string())]));
            }
            if violation.more > 0 {
                out.push_str(&format!("      and {} more\n", violation.more));
            }
        }
        out
    })?;
    if report.is_sound() {
        Ok(())
    } else {
        Err(Failure::new(format!(
            "the ledger has {} violations",
            report.violations.len()
        )))
    }
}

fn violation(violation: &LedgerViolation) -> Value {
    let place = |place: &LedgerPlace| {
        json!({
            "organization_id": place.organization_id,
            "accounts": place.accounts,
            "transaction_id": place.transaction_id,
            "subject": place.subject,
            "off_usd": place.off.map(MicroUsd::usd),
        })
    };
    json!({
        "rule": violation.sentence,
        "places": violation.places.iter().map(place).collect::<Vec<_>>(),
        "more": violation.more,
    })
}
