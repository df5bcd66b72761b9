//! The result of a request for a message to one prospect, with everything that it rests on (annex A7).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::compliance::{
    AddressProvenanceReport, AddressSourceClass, Anchor, BasisReport, CheckKey, CheckOutcome,
    ComplianceVerification, ContentCheck, Gate, JurisdictionReport, OptOutReport, PolicyReport,
    RecommendedLine, Span, SuppressionReport,
};
use super::decision::{Causes, MessageReason, MessageStatus, reasons, status};
use super::gates::facts::{Facts, PolicyStanding};
use super::gates::is_of_a_ground;
use super::prospect_message::PolicyReference;
use super::values::Values;
use crate::canonical::NotCanonical;
use crate::fixed::Zero;
use crate::prospecting::EvidenceKind;
use crate::{Digest, MessageTemplateRevisionId, ProspectId, Timestamp, canonical_digest};

/// The operation of a job that writes to one prospect.
pub const PROSPECT_MESSAGE: &str = "prospect_message";
/// Version of `compliance_verification`.
const SCHEMA_VERSION: &str = "1.0";
/// The scope of a look into the ledger.
const SCOPE: &str = "project_environment";

/// The result.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ProspectMessageResult {
    /// Always `prospect_message`.
    #[schema(pattern = "^prospect_message$")]
    pub operation: &'static str,
    /// What became of the request.
    #[schema(inline)]
    pub status: MessageStatus,
    /// Every cause of the status; empty where there is a draft.
    pub reasons: Vec<MessageReason>,
    /// The template.
    #[schema(value_type = String, pattern = "^mtr_[0-9a-hjkmnp-tv-z]{26}$")]
    pub revision_id: MessageTemplateRevisionId,
    /// Identifies what the template says.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub template_hash: Digest,
    /// Identifies the message with all that its approval rests on; for `DRAFT_READY` alone.
    #[schema(value_type = Option<String>, required, pattern = "^sha256:[0-9a-f]{64}$")]
    pub approval_hash: Option<Digest>,
    /// Whom the message is for.
    #[schema(value_type = String, pattern = "^prs_[0-9a-hjkmnp-tv-z]{26}$")]
    pub prospect_id: ProspectId,
    /// As in the request.
    #[schema(required)]
    pub external_ref: Option<String>,
    /// One line; null where nothing was drafted.
    #[schema(required)]
    pub subject: Option<String>,
    /// Plain text that ends with the notice on how to object; null where nothing was drafted.
    #[schema(required)]
    pub body: Option<String>,
    /// The same as HTML; null where nothing was drafted.
    #[schema(required)]
    pub html: Option<String>,
    /// Identifies subject, body and HTML; null where nothing was drafted.
    #[schema(value_type = Option<String>, required, pattern = "^sha256:[0-9a-f]{64}$")]
    pub message_hash: Option<Digest>,
    /// When the prospect was erased; only then is it there. Null since then are `external_ref`, `subject`, `body`, `html`,
    /// `message_hash`, `approval_hash` and the `content_digest` of the address's provenance; empty are the anchors and, of
    /// each content check, `spans` and `found`. The job's `input` lost `external_ref` and `next_step.url`, and
    /// `next_step.ask` is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime)]
    pub erased_at: Option<Timestamp>,
    /// Everything that the verdict rests on.
    pub compliance_verification: ComplianceVerification,
    /// Nothing is ever enqueued.
    #[schema(inline)]
    pub messages_enqueued: Zero,
    /// Nothing is ever sent.
    #[schema(inline)]
    pub messages_sent: Zero,
}

/// A finished text. Identified by its [`message_hash`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageText {
    pub subject: String,
    pub body: String,
    pub html: String,
}

/// A text with what was found in it.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedText {
    /// The text; of a preview with its mark.
    pub text: MessageText,
    /// All ten.
    pub checks: Vec<ContentCheck>,
    /// What the parts of the body rest on.
    pub anchors: Vec<Anchor>,
}

/// The hash of a text.
///
/// # Errors
/// Never for texts; serializing to JSON can fail in general.
pub fn message_hash(text: &MessageText) -> Result<Digest, NotCanonical> {
    canonical_digest(text).map_err(|e| NotCanonical::new("message", &e))
}

/// The hash of the UTF-8 text of a notice.
#[must_use]
pub fn notice_hash(notice: &str) -> Digest {
    Digest::of(notice.as_bytes())
}

