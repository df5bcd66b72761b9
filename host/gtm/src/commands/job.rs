//! `gtm job …`.

use std::sync::Arc;

use clap::Subcommand;
use gtm_domain::{JobId, JobStatus, ProjectId};
use gtm_engine::timeline::{MAX_REPORTS, TimelineEvent, timeline};
use gtm_store::{JobFilter, JobReceipt, OperatorJob};
use serde_json::{Value, json};

use super::stored_evidence::StoredEvidence;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash, table};

/// Commands on jobs.
#[derive(Debug, Subcommand)]
pub enum Job {
    /// List the newest
    List {
        /// Only this project's
        #[arg(long, value_name = "PRJ")]
        project: Option<ProjectId>,
        /// Only those in this status
        #[arg(long, value_parser = parse_status)]
        status: Option<JobStatus>,
        /// At most this many
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
    },
    /// Show one with its result
    Show {
        /// Its id
        id: JobId,
    },
    /// Cancel one: a queued one ends at once, a running one is asked to stop
    Cancel {
        /// Its id
        id: JobId,
    },
    /// List what happened in one
    Events {
        /// Its id
        id: JobId,
    },
    /// List what its connectors exchanged with providers
    Receipts {
        /// Its id
        id: JobId,
    },
    /// Run one again from its journal, without network, and compare the results
    Replay {
        /// Its id
        id: JobId,
    },
}

fn parse_status(text: &str) -> Result<JobStatus, String> {
    JobStatus::parse(text)
        .ok_or_else(|| "expected queued, running, succeeded, failed or canceled".to_owned())
}

/// Run one.
///
/// # Errors
/// If the store refuses, the job does not exist, or a replay differs.
pub async fn run(command: Job, installation: &Installation, output: Output) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        Job::List {
            project,
            status,
            limit,
        } => {
            let filter = JobFilter {
                status,
                limit,
                ..JobFilter::default()
            };
            let rows = operator.list_jobs(project, &filter).await?;
            output.print(
                &json!({ "jobs": rows.iter().map(summary).collect::<Vec<_>>() }),
                || listing(&rows),
            )
        }
        Job::Show { id } => print(
            &operator
                .show_job(id)
                .await?
                .ok_or_else(|| Failure::absent("job", id))?,
            output,
        ),
        Job::Cancel { id } => {
            let found = operator.cancel_job(id).await?;
            print(&found, output)?;
            // A line for people; programs read `cancel_requested`.
            if !output.json {
                crate::output::note(match found.job.status {
                    JobStatus::Running => {
                        "The job was asked to stop; what it has spent stays charged."
                    }
                    JobStatus::Canceled => "The job is canceled.",
                    _ => "The job had ended before; nothing was changed.",
                });
            }
            Ok(())
        }
        Job::Events { id } => {
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
        Job::Receipts { id } => {
            operator
                .show_job(id)
                .await?
                .ok_or_else(|| Failure::absent("job", id))?;
            let receipts = operator.job_receipts(id).await?;
            output.print(
                &json!({ "receipts": receipts.iter().map(receipt).collect::<Vec<_>>() }),
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
                        ]
                    };
                    table(
                        &["STEP", "METHOD", "URL", "STATUS", "BYTES", "DECISION"],
                        &receipts.iter().map(cells).collect::<Vec<_>>(),
                    )
                },
            )
        }
        Job::Replay { id } => replay(id, installation, output).await,
    }
}

/// A receipt with its step and connector beside its own fields.
fn receipt(row: &JobReceipt) -> Value {
    let mut value = serde_json::to_value(&row.receipt).unwrap_or(Value::Null);
    value["step"] = json!(row.seq);
    value["connector"] = json!(row.connector);
    value
}

fn summary(row: &OperatorJob) -> Value {
    let job = &row.job;
    json!({
        "id": job.id, "project": job.project, "organization": job.organization, "type": job.job_type, "status": job.status,
        "progress": job.progress, "error": job.error, "attempts": job.attempts, "cancel_requested": job.cancel_requested,
        "cost_usd": job.usage.cost.usd(), "worker": row.worker, "lease_until": row.lease_until, "created_at": job.created_at,
        "started_at": job.started_at, "finished_at": job.finished_at, "expires_at": job.expires_at,
    })
}

fn listing(rows: &[OperatorJob]) -> String {
    let cells = |row: &OperatorJob| {
        let job = &row.job;
        vec![
            job.id.to_string(),
            job.project.to_string(),
            job.job_type.as_str().to_owned(),
            job.status.as_str().to_owned(),
            format!("{}%", job.progress),
            job.created_at.to_string(),
            or_dash(job.error.as_ref().map(|e| e.code.as_str())),
        ]
    };
    table(
        &[
            "ID", "PROJECT", "TYPE", "STATUS", "PROGRESS", "CREATED", "ERROR",
        ],
        &rows.iter().map(cells).collect::<Vec<_>>(),
    )
}

fn print(row: &OperatorJob, output: Output) -> Result<(), Failure> {
    let job = &row.job;
    let mut value = summary(row);
    value["input"] = job.input.clone();
    value["pins"] = job.pins.clone();
    value["usage"] = json!(job.usage);
    value["result"] = json!(job.result);
    output.print(&value, || {
        let mut out = fields(&[
            ("id", job.id.to_string()),
            ("project", job.project.to_string()),
            ("type", job.job_type.as_str().to_owned()),
            ("status", job.status.as_str().to_owned()),
            ("progress", format!("{}%", job.progress)),
            ("attempts", job.attempts.to_string()),
            ("worker", or_dash(row.worker)),
            ("created", job.created_at.to_string()),
            ("started", or_dash(job.started_at)),
            ("finished", or_dash(job.finished_at)),
            ("cost", job.usage.cost.to_string()),
            (
                "error",
                or_dash(
                    job.error
                        .as_ref()
                        .map(|e| format!("{}: {}", e.code, e.message)),
                ),
            ),
        ]);
        if let Some(result) = &job.result {
            out.push_str(&format!("\n{result:#}"));
        }
        out
    })
}

async fn replay(id: JobId, installation: &Installation, output: Output) -> Result<(), Failure> {
    let absent = || Failure::absent("job", id);
    let operator = installation.operator();
    let job = operator.show_job(id).await?.ok_or_else(absent)?.job;
    let scope = operator.job_scope(id).await?.ok_or_else(absent)?;
    let engine = installation.engine(installation.start_runtime().await?);
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
        "job": report.job, "matches": report.is_same(), "recorded_digest": report.recorded, "replayed_digest": report.replayed,
        "result": end, "error": error,
    });
    output.print(&value, || {
        fields(&[
            ("job", report.job.to_string()),
            ("matches", report.is_same().to_string()),
            ("recorded", report.recorded.to_string()),
            ("replayed", report.replayed.to_string()),
        ])
    })?;
    if report.is_same() {
        Ok(())
    } else {
        Err(Failure::new(format!(
            "the replay of {id} came out differently"
        )))
    }
}
