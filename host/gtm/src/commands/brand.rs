//! `gtm brand …`.

use clap::{Subcommand, ValueEnum};
use gtm_api::routes::{BrandEnvelope, RevisionEnvelope};
use gtm_domain::brand::{Brand, BrandStatus, GuidelineRevision, StoredGuideline};
use gtm_domain::guideline::review::Review;
use gtm_domain::guideline::words::ReviewStatus;
use gtm_domain::guideline::{Guideline, markdown};
use gtm_domain::{BrandId, OrganizationId};
use gtm_store::GuidelineRevisionPage;
use serde_json::{Value, json};

use super::name::parse_name;
use super::owner::require_organization;
use super::whole_number::whole_number;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash, table};

/// Longest note of a review in characters.
const MAX_NOTE_CHARS: usize = 2000;

#[derive(Debug, Subcommand)]
pub enum BrandCommand {
    /// List the active brands, newest first
    #[command(after_help = "Example:\n  gtm brand list --org ORG")]
    List {
        /// Show only brands of this organization
        #[arg(long, value_name = "ORG")]
        org: Option<OrganizationId>,
        /// List archived brands instead of active ones
        #[arg(long)]
        archived: bool,
    },
    /// Show where the research of a brand stands, and which guideline is current
    #[command(after_help = "Example:\n  gtm brand show BRD")]
    Show {
        /// The brand's id
        #[arg(value_name = "BRD")]
        id: BrandId,
    },
    /// Archive a brand: it stays readable, but can no longer be researched or bound
    ///
    /// Danger: while the default brand is archived, playbooks that name no brand are refused with
    /// missing_default_brand_profile, until another brand is made the default or the default is cleared.
    /// Research that waits is canceled, and research that runs is asked to stop.
    #[command(after_help = "Example:\n  gtm brand archive BRD")]
    Archive {
        /// The brand's id
        #[arg(value_name = "BRD")]
        id: BrandId,
    },
    /// Make an archived brand active again
    #[command(after_help = "Example:\n  gtm brand unarchive BRD")]
    Unarchive {
        /// The brand's id
        #[arg(value_name = "BRD")]
        id: BrandId,
    },
    /// Make a brand its organization's default, in place of the one before
    ///
    /// Playbooks and documents that name no brand speak for the default one; without one, such documents fail with
    /// missing_default_brand_profile. A brand is made by `POST /v1/brands`. One without a guideline becomes the
    /// default when it gets its first one; until then the default stays as it is. A brand whose guideline
    /// was rejected is refused.
    #[command(after_help = "Examples:
  gtm brand default BRD
  gtm brand default BRD --clear")]
    Default {
        /// The brand's id
        #[arg(value_name = "BRD")]
        id: BrandId,
        /// Clear the default instead: the brand is no longer the default, or will not become it
        #[arg(long)]
        clear: bool,
    },
    /// Record a person's review of a brand's current guideline, as a new revision
    #[command(
        after_help = "Example:\n  gtm brand review BRD --status reviewed --by Ada --note 'Tone agreed with marketing'"
    )]
    Review {
        /// The brand's id
        #[arg(value_name = "BRD")]
        id: BrandId,
        /// The outcome of the review
        #[arg(long)]
        status: ReviewOutcome,
        /// Who reviewed it; by default whoever runs this command
        #[arg(long, value_name = "NAME", value_parser = parse_name)]
        by: Option<String>,
        /// The reviewer's comment
        #[arg(long, value_name = "TEXT", value_parser = parse_note)]
        note: Option<String>,
    },
    /// Print a brand's guideline as Markdown, or with --json the document itself
    #[command(after_help = "Example:\n  gtm brand guideline BRD --revision 1")]
    Guideline {
        /// The brand's id
        #[arg(value_name = "BRD")]
        id: BrandId,
        /// Revision to print; by default the current one
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        revision: Option<u64>,
    },
    /// List the revisions of a brand's guideline, newest first
    #[command(after_help = "Example:\n  gtm brand revisions BRD --limit 10")]
    Revisions {
        /// The brand's id
        #[arg(value_name = "BRD")]
        id: BrandId,
        /// Show at most this many revisions, from 1 to 10000
        #[arg(long, value_name = "N", default_value = "100", value_parser = whole_number(1..=10_000, 100))]
        limit: u32,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ReviewOutcome {
    /// The guideline may be used
    Reviewed,
    /// The guideline should not be used
    Rejected,
}

fn parse_note(text: &str) -> Result<String, String> {
    let note = text.trim();
    if note.is_empty() {
        return Err("a note must not be blank".to_owned());
    }
    if note.chars().any(|c| c.is_control() && c != '\n') {
        return Err("a note must not contain control characters other than line breaks".to_owned());
    }
    if note.chars().count() > MAX_NOTE_CHARS {
        return Err(format!("a note has at most {MAX_NOTE_CHARS} characters"));
    }
    Ok(note.to_owned())
}

/// Runs a command.
///
/// # Errors
/// If the store refuses, or there is no such brand or guideline.
pub async fn run(
    command: BrandCommand,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        BrandCommand::List { org, archived } => {
            let status = if archived {
                BrandStatus::Archived
            } else {
                BrandStatus::Active
            };
            require_organization(&operator, org).await?;
            let rows = operator.list_brands(org, Some(status)).await?;
            output.print(
                &json!({ "brands": rows.iter().map(as_json).collect::<Vec<_>>() }),
                || listing(&rows),
            )
        }
        BrandCommand::Show { id } => print(&existing(installation, id).await?, output),
        BrandCommand::Archive { id } => print(&operator.archive_brand(id).await?, output),
        BrandCommand::Unarchive { id } => print(&operator.unarchive_brand(id).await?, output),
        BrandCommand::Default { id, clear: false } => {
            print(&operator.set_default_brand(id).await?, output)
        }
        BrandCommand::Default { id, clear: true } => {
            print(&operator.clear_default_brand(id).await?, output)
        }
        BrandCommand::Review {
            id,
            status,
            by,
            note,
        } => {
            let review = Review {
                status: match status {
                    ReviewOutcome::Reviewed => ReviewStatus::Reviewed,
                    ReviewOutcome::Rejected => ReviewStatus::Rejected,
                },
                reviewed_by: by.unwrap_or_else(|| installation.operator_name.clone()),
                note,
            };
            let StoredGuideline { revision, document } = operator.review_brand(id, review).await?;
            let value = json!({
                "brand_profile_id": id, "revision": revision.revision, "guideline_hash": revision.hash,
                "review": document.pointer("/governance/review"),
            });
            output.print(&value, || {
                fields(&[
                    ("brand", id.to_string()),
                    ("revision", revision.revision.to_string()),
                    ("hash", revision.hash.to_string()),
                ])
            })
        }
        BrandCommand::Guideline { id, revision } => {
            let found = guideline(installation, id, revision).await?;
            let text = if output.json {
                String::new()
            } else {
                rendered(&found)?
            };
            output.print(&found.document, || text)
        }
        BrandCommand::Revisions { id, limit } => {
            existing(installation, id).await?;
            let page = GuidelineRevisionPage {
                before: None,
                limit,
            };
            let rows = operator.brand_guideline_revisions(id, page).await?;
            output.print(
                &json!({ "guideline_revisions": rows.iter().map(revision_json).collect::<Vec<_>>() }),
                || revisions(&rows),
            )
        }
    }
}