/// All checks of a text that does not exist.
#[must_use]
pub fn skipped_checks() -> Vec<ContentCheck> {
    let skipped = |check| ContentCheck {
        check,
        outcome: CheckOutcome::Skipped,
        observed: None,
        limit: None,
        spans: Vec::new(),
        found: Vec::new(),
        pointers: Vec::new(),
        message: None,
        mend: None,
    };
    CheckKey::ALL.into_iter().map(skipped).collect()
}

/// The result under these facts. `checked` is the text, if one was made; whether it is shown is decided here.
///
/// # Errors
/// Never for facts that were read from JSON.
pub fn result(
    facts: &Facts<'_>,
    causes: &Causes<'_>,
    values: &Values,
    checked: Option<CheckedText>,
) -> Result<ProspectMessageResult, NotCanonical> {
    let checks = match &checked {
        Some(checked) => checked.checks.clone(),
        None => skipped_checks(),
    };
    let causes = Causes {
        checks: &checks,
        ..*causes
    };
    let status = status(&causes);
    let mut verification = verification(facts, causes.gates, status, values);
    verification.content_checks = checks.clone();
    for check in &mut verification.content_checks {
        let failed = check.outcome == CheckOutcome::Failed;
        check.message = failed.then(|| check.check.advice().to_owned());
    }
    if status == MessageStatus::NeedsInput
        && let Some(checked) = &checked
    {
        tell_words(&mut verification.content_checks, &checked.text.body);
    }
    let drafted = checked.filter(|_| status.is_drafted());
    let (text, anchors) = drafted
        .map(|drafted| (drafted.text, drafted.anchors))
        .unzip();
    let message_hash = text.as_ref().map(message_hash).transpose()?;
    if let Some(notice) = &mut verification.opt_out {
        let passed = |check: &ContentCheck| {
            check.check == CheckKey::OptOutFinal && check.outcome == CheckOutcome::Passed
        };
        notice.r#final = text.is_some() && verification.content_checks.iter().any(passed);
    }
    if text.is_none() {
        // Places in a body that nobody sees.
        (verification.content_checks.iter_mut()).for_each(|check| check.spans.clear());
    }
    if status == MessageStatus::Blocked {
        for check in &mut verification.content_checks {
            check.found.clear();
            check.pointers.clear();
        }
    }
    verification.anchors = anchors.unwrap_or_default();
    let approval_hash = match (status, message_hash) {
        (MessageStatus::DraftReady, Some(message)) => {
            verification.recommended_headers = recommended_lines(&facts.request.reply.email);
            Some(approval_hash(facts, message)?)
        }
        _ => None,
    };
    let (subject, body, html) = text.map_or((None, None, None), |text| {
        (Some(text.subject), Some(text.body), Some(text.html))
    });
    Ok(ProspectMessageResult {
        operation: PROSPECT_MESSAGE,
        status,
        reasons: reasons(&causes),
        revision_id: facts.revision.id,
        template_hash: facts.revision.template_hash,
        approval_hash,
        prospect_id: facts.request.prospect_id,
        external_ref: facts.request.external_ref.clone(),
        subject,
        body,
        html,
        message_hash,
        erased_at: None,
        compliance_verification: verification,
        messages_enqueued: Zero,
        messages_sent: Zero,
    })
}

/// The prospect that a result of a job wrote to. `None` for results of other operations.
#[must_use]
pub fn addressee(result: &Value) -> Option<ProspectId> {
    if result.get("operation")?.as_str()? != PROSPECT_MESSAGE {
        return None;
    }
    result.get("prospect_id")?.as_str()?.parse().ok()
}

/// What a stored result with a text says that can close before the job ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftTerms {
    /// Whether somebody may send it; a preview is never sent.
    pub is_for_sending: bool,
    /// The policy under which it may be sent.
    pub policy: PolicyReference,
    /// Identifies the policy with the component that answered for it.
    pub policy_hash: Option<Digest>,
}

/// A result that has words for somebody, and does not say on which terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the result has words of a message and no readable terms")]
pub struct UnreadableTerms;

/// The terms of a draft, a preview, or a report that quotes words of a draft that failed. `None` for a result without
/// any.
///
/// # Errors
/// DANGER: a text whose terms nobody can read must not be stored.
pub fn draft_terms(result: &Value) -> Result<Option<DraftTerms>, UnreadableTerms> {
    if addressee(result).is_none() {
        return Ok(None);
    }
    let report = result.get("compliance_verification");
    let checks = report.and_then(|report| report.get("content_checks"));
    let mut checks = checks.and_then(Value::as_array).into_iter().flatten();
    let quotes = |check: &Value| {
        let found = check.get("found").and_then(Value::as_array);
        found.is_some_and(|words| !words.is_empty())
    };
    let has_text = result.get("body").is_some_and(|body| !body.is_null());
    if !has_text && !checks.any(quotes) {
        return Ok(None);
    }
    terms(result).map(Some).ok_or(UnreadableTerms)
}

