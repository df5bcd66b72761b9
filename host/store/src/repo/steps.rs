//! The journal: settlements and receipts. `step_intents` begins calls.

use gtm_domain::job::JobReceipt;
use gtm_domain::money::ReconciliationState;
use gtm_domain::receipt::Receipt;
use gtm_domain::step::{ConnectorRef, NewStep, StepState, held_in_doubt};
use gtm_domain::{
    ConnectionId, Digest, JobId, MicroUsd, OrganizationId, ProjectId, ReceiptId, Timestamp, Usage,
};
use sqlx::AssertSqlSafe;

use super::step_sql::{LEFT_OPEN, MAY_COST};
use super::{Conn, added, blob_references, claims, exposure, money, step_intents, sum_of, usage};
use crate::blobs::StoredBytes;
use crate::columns::{Json, Text, Time, count, instant, stored};
use crate::error::StoreError;
use crate::model::step::ReceiptPlace;
use crate::scope::Lease;
use crate::settlement::{PreparedSettlement, StoredStep};

row! {
    struct RawStep {
        seq: i64,
        capability: String,
        input_digest: Text<Digest>,
        connection_id: Option<Text<ConnectionId>>,
        connector: Option<Json<ConnectorRef>>,
        replay_safe: bool,
        keyed: bool,
        step_key: String,
        ceiling: i64,
        state: String,
        outcome: Option<String>,
        outcome_blob: Option<Text<Digest>>,
        usage: Option<Json<Usage>>,
        attempts: i64,
        started_at: Time,
        settled_at: Option<Time>,
        held: i64,
    }
}

fn not_started(seq: u64) -> StoreError {
    StoreError::Conflict(format!("step {seq} is not started, or settled already"))
}

pub(crate) async fn settle(
    c: &mut Conn,
    lease: &Lease,
    seq: u64,
    settlement: &PreparedSettlement,
    now: Timestamp,
) -> Result<(), StoreError> {
    let open = step_intents::open(c, lease, seq).await?.unwrap_or_default();
    let at_most = settlement.at_most.unwrap_or(open.ceiling());
    let held = held_in_doubt(at_most, settlement.usage.cost, settlement.reconcile);
    let taken = settlement.usage.cost + held - open.may_cost();
    if taken != MicroUsd::ZERO {
        money::lock(c, lease.organization).await?;
    }
    claims::owned(c, lease).await?;
    let sql = "UPDATE job_steps SET state = $3, outcome = $4, outcome_blob = $5, usage = $6, settled_at = $7 \
        WHERE job_id = $1 AND seq = $2 AND state = 'started'";
    let inline = settlement.outcome.inline().map(String::from_utf8_lossy);
    let done = sqlx::query(sql)
        .bind(Text(lease.job))
        .bind(stored(seq))
        .bind(settlement.state.as_str())
        .bind(inline.as_deref())
        .bind(settlement.outcome.blob().map(Text))
        .bind(Json(settlement.usage))
        .bind(Time(now))
        .execute(&mut *c)
        .await?;
    if done.rows_affected() == 0 {
        return Err(not_started(seq));
    }
    if let Some(digest) = settlement.outcome.blob() {
        blob_references::add(c, lease.job, lease.project, digest).await?;
    }
    for (position, (receipt, body)) in settlement.exchanges.iter().enumerate() {
        insert_receipt(c, lease, seq, stored(position as u64), receipt, body).await?;
    }
    insert_cost(c, lease, seq, settlement, held, now).await?;
    exposure::change(c, lease, taken).await
}

async fn insert_receipt(
    c: &mut Conn,
    lease: &Lease,
    seq: u64,
    position: i64,
    receipt: &Receipt,
    body: &StoredBytes,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO receipts (id, job_id, seq, position, project_id, receipt, body, body_blob) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    sqlx::query(sql)
        .bind(Text(receipt.id))
        .bind(Text(lease.job))
        .bind(stored(seq))
        .bind(position)
        .bind(Text(lease.project))
        .bind(Json(receipt))
        .bind(body.inline())
        .bind(body.blob().map(Text))
        .execute(&mut *c)
        .await?;
    if let Some(digest) = body.blob() {
        blob_references::add(c, lease.job, lease.project, digest).await?;
    }
    Ok(())
}

