//! Counts the work that is not done. It reads only the indexes of queued jobs, running jobs and marked
//! calls, so it reads no ended job.

use gtm_domain::job::{Backlog, OpenJobs};
use gtm_domain::{JobStatus, JobType};
use sqlx::AssertSqlSafe;

use super::{Conn, awaiting};
use crate::columns::{Time, count};
use crate::error::StoreError;

row! {
    struct RawOpen {
        r#type: String,
        jobs: i64,
        oldest: Time,
    }
}

pub(crate) async fn read(c: &mut Conn) -> Result<Backlog, StoreError> {
    let mut backlog = Backlog::default();
    for status in [JobStatus::Queued, JobStatus::Running] {
        // The status is written out so that the engine uses the partial index of this status.
        let sql = format!(
            "SELECT type, COUNT(*) AS jobs, MIN(created_at) AS oldest FROM jobs \
             WHERE status = '{}' GROUP BY type ORDER BY type",
            status.as_str()
        );
        let rows: Vec<RawOpen> = sqlx::query_as(AssertSqlSafe(sql))
            .fetch_all(&mut *c)
            .await?;
        for row in rows {
            let job_type = JobType::parse(&row.r#type)
                .ok_or_else(|| StoreError::Corrupt(format!("job type {}", row.r#type)))?;
            backlog.open.push(OpenJobs {
                job_type,
                status,
                jobs: count(row.jobs),
            });
            if status == JobStatus::Queued {
                let oldest = backlog.oldest_queued.unwrap_or(row.oldest.0);
                backlog.oldest_queued = Some(oldest.min(row.oldest.0));
            }
        }
    }
    let sql = format!(
        "SELECT COUNT(*) FROM cost_rows c WHERE {}",
        awaiting::AWAITS
    );
    let awaiting: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(c).await?;
    backlog.awaiting_calls = count(awaiting);
    Ok(backlog)
}
