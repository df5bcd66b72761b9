//! Records that reveal a wrong key ring at start.

use gtm_domain::Timestamp;

use super::Conn;
use crate::columns::Time;
use crate::error::StoreError;
use crate::secrets::RingCheck;

row! {
    struct RawCheck {
        key_id: String,
        kind: String,
        sealed: Vec<u8>,
    }
}

pub(crate) async fn list(c: &mut Conn) -> Result<Vec<RingCheck>, StoreError> {
    let rows: Vec<RawCheck> = sqlx::query_as(
        "SELECT key_id, kind, sealed FROM key_ring_checks ORDER BY created_at, key_id",
    )
    .fetch_all(c)
    .await?;
    Ok(rows
        .into_iter()
        .map(|r| RingCheck {
            key_id: r.key_id,
            kind: r.kind,
            sealed: r.sealed,
        })
        .collect())
}

/// Inserts new records and returns all that exist then: of two nodes that start at once, the second gets
/// the first one's.
pub(crate) async fn insert_if_none_of_kind(
    c: &mut Conn,
    check: &RingCheck,
    now: Timestamp,
) -> Result<Vec<RingCheck>, StoreError> {
    super::serialize_claims(c).await?;
    let present = list(c).await?;
    if present.iter().any(|p| p.kind == check.kind) {
        return Ok(present);
    }
    insert(c, check, now).await?;
    list(c).await
}

/// Inserts the record unless it exists. Returns whether it was inserted.
pub(crate) async fn insert(
    c: &mut Conn,
    check: &RingCheck,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let sql = "INSERT INTO key_ring_checks (key_id, kind, sealed, created_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (key_id) DO NOTHING";
    let done = sqlx::query(sql)
        .bind(&check.key_id)
        .bind(&check.kind)
        .bind(&check.sealed)
        .bind(Time(now))
        .execute(c)
        .await?;
    Ok(done.rows_affected() > 0)
}
