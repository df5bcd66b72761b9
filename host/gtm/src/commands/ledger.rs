//! `gtm ledger …`.

use clap::Subcommand;
use serde_json::json;

use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields};

/// Commands on the ledger.
#[derive(Debug, Subcommand)]
pub enum Ledger {
    /// Check that every transaction balances, that charges equal usage, and every sum that limits and
    /// credit are checked against
    Verify,
}

/// Run one.
///
/// # Errors
/// If the ledger does not hold; the report is printed all the same.
pub async fn run(
    command: &Ledger,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let Ledger::Verify = command;
    let report = installation.store.verify_ledger().await?;
    let value = json!({
        "balanced": report.is_sound(),
        "transactions": report.transactions,
        "settled_usd": report.charged.usd(),
        "used_usd": report.used.usd(),
        "reserved_usd": report.reserved.usd(),
        "granted_usd": report.granted.usd(),
        "violations": report.violations,
    });
    output.print(&value, || {
        let mut out = fields(&[
            ("balanced", report.is_sound().to_string()),
            ("transactions", report.transactions.to_string()),
            ("settled", report.charged.to_string()),
            ("used", report.used.to_string()),
            ("reserved", report.reserved.to_string()),
            ("granted", report.granted.to_string()),
        ]);
        for violation in &report.violations {
            out.push_str(&format!("violation     {violation}\n"));
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
