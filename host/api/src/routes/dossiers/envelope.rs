//! A specification as callers see it (annex A8).

use bytes::Bytes;
use gtm_domain::dossier::{
    Authority, CollectionBudgets, ConnectorRevision, DossierSection, DossierSpecification, Effects,
    OBJECT, Purpose, TargetCompany,
};
use gtm_domain::idempotency::StoredAnswer;
use gtm_domain::{Digest, DossierSpecificationId, KeyRecordId, ProjectId, Timestamp};
use http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::schema::Object;

use crate::created;
use crate::derived_schema::one_of;

/// An immutable plan. It is not evidence, not collateral, not permission to crawl, and not authorization to
/// publish.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = CompanyDossierSpecification, examples(example))]
pub struct SpecificationEnvelope {
    #[schema(value_type = String, pattern = "^dsp_[0-9a-hjkmnp-tv-z]{26}$")]
    id: DossierSpecificationId,
    #[schema(schema_with = sort)]
    object: &'static str,
    #[schema(value_type = String)]
    project_id: ProjectId,
    /// SHA-256 of the RFC 8785 form of this object without id, specification_hash, created_at and
    /// created_by_key_id. Equal plans of a project have equal hashes.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    specification_hash: Digest,
    /// The company that a dossier would be about.
    #[schema(inline)]
    target_company: TargetCompany,
    /// The connector, down to its bytes.
    #[schema(inline)]
    connector_revision: ConnectorRevision,
    /// Parts of the dossier, each once. Their order is kept.
    #[schema(value_type = BTreeSet<DossierSection>, inline, min_items = 1, max_items = 12)]
    requested_sections: Vec<DossierSection>,
    /// Upper bounds for a collection.
    #[schema(inline)]
    collection_budgets: CollectionBudgets,
    /// Why the dossier is wanted.
    #[schema(inline)]
    purpose: Purpose,
    /// Version of your policy under which the plan was made.
    #[schema(max_length = 100)]
    policy_version: String,
    /// Your own reference, returned unchanged.
    #[schema(required, max_length = 200)]
    external_ref: Option<String>,
    /// The effects of creating, listing or reading the specification.
    #[schema(inline)]
    effects: Effects,
    /// What the specification authorizes.
    #[schema(inline)]
    authority: Authority,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, pattern = "^key_")]
    created_by_key_id: KeyRecordId,
}

fn sort() -> Object {
    one_of([OBJECT])
}

/// An example of a specification as answers show it.
pub fn example() -> Value {
    json!({
        "id": "dsp_01jz9d0a1b2c3d4e5f6g7h8j9k",
        "object": "company_dossier_specification",
        "project_id": "prj_01jz8p0a1b2c3d4e5f6g7h8j9k",
        "specification_hash": "sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
        "target_company": { "name": null, "domain": "acme-estates.example" },
        "connector_revision": {
            "connector_key": "web-fetch",
            "manifest_version": "0.1.0",
            "manifest_digest": "sha256:cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc",
            "component_digest": "sha256:dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
        },
        "requested_sections": ["company_overview", "news"],
        "collection_budgets": {
            "max_requests": 40,
            "max_bytes": 20_000_000,
            "max_sources": 15,
            "max_duration_seconds": 120,
            "max_cost_usd": 0.5
        },
        "purpose": { "code": "account_planning", "statement": "Prepare Q2 account plan." },
        "policy_version": "2026-01",
        "external_ref": null,
        "effects": { "provider_requests": 0, "research_runs": 0, "model_calls": 0, "renders": 0 },
        "authority": { "evidence": false, "collateral": false, "crawl": false, "publish": false },
        "created_at": "2026-03-04T11:00:00.000Z",
        "created_by_key_id": "key_01jz8p1a1b2c3d4e5f6g7h8j9k"
    })
}

impl From<DossierSpecification> for SpecificationEnvelope {
    fn from(specification: DossierSpecification) -> Self {
        let plan = specification.plan;
        Self {
            id: specification.id,
            object: OBJECT,
            project_id: specification.project,
            specification_hash: specification.specification_hash,
            target_company: plan.target_company,
            connector_revision: plan.connector_revision,
            requested_sections: plan.requested_sections,
            collection_budgets: plan.collection_budgets,
            purpose: plan.purpose,
            policy_version: plan.policy_version,
            external_ref: plan.external_ref,
            effects: Effects::default(),
            authority: Authority::default(),
            created_at: specification.created_at,
            created_by_key_id: specification.created_by,
        }
    }
}

/// The 201, built before the specification is stored so that both can be stored together.
#[must_use]
pub fn created(specification: &DossierSpecification) -> StoredAnswer {
    // An envelope holds only numbers and strings, so it always serializes.
    let body = serde_json::to_vec(&SpecificationEnvelope::from(specification.clone()))
        .map(Bytes::from)
        .unwrap_or_default();
    let location = format!("/v1/company-dossier-specifications/{}", specification.id);
    created::answer(StatusCode::CREATED, location, body)
}
