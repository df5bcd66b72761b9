//! The request for a message to one prospect in its normalized form (annex A7).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Digest, EvidenceId, JobId, MessageTemplateRevisionId, OfferId, ProspectId};

/// What a message is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MessagePurpose {
    /// To be sent to the prospect by somebody, after approval.
    RealRecipient,
    /// To be looked at.
    Demonstration,
}

/// Who writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Sender {
    pub full_name: String,
    pub role: String,
    pub organization: String,
    pub email: String,
}

/// Where an answer arrives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// The address.
    pub email: String,
    /// Whether somebody reads what arrives there.
    pub monitored: bool,
}

/// Who sends the message, with a postal address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PostalIdentity {
    pub organization: String,
    pub address_lines: Vec<String>,
    pub locality: String,
    #[schema(required)]
    pub region: Option<String>,
    pub postal_code: String,
    /// ISO 3166-1 alpha-2.
    pub country: String,
}

/// The retained evidence that the message rests on. All of it is the prospect's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceReferences {
    /// For the ground of writing.
    #[schema(value_type = String)]
    pub basis_evidence_id: EvidenceId,
    /// For the source of the address.
    #[schema(value_type = String)]
    pub address_provenance_id: EvidenceId,
    /// For what the message says about the recipient, 1 to 3.
    #[schema(value_type = Vec<String>)]
    pub personalization_evidence_ids: Vec<EvidenceId>,
}

/// The policy under which the message is written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyReference {
    pub policy_ref: String,
    pub policy_version: String,
}

/// The sender's notice on data protection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PrivacyNotice {
    pub url: String,
    pub version: String,
}

/// What the message sells: must be what the revision was made for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum MessageOffer {
    /// An approved offer.
    #[serde(rename_all = "snake_case")]
    Offer {
        /// As the list of offers shows it.
        #[schema(value_type = String)]
        offer_id: OfferId,
    },
    /// The caller's own summary.
    Summary {
        /// The text.
        offer_summary: String,
    },
}

/// What the recipient is asked to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NextStep {
    /// The one thing asked for.
    pub ask: String,
    /// Where to do it.
    #[schema(required)]
    pub url: Option<String>,
}

/// The normalized request. Members that the request left out are null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProspectMessageInput {
    /// Always `prospect_message`.
    #[schema(pattern = "^prospect_message$")]
    pub operation: String,
    #[schema(value_type = String)]
    pub revision_id: MessageTemplateRevisionId,
    #[schema(value_type = String)]
    pub prospecting_job_id: JobId,
    #[schema(value_type = String)]
    pub prospect_id: ProspectId,
    #[schema(inline)]
    pub purpose: MessagePurpose,
    pub sender: Sender,
    pub reply: Reply,
    pub postal_identity: PostalIdentity,
    pub evidence: EvidenceReferences,
    pub policy: PolicyReference,
    #[schema(required)]
    pub privacy_notice: Option<PrivacyNotice>,
    #[schema(inline)]
    pub offer: MessageOffer,
    pub next_step: NextStep,
    #[schema(value_type = Option<String>, required)]
    pub expected_template_hash: Option<Digest>,
    #[schema(required)]
    pub external_ref: Option<String>,
}
