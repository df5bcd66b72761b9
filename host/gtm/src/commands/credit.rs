//! `gtm credit …`: what prepaid organizations spend from.

use clap::Subcommand;
use gtm_domain::money::LedgerTransaction;
use gtm_domain::{MicroUsd, OrganizationId};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, table};

const NOTE_CHARS: usize = 500;

/// Commands on credit.
#[derive(Debug, Subcommand)]
pub enum Credit {
    /// Give an organization credit, in US dollars
    ///
    /// Prepaid organizations spend credit: each job sets some aside when it is created and is charged
    /// what it cost when it ends. Without credit a create call gets 402 insufficient_credits.
    #[command(after_help = "Example:\n  gtm credit grant ORG 25 --note 'invoice 7'")]
    Grant(Movement),
    /// Take back credit that has not been charged yet, in US dollars
    #[command(after_help = "Example:\n  gtm credit revoke ORG 0.50")]
    Revoke(Movement),
    /// Show what an organization was granted, has been charged and can spend
    ///
    /// In US dollars: balance = granted - charged, spendable = balance - reserved. Reserved is what is
    /// set aside for jobs that have not ended.
    #[command(after_help = "Example:\n  gtm credit show ORG")]
    Show {
        /// The organization's id
        #[arg(value_name = "ORG")]
        org: OrganizationId,
    },
    /// List the credit that an organization was given and that was taken back, oldest first
    #[command(after_help = "Example:\n  gtm credit list ORG")]
    List {
        /// The organization's id
        #[arg(value_name = "ORG")]
        org: OrganizationId,
    },
}

/// How much, to or from whom, and why.
#[derive(Debug, clap::Args)]
pub struct Movement {
    /// The organization's id
    #[arg(value_name = "ORG")]
    org: OrganizationId,
    /// US dollars above zero, with at most six decimals
    #[arg(value_name = "USD", allow_negative_numbers = true)]
    amount: MicroUsd,
    /// Note in the ledger, such as an invoice number; at most 500 characters
    #[arg(long, value_name = "TEXT", value_parser = parse_note)]
    note: Option<String>,
}

/// Runs a command.
///
/// # Errors
/// If the organization does not exist, or the amount cannot be moved.
pub async fn run(
    command: Credit,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        Credit::Grant(Movement { org, amount, note }) => {
            operator.grant_credit(org, amount, note).await?;
            show(installation, org, output).await
        }
        Credit::Revoke(Movement { org, amount, note }) => {
            operator.revoke_credit(org, amount, note).await?;
            show(installation, org, output).await
        }
        Credit::Show { org } => show(installation, org, output).await,
        Credit::List { org } => {
            let rows = operator.credit_statement(org).await?.movements;
            let value = json!({"movements": rows.iter().map(as_json).collect::<Vec<_>>()});
            output.print(&value, || {
                let cells = |row: &LedgerTransaction| {
                    vec![
                        row.id.to_string(),
                        row.kind.as_str().to_owned(),
                        row.credit().to_string(),
                        row.at.to_string(),
                        row.note.clone().unwrap_or_default(),
                    ]
                };
                table(
                    &["ID", "KIND", "AMOUNT", "AT", "NOTE"],
                    &rows.iter().map(cells).collect::<Vec<_>>(),
                )
            })
        }
    }
}

async fn show(
    installation: &Installation,
    org: OrganizationId,
    output: Output,
) -> Result<(), Failure> {
    let statement = installation.operator().credit_statement(org).await?;
    let set_aside = statement.reserved + statement.awaiting;
    let value = json!({
        "organization_id": org,
        "billing": statement.billing,
        "granted_usd": statement.granted.usd(),
        "charged_usd": statement.charged.usd(),
        // As in `GET /v1/usage`: the balance before anything is reserved.
        "balance_usd": (statement.balance + set_aside).usd(),
        "reserved_usd": set_aside.usd(),
        "awaiting_usd": statement.awaiting.usd(),
        "spendable_usd": statement.balance.usd(),
    });
    output.print(&value, || {
        fields(&[
            ("organization", org.to_string()),
            ("billing", statement.billing.to_string()),
            ("granted", statement.granted.to_string()),
            ("charged", statement.charged.to_string()),
            ("balance", (statement.balance + set_aside).to_string()),
            ("reserved", set_aside.to_string()),
            ("of it awaiting", statement.awaiting.to_string()),
            ("spendable", statement.balance.to_string()),
        ])
    })
}

fn as_json(row: &LedgerTransaction) -> Value {
    json!({
        "id": row.id,
        "kind": row.kind,
        "amount_usd": row.credit().usd(),
        "at": row.at,
        "note": row.note,
    })
}

/// Checks a note for the ledger.
pub(super) fn parse_note(text: &str) -> Result<String, String> {
    if text.chars().any(char::is_control) || text.chars().count() > NOTE_CHARS {
        return Err(format!(
            "a note is one line of at most {NOTE_CHARS} characters"
        ));
    }
    Ok(text.trim().to_owned())
}
