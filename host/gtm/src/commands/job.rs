//! `gtm job …`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use gtm_api::job_envelope::JobEnvelope;
use gtm_api::routes::PublicReceipt;
use gtm_domain::job::{JobError, JobReceipt, ListedJob, OperatorJob};
use gtm_domain::money::{MarkedCall, ReconciliationState};
use gtm_domain::{JobId, JobStatus, JobType, ProjectId};
use gtm_engine::timeline::{MAX_REPORTS, TimelineEvent, timeline};
use gtm_store::JobFilter;
use serde_json::{Value, json};

use super::job_files;
use super::owner::require_project;
use super::reconciliation;
use super::stored_evidence::StoredEvidence;
use super::whole_number::whole_number;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash, table};

#[derive(Debug, Subcommand)]
pub enum JobCommand {
    /// List jobs, newest first
    #[command(after_help = "Example:\n  gtm job list --project PRJ --status failed --limit 20")]
    List {
        /// Show only jobs of this project
        #[arg(long, value_name = "PRJ")]
        project: Option<ProjectId>,
        /// Show only jobs in this status: queued, running, succeeded, failed or canceled
        #[arg(long, value_parser = parse_status)]
        status: Option<JobStatus>,
        /// Show only jobs of this type
        #[arg(long = "type", value_name = "TYPE", value_parser = job_type())]
        job_type: Option<JobType>,
        /// Show at most this many jobs, from 1 to 10000
        #[arg(long, value_name = "N", default_value = "100", value_parser = whole_number(1..=10_000, 100))]
        limit: u32,
    },
    /// Show a job with its input, usage and result
    ///
    /// --json prints it as `GET /v1/jobs/{job_id}` does, plus what only operators see: key_id, attempts,
    /// worker, lease_until, pins, damage. Cost is in US dollars.
    #[command(after_help = "Example:\n  gtm job show JOB --json")]
    Show {
        /// The job's id
        #[arg(value_name = "JOB")]
        id: JobId,
    },
    /// Cancel a job: a queued one ends at once, a running one is asked to stop
    ///
    /// What the job has spent stays charged. A job that has succeeded or failed is left as it is, and the command exits
    /// with 1.
    #[command(after_help = "Example:\n  gtm job cancel JOB")]
    Cancel {
        /// The job's id
        #[arg(value_name = "JOB")]
        id: JobId,
    },
    /// List what happened in a job, oldest first
    #[command(after_help = "Example:\n  gtm job events JOB")]
    Events {
        /// The job's id
        #[arg(value_name = "JOB")]
        id: JobId,
    },
    /// List what a job's connectors exchanged with providers, in the order of its calls
    ///
    /// Shows addresses, statuses, sizes and digests, but no credentials and no bodies.
    #[command(after_help = "Example:\n  gtm job receipts JOB")]
    Receipts {
        /// The job's id
        #[arg(value_name = "JOB")]
        id: JobId,
    },
    /// List the files of a job, or save them
    ///
    /// Existing files are not overwritten.
    #[command(
        after_help = "Examples:\n  gtm job files JOB\n  gtm job files JOB --output ./documents"
    )]
    Files {
        /// The job's id
        #[arg(value_name = "JOB")]
        id: JobId,
        /// Save the files in this folder, which is made if it is absent
        #[arg(long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// Run a job again from its journal, without network, and compare the results
    ///
    /// Nothing is stored and nothing is charged. Exits with 1 if the results or the job's files differ.
    #[command(after_help = "Example:\n  gtm job replay JOB")]
    Replay {
        /// The job's id
        #[arg(value_name = "JOB")]
        id: JobId,
    },
}

fn parse_status(text: &str) -> Result<JobStatus, String> {
    JobStatus::parse(text)
        .ok_or_else(|| "expected queued, running, succeeded, failed or canceled".to_owned())
}

/// Reads the name of a job type; help lists them all.
fn job_type() -> impl TypedValueParser<Value = JobType> {
    PossibleValuesParser::new(JobType::ALL.map(JobType::as_str))
        .try_map(|name| JobType::parse(&name).ok_or("no such type"))
}

