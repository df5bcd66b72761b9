//! What is reported about a message to one prospect: gates, content checks, and what they rest on (annex A7).
//! Every member is derived by the host from retained facts; a caller can declare none of them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Digest, EvidenceId, Timestamp};

/// A gate. All of them are evaluated and reported, in this order.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum GateKey {
    TemplateRevision,
    ProspectFreshness,
    Qualification,
    Identity,
    Evidence,
    Sender,
    Offer,
    NextStep,
    CompanyJurisdiction,
    PrivacyNotice,
    PolicyAllowList,
    Basis,
    AddressProvenance,
    Suppression,
}

impl GateKey {
    /// All gates in the order in which they are reported.
    pub const ALL: [Self; 14] = [
        Self::TemplateRevision,
        Self::ProspectFreshness,
        Self::Qualification,
        Self::Identity,
        Self::Evidence,
        Self::Sender,
        Self::Offer,
        Self::NextStep,
        Self::CompanyJurisdiction,
        Self::PrivacyNotice,
        Self::PolicyAllowList,
        Self::Basis,
        Self::AddressProvenance,
        Self::Suppression,
    ];

    /// The value of `gate`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TemplateRevision => "template_revision",
            Self::ProspectFreshness => "prospect_freshness",
            Self::Qualification => "qualification",
            Self::Identity => "identity",
            Self::Evidence => "evidence",
            Self::Sender => "sender",
            Self::Offer => "offer",
            Self::NextStep => "next_step",
            Self::CompanyJurisdiction => "company_jurisdiction",
            Self::PrivacyNotice => "privacy_notice",
            Self::PolicyAllowList => "policy_allow_list",
            Self::Basis => "basis",
            Self::AddressProvenance => "address_provenance",
            Self::Suppression => "suppression",
        }
    }
}

/// What a gate found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateOutcome {
    /// What it asks for is there.
    Passed,
    /// What it asks for is missing or wrong.
    Failed,
    /// The facts do not tell. Counts as failed.
    Unknown,
    /// A privacy notice that the loaded policy does not want.
    NotApplicable,
}

/// A gate with what it found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Gate {
    /// Stable key of the gate, to branch on.
    #[schema(inline)]
    pub gate: GateKey,
    /// What it found.
    #[schema(inline)]
    pub outcome: GateOutcome,
    /// Stable code; null if it passed.
    #[schema(required)]
    pub reason_code: Option<String>,
    /// Pointer into the request to what can be mended; null where nothing there can.
    #[schema(required)]
    pub pointer: Option<String>,
    /// One sentence; null if it passed.
    #[schema(required)]
    pub message: Option<String>,
}

/// A check of the whole text. All are reported, in this order.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum CheckKey {
    EvidenceAnchors,
    ApprovedValueAnchors,
    RecipientRelevance,
    NumericClaims,
    WordLimit,
    LinkLimit,
    SingleCta,
    MobileStructure,
    ProhibitedLanguage,
    OptOutFinal,
}

impl CheckKey {
    /// All checks in the order in which they are reported.
    pub const ALL: [Self; 10] = [
        Self::EvidenceAnchors,
        Self::ApprovedValueAnchors,
        Self::RecipientRelevance,
        Self::NumericClaims,
        Self::WordLimit,
        Self::LinkLimit,
        Self::SingleCta,
        Self::MobileStructure,
        Self::ProhibitedLanguage,
        Self::OptOutFinal,
    ];

    /// The value of `check`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EvidenceAnchors => "evidence_anchors",
            Self::ApprovedValueAnchors => "approved_value_anchors",
            Self::RecipientRelevance => "recipient_relevance",
            Self::NumericClaims => "numeric_claims",
            Self::WordLimit => "word_limit",
            Self::LinkLimit => "link_limit",
            Self::SingleCta => "single_cta",
            Self::MobileStructure => "mobile_structure",
            Self::ProhibitedLanguage => "prohibited_language",
            Self::OptOutFinal => "opt_out_final",
        }
    }

    /// What to do about a text that does not pass it.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        match self {
            Self::EvidenceAnchors => {
                "Say of the recipient only what a cited evidence record says, by {{evidence.hook}}, and in the hook only what \
                 its excerpt says: the same names and months, most of its words, and nothing turned round."
            }
            Self::ApprovedValueAnchors => {
                "Claim of the offer only what its approved words say, and nothing in who signs; show the privacy notice \
                 if the policy wants one."
            }
            Self::RecipientRelevance => {
                "Use a placeholder of the recipient's role or company, or {{evidence.hook}}."
            }
            Self::NumericClaims => {
                "Repeat a number only with its unit and beside the words that it has where it was approved, or leave it out."
            }
            Self::WordLimit => {
                "Shorten the message or its values, or allow more words in the template."
            }
            Self::LinkLimit => {
                "Remove links beyond the limit, and make links of addresses or remove them. A link may lead only to a host in \
                 the offer's allowed_link_hosts or to the domain of the sender's address: an offer_summary allows no host, and a \
                 public mail domain is no sender's. For another host, approve an offer that allows it and make the template for \
                 that offer, or write from an address at its domain."
            }
            Self::SingleCta => "Ask for exactly one thing, once.",
            Self::MobileStructure => "Shorten the subject or split the paragraph.",
            Self::ProhibitedLanguage => {
                "Leave out forbidden claims, urgency, superlatives and marks of a reply, and write in the template's language."
            }
            Self::OptOutFinal => {
                "End with {{compliance.opt_out}} alone, and say nowhere else how to get no more messages."
            }
        }
    }
}

