//! Claiming jobs, and the leases that workers hold on them.

use std::collections::BTreeSet;

use gtm_domain::{JobId, KeyRecordId, OrganizationId, ProjectId, Timestamp};
use serde_json::Value;
use sqlx::AssertSqlSafe;

use super::jobs::{RawJob, seed};
use super::stages::StoredStages;
use super::{Conn, FOR_UPDATE, SKIP_LOCKED, products, savepoints, serialize_claims};
use crate::claim::Claim;
use crate::columns::{Json, Text, Time, count};
use crate::error::StoreError;
use crate::model::job::{ClaimedJob, Claims, LeaseState, UnreadableJob};
use crate::scope::Lease;

row! {
    struct Candidate {
        id: Text<ProjectId>,
        running: i64,
    }
}

pub(crate) async fn claim(
    c: &mut Conn,
    claim: Claim,
    now: Timestamp,
) -> Result<Claims, StoreError> {
    let mut claims = Claims::default();
    if claim.max == 0 {
        return Ok(claims);
    }
    serialize_claims(c).await?;
    let mut waiting = candidates(c, claim, now).await?;
    let mut served: BTreeSet<ProjectId> = BTreeSet::new();
    // Each round takes one job from the project that runs the fewest. Ties go to the project earlier in the
    // list, which begins with the one served longest ago.
    while claims.jobs.len() < claim.max {
        let open = waiting.iter_mut().filter(|p| !p.jobs.is_empty());
        let Some(next) = open.min_by_key(|p| p.running) else {
            break;
        };
        next.running += 1;
        let id = next.jobs.remove(0);
        match take_or_pass(c, id, claim, now).await? {
            Taken::Job(job) => claims.jobs.push(*job),
            Taken::Unreadable(job) => claims.unreadable.extend(job),
            Taken::Gone => continue,
        }
        served.insert(next.project);
    }
    for project in served {
        let sql = "UPDATE projects SET last_claimed_at = $2 WHERE id = $1";
        sqlx::query(sql)
            .bind(Text(project))
            .bind(Time(now))
            .execute(&mut *c)
            .await?;
    }
    Ok(claims)
}

struct Waiting {
    project: ProjectId,
    running: usize,
    jobs: Vec<JobId>,
}

/// Projects with claimable jobs, in the order in which to serve them, each with as many jobs as it has room
/// for.
async fn candidates(
    c: &mut Conn,
    claim: Claim,
    now: Timestamp,
) -> Result<Vec<Waiting>, StoreError> {
    let sql = "SELECT id, running FROM (SELECT p.id, p.last_claimed_at, \
        (SELECT COUNT(*) FROM jobs r WHERE r.project_id = p.id AND r.status = 'running' AND r.lease_until > $1) AS running \
        FROM projects p \
        WHERE EXISTS (SELECT 1 FROM jobs q WHERE q.project_id = p.id AND q.status = 'queued') \
        OR EXISTS (SELECT 1 FROM jobs l WHERE l.project_id = p.id AND l.status = 'running' AND l.lease_until <= $1)) w \
        WHERE running < $2 ORDER BY running, last_claimed_at NULLS FIRST, id LIMIT $3";
    // Every listed project can be given a job, so `max` of them are enough.
    let projects: Vec<Candidate> = sqlx::query_as(sql)
        .bind(Time(now))
        .bind(limit(claim.per_project_running))
        .bind(limit(claim.max))
        .fetch_all(&mut *c)
        .await?;
    // Jobs whose lease expired come before queued ones: they have waited longer.
    let abandoned = format!(
        "SELECT id FROM jobs WHERE project_id = $1 AND status = 'running' AND lease_until <= $2 \
         ORDER BY id LIMIT $3{SKIP_LOCKED}"
    );
    let queued = format!(
        "SELECT id FROM jobs WHERE project_id = $1 AND status = 'queued' ORDER BY id LIMIT $2{SKIP_LOCKED}"
    );
    let mut waiting = Vec::new();
    for project in projects {
        let running = usize::try_from(count(project.running)).unwrap_or(usize::MAX);
        let room = claim
            .max
            .min(claim.per_project_running.saturating_sub(running));
        let mut jobs: Vec<Text<JobId>> = sqlx::query_scalar(AssertSqlSafe(abandoned.clone()))
            .bind(project.id)
            .bind(Time(now))
            .bind(limit(room))
            .fetch_all(&mut *c)
            .await?;
        if jobs.len() < room {
            let more: Vec<Text<JobId>> = sqlx::query_scalar(AssertSqlSafe(queued.clone()))
                .bind(project.id)
                .bind(limit(room - jobs.len()))
                .fetch_all(&mut *c)
                .await?;
            jobs.extend(more);
        }
        waiting.push(Waiting {
            project: project.id.0,
            running,
            jobs: jobs.into_iter().map(|t| t.0).collect(),
        });
    }
    Ok(waiting)
}

