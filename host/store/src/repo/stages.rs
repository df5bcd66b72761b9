//! The stages of a job, stored in its row so that reading the job does not require its events. The caller
//! holds the job.

use gtm_domain::job::JobEventNew;
use gtm_domain::{JobStage, JobStatus, StageState, Timestamp};
use serde::Deserialize;

use super::Conn;
use crate::columns::{Damageable, Json, Text};
use crate::error::StoreError;
use crate::scope::Lease;

/// The stages as they stand in the row; `None` if the job's type has none.
pub(super) type StoredStages = Damageable<Option<Json<Vec<JobStage>>>>;

/// The events that report the state of a stage.
const EVENTS: [&str; 2] = ["stage.started", "stage.finished"];

/// Stores the state of a stage that a report names. A report of a stage unknown to the job's type stays in
/// the events only.
pub(super) async fn report(
    c: &mut Conn,
    lease: &Lease,
    stages: StoredStages,
    event: &JobEventNew,
    now: Timestamp,
) -> Result<(), StoreError> {
    if !EVENTS.contains(&event.kind.as_str()) {
        return Ok(());
    }
    let Some(Json(mut stages)) = stages.sound("stages")? else {
        return Ok(());
    };
    let status = event.data.get("status").map(StageState::deserialize);
    let (Some(key), Some(Ok(status))) = (event.data.get("stage"), status) else {
        return Ok(());
    };
    let Some(stage) = stages.iter_mut().find(|stage| *key == *stage.key) else {
        return Ok(());
    };
    stage.report(status, now);
    put(c, lease, stages).await
}

/// The job ends with this status, and so does the stage under way.
pub(super) async fn job_ends(
    c: &mut Conn,
    lease: &Lease,
    stages: StoredStages,
    status: JobStatus,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(Json(mut stages)) = stages.sound("stages")? else {
        return Ok(());
    };
    let before = stages.clone();
    for stage in &mut stages {
        stage.job_ended(status, now);
    }
    if stages == before {
        return Ok(());
    }
    put(c, lease, stages).await
}

async fn put(c: &mut Conn, lease: &Lease, stages: Vec<JobStage>) -> Result<(), StoreError> {
    sqlx::query("UPDATE jobs SET stages = $2 WHERE id = $1")
        .bind(Text(lease.job))
        .bind(Json(stages))
        .execute(c)
        .await?;
    Ok(())
}
