//! What a result shows, and what it hides.

use std::collections::BTreeSet;

use gtm_domain::message::compliance::{
    Anchor, AnchorKind, CheckKey, CheckOutcome, ComplianceOutcome, Span,
};
use gtm_domain::message::decision::{Causes, MessageStatus, blocks};
use gtm_domain::message::gates::{PolicyStanding, evaluate};
use gtm_domain::message::prospect_message::MessagePurpose;
use gtm_domain::message::prospect_message_result::{
    CheckedText, MessageText, ProspectMessageResult, addressee, asked_to_write_to, erased,
    erased_request, message_hash, notice_hash, result, skipped_checks,
};
use gtm_domain::message::values::values;
use gtm_domain::outcome_ledger::SubjectType;
use serde_json::{Map, Value, json};
use utoipa::PartialSchema as _;

use super::world::{NOTICE, World};

/// A text in which these checks fail.
fn checked(failing: &[CheckKey]) -> CheckedText {
    let mut checks = skipped_checks();
    for check in &mut checks {
        check.outcome = match failing.contains(&check.check) {
            true => CheckOutcome::Failed,
            false => CheckOutcome::Passed,
        };
        check.spans = vec![Span { start: 0, end: 5 }];
    }
    CheckedText {
        text: MessageText {
            subject: "Metering at Acme Estates".into(),
            body: format!("Hello,\r\n\r\n{NOTICE}"),
            html: "<p>Hello,</p>".into(),
        },
        checks,
        anchors: vec![Anchor {
            start: 0,
            end: 5,
            kind: AnchorKind::ApprovedValue,
            reference: "recipient.first_name".into(),
        }],
    }
}

fn of(world: &World, checked: Option<CheckedText>) -> ProspectMessageResult {
    let facts = world.facts();
    let (gates, values) = (evaluate(&facts), values(&facts));
    let causes = Causes {
        purpose: world.request.purpose,
        blocks: &blocks(&facts),
        gates: &gates,
        unfilled: &values.unfilled,
        checks: &[],
    };
    result(&facts, &causes, &values, checked).unwrap()
}

fn codes(result: &ProspectMessageResult) -> Vec<&str> {
    result.reasons.iter().map(|it| it.code.as_str()).collect()
}