/// Runs a command.
///
/// # Errors
/// If the store refuses, the job does not exist, or a replay differs.
pub async fn run(
    command: JobCommand,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        JobCommand::List {
            project,
            status,
            job_type,
            limit,
        } => {
            require_project(&operator, project).await?;
            let filter = JobFilter {
                status,
                job_type,
                limit,
                ..JobFilter::default()
            };
            let rows = operator.list_jobs(project, &filter).await?;
            output.print(
                &json!({ "jobs": rows.iter().map(listed).collect::<Vec<_>>() }),
                || listing(&rows),
            )
        }
        JobCommand::Show { id } => {
            let found = operator.show_job(id).await?;
            let found = found.ok_or_else(|| Failure::absent("job", id))?;
            let marked = reconciliation::of_job(installation, id).await?;
            print(&found, &marked, output)
        }
        JobCommand::Cancel { id } => {
            let found = operator.cancel_job(id).await?;
            let said = match found.job.status {
                JobStatus::Succeeded | JobStatus::Failed => {
                    let status = found.job.status.as_str();
                    return Err(Failure::new(format!(
                        "job {id} had already {status}; nothing was changed"
                    ))
                    .hint(format!("`gtm job show {id}` shows what became of it")));
                }
                JobStatus::Canceled => "The job is canceled.",
                JobStatus::Queued | JobStatus::Running => {
                    "The job was asked to stop; what it has spent stays charged."
                }
            };
            print(&found, &[], output)?;
            // A sentence for people; programs read `cancel_requested`.
            if !output.json {
                crate::output::note(said);
            }
            Ok(())
        }
        JobCommand::Events { id } => {
            let found = operator
                .show_job(id)
                .await?
                .ok_or_else(|| Failure::absent("job", id))?;
            let reported = operator.job_events(id, 0, MAX_REPORTS).await?;
            let events: Vec<_> = timeline(&found.job, reported).collect();
            output.print(&json!({ "events": events }), || {
                let cells = |e: &TimelineEvent| {
                    vec![
                        e.sequence.to_string(),
                        e.at.to_string(),
                        format!("{}%", e.progress),
                        e.kind.clone(),
                        e.data.to_string(),
                    ]
                };
                table(
                    &["SEQ", "AT", "PROGRESS", "TYPE", "DATA"],
                    &events.iter().map(cells).collect::<Vec<_>>(),
                )
            })
        }
        JobCommand::Receipts { id } => {
            operator
                .show_job(id)
                .await?
                .ok_or_else(|| Failure::absent("job", id))?;
            let receipts = operator.job_receipts(id).await?;
            output.print(
                &json!({ "receipts": receipts.iter().map(|r| receipt(id, r)).collect::<Vec<_>>() }),
                || {
                    let cells = |r: &JobReceipt| {
                        let x = &r.receipt;
                        vec![
                            r.seq.to_string(),
                            x.method.clone(),
                            x.url.clone(),
                            or_dash(x.status),
                            x.response_bytes.to_string(),
                            x.decision.clone(),
                            or_dash(r.reconciliation.map(ReconciliationState::as_str)),
                        ]
                    };
                    table(
                        &[
                            "STEP",
                            "METHOD",
                            "URL",
                            "STATUS",
                            "BYTES",
                            "DECISION",
                            "RECONCILIATION",
                        ],
                        &receipts.iter().map(cells).collect::<Vec<_>>(),
                    )
                },
            )
        }
        JobCommand::Files { id, output: folder } => {
            job_files::run(id, folder.as_deref(), installation, output).await
        }
        JobCommand::Replay { id } => replay(id, installation, output).await,
    }
}

/// A receipt as the API shows it, with the addresses that only operators see.
fn receipt(job: JobId, row: &JobReceipt) -> Value {
    let mut value = json!(PublicReceipt::of(job, row.clone()));
    value["url"] = json!(row.receipt.url);
    value["final_url"] = json!(row.receipt.final_url);
    value["content_type"] = json!(row.receipt.content_type);
    value
}

/// A job as the API shows it, with the members that only operators see.
fn as_json(row: &OperatorJob) -> Value {
    let job = &row.job;
    let mut value = json!(JobEnvelope::of(job));
    value["organization_id"] = json!(job.organization);
    value["key_id"] = json!(job.key);
    value["reserved_usd"] = json!(job.reserved.usd());
    value["cost_cap_usd"] = json!(job.cost_cap.usd());
    value["attempts"] = json!(job.attempts);
    value["cancel_requested"] = json!(job.cancel_requested);
    value["worker"] = json!(row.worker);
    value["lease_until"] = json!(row.lease_until);
    value["damage"] = json!(row.damage);
    value
}

/// How a list marks a job whose row cannot be read in full.
fn damaged(damage: &str) -> String {
    format!("damaged: {damage}")
}

/// The same without what may be long.
fn summary(row: &OperatorJob) -> Value {
    let mut value = as_json(row);
    if let Some(members) = value.as_object_mut() {
        members.shift_remove("input");
        members.shift_remove("result");
    }
    value
}

fn listed(row: &ListedJob) -> Value {
    match row {
        ListedJob::Job(row) => summary(row),
        ListedJob::Unreadable {
            id,
            project,
            damage,
        } => json!({ "id": id, "project_id": project, "damage": damage }),
    }
}

