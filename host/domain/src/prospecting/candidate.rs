//! A candidate of a prospecting job and the evidence that is retained for it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::message::compliance::{AddressSourceClass, LawfulBasis};
use crate::{Digest, EvidenceId, JobId, ProspectId, Timestamp};

/// Whether a person decided that the candidate is worth writing to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QualificationStatus {
    Accepted,
    Rejected,
    Pending,
}

/// The decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Qualification {
    #[schema(inline)]
    pub status: QualificationStatus,
    #[schema(required)]
    pub reason: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub decided_at: Option<Timestamp>,
}

/// The person. What is not known is null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CandidatePerson {
    #[schema(required)]
    pub first_name: Option<String>,
    #[schema(required)]
    pub full_name: Option<String>,
    #[schema(required)]
    pub role: Option<String>,
}

/// The company. What is not known is null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CandidateCompany {
    #[schema(required)]
    pub name: Option<String>,
    #[schema(required)]
    pub domain: Option<String>,
    /// ISO 3166-1 alpha-2.
    #[schema(required)]
    pub country: Option<String>,
    /// Such as `limited_company`, `sole_trader`, `partnership`, `public_body`.
    #[schema(required)]
    pub legal_form: Option<String>,
    #[schema(required)]
    pub industry: Option<String>,
    #[schema(required)]
    pub location: Option<String>,
}

/// The address as others see it: never in clear.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CandidateAddress {
    /// Always `email`.
    pub kind: String,
    /// First character and domain, such as `s***@acme.example`.
    pub masked: String,
    /// The evidence that says where it comes from.
    #[schema(value_type = String)]
    pub address_evidence_id: EvidenceId,
}

/// What an evidence record is evidence of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    AddressProvenance,
    LawfulBasis,
    CompanyFact,
    Personalization,
    ConsentRecord,
}

/// What a company is by law, as policies are asked about it. A form that is not here tells no policy anything, so an
/// import must not take it for one that does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each name says what it is")]
pub enum LegalForm {
    LimitedCompany,
    PrivateLimitedCompany,
    PublicLimitedCompany,
    CompanyLimitedByGuarantee,
    UnlimitedCompany,
    CommunityInterestCompany,
    CharitableIncorporatedOrganisation,
    LimitedLiabilityPartnership,
    ScottishPartnership,
    RoyalCharterBody,
    SoleTrader,
    Individual,
    Partnership,
    GeneralPartnership,
    LimitedPartnership,
    UnincorporatedAssociation,
    Association,
    Cooperative,
    Foundation,
    PublicBody,
}

impl LegalForm {
    /// All forms.
    pub const ALL: [Self; 20] = [
        Self::LimitedCompany,
        Self::PrivateLimitedCompany,
        Self::PublicLimitedCompany,
        Self::CompanyLimitedByGuarantee,
        Self::UnlimitedCompany,
        Self::CommunityInterestCompany,
        Self::CharitableIncorporatedOrganisation,
        Self::LimitedLiabilityPartnership,
        Self::ScottishPartnership,
        Self::RoyalCharterBody,
        Self::SoleTrader,
        Self::Individual,
        Self::Partnership,
        Self::GeneralPartnership,
        Self::LimitedPartnership,
        Self::UnincorporatedAssociation,
        Self::Association,
        Self::Cooperative,
        Self::Foundation,
        Self::PublicBody,
    ];

    /// Its name in files and answers.
    #[must_use]
    pub fn name(self) -> String {
        let value = serde_json::to_value(self).unwrap_or_default();
        value.as_str().unwrap_or_default().to_owned()
    }
}

impl EvidenceKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::AddressProvenance,
        Self::LawfulBasis,
        Self::CompanyFact,
        Self::Personalization,
        Self::ConsentRecord,
    ];
}

/// A retained evidence record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EvidenceRecord {
    /// By which reports on messages name the record.
    #[schema(value_type = String, pattern = "^evd_[0-9a-hjkmnp-tv-z]{26}$")]
    pub id: EvidenceId,
    /// What it is evidence of.
    #[schema(inline)]
    pub kind: EvidenceKind,
    /// Where it was found; null for what is not public, such as a consent.
    #[schema(required)]
    pub url: Option<String>,
    /// What the source is called.
    #[schema(required)]
    pub source_label: Option<String>,
    /// When it was fetched or received.
    #[schema(value_type = String, format = DateTime)]
    pub retrieved_at: Timestamp,
    /// The day that it tells about, `YYYY-MM-DD`.
    #[schema(required)]
    pub observed_on: Option<String>,
    /// Hash of the bytes it came from.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub content_digest: Digest,
    /// Its words.
    pub excerpt: String,
    /// A sentence for a message, reviewed at import; for `personalization` alone.
    #[schema(required)]
    pub hook: Option<String>,
    /// How the address came to be known; for `address_provenance` alone.
    #[schema(inline, required)]
    pub address_source_class: Option<AddressSourceClass>,
    /// The ground that it is evidence of; for `lawful_basis` and `consent_record` alone.
    #[schema(inline, required)]
    pub lawful_basis: Option<LawfulBasis>,
    /// Whether it is made up, for tests and demonstrations.
    pub synthetic: bool,
}

/// A candidate, as `/v1` shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Candidate {
    #[schema(value_type = String, pattern = "^prs_[0-9a-hjkmnp-tv-z]{26}$")]
    pub id: ProspectId,
    #[schema(value_type = String)]
    pub job_id: JobId,
    /// Whether the person is made up, for tests and demonstrations.
    pub synthetic: bool,
    pub qualification: Qualification,
    pub person: CandidatePerson,
    pub company: CandidateCompany,
    pub address: CandidateAddress,
    pub evidence: Vec<EvidenceRecord>,
    /// When the candidate may no longer be used.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}

impl Candidate {
    /// The record with this id, if it is this candidate's.
    #[must_use]
    pub fn evidence(&self, id: EvidenceId) -> Option<&EvidenceRecord> {
        self.evidence.iter().find(|record| record.id == id)
    }

    /// Whether a message that cites these records would be made of made-up facts.
    #[must_use]
    pub fn is_synthetic<'a>(&self, cited: impl IntoIterator<Item = &'a EvidenceRecord>) -> bool {
        self.synthetic || cited.into_iter().any(|record| record.synthetic)
    }
}
