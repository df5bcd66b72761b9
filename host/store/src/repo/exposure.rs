//! What calls of open jobs have cost, and what they may still cost while they are under way or in doubt.
//! Every limit is checked against this before a call begins. The sums change when a call begins or is
//! settled and when its job ends; whoever changes them holds the organization's money.

use gtm_domain::job::Job;
use gtm_domain::{JobId, MicroUsd};
use sqlx::AssertSqlSafe;

use super::owner_sums::{self, Owners, Sum};
use super::step_sql::MAY_COST;
use super::{Conn, sum_of};
use crate::columns::Text;
use crate::error::StoreError;
use crate::scope::Lease;

/// Adds `by`, which may be negative, to what the leased job's calls have taken. Call it after the call's
/// own rows are written.
pub(super) async fn change(c: &mut Conn, lease: &Lease, by: MicroUsd) -> Result<(), StoreError> {
    if by == MicroUsd::ZERO {
        return Ok(());
    }
    add(c, lease, Sum::Exposed, by).await?;
    let job = reservation_of(c, lease.job).await?;
    let over = (taken(c, lease.job).await? - job.reserved).max(MicroUsd::ZERO);
    set_over(c, lease, job.over, over).await
}

/// The leased job ends: its calls no longer count here. Amounts in doubt count in `awaiting` from now on.
pub(super) async fn release(c: &mut Conn, lease: &Lease) -> Result<(), StoreError> {
    let taken = taken(c, lease.job).await?;
    if taken != MicroUsd::ZERO {
        add(c, lease, Sum::Exposed, -taken).await?;
    }
    let over = reservation_of(c, lease.job).await?.over;
    set_over(c, lease, over, MicroUsd::ZERO).await
}

/// Corrects what calls of open jobs have taken of the limits of an ended job's key, project and
/// organization: a job may have been given up without releasing its part. Returns whether anything was
/// wrong.
pub(super) async fn recount(c: &mut Conn, job: &Job) -> Result<bool, StoreError> {
    sqlx::query("UPDATE jobs SET over_reserved = 0 WHERE id = $1 AND over_reserved <> 0")
        .bind(Text(job.id))
        .execute(&mut *c)
        .await?;
    let mut off = false;
    for (column, scope) in [
        ("key_id", job.key.to_string()),
        ("project_id", job.project.to_string()),
        ("organization_id", job.organization.to_string()),
    ] {
        // Uses the index on project and status: an organization has few open jobs but any number of ended
        // ones.
        let open = format!(
            "j.project_id IN (SELECT p.id FROM projects p WHERE p.organization_id = $2) \
             AND j.status IN ('queued', 'running') AND j.{column} = $1"
        );
        let sql = format!(
            "UPDATE open_reservations SET exposed = counted.taken, over_reserved = counted.beyond FROM (SELECT \
             (SELECT {} FROM (SELECT c.cost AS amount FROM cost_rows c JOIN jobs j ON j.id = c.job_id WHERE {open} \
             UNION ALL SELECT c.held FROM cost_rows c JOIN jobs j ON j.id = c.job_id WHERE {open} \
             UNION ALL SELECT {MAY_COST} FROM job_steps s JOIN jobs j ON j.id = s.job_id WHERE {open} \
             AND s.state = 'started') calls) AS taken, \
             (SELECT {} FROM jobs j WHERE {open}) AS beyond) counted WHERE scope_id = $1 \
             AND (exposed <> counted.taken OR over_reserved <> counted.beyond)",
            sum_of("amount"),
            sum_of("j.over_reserved")
        );
        let counted = sqlx::query(AssertSqlSafe(sql))
            .bind(scope)
            .bind(Text(job.organization))
            .execute(&mut *c)
            .await?;
        off |= counted.rows_affected() > 0;
    }
    Ok(off)
}

/// A job's reservation, and what its calls have taken beyond it.
struct Reservation {
    reserved: MicroUsd,
    over: MicroUsd,
}

async fn reservation_of(c: &mut Conn, job: JobId) -> Result<Reservation, StoreError> {
    let sql = "SELECT reserved, over_reserved FROM jobs WHERE id = $1";
    let (reserved, over): (i64, i64) = sqlx::query_as(sql).bind(Text(job)).fetch_one(c).await?;
    Ok(Reservation {
        reserved: MicroUsd::from_micros(reserved),
        over: MicroUsd::from_micros(over),
    })
}

/// Sets what a job's calls have taken beyond its reservation. It is kept apart from the sum of everything
/// taken, because one job's reservation does not cover another job's calls.
async fn set_over(
    c: &mut Conn,
    lease: &Lease,
    from: MicroUsd,
    to: MicroUsd,
) -> Result<(), StoreError> {
    if from == to {
        return Ok(());
    }
    sqlx::query("UPDATE jobs SET over_reserved = $2 WHERE id = $1")
        .bind(Text(lease.job))
        .bind(to.micros())
        .execute(&mut *c)
        .await?;
    add(c, lease, Sum::OverReserved, to - from).await
}

/// Adds to a sum of the job's key, project and organization.
async fn add(c: &mut Conn, lease: &Lease, sum: Sum, by: MicroUsd) -> Result<(), StoreError> {
    let owners = Owners {
        key: lease.key,
        project: lease.project,
        organization: lease.organization,
    };
    owner_sums::change(c, &owners, sum, by).await
}

/// What the calls of a job have taken.
async fn taken(c: &mut Conn, job: JobId) -> Result<MicroUsd, StoreError> {
    let sql = format!(
        "SELECT {} FROM (SELECT cost AS amount FROM cost_rows WHERE job_id = $1 \
         UNION ALL SELECT held FROM cost_rows WHERE job_id = $1 \
         UNION ALL SELECT {MAY_COST} FROM job_steps s WHERE s.job_id = $1 AND s.state = 'started') calls",
        sum_of("amount")
    );
    let taken: i64 = sqlx::query_scalar(AssertSqlSafe(sql))
        .bind(Text(job))
        .fetch_one(c)
        .await?;
    Ok(MicroUsd::from_micros(taken))
}
