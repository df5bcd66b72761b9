//! Completes the end of a job that was given up. A rule of the database or an unreadable row then kept
//! parts of the end from being written (`outcomes::give_up`): settlement, usage row, marks on its calls, or
//! sums. They are written when the last of its calls is settled, or when an operator requests it.

use gtm_domain::job::{Job, JobSettlement};
use gtm_domain::{JobId, Timestamp};

use super::{Conn, awaiting, damaged_jobs, exposure, ledger, money, outcomes, products, steps};
use crate::columns::Text;
use crate::error::StoreError;

/// Writes the missing parts of a job's end.
///
/// # Errors
/// [`StoreError::Conflict`] if the job has not ended; if nothing is missing; if the missing parts have to
/// wait for calls that await reconciliation; or if its calls differ from its charge although it was not
/// given up.
pub(crate) async fn settle(
    c: &mut Conn,
    id: JobId,
    now: Timestamp,
) -> Result<JobSettlement, StoreError> {
    let absent = || StoreError::absent("job", id);
    let payer = money::payer(c, id).await?.ok_or_else(absent)?;
    money::lock(c, payer).await?;
    let job = damaged_jobs::read(c, id, now).await?;
    let job = job.ok_or_else(absent)?.job;
    if job.finished_at.is_none() {
        return Err(StoreError::Conflict(format!(
            "job {id} has not ended yet; it is settled when it does"
        )));
    }
    let given_up = was_given_up(c, &job).await?;
    // The job was charged for its calls already: a mark would allow charging them a second time.
    if !given_up && steps::spend(c, job.id).await? != job.usage.cost {
        return Err(StoreError::Conflict(format!(
            "the calls of job {id} do not add up to what it was charged, and it was not given up: nothing is written; `gtm ledger verify` and `gtm credit` are for that"
        )));
    }
    let calls_marked = if given_up && steps::has_unmarked(c, job.id).await? {
        steps::mark_all(c, job.id, job.organization, now).await?
    } else {
        0
    };
    let counted = awaiting::count(c, &job).await?;
    let in_doubt = awaiting::calls_of(c, &job).await?;
    let mut written = if in_doubt == 0 {
        make_up(c, &job, now).await?
    } else {
        JobSettlement::nothing(&job)
    };
    written.calls_marked = calls_marked;
    written.sums_recounted = exposure::recount(c, &job).await? || counted;
    if written.is_something() {
        return Ok(written);
    }
    Err(StoreError::Conflict(if in_doubt == 0 {
        format!("nothing is missing of the end of job {id}")
    } else {
        format!(
            "{in_doubt} of the calls of job {id} await reconciliation; settle them first, and what is missing of its end is written with the last"
        )
    }))
}

/// Writes settlement and usage row, if missing, of an ended job that has no call in doubt. The caller holds
/// the organization's money.
pub(super) async fn make_up(
    c: &mut Conn,
    job: &Job,
    now: Timestamp,
) -> Result<JobSettlement, StoreError> {
    let mut written = JobSettlement::nothing(job);
    let sql = "SELECT EXISTS (SELECT 1 FROM ledger_transactions WHERE job_id = $1 AND kind = 'settlement'), \
        EXISTS (SELECT 1 FROM usage_rows WHERE job_id = $1)";
    let (settled, counted): (bool, bool) = sqlx::query_as(sql)
        .bind(Text(job.id))
        .fetch_one(&mut *c)
        .await?;
    if !settled {
        outcomes::settle(c, job, now).await?;
        written.released = Some(job.reserved);
    }
    if !counted {
        outcomes::count_usage(c, job, job.finished_at.unwrap_or(now)).await?;
        written.usage_row = true;
    }
    if written.is_something() {
        // This may have been left out for the same reason; writing it twice changes nothing.
        products::ended(c, job, now).await?;
    }
    Ok(written)
}

/// Whether an ended job has calls whose cost, or possible cost, neither its charge nor a mark accounts for.
pub(super) async fn lacks_marks(c: &mut Conn, job: &Job) -> Result<bool, StoreError> {
    Ok(was_given_up(c, job).await? && steps::has_unmarked(c, job.id).await?)
}

/// Whether a job failed without its ordinary end, so that its calls were not charged.
async fn was_given_up(c: &mut Conn, job: &Job) -> Result<bool, StoreError> {
    if !job.says_it_was_given_up() {
        return Ok(false);
    }
    let sql = "SELECT EXISTS (SELECT 1 FROM ledger_transactions t JOIN ledger_entries e \
        ON e.transaction_id = t.id WHERE t.job_id = $1 AND t.kind = 'settlement' \
        AND e.account = $2 AND e.amount <> 0)";
    let charged: bool = sqlx::query_scalar(sql)
        .bind(Text(job.id))
        .bind(ledger::REVENUE)
        .fetch_one(c)
        .await?;
    Ok(!charged)
}