/// What a check found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
    /// The text is as it should be.
    Passed,
    /// The text is not.
    Failed,
    /// There is no text to check.
    Skipped,
}

/// A part of the body, in code points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Span {
    /// Where it begins.
    pub start: usize,
    /// Where it ends: the first code point after it.
    pub end: usize,
}

/// A check with what it found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ContentCheck {
    /// Stable key of the check, to branch on.
    #[schema(inline)]
    pub check: CheckKey,
    /// What it found.
    #[schema(inline)]
    pub outcome: CheckOutcome,
    /// What was found: a number or a text.
    #[schema(required)]
    pub observed: Option<serde_json::Value>,
    /// What it was compared with.
    #[schema(required)]
    pub limit: Option<serde_json::Value>,
    /// The parts of the body that fail it.
    pub spans: Vec<Span>,
    /// The words that fail it, at most five places, each of at most 80 characters: where nothing was drafted for want of
    /// input, since whoever made the request has to know what to change, and in subject and preview text always.
    #[serde(default)]
    pub found: Vec<String>,
    /// Where a check that failed found it: RFC 6901 pointers into the template's structure, each once.
    #[serde(default)]
    pub pointers: Vec<String>,
    /// What to do about a check that failed, in one sentence; null otherwise.
    #[serde(default)]
    pub message: Option<String>,
    /// Pointer into the request to the value that the first place is of, if a value is to blame. The reason has it.
    #[serde(skip)]
    pub mend: Option<&'static str>,
}

/// What a part of the body rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnchorKind {
    /// A retained evidence record.
    Evidence,
    /// The offer.
    Offer,
    /// A value of the request or of the prospect.
    ApprovedValue,
}

/// A part of the body, and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Anchor {
    /// Where it begins, in code points.
    pub start: usize,
    /// Where it ends: the first code point after it.
    pub end: usize,
    /// What it rests on.
    #[schema(inline)]
    pub kind: AnchorKind,
    /// Id of the evidence record or offer, or name of the placeholder.
    #[serde(rename = "ref")]
    pub reference: String,
}

/// How an address came to be known. Derived from the retained evidence, never declared by a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AddressSourceClass {
    PublishedByCompany,
    PublishedByPerson,
    ProfessionalRegister,
    ProvidedBySubject,
    LicensedProvider,
    /// Guessed from the pattern of other addresses.
    DerivedPattern,
    Unknown,
}

impl AddressSourceClass {
    /// All classes.
    pub const ALL: [Self; 7] = [
        Self::PublishedByCompany,
        Self::PublishedByPerson,
        Self::ProfessionalRegister,
        Self::ProvidedBySubject,
        Self::LicensedProvider,
        Self::DerivedPattern,
        Self::Unknown,
    ];
}

/// The ground on which a person is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LawfulBasis {
    LegitimateInterests,
    Consent,
    ExistingCustomer,
    NotRequired,
}

/// For what an environment's messages are meant. An attribute of the project.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    #[default]
    Production,
    Staging,
    Development,
}

impl Environment {
    /// All environments.
    pub const ALL: [Self; 3] = [Self::Production, Self::Staging, Self::Development];

    /// The value of `environment`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Production => "production",
            Self::Staging => "staging",
            Self::Development => "development",
        }
    }

    /// The environment with this name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == text)
    }
}

/// The text names no environment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected production, staging or development")]
pub struct ParseEnvironmentError;

