//! Checks the connector against its cassettes and its contract.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_openai_compatible::OpenAiCompatible;
use gtm_sdk::testing::{ConnectorFiles, Host, Run};
use gtm_sdk::{Connector, Failure, FailureKind, Value, json::json};

fn files() -> ConnectorFiles {
    ConnectorFiles::new(env!("CARGO_MANIFEST_DIR"))
}

fn play_with(settings: Value, cassette: &str, input: Value) -> Run<Result<Value, Failure>> {
    files().check_settings(&settings);
    files().check_input("complete", &input);
    let run = Host::new()
        .settings(settings)
        .cassette(files().cassette(cassette))
        .run(|| OpenAiCompatible::invoke("complete", input));
    if let Ok(output) = &run.output {
        files().check_output("complete", output);
        let usage = &output["usage"];
        let count = |name: &str| usage[name].as_u64().unwrap();
        let kinds = [
            "input_tokens",
            "cached_input_tokens",
            "cache_write_tokens",
            "output_tokens",
            "reasoning_tokens",
        ];
        assert_eq!(
            kinds.into_iter().map(count).sum::<u64>(),
            count("total_tokens")
        );
    }
    run
}

fn settings() -> Value {
    json!({"base_url": "https://models.example/v1/", "model": "test-model",
        "prices": {"input_per_million_usd": 0.15, "output_per_million_usd": 0.6}})
}

fn play(cassette: &str, input: Value) -> Result<Value, Failure> {
    play_with(settings(), cassette, input).output
}

fn question() -> Value {
    json!({"messages": [{"role": "user", "content": "What is it?"}]})
}

fn structured() -> Value {
    json!({"messages": [{"role": "user", "content": "Sum up."}], "response_name": "result",
        "response_schema": {"type": "object", "properties": {"summary": {"type": "string"}}, "required": ["summary"], "additionalProperties": false}})
}

#[test]
fn a_text_is_completed() {
    let input = json!({"messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "What is it?"}],
        "max_output_tokens": 200, "temperature": 0});
    let output = play("success", input).unwrap();
    assert_eq!(
        output,
        json!({"receipt_id": "rcpt_test_01", "model": "test-model-2026-08", "content": "Meters are billed per flat.", "json": null,
            "finish_reason": "stop", "repairs": 0,
            "usage": {"input_tokens": 24, "cached_input_tokens": 16, "cache_write_tokens": 0, "output_tokens": 30,
                "reasoning_tokens": 4, "total_tokens": 74}})
    );
}

#[test]
fn what_is_not_asked_for_is_not_sent() {
    let run = play_with(settings(), "cut-text", question());
    let body: Value = serde_json::from_slice(run.requests[0].body.as_ref().unwrap()).unwrap();
    let names: Vec<_> = body.as_object().unwrap().keys().collect();
    assert_eq!(names, ["model", "messages"]);
    assert_eq!(run.requests[0].timeout_ms, Some(300_000));
    assert_eq!(run.output.unwrap()["finish_reason"], "length");
}

#[test]
fn a_server_without_keys_is_asked_without_one() {
    let settings = json!({"base_url": "http://127.0.0.1:8080/v1", "model": "smollm2", "authentication": "none", "free": true, "timeout_ms": 5000});
    let run = play_with(settings, "keyless", question());
    assert_eq!(run.requests[0].credential, None);
    assert_eq!(run.requests[0].timeout_ms, Some(5000));
    assert_eq!(run.output.unwrap()["usage"]["total_tokens"], 74);
}

