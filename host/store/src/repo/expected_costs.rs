//! What recent jobs cost, so that new ones reserve about as much: for each organization by type and
//! generation backend.

use gtm_domain::job::Job;
use gtm_domain::{JobStatus, JobType, MicroUsd, OrganizationId};

use super::Conn;
use crate::columns::Text;
use crate::error::StoreError;

/// Each job moves the expected cost by this fraction of the difference, so about ten jobs determine it.
const WEIGHT: i64 = 8;

/// The expected cost of such a job; `None` until one has succeeded.
pub(crate) async fn get(
    c: &mut Conn,
    organization: OrganizationId,
    job_type: JobType,
    backend: &str,
) -> Result<Option<MicroUsd>, StoreError> {
    let sql =
        "SELECT cost FROM expected_costs WHERE organization_id = $1 AND type = $2 AND backend = $3";
    let cost: Option<i64> = sqlx::query_scalar(sql)
        .bind(Text(organization))
        .bind(job_type.as_str())
        .bind(backend)
        .fetch_optional(c)
        .await?;
    Ok(cost.map(MicroUsd::from_micros))
}

/// Learns from an ended job. Only a job that succeeded and could cost something says what the next one may
/// need. The caller holds the organization's money, so that nobody learns from another job at the same
/// time.
pub(super) async fn learn(c: &mut Conn, job: &Job) -> Result<(), StoreError> {
    let Some(backend) = job
        .backend
        .as_deref()
        .filter(|_| job.status == JobStatus::Succeeded && job.reserved.is_positive())
    else {
        return Ok(());
    };
    let cost = job.usage.cost.max(MicroUsd::ZERO);
    let known = get(c, job.organization, job.job_type, backend).await?;
    let learned = known.map_or(cost, |known| {
        let difference = (cost - known).micros();
        known + MicroUsd::from_micros(difference / WEIGHT)
    });
    let sql = "INSERT INTO expected_costs (organization_id, type, backend, cost) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (organization_id, type, backend) DO UPDATE SET cost = excluded.cost";
    sqlx::query(sql)
        .bind(Text(job.organization))
        .bind(job.job_type.as_str())
        .bind(backend)
        .bind(learned.micros())
        .execute(c)
        .await?;
    Ok(())
}
