//! Checks the connector against its cassettes and its contract.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_sdk::testing::{ConnectorFiles, CredentialCheck, Host, Run};
use gtm_sdk::{Connector, Failure, FailureKind, Value, json::json};
use gtm_searxng::Searxng;

fn files() -> ConnectorFiles {
    ConnectorFiles::new(env!("CARGO_MANIFEST_DIR"))
}

fn play_with(settings: Value, cassette: &str, input: Value) -> Run<Result<Value, Failure>> {
    files().check_settings(&settings);
    files().check_input("search", &input);
    let run = Host::new()
        .settings(settings)
        .cassette(files().cassette(cassette))
        .run(|| Searxng::invoke("search", input));
    if let Ok(output) = &run.output {
        files().check_output("search", output);
    }
    assert!(
        run.requests
            .iter()
            .all(|request| request.credential.is_none() && request.max_redirects == 0)
    );
    run
}

fn settings() -> Value {
    json!({"base_url": "https://search.example/searxng/"})
}

fn play(cassette: &str, input: Value) -> Result<Value, Failure> {
    play_with(settings(), cassette, input).output
}

fn query() -> Value {
    json!({"query": "Fernhollow official website"})
}

fn urls(output: &Value) -> Vec<&str> {
    let results = output["results"].as_array().unwrap();
    results.iter().map(|r| r["url"].as_str().unwrap()).collect()
}

#[test]
fn results_stand_as_searxng_gives_them() {
    let output = play("results", query()).unwrap();
    assert_eq!(output["receipt_id"], "rcpt_test_01");
    assert_eq!(
        output["results"],
        json!([
            {"url": "https://www.fernhollow.example/", "title": "Fernhollow – compost for gardeners",
                "snippet": "We compost what the city leaves.", "published_at": null},
            {"url": "https://en.encyclopedia.example/wiki/Fernhollow", "title": "Fernhollow",
                "snippet": "Fernhollow is a company.", "published_at": null},
            {"url": "https://news.example/2026/fernhollow", "title": "Fernhollow opens",
                "snippet": "", "published_at": "2026-03-02T09:00:00"},
        ])
    );
}

#[test]
fn what_is_no_web_page_is_left_out() {
    let output = play("odd-results", query()).unwrap();
    assert_eq!(urls(&output), ["HTTP://www.fernhollow.example/about"]);
    assert_eq!(
        output["results"][0],
        json!({"url": "HTTP://www.fernhollow.example/about", "title": "", "snippet": "", "published_at": null})
    );
}

#[test]
fn no_more_results_than_wanted() {
    for (wanted, want) in [(None, 10), (Some(3), 3), (Some(20), 20)] {
        let mut input = query();
        if let Some(wanted) = wanted {
            input["max_results"] = json!(wanted);
        }
        let output = play("many-results", input).unwrap();
        assert_eq!(urls(&output).len(), want);
        assert_eq!(urls(&output)[0], "https://site-0.example/");
    }
}

#[test]
fn language_and_country_are_asked_for_in_searxngs_form() {
    let mut input = query();
    input["language"] = json!("de-Latn-DE");
    input["country"] = json!("AT");
    assert_eq!(urls(&play("results-in-language", input).unwrap()).len(), 1);
    // SearXNG can't search by country alone and rejects unknown languages, so the connector omits both.
    for (name, value) in [("country", "AT"), ("language", "x-klingon")] {
        let mut input = query();
        input[name] = json!(value);
        assert!(play("results", input).is_ok());
    }
}

#[test]
fn a_query_commands_nothing() {
    let output = play("commands-in-query", json!({"query": "!!g  <Yahoo :shop"}));
    assert_eq!(urls(&output.unwrap()).len(), 1);
    let run = Host::new()
        .settings(settings())
        .run(|| Searxng::invoke("search", json!({"query": " !! "})));
    let failure = run.output.unwrap_err();
    assert!(failure.is(FailureKind::InvalidInput, "empty_query"));
}

#[test]
fn nothing_found_and_nobody_asked_are_told_apart() {
    let output = play("no-results", query()).unwrap();
    assert_eq!(output["results"], json!([]));
    let failure = play("engines-silent", query()).unwrap_err();
    assert!(failure.is(FailureKind::Upstream, "engines_unresponsive"));
    assert!(failure.message.contains("2 of its search engines"));
    assert_eq!(
        failure.detail.unwrap()["engines"],
        json!(["duckduckgo", "google"])
    );
}

