//! What calls of ended jobs may cost beyond what they were charged, as long as no operator has said what
//! they did cost. It counts against the limits of the month in which the job ended, since a correction
//! would count there, and against the credit; else a project could spend the same money again on top of what
//! its provider may bill. The sums change where jobs end and calls are reconciled; whoever changes them
//! holds the organization's money.

use gtm_domain::job::Job;
use sqlx::AssertSqlSafe;

use gtm_domain::MicroUsd;

use super::owner_sums::{self, Owners, Sum};
use super::{Conn, sum_of};
use crate::columns::Text;
use crate::error::StoreError;

/// Whether the call of `c`, a cost row, awaits reconciliation.
pub(super) const AWAITS: &str = "c.reconcile AND NOT EXISTS (SELECT 1 FROM ledger_transactions t \
    WHERE t.job_id = c.job_id AND t.kind = 'reconciliation' AND t.step = c.seq)";

/// Count anew what of an ended job's calls awaits reconciliation. What is counted already is not counted
/// twice. Returns whether anything was off.
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
