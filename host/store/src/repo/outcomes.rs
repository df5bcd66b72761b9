//! The end of a job: outcome, usage, settlement and status in one transaction.

use gtm_domain::job::{Finish, Job, JobError};
use gtm_domain::money::{LedgerKind, Refused};
use gtm_domain::{JobStatus, Timestamp, Usage};

use super::jobs::RawJob;
use super::{
    Conn, awaiting, claims, damaged_jobs, expected_costs, exposure, ledger, money, products,
    savepoints, stages, steps, usage,
};
use crate::columns::{Json, Text, Time};
use crate::error::StoreError;
use crate::prepared_product::PreparedProduct;
use crate::scope::Lease;

pub(crate) async fn finish(
    c: &mut Conn,
    lease: &Lease,
    finish: &Finish,
    prepared: PreparedProduct<'_>,
    usage: Usage,
    now: Timestamp,
) -> Result<Job, StoreError> {
    let balance = money::lock(c, lease.organization).await?;
    let held = claims::owned(c, lease).await?;
    // Charge what the cost rows say; a sum passed by the caller could only differ by mistake.
    let usage = Usage {
        cost: steps::spend(c, lease.job).await?,
        ..usage
    };
    let (status, result, error) = match finish {
        Finish::Succeeded { result, .. } => {
            match money::over_balance(c, lease, balance, usage.cost).await? {
                None => (JobStatus::Succeeded, Some(Json(result)), None),
                Some(refusal) => (
                    JobStatus::Failed,
                    None,
                    Some(Json(
                        refusal.job_error(Refused::Result { charge: usage.cost }),
                    )),
                ),
            }
        }
        Finish::Failed { error } => (JobStatus::Failed, None, Some(Json(error.clone()))),
        Finish::Canceled => (JobStatus::Canceled, None, None),
    };
    let numbered = match finish {
        Finish::Succeeded { result, product } if status == JobStatus::Succeeded => {
            products::numbered(c, lease, result, product, now).await?
        }
        _ => None,
    };
    let result = numbered
        .as_ref()
        .map_or(result, |result| Some(Json(result)));
    stages::job_ends(c, lease, held, status, now).await?;
    let sql = "UPDATE jobs SET status = $4, result = $5, error = $6, usage = $7, finished_at = $8, lease_until = NULL, \
        progress = CASE WHEN $4 = 'succeeded' THEN 100 ELSE progress END \
        WHERE id = $1 AND fence = $2 AND worker = $3 AND status = 'running' RETURNING *";
    let raw: Option<RawJob> = sqlx::query_as(sql)
        .bind(Text(lease.job))
        .bind(lease.fence)
        .bind(Text(lease.worker))
        .bind(status.as_str())
        .bind(result)
        .bind(error)
        .bind(Json(usage))
        .bind(Time(now))
        .fetch_optional(&mut *c)
        .await?;
    let row = raw.ok_or(StoreError::LeaseLost)?.into_row(now)?;
    if let (JobStatus::Succeeded, Finish::Succeeded { product, .. }) = (row.status, finish) {
        products::publish(c, lease, &row, product, prepared, now).await?;
    }
    exposure::release(c, lease).await?;
    account(c, &row, now).await?;
    Ok(row)
}

