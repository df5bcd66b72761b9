//! Usage by month: two tables of sums, updated by the transactions that create and end jobs, and queries on
//! them. The cost of a read grows with the month's job types, keys and connectors, not with the number of
//! jobs.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use gtm_domain::job::Job;
use gtm_domain::step::ConnectorRef;
use gtm_domain::usage::{JobCounts, MonthUsage, UsageSum};
use gtm_domain::{
    JobId, JobStatus, JobType, KeyRecordId, MicroUsd, Month, ProjectId, Timestamp, TokenUsage,
    Usage,
};
use sqlx::AssertSqlSafe;

use super::{Conn, added};
use crate::columns::{Json, Text, count, stored};
use crate::error::StoreError;

/// One month of a project by job type and key.
pub(crate) const BY_TYPE_AND_KEY: &str = "SELECT type, key_id, created, open, succeeded, failed, canceled, \
    input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, backend_requests, \
    backend_runtime_ms, connector_requests, connector_bytes, cost FROM usage_months \
    WHERE project_id = $1 AND month = $2";
/// Open jobs of a project, whenever they were created.
pub(crate) const OPEN: &str = "SELECT CAST(COALESCE(SUM(open), 0) AS BIGINT) FROM usage_months \
    WHERE project_id = $1 AND open > 0";
/// One month of a project by connector.
pub(crate) const BY_CONNECTOR: &str = "SELECT connector, input_tokens, cached_input_tokens, cache_write_tokens, \
    output_tokens, reasoning_tokens, connector_requests, connector_bytes, cost FROM usage_connector_months \
    WHERE project_id = $1 AND month = $2";

/// Counts a new job. Call it last in its part of the transaction, like [`job_ended`].
pub(super) async fn job_created(c: &mut Conn, job: &Job) -> Result<(), StoreError> {
    let created = UsageSum {
        jobs: JobCounts {
            created: 1,
            ..JobCounts::default()
        },
        ..UsageSum::default()
    };
    add(c, job, Month::of(job.created_at), 1, &created).await
}

/// Counts the end of a job. Call it last: all jobs of a key share these rows, so they are locked as briefly
/// as possible, and always in the same order.
pub(super) async fn job_ended(c: &mut Conn, job: &Job, now: Timestamp) -> Result<(), StoreError> {
    let (began, ended) = (Month::of(job.created_at), Month::of(now));
    let sum = UsageSum {
        jobs: outcome(job.status),
        consumed: job.usage,
    };
    if began == ended {
        add(c, job, ended, -1, &sum).await?;
    } else {
        add(c, job, began, -1, &UsageSum::default()).await?;
        add(c, job, ended, 0, &sum).await?;
    }
    // A job that never started has made no calls.
    if job.started_at.is_some() {
        for (connector, usage) in calls(c, job.id).await? {
            add_calls(c, job.project, ended, &connector, &usage).await?;
        }
    }
    Ok(())
}

fn outcome(status: JobStatus) -> JobCounts {
    let ended = |this| u64::from(status == this);
    JobCounts {
        created: 0,
        succeeded: ended(JobStatus::Succeeded),
        failed: ended(JobStatus::Failed),
        canceled: ended(JobStatus::Canceled),
    }
}

static ADD: LazyLock<String> = LazyLock::new(|| {
    let columns = "created, succeeded, failed, canceled, input_tokens, cached_input_tokens, cache_write_tokens, \
        output_tokens, reasoning_tokens, backend_requests, backend_runtime_ms, connector_requests, connector_bytes, cost";
    format!(
        "INSERT INTO usage_months (project_id, month, type, key_id, open, {columns}) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19) \
         ON CONFLICT (project_id, month, type, key_id) DO UPDATE SET open = usage_months.open + excluded.open, {}",
        sums("usage_months", columns)
    )
});

static ADD_CALLS: LazyLock<String> = LazyLock::new(|| {
    let columns = "input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, \
        connector_requests, connector_bytes, cost";
    format!(
        "INSERT INTO usage_connector_months (project_id, month, connector, {columns}) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT (project_id, month, connector) DO UPDATE SET {}",
        sums("usage_connector_months", columns)
    )
});

type Db = <Conn as sqlx::Connection>::Database;
/// A statement of this engine with the parameters bound so far.
pub(super) type Bound<'q> = sqlx::query::Query<'q, Db, <Db as sqlx::Database>::Arguments>;

