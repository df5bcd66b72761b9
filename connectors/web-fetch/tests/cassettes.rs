//! The connector against its cassettes and its contract.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use gtm_sdk::testing::{Host, Run};
use gtm_sdk::{Connector, Failure, FailureKind, Value, json::json};
use gtm_web_fetch::WebFetch;

const SITE: &str = "https://www.northwind-metering.example/";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn schema(name: &str) -> Value {
    let path = root().join("../../wit/capabilities").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn play(cassette: &str, input: Value) -> Run<Result<Value, Failure>> {
    assert!(jsonschema::is_valid(
        &schema("web.fetch.input.schema.json"),
        &input
    ));
    Host::new()
        .settings(json!({"contact_url": "https://gtm.example/bot"}))
        .cassette(root().join("cassettes").join(format!("{cassette}.jsonl")))
        .run(|| WebFetch::invoke("fetch", input))
}

/// What the connector says about the site's first page; it must fit the contract.
fn page(cassette: &str) -> Value {
    let output = play(cassette, json!({"url": SITE})).output.unwrap();
    check(&output);
    output
}

fn check(output: &Value) {
    let schema = schema("web.fetch.output.schema.json");
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> = validator
        .iter_errors(output)
        .map(|e| e.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
}

fn failure(cassette: &str) -> Failure {
    play(cassette, json!({"url": SITE})).output.unwrap_err()
}

fn texts(output: &Value) -> Vec<&str> {
    output["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block["text"].as_str().unwrap())
        .collect()
}

#[test]
fn a_page_is_read() {
    let run = play(
        "page",
        json!({"url": format!("{SITE}#top"), "accept_language": "en-GB, en;q=0.5"}),
    );
    let output = run.output.unwrap();
    check(&output);
    assert_eq!(output["title"], "Northwind Metering – one bill per flat");
    assert_eq!(
        output["description"],
        "Sub-metering hardware and billing for landlords."
    );
    assert_eq!(output["language"], "en-GB");
    assert_eq!(output["site_name"], "Northwind Metering");
    assert_eq!(output["published_at"], "2026-03-02T09:00:00Z");
    assert_eq!(output["charset"], "UTF-8");
    assert_eq!(output["content_type"], "text/html");
    assert_eq!(output["receipt_id"], "rcpt_test_02");
    assert_eq!(output["robots"], json!({"checked": true, "allowed": true}));
    assert_eq!(output["json_ld"][0]["name"], "Northwind Metering Ltd");
    assert_eq!(output["json_ld"].as_array().unwrap().len(), 1);
    let main: Vec<_> = output["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|block| block["main"] == true)
        .map(|block| {
            (
                block["kind"].as_str().unwrap(),
                block["text"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        main,
        [
            ("heading", "Meters before handover"),
            (
                "paragraph",
                "We install 18,000 meters a year & send one bill per flat."
            ),
            ("list_item", "Installed in one day"),
            ("quote", "They were done by lunch."),
            ("table_row", "Plan £3.20"),
            ("paragraph", "See our plans."),
        ]
    );
    let links: Vec<_> = output["links"]
        .as_array()
        .unwrap()
        .iter()
        .map(|link| {
            (
                link["url"].as_str().unwrap(),
                link["internal"] == true,
                link["navigation"] == true,
            )
        })
        .collect();
    assert_eq!(
        links,
        [
            (SITE, true, true),
            (
                "https://www.northwind-metering.example/pricing",
                true,
                false
            ),
            ("https://blog.example/", false, true),
        ]
    );
    assert!(
        run.requests
            .iter()
            .all(|request| request.max_redirects == 5 && request.credential.is_none())
    );
}

#[test]
fn the_text_is_what_the_host_computes() {
    let output = page("windows-1252");
    let bytes = [b"<p>Z\xE4hler f\xFCr H\xE4user \x96 \xA35".as_slice()].concat();
    let host = gtm_page_text::extract(Some("text/html"), &bytes).text();
    assert_eq!(texts(&output).join("\n"), host);
    assert_eq!(output["charset"], "windows-1252");
}

#[test]
fn stylesheets_are_read_if_asked_for() {
    let output = play("stylesheets", json!({"url": SITE, "stylesheets": true}))
        .output
        .unwrap();
    check(&output);
    assert_eq!(
        output["stylesheets"],
        json!([
            {"url": null, "receipt_id": null, "colors": [{"value": "#0a5c36", "count": 1}], "fonts": []},
            {"url": "https://www.northwind-metering.example/assets/site.css", "receipt_id": "rcpt_test_04",
             "colors": [{"value": "#0a5c36", "count": 2}, {"value": "#222222", "count": 1}],
             "fonts": [{"family": "Arial", "count": 1}, {"family": "Source Sans", "count": 1}]},
        ])
    );
}

#[test]
fn robots_txt_is_respected() {
    let disallowed = play(
        "robots-disallowed",
        json!({"url": format!("{SITE}private/x?y=1")}),
    );
    assert!(
        disallowed
            .output
            .unwrap_err()
            .is(FailureKind::Denied, "robots_disallowed")
    );
    assert_eq!(page("robots-missing")["robots"]["checked"], false);
    assert_eq!(texts(&page("robots-redirect-loop")), ["Open"]);
    assert!(failure("robots-5xx").is(FailureKind::Denied, "robots_unreachable"));
    assert!(failure("robots-timeout").is(FailureKind::Denied, "robots_unreachable"));
    // A name that does not resolve is no matter of robots.txt.
    let unresolved = failure("robots-dns");
    assert!(unresolved.is(FailureKind::Upstream, "dns_failed"));
    assert!(unresolved.message.contains("could not be resolved"));
}

#[test]
fn a_redirect_is_judged_by_the_robots_txt_of_where_it_led() {
    let input = || json!({"url": "https://northwind-metering.example/"});
    let refused = play("redirect-to-disallowed", input()).output.unwrap_err();
    assert!(refused.is(FailureKind::Denied, "robots_disallowed"));
    let output = play("redirect", input()).output.unwrap();
    check(&output);
    assert_eq!(
        output["final_url"],
        "https://www.northwind-metering.example/en/"
    );
    assert_eq!(
        output["links"][0]["url"],
        "https://www.northwind-metering.example/en/about"
    );
}

#[test]
fn statuses_are_failures_with_their_codes() {
    for (cassette, kind, code, retry_after_ms) in [
        ("status-401", FailureKind::Unauthorized, "http_401", None),
        ("status-403", FailureKind::Unauthorized, "http_403", None),
        ("status-402", FailureKind::Upstream, "http_402", None),
        ("status-404", FailureKind::NotFound, "http_404", None),
        ("status-410", FailureKind::NotFound, "http_410", None),
        ("status-429", FailureKind::RateLimited, "http_429", None),
        (
            "status-429-retry-after",
            FailureKind::RateLimited,
            "http_429",
            Some(7000),
        ),
        ("status-500", FailureKind::Upstream, "http_500", None),
        ("status-503", FailureKind::Upstream, "http_503", None),
        ("timeout", FailureKind::Timeout, "timeout", None),
        (
            "binary",
            FailureKind::Upstream,
            "unsupported_media_type",
            None,
        ),
        (
            "unlabelled-binary",
            FailureKind::Upstream,
            "unsupported_media_type",
            None,
        ),
    ] {
        let failure = failure(cassette);
        assert!(failure.is(kind, code), "{cassette}: {failure:?}");
        assert_eq!(failure.retry_after_ms, retry_after_ms, "{cassette}");
    }
}

#[test]
fn what_the_gate_refuses_is_passed_on() {
    let refused = play(
        "gate-denied",
        json!({"url": "http://169.254.169.254/latest"}),
    )
    .output
    .unwrap_err();
    assert!(refused.is(FailureKind::Denied, "address_not_allowed"));
}

#[test]
fn other_documents_are_read() {
    assert_eq!(texts(&page("json")), ["Northwind", "18000", "meters"]);
    assert_eq!(texts(&page("json-malformed")), ["Northwind", "18"]);
    assert_eq!(
        texts(&page("feed")),
        ["News", "Opened in Leeds", "We opened.", "Come by."]
    );
    assert_eq!(texts(&page("text")), ["One line", "Two"]);
    let empty = page("empty");
    assert_eq!((texts(&empty).len(), &empty["bytes"]), (0, &json!(0)));
}

#[test]
fn a_long_page_is_cut() {
    let output = play("truncated", json!({"url": SITE, "max_bytes": 1024}))
        .output
        .unwrap();
    check(&output);
    assert_eq!(
        (&output["bytes"], &output["truncated"]),
        (&json!(1024), &json!(true))
    );
}

#[test]
fn wrong_urls_are_refused_without_a_request() {
    for url in [
        "ftp://a.example/",
        "https://",
        "https://u:p@a.example/",
        "not a url",
        "file:///etc/passwd",
    ] {
        let run = Host::new().run(|| WebFetch::invoke("fetch", json!({"url": url})));
        assert!(
            run.output
                .unwrap_err()
                .is(FailureKind::InvalidInput, "invalid_url"),
            "{url}"
        );
    }
    let run = Host::new().run(|| WebFetch::invoke("other", json!({})));
    assert!(
        run.output
            .unwrap_err()
            .is(FailureKind::InvalidInput, "unknown_operation")
    );
}

#[test]
fn every_cassette_is_played() {
    let source = std::fs::read_to_string(root().join("tests/cassettes.rs")).unwrap();
    for entry in std::fs::read_dir(root().join("cassettes")).unwrap() {
        let name = entry
            .unwrap()
            .path()
            .file_stem()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        assert!(
            source.contains(&format!("\"{name}\"")),
            "{name} is played by no test"
        );
    }
}

#[test]
fn the_manifest_fits_its_schema_and_the_contracts() {
    let read = |path: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(root().join(path)).unwrap()).unwrap()
    };
    let manifest = read("manifest.json");
    assert_eq!(manifest["manifest_version"], env!("CARGO_PKG_VERSION"));
    for (member, file) in [
        ("input_schema", "web.fetch.input.schema.json"),
        ("output_schema", "web.fetch.output.schema.json"),
    ] {
        let mut contract = schema(file);
        contract
            .as_object_mut()
            .unwrap()
            .retain(|key, _| key != "$schema" && key != "$id");
        assert_eq!(
            manifest["operations"][0][member], contract,
            "{member} has drifted from {file}"
        );
    }
    // The build adds these.
    let mut complete = manifest;
    complete["component"] = json!({"path": "component.wasm", "digest": format!("sha256:{}", "0".repeat(64)), "size_bytes": 8,
        "world": "gtm:plugin/connector@0.1.0", "host_imports": []});
    complete["provenance"]["repository"] = json!("https://gtm.example/repository");
    complete["provenance"]["commit"] = json!("0".repeat(40));
    let schema = read("../../wit/manifest.schema.json");
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> = validator
        .iter_errors(&complete)
        .map(|e| format!("{} at {}", e, e.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
}