fn listing(rows: &[ListedJob]) -> String {
    let cells = |row: &ListedJob| match row {
        ListedJob::Job(row) => {
            let job = &row.job;
            let code = job.error.as_ref().map(|e| e.code.clone());
            vec![
                job.id.to_string(),
                job.project.to_string(),
                job.job_type.as_str().to_owned(),
                job.status.as_str().to_owned(),
                format!("{}%", job.progress),
                job.created_at.to_string(),
                or_dash(row.damage.as_deref().map(damaged).or(code)),
            ]
        }
        ListedJob::Unreadable {
            id,
            project,
            damage,
        } => {
            let unknown = || or_dash(None::<String>);
            vec![
                id.to_string(),
                project.to_string(),
                unknown(),
                unknown(),
                unknown(),
                unknown(),
                damaged(damage),
            ]
        }
    };
    table(
        &[
            "ID", "PROJECT", "TYPE", "STATUS", "PROGRESS", "CREATED", "ERROR",
        ],
        &rows.iter().map(cells).collect::<Vec<_>>(),
    )
}

fn print(row: &OperatorJob, marked: &[MarkedCall], output: Output) -> Result<(), Failure> {
    let job = &row.job;
    let mut value = as_json(row);
    value["pins"] = job.pins.clone();
    value["calls_to_reconcile"] = marked.iter().map(reconciliation::as_json).collect();
    output.print(&value, || {
        let mut out = fields(&[
            ("id", job.id.to_string()),
            ("project", job.project.to_string()),
            ("organization", job.organization.to_string()),
            ("key", job.key.to_string()),
            ("type", job.job_type.as_str().to_owned()),
            ("status", job.status.as_str().to_owned()),
            ("progress", format!("{}%", job.progress)),
            ("attempts", job.attempts.to_string()),
            ("worker", or_dash(row.worker)),
            ("created", job.created_at.to_string()),
            ("started", or_dash(job.started_at)),
            ("finished", or_dash(job.finished_at)),
            ("expires", job.expires_at.to_string()),
            ("reserved at first", job.reserved.to_string()),
            ("cost", job.usage.cost.to_string()),
            (
                "error",
                or_dash(
                    job.error
                        .as_ref()
                        .map(|e| format!("{}: {}", e.code, e.message)),
                ),
            ),
            (
                "error's details",
                or_dash(job.error.as_ref().and_then(details)),
            ),
        ]);
        if let Some(damage) = &row.damage {
            out.push_str(&format!(
                "\nThe row is damaged, and what cannot be read is left out: {damage}\n"
            ));
        }
        if !marked.is_empty() {
            out.push_str("\nCalls whose cost was not known (gtm ledger reconcile):\n");
            out.push_str(&reconciliation::listing(marked));
        }
        if let Some(result) = &job.result {
            out.push_str(&format!("\n{result:#}"));
        }
        out
    })
}

/// The details of an error in one line, such as `failure_code http_502, status 502`.
fn details(error: &JobError) -> Option<String> {
    let members = error.details.as_ref()?.as_object()?;
    let told = members.iter().map(|(name, value)| match value {
        Value::String(text) => format!("{name} {text}"),
        other => format!("{name} {other}"),
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join(", "))
}

async fn replay(id: JobId, installation: &Installation, output: Output) -> Result<(), Failure> {
    let absent = || Failure::absent("job", id);
    let operator = installation.operator();
    let found = operator.show_job(id).await?.ok_or_else(absent)?;
    if let Some(damage) = &found.damage {
        return Err(Failure::new(format!(
            "job {id} cannot be replayed: its row is damaged ({damage})"
        )));
    }
    let job = found.job;
    let scope = operator.job_scope(id).await?.ok_or_else(absent)?;
    let engine = installation.engine(installation.start_runtime().await?)?;
    let evidence = StoredEvidence {
        store: installation.store.clone(),
        scope,
        job: id,
    };
    let report = engine.replay(job, Arc::new(evidence)).await?;
    let (end, error) = match &report.end {
        Ok(result) => (Some(result), None),
        Err(error) => (None, Some(error)),
    };
    let value = json!({
        "job_id": report.job, "matches": report.is_same(), "recorded_digest": report.recorded, "replayed_digest": report.replayed,
        "result": end, "error": error, "different_files": report.different_files,
    });
    output.print(&value, || {
        fields(&[
            ("job", report.job.to_string()),
            ("matches", report.is_same().to_string()),
            ("recorded", report.recorded.to_string()),
            ("replayed", report.replayed.to_string()),
            (
                "different files",
                or_dash(
                    (!report.different_files.is_empty()).then(|| report.different_files.join(", ")),
                ),
            ),
        ])
    })?;
    if report.is_same() {
        Ok(())
    } else {
        Err(Failure::new(format!(
            "the replay of {id} gave a different result"
        )))
    }
}
