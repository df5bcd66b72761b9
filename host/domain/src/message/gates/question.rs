//! What a policy is asked.

use super::Facts;
use crate::message::compliance::AddressSourceClass;
use crate::policy::{BasisEvidence, PolicyQuestion};
use crate::prospecting::EvidenceKind;

/// The question for the request's policy; `None` without a retained prospect, about whom nothing could be asked.
#[must_use]
pub fn question(facts: &Facts<'_>) -> Option<PolicyQuestion> {
    let candidate = facts.candidate?;
    let request = facts.request;
    let provenance = facts.record(request.evidence.address_provenance_id);
    let class = provenance.and_then(|record| record.address_source_class);
    let basis = facts.record(request.evidence.basis_evidence_id);
    let mut retained_kinds: Vec<EvidenceKind> = Vec::new();
    for kind in EvidenceKind::ALL {
        let retained = match kind {
            EvidenceKind::ConsentRecord => facts.consents().next().is_some(),
            _ => candidate.evidence.iter().any(|record| record.kind == kind),
        };
        if retained {
            retained_kinds.push(kind);
        }
    }
    Some(PolicyQuestion {
        policy_ref: request.policy.policy_ref.clone(),
        policy_version: request.policy.policy_version.clone(),
        purpose: request.purpose,
        recipient_country: candidate.company.country.clone(),
        legal_form: candidate.company.legal_form.clone(),
        language: facts.revision.language.clone(),
        address_source_class: class.unwrap_or(AddressSourceClass::Unknown),
        basis_evidence: basis.map(|record| BasisEvidence {
            kind: record.kind,
            lawful_basis: record.lawful_basis,
        }),
        consent_recorded: retained_kinds.contains(&EvidenceKind::ConsentRecord),
        retained_kinds,
    })
}
