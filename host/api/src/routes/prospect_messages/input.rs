//! `ProspectMessageCreate` of a request: rules that its schema cannot express, and its normalized form (annex A7).

use gtm_domain::domain_name::DomainName;
use gtm_domain::json_pointer;
use gtm_domain::message::link::HttpsAddress;
use gtm_domain::message::lookalikes::has_lookalikes_of_a_domain;
use gtm_domain::message::prospect_message::{
    EvidenceReferences, MessageOffer, MessagePurpose, NextStep, PolicyReference, PostalIdentity,
    PrivacyNotice, ProspectMessageInput, Reply, Sender,
};
use gtm_domain::message::prospect_message_result::PROSPECT_MESSAGE;
use gtm_domain::{Digest, JobId, MessageTemplateRevisionId, ProspectId};
use serde::Deserialize;
use serde_json::Value;

use crate::validation::{RequestBody, Violation};

/// What the platform finds out by itself (specification, rule 8). DANGER: a caller who could declare it could have
/// anybody written to.
const NEVER_DECLARED: [&str; 24] = [
    "address_source_class",
    "allow_listed",
    "approval",
    "approval_hash",
    "approved",
    "basis",
    "compliance_verification",
    "consent",
    "consent_recorded",
    "do_not_contact",
    "gates",
    "lawful_basis",
    "opted_out",
    "outcome",
    "policy_approved",
    "policy_hash",
    "qualification",
    "qualified",
    "recipient_country",
    "status",
    "suppressed",
    "suppression",
    "synthetic",
    "unsubscribed",
];

/// A valid request, without its revision, which the path names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ProspectMessageCreate {
    prospecting_job_id: JobId,
    prospect_id: ProspectId,
    purpose: MessagePurpose,
    sender: Sender,
    reply: Reply,
    postal_identity: PostalIdentity,
    evidence: EvidenceReferences,
    policy: PolicyReference,
    #[serde(default)]
    privacy_notice: Option<PrivacyNotice>,
    offer: MessageOffer,
    next_step: NextStep,
    #[serde(default)]
    expected_template_hash: Option<Digest>,
    #[serde(default)]
    external_ref: Option<String>,
}

impl ProspectMessageCreate {
    /// The normalized request for this revision.
    pub fn for_revision(self, revision_id: MessageTemplateRevisionId) -> ProspectMessageInput {
        ProspectMessageInput {
            operation: PROSPECT_MESSAGE.to_owned(),
            revision_id,
            prospecting_job_id: self.prospecting_job_id,
            prospect_id: self.prospect_id,
            purpose: self.purpose,
            sender: self.sender,
            reply: self.reply,
            postal_identity: self.postal_identity,
            evidence: self.evidence,
            policy: self.policy,
            privacy_notice: self.privacy_notice,
            offer: self.offer,
            next_step: self.next_step,
            expected_template_hash: self.expected_template_hash,
            external_ref: self.external_ref,
        }
    }

    /// The same without blanks around its texts.
    fn trimmed(mut self) -> Self {
        let (sender, postal) = (&mut self.sender, &mut self.postal_identity);
        let texts = [
            &mut sender.full_name,
            &mut sender.role,
            &mut sender.organization,
            &mut sender.email,
            &mut self.reply.email,
            &mut postal.organization,
            &mut postal.locality,
            &mut postal.postal_code,
            &mut self.next_step.ask,
        ];
        let lines = postal.address_lines.iter_mut();
        let more = postal.region.iter_mut().chain(self.external_ref.iter_mut());
        for text in texts.into_iter().chain(lines).chain(more) {
            *text = text.trim().to_owned();
        }
        if let MessageOffer::Summary { offer_summary } = &mut self.offer {
            *offer_summary = offer_summary.trim().to_owned();
        }
        self
    }
}

impl RequestBody for ProspectMessageCreate {
    const SCHEMA: &'static str = "ProspectMessageCreate";

    fn from_value(value: &Value) -> Result<Self, Vec<Violation>> {
        let mut violations = Vec::new();
        declared(value, "", &mut violations);
        let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str);
        for pointer in ["/privacy_notice/url", "/next_step/url"] {
            if let Some(Err(fault)) = text(pointer).map(HttpsAddress::read) {
                violations.push(Violation::new(pointer, fault.rule(), fault.to_string()));
            }
        }
        for pointer in ["/sender/email", "/reply/email"] {
            let Some(address) = text(pointer).map(str::trim) else {
                continue;
            };
            let Some((_, domain)) = address.rsplit_once('@') else {
                continue;
            };
            if domain.parse::<DomainName>().is_err() {
                let message = "must be a whole address, such as ada@acme.com; nobody can register the domain of this one";
                violations.push(Violation::new(pointer, "email", message));
            } else if has_lookalikes_of_a_domain(address) {
                let message = "has letters of another script that look like Latin ones, so that an answer would go elsewhere than its reader thinks; write it in the letters of one script";
                violations.push(Violation::new(pointer, "email_lookalike", message));
            }
        }
        if !violations.is_empty() {
            return Err(violations);
        }
        // The schema has already reported whatever fails here.
        let sent = Self::deserialize(value).map_err(|_| Vec::new())?;
        Ok(sent.trimmed())
    }
}

