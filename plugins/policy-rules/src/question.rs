//! What a policy is asked (`wit/results/policy-question.schema.json`): facts that the host has retained and
//! derived. Nobody who wants to write can declare one of them.

use serde::Deserialize;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyQuestion {
    /// The name under which the operator allows this policy.
    pub policy_ref: String,
    /// The version under which the operator allows it.
    pub policy_version: String,
    /// Whether the message is for a person or for looking at. The law is the same for both; the host decides
    /// what it enforces.
    pub purpose: MessagePurpose,
    /// ISO 3166-1 alpha-2 of the recipient's company; none if nothing retained tells it.
    pub recipient_country: Option<String>,
    /// The company's legal form, in the words of the retained candidate.
    pub legal_form: Option<String>,
    /// BCP 47 tag of the message.
    pub language: String,
    /// How the address came to be known.
    pub address_source_class: AddressSourceClass,
    /// The evidence that the request names for its ground; none if it is not this prospect's.
    pub basis_evidence: Option<BasisEvidence>,
    /// Kinds of all the evidence that is retained for the prospect.
    pub retained_kinds: Vec<EvidenceKind>,
    /// Whether the retained evidence holds a consent.
    pub consent_recorded: bool,
}

/// The evidence for the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BasisEvidence {
    /// What it is evidence of.
    pub kind: EvidenceKind,
    /// The ground that it is evidence of.
    pub lawful_basis: Option<LawfulBasis>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessagePurpose {
    /// To be sent to the prospect by somebody.
    RealRecipient,
    /// To be looked at.
    Demonstration,
}

/// How an address came to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
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

/// What an evidence record is evidence of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    AddressProvenance,
    LawfulBasis,
    CompanyFact,
    Personalization,
    ConsentRecord,
}

/// The ground on which a person is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LawfulBasis {
    LegitimateInterests,
    Consent,
    ExistingCustomer,
    NotRequired,
}
