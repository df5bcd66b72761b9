//! What a message to one prospect rests on and what can change while its job waits: read once, and recorded before
//! anything follows from it. A replay reads the record; whoever resumes the job asks the ledger and the allow-list again
//! as well (decision 0085).

use gtm_domain::canonical::NotCanonical;
use gtm_domain::message::compliance::Environment;
use gtm_domain::message::gates::{OfferStanding, PolicyStanding};
use gtm_domain::message::prospect_message::{MessageOffer, ProspectMessageInput};
use gtm_domain::offer::{OfferBinding, OfferSelection, SelectedOffer};
use gtm_domain::outcome_ledger::Suppression;
use gtm_domain::policy::{AllowedPolicy, policy_hash};
use gtm_domain::prospecting::{Candidate, Qualification, QualificationStatus};
use gtm_domain::{Digest, Timestamp, canonical_digest};
use gtm_store::StoreError;
use serde::{Deserialize, Serialize};

use super::super::JobRun;
use super::super::cited::unreadable;
use super::super::observation::{Recorded, record};
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
    /// Digest of the candidate with its evidence, without the decision about it; `None` if it is gone.
    pub candidate: Option<Digest>,
    /// What was decided about the candidate; `None` if it is gone.
    pub qualification: Option<Qualification>,
    pub offer: OfferStanding,
    /// The approved revision of the offer, which says what may be repeated.
    pub offer_revision: Option<OfferBinding>,
    pub policy: PolicyStanding,
    /// `None` if there is nobody to look up.
    pub ledger: Option<Suppression>,
}

/// The record of this job. A replay has the stored one; a run makes it, or closes with it what has been closed since.
pub(super) async fn observed(
    run: &mut JobRun,
    input: &ProspectMessageInput,
    policy: Option<&PinnedPlugin>,
) -> Result<Observed, Ending> {
    let (leased, before) = match Recorded::of(run)? {
        Recorded::Final(recorded) => return Ok(recorded),
        Recorded::Open { leased, before } => (leased, before),
    };
    let at = run.clock.now();
    let observed = match &before {
        None => read(&leased, at, input, policy).await.map_err(unreadable)?,
        Some(before) => {
            let now = standing(&leased, input, policy).await.map_err(unreadable)?;
            stricter(before.clone(), at, now)
        }
    };
    record(run, &leased, before.as_ref(), &observed).await?;
    Ok(observed)
}

/// What can close between two runs of a job.
struct Standing {
    policy: PolicyStanding,
    /// `None` if there is nobody to look up.
    ledger: Option<Suppression>,
    /// When the candidate expires; `None` if it is gone.
    candidate_expires_at: Option<Timestamp>,
    /// The last decision about the candidate; `None` if it is gone.
    qualification: Option<Qualification>,
    offer: OfferStanding,
}

/// DANGER: fails if the ledger cannot be read, as [`read`].
async fn standing(
    leased: &LeasedJob,
    input: &ProspectMessageInput,
    policy: Option<&PinnedPlugin>,
) -> Result<Standing, StoreError> {
    let (store, scope) = (&leased.store, leased.lease.scope());
    let prospect = store
        .prospect(&scope, input.prospecting_job_id, input.prospect_id)
        .await?;
    let ledger = match &prospect {
        Some(prospect) => Some(store.suppression(&scope, &prospect.subjects).await?),
        None => None,
    };
    let entry = store.policy_entry(&input.policy).await?;
    let policy = policy_standing(input, policy, entry.as_ref())
        .map_err(|error| StoreError::Conflict(error.to_string()))?;
    Ok(Standing {
        policy,
        ledger,
        candidate_expires_at: prospect
            .as_ref()
            .map(|prospect| prospect.candidate.expires_at),
        qualification: prospect.map(|prospect| prospect.candidate.qualification),
        offer: offer_standing(&input.offer, selected(leased, input).await?.as_ref()),
    })
}

/// The offer that the request names, as it is now.
async fn selected(
    leased: &LeasedJob,
    input: &ProspectMessageInput,
) -> Result<Option<SelectedOffer>, StoreError> {
    match &input.offer {
        MessageOffer::Offer { offer_id } => {
            let (store, scope) = (&leased.store, leased.lease.scope());
            let named = OfferSelection::Id(*offer_id);
            store.select_offer(&scope, named).await
        }
        MessageOffer::Summary { .. } => Ok(None),
    }
}

