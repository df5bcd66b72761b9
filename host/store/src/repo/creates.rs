//! Creating a job: claim its idempotency key, admit and reserve its money, insert its row.

use gtm_domain::idempotency::{Create, IdempotencyClaim};
use gtm_domain::job::CreateJob;
use gtm_domain::{TierTable, Timestamp};

use super::idempotency::{self, Protected};
use super::{Conn, jobs, money};
use crate::error::StoreError;
use crate::model::job::NewJob;
use crate::scope::ProjectScope;

/// Creates a job, under an idempotency key if one is given.
pub(crate) async fn job(
    c: &mut Conn,
    scope: &ProjectScope,
    job: &NewJob,
    claim: Option<&IdempotencyClaim>,
    tiers: &TierTable,
    now: Timestamp,
) -> Result<CreateJob, StoreError> {
    // The key comes before the money: a request that waits for another one with its key then blocks nobody
    // else of the organization, and a replay is never refused.
    if let Some(claim) = claim {
        let protected = Protected::job(job);
        if let Some(known) = idempotency::claim(c, scope.project, claim, &protected, now).await? {
            return Ok(Create::known(known));
        }
    }
    let balance = money::lock(c, scope.organization).await?;
    let admission = money::admit(c, scope, job, tiers, balance).await?;
    let row = jobs::insert(c, scope, job, admission, now).await?;
    Ok(Create::Created(Box::new(row)))
}