fn terms(result: &Value) -> Option<DraftTerms> {
    let policy = result.get("compliance_verification")?.get("policy")?;
    let said = |member| policy.get(member).and_then(Value::as_str);
    Some(DraftTerms {
        is_for_sending: MessageStatus::deserialize(result.get("status")?).ok()?
            == MessageStatus::DraftReady,
        policy: PolicyReference {
            policy_ref: said("policy_ref")?.to_owned(),
            policy_version: said("policy_version")?.to_owned(),
        },
        policy_hash: said("policy_hash").and_then(|hash| hash.parse().ok()),
    })
}

/// The prospect that a request asks to write to. `None` for requests of other operations.
#[must_use]
pub fn asked_to_write_to(input: &Value) -> Option<ProspectId> {
    addressee(input)
}

/// The request without what its caller may have said of the person: the reference, and what the person is asked to do. The
/// rest is of the sender, or names the person by ids alone.
#[must_use]
pub fn erased_request(mut input: Value) -> Value {
    if let Some(reference) = input.get_mut("external_ref") {
        *reference = Value::Null;
    }
    if let Some(step) = input.get_mut("next_step").and_then(Value::as_object_mut) {
        step.insert("ask".to_owned(), json!(""));
        step.insert("url".to_owned(), Value::Null);
    }
    input
}

/// The result without what is said to or of the person: subject, body and HTML, the places in them, and the caller's
/// reference. Their hashes go as well, and those of what a source says of the person: whoever has the template can try
/// names against them. The decision, the gates, the outcomes of the checks, and the hashes of template, policy and notice
/// stay, and nothing of them names the person.
#[must_use]
pub fn erased(mut result: Value, at: Timestamp) -> Value {
    for of_person in [
        "subject",
        "body",
        "html",
        "external_ref",
        "message_hash",
        "approval_hash",
    ] {
        result[of_person] = Value::Null;
    }
    result["erased_at"] = json!(at);
    let report = result.get_mut("compliance_verification");
    let Some(report) = report.and_then(Value::as_object_mut) else {
        return result;
    };
    report.insert("anchors".to_owned(), json!([]));
    let provenance = report.get_mut("address_provenance");
    if let Some(provenance) = provenance.and_then(Value::as_object_mut) {
        provenance.insert("content_digest".to_owned(), Value::Null);
    }
    let checks = report.get_mut("content_checks");
    for check in checks.and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(check) = check.as_object_mut() {
            check.insert("spans".to_owned(), json!([]));
            check.insert("found".to_owned(), json!([]));
        }
    }
    result
}

/// Most places of which a failed check tells the words.
pub const MAX_FOUND: usize = 5;
/// Most characters of one.
pub const FOUND_CHARS: usize = 80;

/// Adds to each failed check the words of the body that fail it, before those of subject and preview text.
fn tell_words(checks: &mut [ContentCheck], body: &str) {
    for check in checks {
        if check.outcome != CheckOutcome::Failed {
            continue;
        }
        let words = |span: &Span| -> String {
            let chars = span.end.saturating_sub(span.start).min(FOUND_CHARS);
            body.chars().skip(span.start).take(chars).collect()
        };
        let mut of_body: Vec<String> = check.spans.iter().map(words).collect();
        of_body.append(&mut check.found);
        check.found = of_body;
        check.found.truncate(MAX_FOUND);
    }
}

/// Identifies a message with everything that its approval rests on: whoever sends it can show that it is this one.
fn approval_hash(facts: &Facts<'_>, message: Digest) -> Result<Digest, NotCanonical> {
    let request = facts.request;
    let cited: Vec<_> = facts.cited().collect();
    // The request cites no consent, and what was approved may rest on one.
    let consents = facts
        .consents()
        .filter(|record| cited.iter().all(|known| known.id != record.id));
    let evidence: Vec<_> = (cited.iter().copied().chain(consents))
        .map(|record| json!({"id": record.id, "content_digest": record.content_digest}))
        .collect();
    let hashed = json!({
        "template_hash": facts.revision.template_hash,
        "policy_ref": request.policy.policy_ref,
        "policy_version": request.policy.policy_version,
        "policy_hash": policy_hash(facts),
        "evidence": evidence,
        "sender": request.sender,
        "reply": request.reply,
        "postal_identity": request.postal_identity,
        "message_hash": message,
    });
    canonical_digest(&hashed).map_err(|e| NotCanonical::new("approval", &e))
}

