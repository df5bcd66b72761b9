//! Company dossier specifications (annex A8): immutable plans of what a dossier would ask for. Such a plan
//! starts no research, makes no request and renders nothing, and it entitles its owner to nothing.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fixed::{False, Zero};
use crate::{
    Digest, DossierSpecificationId, KeyRecordId, MicroUsd, ProjectId, Timestamp, canonical_digest,
};

/// The value of `object`.
pub const OBJECT: &str = "company_dossier_specification";

/// A part of a dossier.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum DossierSection {
    CompanyOverview,
    Leadership,
    Products,
    Customers,
    Competitors,
    Funding,
    Financials,
    Technology,
    Hiring,
    News,
    Locations,
    Risk,
}

impl DossierSection {
    pub const ALL: [Self; 12] = [
        Self::CompanyOverview,
        Self::Leadership,
        Self::Products,
        Self::Customers,
        Self::Competitors,
        Self::Funding,
        Self::Financials,
        Self::Technology,
        Self::Hiring,
        Self::News,
        Self::Locations,
        Self::Risk,
    ];
}

/// The purpose of a dossier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PurposeCode {
    AccountPlanning,
    PartnerEvaluation,
    VendorEvaluation,
    MarketResearch,
}

impl PurposeCode {
    pub const ALL: [Self; 4] = [
        Self::AccountPlanning,
        Self::PartnerEvaluation,
        Self::VendorEvaluation,
        Self::MarketResearch,
    ];
}

/// The company that a dossier would be about. At least one of the two is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TargetCompany {
    /// The company's name.
    #[schema(required)]
    pub name: Option<String>,
    /// The company's public domain in lower-case ASCII.
    #[schema(required)]
    pub domain: Option<String>,
}

/// The exact revision of a connector that the catalog had when the plan was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ConnectorRevision {
    /// The `key` in the connector's manifest.
    pub connector_key: String,
    /// The `version` in that manifest.
    pub manifest_version: String,
    /// SHA-256 of the manifest's RFC 8785 form.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub manifest_digest: Digest,
    /// Null for a connector that is in the catalog only.
    #[schema(value_type = Option<String>, required, pattern = "^sha256:[0-9a-f]{64}$")]
    pub component_digest: Option<Digest>,
}

/// Upper bounds for a collection. Every number is greater than zero and bounded by the request's schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CollectionBudgets {
    /// Provider requests.
    #[schema(minimum = 1, maximum = 100000)]
    pub max_requests: u64,
    /// Bytes received.
    #[schema(minimum = 1, maximum = 100000000000.0)]
    pub max_bytes: u64,
    /// Sources kept.
    #[schema(minimum = 1, maximum = 10000)]
    pub max_sources: u64,
    /// Seconds from start to end.
    #[schema(minimum = 1, maximum = 86400)]
    pub max_duration_seconds: u64,
    /// US dollars, with at most six decimals.
    #[serde(with = "dollars")]
    #[schema(value_type = f64, minimum = 0, maximum = 10000)]
    pub max_cost_usd: MicroUsd,
}

/// Why the dossier is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Purpose {
    /// The kind of purpose.
    #[schema(inline)]
    pub code: PurposeCode,
    /// The purpose in your own words.
    #[schema(max_length = 500)]
    pub statement: String,
}

/// A request to freeze a plan. It names its connector, but does not pin it yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DossierRequest {
    pub target_company: TargetCompany,
    pub connector_key: String,
    pub manifest_version: String,
    /// The requested sections, without duplicates, in the caller's order.
    pub requested_sections: Vec<DossierSection>,
    /// Limits of the collection.
    pub collection_budgets: CollectionBudgets,
    pub purpose: Purpose,
    /// Version of the caller's policy under which the plan was made.
    pub policy_version: String,
    /// The caller's own reference.
    pub external_ref: Option<String>,
}

impl DossierRequest {
    /// The plan for this request, pinned to the catalog's revision of the requested connector.
    #[must_use]
    pub fn pinned(self, connector_revision: ConnectorRevision) -> DossierPlan {
        DossierPlan {
            target_company: self.target_company,
            connector_revision,
            requested_sections: self.requested_sections,
            collection_budgets: self.collection_budgets,
            purpose: self.purpose,
            policy_version: self.policy_version,
            external_ref: self.external_ref,
        }
    }
}

/// The frozen plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DossierPlan {
    pub target_company: TargetCompany,
    pub connector_revision: ConnectorRevision,
    pub requested_sections: Vec<DossierSection>,
    pub collection_budgets: CollectionBudgets,
    pub purpose: Purpose,
    pub policy_version: String,
    pub external_ref: Option<String>,
}

/// The effects of creating, listing or reading a specification: none. The types allow no other value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Effects {
    #[schema(inline)]
    pub provider_requests: Zero,
    #[schema(inline)]
    pub research_runs: Zero,
    #[schema(inline)]
    pub model_calls: Zero,
    #[schema(inline)]
    pub renders: Zero,
}

