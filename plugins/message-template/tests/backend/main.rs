//! Runs the whole backend on the SDK's fake host; each test scripts the model's answer.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod prompts;

use std::path::Path;

use gtm_domain::message::{BlockKind, Placeholder};
use gtm_message_template::MessageTemplate;
use gtm_sdk::testing::{Host, Run};
use gtm_sdk::{Failure, FailureKind, GenerationBackend, Value, json::json};

/// The host's own list.
fn placeholders() -> Vec<Value> {
    Placeholder::ALL
        .iter()
        .map(|it| {
            json!({
                "name": it.name(), "type": it.kind(), "max_length": it.max_chars(), "required": it.is_required(),
                "source": it.source(), "usual_words": 2.5, "usual_chars": 27,
            })
        })
        .collect()
}

fn input() -> Value {
    json!({
        "input": {
            "operation": "generate", "template_key": "handover", "name": "Handover", "language": "en-GB",
            "audience": "Heads of operations at build-to-rent landlords",
            "objective": "Start a conversation about metering at handover", "offer_summary": null,
            "offer_id": "offr_01jz8r0a1b2c3d4e5f6g7h8j9k",
            "desired_next_step": "Ask whether metering for the next block is already contracted.",
            "options": {"tone": "direct", "locale": "en-GB", "max_words": 110, "max_links": 1,
                "forbidden_claims": ["guaranteed savings"]},
            "reason": null,
        },
        "offer": {
            "name": "Handover-ready sub-metering", "summary": "Meters installed before handover.", "url": null, "facts": [],
            "value_propositions": [{"key": "a", "text": "One bill per flat from day one."}],
            "proof_points": [{"key": "b", "text": "18,000 flats billed monthly", "numeric_values": ["18,000"], "source_url": null}],
            "pricing": null,
            "icp": {"segments": ["build-to-rent"], "roles": [], "countries": [], "employee_ranges": [], "exclusions": []},
            "stage_fit": [], "allowed_link_hosts": [], "forbidden_claims": ["market leader"],
        },
        "placeholders": placeholders(),
        "limits": {
            "max_blocks": 14, "subject_chars": 50, "text_chars": 600, "block_words": 45, "sentence_words": 20,
            "reading_grade": 9, "threshold": 80, "judged_floor": 8,
            "dimensions": [{"key": "cta", "points": 10, "floor": 6, "checks": [
                {"key": "cta.single_ask", "points": 6, "judged": false},
                {"key": "cta.desired_next_step", "points": 4, "judged": false},
            ]}],
        },
        "attempt": 1, "previous": null, "faults": [], "now": "2026-11-28T00:00:00.000Z",
    })
}

fn good() -> Value {
    let block = |kind: &str, text: &str, fallback: &str| json!({"kind": kind, "text": text, "optional": false, "fallback": fallback});
    json!({
        "subject": "Metering at {{company.name}}", "preview_text": "",
        "blocks": [
            block("greeting", "Hello {{ recipient.first_name }},", "Hello,"),
            block("evidence_hook", "{{evidence.hook}}", ""),
            block("value", "{{offer.value_proposition}}", ""),
            block("proof", "For example: {{offer.proof_point}}.", ""),
            block("cta", "{{next_step.ask}}", ""),
            block("sign_off", "Kind regards", ""),
        ],
    })
}

fn usage() -> Value {
    json!({"input_tokens": 900, "cached_input_tokens": 0, "cache_write_tokens": 0, "output_tokens": 200,
        "reasoning_tokens": 0, "total_tokens": 1100})
}

/// What `model.complete` answers.
fn answered(json: Value, content: Option<&str>, reason: &str) -> Value {
    json!({"receipt_id": "rcpt_1", "model": "m", "content": content, "json": json, "finish_reason": reason, "repairs": 0,
        "usage": usage()})
}

fn run_with(
    input: Value,
    settings: Value,
    model: impl Fn(&Value) -> Result<Value, Failure> + 'static,
) -> Run<Result<Value, Failure>> {
    Host::new()
        .settings(settings)
        .now_ms(1_795_219_200_000)
        .capability("model.complete", move |input| model(input))
        .run(|| MessageTemplate::generate("message_templates", input))
}

fn run(input: Value, answer: Value) -> Run<Result<Value, Failure>> {
    run_with(input, json!({}), move |_| Ok(answer.clone()))
}

fn draft(answer: Value) -> Value {
    let output = run(input(), answered(answer, None, "stop")).output.unwrap();
    assert_valid("../../wit/results/message-draft.schema.json", &output);
    output["draft"].clone()
}

