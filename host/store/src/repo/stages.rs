//! The stages of a job, in its row, so that whoever reads the job need not read its events. The job is held.

use gtm_domain::job::JobEventNew;
use gtm_domain::{JobStage, JobStatus, StageState, Timestamp};
use serde::Deserialize;

use super::Conn;
use crate::columns::{Json, Text};
use crate::error::StoreError;
use crate::scope::Lease;

/// The reports that say where a stage stands.
const EVENTS: [&str; 2] = ["stage.started", "stage.finished"];

/// Write where a report says that a stage stands. Reports of stages that the job's type does not name stand
/// in the events alone.
pub(super) async fn report(
    c: &mut Conn,
    lease: &Lease,
    event: &JobEventNew,
    now: Timestamp,
) -> Result<(), StoreError> {
    if !EVENTS.contains(&event.kind.as_str()) {
        return Ok(());
    }
    let Some(mut stages) = of(c, lease).await? else {
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

/// The job ends with this status: a stage that is under way ends with it.
pub(super) async fn job_ends(
    c: &mut Conn,
    lease: &Lease,
    status: JobStatus,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(mut stages) = of(c, lease).await? else {
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

async fn of(c: &mut Conn, lease: &Lease) -> Result<Option<Vec<JobStage>>, StoreError> {
    let stages: Option<Json<Vec<JobStage>>> =
        sqlx::query_scalar("SELECT stages FROM jobs WHERE id = $1")
            .bind(Text(lease.job))
            .fetch_one(c)
            .await?;
    Ok(stages.map(|stages| stages.0))
}

async fn put(c: &mut Conn, lease: &Lease, stages: Vec<JobStage>) -> Result<(), StoreError> {
    sqlx::query("UPDATE jobs SET stages = $2 WHERE id = $1")
        .bind(Text(lease.job))
        .bind(Json(stages))
        .execute(c)
        .await?;
    Ok(())
}