/// The record, with what has closed since. Whoever objected while a job was down must not be written to; and what the
/// record closed stays closed.
fn stricter(mut recorded: Observed, at: Timestamp, now: Standing) -> Observed {
    let is_allowed = |policy: PolicyStanding| matches!(policy, PolicyStanding::Allowed { .. });
    let is_matched = |ledger: Option<Suppression>| ledger.is_some_and(|ledger| ledger.matched);
    let has_objected = is_matched(now.ledger) && !is_matched(recorded.ledger);
    let was_revoked = is_allowed(recorded.policy) && !is_allowed(now.policy);
    if has_objected {
        recorded.ledger = now.ledger;
    }
    if was_revoked {
        recorded.policy = now.policy;
    }
    let strictness = |qualification: &Option<Qualification>| match qualification {
        Some(decided) => match decided.status {
            QualificationStatus::Accepted => 0,
            QualificationStatus::Pending => 1,
            QualificationStatus::Rejected => 2,
        },
        None => 0,
    };
    let was_turned_down = strictness(&now.qualification) > strictness(&recorded.qualification);
    if was_turned_down {
        recorded.qualification = now.qualification;
    }
    let is_offered = |offer: OfferStanding| matches!(offer, OfferStanding::Approved { .. });
    let was_withdrawn = is_offered(recorded.offer) && now.offer != recorded.offer;
    if was_withdrawn {
        recorded.offer = now.offer;
    }
    let ends = [recorded.job_expires_at, now.candidate_expires_at];
    let has_expired = (ends.into_iter().flatten()).any(|end| recorded.at < end && end <= at);
    if has_objected || was_revoked || was_turned_down || was_withdrawn || has_expired {
        recorded.at = at;
    }
    recorded
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
    let selected = selected(leased, input).await?;
    let standing = standing(leased, input, policy).await?;
    Ok(Observed {
        at,
        environment: store.project_environment(&scope).await?,
        job_expires_at: job.map(|job| job.expires_at),
        // Nobody is looked up of whom nothing is retained.
        ledger: standing.ledger.filter(|_| prospect.is_some()),
        candidate: prospect
            .as_ref()
            .and_then(|prospect| digest_of(&prospect.candidate)),
        qualification: prospect.map(|prospect| prospect.candidate.qualification),
        offer: offer_standing(&input.offer, selected.as_ref()),
        offer_revision: selected.and_then(|selected| selected.binding),
        policy: standing.policy,
    })
}

/// Identifies a candidate with its evidence, whatever is decided about it later.
pub(super) fn digest_of(candidate: &Candidate) -> Option<Digest> {
    // A candidate has texts, instants and digests, so it always has a canonical form.
    let mut candidate = serde_json::to_value(candidate).ok()?;
    candidate.as_object_mut()?.remove("qualification");
    canonical_digest(&candidate).ok()
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
    entry: Option<&AllowedPolicy>,
) -> Result<PolicyStanding, NotCanonical> {
    let pinned = pinned.and_then(|pinned| {
        let version = pinned.version.as_deref()?;
        policy_hash(&input.policy, &pinned.key, version, pinned.digest?).ok()
    });
    let Some(pinned) = pinned else {
        let was_allowed = entry.is_some_and(|entry| entry.revoked_at.is_some());
        return Ok(match was_allowed {
            true => PolicyStanding::Revoked,
            false => PolicyStanding::NotAllowed,
        });
    };
    let in_use = entry.filter(|entry| entry.revoked_at.is_none());
    let allowed = in_use.map(AllowedPolicy::policy_hash).transpose()?;
    Ok(match allowed {
        Some(policy_hash) if policy_hash == pinned => PolicyStanding::Allowed { policy_hash },
        _ => PolicyStanding::Revoked,
    })
}

#[cfg(test)]
mod tests {
    use gtm_domain::outcome_ledger::SubjectType;

    use super::*;

    const BEFORE: Timestamp = Timestamp::from_millis(1_000);
    const LATER: Timestamp = Timestamp::from_millis(2_000);

    fn allowed() -> PolicyStanding {
        PolicyStanding::Allowed {
            policy_hash: Digest::of(b"policy"),
        }
    }

    fn ledger(matched: bool) -> Option<Suppression> {
        Some(Suppression {
            sequence: Some(if matched { 7 } else { 6 }),
            matched,
            r#match: matched.then_some(SubjectType::Person),
        })
    }

    fn recorded(policy: PolicyStanding, ledger: Option<Suppression>) -> Observed {
        Observed {
            at: BEFORE,
            environment: Environment::Production,
            job_expires_at: None,
            candidate: None,
            qualification: None,
            offer: OfferStanding::Summary,
            offer_revision: None,
            policy,
            ledger,
        }
    }