/// Finds members, at any depth, by which a caller would declare what only the platform may find out.
fn declared(value: &Value, at: &str, violations: &mut Vec<Violation>) {
    // `evidence.basis_evidence_id` names evidence and declares nothing; so no member of the request is on the list.
    let Value::Object(members) = value else {
        return;
    };
    for (name, inner) in members {
        let pointer = json_pointer::below(at, name);
        if NEVER_DECLARED.contains(&name.as_str()) {
            violations.push(Violation::new(
                pointer,
                "caller_may_not_declare",
                "is found out by the platform and cannot be declared",
            ));
        } else if at.is_empty() {
            declared(inner, &pointer, violations);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::job::example;
    use super::*;
    use crate::schemas;
    use serde_json::json;

    fn check(value: &Value) -> Result<ProspectMessageCreate, Vec<(String, String)>> {
        let compiled = schemas::of_requests().unwrap();
        let checked = compiled[ProspectMessageCreate::SCHEMA].check(value);
        checked.map_err(|violations| {
            let mut found: Vec<_> = (violations.into_iter())
                .map(|v| (v.pointer, v.rule))
                .collect();
            found.sort();
            found
        })
    }

    /// The example with another value at a pointer.
    fn with(pointer: &str, value: Value) -> Value {
        let mut body = example();
        *body.pointer_mut(pointer).unwrap() = value;
        body
    }

    #[test]
    fn a_request_is_normalized() {
        let mut body = with("/sender/full_name", json!(" Ada Byrne "));
        for member in ["privacy_notice", "expected_template_hash", "external_ref"] {
            body.as_object_mut().unwrap().remove(member);
        }
        let revision = MessageTemplateRevisionId::from_uuid(uuid::Uuid::nil());
        let input = check(&body).unwrap().for_revision(revision);
        let input = serde_json::to_value(input).unwrap();
        assert_eq!(input["operation"], "prospect_message");
        assert_eq!(input["sender"]["full_name"], "Ada Byrne");
        for member in ["privacy_notice", "expected_template_hash", "external_ref"] {
            assert_eq!(input[member], Value::Null);
        }
        assert_eq!(input["postal_identity"]["region"], Value::Null);
    }

    #[test]
    fn what_is_blank_is_left_to_its_gate() {
        for pointer in [
            "/sender/role",
            "/sender/email",
            "/reply/email",
            "/postal_identity/postal_code",
            "/next_step/ask",
        ] {
            assert!(check(&with(pointer, json!(" "))).is_ok(), "{pointer}");
        }
        assert!(check(&with("/reply/monitored", json!(false))).is_ok());
    }

    #[test]
    fn what_is_malformed_is_refused() {
        for (pointer, value, rule) in [
            ("/sender/email", json!("ada"), "pattern"),
            ("/reply/email", json!("ada@localhost"), "email"),
            // Cyrillic letters, as they stand and as an A-label.
            (
                "/reply/email",
                json!("ada@k\u{43e}ntor.example"),
                "email_lookalike",
            ),
            (
                "/sender/email",
                json!("ada@xn--cme-5cd.example"),
                "email_lookalike",
            ),
            ("/postal_identity/country", json!("gb"), "pattern"),
            ("/postal_identity/address_lines", json!([]), "minItems"),
            ("/evidence/basis_evidence_id", json!("evd_1"), "pattern"),
            (
                "/evidence/personalization_evidence_ids",
                json!([]),
                "minItems",
            ),
            (
                "/privacy_notice/url",
                json!("http://a.example/"),
                "link_not_https",
            ),
            (
                "/next_step/url",
                json!("https://u@a.example/"),
                "link_user_information",
            ),
            ("/purpose", json!("test"), "enum"),
            (
                "/offer",
                json!({"offer_summary": "A", "offer_id": "offr_01jz8r0a1b2c3d4e5f6g7h8j9k"}),
                "oneOf",
            ),
            ("/offer", json!({}), "oneOf"),
            ("/expected_template_hash", json!("sha256:00"), "pattern"),
        ] {
            let found = check(&with(pointer, value.clone())).unwrap_err();
            assert_eq!(found, [(pointer.to_owned(), rule.to_owned())], "{value}");
        }
        // What is given in the wrong form is not told as missing.
        for (offer, at, rule) in [
            (json!({"offer_id": "offr_1"}), "/offer/offer_id", "pattern"),
            (json!({"offer_summary": 1}), "/offer/offer_summary", "type"),
        ] {
            let found = check(&with("/offer", offer)).unwrap_err();
            assert_eq!(found, [(at.to_owned(), rule.to_owned())]);
        }
        let mut body = example();
        body.as_object_mut().unwrap().remove("sender");
        let missing = [("/sender".to_owned(), "required".to_owned())];
        assert_eq!(check(&body).unwrap_err(), missing);
    }

    #[test]
    fn nobody_declares_what_the_platform_finds_out() {
        for (at, name) in [
            ("", "policy_approved"),
            ("", "suppressed"),
            ("", "unsubscribed"),
            ("", "qualification"),
            ("/policy", "approved"),
            ("/evidence", "address_source_class"),
            ("/evidence", "lawful_basis"),
        ] {
            let mut body = example();
            body.pointer_mut(at).unwrap()[name] = json!(true);
            let found = check(&body).unwrap_err();
            let told = (format!("{at}/{name}"), "caller_may_not_declare".to_owned());
            assert!(found.contains(&told), "{found:?}");
        }
        let Value::Object(members) = example() else {
            unreachable!("an example is an object")
        };
        assert!(
            !members
                .keys()
                .any(|name| NEVER_DECLARED.contains(&name.as_str()))
        );
    }
}
