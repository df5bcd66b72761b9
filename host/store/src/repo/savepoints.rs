//! Parts of a transaction that can be taken back without the rest of it.

use gtm_domain::JobId;

use super::Conn;
use crate::error::StoreError;

/// Begin what can be taken back without the rest of the transaction.
pub(super) async fn begin(c: &mut Conn) -> Result<(), StoreError> {
    sqlx::query("SAVEPOINT part").execute(c).await?;
    Ok(())
}

/// Keep a part that was written; take one back that cannot be, and say so. Only what waiting may heal, and
/// a lease that is gone, ends the whole: a row that cannot be read would keep the job for ever. Returns
/// whether the part was written.
pub(super) async fn end(
    c: &mut Conn,
    job: JobId,
    part: &'static str,
    done: Result<(), StoreError>,
) -> Result<bool, StoreError> {
    let written = done.is_ok();
    match done {
        Ok(()) => {}
        Err(
            error @ (StoreError::LeaseLost
            | StoreError::Database(_)
            | StoreError::Busy
            | StoreError::Unreachable { .. }
            | StoreError::Unanswered
            | StoreError::FileGone { .. }
            | StoreError::Closed),
        ) => return Err(error),
        Err(error) => {
            sqlx::query("ROLLBACK TO SAVEPOINT part")
                .execute(&mut *c)
                .await?;
            tracing::error!(%job, part, %error, "a part of what was to be written of the job was left out");
        }
    }
    sqlx::query("RELEASE SAVEPOINT part").execute(c).await?;
    Ok(written)
}
