//! Jobs whose row cannot be read in full, for example after a disk fault or a manual change. Their owner,
//! status and cost can still be read, so that they can be ended and paid for.

use gtm_domain::job::OperatorJob;
use gtm_domain::{JobId, Timestamp};

use super::{Conn, jobs};
use crate::error::StoreError;

/// A job without its unreadable parts.
///
/// # Errors
/// [`StoreError::Corrupt`] if not even the rest can be read.
pub(crate) async fn read(
    c: &mut Conn,
    id: JobId,
    now: Timestamp,
) -> Result<Option<OperatorJob>, StoreError> {
    let Some(raw) = jobs::raw(c, id).await? else {
        return Ok(None);
    };
    let found = raw.into_operator_job(now)?;
    if let Some(problem) = &found.damage {
        tracing::error!(job = %id, problem, "the job cannot be read in full; what is damaged is left out");
    }
    Ok(Some(found))
}
