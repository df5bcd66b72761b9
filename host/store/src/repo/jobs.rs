//! Jobs: inserting and reading them.

use gtm_domain::job::{JOB_RETENTION, Job, JobError, ListedJob, OperatorJob};
use gtm_domain::money::{Admission, LedgerKind};
use gtm_domain::{
    JobId, JobStage, JobStatus, JobType, KeyRecordId, MicroUsd, OrganizationId, ProjectId,
    Timestamp, Usage, WorkerId,
};
use serde_json::Value;
use sqlx::AssertSqlSafe;

use super::job_list_sql::{self, Condition};
use super::{Conn, ledger, money, usage};
use crate::columns::{Damageable, Json, Text, Time, count, instant, stored};
use crate::error::StoreError;
use crate::identity::first_uuid_at;
use crate::model::job::{JobFilter, NewJob};
use crate::scope::ProjectScope;

row! {
    pub(super) struct RawJob {
        pub(super) id: Text<JobId>,
        pub(super) project_id: Text<ProjectId>,
        pub(super) organization_id: Text<OrganizationId>,
        pub(super) key_id: Text<KeyRecordId>,
        pub(super) r#type: String,
        pub(super) status: String,
        pub(super) progress: i64,
        pub(super) input: Damageable<Json<Value>>,
        pub(super) pins: Damageable<Json<Value>>,
        pub(super) seed: Damageable<Vec<u8>>,
        pub(super) result: Damageable<Option<Json<Value>>>,
        pub(super) error: Damageable<Option<Json<JobError>>>,
        pub(super) usage: Damageable<Option<Json<Usage>>>,
        pub(super) reserved: i64,
        pub(super) cost_cap: i64,
        pub(super) backend: Damageable<Option<String>>,
        pub(super) stages: Damageable<Option<Json<Vec<JobStage>>>>,
        pub(super) external_ref: Damageable<Option<String>>,
        pub(super) created_at: Time,
        pub(super) expires_at: Time,
        pub(super) started_at: Option<Time>,
        pub(super) finished_at: Option<Time>,
        pub(super) cancel_requested: bool,
        pub(super) attempts: i64,
        pub(super) fence: i64,
        pub(super) worker: Damageable<Option<Text<WorkerId>>>,
        pub(super) lease_until: Option<Time>,
    }
}