fn policy_hash(facts: &Facts<'_>) -> Option<Digest> {
    match facts.policy {
        PolicyStanding::Allowed { policy_hash } => Some(policy_hash),
        PolicyStanding::NotAllowed | PolicyStanding::Revoked => None,
    }
}

/// What the verdict rests on, but for the text.
fn verification(
    facts: &Facts<'_>,
    gates: &[Gate],
    status: MessageStatus,
    values: &Values,
) -> ComplianceVerification {
    let request = facts.request;
    let verdict = facts.verdict();
    let company = facts.candidate.map(|candidate| &candidate.company);
    let notice = values.notice.as_ref();
    ComplianceVerification {
        schema_version: SCHEMA_VERSION.to_owned(),
        evaluated_at: facts.now,
        environment: facts.environment,
        outcome: status.outcome(),
        policy: PolicyReport {
            policy_ref: request.policy.policy_ref.clone(),
            policy_version: request.policy.policy_version.clone(),
            allow_listed: policy_hash(facts).is_some(),
            policy_hash: policy_hash(facts).filter(|_| facts.loaded.is_some()),
            evaluator: facts.loaded.map(|loaded| loaded.evaluator.clone()),
        },
        jurisdiction: JurisdictionReport {
            recipient_country: company.and_then(|company| company.country.clone()),
            basis_rule: verdict.and_then(|verdict| verdict.basis_rule.clone()),
            opt_in_required: verdict.and_then(|verdict| verdict.opt_in_required),
        },
        basis: basis(facts),
        address_provenance: address_provenance(facts),
        suppression: SuppressionReport {
            checked: facts.ledger.is_some(),
            scope: SCOPE.to_owned(),
            ledger_sequence: facts.ledger.and_then(|ledger| ledger.sequence),
            matched: facts.ledger.is_some_and(|ledger| ledger.matched),
            r#match: facts.ledger.and_then(|ledger| ledger.r#match),
        },
        gates: gates.to_vec(),
        content_checks: Vec::new(),
        opt_out: notice.map(|notice| OptOutReport {
            notice_id: notice.notice_id.clone(),
            language: notice.language.clone(),
            notice_hash: notice_hash(&notice.text),
            r#final: false,
        }),
        anchors: Vec::new(),
        recommended_headers: Vec::new(),
    }
}

fn basis(facts: &Facts<'_>) -> Option<BasisReport> {
    let record = facts.record(facts.request.evidence.basis_evidence_id)?;
    let verified = is_of_a_ground(record.kind);
    let accepted = facts.verdict().map(|verdict| verdict.lawful_basis);
    Some(BasisReport {
        evidence_id: Some(record.id),
        verified,
        // Of what no evidence bears out, nobody's word counts.
        lawful_basis: accepted.unwrap_or(record.lawful_basis).filter(|_| verified),
    })
}

fn address_provenance(facts: &Facts<'_>) -> AddressProvenanceReport {
    let cited = facts.request.evidence.address_provenance_id;
    let record = facts.record(cited);
    let of_the_address =
        (facts.candidate).is_some_and(|candidate| candidate.address.address_evidence_id == cited);
    let is_provenance = record.is_some_and(|record| record.kind == EvidenceKind::AddressProvenance);
    AddressProvenanceReport {
        evidence_id: record.map(|record| record.id),
        verified: is_provenance && of_the_address,
        address_source_class: record
            .and_then(|record| record.address_source_class)
            .unwrap_or(AddressSourceClass::Unknown),
        retrieved_at: record.map(|record| record.retrieved_at),
        content_digest: record.map(|record| record.content_digest),
    }
}

/// Hints for whoever sends the message (RFC 2369, section 3.2). One-click unsubscribing needs an address that the
/// platform does not have.
fn recommended_lines(reply: &str) -> Vec<RecommendedLine> {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"@.-_".contains(&b);
    if !reply.bytes().all(is_plain) {
        return Vec::new();
    }
    vec![RecommendedLine {
        name: "List-Unsubscribe".to_owned(),
        value: format!("<mailto:{reply}?subject=unsubscribe>"),
    }]
}
