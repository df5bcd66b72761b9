//! Playbooks: the request, its normalized form, and the public result (specification, Playbooks
//! input; annex A3).

use serde::{Deserialize, Serialize};

use crate::brand::BrandBinding;
use crate::evidence::{FieldBasis, Source, Unknown};

/// A section of a playbook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each name says the same as its key")]
pub enum PlaybookSection {
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

impl PlaybookSection {
    /// All fifteen, in the order of the result.
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

    /// The section's key, which is also the name of its field in the result.
    #[must_use]
    pub const fn key(self) -> &'static str {
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

/// How a playbook speaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each name says the same as its key")]
pub enum Tone {
    #[default]
    Consultative,
    Direct,
    Technical,
}

/// The normalized input of a playbook job: what the job's `input` shows, defaults filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaybookInput {
    /// Company to sell to.
    pub target_company: Option<String>,
    /// Its domain as a bare host name.
    pub target_company_domain: Option<String>,
    /// The seller.
    pub anchor_company: Option<String>,
    /// What is sold.
    pub product_info: Option<String>,
    /// How the playbook speaks.
    pub tone: Tone,
    /// Sections wanted; null for all.
    pub sections: Option<Vec<PlaybookSection>>,
    /// Only `default`.
    pub model: String,
    /// Brand by id.
    pub brand_profile_id: Option<String>,
    /// Brand by key.
    pub brand_profile_key: Option<String>,
}

impl PlaybookInput {
    /// The sections to produce, in the order of the result.
    #[must_use]
    pub fn resolved_sections(&self) -> Vec<PlaybookSection> {
        match &self.sections {
            None => PlaybookSection::ALL.to_vec(),
            Some(chosen) => PlaybookSection::ALL
                .into_iter()
                .filter(|s| chosen.contains(s))
                .collect(),
        }
    }
}

/// The company a playbook is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Name.
    pub company: Option<String>,
    /// Domain.
    pub domain: Option<String>,
}

/// Facts about the target.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A3)")]
pub struct CompanyProfile {
    pub industry: Option<String>,
    pub employee_range: Option<String>,
    pub headquarters: Option<String>,
    pub business_model: Option<String>,
    pub offerings: Vec<String>,
    pub markets: Vec<String>,
}

/// A pain of the target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A3)")]
pub struct PainPoint {
    pub pain: String,
    pub affected_roles: Vec<String>,
    pub severity: Option<String>,
}

/// A sign that the target may buy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A3)")]
pub struct BuyingSignal {
    pub signal: String,
    pub kind: String,
    pub observed_at: Option<String>,
}

/// A role in the purchase; never a named person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A3)")]
pub struct CommitteeRole {
    pub role: String,
    pub function: Option<String>,
    pub cares_about: Vec<String>,
    pub stance: String,
}

/// From a pain to an outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A3)")]
pub struct ValueMapping {
    pub pain: String,
    pub capability: String,
    pub outcome: Option<String>,
}

/// Something that proves the seller's or the target's point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A3)")]
pub struct ProofPoint {
    pub text: String,
    pub origin: String,
}

/// A question for the first conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A3)")]
pub struct DiscoveryQuestion {
    pub question: String,
    pub purpose: String,
}

/// What they may object, and an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A3)")]
pub struct Objection {
    pub objection: String,
    pub response: String,
}

/// How the seller stands against an alternative.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A3)")]
pub struct CompetitivePosition {
    pub alternative: String,
    pub where_we_win: Vec<String>,
    pub where_they_win: Vec<String>,
}

/// What to say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A3)")]
pub struct TalkTrack {
    pub opening: Option<String>,
    pub bridge: Option<String>,
    pub ask: Option<String>,
}

/// Something to be careful with: an unknown, a conflict, stale data, compliance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A3)")]
pub struct Risk {
    pub text: String,
    pub kind: String,
}

/// The result of a playbook job (annex A3). Sections that weren't asked for are null or empty and
/// absent from `included_sections`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A3)")]
pub struct PublicPlaybookResult {
    pub schema_version: String,
    pub included_sections: Vec<PlaybookSection>,
    pub target: Target,
    pub anchor_company: Option<String>,
    pub tone: Tone,
    pub language: String,
    pub business_summary: Option<String>,
    pub sales_angles: Vec<String>,
    pub company_profile: CompanyProfile,
    pub priorities: Vec<String>,
    pub pain_points: Vec<PainPoint>,
    pub buying_signals: Vec<BuyingSignal>,
    pub buying_committee: Vec<CommitteeRole>,
    pub value_map: Vec<ValueMapping>,
    pub proof_points: Vec<ProofPoint>,
    pub discovery_questions: Vec<DiscoveryQuestion>,
    pub objections: Vec<Objection>,
    pub competitive_position: Vec<CompetitivePosition>,
    pub talk_track: TalkTrack,
    pub next_steps: Vec<String>,
    pub risks: Vec<Risk>,
    pub brand: Option<BrandBinding>,
    pub basis: Vec<FieldBasis>,
    /// One entry for each drafted value that the host left out, whichever sections were asked for
    /// (decision 0013).
    #[serde(default)]
    pub unknowns: Vec<Unknown>,
    pub sources: Vec<Source>,
    pub model: String,
    pub duration_seconds: f64,
}