    #[test]
    fn what_has_closed_since_closes_and_what_was_closed_stays_closed() {
        let revoked = PolicyStanding::Revoked;
        for (before, now, want) in [
            ((allowed(), false), (allowed(), false), (allowed(), false)),
            ((allowed(), false), (allowed(), true), (allowed(), true)),
            ((allowed(), false), (revoked, false), (revoked, false)),
            ((allowed(), false), (revoked, true), (revoked, true)),
            ((revoked, true), (allowed(), false), (revoked, true)),
        ] {
            let record = recorded(before.0, ledger(before.1));
            let standing = Standing {
                policy: now.0,
                ledger: ledger(now.1),
                candidate_expires_at: None,
                qualification: None,
                offer: OfferStanding::Summary,
            };
            let found = stricter(record.clone(), LATER, standing);
            assert_eq!((found.policy, found.ledger), (want.0, ledger(want.1)));
            let is_same = before == want;
            assert_eq!(found == record, is_same, "{before:?} {now:?}");
            assert_eq!(found.at, if is_same { BEFORE } else { LATER });
        }
        // An erased prospect cannot be looked up.
        let gone = Standing {
            policy: allowed(),
            ledger: None,
            candidate_expires_at: None,
            qualification: None,
            offer: OfferStanding::Summary,
        };
        let record = recorded(allowed(), ledger(false));
        assert_eq!(stricter(record.clone(), LATER, gone), record);
    }

    /// Until then the moment of the record holds, and with it whatever was computed from it.
    #[test]
    fn what_has_expired_since_is_judged_at_the_later_moment() {
        let after = |millis| Some(Timestamp::from_millis(millis));
        for (job, candidate, want) in [
            (after(2_000), None, LATER),
            (None, after(2_000), LATER),
            (after(1_001), after(9_000), LATER),
            (after(2_001), after(2_001), BEFORE),
            // It had expired before, and the record says so.
            (after(1_000), after(1_000), BEFORE),
        ] {
            let record = Observed {
                job_expires_at: job,
                ..recorded(allowed(), ledger(false))
            };
            let standing = Standing {
                policy: allowed(),
                ledger: ledger(false),
                candidate_expires_at: candidate,
                qualification: None,
                offer: OfferStanding::Summary,
            };
            let found = stricter(record, LATER, standing);
            assert_eq!(found.at, want, "{job:?} {candidate:?}");
        }
    }

    /// Whoever was turned down while a job was down must not be written to; who was accepted since, may be next time.
    #[test]
    fn the_stricter_decision_holds() {
        use QualificationStatus::{Accepted, Pending, Rejected};
        let decided = |status| Qualification {
            status,
            reason: None,
            decided_at: None,
        };
        for (before, now, want) in [
            (Accepted, Rejected, Rejected),
            (Accepted, Pending, Pending),
            (Pending, Rejected, Rejected),
            (Rejected, Accepted, Rejected),
            (Pending, Accepted, Pending),
            (Accepted, Accepted, Accepted),
        ] {
            let record = Observed {
                qualification: Some(decided(before)),
                ..recorded(allowed(), ledger(false))
            };
            let standing = Standing {
                policy: allowed(),
                ledger: ledger(false),
                candidate_expires_at: None,
                qualification: Some(decided(now)),
                offer: OfferStanding::Summary,
            };
            let found = stricter(record, LATER, standing);
            assert_eq!(
                found.qualification,
                Some(decided(want)),
                "{before:?} {now:?}"
            );
            assert_eq!(found.at == LATER, want != before, "{before:?} {now:?}");
        }
    }

    /// What was approved may be withdrawn while a job waits; what is approved later counts next time.
    #[test]
    fn the_offer_is_what_it_was_or_less() {
        let approved = |of: &[u8]| OfferStanding::Approved {
            offer_hash: Digest::of(of),
        };
        let (first, second) = (approved(b"first"), approved(b"second"));
        for (before, now, want) in [
            (first, first, first),
            (first, second, second),
            (first, OfferStanding::Archived, OfferStanding::Archived),
            (OfferStanding::Archived, first, OfferStanding::Archived),
            (
                OfferStanding::NotApproved,
                first,
                OfferStanding::NotApproved,
            ),
            (
                OfferStanding::Summary,
                OfferStanding::Summary,
                OfferStanding::Summary,
            ),
        ] {
            let record = Observed {
                offer: before,
                ..recorded(allowed(), ledger(false))
            };
            let standing = Standing {
                policy: allowed(),
                ledger: ledger(false),
                candidate_expires_at: None,
                qualification: None,
                offer: now,
            };
            let found = stricter(record, LATER, standing);
            assert_eq!(found.offer, want, "{before:?} {now:?}");
            assert_eq!(found.at == LATER, want != before, "{before:?} {now:?}");
        }
    }
}