#[test]
fn a_draft_has_all_its_hashes() {
    let world = World::sound();
    let result = of(&world, Some(checked(&[])));
    assert_eq!(result.status, MessageStatus::DraftReady);
    let text = checked(&[]).text;
    assert_eq!(result.message_hash, Some(message_hash(&text).unwrap()));
    assert!(result.approval_hash.is_some());
    let report = &result.compliance_verification;
    assert_eq!(report.outcome, ComplianceOutcome::Passed);
    let notice = report.opt_out.as_ref().unwrap();
    assert!(notice.r#final);
    assert_eq!(notice.notice_hash, notice_hash(NOTICE));
    assert_eq!(report.suppression.ledger_sequence, Some(48_211));
    assert_eq!(
        report.recommended_headers[0].value,
        "<mailto:ada@northwind-metering.example?subject=unsubscribe>"
    );
    let value = serde_json::to_value(&result).unwrap();
    assert_eq!(value["messages_sent"], 0);
    assert_eq!(value["operation"], "prospect_message");
    assert_eq!(value["status"], "DRAFT_READY");
}

#[test]
fn an_erasure_leaves_the_decision_and_takes_the_text() {
    let world = World::sound();
    let whole = serde_json::to_value(of(&world, Some(checked(&[])))).unwrap();
    assert!(whole.get("erased_at").is_none());
    assert_eq!(addressee(&whole), Some(world.request.prospect_id));
    let bare = erased(whole.clone(), "2026-03-05T00:00:00Z".parse().unwrap());
    for text in ["subject", "body", "html", "message_hash", "approval_hash"] {
        assert!(!whole[text].is_null() && bare[text].is_null(), "{text}");
    }
    assert!(bare["external_ref"].is_null());
    assert_eq!(bare["erased_at"], "2026-03-05T00:00:00.000Z");
    for kept in ["status", "reasons", "template_hash", "prospect_id"] {
        assert_eq!(bare[kept], whole[kept], "{kept}");
    }
    let (before, after) = (
        &whole["compliance_verification"],
        &bare["compliance_verification"],
    );
    assert_eq!(before["gates"], after["gates"]);
    assert_eq!(before["opt_out"], after["opt_out"]);
    let source =
        |report: &serde_json::Value| report["address_provenance"]["content_digest"].clone();
    assert!(!source(before).is_null() && source(after).is_null());
    assert_eq!(after["anchors"], serde_json::json!([]));
    let checks = |report: &serde_json::Value| report["content_checks"].as_array().unwrap().clone();
    for (before, after) in checks(before).iter().zip(&checks(after)) {
        assert_eq!(before["outcome"], after["outcome"]);
        assert_eq!(after["spans"], serde_json::json!([]));
    }
    let request = serde_json::to_value(&world.request).unwrap();
    assert_eq!(asked_to_write_to(&request), Some(world.request.prospect_id));
    let mut left = world.request.clone();
    (left.external_ref, left.next_step.url) = (None, None);
    left.next_step.ask.clear();
    // It is still a request.
    assert_eq!(
        erased_request(request),
        serde_json::to_value(&left).unwrap()
    );
    // Another operation has no addressee.
    let other = serde_json::json!({"operation": "generate", "prospect_id": whole["prospect_id"]});
    assert_eq!(addressee(&other), None);
}

/// Names of the members in which two values differ.
fn differing(name: &str, one: &Value, other: &Value, found: &mut BTreeSet<String>) {
    match (one, other) {
        (Value::Object(ones), Value::Object(others)) => {
            for name in ones.keys().chain(others.keys()) {
                let of = |object: &Map<String, Value>| object.get(name).cloned();
                let (one, other) = (of(ones), of(others));
                differing(name, &one.into(), &other.into(), found);
            }
        }
        (Value::Array(ones), Value::Array(others)) if ones.len() == others.len() => {
            for (one, other) in ones.iter().zip(others) {
                differing(name, one, other, found);
            }
        }
        _ if one != other => {
            found.insert(name.to_owned());
        }
        _ => {}
    }
}

#[test]
fn the_description_of_an_erasure_names_all_that_goes() {
    let schema = serde_json::to_value(ProspectMessageResult::schema()).unwrap();
    let told = schema["properties"]["erased_at"]["description"]
        .as_str()
        .unwrap();
    let world = World::sound();
    let mut whole = serde_json::to_value(of(&world, Some(checked(&[])))).unwrap();
    let checks = &mut whole["compliance_verification"]["content_checks"];
    checks[0]["found"] = json!(["Hello"]);
    let bare = erased(whole.clone(), "2026-03-05T00:00:00Z".parse().unwrap());
    let request = serde_json::to_value(&world.request).unwrap();
    let mut names = BTreeSet::new();
    differing("result", &whole, &bare, &mut names);
    let left = erased_request(request.clone());
    differing("input", &request, &left, &mut names);
    assert!(names.remove("erased_at") && names.len() >= 12, "{names:?}");
    for name in names {
        assert!(told.contains(&name), "{name} is not in: {told}");
    }
}

#[test]
fn the_approval_changes_with_whatever_it_rests_on() {
    let first = of(&World::sound(), Some(checked(&[]))).approval_hash;
    let changes: [fn(&mut World); 5] = [
        |w| w.request.sender.email = "bo@northwind-metering.example".into(),
        |w| w.request.reply.email = "bo@northwind-metering.example".into(),
        |w| w.request.policy.policy_version = "2026-02".into(),
        |w| w.record(4).content_digest = gtm_domain::Digest::of(b"other bytes"),
        |w| {
            w.policy = PolicyStanding::Allowed {
                policy_hash: gtm_domain::Digest::of(b"other component"),
            };
        },
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let mut world = World::sound();
        change(&mut world);
        assert_ne!(
            of(&world, Some(checked(&[]))).approval_hash,
            first,
            "{index}"
        );
    }
    let mut world = World::sound();
    world.request.external_ref = None;
    assert_eq!(of(&world, Some(checked(&[]))).approval_hash, first);
}

#[test]
fn a_failed_check_hides_the_text_and_each_is_told() {
    for check in CheckKey::ALL {
        let mut text = checked(&[check]);
        let failed = text.checks.iter_mut().find(|it| it.check == check).unwrap();
        failed.pointers = vec!["/blocks/3".into(), "/subject".into()];
        failed.found = vec!["in the subject".into()];
        failed.mend = Some("/next_step/ask");
        let result = of(&World::sound(), Some(text));
        let reason = &result.reasons[0];
        assert_eq!(reason.pointer.as_deref(), Some("/next_step/ask"));
        assert!(
            reason
                .message
                .contains("at /blocks/3, /subject of the template")
                && reason.message.ends_with(check.advice()),
            "{}",
            reason.message
        );
        let told = &result.compliance_verification.content_checks;
        let told = told.iter().find(|it| it.check == check).unwrap();
        assert_eq!(told.found, ["Hello", "in the subject"]);
        assert_eq!(told.message.as_deref(), Some(check.advice()));
        assert_eq!(result.status, MessageStatus::NeedsInput);
        assert_eq!(codes(&result), [format!("check:{}", check.as_str())]);
        assert_eq!(
            (result.subject, result.body, result.html),
            (None, None, None)
        );
        assert_eq!((result.message_hash, result.approval_hash), (None, None));
        let report = result.compliance_verification;
        assert!(report.anchors.is_empty() && report.recommended_headers.is_empty());
        assert!(report.content_checks.iter().all(|it| it.spans.is_empty()));
        assert!(!report.opt_out.unwrap().r#final);
    }
}

#[test]
fn a_preview_reports_its_checks_and_has_no_approval() {
    let mut world = World::sound();
    world.request.purpose = MessagePurpose::Demonstration;
    world.candidate().synthetic = true;
    let mut marked = checked(&[CheckKey::WordLimit]);
    marked.text = MessageText {
        subject: format!("[Demonstration] {}", marked.text.subject),
        body: format!("[Demonstration]\r\n\r\n{}", marked.text.body),
        ..marked.text
    };
    let result = of(&world, Some(marked));
    assert_eq!(result.status, MessageStatus::DemonstrationOnly);
    assert_eq!(
        result.subject.as_deref(),
        Some("[Demonstration] Metering at Acme Estates")
    );
    let body = result.body.unwrap();
    assert!(body.starts_with("[Demonstration]\r\n\r\nHello,") && body.ends_with(NOTICE));
    assert!(result.message_hash.is_some());
    assert_eq!(result.approval_hash, None);
    let report = result.compliance_verification;
    assert_eq!(report.anchors.len(), 1);
    let check = &report.content_checks[4];
    assert_eq!(check.outcome, CheckOutcome::Failed);
    assert_eq!(check.spans, [Span { start: 0, end: 5 }]);
}

#[test]
fn whoever_objected_is_not_shown_a_text_even_if_there_is_one() {
    for purpose in [MessagePurpose::RealRecipient, MessagePurpose::Demonstration] {
        let mut world = World::sound();
        world.request.purpose = purpose;
        let ledger = world.ledger.as_mut().unwrap();
        ledger.matched = true;
        ledger.r#match = Some(SubjectType::Person);
        let result = of(&world, Some(checked(&[])));
        assert_eq!(result.status, MessageStatus::Blocked);
        assert_eq!(codes(&result), ["suppression_match"]);
        assert_eq!((result.body, result.message_hash), (None, None));
        let report = result.compliance_verification;
        assert_eq!(report.outcome, ComplianceOutcome::Blocked);
        assert_eq!(report.suppression.r#match, Some(SubjectType::Person));
        assert_eq!(report.gates.len(), 14);
    }
}

#[test]
fn a_ground_without_evidence_is_not_reported() {
    let mut world = World::sound();
    world.request.evidence.basis_evidence_id = super::world::evidence_id(3);
    let basis = of(&world, None).compliance_verification.basis.unwrap();
    assert!(!basis.verified);
    assert_eq!(basis.lawful_basis, None);
}

#[test]
fn what_was_not_loaded_is_null() {
    let mut world = World::sound();
    world.policy = PolicyStanding::NotAllowed;
    world.loaded = None;
    let real = of(&world, None).compliance_verification;
    assert_eq!(real.policy.policy_hash, None);
    assert_eq!(real.policy.evaluator, None);
    assert!(!real.policy.allow_listed);
    assert_eq!(real.opt_out, None);
    assert!(
        real.content_checks
            .iter()
            .all(|it| it.outcome == CheckOutcome::Skipped)
    );
    world.request.purpose = MessagePurpose::Demonstration;
    let preview = of(&world, Some(checked(&[])));
    assert_eq!(preview.status, MessageStatus::DemonstrationOnly);
    let notice = preview.compliance_verification.opt_out.unwrap();
    assert_eq!(notice.notice_id, "host-demonstration-en");
    world.request.evidence.basis_evidence_id = super::world::evidence_id(9);
    world.request.evidence.address_provenance_id = super::world::evidence_id(9);
    let foreign = of(&world, None).compliance_verification;
    assert_eq!(foreign.basis, None);
    assert_eq!(foreign.address_provenance.evidence_id, None);
    assert!(!foreign.address_provenance.verified);
}
