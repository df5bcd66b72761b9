//! `gtm audit …`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};
use gtm_domain::audit::{AuditEntry, AuditHead};
use gtm_domain::{OrganizationId, Timestamp};
use gtm_store::{AuditFilter, AuditPlace, AuditRange};
use serde::Deserialize;
use serde_json::json;

use super::whole_number::whole_number;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, note, print_lines, table};

/// Commands on the audit log.
#[derive(Debug, Subcommand)]
pub enum Audit {
    /// List entries, newest first
    #[command(after_help = "Example:\n  gtm audit list --org ORG --action api_key.created")]
    List {
        /// Show only entries of this organization
        #[arg(long, value_name = "ORG")]
        org: Option<OrganizationId>,
        /// Show only entries about this resource (an id), or about resources of this type, such as api_key
        #[arg(long, value_name = "ID|TYPE")]
        resource: Option<String>,
        /// Show only entries of this action, such as api_key.created
        #[arg(long)]
        action: Option<String>,
        /// Show at most this many entries, from 1 to 10000
        #[arg(long, value_name = "N", default_value = "50", value_parser = whole_number(1..=10_000, 50))]
        limit: u32,
    },
    /// Check that no entry was changed, moved or removed
    ///
    /// Exits with 1 if a chain is broken; each breach names the first wrong entry.
    #[command(after_help = "Example:\n  gtm audit verify --against heads.json")]
    Verify {
        /// Also compare with the heads that `gtm audit head --json` wrote to this file earlier: nothing
        /// else shows that the end of a chain was cut off or rewritten
        #[arg(long, value_name = "FILE")]
        against: Option<PathBuf>,
    },
    /// Show the end of every chain; keep it (--json) where nobody can change it
    #[command(after_help = "Example:\n  gtm audit head --json > heads.json")]
    Head,
    /// Write entries to standard output, one JSON object per line, chain by chain
    #[command(
        after_help = "Example:\n  gtm audit export --since 2026-11-01T00:00:00Z > audit.jsonl"
    )]
    Export {
        /// Export only the chain of this organization
        #[arg(long, value_name = "ORG")]
        org: Option<OrganizationId>,
        /// Export only entries from this time on (RFC 3339)
        #[arg(long, value_name = "INSTANT")]
        since: Option<Timestamp>,
        /// Export only entries before this time (RFC 3339)
        #[arg(long, value_name = "INSTANT")]
        until: Option<Timestamp>,
        /// Format of the output
        #[arg(long, value_enum, default_value_t = Format::Jsonl)]
        format: Format,
    },
}

/// Forms of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One JSON object per line, from which each entry's hash can be recomputed
    Jsonl,
}

/// Runs a command.
///
/// # Errors
/// If the log has been tampered with; the report is printed first.
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
    let operator = installation.operator();
    let entries = operator.newest_audit_entries(filter).await?;
    if entries.is_empty() {
        note_known_words(filter, &operator.audit_actions().await?);
    }
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

/// An empty list may mean that nothing happened or that the filter was mistyped, so the known words are
/// printed too.
fn note_known_words(filter: &AuditFilter, actions: &[(String, String)]) {
    let tell = |what: &str, wanted: &str, known: BTreeSet<&str>| {
        if !known.contains(wanted) {
            let known: Vec<_> = known.into_iter().collect();
            let known = known.join(", ");
            note(&format!("The log has no {what} {wanted}; it has {known}."));
        }
    };
    if let Some(action) = &filter.action {
        tell(
            "action",
            action,
            actions.iter().map(|(a, _)| &**a).collect(),
        );
    }
    // An id has a prefix; no resource type has one.
    if let Some(resource) = filter.resource.as_ref().filter(|r| !is_id(r)) {
        let kinds = actions.iter().map(|(_, kind)| &**kind).collect();
        tell("resource type", resource, kinds);
    }
}

/// Whether a text looks like an id: a prefix and 26 characters, or a digest.
fn is_id(text: &str) -> bool {
    text.contains(':') || text.rsplit('_').next().is_some_and(|last| last.len() == 26)
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
        "the audit log is broken in {} of {} chains",
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
