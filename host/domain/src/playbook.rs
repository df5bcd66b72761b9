//! Playbooks: the request, its normalized form, and the public result (specification, Playbooks
//! input; annex A3).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::brand::BrandBinding;
use crate::evidence::{FieldBasis, Source, Unknown};
use crate::offer::OfferBinding;

/// A section of a playbook.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
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

    /// The section's key, which is also its field name in the result.
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

/// Tone of voice of a playbook.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    #[default]
    Consultative,
    Direct,
    Technical,
}

/// The normalized request. Members that the request left out have their defaults.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaybookInput {
    /// Name of the company to sell to.
    #[schema(required)]
    pub target_company: Option<String>,
    /// Its domain in lower-case ASCII.
    #[schema(required)]
    pub target_company_domain: Option<String>,
    /// Name of the company that sells.
    #[schema(required)]
    pub anchor_company: Option<String>,
    /// What is sold, in the seller's words.
    #[schema(required)]
    pub product_info: Option<String>,
    /// Tone of voice.
    #[schema(inline)]
    pub tone: Tone,
    /// The requested sections; null for all of them.
    #[schema(inline, required)]
    pub sections: Option<Vec<PlaybookSection>>,
    /// Always `default`.
    pub model: String,
    /// Id of the brand to write for.
    #[schema(required)]
    pub brand_profile_id: Option<String>,
    /// Key of the brand to write for.
    #[schema(required)]
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

/// The company that the playbook is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Target {
    /// Its name.
    #[schema(required)]
    pub company: Option<String>,
    /// Its domain in lower-case ASCII.
    #[schema(required)]
    pub domain: Option<String>,
}

/// Facts about the target.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CompanyProfile {
    #[schema(required)]
    pub industry: Option<String>,
    #[schema(required)]
    pub employee_range: Option<String>,
    #[schema(required)]
    pub headquarters: Option<String>,
    #[schema(required)]
    pub business_model: Option<String>,
    pub offerings: Vec<String>,
    pub markets: Vec<String>,
    /// What else identifies the company, one short text each: registered name and numbers, when it was founded, who owns
    /// it, where and when it can be reached.
    #[serde(default)]
    #[schema(required)]
    pub particulars: Vec<String>,
}

/// How severe a pain is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    High,
    Medium,
    Low,
}

/// A pain of the target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PainPoint {
    pub pain: String,
    pub affected_roles: Vec<String>,
    #[schema(inline, required)]
    pub severity: Option<Severity>,
}

/// What a buying signal is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignalKind {
    Hiring,
    Funding,
    Leadership,
    Product,
    Regulatory,
    Technology,
    Expansion,
    Other,
}

/// A sign that the target may buy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BuyingSignal {
    pub signal: String,
    #[schema(inline)]
    pub kind: SignalKind,
    #[schema(required)]
    pub observed_at: Option<String>,
}

/// What a role does in the purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    Champion,
    EconomicBuyer,
    User,
    Blocker,
    Unknown,
}

/// A role in the purchase; never a named person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CommitteeRole {
    pub role: String,
    #[schema(required)]
    pub function: Option<String>,
    pub cares_about: Vec<String>,
    #[schema(inline)]
    pub stance: Stance,
}

/// How the offer turns a pain into an outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ValueMapping {
    pub pain: String,
    pub capability: String,
    #[schema(required)]
    pub outcome: Option<String>,
}

/// Where a proof point comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProofOrigin {
    Offer,
    Brand,
    Public,
}

/// Evidence for the seller's case, from the seller or the target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProofPoint {
    pub text: String,
    #[schema(inline)]
    pub origin: ProofOrigin,
}

/// A question for the first conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DiscoveryQuestion {
    pub question: String,
    pub purpose: String,
}

/// An objection that the buyer may raise, and an answer to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Objection {
    pub objection: String,
    pub response: String,
}

/// How the seller compares with an alternative.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CompetitivePosition {
    pub alternative: String,
    pub where_we_win: Vec<String>,
    pub where_they_win: Vec<String>,
}

/// What to say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TalkTrack {
    #[schema(required)]
    pub opening: Option<String>,
    #[schema(required)]
    pub bridge: Option<String>,
    #[schema(required)]
    pub ask: Option<String>,
}

/// Whether the offer suits the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FitVerdict {
    /// The target has what the offer is for, and nothing speaks against it.
    Good,
    /// Something speaks for it, something against it or nothing is known.
    Possible,
    /// The offer is not for companies like the target.
    Poor,
}

/// Whether the seller's offer suits the target, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Fit {
    /// Null without a reason that evidence supports.
    #[schema(inline, required)]
    pub verdict: Option<FitVerdict>,
    /// What speaks for and against it.
    pub reasons: Vec<String>,
}

