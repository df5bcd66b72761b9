//! What an offer says (annex A13). [`super::reading`] checks it; these types only hold what passed.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The words and numbers of one revision.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferContent {
    /// Name of the offer.
    pub name: String,
    /// What it is, in a few sentences.
    pub summary: Option<String>,
    /// Its page: an https URL on one of `allowed_link_hosts`.
    pub url: Option<String>,
    /// Facts in the wording that was approved for them.
    pub facts: Vec<OfferText>,
    /// What a customer gains.
    pub value_propositions: Vec<OfferText>,
    /// Evidence for it.
    pub proof_points: Vec<ProofPoint>,
    /// What it costs; null if nothing may be said about that.
    pub pricing: Option<Pricing>,
    /// Whom it is for.
    pub icp: IdealCustomer,
    /// Stages of a sale that it suits.
    pub stage_fit: Vec<StageFit>,
    /// Hosts that texts about the offer may link to.
    pub allowed_link_hosts: Vec<String>,
    /// What no text about the offer may claim.
    pub forbidden_claims: Vec<String>,
}

/// A sentence of the offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OfferText {
    /// Unique in its list.
    #[schema(max_length = 63)]
    pub key: String,
    /// The approved wording.
    #[schema(max_length = 240)]
    pub text: String,
}

/// Evidence that the seller gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProofPoint {
    /// Unique in its list.
    #[schema(max_length = 63)]
    pub key: String,
    /// The approved wording.
    #[schema(max_length = 240)]
    pub text: String,
    /// The numbers of the text that other texts may repeat, exactly as they stand in it.
    pub numeric_values: Vec<String>,
    /// Where it can be read.
    #[schema(required, max_length = 2048)]
    pub source_url: Option<String>,
}

/// The price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Pricing {
    /// How it is charged, such as `per_unit_month`.
    #[schema(max_length = 63)]
    pub model: String,
    /// ISO 4217; null where no amount is named.
    #[schema(required, pattern = "^[A-Z]{3}$")]
    pub currency: Option<String>,
    /// The approved wording.
    #[schema(max_length = 240)]
    pub display: String,
    /// Whether texts for customers may name it. If not, no backend is told the price.
    pub disclose_in_copy: bool,
}

/// The ideal customer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IdealCustomer {
    /// Kinds of companies.
    pub segments: Vec<String>,
    /// Roles that buy.
    pub roles: Vec<String>,
    /// ISO 3166-1 alpha-2.
    pub countries: Vec<String>,
    /// Such as `51-200`.
    pub employee_ranges: Vec<String>,
    /// Who is not served.
    pub exclusions: Vec<String>,
}

/// A stage of a sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StageFit {
    Prospecting,
    Discovery,
    Evaluation,
    Negotiation,
    Renewal,
    Expansion,
}

impl StageFit {
    pub const ALL: [Self; 6] = [
        Self::Prospecting,
        Self::Discovery,
        Self::Evaluation,
        Self::Negotiation,
        Self::Renewal,
        Self::Expansion,
    ];

    /// The value in `stage_fit`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Prospecting => "prospecting",
            Self::Discovery => "discovery",
            Self::Evaluation => "evaluation",
            Self::Negotiation => "negotiation",
            Self::Renewal => "renewal",
            Self::Expansion => "expansion",
        }
    }
}

impl OfferContent {
    /// The seller's words that other texts may repeat: everything but what must not be claimed, links, and a price
    /// that must not be named.
    #[must_use]
    pub fn words(&self) -> Vec<&str> {
        let pricing = self.pricing.as_ref().filter(|price| price.disclose_in_copy);
        let texts = self.facts.iter().chain(&self.value_propositions);
        let icp = &self.icp;
        let lists = [
            &icp.segments,
            &icp.roles,
            &icp.employee_ranges,
            &icp.exclusions,
        ];
        [Some(&self.name), self.summary.as_ref()]
            .into_iter()
            .flatten()
            .chain(texts.map(|text| &text.text))
            .chain(self.proof_points.iter().map(|proof| &proof.text))
            .chain(pricing.map(|price| &price.display))
            .chain(lists.into_iter().flatten())
            .map(String::as_str)
            .collect()
    }

    /// The same without a price that must not be named.
    #[must_use]
    pub fn for_texts(self) -> Self {
        Self {
            pricing: self.pricing.filter(|price| price.disclose_in_copy),
            ..self
        }
    }
}