/// Binds the ten figures of a job's usage: five kinds of tokens, requests and milliseconds of the backend,
/// requests and bytes of connectors, cost.
pub(super) fn bind_usage<'q>(query: Bound<'q>, usage: &Usage) -> Bound<'q> {
    let query = bind_tokens(query, &usage.tokens)
        .bind(stored(usage.backend_requests))
        .bind(stored(usage.backend_runtime_ms));
    bind_exchanges(query, usage)
}

/// Binds the eight figures known for single calls, that is, without the backend's two.
pub(super) fn bind_calls<'q>(query: Bound<'q>, usage: &Usage) -> Bound<'q> {
    bind_exchanges(bind_tokens(query, &usage.tokens), usage)
}

fn bind_tokens<'q>(query: Bound<'q>, tokens: &TokenUsage) -> Bound<'q> {
    query
        .bind(stored(tokens.input))
        .bind(stored(tokens.cached_input))
        .bind(stored(tokens.cache_write))
        .bind(stored(tokens.output))
        .bind(stored(tokens.reasoning))
}

fn bind_exchanges<'q>(query: Bound<'q>, usage: &Usage) -> Bound<'q> {
    query
        .bind(stored(usage.connector_requests))
        .bind(stored(usage.connector_bytes))
        .bind(usage.cost.micros())
}

/// The SET clause of an upsert that adds its counts to the stored ones.
pub(crate) fn sums(table: &str, columns: &str) -> String {
    let sums = columns.split(", ").map(|column| {
        let sum = added(&format!("{table}.{column}"), &format!("excluded.{column}"));
        format!("{column} = {sum}")
    });
    sums.collect::<Vec<_>>().join(", ")
}

/// Adds to the row of the job's type and key.
async fn add(
    c: &mut Conn,
    job: &Job,
    month: Month,
    open: i64,
    sum: &UsageSum,
) -> Result<(), StoreError> {
    let jobs = &sum.jobs;
    let query = sqlx::query(AssertSqlSafe(ADD.as_str()))
        .bind(Text(job.project))
        .bind(Text(month))
        .bind(job.job_type.as_str())
        .bind(Text(job.key))
        .bind(open)
        .bind(stored(jobs.created))
        .bind(stored(jobs.succeeded))
        .bind(stored(jobs.failed))
        .bind(stored(jobs.canceled));
    bind_usage(query, &sum.consumed).execute(c).await?;
    Ok(())
}

/// Adds to the row of a connector.
async fn add_calls(
    c: &mut Conn,
    project: ProjectId,
    month: Month,
    connector: &str,
    usage: &Usage,
) -> Result<(), StoreError> {
    let query = sqlx::query(AssertSqlSafe(ADD_CALLS.as_str()))
        .bind(Text(project))
        .bind(Text(month))
        .bind(connector);
    bind_calls(query, usage).execute(c).await?;
    Ok(())
}

row! {
    /// What provider calls consumed, as stored both for single calls and in sums of calls.
    struct RawCalls {
        input_tokens: i64,
        cached_input_tokens: i64,
        cache_write_tokens: i64,
        output_tokens: i64,
        reasoning_tokens: i64,
        connector_requests: i64,
        connector_bytes: i64,
        cost: i64,
    }
}

impl RawCalls {
    fn usage(&self) -> Usage {
        Usage {
            tokens: TokenUsage {
                input: count(self.input_tokens),
                cached_input: count(self.cached_input_tokens),
                cache_write: count(self.cache_write_tokens),
                output: count(self.output_tokens),
                reasoning: count(self.reasoning_tokens),
            },
            cost: MicroUsd::from_micros(self.cost),
            connector_requests: count(self.connector_requests),
            connector_bytes: count(self.connector_bytes),
            ..Usage::default()
        }
    }
}

/// Corrects the cost of a call of a job that ended in `month` by `by`. `connector` is empty for a call
/// without one. Call it last, like [`job_ended`].
pub(super) async fn call_corrected(
    c: &mut Conn,
    job: &Job,
    month: Month,
    connector: &str,
    by: MicroUsd,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE usage_months SET cost = {} WHERE project_id = $1 AND month = $2 AND type = $3 AND key_id = $4",
        added("cost", "CAST($5 AS BIGINT)")
    );
    let of_job = sqlx::query(AssertSqlSafe(sql))
        .bind(Text(job.project))
        .bind(Text(month))
        .bind(job.job_type.as_str())
        .bind(Text(job.key))
        .bind(by.micros())
        .execute(&mut *c)
        .await?;
    let sql = format!(
        "UPDATE usage_connector_months SET cost = {} WHERE project_id = $1 AND month = $2 AND connector = $3",
        added("cost", "CAST($4 AS BIGINT)")
    );
    let of_connector = sqlx::query(AssertSqlSafe(sql))
        .bind(Text(job.project))
        .bind(Text(month))
        .bind(connector)
        .bind(by.micros())
        .execute(c)
        .await?;
    if of_job.rows_affected() == 1 && of_connector.rows_affected() == 1 {
        Ok(())
    } else {
        let id = job.id;
        Err(StoreError::Corrupt(format!("{month} has no usage of {id}")))
    }
}