impl RawJob {
    pub(super) fn into_row(self, now: Timestamp) -> Result<Job, StoreError> {
        let corrupt = |what: &str, value: &str| StoreError::Corrupt(format!("job {what} {value}"));
        Ok(Job {
            id: self.id.0,
            project: self.project_id.0,
            organization: self.organization_id.0,
            key: self.key_id.0,
            job_type: JobType::parse(&self.r#type).ok_or_else(|| corrupt("type", &self.r#type))?,
            status: JobStatus::parse(&self.status)
                .ok_or_else(|| corrupt("status", &self.status))?,
            progress: u8::try_from(self.progress)
                .map_err(|_| corrupt("progress", &self.progress.to_string()))?,
            input: self.input.sound("input")?.0,
            pins: self.pins.sound("pins")?.0,
            result: self.result.sound("result")?.map(|r| r.0),
            error: self.error.sound("error")?.map(|e| e.0),
            usage: self.usage.sound("usage")?.map(|u| u.0).unwrap_or_default(),
            reserved: MicroUsd::from_micros(self.reserved),
            cost_cap: MicroUsd::from_micros(self.cost_cap),
            backend: self.backend.sound("backend")?,
            stages: self.stages.sound("stages")?.map(|s| s.0),
            external_ref: self.external_ref.sound("external_ref")?,
            created_at: self.created_at.0,
            expires_at: self.expires_at.0,
            expired: self.expires_at.0 <= now,
            started_at: instant(self.started_at),
            finished_at: instant(self.finished_at),
            cancel_requested: self.cancel_requested,
            attempts: u32::try_from(count(self.attempts)).unwrap_or(u32::MAX),
        })
    }

    /// The job without its unreadable parts, which are set as in a job that the retention sweep emptied. A
    /// damaged cost counts as zero. Also returns the first damage found.
    pub(super) fn without_damage(self) -> (Self, Option<String>) {
        let mut damage = None;
        let sound = Self {
            input: kept("input", self.input, Json(Value::Null), &mut damage),
            pins: kept("pins", self.pins, Json(Value::Null), &mut damage),
            result: kept("result", self.result, None, &mut damage),
            error: kept("error", self.error, None, &mut damage),
            usage: kept("usage", self.usage, None, &mut damage),
            backend: kept("backend", self.backend, None, &mut damage),
            stages: kept("stages", self.stages, None, &mut damage),
            external_ref: kept("external_ref", self.external_ref, None, &mut damage),
            worker: kept("worker", self.worker, None, &mut damage),
            ..self
        };
        // The cost may be damaged, so do not learn the backend's expected cost from it.
        let backend = match damage {
            Some(_) => Damageable(Ok(None)),
            None => sound.backend,
        };
        (Self { backend, ..sound }, damage)
    }

    /// The job for operators, without its unreadable parts.
    pub(super) fn into_operator_job(self, now: Timestamp) -> Result<OperatorJob, StoreError> {
        let unseeded = seed(&self).err().map(|error| error.to_string());
        let (sound, damage) = self.without_damage();
        let (worker, lease_until) = (sound.worker.clone(), instant(sound.lease_until));
        Ok(OperatorJob {
            job: sound.into_row(now)?,
            worker: worker.sound("worker")?.map(|worker| worker.0),
            lease_until,
            damage: damage.or(unseeded),
        })
    }

    fn into_listed_job(self, now: Timestamp) -> ListedJob {
        let (id, project) = (self.id.0, self.project_id.0);
        match self.into_operator_job(now) {
            Ok(job) => ListedJob::Job(Box::new(job)),
            Err(error) => ListedJob::Unreadable {
                id,
                project,
                damage: error.to_string(),
            },
        }
    }
}

/// The seed of the job's random numbers.
pub(super) fn seed(raw: &RawJob) -> Result<[u8; 32], StoreError> {
    let bytes = raw.seed.clone().sound("seed")?;
    bytes
        .as_slice()
        .try_into()
        .map_err(|_| StoreError::Corrupt(format!("job seed of {}", raw.id.0)))
}

/// The value of a column, or `absent` if it is damaged.
fn kept<T>(
    column: &str,
    value: Damageable<T>,
    absent: T,
    damage: &mut Option<String>,
) -> Damageable<T> {
    Damageable(Ok(value.0.unwrap_or_else(|cause| {
        damage.get_or_insert_with(|| format!("column {column:?}: {cause}"));
        absent
    })))
}

/// Inserts a job that was admitted ([`money::admit`]). The caller holds the organization's money.
pub(super) async fn insert(
    c: &mut Conn,
    scope: &ProjectScope,
    job: &NewJob,
    admission: Admission,
    now: Timestamp,
) -> Result<Job, StoreError> {
    let sql = "INSERT INTO jobs (id, project_id, organization_id, key_id, type, status, progress, input, pins, seed, \
        reserved, cost_cap, created_at, expires_at, cancel_requested, attempts, fence, backend, stages, external_ref) \
        VALUES ($1, $2, $3, $4, $5, 'queued', 0, $6, $7, $8, $9, $10, $11, $12, $13, 0, 0, $14, $15, $16) RETURNING *";
    let raw: RawJob = sqlx::query_as(sql)
        .bind(Text(job.id))
        .bind(Text(scope.project))
        .bind(Text(scope.organization))
        .bind(Text(scope.key))
        .bind(job.job_type.as_str())
        .bind(Json(&job.input))
        .bind(Json(&job.pins))
        .bind(job.seed.as_slice())
        .bind(admission.reserved.micros())
        .bind(admission.cost_cap.micros())
        .bind(Time(job.created_at))
        .bind(Time(job.created_at.plus(JOB_RETENTION)))
        .bind(false)
        .bind(&job.backend)
        .bind(job.stages.as_ref().map(Json))
        .bind(&job.external_ref)
        .fetch_one(&mut *c)
        .await?;
    let row = raw.into_row(now)?;
    money::created(c, &row).await?;
    if row.reserved.is_positive() {
        let credit = ledger::credit_account(row.organization);
        let reserved = ledger::reserved_account(row.organization);
        let entries = [(credit, -row.reserved), (reserved, row.reserved)];
        ledger::append(c, &row, LedgerKind::Reservation, now, &entries).await?;
    }
    usage::job_created(c, &row).await?;
    Ok(row)
}

pub(crate) async fn get(
    c: &mut Conn,
    project: ProjectId,
    id: JobId,
    now: Timestamp,
) -> Result<Option<Job>, StoreError> {
    let sql = "SELECT * FROM jobs WHERE id = $1 AND project_id = $2";
    let raw: Option<RawJob> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Text(project))
        .fetch_optional(c)
        .await?;
    raw.map(|r| r.into_row(now)).transpose()
}

/// Whether the job exists in the project.
pub(crate) async fn exists(
    c: &mut Conn,
    project: ProjectId,
    id: JobId,
) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM jobs WHERE id = $1 AND project_id = $2";
    Ok(sqlx::query(sql)
        .bind(Text(id))
        .bind(Text(project))
        .fetch_optional(c)
        .await?
        .is_some())
}

