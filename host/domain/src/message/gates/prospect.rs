//! The gates of the prospect: whether it is fresh, qualified and known, what the message may say about it, and
//! whether it objected.

use super::{Facts, Finding, PASSED, failed, is_blank, prospect_gone, unknown};
use crate::json_pointer::below;
use crate::prospecting::{EvidenceKind, QualificationStatus};

/// Asks for a prospecting job and a candidate that have not expired.
pub(super) fn freshness(facts: &Facts<'_>) -> Finding {
    let (Some(candidate), Some(job_expires_at)) = (facts.candidate, facts.job_expires_at) else {
        return failed(
            "prospect_gone",
            "/prospect_id",
            "The prospect is no longer retained.",
        );
    };
    if job_expires_at <= facts.now {
        return failed(
            "job_expired",
            "/prospecting_job_id",
            "The prospecting job has expired; take the prospect from a newer one.",
        );
    }
    if candidate.expires_at <= facts.now {
        return failed(
            "candidate_expired",
            "/prospect_id",
            "What is known of the prospect has expired; research it again.",
        );
    }
    PASSED
}

/// Asks for a decision that the candidate is worth writing to.
pub(super) fn qualification(facts: &Facts<'_>) -> Finding {
    let candidate = facts.candidate.ok_or_else(prospect_gone)?;
    match candidate.qualification.status {
        QualificationStatus::Accepted => PASSED,
        QualificationStatus::Rejected => failed("rejected", "", "The prospect was rejected."),
        QualificationStatus::Pending => unknown(
            "pending",
            "",
            "Nobody has decided yet whether the prospect qualifies.",
        ),
    }
}

/// Asks for a person and a company with their names.
pub(super) fn identity(facts: &Facts<'_>) -> Finding {
    let candidate = facts.candidate.ok_or_else(prospect_gone)?;
    let is_named = |name: &Option<String>| name.as_deref().is_some_and(|name| !is_blank(name));
    if !is_named(&candidate.person.full_name) {
        return failed(
            "person_not_named",
            "/prospect_id",
            "No full name of the person is retained.",
        );
    }
    if !is_named(&candidate.company.name) {
        return failed(
            "company_not_named",
            "/prospect_id",
            "No name of the company is retained.",
        );
    }
    PASSED
}

/// Asks for evidence of this prospect for what the message says.
pub(super) fn evidence(facts: &Facts<'_>) -> Finding {
    const AT: &str = "/evidence/personalization_evidence_ids";
    let candidate = facts.candidate.ok_or_else(prospect_gone)?;
    let cited = &facts.request.evidence.personalization_evidence_ids;
    if cited.is_empty() {
        return failed("none_cited", AT, "No evidence is cited.");
    }
    for (index, id) in cited.iter().enumerate() {
        let at = below(AT, &index.to_string());
        let Some(record) = candidate.evidence(*id) else {
            return failed(
                "not_retained",
                &at,
                "No such evidence is retained for this prospect.",
            );
        };
        if !matches!(
            record.kind,
            EvidenceKind::Personalization | EvidenceKind::CompanyFact
        ) {
            return failed(
                "wrong_kind",
                &at,
                "This evidence is neither a personalization nor a fact about the company.",
            );
        }
    }
    PASSED
}

/// Asks for a ledger without an entry against writing to the prospect.
pub(super) fn suppression(facts: &Facts<'_>) -> Finding {
    let ledger = facts.ledger.ok_or_else(prospect_gone)?;
    match ledger.matched {
        true => failed(
            "suppressed",
            "",
            "An entry of the outcome ledger speaks against writing to this prospect.",
        ),
        false => PASSED,
    }
}