impl std::str::FromStr for Environment {
    type Err = ParseEnvironmentError;
    fn from_str(text: &str) -> Result<Self, ParseEnvironmentError> {
        Self::parse(text).ok_or(ParseEnvironmentError)
    }
}

/// What came of a request for a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ComplianceOutcome {
    Passed,
    NeedsInput,
    Blocked,
    Demonstration,
}

/// The policy that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PolicyReport {
    /// As in the request.
    pub policy_ref: String,
    /// As in the request.
    pub policy_version: String,
    /// Whether the operator allows exactly this reference and version.
    pub allow_listed: bool,
    /// Hash of the policy; null if none was loaded.
    #[schema(value_type = Option<String>, required, pattern = "^sha256:[0-9a-f]{64}$")]
    pub policy_hash: Option<Digest>,
    /// The component that was asked; null if none was run.
    #[schema(required)]
    pub evaluator: Option<super::rubric::Judge>,
}

/// What the policy says about the recipient's country.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JurisdictionReport {
    /// ISO 3166-1 alpha-2; null if the retained facts do not tell it.
    #[schema(required)]
    pub recipient_country: Option<String>,
    /// The rule that the policy applied.
    #[schema(required)]
    pub basis_rule: Option<String>,
    /// Whether that rule wants consent before the first message.
    #[schema(required)]
    pub opt_in_required: Option<bool>,
}

/// The ground for writing, as far as the retained evidence bears it out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BasisReport {
    /// The evidence that the request names; null if it is none of this prospect's.
    #[schema(value_type = Option<String>, required)]
    pub evidence_id: Option<EvidenceId>,
    /// Whether it is this prospect's and of a fitting kind.
    pub verified: bool,
    /// The ground; null if there is none.
    #[schema(inline, required)]
    pub lawful_basis: Option<LawfulBasis>,
}

/// Where the address comes from, as far as the retained evidence says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AddressProvenanceReport {
    /// The evidence that the request names; null if it is none of this prospect's.
    #[schema(value_type = Option<String>, required)]
    pub evidence_id: Option<EvidenceId>,
    /// Whether it is this prospect's and of the right kind.
    pub verified: bool,
    /// Derived from that evidence.
    #[schema(inline)]
    pub address_source_class: AddressSourceClass,
    /// When it was fetched.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub retrieved_at: Option<Timestamp>,
    /// Hash of the bytes it came from.
    #[schema(value_type = Option<String>, required, pattern = "^sha256:[0-9a-f]{64}$")]
    pub content_digest: Option<Digest>,
}

/// What the outcome ledger says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SuppressionReport {
    /// Whether the ledger was read.
    pub checked: bool,
    /// Always `project_environment`.
    #[schema(pattern = "^project_environment$")]
    pub scope: String,
    /// The ledger's last entry when it was read; null for an empty ledger.
    #[schema(required)]
    pub ledger_sequence: Option<u64>,
    /// Whether an entry speaks against writing.
    pub matched: bool,
    /// What the entry names: the address, its domain or the person.
    #[schema(inline, required)]
    pub r#match: Option<crate::outcome_ledger::SubjectType>,
}

/// The notice with which the body ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OptOutReport {
    /// Stable id of the text.
    pub notice_id: String,
    /// BCP 47 tag of its text.
    pub language: String,
    /// Hash of its UTF-8 text.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub notice_hash: Digest,
    /// Whether the body ends with it.
    pub r#final: bool,
}

/// A line that whoever sends the message may want; the platform sends nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecommendedLine {
    pub name: String,
    pub value: String,
}

/// Everything that the verdict rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ComplianceVerification {
    /// Version of this object.
    pub schema_version: String,
    #[schema(value_type = String, format = DateTime)]
    pub evaluated_at: Timestamp,
    #[schema(inline)]
    pub environment: Environment,
    #[schema(inline)]
    pub outcome: ComplianceOutcome,
    pub policy: PolicyReport,
    pub jurisdiction: JurisdictionReport,
    /// Null where the request's evidence is none of this prospect's.
    #[schema(required)]
    pub basis: Option<BasisReport>,
    pub address_provenance: AddressProvenanceReport,
    pub suppression: SuppressionReport,
    /// All fourteen.
    pub gates: Vec<Gate>,
    /// All ten.
    pub content_checks: Vec<ContentCheck>,
    /// Null where there is no notice.
    #[schema(required)]
    pub opt_out: Option<OptOutReport>,
    /// What the parts of the body rest on.
    pub anchors: Vec<Anchor>,
    /// Hints for whoever sends it.
    pub recommended_headers: Vec<RecommendedLine>,
}
