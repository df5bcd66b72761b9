//! Amounts that calls of ended jobs may still be charged, until an operator settles them. If they did not
//! count, a project could spend the same money again on top of what its provider may bill. They count
//! against the limits of the month in which the job ended, where a correction would count too, and against
//! the credit. The sums change when jobs end and when calls are reconciled; whoever changes them holds the
//! organization's money.

use gtm_domain::job::Job;
use sqlx::AssertSqlSafe;

use gtm_domain::MicroUsd;

use super::owner_sums::{self, Owners, Sum};
use super::{Conn, sum_of};
use crate::columns::Text;
use crate::error::StoreError;

/// SQL: whether the call of `c`, a cost row, awaits reconciliation.
pub(super) const AWAITS: &str = "c.reconcile AND NOT EXISTS (SELECT 1 FROM ledger_transactions t \
    WHERE t.job_id = c.job_id AND t.kind = 'reconciliation' AND t.step = c.seq)";

/// Recounts the amount that awaits reconciliation for an ended job; an amount already counted is not added
/// twice. Returns whether the sum was wrong.
pub(super) async fn count(c: &mut Conn, job: &Job) -> Result<bool, StoreError> {
    let Some(ended) = job.finished_at else {
        return Ok(false);
    };
    let sql = format!(
        "SELECT j.awaiting, (SELECT {} FROM cost_rows c WHERE c.job_id = j.id AND {AWAITS}) \
         FROM jobs j WHERE j.id = $1",
        sum_of("c.held")
    );
    let (counted, awaiting): (i64, i64) = sqlx::query_as(AssertSqlSafe(sql))
        .bind(Text(job.id))
        .fetch_one(&mut *c)
        .await?;
    if counted == awaiting {
        return Ok(false);
    }
    sqlx::query("UPDATE jobs SET awaiting = $2 WHERE id = $1")
        .bind(Text(job.id))
        .bind(awaiting)
        .execute(&mut *c)
        .await?;
    let by = MicroUsd::from_micros(awaiting) - MicroUsd::from_micros(counted);
    let owners = Owners {
        key: job.key,
        project: job.project,
        organization: job.organization,
    };
    let sum = Sum::Awaiting {
        month: ended.month(),
    };
    owner_sums::change(c, &owners, sum, by).await?;
    Ok(true)
}

/// How many calls of a job await reconciliation.
pub(super) async fn calls_of(c: &mut Conn, job: &Job) -> Result<i64, StoreError> {
    let sql = format!("SELECT COUNT(*) FROM cost_rows c WHERE c.job_id = $1 AND {AWAITS}");
    Ok(sqlx::query_scalar(AssertSqlSafe(sql))
        .bind(Text(job.id))
        .fetch_one(c)
        .await?)
}
