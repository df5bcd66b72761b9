//! What a message to one prospect rests on and what can change while its job waits: read once, and recorded before
//! anything follows from it. Whoever resumes or replays the job reads the record (decision 0085).

use gtm_domain::message::compliance::Environment;
use gtm_domain::message::gates::{OfferStanding, PolicyStanding};
use gtm_domain::message::prospect_message::{MessageOffer, ProspectMessageInput};
use gtm_domain::offer::{OfferBinding, OfferSelection, SelectedOffer};
use gtm_domain::outcome_ledger::Suppression;
use gtm_domain::policy::policy_hash;
use gtm_domain::prospecting::Candidate;
use gtm_domain::{Digest, Timestamp, canonical_digest};
use gtm_store::StoreError;
use serde::{Deserialize, Serialize};

use super::super::JobRun;
use super::super::cited::{fault, unreadable};
use crate::ending::Ending;
use crate::journal::state::LeasedJob;
use crate::pins::PinnedPlugin;

/// What was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Observed {
    /// When.
    pub at: Timestamp,
    pub environment: Environment,
    /// When the prospecting job expires; `None` if it is gone.
    pub job_expires_at: Option<Timestamp>,
    /// Digest of the candidate with its evidence; `None` if it is gone.
    pub candidate: Option<Digest>,
    pub offer: OfferStanding,
    /// The approved revision of the offer, which says what may be repeated.
    pub offer_revision: Option<OfferBinding>,
    pub policy: PolicyStanding,
    /// `None` if there is nobody to look up.
    pub ledger: Option<Suppression>,
}

/// The record of this job: the stored one, or what is read now and stored.
pub(super) async fn observed(
    run: &mut JobRun,
    input: &ProspectMessageInput,
    policy: Option<&PinnedPlugin>,
) -> Result<Observed, Ending> {
    if let Some(recorded) = &run.pins.observed {
        return Observed::deserialize(recorded).map_err(|error| fault(run, &error));
    }
    let Some(leased) = run.leased.clone() else {
        // A replay of a job that ended before it read anything.
        return Err(Ending::HandBack(
            "the job has no record of what it read".to_owned(),
        ));
    };
    let at = run.clock.now();
    let read = read(&leased, at, input, policy).await.map_err(unreadable)?;
    let value = serde_json::to_value(&read).map_err(|error| fault(run, &error))?;
    run.pins.observed = Some(value);
    let pins = run.pins.to_value().map_err(|error| fault(run, &error))?;
    let stored = leased.store.record_pins(&leased.lease, pins).await;
    stored.map_err(unreadable)?;
    Ok(read)
}

/// DANGER: fails if the ledger cannot be read. A ledger that nobody could read says nothing, and nobody may be written
/// to then.
async fn read(
    leased: &LeasedJob,
    at: Timestamp,
    input: &ProspectMessageInput,
    policy: Option<&PinnedPlugin>,
) -> Result<Observed, StoreError> {
    let (store, scope) = (&leased.store, leased.lease.scope());
    let job = store.get_job(&scope, input.prospecting_job_id).await?;
    let job = job.filter(|job| !job.expired);
    let prospect = store
        .prospect(&scope, input.prospecting_job_id, input.prospect_id)
        .await?
        .filter(|_| job.is_some());
    let ledger = match &prospect {
        Some(prospect) => Some(store.suppression(&scope, &prospect.subjects).await?),
        None => None,
    };
    let selected = match &input.offer {
        MessageOffer::Offer { offer_id } => {
            store
                .select_offer(&scope, OfferSelection::Id(*offer_id))
                .await?
        }
        MessageOffer::Summary { .. } => None,
    };
    let allowed = store.allowed_policy(&input.policy).await?;
    let allowed = allowed.map(|entry| entry.policy_hash()).transpose();
    let allowed = allowed.map_err(|error| StoreError::Conflict(error.to_string()))?;
    Ok(Observed {
        at,
        environment: store.project_environment(&scope).await?,
        job_expires_at: job.map(|job| job.expires_at),
        candidate: prospect.and_then(|prospect| digest_of(&prospect.candidate)),
        offer: offer_standing(&input.offer, selected.as_ref()),
        offer_revision: selected.and_then(|selected| selected.binding),
        policy: policy_standing(input, policy, allowed),
        ledger,
    })
}

/// Identifies a candidate with its evidence.
pub(super) fn digest_of(candidate: &Candidate) -> Option<Digest> {
    // A candidate has texts, instants and digests, so it always has a canonical form.
    canonical_digest(candidate).ok()
}

/// An offer is never removed, so one that is not found has no approved revision.
fn offer_standing(named: &MessageOffer, selected: Option<&SelectedOffer>) -> OfferStanding {
    match (named, selected) {
        (MessageOffer::Summary { .. }, _) => OfferStanding::Summary,
        (MessageOffer::Offer { .. }, None) => OfferStanding::NotApproved,
        (MessageOffer::Offer { .. }, Some(SelectedOffer { offer, binding })) => {
            match (offer.archived_at, binding) {
                (Some(_), _) => OfferStanding::Archived,
                (None, None) => OfferStanding::NotApproved,
                (None, Some(binding)) => OfferStanding::Approved {
                    offer_hash: binding.offer_hash,
                },
            }
        }
    }
}

/// A policy may be used only if the entry that is on the list now is the one whose component was pinned when the job
/// was created.
fn policy_standing(
    input: &ProspectMessageInput,
    pinned: Option<&PinnedPlugin>,
    allowed: Option<Digest>,
) -> PolicyStanding {
    let pinned = pinned.and_then(|pinned| {
        let version = pinned.version.as_deref()?;
        policy_hash(&input.policy, &pinned.key, version, pinned.digest?).ok()
    });
    match (pinned, allowed) {
        (Some(pinned), Some(allowed)) if pinned == allowed => PolicyStanding::Allowed {
            policy_hash: allowed,
        },
        (Some(_), _) => PolicyStanding::Revoked,
        (None, _) => PolicyStanding::NotAllowed,
    }
}
