//! Policies: what a jurisdiction asks of a message to a stranger. Each is an evaluator plug-in without any
//! import; here is what it is asked and what it answers, and the operator's list of the policies that may be
//! used (annex A7). A policy is no legal advice.

use serde::{Deserialize, Serialize};

use crate::canonical::NotCanonical;
use crate::message::compliance::{AddressSourceClass, LawfulBasis};
use crate::message::prospect_message::{MessagePurpose, PolicyReference};
use crate::prospecting::EvidenceKind;
use crate::{Digest, Timestamp, canonical_digest};

/// A policy on the operator's allow-list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AllowedPolicy {
    /// The reference and version that requests name.
    #[serde(flatten)]
    pub policy: PolicyReference,
    /// Key of the evaluator plug-in.
    pub evaluator: String,
    pub evaluator_version: String,
    /// Digest of its component when it was allowed; another component is another policy.
    pub component: Digest,
    pub allowed_at: Timestamp,
    /// Who allowed it.
    pub allowed_by: String,
    pub revoked_at: Option<Timestamp>,
}

/// What a policy is asked (`wit/results/policy-question.schema.json`). Facts that are not retained are null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyQuestion {
    pub policy_ref: String,
    pub policy_version: String,
    pub purpose: MessagePurpose,
    /// ISO 3166-1 alpha-2 of the recipient's company.
    pub recipient_country: Option<String>,
    pub legal_form: Option<String>,
    /// BCP 47 tag of the message.
    pub language: String,
    /// How the address came to be known.
    pub address_source_class: AddressSourceClass,
    /// The evidence that the request names for its ground: its kind, and the ground that it is evidence of.
    pub basis_evidence: Option<BasisEvidence>,
    /// Kinds of all the evidence that is retained for the prospect.
    pub retained_kinds: Vec<EvidenceKind>,
    /// Whether the retained evidence holds a consent.
    pub consent_recorded: bool,
}

/// The evidence for the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BasisEvidence {
    pub kind: EvidenceKind,
    pub lawful_basis: Option<LawfulBasis>,
}

/// Whether something is fulfilled, as far as the facts tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    Met,
    NotMet,
    Unknown,
}

/// What a policy answers (`wit/results/policy-verdict.schema.json`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyVerdict {
    /// Whether the policy covers the recipient's country.
    pub jurisdiction: Finding,
    /// The rule that it applied.
    pub basis_rule: Option<String>,
    /// Whether that rule wants consent before the first message.
    pub opt_in_required: Option<bool>,
    /// Whether the ground is good enough.
    pub basis: Finding,
    /// The ground that it accepts.
    pub lawful_basis: Option<LawfulBasis>,
    /// Whether an address from this source may be used.
    pub address_source: Finding,
    /// Whether the message must point to a privacy notice.
    pub privacy_notice_required: bool,
    /// The sentence on data protection in the language of the message, without an address; null if none is wanted.
    pub privacy_notice_text: Option<String>,
    /// The canonical notice on how to object.
    pub opt_out: OptOutNotice,
    /// First words of a subject and first line of a body that is only a demonstration.
    pub demonstration_marker: String,
}

/// The canonical notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptOutNotice {
    /// Such as `opt-out-en-1`.
    pub notice_id: String,
    /// BCP 47 tag of its text.
    pub language: String,
    /// The text, one paragraph.
    pub text: String,
}

/// Identifies a policy with the component that answers for it. Who allowed it and when changes nothing of what it says.
///
/// # Errors
/// Never for texts; serializing to JSON can fail in general.
pub fn policy_hash(
    policy: &PolicyReference,
    evaluator: &str,
    evaluator_version: &str,
    component: Digest,
) -> Result<Digest, NotCanonical> {
    let hashed = serde_json::json!({
        "policy_ref": policy.policy_ref,
        "policy_version": policy.policy_version,
        "evaluator": evaluator,
        "evaluator_version": evaluator_version,
        "component": component,
    });
    canonical_digest(&hashed).map_err(|e| NotCanonical::new("policy", &e))
}

impl AllowedPolicy {
    /// Identifies the entry.
    ///
    /// # Errors
    /// As [`policy_hash`].
    pub fn policy_hash(&self) -> Result<Digest, NotCanonical> {
        let (evaluator, version) = (&self.evaluator, &self.evaluator_version);
        policy_hash(&self.policy, evaluator, version, self.component)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// As `docs/message-gates.md` tells it: whoever has a result can recompute the hash by that recipe alone.
    #[test]
    fn the_hash_is_the_one_of_the_documented_bytes() {
        let component = format!("sha256:{}", "8".repeat(64));
        let bytes = [
            r#"{"component":""#,
            &component,
            r#"","evaluator":"policy-gb","evaluator_version":"1.2.0","#,
            r#""policy_ref":"gb-corporate-outreach","policy_version":"2026-01"}"#,
        ]
        .concat();
        let documented = "sha256:364a266e5354935c10d9986bc6e1d8590795901d78b705fab2d084286cdbfdbf";
        let guide = include_str!("../../../../docs/message-gates.md");
        assert!(guide.contains(&bytes) && guide.contains(documented));
        assert_eq!(Digest::of(bytes.as_bytes()).to_string(), documented);
        let policy = PolicyReference {
            policy_ref: "gb-corporate-outreach".to_owned(),
            policy_version: "2026-01".to_owned(),
        };
        let hash = policy_hash(&policy, "policy-gb", "1.2.0", component.parse().unwrap());
        assert_eq!(hash.unwrap().to_string(), documented);
    }
}