#[test]
fn the_bound_on_output_has_the_name_that_the_server_knows() {
    for (base_url, field, expected) in [
        ("https://api.openai.com/v1", None, "max_completion_tokens"),
        ("https://models.example/v1", None, "max_tokens"),
        (
            "https://models.example/v1",
            Some("max_completion_tokens"),
            "max_completion_tokens",
        ),
    ] {
        use gtm_sdk::testing::{Answer, Expect};
        let mut settings = json!({"base_url": base_url, "model": "m", "max_output_tokens": 9});
        if let Some(field) = field {
            settings["max_tokens_field"] = json!(field);
        }
        let mut body = json!({});
        body[expected] = json!(9);
        let run = Host::new()
            .settings(settings)
            .answer(
                Expect::post(&format!("{base_url}/chat/completions")).body(body),
                Answer::json(200, json!({"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}})),
            )
            .run(|| OpenAiCompatible::invoke("complete", question()));
        let output = run.output.unwrap();
        assert_eq!(
            (&output["model"], &output["finish_reason"]),
            (&json!("m"), &json!("other"))
        );
    }
}

#[test]
fn json_is_made_by_schema() {
    let output = play("json-schema", structured()).unwrap();
    assert_eq!(output["json"], json!({"summary": "One bill."}));
    assert_eq!(output["repairs"], 0);
    let mut weaker = settings();
    weaker["response_format"] = json!("json_object");
    let output = play_with(weaker, "json-object", structured())
        .output
        .unwrap();
    assert_eq!(output["json"], json!({"summary": "One bill."}));
}

#[test]
fn weaker_forms_are_tried_where_the_server_refuses() {
    let run = play_with(settings(), "fallback", structured());
    assert_eq!(run.requests.len(), 3);
    let last: Value = serde_json::from_slice(run.requests[2].body.as_ref().unwrap()).unwrap();
    assert_eq!(last.get("response_format"), None);
    let output = run.output.unwrap();
    assert_eq!(output["json"], json!({"summary": "One bill."}));
    assert_eq!(output["usage"]["total_tokens"], 74);
}

#[test]
fn a_wrong_answer_is_repaired_once() {
    let output = play("repair", structured()).unwrap();
    assert_eq!(output["json"], json!({"summary": "One bill."}));
    assert_eq!(
        (&output["repairs"], &output["receipt_id"]),
        (&json!(1), &json!("rcpt_test_02"))
    );
    assert_eq!(
        output["usage"],
        json!({"input_tokens": 114, "cached_input_tokens": 16, "cache_write_tokens": 0, "output_tokens": 40,
            "reasoning_tokens": 4, "total_tokens": 174})
    );
    let failure = play("repair-talks", structured()).unwrap_err();
    assert!(failure.is(FailureKind::Upstream, "invalid_model_output"));
    let detail = failure.detail.unwrap();
    assert_eq!(
        (&detail["repairs"], &detail["usage"]["total_tokens"]),
        (&json!(1), &json!(148))
    );
}

#[test]
fn what_can_be_read_of_a_wrong_answer_is_returned() {
    let output = play("repair-fails", structured()).unwrap();
    assert_eq!(
        (&output["json"], &output["content"], &output["repairs"]),
        (&Value::Null, &json!("{\"summary\":7}"), &json!(1))
    );
    assert_eq!(output["usage"]["total_tokens"], 148);
}

#[test]
fn a_repair_asks_only_for_what_does_not_fit() {
    let mut input = structured();
    input["response_schema"]["properties"]["customers"] =
        json!({"type": "array", "items": {"type": "string"}});
    input["response_schema"]["required"] = json!(["summary", "customers"]);
    let output = play("repair-part", input).unwrap();
    assert_eq!(
        (&output["json"], &output["repairs"]),
        (
            &json!({"summary": "One bill.", "customers": ["Acme"]}),
            &json!(1)
        )
    );
}

#[test]
fn an_answer_that_was_cut_is_not_repaired() {
    let run = play_with(settings(), "cut-json", structured());
    assert_eq!(run.requests.len(), 1);
    let output = run.output.unwrap();
    assert_eq!(
        (
            &output["json"],
            &output["content"],
            &output["finish_reason"]
        ),
        (
            &Value::Null,
            &json!("{\"summary\":\"One bi"),
            &json!("length")
        )
    );
}

#[test]
fn a_model_may_decline() {
    for (cassette, reason) in [("refusal", "refusal"), ("content-filter", "content_filter")] {
        let output = play(cassette, structured()).unwrap();
        assert_eq!(output["finish_reason"], reason);
        assert_eq!(
            (&output["content"], &output["json"]),
            (&Value::Null, &Value::Null)
        );
    }
    assert_eq!(
        play("empty-content", question()).unwrap()["content"],
        Value::Null
    );
    assert_eq!(
        play("content-parts", question()).unwrap()["content"],
        "Two parts"
    );
}

#[test]
fn refusals_have_their_failures() {
    for (cassette, kind, code, retry_after_ms) in [
        ("status-401", FailureKind::Unauthorized, "http_401", None),
        ("status-403", FailureKind::Unauthorized, "http_403", None),
        ("status-404", FailureKind::NotFound, "http_404", None),
        ("status-402", FailureKind::Quota, "insufficient_quota", None),
        ("status-429", FailureKind::RateLimited, "http_429", None),
        (
            "status-429-retry-after",
            FailureKind::RateLimited,
            "http_429",
            Some(3000),
        ),
        (
            "status-429-retry-after-ms",
            FailureKind::RateLimited,
            "http_429",
            Some(250),
        ),
        (
            "quota-exhausted",
            FailureKind::Quota,
            "insufficient_quota",
            None,
        ),
        (
            "context-too-long",
            FailureKind::InvalidInput,
            "context_length_exceeded",
            None,
        ),
        ("status-400", FailureKind::Upstream, "http_400", None),
        ("status-500", FailureKind::Upstream, "http_500", None),
        ("status-503-html", FailureKind::Upstream, "http_503", None),
        ("error-in-200", FailureKind::Upstream, "http_502", None),
        (
            "malformed-json",
            FailureKind::Upstream,
            "invalid_provider_response",
            None,
        ),
        (
            "truncated-body",
            FailureKind::Upstream,
            "invalid_provider_response",
            None,
        ),
        (
            "no-choices",
            FailureKind::Upstream,
            "invalid_provider_response",
            None,
        ),
        (
            "no-body",
            FailureKind::Upstream,
            "invalid_provider_response",
            None,
        ),
        (
            "usage-missing",
            FailureKind::Upstream,
            "usage_missing",
            None,
        ),
        ("timeout", FailureKind::Timeout, "timeout", None),
    ] {
        let failure = play(cassette, question()).unwrap_err();
        assert!(failure.is(kind, code), "{cassette}: {failure:?}");
        assert_eq!(failure.retry_after_ms, retry_after_ms, "{cassette}");
        assert!(
            !failure.message.contains("Incorrect"),
            "the provider's words stay out of messages"
        );
    }
}

#[test]
fn manifest_and_cassettes_are_whole() {
    files().check_manifest(env!("CARGO_PKG_VERSION"));
    files().check_cassettes_are_played("cassettes.rs");
}
