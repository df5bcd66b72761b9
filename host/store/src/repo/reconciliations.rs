//! Calls marked for reconciliation, and the correction of their charges. Rows that record a charge never
//! change: a correction is a ledger transaction of its own, and it updates the sums of the month in which
//! the call was charged.

use gtm_domain::job::JobSettlement;
use gtm_domain::money::{MarkedCall, ProviderCallId, Reconciliation};
use gtm_domain::step::ConnectorRef;
use gtm_domain::{
    ConnectionId, JobId, LedgerTransactionId, MicroUsd, Month, OrganizationId, ProjectId, Timestamp,
};

use super::{
    Conn, awaiting, damaged_jobs, ledger, missing_ends, money, outcomes, savepoints, usage,
};
use crate::columns::{Json, Text, Time, count, instant, stored};
use crate::error::StoreError;
use crate::model::reconciliation::MarkedCallFilter;

row! {
    struct RawCall {
        job_id: Text<JobId>,
        seq: i64,
        organization_id: Text<OrganizationId>,
        project_id: Text<ProjectId>,
        capability: String,
        connection_id: Option<Text<ConnectionId>>,
        connector: Option<Json<ConnectorRef>>,
        step_key: Option<String>,
        ceiling: Option<i64>,
        cost: i64,
        held: i64,
        reported: Option<i64>,
        at: Time,
        charged_at: Option<Time>,
        transaction_id: Option<Text<LedgerTransactionId>>,
        settled_at: Option<Time>,
        note: Option<String>,
        correction: Option<i64>,
    }
}

impl RawCall {
    fn into_call(self) -> MarkedCall {
        let charged = MicroUsd::from_micros(self.cost);
        let correction = MicroUsd::from_micros(self.correction.unwrap_or_default());
        let reconciliation = self.transaction_id.zip(self.settled_at);
        MarkedCall {
            id: ProviderCallId {
                job: self.job_id.0,
                step: count(self.seq),
            },
            organization: self.organization_id.0,
            project: self.project_id.0,
            capability: self.capability,
            connection: self.connection_id.map(|id| id.0),
            connector: self.connector.map(|json| json.0),
            step_key: self.step_key,
            ceiling: self.ceiling.map(MicroUsd::from_micros),
            charged,
            held: if reconciliation.is_some() {
                MicroUsd::ZERO
            } else {
                MicroUsd::from_micros(self.held)
            },
            reported: self.reported.map(MicroUsd::from_micros),
            at: self.at.0,
            charged_at: instant(self.charged_at),
            reconciliation: reconciliation.map(|(transaction, at)| Reconciliation {
                transaction: transaction.0,
                cost: charged + correction,
                at: at.0,
                note: self.note,
            }),
        }
    }
}

const CALLS: &str = "SELECT c.job_id, c.seq, c.organization_id, c.project_id, c.capability, c.connection_id, \
    c.connector, s.step_key, s.ceiling, c.cost, c.held, c.reported, c.at, u.at AS charged_at, t.id AS transaction_id, \
    t.at AS settled_at, t.note, e.amount AS correction \
    FROM cost_rows c \
    LEFT JOIN job_steps s ON s.job_id = c.job_id AND s.seq = c.seq \
    LEFT JOIN usage_rows u ON u.job_id = c.job_id \
    LEFT JOIN ledger_transactions t ON t.job_id = c.job_id AND t.kind = 'reconciliation' AND t.step = c.seq \
    LEFT JOIN ledger_entries e ON e.transaction_id = t.id AND e.account = 'platform:revenue' \
    WHERE c.reconcile";

/// Marked calls, oldest job first.
pub(crate) async fn list(
    c: &mut Conn,
    filter: &MarkedCallFilter,
) -> Result<Vec<MarkedCall>, StoreError> {
    let sql = format!(
        "{CALLS} AND ($1 IS NULL OR c.organization_id = $1) AND ($2 IS NULL OR c.job_id = $2) \
         AND (t.id IS NULL OR $3) AND ($5 IS NULL OR c.connection_id = $5) ORDER BY c.job_id, c.seq LIMIT $4"
    );
    let rows: Vec<RawCall> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(filter.organization.map(Text))
        .bind(filter.job.map(Text))
        .bind(filter.settled)
        .bind(i64::from(filter.limit))
        .bind(filter.connection.map(Text))
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(RawCall::into_call).collect())
}

pub(crate) async fn get(
    c: &mut Conn,
    id: ProviderCallId,
) -> Result<Option<MarkedCall>, StoreError> {
    let sql = format!("{CALLS} AND c.job_id = $1 AND c.seq = $2");
    let raw: Option<RawCall> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(Text(id.job))
        .bind(stored(id.step))
        .fetch_optional(c)
        .await?;
    Ok(raw.map(RawCall::into_call))
}

/// Corrects the charge of `call`, which awaits it, to `cost` and stops holding an amount for it. If it is
/// the last such call of the job, writes the missing parts of the job's end and returns them. The caller
/// holds the organization's money.
pub(crate) async fn settle(
    c: &mut Conn,
    call: &MarkedCall,
    cost: MicroUsd,
    note: Option<String>,
    now: Timestamp,
) -> Result<Option<JobSettlement>, StoreError> {
    let id = call.id;
    let job = damaged_jobs::read(c, id.job, now)
        .await?
        .ok_or_else(|| StoreError::absent("job", id.job))?
        .job;
    let charged_at = match (call.charged_at, job.finished_at) {
        (Some(charged_at), _) => charged_at,
        // The job was given up while a rule of the database refused its usage row, which the correction
        // needs.
        (None, Some(finished_at)) => {
            // The usage row would count costs for connectors that nobody is charged for.
            if missing_ends::lacks_marks(c, &job).await? {
                return Err(StoreError::Conflict(format!(
                    "other calls of job {0} lack their mark since it was given up; `gtm ledger settle {0}` marks them first",
                    id.job
                )));
            }
            outcomes::count_usage(c, &job, finished_at).await?;
            finished_at
        }
        (None, None) => {
            return Err(StoreError::Conflict(format!(
                "job {} has not ended yet; its calls are charged when it does",
                id.job
            )));
        }
    };
    let by = cost - call.charged;
    ledger::correct(c, &job, id.step, by, note, now).await?;
    money::corrected(c, &job, charged_at, by).await?;
    awaiting::count(c, &job).await?;
    let connector = call.connector.as_ref().map_or("", |c| c.key.as_str());
    usage::call_corrected(c, &job, Month::of(charged_at), connector, by).await?;
    if awaiting::calls_of(c, &job).await? > 0 {
        return Ok(None);
    }
    // The missing parts of the job's end have waited for this. A part that still cannot be written must not
    // keep the call from being settled: an operator can request it for this job later.
    savepoints::begin(c).await?;
    let mut written = None;
    let done = missing_ends::make_up(c, &job, now).await;
    let done = done.map(|end| written = end.is_something().then_some(end));
    savepoints::end(c, job.id, "what was missing of it", done).await?;
    Ok(written)
}
