//! Jobs whose row cannot be read in full, as after a fault of the disk or of whoever changed it by hand: whose
//! such a job is, where it stands and what it costs is read all the same, so that it can be ended and paid for.

use gtm_domain::job::OperatorJob;
use gtm_domain::{JobId, Timestamp};

use super::{Conn, jobs};
use crate::error::StoreError;

/// A job, without what cannot be read of it.
///
/// # Errors
/// [`StoreError::Corrupt`] if not even that can be read.
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
