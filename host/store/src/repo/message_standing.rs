//! Whether a message may still be drafted at the moment its job ends.
//!
//! DANGER: a job reads the outcome ledger, the decision about its candidate and the allow-list, and then waits for its
//! policy to answer. Whoever objects meanwhile must not be written to, so the transaction that stores the text looks
//! again, and holds the ledger and the candidate until it is stored.

use gtm_domain::message::prospect_message_result::DraftTerms;
use gtm_domain::outcome_ledger::chain::LedgerOf;
use gtm_domain::prospecting::QualificationStatus;
use gtm_domain::{ProspectId, Timestamp};

use super::{Conn, outcome_ledger, policies, prospects};
use crate::error::StoreError;
use crate::scope::Lease;

/// Refuses a draft that nobody may have any more. The caller holds the candidate, which `job` found.
///
/// # Errors
/// [`StoreError::ClosedSince`] if, after the run had looked, somebody objected, turned the candidate down or took the
/// policy off the list, or the candidate expired: the next run finds that, and says it.
pub(super) async fn check(
    c: &mut Conn,
    lease: &Lease,
    (job, prospect): (gtm_domain::JobId, ProspectId),
    terms: &DraftTerms,
    now: Timestamp,
) -> Result<(), StoreError> {
    let project = lease.project;
    let Some(found) = prospects::get(c, project, job, prospect).await? else {
        return Ok(());
    };
    let environment = outcome_ledger::environment(c, project).await?;
    let environment = environment.ok_or_else(|| StoreError::absent("project", project))?;
    let ledger = LedgerOf {
        project,
        environment,
    };
    outcome_ledger::hold_if_begun(c, ledger).await?;
    let objections = outcome_ledger::suppressed(c, ledger, &found.subjects).await?;
    if !objections.is_empty() {
        return Err(StoreError::ClosedSince("somebody objected"));
    }
    if found.candidate.expires_at <= now {
        return Err(StoreError::ClosedSince("the candidate has expired"));
    }
    let is_turned_down = match found.candidate.qualification.status {
        QualificationStatus::Accepted => false,
        QualificationStatus::Pending => terms.is_for_sending,
        QualificationStatus::Rejected => true,
    };
    if is_turned_down {
        return Err(StoreError::ClosedSince("the candidate was turned down"));
    }
    if terms.is_for_sending {
        let allowed = policies::in_use(c, &terms.policy).await?;
        let allowed = allowed.map(|entry| entry.policy_hash()).transpose();
        let allowed = allowed.map_err(|error| StoreError::Conflict(error.to_string()))?;
        if allowed.is_none() || allowed != terms.policy_hash {
            return Err(StoreError::ClosedSince("the policy was taken off the list"));
        }
    }
    Ok(())
}