/// What to say to one of the people who decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PersonaMessage {
    /// Their role; never a named person.
    pub role: String,
    /// What to say to them, in spoken words.
    pub message: String,
}

/// A sum of the business case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BusinessCaseItem {
    /// What the sum says.
    pub text: String,
    /// How it is calculated from numbers of the evidence and the request, with its result: `46*29=1334`. The host has
    /// calculated it again.
    pub formula: String,
}

/// What a page of the target's site says, in its own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DigestEntry {
    /// What the page is called in the site's navigation or in its title. The entry's basis names the source with the
    /// page's address.
    #[schema(required)]
    pub page: Option<String>,
    /// The heading above the text.
    #[schema(required)]
    pub heading: Option<String>,
    /// A quotation, or several in a row with ` · ` between them. Each stands word for word on the page.
    pub text: String,
}

/// The kind of risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RiskKind {
    Unknown,
    Conflict,
    Stale,
    Compliance,
}

/// A point on which the seller should be careful.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Risk {
    pub text: String,
    #[schema(inline)]
    pub kind: RiskKind,
}

/// Version of the result's schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum ResultVersion {
    /// The only one so far.
    #[serde(rename = "1.0")]
    V1,
}

/// A sales playbook. Sections that were not requested, and facts that no source supports, are null or
/// empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PublicPlaybookResult {
    #[schema(inline)]
    pub schema_version: ResultVersion,
    /// The requested sections. Only sections of this `schema_version` appear, under their names as members
    /// of this object.
    #[schema(inline)]
    pub included_sections: Vec<PlaybookSection>,
    #[schema(inline)]
    pub target: Target,
    #[schema(required)]
    pub anchor_company: Option<String>,
    #[schema(inline)]
    pub tone: Tone,
    /// BCP 47 tag.
    pub language: String,
    #[schema(required)]
    pub business_summary: Option<String>,
    /// Strongest first.
    pub sales_angles: Vec<String>,
    #[schema(inline)]
    pub company_profile: CompanyProfile,
    pub priorities: Vec<String>,
    #[schema(inline)]
    pub pain_points: Vec<PainPoint>,
    #[schema(inline)]
    pub buying_signals: Vec<BuyingSignal>,
    /// Roles, never named people.
    #[schema(inline)]
    pub buying_committee: Vec<CommitteeRole>,
    #[schema(inline)]
    pub value_map: Vec<ValueMapping>,
    #[schema(inline)]
    pub proof_points: Vec<ProofPoint>,
    #[schema(inline)]
    pub discovery_questions: Vec<DiscoveryQuestion>,
    #[schema(inline)]
    pub objections: Vec<Objection>,
    #[schema(inline)]
    pub competitive_position: Vec<CompetitivePosition>,
    #[schema(inline)]
    pub talk_track: TalkTrack,
    pub next_steps: Vec<String>,
    /// Comes with `sales_angles`.
    #[serde(default)]
    #[schema(inline, required)]
    pub fit: Fit,
    /// Dated or counted events, and why they make this the moment to talk. Comes with `buying_signals`.
    #[serde(default)]
    #[schema(required)]
    pub why_now: Vec<String>,
    /// Comes with `talk_track`.
    #[serde(default)]
    #[schema(inline, required)]
    pub messages_by_persona: Vec<PersonaMessage>,
    /// Comes with `value_map`.
    #[serde(default)]
    #[schema(inline, required)]
    pub business_case: Vec<BusinessCaseItem>,
    /// What each page of the target's site says, in its own words: quotations that the pages make prominent and that stand
    /// in no other member. In the order of a reader: home page, about, services, references, news, jobs, contact. Comes
    /// with `company_profile`.
    #[serde(default)]
    #[schema(inline, required)]
    pub site_digest: Vec<DigestEntry>,
    #[schema(inline)]
    pub risks: Vec<Risk>,
    #[schema(inline, required)]
    pub brand: Option<BrandBinding>,
    /// The offer that is sold, in the revision that was approved when the job was created.
    #[serde(default)]
    #[schema(inline, required)]
    pub offer: Option<OfferBinding>,
    pub basis: Vec<FieldBasis>,
    /// What the requested sections lack: `unverified` where something was drafted and left out, because its evidence did
    /// not support it; `blocked` where the page that would say it may not be read; `not_found` where no source says
    /// anything.
    #[serde(default)]
    #[schema(inline, required)]
    pub unknowns: Vec<Unknown>,
    pub sources: Vec<Source>,
    #[schema(extensions(("x-extensible-enum" = json!(["default"]))))]
    pub model: String,
    #[schema(minimum = 0)]
    pub duration_seconds: f64,
}
