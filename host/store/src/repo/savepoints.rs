//! Savepoints: parts of a transaction that can be rolled back on their own.

use gtm_domain::JobId;

use super::Conn;
use crate::error::StoreError;

/// Begins a part that can be rolled back on its own.
pub(super) async fn begin(c: &mut Conn) -> Result<(), StoreError> {
    sqlx::query("SAVEPOINT part").execute(c).await?;
    Ok(())
}

/// Keeps a part that was written, or rolls back a part that failed and logs it. A failure that may pass
/// with time, or a lost lease, ends the whole transaction instead. Any other failure, such as an unreadable
/// row, must not: it would keep the job for ever. Returns whether the part was written.
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
            | StoreError::Deadlocked
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
