//! Retention: what goes when its time has passed (architecture §8). Usage, cost and ledger rows stay.

use gtm_domain::{JobId, Timestamp};

use super::{Conn, jobs};
use crate::columns::{Text, Time};
use crate::error::StoreError;

/// Jobs in one transaction, so that a sweep never holds other writes up for long.
const BATCH: i64 = 50;

/// Remove the data of some expired jobs; their bare rows stay, so that 410 is still told from 404.
/// Returns how many were swept; zero when none is left.
pub(crate) async fn sweep_jobs(c: &mut Conn, now: Timestamp) -> Result<u64, StoreError> {
    let sql = "SELECT id FROM jobs WHERE expires_at <= $1 AND swept_at IS NULL AND finished_at IS NOT NULL \
        ORDER BY expires_at LIMIT $2";
    let expired: Vec<Text<JobId>> = sqlx::query_scalar(sql)
        .bind(Time(now))
        .bind(BATCH)
        .fetch_all(&mut *c)
        .await?;
    let mut swept = 0;
    for id in expired {
        for sql in [
            "DELETE FROM job_events WHERE job_id = $1",
            // Receipts go with their steps.
            "DELETE FROM job_steps WHERE job_id = $1",
            "DELETE FROM blob_references WHERE job_id = $1",
        ] {
            sqlx::query(sql).bind(id).execute(&mut *c).await?;
        }
        let bare = "UPDATE jobs SET input = 'null', pins = 'null', result = NULL, error = NULL, swept_at = $2 \
            WHERE id = $1";
        swept += sqlx::query(bare)
            .bind(id)
            .bind(Time(now))
            .execute(&mut *c)
            .await?
            .rows_affected();
    }
    Ok(swept)
}

/// Stop jobs that outlived their retention without ending.
pub(crate) async fn end_overdue(c: &mut Conn, now: Timestamp) -> Result<(), StoreError> {
    let sql = "SELECT id FROM jobs WHERE expires_at <= $1 AND swept_at IS NULL AND finished_at IS NULL LIMIT $2";
    let overdue: Vec<Text<JobId>> = sqlx::query_scalar(sql)
        .bind(Time(now))
        .bind(BATCH)
        .fetch_all(&mut *c)
        .await?;
    for id in overdue {
        jobs::cancel(c, id.0, now).await?;
    }
    Ok(())
}

pub(crate) async fn sweep_idempotency(c: &mut Conn, now: Timestamp) -> Result<u64, StoreError> {
    let done = sqlx::query("DELETE FROM idempotency WHERE expires_at <= $1")
        .bind(Time(now))
        .execute(c)
        .await?;
    Ok(done.rows_affected())
}