row! {
    struct RawCall {
        connector: Option<Json<ConnectorRef>>,
        ..calls: RawCalls,
    }
}

/// What a job's provider calls consumed, by the connector's key; empty for calls without one.
async fn calls(c: &mut Conn, job: JobId) -> Result<BTreeMap<String, Usage>, StoreError> {
    let sql = "SELECT connector, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, \
        reasoning_tokens, connector_requests, connector_bytes, cost FROM cost_rows WHERE job_id = $1";
    let rows: Vec<RawCall> = sqlx::query_as(sql).bind(Text(job)).fetch_all(c).await?;
    let mut sums: BTreeMap<String, Usage> = BTreeMap::new();
    for row in rows {
        let connector = row.connector.map(|json| json.0.key).unwrap_or_default();
        let sum = sums.entry(connector).or_default();
        *sum = sum.plus(&row.calls.usage());
    }
    Ok(sums)
}

row! {
    struct RawMonth {
        r#type: String,
        key_id: Text<KeyRecordId>,
        created: i64,
        open: i64,
        succeeded: i64,
        failed: i64,
        canceled: i64,
        backend_requests: i64,
        backend_runtime_ms: i64,
        ..calls: RawCalls,
    }
}

impl RawMonth {
    fn sum(&self) -> UsageSum {
        UsageSum {
            jobs: JobCounts {
                created: count(self.created),
                succeeded: count(self.succeeded),
                failed: count(self.failed),
                canceled: count(self.canceled),
            },
            consumed: Usage {
                backend_requests: count(self.backend_requests),
                backend_runtime_ms: count(self.backend_runtime_ms),
                ..self.calls.usage()
            },
        }
    }
}

/// A month of a project; `connectors` says whether to include the usage by connector.
pub(crate) async fn of_month(
    c: &mut Conn,
    project: ProjectId,
    month: Month,
    connectors: bool,
    now: Timestamp,
) -> Result<MonthUsage, StoreError> {
    let mut usage = MonthUsage {
        month,
        as_of: now,
        totals: UsageSum::default(),
        active: 0,
        by_type: BTreeMap::new(),
        by_key: BTreeMap::new(),
        by_connector: BTreeMap::new(),
    };
    let rows: Vec<RawMonth> = sqlx::query_as(BY_TYPE_AND_KEY)
        .bind(Text(project))
        .bind(Text(month))
        .fetch_all(&mut *c)
        .await?;
    for row in rows {
        let job_type = JobType::parse(&row.r#type)
            .ok_or_else(|| StoreError::Corrupt(format!("usage of job type {}", row.r#type)))?;
        let sum = row.sum();
        usage.totals = usage.totals.plus(&sum);
        usage.active = usage.active.saturating_add(count(row.open));
        let of_type = usage.by_type.entry(job_type).or_default();
        *of_type = of_type.plus(&sum);
        let of_key = usage.by_key.entry(row.key_id.0).or_default();
        *of_key = of_key.plus(&sum);
    }
    if month == Month::of(now) {
        let open: i64 = sqlx::query_scalar(OPEN)
            .bind(Text(project))
            .fetch_one(&mut *c)
            .await?;
        usage.active = count(open);
    }
    if connectors {
        usage.by_connector = by_connector(c, project, month).await?;
    }
    Ok(usage)
}

row! {
    struct RawConnectorMonth {
        connector: String,
        ..calls: RawCalls,
    }
}

async fn by_connector(
    c: &mut Conn,
    project: ProjectId,
    month: Month,
) -> Result<BTreeMap<Option<String>, Usage>, StoreError> {
    let rows: Vec<RawConnectorMonth> = sqlx::query_as(BY_CONNECTOR)
        .bind(Text(project))
        .bind(Text(month))
        .fetch_all(c)
        .await?;
    let named = |row: RawConnectorMonth| {
        let usage = row.calls.usage();
        let key = (!row.connector.is_empty()).then_some(row.connector);
        // A call that found no connector normally consumed nothing.
        (key.is_some() || usage != Usage::default()).then_some((key, usage))
    };
    Ok(rows.into_iter().filter_map(named).collect())
}