async fn insert_cost(
    c: &mut Conn,
    lease: &Lease,
    seq: u64,
    settlement: &PreparedSettlement,
    held: MicroUsd,
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO cost_rows (job_id, seq, project_id, organization_id, capability, connection_id, connector, \
        input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, connector_requests, \
        connector_bytes, cost, reconcile, at, reported, held) \
        SELECT job_id, seq, project_id, $3, capability, connection_id, connector, \
        $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15 FROM job_steps WHERE job_id = $1 AND seq = $2";
    let query = sqlx::query(sql)
        .bind(Text(lease.job))
        .bind(stored(seq))
        .bind(Text(lease.organization));
    usage::bind_calls(query, &settlement.usage)
        .bind(settlement.reconcile)
        .bind(Time(now))
        .bind(settlement.reported.map(MicroUsd::micros))
        .bind(held.micros())
        .execute(c)
        .await?;
    Ok(())
}

/// Whether a row of `cost_rows` has a cost that no operator has corrected.
const UNTOLD: &str = "cost <> 0 AND NOT EXISTS (SELECT 1 FROM ledger_transactions t \
    WHERE t.job_id = cost_rows.job_id AND t.kind = 'reconciliation' AND t.step = cost_rows.seq)";

/// Marks every call of a job that may have cost something for reconciliation and charges nothing for it:
/// its cost becomes the reported amount and is held like other amounts in doubt. A call that is still open
/// is marked too and holds what all its attempts may cost. An operator's earlier corrections stay. Returns
/// how many calls were marked.
pub(super) async fn mark_all(
    c: &mut Conn,
    job: JobId,
    organization: OrganizationId,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let sql = format!(
        "UPDATE cost_rows SET reported = COALESCE(reported, cost), held = {}, cost = 0, reconcile = $2 \
         WHERE job_id = $1 AND {UNTOLD}",
        added("held", "cost")
    );
    let marked = sqlx::query(AssertSqlSafe(sql))
        .bind(Text(job))
        .bind(true)
        .execute(&mut *c)
        .await?;
    let sql = format!(
        "INSERT INTO cost_rows (job_id, seq, project_id, organization_id, capability, connection_id, connector, \
        input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, connector_requests, \
        connector_bytes, cost, reconcile, at, held) \
        SELECT s.job_id, s.seq, s.project_id, $2, s.capability, s.connection_id, s.connector, \
        0, 0, 0, 0, 0, s.attempts, 0, 0, $3, $4, {MAY_COST} \
        FROM job_steps s WHERE s.job_id = $1 AND {LEFT_OPEN} ON CONFLICT DO NOTHING"
    );
    let begun = sqlx::query(AssertSqlSafe(sql))
        .bind(Text(job))
        .bind(Text(organization))
        .bind(true)
        .bind(Time(now))
        .execute(c)
        .await?;
    Ok(marked.rows_affected() + begun.rows_affected())
}

/// Whether a job has a call that [`mark_all`] would mark.
pub(super) async fn has_unmarked(c: &mut Conn, job: JobId) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM cost_rows WHERE job_id = $1 AND {UNTOLD}) \
         OR EXISTS (SELECT 1 FROM job_steps s WHERE s.job_id = $1 AND {LEFT_OPEN})"
    );
    let query = sqlx::query_scalar(AssertSqlSafe(sql)).bind(Text(job));
    Ok(query.fetch_one(c).await?)
}

/// The journal of a job in order.
pub(crate) async fn list(c: &mut Conn, job: JobId) -> Result<Vec<StoredStep>, StoreError> {
    let sql = "SELECT s.*, COALESCE(c.held, 0) AS held FROM job_steps s \
        LEFT JOIN cost_rows c ON c.job_id = s.job_id AND c.seq = s.seq \
        WHERE s.job_id = $1 ORDER BY s.seq";
    let rows: Vec<RawStep> = sqlx::query_as(sql).bind(Text(job)).fetch_all(c).await?;
    rows.into_iter().map(stored_step).collect()
}

