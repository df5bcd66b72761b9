//! Idempotency keys: claimed in the transaction that creates what they protect, replayed for 24 hours.

use std::fmt::Display;
use std::time::Duration;

use bytes::Bytes;
use gtm_domain::idempotency::{IdempotencyClaim, KnownRequest, REPLAY_WINDOW, StoredAnswer};
use gtm_domain::{Digest, ProjectId, Timestamp};

use super::{Conn, WAIT_FOR_ROWS, bound_wait};
use crate::columns::{Text, Time};
use crate::error::StoreError;
use crate::model::job::NewJob;

/// Longest wait for another request with the same key; after that the caller is asked to retry later.
const WAIT_FOR_KEY: Duration = Duration::from_secs(2);

row! {
    struct RawAnswer {
        fingerprint: Text<Digest>,
        head: String,
        body: Vec<u8>,
    }
}

pub(crate) async fn find(
    c: &mut Conn,
    project: ProjectId,
    claim: &IdempotencyClaim,
    now: Timestamp,
) -> Result<Option<KnownRequest>, StoreError> {
    let sql = "SELECT fingerprint, head, body FROM idempotency \
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
    Ok(Some(KnownRequest::Replay(StoredAnswer {
        head: raw.head,
        body: Bytes::from(raw.body),
    })))
}

/// What a key protects: the created resource, and the answer that announced it.
pub(crate) struct Protected<'a> {
    /// Id of the created resource.
    pub(crate) resource: String,
    /// The answer that a replay repeats.
    pub(crate) response: &'a StoredAnswer,
    /// Creation time; the replay window counts from here.
    pub(crate) created_at: Timestamp,
}

impl<'a> Protected<'a> {
    /// For a job that is about to be created.
    pub(crate) fn job(job: &'a NewJob) -> Self {
        Self {
            resource: job.id.to_string(),
            response: &job.response,
            created_at: job.created_at,
        }
    }
}

/// Replaces the answer under a key that this transaction claimed. The protected resource is not created; a
/// caller that repeats the request gets the replacement instead.
pub(crate) async fn keep_instead(
    c: &mut Conn,
    project: ProjectId,
    claim: &IdempotencyClaim,
    resource: impl Display,
    response: &StoredAnswer,
) -> Result<(), StoreError> {
    let sql = "UPDATE idempotency SET resource = $3, head = $4, body = $5 \
        WHERE project_id = $1 AND key_hmac = $2";
    sqlx::query(sql)
        .bind(Text(project))
        .bind(claim.key_hmac.as_slice())
        .bind(resource.to_string())
        .bind(&response.head)
        .bind(response.body.as_ref())
        .execute(c)
        .await?;
    Ok(())
}

/// Releases a key that this transaction claimed.
pub(crate) async fn give_up(
    c: &mut Conn,
    project: ProjectId,
    claim: &IdempotencyClaim,
) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM idempotency WHERE project_id = $1 AND key_hmac = $2")
        .bind(Text(project))
        .bind(claim.key_hmac.as_slice())
        .execute(c)
        .await?;
    Ok(())
}

/// Claims a key for what this transaction is about to create, unless the key is already known. If another
/// transaction holds the key, waits a short time for it to commit or release the key.
///
/// # Errors
/// [`StoreError::KeyClaimed`] if another request got the key meanwhile, [`StoreError::KeyHeld`] if one
/// holds it for too long. Roll the transaction back, and let the caller look the key up again.
pub(crate) async fn claim(
    c: &mut Conn,
    project: ProjectId,
    claim: &IdempotencyClaim,
    protected: &Protected<'_>,
    now: Timestamp,
) -> Result<Option<KnownRequest>, StoreError> {
    // A known key needs no waiting and no rollback.
    if let Some(known) = find(c, project, claim, now).await? {
        return Ok(Some(known));
    }
    bound_wait(c, WAIT_FOR_KEY).await?;
    let sql = "INSERT INTO idempotency (project_id, key_hmac, fingerprint, resource, head, body, expires_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (project_id, key_hmac) DO UPDATE SET \
        fingerprint = excluded.fingerprint, resource = excluded.resource, head = excluded.head, \
        body = excluded.body, expires_at = excluded.expires_at WHERE idempotency.expires_at <= $8";
    let response = protected.response;
    let inserted = sqlx::query(sql)
        .bind(Text(project))
        .bind(claim.key_hmac.as_slice())
        .bind(Text(claim.fingerprint))
        .bind(&protected.resource)
        .bind(&response.head)
        .bind(response.body.as_ref())
        .bind(Time(protected.created_at.plus(REPLAY_WINDOW)))
        .bind(Time(now))
        .execute(&mut *c)
        .await
        .map_err(|error| match StoreError::from(error) {
            StoreError::Busy => StoreError::KeyHeld,
            other => other,
        })?;
    if inserted.rows_affected() == 0 {
        return Err(StoreError::KeyClaimed);
    }
    bound_wait(c, WAIT_FOR_ROWS).await?;
    Ok(None)
}