/// What a specification authorizes: nothing. The types allow no other value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Authority {
    #[schema(inline)]
    pub evidence: False,
    #[schema(inline)]
    pub collateral: False,
    #[schema(inline)]
    pub crawl: False,
    #[schema(inline)]
    pub publish: False,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DossierSpecification {
    pub id: DossierSpecificationId,
    /// The project that owns it.
    pub project: ProjectId,
    /// See [`specification_hash`].
    pub specification_hash: Digest,
    pub plan: DossierPlan,
    pub created_at: Timestamp,
    /// The key that created it.
    pub created_by: KeyRecordId,
}

/// What the hash covers: the whole specification as the API shows it, except its id, its creation time, the
/// key that created it, and the hash itself. Equal plans of one project have equal hashes.
#[derive(Serialize)]
struct Covered<'a> {
    object: &'static str,
    project_id: ProjectId,
    #[serde(flatten)]
    plan: &'a DossierPlan,
    effects: Effects,
    authority: Authority,
}

/// SHA-256 of the RFC 8785 form of a specification without `id`, `specification_hash`, `created_at`
/// and `created_by_key_id`.
///
/// # Errors
/// If the plan has no JSON form.
pub fn specification_hash(
    project: ProjectId,
    plan: &DossierPlan,
) -> Result<Digest, serde_json::Error> {
    canonical_digest(&Covered {
        object: OBJECT,
        project_id: project,
        plan,
        effects: Effects::default(),
        authority: Authority::default(),
    })
}

/// Money as the API shows it: a number of dollars.
mod dollars {
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    use crate::MicroUsd;

    pub(super) fn serialize<S: Serializer>(amount: &MicroUsd, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_f64(amount.usd())
    }
    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<MicroUsd, D::Error> {
        let usd = f64::deserialize(d)?;
        MicroUsd::from_usd(usd).ok_or_else(|| de::Error::custom("an amount out of range"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use uuid::Uuid;

    fn plan(name: &str, cost: i64, sections: Vec<DossierSection>) -> DossierPlan {
        let request = DossierRequest {
            target_company: TargetCompany {
                name: Some(name.to_owned()),
                domain: None,
            },
            connector_key: "web-fetch".to_owned(),
            manifest_version: "1.0.0".to_owned(),
            requested_sections: sections,
            collection_budgets: CollectionBudgets {
                max_requests: 40,
                max_bytes: 20_000_000,
                max_sources: 15,
                max_duration_seconds: 120,
                max_cost_usd: MicroUsd::from_micros(cost),
            },
            purpose: Purpose {
                code: PurposeCode::AccountPlanning,
                statement: "Prepare the plan.".to_owned(),
            },
            policy_version: "2026-01".to_owned(),
            external_ref: None,
        };
        request.pinned(ConnectorRevision {
            connector_key: "web-fetch".to_owned(),
            manifest_version: "1.0.0".to_owned(),
            manifest_digest: Digest::of(b"manifest"),
            component_digest: None,
        })
    }

    fn project(n: u128) -> ProjectId {
        ProjectId::from_uuid(Uuid::from_u128(n))
    }

    #[test]
    fn the_hash_is_of_the_published_members() {
        let plan = plan("Acme", 500_000, vec![DossierSection::News]);
        let mut shown = serde_json::to_value(&plan).unwrap();
        shown["object"] = json!("company_dossier_specification");
        shown["project_id"] = json!(project(1));
        shown["effects"] =
            json!({"provider_requests": 0, "research_runs": 0, "model_calls": 0, "renders": 0});
        shown["authority"] =
            json!({"evidence": false, "collateral": false, "crawl": false, "publish": false});
        assert_eq!(
            specification_hash(project(1), &plan).unwrap(),
            canonical_digest(&shown).unwrap()
        );
        assert_eq!(shown["collection_budgets"]["max_cost_usd"], 0.5);
    }

    proptest! {
        #[test]
        fn equal_plans_have_equal_hashes_and_others_do_not(
            a in ("[a-c]{1,2}", 1i64..4, 0usize..3), b in ("[a-c]{1,2}", 1i64..4, 0usize..3),
        ) {
            let made = |(name, cost, sections): &(String, i64, usize)| plan(name, *cost, DossierSection::ALL[..=*sections].to_vec());
            let (x, y) = (made(&a), made(&b));
            let hash = |p: &DossierPlan| specification_hash(project(1), p).unwrap();
            prop_assert_eq!(x == y, hash(&x) == hash(&y));
            prop_assert_ne!(hash(&x), specification_hash(project(2), &x).unwrap());
            // The plan is stored as JSON and must round-trip.
            let stored: Value = serde_json::to_value(&x).unwrap();
            prop_assert_eq!(serde_json::from_value::<DossierPlan>(stored).unwrap(), x);
        }
    }
}