#[test]
fn refusals_have_their_failures_and_say_what_to_do() {
    let upstream = FailureKind::Upstream;
    for (cassette, kind, code, retry_after_ms, hint) in [
        ("status-302", upstream, "http_302", None, "base_url"),
        (
            "status-400",
            FailureKind::InvalidInput,
            "http_400",
            None,
            "query",
        ),
        (
            "status-401",
            FailureKind::Unauthorized,
            "http_401",
            None,
            "login",
        ),
        (
            "status-403-json-disabled",
            FailureKind::Denied,
            "json_not_enabled",
            None,
            "add json to search.formats",
        ),
        (
            "status-404",
            FailureKind::NotFound,
            "http_404",
            None,
            "base_url",
        ),
        (
            "status-429",
            FailureKind::RateLimited,
            "http_429",
            None,
            "pass_ip",
        ),
        (
            "status-429-retry-after",
            FailureKind::RateLimited,
            "http_429",
            Some(30_000),
            "pass_ip",
        ),
        ("status-500", upstream, "http_500", None, "500"),
        ("status-502-html", upstream, "http_502", None, "502"),
        (
            "html-instead-of-json",
            upstream,
            "invalid_provider_response",
            None,
            "base_url",
        ),
        (
            "malformed-json",
            upstream,
            "invalid_provider_response",
            None,
            "unexpected form",
        ),
        (
            "truncated-body",
            upstream,
            "invalid_provider_response",
            None,
            "unexpected form",
        ),
        (
            "json-without-results",
            upstream,
            "invalid_provider_response",
            None,
            "unexpected form",
        ),
        ("timeout", FailureKind::Timeout, "timeout", None, "too long"),
    ] {
        let failure = play(cassette, query()).unwrap_err();
        assert!(failure.is(kind, code), "{cassette}: {failure:?}");
        assert_eq!(failure.retry_after_ms, retry_after_ms, "{cassette}");
        assert!(failure.message.contains(hint), "{cassette}: {failure}");
        assert!(!failure.message.contains('<'), "no words of the server");
    }
}

#[test]
fn settings_are_addresses_and_bounds() {
    let settings = json!({"base_url": "https://search.example/searxng", "timeout_ms": 5000});
    let run = play_with(settings, "results", query());
    assert_eq!(run.requests[0].timeout_ms, Some(5000));
    let run = play_with(self::settings(), "results", query());
    assert_eq!(run.requests[0].timeout_ms, Some(20_000));
}

#[test]
fn a_verification_tells_json_from_no_json_without_a_search() {
    use CredentialCheck::{Inconclusive, Invalid, Valid};
    for (status, body, want) in [
        (400, r#"{"error": "No query"}"#, Valid),
        (403, "<!doctype html><title>403 Forbidden</title>", Invalid),
        (403, r#"{"error": "No query"}"#, Invalid),
        // Another kind of server, or an answer that doesn't show whether JSON is enabled.
        (400, r#"{"error": "bad request"}"#, Inconclusive),
        (400, "<h1>Bad request</h1>", Inconclusive),
        (200, "<!doctype html><title>Start</title>", Inconclusive),
        (200, r#"{"error": "No query"}"#, Inconclusive),
        (401, "", Inconclusive),
        (404, "", Inconclusive),
        (429, "Too Many Requests", Inconclusive),
        (502, "", Inconclusive),
    ] {
        assert_eq!(files().verdict(status, body), want, "{status} {body}");
    }
    let verification = &files().manifest()["verification"];
    assert_eq!(verification["billable"], false);
    let url = verification["request"]["url"].as_str().unwrap();
    assert!(!url.contains("q="), "{url}");
}

#[test]
fn nothing_of_it_costs_money() {
    let manifest = files().manifest();
    assert_eq!(manifest["operations"][0]["side_effect"], "read");
    assert_eq!(manifest.get("usage"), None);
    for status in [402, 403, 429] {
        assert!(!files().is_exhausted(status, ""), "{status}");
    }
}

#[test]
fn an_unknown_operation_is_refused() {
    let run = Host::new().run(|| Searxng::invoke("other", json!({})));
    assert!(
        run.output
            .unwrap_err()
            .is(FailureKind::InvalidInput, "unknown_operation")
    );
}

#[test]
fn manifest_and_cassettes_are_whole() {
    files().check_manifest(env!("CARGO_PKG_VERSION"));
    files().check_cassettes_are_played("cassettes.rs");
}
