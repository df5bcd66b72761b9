//! Gauges of the jobs that wait and run in the whole installation. A task of its own reads them, so that no
//! scrape waits for the database, and many scrapes query it no more often than one.

use std::sync::Arc;
use std::time::Duration;

use gtm_domain::job::Backlog;
use gtm_domain::{Clock, JobStatus, JobType, Timestamp};
use gtm_store::{Operator, StoreError};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

const READ_EVERY: Duration = Duration::from_secs(10);
/// How long a reading may take: a hanging database must not prevent the next attempt.
const READ_TIME: Duration = Duration::from_secs(5);
const TYPES: [JobType; 5] = JobType::ALL;

/// Keeps the gauges up to date until `stop`.
pub async fn keep(operator: Operator, clock: Arc<dyn Clock>, stop: CancellationToken) {
    metrics::counter!("gtm_backlog_read_failures_total").increment(0);
    let mut tick = tokio::time::interval(READ_EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            () = stop.cancelled() => return,
        }
        let read = tokio::select! {
            read = tokio::time::timeout(READ_TIME, operator.backlog()) => read,
            () = stop.cancelled() => return,
        };
        match read {
            Ok(Ok(backlog)) => show(&backlog, clock.now()),
            Ok(Err(error)) => failed(Some(&error)),
            Err(_) => failed(None),
        }
    }
}

fn show(backlog: &Backlog, now: Timestamp) {
    let mut queued = 0;
    for job_type in TYPES {
        for status in [JobStatus::Queued, JobStatus::Running] {
            let open = &backlog.open;
            let found = open
                .iter()
                .find(|open| (open.job_type, open.status) == (job_type, status));
            let jobs = found.map_or(0, |open| open.jobs);
            if status == JobStatus::Queued {
                queued += jobs;
            }
            let labels = [("type", job_type.as_str()), ("status", status.as_str())];
            metrics::gauge!("gtm_jobs_open", &labels).set(number(jobs));
        }
    }
    let oldest = backlog
        .oldest_queued
        .map_or(Duration::ZERO, |created| now.since(created));
    metrics::gauge!("gtm_job_queue_depth").set(number(queued));
    metrics::gauge!("gtm_job_queue_oldest_age_seconds").set(oldest.as_secs_f64());
    metrics::gauge!("gtm_calls_awaiting_reconciliation").set(number(backlog.awaiting_calls));
    let read = now.since(Timestamp::EPOCH);
    metrics::gauge!("gtm_backlog_read_timestamp_seconds").set(read.as_secs_f64());
}

fn failed(error: Option<&StoreError>) {
    metrics::counter!("gtm_backlog_read_failures_total").increment(1);
    match error {
        Some(error) => tracing::warn!(%error, "the gauges of open jobs could not be read"),
        None => tracing::warn!("reading the gauges of open jobs took too long"),
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a gauge is a float, and nobody has 2^53 jobs"
)]
const fn number(count: u64) -> f64 {
    count as f64
}
