//! What is missing of the end of a job that was given up, since a rule of the database refused it then or a
//! row could not be read (`outcomes::give_up`): its settlement and usage row, the marks on its calls, and the
//! sums that it was to change. It is written with the last of its calls that is settled, or when an operator
//! asks.

use gtm_domain::job::{Job, JobSettlement};
use gtm_domain::{JobId, Timestamp};

use super::{Conn, awaiting, damaged_jobs, exposure, ledger, money, outcomes, products, steps};
use crate::columns::Text;
use crate::error::StoreError;

/// Write what is missing of the end of a job.
///
/// # Errors
/// [`StoreError::Conflict`] if the job has not ended, nothing is missing, what is missing has to wait for
/// calls that await reconciliation, or its calls differ from what it was charged though it was not given up.
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
    // Whoever was charged has paid for them: a mark would let them be charged once more.
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

/// Write settlement and usage row of an ended job none of whose calls is in doubt, if they are missing. The
/// organization's money is held.
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
        // Left out for the same reason, perhaps; written twice, it changes nothing.
        products::ended(c, job, now).await?;
    }
    Ok(written)
}

/// Whether calls of an ended job cost, or may cost, what neither its charge nor a mark tells of.
pub(super) async fn lacks_marks(c: &mut Conn, job: &Job) -> Result<bool, StoreError> {
    Ok(was_given_up(c, job).await? && steps::has_unmarked(c, job.id).await?)
}

/// Whether a job failed without its ordinary end, so that it was charged nothing for its calls.
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
