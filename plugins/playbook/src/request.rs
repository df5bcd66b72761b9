//! What the caller requested: the target, the seller's context, tone and sections.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use gtm_site_research::failure::{Failure, FailureKind};

use crate::offer::Offer;
use crate::seller::{Seller, filled};

/// The sections of a playbook (annex A3), in the order of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    BusinessSummary,
    CompanyProfile,
    Priorities,
    PainPoints,
    BuyingSignals,
    BuyingCommittee,
    SalesAngles,
    ValueMap,
    ProofPoints,
    DiscoveryQuestions,
    Objections,
    CompetitivePosition,
    TalkTrack,
    NextSteps,
    Risks,
}

impl Section {
    pub const ALL: [Self; 15] = [
        Self::BusinessSummary,
        Self::CompanyProfile,
        Self::Priorities,
        Self::PainPoints,
        Self::BuyingSignals,
        Self::BuyingCommittee,
        Self::SalesAngles,
        Self::ValueMap,
        Self::ProofPoints,
        Self::DiscoveryQuestions,
        Self::Objections,
        Self::CompetitivePosition,
        Self::TalkTrack,
        Self::NextSteps,
        Self::Risks,
    ];

    /// The name in results and requests.
    pub fn key(self) -> &'static str {
        match self {
            Self::BusinessSummary => "business_summary",
            Self::CompanyProfile => "company_profile",
            Self::Priorities => "priorities",
            Self::PainPoints => "pain_points",
            Self::BuyingSignals => "buying_signals",
            Self::BuyingCommittee => "buying_committee",
            Self::SalesAngles => "sales_angles",
            Self::ValueMap => "value_map",
            Self::ProofPoints => "proof_points",
            Self::DiscoveryQuestions => "discovery_questions",
            Self::Objections => "objections",
            Self::CompetitivePosition => "competitive_position",
            Self::TalkTrack => "talk_track",
            Self::NextSteps => "next_steps",
            Self::Risks => "risks",
        }
    }
}

/// How the playbook should sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// Asks and advises.
    #[default]
    Consultative,
    /// Short and to the point.
    Direct,
    /// For readers who want the mechanics.
    Technical,
}

/// The parsed request of the job.
#[derive(Debug, Clone)]
pub struct Request {
    /// Name of the target company, if given.
    pub target_company: Option<String>,
    /// Host name of the target's site in lower case, if given.
    pub target_domain: Option<String>,
    pub seller: Seller,
    pub tone: Tone,
    pub sections: BTreeSet<Section>,
    /// Where research of a domain begins, for sites that are not at `https://<domain>/`.
    pub start_urls: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Envelope {
    input: Input,
    sections: Vec<Section>,
    #[serde(default)]
    brand: Option<Value>,
    #[serde(default)]
    offer: Option<Offer>,
    #[serde(default)]
    start_urls: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Input {
    #[serde(default)]
    target_company: Option<String>,
    #[serde(default)]
    target_company_domain: Option<String>,
    #[serde(default)]
    anchor_company: Option<String>,
    #[serde(default)]
    product_info: Option<String>,
    #[serde(default)]
    tone: Tone,
}

impl Request {
    /// Reads the backend's input.
    ///
    /// # Errors
    /// `invalid_request` when it does not have the expected form or names no target.
    pub fn read(input: Value) -> Result<Self, Failure> {
        let invalid =
            |message: String| Failure::new(FailureKind::InvalidInput, "invalid_request", message);
        let envelope: Envelope = serde_json::from_value(input).map_err(|error| {
            invalid(format!(
                "The playbook input has an unexpected form: {error}."
            ))
        })?;
        let Input {
            target_company,
            target_company_domain,
            anchor_company,
            product_info,
            tone,
        } = envelope.input;
        let target_company = filled(target_company);
        let target_domain =
            filled(target_company_domain).map(|domain| domain.trim_end_matches('.').to_lowercase());
        if target_company.is_none() && target_domain.is_none() {
            return Err(invalid(
                "Neither a target company nor its domain is given.".to_owned(),
            ));
        }
        let mut seller = envelope
            .brand
            .as_ref()
            .map(Seller::of_brand)
            .unwrap_or_default();
        if let Some(company) = filled(anchor_company) {
            seller.company = Some(company);
        }
        seller.product_info = filled(product_info);
        if let Some(offer) = envelope.offer {
            offer.sold_by(&mut seller);
        }
        Ok(Self {
            target_company,
            target_domain,
            seller,
            tone,
            sections: envelope.sections.into_iter().collect(),
            start_urls: envelope.start_urls,
        })
    }

    /// Whether the section was requested.
    pub fn wants(&self, section: Section) -> bool {
        self.sections.contains(&section)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_target_seller_and_brand() {
        let request = Request::read(json!({
            "input": {"target_company": "  ", "target_company_domain": "Example.COM.", "anchor_company": null,
                "product_info": "Meters that read themselves.", "tone": "direct", "sections": null,
                "model": "default", "brand_profile_id": null, "brand_profile_key": null},
            "sections": ["sales_angles", "risks"],
            "brand": {"guideline": {"identity": {"brand_name": {"value": "Meterly"}},
                "positioning": {"proof_points": [{"value": {"text": "18,000 flats billed"}}]}}},
            "now": "2026-11-21T10:00:00.000Z"
        }))
        .unwrap();
        assert_eq!(request.target_company, None);
        assert_eq!(request.target_domain.as_deref(), Some("example.com"));
        assert_eq!(request.seller.company.as_deref(), Some("Meterly"));
        assert_eq!(request.seller.proof_points, ["18,000 flats billed"]);
        assert_eq!(request.tone, Tone::Direct);
        assert!(request.wants(Section::Risks) && !request.wants(Section::TalkTrack));
    }

    #[test]
    fn a_request_without_a_target_is_refused() {
        let failure = Request::read(json!({"input": {}, "sections": []})).unwrap_err();
        assert_eq!(failure.code, "invalid_request");
        let failure =
            Request::read(json!({"input": {"target_company": "A"}, "sections": ["poems"]}))
                .unwrap_err();
        assert_eq!(failure.kind, FailureKind::InvalidInput);
    }

    #[test]
    fn every_section_reads_its_own_key() {
        for section in Section::ALL {
            let read: Section = serde_json::from_value(json!(section.key())).unwrap();
            assert_eq!(read, section);
        }
    }
}