fn stored_step(raw: RawStep) -> Result<StoredStep, StoreError> {
    let state = StepState::parse(&raw.state)
        .ok_or_else(|| StoreError::Corrupt(format!("step state {}", raw.state)))?;
    let inline = raw
        .outcome
        .map(|text| StoredBytes::Inline(text.into_bytes().into()));
    Ok(StoredStep {
        step: NewStep {
            seq: count(raw.seq),
            capability: raw.capability,
            input_digest: raw.input_digest.0,
            connection: raw.connection_id.map(|t| t.0),
            connector: raw.connector.map(|j| j.0),
            replay_safe: raw.replay_safe,
            keyed: raw.keyed,
            step_key: raw.step_key,
            ceiling: MicroUsd::from_micros(raw.ceiling),
        },
        state,
        outcome: inline.or(raw.outcome_blob.map(|t| StoredBytes::Blob(t.0))),
        usage: raw.usage.map(|u| u.0).unwrap_or_default(),
        attempts: u32::try_from(raw.attempts).unwrap_or(u32::MAX),
        started_at: raw.started_at.0,
        settled_at: instant(raw.settled_at),
        held: MicroUsd::from_micros(raw.held),
    })
}

row! {
    struct RawReceipt {
        seq: i64,
        position: i64,
        receipt: Json<Receipt>,
        connector: Option<Json<ConnectorRef>>,
        marked: bool,
        corrected: bool,
    }
}

/// Receipts of a job by position: those after `after`, at most `limit`; all if neither is given.
pub(crate) async fn receipts(
    c: &mut Conn,
    project: ProjectId,
    job: JobId,
    after: Option<ReceiptPlace>,
    limit: Option<u32>,
) -> Result<Vec<JobReceipt>, StoreError> {
    let sql = "SELECT r.seq, r.position, r.receipt, s.connector, \
        EXISTS (SELECT 1 FROM cost_rows c WHERE c.job_id = r.job_id AND c.seq = r.seq AND c.reconcile) AS marked, \
        EXISTS (SELECT 1 FROM ledger_transactions t WHERE t.job_id = r.job_id AND t.kind = 'reconciliation' \
        AND t.step = r.seq) AS corrected FROM receipts r \
        JOIN job_steps s ON s.job_id = r.job_id AND s.seq = r.seq \
        WHERE r.job_id = $1 AND r.project_id = $2 AND (r.seq, r.position) > ($3, $4) \
        ORDER BY r.seq, r.position LIMIT $5";
    let (seq, position) = after.map_or((-1, -1), |a| (stored(a.seq), stored(a.position)));
    let rows: Vec<RawReceipt> = sqlx::query_as(sql)
        .bind(Text(job))
        .bind(Text(project))
        .bind(seq)
        .bind(position)
        .bind(limit.map_or(i64::MAX, i64::from))
        .fetch_all(c)
        .await?;
    let row = |raw: RawReceipt| JobReceipt {
        seq: count(raw.seq),
        position: count(raw.position),
        receipt: raw.receipt.0,
        connector: raw.connector.map(|j| j.0),
        reconciliation: match (raw.marked, raw.corrected) {
            (false, _) => None,
            (true, false) => Some(ReconciliationState::Awaiting),
            (true, true) => Some(ReconciliationState::Settled),
        },
    };
    Ok(rows.into_iter().map(row).collect())
}

row! {
    struct RawBody {
        receipt: Json<Receipt>,
        body: Option<Vec<u8>>,
        body_blob: Option<Text<Digest>>,
    }
}

/// A receipt of the job and where its body is stored.
pub(crate) async fn receipt(
    c: &mut Conn,
    project: ProjectId,
    job: JobId,
    id: ReceiptId,
) -> Result<Option<(Receipt, StoredBytes)>, StoreError> {
    let sql = "SELECT receipt, body, body_blob FROM receipts WHERE id = $1 AND job_id = $2 AND project_id = $3";
    let raw: Option<RawBody> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Text(job))
        .bind(Text(project))
        .fetch_optional(c)
        .await?;
    Ok(raw.map(|raw| {
        let kept = match raw.body_blob {
            Some(digest) => StoredBytes::Blob(digest.0),
            None => StoredBytes::Inline(raw.body.unwrap_or_default().into()),
        };
        (raw.receipt.0, kept)
    }))
}

/// What the job's settled steps cost.
pub(crate) async fn spend(c: &mut Conn, job: JobId) -> Result<MicroUsd, StoreError> {
    let sql = format!("SELECT {} FROM cost_rows WHERE job_id = $1", sum_of("cost"));
    let cost: i64 = sqlx::query_scalar(AssertSqlSafe(sql))
        .bind(Text(job))
        .fetch_one(c)
        .await?;
    Ok(MicroUsd::from_micros(cost))
}
