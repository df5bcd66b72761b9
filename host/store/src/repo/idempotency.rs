//! Idempotency keys: claimed in the transaction that creates the job, replayed for 24 hours.

use std::time::Duration;

use bytes::Bytes;
use gtm_domain::{Digest, ProjectId, Timestamp};

use super::{Conn, bound_wait, jobs};
use crate::columns::{Json, Text, Time};
use crate::error::StoreError;
use crate::model::job::{CreateJob, IdempotencyClaim, KnownRequest, NewJob, StoredResponse};
use crate::scope::ProjectScope;

/// How long a replay is answered (specification, Limits).
const WINDOW: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(sqlx::FromRow)]
struct RawAnswer {
    fingerprint: Text<Digest>,
    status: i64,
    headers: Json<Vec<(String, String)>>,
    body: Vec<u8>,
}

pub(crate) async fn find(
    c: &mut Conn,
    project: ProjectId,
    claim: &IdempotencyClaim,
    now: Timestamp,
) -> Result<Option<KnownRequest>, StoreError> {
    let sql = "SELECT fingerprint, status, headers, body FROM idempotency \
        WHERE project_id = $1 AND key_hmac = $2 AND expires_at > $3";
    let raw: Option<RawAnswer> = sqlx::query_as(sql)
        .bind(Text(project))
        .bind(claim.key_hmac.as_slice())
        .bind(Time(now))
        .fetch_optional(c)
        .await?;
    let Some(raw) = raw else { return Ok(None) };
    if raw.fingerprint.0 != claim.fingerprint {
        return Ok(Some(KnownRequest::Reused));
    }
    let status = u16::try_from(raw.status)
        .map_err(|_| StoreError::Corrupt("idempotency status".to_owned()))?;
    let response = StoredResponse {
        status,
        headers: raw.headers.0,
        body: Bytes::from(raw.body),
    };
    Ok(Some(KnownRequest::Replay(response)))
}

/// Create a job, under an idempotency key if there is one.
pub(crate) async fn create_job(
    c: &mut Conn,
    scope: &ProjectScope,
    job: &NewJob,
    claim: Option<&IdempotencyClaim>,
    now: Timestamp,
) -> Result<CreateJob, StoreError> {
    let Some(claim) = claim else {
        return Ok(CreateJob::Created(Box::new(
            jobs::insert(c, scope, job, now).await?,
        )));
    };
    // What is known already needs no waiting and no rollback.
    if let Some(known) = find(c, scope.project, claim, now).await? {
        return Ok(answer(known));
    }
    bound_wait(c).await?;
    let row = jobs::insert(c, scope, job, now).await?;
    // A concurrent holder of the same key makes this wait until it commits (or gives the key up).
    let sql = "INSERT INTO idempotency (project_id, key_hmac, fingerprint, job_id, status, headers, body, expires_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (project_id, key_hmac) DO UPDATE SET \
        fingerprint = excluded.fingerprint, job_id = excluded.job_id, status = excluded.status, \
        headers = excluded.headers, body = excluded.body, expires_at = excluded.expires_at \
        WHERE idempotency.expires_at <= $9";
    let inserted = sqlx::query(sql)
        .bind(Text(scope.project))
        .bind(claim.key_hmac.as_slice())
        .bind(Text(claim.fingerprint))
        .bind(Text(job.id))
        .bind(i64::from(job.response.status))
        .bind(Json(&job.response.headers))
        .bind(job.response.body.as_ref())
        .bind(Time(job.created_at.plus(WINDOW)))
        .bind(Time(now))
        .execute(&mut *c)
        .await?;
    if inserted.rows_affected() == 1 {
        return Ok(CreateJob::Created(Box::new(row)));
    }
    // The job just inserted must not stay: give the transaction up, and let the caller look again.
    Err(StoreError::KeyClaimed)
}

fn answer(known: KnownRequest) -> CreateJob {
    match known {
        KnownRequest::Replay(response) => CreateJob::Replayed(response),
        KnownRequest::Reused => CreateJob::KeyReused,
    }
}
