//! The facts that gates, values and report rest on. They are read outside of the domain: what can change while a
//! job waits is read once and recorded.

use serde::{Deserialize, Serialize};

use crate::message::compliance::Environment;
use crate::message::prospect_message::ProspectMessageInput;
use crate::message::revision::TemplateRevision;
use crate::message::rubric::Judge;
use crate::offer::OfferContent;
use crate::outcome_ledger::Suppression;
use crate::policy::PolicyVerdict;
use crate::prospecting::{Candidate, EvidenceKind, EvidenceRecord};
use crate::{Digest, EvidenceId, Timestamp};

/// How the offer stands that the request names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum OfferStanding {
    /// The request gives a summary and names no offer.
    Summary,
    /// None of its revisions is approved.
    NotApproved,
    Archived,
    /// It can be used.
    Approved {
        /// Hash of the revision that was approved last.
        offer_hash: Digest,
    },
}

/// How the policy stands that the request names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum PolicyStanding {
    /// The operator's list has no such reference and version.
    NotAllowed,
    /// It was taken off the list.
    Revoked,
    /// It may be used.
    Allowed {
        /// Identifies the entry and its component.
        policy_hash: Digest,
    },
}

/// A policy that was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedPolicy {
    /// Its answer.
    pub verdict: PolicyVerdict,
    /// The component that gave it.
    pub evaluator: Judge,
}

/// Everything that is known when a message is to be written.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'f> {
    /// The template.
    pub revision: &'f TemplateRevision,
    pub request: &'f ProspectMessageInput,
    /// When the prospecting job expires; `None` if it is gone.
    pub job_expires_at: Option<Timestamp>,
    /// The prospect with all retained evidence; `None` if it is gone.
    pub candidate: Option<&'f Candidate>,
    /// How the request's offer stands.
    pub offer: OfferStanding,
    /// What the revision's offer says; `None` for a summary, or if the revision's words are not the offer's any more.
    pub offer_content: Option<&'f OfferContent>,
    /// How the request's policy stands.
    pub policy: PolicyStanding,
    /// The policy's answer; `None` if it was not asked.
    pub loaded: Option<&'f LoadedPolicy>,
    /// What the ledger says; `None` if there was nobody to look up.
    pub ledger: Option<Suppression>,
    /// English short name of the country in the postal identity; `None` if there is no such country.
    pub sender_country: Option<&'f str>,
    /// The project's environment.
    pub environment: Environment,
    /// When the facts were read.
    pub now: Timestamp,
}

impl<'f> Facts<'f> {
    /// The record with this id, if it is the prospect's.
    #[must_use]
    pub fn record(&self, id: EvidenceId) -> Option<&'f EvidenceRecord> {
        self.candidate?.evidence(id)
    }

    /// The cited records that are the prospect's: for the ground, for the address, and for what the message says.
    pub fn cited(&self) -> impl Iterator<Item = &'f EvidenceRecord> {
        let cited = &self.request.evidence;
        let facts = *self;
        [cited.basis_evidence_id, cited.address_provenance_id]
            .into_iter()
            .chain(cited.personalization_evidence_ids.iter().copied())
            .filter_map(move |id| facts.record(id))
    }

    /// The consents that the message may rest on. The request cites none. DANGER: a made-up one of a real person is none.
    pub fn consents(&self) -> impl Iterator<Item = &'f EvidenceRecord> {
        let candidate = self.candidate;
        candidate.into_iter().flat_map(|candidate| {
            (candidate.evidence.iter()).filter(|record| {
                record.kind == EvidenceKind::ConsentRecord
                    && (candidate.synthetic || !record.synthetic)
            })
        })
    }

    /// Whether the message would be made of made-up facts.
    #[must_use]
    pub fn is_synthetic(&self) -> bool {
        (self.candidate).is_some_and(|candidate| candidate.is_synthetic(self.cited()))
    }

    /// The answer of the policy, if it was asked.
    #[must_use]
    pub fn verdict(&self) -> Option<&'f PolicyVerdict> {
        self.loaded.map(|loaded| &loaded.verdict)
    }
}