async fn existing(installation: &Installation, id: BrandId) -> Result<Brand, Failure> {
    let found = installation.operator().show_brand(id).await?;
    found.ok_or_else(|| Failure::absent("brand", id))
}

async fn guideline(
    installation: &Installation,
    id: BrandId,
    revision: Option<u64>,
) -> Result<StoredGuideline, Failure> {
    let brand = existing(installation, id).await?;
    let found = installation
        .operator()
        .brand_guideline(id, revision)
        .await?;
    found.ok_or_else(|| match (revision, brand.guideline_revision) {
        (Some(revision), Some(current)) => Failure::new(format!(
            "brand {id} has no revision {revision}; the current one is {current}"
        )),
        _ => Failure::new(format!("brand {id} has no guideline yet"))
            .hint("`gtm brand show` shows how far its research is"),
    })
}

fn rendered(stored: &StoredGuideline) -> Result<String, Failure> {
    let guideline =
        Guideline::read(&stored.document).map_err(|cause| Failure::new(cause.to_string()))?;
    Ok(markdown(&guideline))
}

/// A brand as the API shows it, with the members that only operators see.
fn as_json(row: &Brand) -> Value {
    let mut value = json!(BrandEnvelope::from(row.clone()));
    value["organization_id"] = json!(row.organization);
    value["archived_at"] = json!(row.archived_at);
    value
}

fn revision_json(row: &GuidelineRevision) -> Value {
    json!(RevisionEnvelope::from(row.clone()))
}

fn listing(rows: &[Brand]) -> String {
    let cells = |row: &Brand| {
        vec![
            row.id.to_string(),
            row.key.to_string(),
            or_dash(row.company_name.as_deref()),
            or_dash(row.website_url.as_deref()),
            is_default(row, "-"),
            row.research_status.as_str().to_owned(),
            or_dash(row.guideline_revision),
        ]
    };
    table(
        &[
            "ID", "KEY", "NAME", "WEBSITE", "DEFAULT", "RESEARCH", "REVISION",
        ],
        &rows.iter().map(cells).collect::<Vec<_>>(),
    )
}

/// Whether a brand is the default or will become it.
fn is_default(row: &Brand, no: &str) -> String {
    match (row.is_default, row.default_wished_at) {
        (true, _) => "yes",
        (false, Some(_)) => "with its first guideline",
        (false, None) => no,
    }
    .to_owned()
}

fn revisions(rows: &[GuidelineRevision]) -> String {
    let cells = |row: &GuidelineRevision| {
        vec![
            row.revision.to_string(),
            row.generated_at.to_string(),
            row.job.to_string(),
            row.source_count.to_string(),
            row.changed_pointers.len().to_string(),
            row.hash.to_string(),
        ]
    };
    table(
        &["REVISION", "GENERATED", "JOB", "SOURCES", "CHANGES", "HASH"],
        &rows.iter().map(cells).collect::<Vec<_>>(),
    )
}

fn print(row: &Brand, output: Output) -> Result<(), Failure> {
    output.print(&as_json(row), || {
        fields(&[
            ("id", row.id.to_string()),
            ("organization", row.organization.to_string()),
            ("key", row.key.to_string()),
            ("name", or_dash(row.company_name.as_deref())),
            ("website", or_dash(row.website_url.as_deref())),
            ("default", is_default(row, "no")),
            ("status", row.status.as_str().to_owned()),
            ("research", row.research_status.as_str().to_owned()),
            ("research job", or_dash(row.research_job)),
            ("revision", or_dash(row.guideline_revision)),
            ("sources", row.source_count.to_string()),
            ("created", row.created_at.to_string()),
            ("updated", row.updated_at.to_string()),
        ])
    })
}
