//! `gtm audit …`.

use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};
use gtm_domain::{OrganizationId, Timestamp};
use gtm_store::{AuditEntry, AuditFilter, AuditHead, AuditPlace, AuditRange};
use serde::Deserialize;
use serde_json::json;

use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, print_lines, table};

/// Commands on the audit log.
#[derive(Debug, Subcommand)]
pub enum Audit {
    /// Show the newest entries, newest first
    List {
        /// Only this organization's
        #[arg(long, value_name = "ORG")]
        org: Option<OrganizationId>,
        /// Only on this resource (an id), or on resources of this type, such as api_key
        #[arg(long, value_name = "ID|TYPE")]
        resource: Option<String>,
        /// Only this action, such as api_key.created
        #[arg(long)]
        action: Option<String>,
        /// At most this many
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
    },
    /// Check that no entry was changed, moved or removed
    Verify {
        /// Also compare with what `gtm audit head --json` printed into this file earlier: only that
        /// shows whether the end of a chain was cut off or written anew
        #[arg(long, value_name = "FILE")]
        against: Option<PathBuf>,
    },
    /// Show the end of every chain; keep it (--json) where nobody can change it
    Head,
    /// Write entries to standard output, one JSON object a line, chain by chain
    Export {
        /// Only this organization's chain
        #[arg(long, value_name = "ORG")]
        org: Option<OrganizationId>,
        /// Only entries from this instant on (RFC 3339)
        #[arg(long, value_name = "INSTANT")]
        since: Option<Timestamp>,
        /// Only entries before this instant (RFC 3339)
        #[arg(long, value_name = "INSTANT")]
        until: Option<Timestamp>,
        /// Form of the output
        #[arg(long, value_enum, default_value_t = Format::Jsonl)]
        format: Format,
    },
}

/// Forms of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One JSON object a line, from which each entry's hash can be computed again
    Jsonl,
}

/// Run one.
///
/// # Errors
/// If the log does not hold; the report is printed all the same.
pub async fn run(
    command: Audit,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    match command {
        Audit::List { org: Some(org), .. } | Audit::Export { org: Some(org), .. }
            if installation
                .operator()
                .show_organization(org)
                .await?
                .is_none() =>
        {
            Err(Failure::absent("org", org))
        }
        Audit::List {
            org,
            resource,
            action,
            limit,
        } => {
            let filter = AuditFilter {
                organization: org,
                resource,
                action,
                limit,
            };
            list(&filter, installation, output).await
        }
        Audit::Verify { against } => verify(against.as_deref(), installation, output).await,
        Audit::Head => head(installation, output).await,
        Audit::Export {
            org,
            since,
            until,
            format: Format::Jsonl,
        } => {
            let range = AuditRange {
                organization: org,
                since,
                until,
            };
            export(range, installation).await
        }
    }
}

async fn list(
    filter: &AuditFilter,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let entries = installation.operator().newest_audit_entries(filter).await?;
    output.print(&json!({ "entries": entries }), || {
        let cells = |e: &AuditEntry| {
            vec![
                e.at.to_string(),
                format!("{}:{}", e.actor.kind, e.actor.id),
                e.action.clone(),
                e.resource.id.clone(),
                format!("{} #{}", e.chain, e.seq),
            ]
        };
        let headings = ["AT", "ACTOR", "ACTION", "RESOURCE", "ENTRY"];
        table(&headings, &entries.iter().map(cells).collect::<Vec<_>>())
    })
}

async fn verify(
    against: Option<&Path>,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let anchored = against.map(read_heads).transpose()?.unwrap_or_default();
    let report = installation.store.verify_audit(&anchored).await?;
    let value = json!({
        "sound": report.is_sound(),
        "chains": report.chains,
        "entries": report.entries,
        "anchored": anchored.len(),
        "broken_chains": report.broken_chains,
        "breaches": report.breaches,
    });
    output.print(&value, || {
        let mut out = fields(&[
            ("sound", report.is_sound().to_string()),
            ("chains", report.chains.to_string()),
            ("entries", report.entries.to_string()),
            ("anchored", anchored.len().to_string()),
        ]);
        for breach in &report.breaches {
            out.push_str(&fields(&[("breach", breach.to_string())]));
        }
        out
    })?;
    if report.is_sound() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "the audit log does not hold in {} of {} chains",
        report.broken_chains, report.chains
    ))
    .hint(
        "each breach names the first entry of its chain that is wrong; a backup shows what it was",
    ))
}

/// What `gtm audit head --json` prints.
#[derive(Deserialize)]
struct Heads {
    heads: Vec<AuditHead>,
}

fn read_heads(path: &Path) -> Result<Vec<AuditHead>, Failure> {
    let unusable = |why: String| {
        Failure::new(format!("{}: {why}", path.display()))
            .hint("make the file with `gtm audit head --json`")
    };
    let text = std::fs::read(path).map_err(|e| unusable(e.to_string()))?;
    let Heads { heads } = serde_json::from_slice(&text).map_err(|e| unusable(e.to_string()))?;
    if heads.is_empty() {
        return Err(unusable("it names no chain".to_owned()));
    }
    Ok(heads)
}

async fn head(installation: &Installation, output: Output) -> Result<(), Failure> {
    let heads = installation.operator().audit_heads().await?;
    output.print(&json!({ "heads": heads }), || {
        let cells = |h: &AuditHead| vec![h.chain.clone(), h.seq.to_string(), h.hash.to_string()];
        table(
            &["CHAIN", "ENTRIES", "HASH"],
            &heads.iter().map(cells).collect::<Vec<_>>(),
        )
    })
}

async fn export(range: AuditRange, installation: &Installation) -> Result<(), Failure> {
    let operator = installation.operator();
    let mut place = AuditPlace::default();
    loop {
        let entries = operator.audit_entries(range, &mut place).await?;
        if entries.is_empty() {
            return Ok(());
        }
        let lines: Result<Vec<_>, _> = entries.iter().map(serde_json::to_string).collect();
        let lines = lines.map_err(|error| Failure::new(error.to_string()))?;
        if !print_lines(&lines)? {
            return Ok(());
        }
    }
}
