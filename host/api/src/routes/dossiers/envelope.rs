//! A specification as callers see it (annex A8).

use bytes::Bytes;
use gtm_domain::dossier::{Authority, DossierPlan, DossierSpecification, Effects, OBJECT};
use gtm_domain::idempotency::StoredResponse;
use gtm_domain::{Digest, DossierSpecificationId, KeyRecordId, ProjectId, Timestamp};
use http::StatusCode;
use serde::Serialize;

use crate::created;

/// The specification. `effects` and `authority` are of types with one value.
#[derive(Debug, Clone, Serialize)]
pub struct SpecificationEnvelope {
    id: DossierSpecificationId,
    object: &'static str,
    project_id: ProjectId,
    specification_hash: Digest,
    #[serde(flatten)]
    plan: DossierPlan,
    effects: Effects,
    authority: Authority,
    created_at: Timestamp,
    created_by_key_id: KeyRecordId,
}

impl From<DossierSpecification> for SpecificationEnvelope {
    fn from(specification: DossierSpecification) -> Self {
        Self {
            id: specification.id,
            object: OBJECT,
            project_id: specification.project,
            specification_hash: specification.specification_hash,
            plan: specification.plan,
            effects: Effects::default(),
            authority: Authority::default(),
            created_at: specification.created_at,
            created_by_key_id: specification.created_by,
        }
    }
}

/// The 201, built before the specification is stored so that both can be stored together.
#[must_use]
pub fn created(specification: &DossierSpecification) -> StoredResponse {
    // An envelope holds only numbers and strings, so it always serializes.
    let body = serde_json::to_vec(&SpecificationEnvelope::from(specification.clone()))
        .map(Bytes::from)
        .unwrap_or_default();
    let location = format!("/v1/company-dossier-specifications/{}", specification.id);
    created::answer(StatusCode::CREATED, location, body)
}
