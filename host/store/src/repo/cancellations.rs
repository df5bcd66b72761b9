//! Canceling jobs; a job that no worker has begun ends at once.

use gtm_domain::job::Job;
use gtm_domain::{JobId, Timestamp};

use super::{Conn, damaged_jobs, money, outcomes};
use crate::columns::{Text, Time};
use crate::error::StoreError;

/// Cancels a job: a queued one ends here, a running one is asked to stop, an ended one stays as it is.
/// Returns the job, without its unreadable parts, if anything changed.
pub(crate) async fn cancel(
    c: &mut Conn,
    id: JobId,
    now: Timestamp,
) -> Result<Option<Job>, StoreError> {
    let Some(payer) = money::payer(c, id).await? else {
        return Ok(None);
    };
    money::lock(c, payer).await?;
    let sql = "UPDATE jobs SET status = 'canceled', finished_at = $2, cancel_requested = $3 \
        WHERE id = $1 AND status = 'queued'";
    let ended = sqlx::query(sql)
        .bind(Text(id))
        .bind(Time(now))
        .bind(true)
        .execute(&mut *c)
        .await?;
    if ended.rows_affected() > 0 {
        let row = damaged_jobs::read(c, id, now).await?.map(|found| found.job);
        if let Some(row) = &row {
            outcomes::account(c, row, now).await?;
        }
        return Ok(row);
    }
    let sql = "UPDATE jobs SET cancel_requested = $2 \
        WHERE id = $1 AND status = 'running' AND cancel_requested <> $2";
    let asked = sqlx::query(sql)
        .bind(Text(id))
        .bind(true)
        .execute(&mut *c)
        .await?;
    if asked.rows_affected() == 0 {
        return Ok(None);
    }
    Ok(damaged_jobs::read(c, id, now).await?.map(|found| found.job))
}
