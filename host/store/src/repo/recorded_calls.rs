//! The journal of a job as a whole: its calls with what they received.

use gtm_domain::JobId;
use sqlx::AssertSqlSafe;

use super::Conn;
use super::step_sql::LEFT_OPEN;
use crate::columns::Text;
use crate::error::StoreError;

/// Removes the journal of an ended job with what its calls received. Blobs that no job needs any more are swept. What
/// the calls cost stays.
pub(crate) async fn forget(c: &mut Conn, job: JobId) -> Result<(), StoreError> {
    let of_job = [
        // Deleting a step deletes its receipts.
        format!("DELETE FROM job_steps AS s WHERE s.job_id = $1 AND NOT ({LEFT_OPEN})"),
        "DELETE FROM blob_references WHERE job_id = $1".to_owned(),
    ];
    for sql in of_job {
        sqlx::query(AssertSqlSafe(sql))
            .bind(Text(job))
            .execute(&mut *c)
            .await?;
    }
    Ok(())
}
