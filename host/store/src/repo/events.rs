//! Job events: recording and listing them.

use gtm_domain::job::{JobEvent, JobEventNew};
use gtm_domain::{JobId, ProjectId, Timestamp};
use serde_json::Value;

use super::{Conn, claims, stages};
use crate::columns::{Json, Text, Time, count, stored};
use crate::error::StoreError;
use crate::scope::Lease;

row! {
    struct RawEvent {
        seq: i64,
        ordinal: i64,
        kind: String,
        data: Json<Value>,
        progress: i64,
        at: Time,
    }
}

/// Records an event unless one with its ordinal exists. Returns whether it was new.
pub(crate) async fn emit(
    c: &mut Conn,
    lease: &Lease,
    event: &JobEventNew,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let held = claims::owned(c, lease).await?;
    let known = "SELECT 1 FROM job_events WHERE job_id = $1 AND ordinal = $2";
    let known = sqlx::query(known)
        .bind(Text(lease.job))
        .bind(stored(event.ordinal))
        .fetch_optional(&mut *c)
        .await?;
    if known.is_some() {
        return Ok(false);
    }
    let asked = i64::from(event.progress.unwrap_or(0).min(100));
    let raise = "UPDATE jobs SET progress = CASE WHEN progress < $2 THEN $2 ELSE progress END WHERE id = $1 \
        RETURNING progress";
    let progress: i64 = sqlx::query_scalar(raise)
        .bind(Text(lease.job))
        .bind(asked)
        .fetch_one(&mut *c)
        .await?;
    stages::report(c, lease, held, event, now).await?;
    // The job's row is locked, so no other event can take the same position.
    let sql = "INSERT INTO job_events (job_id, seq, ordinal, project_id, kind, data, progress, at) \
        SELECT $1, COALESCE(MAX(seq), 0) + 1, $2, $3, $4, $5, $6, $7 FROM job_events WHERE job_id = $1";
    sqlx::query(sql)
        .bind(Text(lease.job))
        .bind(stored(event.ordinal))
        .bind(Text(lease.project))
        .bind(&event.kind)
        .bind(Json(&event.data))
        .bind(progress)
        .bind(Time(now))
        .execute(c)
        .await?;
    Ok(true)
}

pub(crate) async fn list(
    c: &mut Conn,
    project: ProjectId,
    job: JobId,
    after: u64,
    limit: u32,
) -> Result<Vec<JobEvent>, StoreError> {
    let sql = "SELECT seq, ordinal, kind, data, progress, at FROM job_events \
        WHERE job_id = $1 AND project_id = $2 AND seq > $3 ORDER BY seq LIMIT $4";
    let rows: Vec<RawEvent> = sqlx::query_as(sql)
        .bind(Text(job))
        .bind(Text(project))
        .bind(stored(after))
        .bind(i64::from(limit))
        .fetch_all(c)
        .await?;
    let event = |raw: RawEvent| JobEvent {
        seq: count(raw.seq),
        ordinal: count(raw.ordinal),
        kind: raw.kind,
        data: raw.data.0,
        progress: u8::try_from(raw.progress).unwrap_or(100),
        at: raw.at.0,
    };
    Ok(rows.into_iter().map(event).collect())
}
