//! What calls of jobs that have not ended have cost, and may cost as long as they are under way. Every
//! limit holds against this before a call is begun. The sums change where calls begin, are settled, and
//! their job ends; whoever changes them holds the organization's money.

use gtm_domain::{JobId, KeyRecordId, MicroUsd, OrganizationId, ProjectId};
use sqlx::AssertSqlSafe;

use super::{Conn, added, sum_of};
use crate::columns::Text;
use crate::error::StoreError;
use crate::scope::Lease;

/// Whose limits a job counts against.
#[derive(Debug, Clone, Copy)]
pub(super) struct Payers {
    pub(super) key: KeyRecordId,
    pub(super) project: ProjectId,
    pub(super) organization: OrganizationId,
}

impl Payers {
    /// Those of the leased job.
    pub(super) const fn of(lease: &Lease) -> Self {
        Self {
            key: lease.key,
            project: lease.project,
            organization: lease.organization,
        }
    }
}

/// Count `by` more, or less.
pub(super) async fn change(c: &mut Conn, payers: Payers, by: MicroUsd) -> Result<(), StoreError> {
    if by == MicroUsd::ZERO {
        return Ok(());
    }
    // A sum that stopped at the largest number must not fall below zero later.
    let changed = added("open_reservations.exposed", "CAST($4 AS BIGINT)");
    let sql = format!(
        "INSERT INTO open_reservations (scope_id, scope, reserved, exposed) VALUES \
         ($1, 'key', 0, $5), ($2, 'project', 0, $5), ($3, 'organization', 0, $5) \
         ON CONFLICT (scope_id) DO UPDATE SET exposed = \
         CASE WHEN {changed} < 0 THEN 0 ELSE {changed} END"
    );
    sqlx::query(AssertSqlSafe(sql))
        .bind(Text(payers.key))
        .bind(Text(payers.project))
        .bind(Text(payers.organization))
        .bind(by.micros())
        .bind(by.max(MicroUsd::ZERO).micros())
        .execute(c)
        .await?;
    Ok(())
}

/// The leased job ends: its calls count no more.
pub(super) async fn release(c: &mut Conn, lease: &Lease) -> Result<(), StoreError> {
    let taken = of_job(c, lease.job).await?;
    change(c, Payers::of(lease), -taken).await
}

async fn of_job(c: &mut Conn, job: JobId) -> Result<MicroUsd, StoreError> {
    let sql = format!(
        "SELECT {} FROM (SELECT cost AS amount FROM cost_rows WHERE job_id = $1 \
         UNION ALL SELECT ceiling FROM job_steps WHERE job_id = $1 AND state = 'started') calls",
        sum_of("amount")
    );
    let taken: i64 = sqlx::query_scalar(AssertSqlSafe(sql))
        .bind(Text(job))
        .fetch_one(c)
        .await?;
    Ok(MicroUsd::from_micros(taken))
}