async fn select(
    c: &mut Conn,
    project: Option<ProjectId>,
    alive_at: Option<Timestamp>,
    filter: &JobFilter,
) -> Result<Vec<RawJob>, StoreError> {
    let limit = stored(rows_of_page(filter) as u64);
    // Retention counts from creation, so expired jobs are at the far end of the list. A bound on the id
    // keeps a page from reading through them.
    let alive_from = alive_at.map(|now| first_uuid_at(now.minus(JOB_RETENTION).millis()));
    let wanted_from = filter
        .created_after
        .map(|after| first_uuid_at(after.millis().saturating_add(1)));
    let from = alive_from.max(wanted_from).map(JobId::from_uuid);
    let asked = [
        (Condition::Project, project.is_some()),
        (Condition::Type, filter.job_type.is_some()),
        (Condition::Status, filter.status.is_some()),
        (Condition::ExternalRef, filter.external_ref.is_some()),
        (Condition::Before, filter.before.is_some()),
        (Condition::From, from.is_some()),
        (Condition::Alive, alive_at.is_some()),
    ];
    let conditions: Vec<Condition> = asked
        .into_iter()
        .filter_map(|(condition, asked)| asked.then_some(condition))
        .collect();
    let mut query = sqlx::query_as(AssertSqlSafe(job_list_sql::text(&conditions)));
    for condition in conditions {
        query = match condition {
            Condition::Project => query.bind(project.map(Text)),
            Condition::Type => query.bind(filter.job_type.map(JobType::as_str)),
            Condition::Status => query.bind(filter.status.map(JobStatus::as_str)),
            Condition::ExternalRef => query.bind(filter.external_ref.clone()),
            Condition::Before => query.bind(filter.before.map(Text)),
            Condition::From => query.bind(from.map(Text)),
            Condition::Alive => query.bind(alive_at.map(Time)),
        };
    }
    Ok(query.bind(limit).fetch_all(c).await?)
}

/// Jobs of one project that have not expired. A damaged row hides no other: it is left out, because a caller
/// of the API must not take what is left of it for the job, and later rows take its place in the page.
pub(crate) async fn list(
    c: &mut Conn,
    project: ProjectId,
    filter: &JobFilter,
    now: Timestamp,
) -> Result<Vec<Job>, StoreError> {
    let mut filter = filter.clone();
    let mut jobs = Vec::new();
    loop {
        let rows = select(c, Some(project), Some(now), &filter).await?;
        let Some(last) = rows.last().map(|row| row.id.0) else {
            return Ok(jobs);
        };
        let (read, mut damaged) = (rows.len(), 0_u32);
        for row in rows {
            let job = row.id.0;
            match row.into_row(now) {
                Ok(row) => jobs.push(row),
                Err(StoreError::Corrupt(problem)) => {
                    tracing::error!(%job, problem, "the job cannot be read; its project's list leaves it out");
                    damaged += 1;
                }
                Err(error) => return Err(error),
            }
        }
        if damaged == 0 || read < rows_of_page(&filter) {
            return Ok(jobs);
        }
        filter.before = Some(last);
        filter.limit = damaged;
    }
}

/// How many rows a filter asks for at most.
fn rows_of_page(filter: &JobFilter) -> usize {
    match filter.limit {
        0 => 100,
        limit => usize::try_from(limit).unwrap_or(usize::MAX),
    }
}

/// Jobs for operators.
pub(crate) async fn operator_list(
    c: &mut Conn,
    project: Option<ProjectId>,
    filter: &JobFilter,
    now: Timestamp,
) -> Result<Vec<ListedJob>, StoreError> {
    let rows = select(c, project, None, filter).await?;
    Ok(rows.into_iter().map(|r| r.into_listed_job(now)).collect())
}

/// A job's row as stored, damaged or not.
pub(super) async fn raw(c: &mut Conn, id: JobId) -> Result<Option<RawJob>, StoreError> {
    Ok(sqlx::query_as("SELECT * FROM jobs WHERE id = $1")
        .bind(Text(id))
        .fetch_optional(c)
        .await?)
}

/// Jobs of a project that have not ended.
pub(crate) async fn unfinished(c: &mut Conn, project: ProjectId) -> Result<Vec<JobId>, StoreError> {
    let sql =
        "SELECT id FROM jobs WHERE project_id = $1 AND status IN ('queued', 'running') ORDER BY id";
    let rows: Vec<Text<JobId>> = sqlx::query_scalar(sql)
        .bind(Text(project))
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(|t| t.0).collect())
}