fn limit(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Outcome of an attempt to claim a job.
enum Taken {
    Job(Box<ClaimedJob>),
    /// Its row cannot be read or written. `None` if it could not be passed over either.
    Unreadable(Option<UnreadableJob>),
    /// Another worker has it.
    Gone,
}

/// Claims a job. A job whose row cannot be read must not block all others: it is passed over for the
/// duration of a lease.
async fn take_or_pass(
    c: &mut Conn,
    id: JobId,
    claim: Claim,
    now: Timestamp,
) -> Result<Taken, StoreError> {
    savepoints::begin(c).await?;
    let mut taken = None;
    let done = take(c, id, claim, now).await.map(|job| taken = job);
    if savepoints::end(c, id, "claim", done).await? {
        return Ok(taken.map_or(Taken::Gone, |job| Taken::Job(Box::new(job))));
    }
    savepoints::begin(c).await?;
    let mut passed = None;
    let done = pass_over(c, id, claim, now).await.map(|job| passed = job);
    savepoints::end(c, id, "pause before its next claim", done).await?;
    Ok(Taken::Unreadable(passed))
}

row! {
    struct Passed {
        project_id: Text<ProjectId>,
        organization_id: Text<OrganizationId>,
        key_id: Text<KeyRecordId>,
        fence: i64,
        attempts: i64,
        cancel_requested: bool,
    }
}

/// Locks a job as if it were claimed, so that nobody looks at it again before the lease has expired. Reads
/// only the columns that a lease needs.
async fn pass_over(
    c: &mut Conn,
    id: JobId,
    claim: Claim,
    now: Timestamp,
) -> Result<Option<UnreadableJob>, StoreError> {
    let sql = "UPDATE jobs SET status = 'running', fence = fence + 1, worker = $2, lease_until = $3, \
        attempts = attempts + 1, started_at = COALESCE(started_at, $4) \
        WHERE id = $1 AND (status = 'queued' OR (status = 'running' AND lease_until <= $4)) \
        RETURNING project_id, organization_id, key_id, fence, attempts, cancel_requested";
    let passed: Option<Passed> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Text(claim.worker))
        .bind(Time(now.plus(claim.lease)))
        .bind(Time(now))
        .fetch_optional(c)
        .await?;
    Ok(passed.map(|row| UnreadableJob {
        attempts: u32::try_from(count(row.attempts)).unwrap_or(u32::MAX),
        cancel_requested: row.cancel_requested,
        lease: Lease {
            job: id,
            project: row.project_id.0,
            organization: row.organization_id.0,
            key: row.key_id.0,
            fence: row.fence,
            worker: claim.worker,
        },
    }))
}

