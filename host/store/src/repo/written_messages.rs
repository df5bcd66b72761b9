//! Results of jobs that wrote to a prospect, as far as they say something of the person: what an erasure takes out of
//! them.

use gtm_domain::message::prospect_message_result::{addressee, erased};
use gtm_domain::{JobId, JobType, ProjectId, ProspectId, Timestamp};
use serde_json::Value;
use sqlx::AssertSqlSafe;

use super::{Conn, FOR_UPDATE};
use crate::columns::{Json, Text, Time};
use crate::error::StoreError;
use crate::scope::Lease;

/// Takes what names the person out of all results of the project that wrote to this prospect. The caller has deleted
/// the prospect, and held its row before: a job that ends now waits for that and finds it gone ([`retained`]).
pub(crate) async fn erase(
    c: &mut Conn,
    project: ProjectId,
    prospect: ProspectId,
    now: Timestamp,
) -> Result<(), StoreError> {
    // Only a sieve: what is found is read before it is changed.
    let sql = "SELECT id, result FROM jobs WHERE project_id = $1 AND type = $2 AND status = 'succeeded' \
        AND erased_at IS NULL AND result LIKE $3 ORDER BY id";
    let found: Vec<(Text<JobId>, Json<Value>)> = sqlx::query_as(sql)
        .bind(Text(project))
        .bind(JobType::MessageTemplates.as_str())
        .bind(format!("%{prospect}%"))
        .fetch_all(&mut *c)
        .await?;
    for (job, result) in found {
        if addressee(&result.0) != Some(prospect) {
            continue;
        }
        let sql = "UPDATE jobs SET result = $3, erased_at = $4 WHERE id = $1 AND project_id = $2";
        sqlx::query(sql)
            .bind(job)
            .bind(Text(project))
            .bind(Json(erased(result.0, now)))
            .bind(Time(now))
            .execute(&mut *c)
            .await?;
    }
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
    let sql = format!("SELECT 1 FROM prospects WHERE id = $1 AND project_id = $2{FOR_UPDATE}");
    let found = sqlx::query(AssertSqlSafe(sql))
        .bind(Text(prospect))
        .bind(Text(lease.project))
        .fetch_optional(c)
        .await?;
    Ok(found.is_none().then(|| erased(result.clone(), now)))
}
