//! Retention: what is removed when its time is up (architecture §8). Usage, cost and ledger rows stay.

use std::collections::BTreeMap;

use gtm_domain::audit::job::job_canceled;
use gtm_domain::audit::{AuditAction, AuditActor, AuditEvent};
use gtm_domain::{JobId, OrganizationId, ProjectId, Timestamp};
use sqlx::AssertSqlSafe;

use super::{Conn, audit, cancellations, recorded_calls, serialize_erasures, written_messages};
use crate::columns::{Text, Time};
use crate::error::StoreError;

/// The actor's name in the audit log.
const ACTOR: &str = "retention";

/// Jobs per transaction: a sweep must not block other writes for long.
const BATCH: i64 = 50;
/// Replayable answers per transaction.
const ANSWERS: i64 = 1000;

/// Pattern for the error of a job that was given up (`settlement_failed`, decision 0044).
const GIVEN_UP: &str = "{\"code\":\"settlement_failed\",%";

/// Removes the data of some expired jobs; their bare rows stay so that the API can tell 410 from 404. A job
/// that was given up also keeps the error that says so and its calls that were never closed: without them
/// nobody could mark the calls and settle their cost. Neither contains anything of the request. Returns how
/// many were swept; zero when none is left.
pub(crate) async fn sweep_jobs(c: &mut Conn, now: Timestamp) -> Result<u64, StoreError> {
    serialize_erasures(c).await?;
    let sql = "SELECT id, organization_id, project_id FROM jobs \
        WHERE expires_at <= $1 AND swept_at IS NULL AND finished_at IS NOT NULL \
        ORDER BY expires_at LIMIT $2";
    let expired: Vec<(Text<JobId>, Text<OrganizationId>, Text<ProjectId>)> = sqlx::query_as(sql)
        .bind(Time(now))
        .bind(BATCH)
        .fetch_all(&mut *c)
        .await?;
    let mut events = Vec::new();
    let actor = AuditActor::system(ACTOR);
    let mut of_projects: BTreeMap<ProjectId, Vec<JobId>> = BTreeMap::new();
    for (id, _, project) in &expired {
        of_projects.entry(project.0).or_default().push(id.0);
    }
    for (project, jobs) in of_projects {
        written_messages::note_addressees(c, project, &jobs).await?;
    }
    for (id, organization, project) in expired {
        let of_job = [
            "DELETE FROM job_events WHERE job_id = $1",
            "DELETE FROM job_files WHERE job_id = $1",
            // Deleting a candidate deletes its evidence.
            "DELETE FROM prospects WHERE job_id = $1",
            "DELETE FROM erasures_under_way WHERE job_id = $1",
        ];
        for sql in of_job {
            sqlx::query(sql).bind(id).execute(&mut *c).await?;
        }
        recorded_calls::forget(c, id.0).await?;
        let bare = format!(
            "UPDATE jobs SET input = 'null', pins = 'null', result = NULL, stages = NULL, external_ref = NULL, \
            swept_at = $2, \
            error = CASE WHEN error LIKE '{GIVEN_UP}' THEN error END \
            WHERE id = $1 AND swept_at IS NULL"
        );
        let swept = sqlx::query(AssertSqlSafe(bare))
            .bind(id)
            .bind(Time(now))
            .execute(&mut *c)
            .await?;
        if swept.rows_affected() > 0 {
            let (organization, project) = (Some(organization.0), Some(project.0));
            events.push(AuditEvent::new(
                &actor,
                AuditAction::JobExpired,
                id.0,
                organization,
                project,
            ));
        }
    }
    audit::append_all(c, &events, now).await?;
    Ok(events.len() as u64)
}

/// Stops some jobs that outlived their retention without ending: queued ones end, running ones are asked to
/// stop. They are handled in the order of their organizations, whose money is held while they are settled.
/// Returns how many were stopped or asked; zero when none is left.
pub(crate) async fn end_overdue(c: &mut Conn, now: Timestamp) -> Result<u64, StoreError> {
    serialize_erasures(c).await?;
    // A job that was already asked is its worker's to end; it must not block others from being asked.
    let sql = "SELECT id FROM jobs WHERE expires_at <= $1 AND swept_at IS NULL AND finished_at IS NULL \
        AND cancel_requested = $2 ORDER BY organization_id, id LIMIT $3";
    let overdue: Vec<Text<JobId>> = sqlx::query_scalar(sql)
        .bind(Time(now))
        .bind(false)
        .bind(BATCH)
        .fetch_all(&mut *c)
        .await?;
    let mut events = Vec::new();
    for id in &overdue {
        if let Some(job) = cancellations::cancel(c, id.0, now).await? {
            events.push(job_canceled(&AuditActor::system(ACTOR), &job)?);
        }
    }
    audit::append_all(c, &events, now).await?;
    Ok(overdue.len() as u64)
}

/// Removes some answers that are no longer replayed. Returns how many; zero when none is left.
pub(crate) async fn sweep_idempotency(c: &mut Conn, now: Timestamp) -> Result<u64, StoreError> {
    let sql = "DELETE FROM idempotency WHERE (project_id, key_hmac) IN \
        (SELECT project_id, key_hmac FROM idempotency WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
    let done = sqlx::query(sql)
        .bind(Time(now))
        .bind(ANSWERS)
        .execute(c)
        .await?;
    Ok(done.rows_affected())
}
