//! Jobs that write to a prospect, as far as they say something of the person: what an erasure takes out of them.

use gtm_domain::job::Job;
use gtm_domain::message::prospect_message_result::{
    addressee, asked_to_write_to, erased, erased_request,
};
use gtm_domain::{JobId, JobType, ProjectId, ProspectId, Timestamp};
use serde_json::Value;
use sqlx::AssertSqlSafe;

use super::{Conn, FOR_UPDATE};
use crate::columns::{Json, Text, Time};
use crate::error::StoreError;
use crate::scope::Lease;

row! {
    struct RawWritten {
        id: Text<JobId>,
        input: Json<Value>,
        pins: Json<Value>,
        result: Option<Json<Value>>,
        is_whole: bool,
    }
}

/// Takes what names the person out of all jobs of the project that were to write to this prospect and have ended. The
/// caller has deleted the prospect, and held its row before: a job that ends now waits for that and finds it gone
/// ([`retained`], [`ends`]).
pub(crate) async fn erase(
    c: &mut Conn,
    project: ProjectId,
    prospect: ProspectId,
    now: Timestamp,
) -> Result<(), StoreError> {
    // Only a sieve: what is found is read before it is changed.
    let sql = "SELECT id, input, pins, result, erased_at IS NULL AS is_whole FROM jobs \
        WHERE project_id = $1 AND type = $2 AND finished_at IS NOT NULL AND swept_at IS NULL \
        AND (input LIKE $3 OR result LIKE $3) ORDER BY id";
    let found: Vec<RawWritten> = sqlx::query_as(sql)
        .bind(Text(project))
        .bind(JobType::MessageTemplates.as_str())
        .bind(format!("%{prospect}%"))
        .fetch_all(&mut *c)
        .await?;
    for raw in found {
        let (job, result) = (raw.id.0, raw.result.map(|result| result.0));
        let wrote = result.as_ref().and_then(addressee) == Some(prospect);
        if !wrote && asked_to_write_to(&raw.input.0) != Some(prospect) {
            continue;
        }
        if let Some(result) = result.filter(|_| wrote && raw.is_whole) {
            // A sweep may have taken the result meanwhile, and what it took is gone.
            let sql = "UPDATE jobs SET result = $3, erased_at = $4 WHERE id = $1 AND project_id = $2 AND swept_at IS NULL";
            sqlx::query(sql)
                .bind(Text(job))
                .bind(Text(project))
                .bind(Json(erased(result, now)))
                .bind(Time(now))
                .execute(&mut *c)
                .await?;
        }
        erase_request(c, (job, project), raw.input.0, raw.pins.0).await?;
    }
    Ok(())
}

/// Takes out of an ended job what its caller said of the person, and the record of what was read of the person, which has
/// a hash of it. Without the record no replay is made. The answer to the request has the same texts: whoever repeats the
/// request finds nobody to write to.
async fn erase_request(
    c: &mut Conn,
    (job, project): (JobId, ProjectId),
    input: Value,
    mut pins: Value,
) -> Result<(), StoreError> {
    if let Some(pins) = pins.as_object_mut() {
        pins.remove("observed");
    }
    let sql = "UPDATE jobs SET input = $3, pins = $4, external_ref = NULL \
        WHERE id = $1 AND project_id = $2 AND swept_at IS NULL";
    sqlx::query(sql)
        .bind(Text(job))
        .bind(Text(project))
        .bind(Json(erased_request(input)))
        .bind(Json(pins))
        .execute(&mut *c)
        .await?;
    let sql = "DELETE FROM idempotency WHERE project_id = $1 AND resource = $2";
    sqlx::query(sql)
        .bind(Text(project))
        .bind(Text(job))
        .execute(c)
        .await?;
    Ok(())
}

/// The result as it may be stored: without what names the person, if the prospect was erased while the job ran.
pub(super) async fn retained(
    c: &mut Conn,
    lease: &Lease,
    result: &Value,
    now: Timestamp,
) -> Result<Option<Value>, StoreError> {
    let Some(prospect) = addressee(result) else {
        return Ok(None);
    };
    let is_there = hold(c, lease.project, prospect).await?;
    Ok((!is_there).then(|| erased(result.clone(), now)))
}

/// The job has ended, with a text or without: if the prospect was erased while it ran, nothing that names the person stays.
pub(super) async fn ends(c: &mut Conn, job: &Job) -> Result<(), StoreError> {
    let Some(prospect) = asked_to_write_to(&job.input) else {
        return Ok(());
    };
    if hold(c, job.project, prospect).await? {
        return Ok(());
    }
    erase_request(
        c,
        (job.id, job.project),
        job.input.clone(),
        job.pins.clone(),
    )
    .await
}

/// Whether the prospect is there. It stays until the transaction ends: an erasure waits for that, and then finds the job
/// ended.
async fn hold(c: &mut Conn, project: ProjectId, prospect: ProspectId) -> Result<bool, StoreError> {
    let sql = format!("SELECT 1 FROM prospects WHERE id = $1 AND project_id = $2{FOR_UPDATE}");
    let found = sqlx::query(AssertSqlSafe(sql))
        .bind(Text(prospect))
        .bind(Text(project))
        .fetch_optional(c)
        .await?;
    Ok(found.is_some())
}