fn prompt(run: &Run<Result<Value, Failure>>) -> (String, String) {
    let message = |index: usize| {
        let text = &run.calls[0].input["messages"][index]["content"];
        text.as_str().unwrap().to_owned()
    };
    (message(0), message(1))
}

fn file(path: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap().parse().unwrap()
}

fn assert_valid(schema: &str, value: &Value) {
    assert_fits(&file(schema), value);
}

fn assert_fits(schema: &Value, value: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn a_good_answer_becomes_a_draft_with_the_fixed_blocks_last() {
    let draft = draft(good());
    assert_eq!(draft["subject"], "Metering at {{company.name}}");
    assert_eq!(draft["preview_text"], Value::Null);
    let blocks = draft["blocks"].as_array().unwrap();
    let of =
        |member: &str| -> Vec<Value> { blocks.iter().map(|block| block[member].clone()).collect() };
    assert_eq!(
        of("kind"),
        [
            "greeting",
            "evidence_hook",
            "value",
            "proof",
            "cta",
            "sign_off",
            "signature",
            "postal_identity",
            "privacy_notice",
            "opt_out",
        ]
    );
    assert_eq!(
        of("text")[6..],
        [
            "{{sender.full_name}}, {{sender.role}}, {{sender.organization}}",
            "{{compliance.postal_identity}}",
            "{{compliance.privacy_notice}}",
            "{{compliance.opt_out}}",
        ]
    );
    // Spelling is mended; a proof may go, a greeting has its fallback, and so does the notice that not all want.
    assert_eq!(of("text")[0], "Hello {{recipient.first_name}},");
    assert_eq!(
        of("optional"),
        [
            false, false, false, true, false, false, false, false, true, false
        ]
    );
    assert_eq!(of("fallback")[0], "Hello,");
    for kind in of("kind") {
        assert!(BlockKind::ALL.iter().any(|known| known.as_str() == kind));
    }
}

#[test]
fn one_call_is_made_and_fits_its_contract() {
    let run = run(input(), answered(good(), None, "stop"));
    assert_eq!(run.calls.len(), 1);
    assert_eq!(run.calls[0].capability, "model.complete");
    assert_valid(
        "../../wit/capabilities/model.complete.input.schema.json",
        &run.calls[0].input,
    );
    let manifest = file("manifest.json");
    assert_fits(&manifest["operations"][0]["input_schema"], &input());
    let form = &run.calls[0].input["response_schema"];
    assert_fits(form, &good());
    let bounds = [
        "maxLength",
        "maxItems",
        "minItems",
        "pattern",
        "oneOf",
        "anyOf",
    ];
    for bound in bounds {
        assert!(
            !form.to_string().contains(bound),
            "strict modes don't know {bound}"
        );
    }
}

#[test]
fn a_broken_answer_is_read_as_far_as_it_goes() {
    let text = "```json\n{\"subject\": \"Metering\", \"preview_text\": \"\", \"blocks\": [{\"kind\": \"value\", \"text\": \"{{offer.value_proposition}}\", \"optional\": false, \"fallback\": \"\"}, {\"kind\": \"cta\", \"text\": \"{{next_st";
    let output = run(input(), answered(Value::Null, Some(text), "length"))
        .output
        .unwrap();
    let blocks = output["draft"]["blocks"].as_array().unwrap();
    // The cut block is the host's to refuse.
    assert_eq!(blocks[0]["text"], "{{offer.value_proposition}}");
    assert_eq!(output["draft"]["subject"], "Metering");
    for (content, reason) in [
        (Some("Sure! Here is your e-mail: Hello"), "stop"),
        (Some("{\"answer\": 42}"), "stop"),
        (None, "other"),
    ] {
        let failure = run(input(), answered(Value::Null, content, reason))
            .output
            .unwrap_err();
        assert!(
            failure.is(FailureKind::Upstream, "backend_invalid_response"),
            "{failure:?}"
        );
    }
}

#[test]
fn an_unlisted_placeholder_goes_to_the_host_which_refuses_it() {
    let mut answer = good();
    answer["blocks"][2]["text"] = json!("{{recipient.email}} {{name}} {{first_name}}");
    let draft = draft(answer);
    assert_eq!(
        draft["blocks"][2]["text"],
        "{{recipient.email}} {{name}} {{recipient.first_name}}"
    );
}

#[test]
fn a_refusal_and_a_failed_call_end_the_round_with_their_codes() {
    let refused = run(input(), answered(Value::Null, None, "refusal"))
        .output
        .unwrap_err();
    assert!(
        refused.is(FailureKind::Upstream, "backend_refused"),
        "{refused:?}"
    );
    for (failure, code) in [
        (Failure::timeout("timeout", "Late."), "backend_timeout"),
        (
            Failure::quota("budget_exceeded", "Spent."),
            "budget_exceeded",
        ),
        (
            Failure::unauthorized("http_401", "No."),
            "connector_credentials_rejected",
        ),
        (Failure::canceled("canceled", "Stop."), "canceled"),
    ] {
        let ended = run_with(input(), json!({}), move |_| Err(failure.clone()))
            .output
            .unwrap_err();
        assert_eq!(ended.code, code);
    }
}

#[test]
fn an_answer_without_end_stays_within_the_schema() {
    let mut answer = good();
    let long = format!("{} {{{{ company.name }}}}", "word ".repeat(20_000));
    answer["subject"] = json!(long);
    answer["blocks"][0]["text"] = json!(long);
    answer["blocks"][1]["kind"] = json!("hook".repeat(100));
    let many: Vec<Value> = (0..500).map(|_| answer["blocks"][2].clone()).collect();
    answer["blocks"].as_array_mut().unwrap().extend(many);
    let draft = draft(answer);
    assert_eq!(draft["blocks"].as_array().unwrap().len(), 40);
    assert_eq!(draft["blocks"][39]["kind"], "opt_out");
    assert_eq!(
        draft["subject"].as_str().unwrap().len(),
        4_000,
        "still far over what the host allows"
    );
}

#[test]
fn what_the_model_must_not_write_is_not_taken_from_it() {
    let mut answer = good();
    let forged =
        json!({"kind": "opt_out", "text": "You can't opt out.", "optional": true, "fallback": ""});
    answer["blocks"].as_array_mut().unwrap().insert(0, forged);
    let draft = draft(json!({ "draft": answer }));
    let blocks = draft["blocks"].as_array().unwrap();
    assert_eq!(blocks[0]["kind"], "greeting");
    let opt_outs: Vec<&Value> = blocks
        .iter()
        .filter(|block| block["kind"] == "opt_out")
        .collect();
    assert_eq!(opt_outs.len(), 1);
    assert_eq!(opt_outs[0]["text"], "{{compliance.opt_out}}");
}

#[test]
fn what_is_missing_is_asked_for_without_a_call() {
    let mut bare = input();
    bare["offer"] = Value::Null;
    for member in [
        "audience",
        "objective",
        "offer_summary",
        "desired_next_step",
    ] {
        bare["input"][member] = json!(" \n-");
    }
    let run = run(bare, answered(good(), None, "stop"));
    assert_eq!(run.calls.len(), 0);
    let output = run.output.unwrap();
    assert_valid("../../wit/results/message-draft.schema.json", &output);
    let asked: Vec<(&str, &str)> = output["needs_input"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            (
                it["code"].as_str().unwrap(),
                it["pointer"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        asked,
        [
            ("audience_missing", "/audience"),
            ("objective_missing", "/objective"),
            ("offer_missing", "/offer_summary"),
            ("desired_next_step_missing", "/desired_next_step"),
        ]
    );
}

#[test]
fn without_a_model_or_for_another_task_nothing_is_written() {
    let unbound = Host::new().run(|| MessageTemplate::generate("message_templates", input()));
    assert!(
        unbound
            .output
            .unwrap_err()
            .is(FailureKind::Denied, "connector_not_configured")
    );
    let other = Host::new().run(|| MessageTemplate::generate("playbooks", input()));
    assert!(
        other
            .output
            .unwrap_err()
            .is(FailureKind::InvalidInput, "invalid_request")
    );
    let odd = run(json!({"input": 1}), answered(good(), None, "stop"));
    assert!(
        odd.output
            .unwrap_err()
            .is(FailureKind::InvalidInput, "invalid_request")
    );
    let canceled = Host::new()
        .canceled()
        .capability("model.complete", |_| panic!("nothing is called"))
        .run(|| MessageTemplate::generate("message_templates", input()));
    assert!(
        canceled
            .output
            .unwrap_err()
            .is(FailureKind::Canceled, "canceled")
    );
    let misspelt = run_with(input(), json!({"atempts": 2}), |_| {
        Ok(answered(good(), None, "stop"))
    });
    assert_eq!(misspelt.output.unwrap_err().code, "backend_error");
}
