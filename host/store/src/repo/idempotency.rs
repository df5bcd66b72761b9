//! Idempotency keys: claimed in the transaction that creates what they protect, replayed for 24
//! hours.

use std::time::Duration;

use bytes::Bytes;
use gtm_domain::{Digest, ProjectId, TierTable, Timestamp};

use super::{Conn, bound_wait, jobs, money};
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
    tiers: &TierTable,
    now: Timestamp,
) -> Result<CreateJob, StoreError> {
    // What is known already needs no waiting and no rollback.
    if let Some(claim) = claim
        && let Some(known) = find(c, scope.project, claim, now).await?
    {
        return Ok(answer(known));
    }
    let balance = money::lock(c, scope.organization).await?;
    // The request that held the money may have been the same one; a replay is never refused.
    if let Some(claim) = claim
        && let Some(known) = find(c, scope.project, claim, now).await?
    {
        return Ok(answer(known));
    }
    let reserved = match money::admit(c, scope, job, tiers, balance).await? {
        Ok(reserved) => reserved,
        Err(refusal) => return Ok(CreateJob::Refused(refusal)),
    };
    let row = jobs::insert(c, scope, job, reserved, now).await?;
    if let Some(claim) = claim {
        let protected = Protected {
            resource: job.id.to_string(),
            response: &job.response,
            created_at: job.created_at,
        };
        self::claim(c, scope.project, claim, &protected, now).await?;
    }
    Ok(CreateJob::Created(Box::new(row)))
}

/// What a key protects: what was created, and the answer that said so.
pub(crate) struct Protected<'a> {
    /// Id of what was created.
    pub(crate) resource: String,
    /// The answer that a replay repeats.
    pub(crate) response: &'a StoredResponse,
    /// When; the window counts from here.
    pub(crate) created_at: Timestamp,
}

/// Claim a key for what the same transaction creates. A concurrent holder of the key makes this wait
/// until it commits or gives the key up, but not long.
///
/// # Errors
/// [`StoreError::KeyClaimed`] if another request has the key. What was created must not stay: give
/// the transaction up, and let the caller look again.
pub(crate) async fn claim(
    c: &mut Conn,
    project: ProjectId,
    claim: &IdempotencyClaim,
    protected: &Protected<'_>,
    now: Timestamp,
) -> Result<(), StoreError> {
    bound_wait(c).await?;
    let sql = "INSERT INTO idempotency (project_id, key_hmac, fingerprint, resource, status, headers, body, expires_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (project_id, key_hmac) DO UPDATE SET \
        fingerprint = excluded.fingerprint, resource = excluded.resource, status = excluded.status, \
        headers = excluded.headers, body = excluded.body, expires_at = excluded.expires_at \
        WHERE idempotency.expires_at <= $9";
    let response = protected.response;
    let inserted = sqlx::query(sql)
        .bind(Text(project))
        .bind(claim.key_hmac.as_slice())
        .bind(Text(claim.fingerprint))
        .bind(&protected.resource)
        .bind(i64::from(response.status))
        .bind(Json(&response.headers))
        .bind(response.body.as_ref())
        .bind(Time(protected.created_at.plus(WINDOW)))
        .bind(Time(now))
        .execute(c)
        .await?;
    if inserted.rows_affected() == 1 {
        Ok(())
    } else {
        Err(StoreError::KeyClaimed)
    }
}

fn answer(known: KnownRequest) -> CreateJob {
    match known {
        KnownRequest::Replay(response) => CreateJob::Replayed(response),
        KnownRequest::Reused => CreateJob::KeyReused,
    }
}