/// Ends a job as failed that could not be ended otherwise. It is charged nothing, and every call that may
/// have cost something awaits reconciliation. This reads nothing that may be damaged: neither the journal's
/// outcomes, nor a sum of costs, nor the job's input. Everything but the end itself is written part by
/// part: a part that a rule of the database refuses, or that cannot be read, is left out, because it may be
/// what prevented the ordinary end.
pub(crate) async fn give_up(
    c: &mut Conn,
    lease: &Lease,
    error: &JobError,
    now: Timestamp,
) -> Result<Job, StoreError> {
    money::lock(c, lease.organization).await?;
    let held = claims::owned(c, lease).await?;
    savepoints::begin(c).await?;
    let done = exposure::release(c, lease).await;
    savepoints::end(c, lease.job, "release of what its calls took", done).await?;
    savepoints::begin(c).await?;
    let done = steps::mark_all(c, lease.job, lease.organization, now).await;
    let done = done.map(drop);
    let marked = savepoints::end(c, lease.job, "marks on its calls", done).await?;
    savepoints::begin(c).await?;
    let done = stages::job_ends(c, lease, held, JobStatus::Failed, now).await;
    savepoints::end(c, lease.job, "end of its stages", done).await?;
    let sql = "UPDATE jobs SET status = 'failed', error = $4, usage = $5, finished_at = $6, lease_until = NULL \
        WHERE id = $1 AND fence = $2 AND worker = $3 AND status = 'running'";
    let ended = sqlx::query(sql)
        .bind(Text(lease.job))
        .bind(lease.fence)
        .bind(Text(lease.worker))
        .bind(Json(error))
        .bind(Json(Usage::default()))
        .bind(Time(now))
        .execute(&mut *c)
        .await?;
    if ended.rows_affected() == 0 {
        return Err(StoreError::LeaseLost);
    }
    let row = damaged_jobs::read(c, lease.job, now).await?;
    let row = row.ok_or(StoreError::LeaseLost)?.job;
    savepoints::begin(c).await?;
    let done = awaiting::count(c, &row).await.map(drop);
    savepoints::end(c, row.id, "sum of what awaits reconciliation", done).await?;
    savepoints::begin(c).await?;
    let done = settle(c, &row, now).await;
    savepoints::end(c, row.id, "settlement on the ledger", done).await?;
    savepoints::begin(c).await?;
    let done = products::ended(c, &row, now).await;
    savepoints::end(c, row.id, "end of its brand's research", done).await?;
    if marked {
        savepoints::begin(c).await?;
        let done = count_usage(c, &row, now).await;
        savepoints::end(c, row.id, "usage row", done).await?;
    } else {
        // Without the marks, the usage row would count costs for connectors although nothing is charged.
        tracing::error!(job = %row.id, "the usage row of the job waits for marks on its calls");
    }
    Ok(row)
}

/// Writes an ended job's usage row, turns its reservation into the charge, keeps counting amounts in doubt,
/// and ends whatever depends on the job. The caller holds the organization's money.
pub(super) async fn account(c: &mut Conn, row: &Job, now: Timestamp) -> Result<(), StoreError> {
    settle(c, row, now).await?;
    awaiting::count(c, row).await?;
    expected_costs::learn(c, row).await?;
    products::ended(c, row, now).await?;
    count_usage(c, row, now).await
}

/// Turns an ended job's reservation into the charge, in the sums and on the ledger.
pub(super) async fn settle(c: &mut Conn, row: &Job, now: Timestamp) -> Result<(), StoreError> {
    money::settled(c, row, row.finished_at.unwrap_or(now)).await?;
    let cost = row.usage.cost;
    let entries = [
        (ledger::reserved_account(row.organization), -row.reserved),
        (
            ledger::credit_account(row.organization),
            row.reserved - cost,
        ),
        (ledger::REVENUE.to_owned(), cost),
    ];
    ledger::append(c, row, LedgerKind::Settlement, now, &entries).await
}

/// Writes the usage row of a job that ended at `now`, and counts it in its month.
pub(super) async fn count_usage(c: &mut Conn, row: &Job, now: Timestamp) -> Result<(), StoreError> {
    let consumed = &row.usage;
    let sql = "INSERT INTO usage_rows (job_id, project_id, organization_id, key_id, type, status, input_tokens, \
        cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, backend_requests, backend_runtime_ms, \
        connector_requests, connector_bytes, cost, at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
    let query = sqlx::query(sql)
        .bind(Text(row.id))
        .bind(Text(row.project))
        .bind(Text(row.organization))
        .bind(Text(row.key))
        .bind(row.job_type.as_str())
        .bind(row.status.as_str());
    usage::bind_usage(query, consumed)
        .bind(Time(now))
        .execute(&mut *c)
        .await?;
    usage::job_ended(c, row, now).await
}
