//! An offer as callers see it (annex A13): its approved revision.

use gtm_domain::offer::{
    Approval, IdealCustomer, OfferKey, OfferProofPoint, OfferStatus, OfferText, Pricing,
    RevisedOffer, StageFit,
};
use gtm_domain::{Digest, OfferId, OrganizationId, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::schema::Object;

use crate::derived_schema::one_of;

/// An offer of the organization, in the words and numbers that were approved last.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Offer, examples(example))]
pub struct OfferEnvelope {
    #[schema(value_type = String, pattern = "^offr_[0-9a-hjkmnp-tv-z]{26}$")]
    id: OfferId,
    /// Unique in the organization; accepted in place of the id in requests.
    #[schema(value_type = String, pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", max_length = 63)]
    key: OfferKey,
    #[schema(value_type = String)]
    organization_id: OrganizationId,
    /// An archived offer can no longer be bound.
    #[schema(schema_with = statuses)]
    status: OfferStatus,
    /// The revision shown here; revisions are immutable.
    #[schema(minimum = 1)]
    revision: u64,
    /// SHA-256 of the RFC 8785 form of this object without offer_hash, status, approved, created_at, updated_at and
    /// archived_at.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    offer_hash: Digest,
    /// Who approved this revision.
    #[schema(inline, required)]
    approved: Option<Approval>,
    #[schema(max_length = 240)]
    name: String,
    /// What it is, in a few sentences.
    #[schema(required, max_length = 2000)]
    summary: Option<String>,
    /// Its page, on one of `allowed_link_hosts`.
    #[schema(required, max_length = 2048)]
    url: Option<String>,
    /// Facts in the wording that was approved for them.
    #[schema(inline)]
    facts: Vec<OfferText>,
    /// What a customer gains.
    #[schema(inline)]
    value_propositions: Vec<OfferText>,
    /// Evidence for it.
    #[schema(inline)]
    proof_points: Vec<OfferProofPoint>,
    /// What it costs; null if nothing may be said about that.
    #[schema(inline, required)]
    pricing: Option<Pricing>,
    /// Whom it is for.
    #[schema(inline)]
    icp: IdealCustomer,
    /// Stages of a sale that it suits.
    #[schema(inline)]
    stage_fit: Vec<StageFit>,
    /// Hosts that texts about the offer may link to.
    allowed_link_hosts: Vec<String>,
    /// What no text about the offer may claim.
    forbidden_claims: Vec<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    #[schema(value_type = Option<String>, required, format = DateTime)]
    archived_at: Option<Timestamp>,
}

/// Operators see drafts, too; callers never do.
fn statuses() -> Object {
    one_of([OfferStatus::Active, OfferStatus::Archived].map(OfferStatus::as_str))
}

/// An example for the API's description.
pub fn example() -> Value {
    json!({
        "id": "offr_01jz8r0a1b2c3d4e5f6g7h8j9k",
        "key": "submetering-handover",
        "organization_id": "org_01jz8p0z1b2c3d4e5f6g7h8j9k",
        "status": "active",
        "revision": 2,
        "offer_hash": "sha256:1111111111111111111111111111111111111111111111111111111111111111",
        "approved": { "by": "Ada", "at": "2026-02-20T09:00:00.000Z" },
        "name": "Handover-ready sub-metering",
        "summary": "Meters installed before handover, one bill per flat.",
        "url": "https://northwind-metering.example/handover",
        "facts": [{ "key": "battery", "text": "The battery lasts ten years." }],
        "value_propositions": [{ "key": "vp-1", "text": "One bill per flat from day one." }],
        "proof_points": [{
            "key": "pp-1",
            "text": "18,000 flats billed monthly",
            "numeric_values": ["18,000"],
            "source_url": "https://northwind-metering.example/"
        }],
        "pricing": {
            "model": "per_unit_month",
            "currency": "GBP",
            "display": "from £3.20 per flat per month",
            "disclose_in_copy": false
        },
        "icp": {
            "segments": ["build-to-rent"],
            "roles": ["head of operations"],
            "countries": ["GB"],
            "employee_ranges": [],
            "exclusions": []
        },
        "stage_fit": ["prospecting", "evaluation"],
        "allowed_link_hosts": ["northwind-metering.example"],
        "forbidden_claims": ["guaranteed savings"],
        "created_at": "2026-02-20T08:50:00.000Z",
        "updated_at": "2026-02-20T09:00:00.000Z",
        "archived_at": null
    })
}

impl From<RevisedOffer> for OfferEnvelope {
    fn from(row: RevisedOffer) -> Self {
        let RevisedOffer { offer, revision } = row;
        let content = revision.content;
        Self {
            status: offer.status(),
            id: offer.id,
            key: offer.key,
            organization_id: offer.organization,
            revision: revision.revision,
            offer_hash: revision.hash,
            approved: revision.approval,
            name: content.name,
            summary: content.summary,
            url: content.url,
            facts: content.facts,
            value_propositions: content.value_propositions,
            proof_points: content.proof_points,
            pricing: content.pricing,
            icp: content.icp,
            stage_fit: content.stage_fit,
            allowed_link_hosts: content.allowed_link_hosts,
            forbidden_claims: content.forbidden_claims,
            created_at: offer.created_at,
            updated_at: offer.updated_at,
            archived_at: offer.archived_at,
        }
    }
}