/// Claims this job, unless another worker has it.
pub(crate) async fn take(
    c: &mut Conn,
    id: JobId,
    claim: Claim,
    now: Timestamp,
) -> Result<Option<ClaimedJob>, StoreError> {
    // A create that was under way while its project was archived leaves a job that nobody canceled, so
    // cancel it here.
    let sql = "UPDATE jobs SET status = 'running', fence = fence + 1, worker = $2, lease_until = $3, \
        attempts = attempts + 1, started_at = COALESCE(started_at, $4), \
        cancel_requested = (cancel_requested OR EXISTS (SELECT 1 FROM projects p \
        JOIN organizations o ON o.id = p.organization_id WHERE p.id = jobs.project_id \
        AND (p.archived_at IS NOT NULL OR o.archived_at IS NOT NULL))) \
        WHERE id = $1 AND (status = 'queued' OR (status = 'running' AND lease_until <= $4)) RETURNING *";
    let raw: Option<RawJob> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Text(claim.worker))
        .bind(Time(now.plus(claim.lease)))
        .bind(Time(now))
        .fetch_optional(&mut *c)
        .await?;
    let Some(raw) = raw else { return Ok(None) };
    let seed = seed(&raw)?;
    let lease = Lease {
        job: raw.id.0,
        project: raw.project_id.0,
        organization: raw.organization_id.0,
        key: raw.key_id.0,
        fence: raw.fence,
        worker: claim.worker,
    };
    let job = raw.into_row(now)?;
    products::claimed(c, &job, now).await?;
    Ok(Some(ClaimedJob {
        pins: job.pins.clone(),
        seed,
        started_at: job.started_at.unwrap_or(now),
        cost_cap: job.cost_cap,
        resumed: job.attempts > 1,
        lease,
        job,
    }))
}

/// Checks the lease and locks the job's row until the transaction ends. Every write under a lease begins
/// with this. Returns the job's stages, which some of these writes change.
pub(super) async fn owned(c: &mut Conn, lease: &Lease) -> Result<StoredStages, StoreError> {
    let sql = format!(
        "SELECT stages FROM jobs WHERE id = $1 AND fence = $2 AND worker = $3 AND status = 'running' \
         AND project_id = $4{FOR_UPDATE}"
    );
    let stages: Option<StoredStages> = sqlx::query_scalar(AssertSqlSafe(sql))
        .bind(Text(lease.job))
        .bind(lease.fence)
        .bind(Text(lease.worker))
        .bind(Text(lease.project))
        .fetch_optional(c)
        .await?;
    stages.ok_or(StoreError::LeaseLost)
}

pub(crate) async fn renew(
    c: &mut Conn,
    lease: &Lease,
    until: Timestamp,
) -> Result<LeaseState, StoreError> {
    let sql = "UPDATE jobs SET lease_until = $4 WHERE id = $1 AND fence = $2 AND worker = $3 AND status = 'running' \
        RETURNING cancel_requested";
    let cancel_requested: Option<bool> = sqlx::query_scalar(sql)
        .bind(Text(lease.job))
        .bind(lease.fence)
        .bind(Text(lease.worker))
        .bind(Time(until))
        .fetch_optional(c)
        .await?;
    cancel_requested
        .map(|cancel_requested| LeaseState { cancel_requested })
        .ok_or(StoreError::LeaseLost)
}

pub(crate) async fn record_pins(
    c: &mut Conn,
    lease: &Lease,
    pins: &Value,
) -> Result<(), StoreError> {
    let sql = "UPDATE jobs SET pins = $4 WHERE id = $1 AND fence = $2 AND worker = $3 AND status = 'running'";
    let done = sqlx::query(sql)
        .bind(Text(lease.job))
        .bind(lease.fence)
        .bind(Text(lease.worker))
        .bind(Json(pins))
        .execute(c)
        .await?;
    if done.rows_affected() == 0 {
        return Err(StoreError::LeaseLost);
    }
    Ok(())
}

pub(crate) async fn release(c: &mut Conn, lease: &Lease, now: Timestamp) -> Result<(), StoreError> {
    let sql = "UPDATE jobs SET lease_until = $4, worker = NULL \
        WHERE id = $1 AND fence = $2 AND worker = $3 AND status = 'running'";
    let done = sqlx::query(sql)
        .bind(Text(lease.job))
        .bind(lease.fence)
        .bind(Text(lease.worker))
        .bind(Time(now))
        .execute(c)
        .await?;
    if done.rows_affected() == 0 {
        return Err(StoreError::LeaseLost);
    }
    Ok(())
}
