//! The fake host, used as a plug-in's author uses it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_sdk::http::{self, Request};
use gtm_sdk::progress::StageStatus;
use gtm_sdk::testing::{Answer, Expect, Host};
use gtm_sdk::{
    Connector, DocumentRenderer, Evaluator, Failure, FailureKind, GenerationBackend, Value,
    artifacts, assets, capabilities, context, deadline, json, log, progress,
};

struct Echo;

impl Connector for Echo {
    fn invoke(operation: &str, input: Value) -> Result<Value, Failure> {
        let urls: Vec<String> = json::field(&input, "/urls")?;
        log::info(format!(
            "{operation} within {} ms",
            deadline::time_left_ms()
        ));
        let requests: Vec<_> = urls
            .iter()
            .map(|url| {
                Request::get(url)
                    .query("q", "a b")
                    .max_body_bytes(4)
                    .truncate()
            })
            .collect();
        let bodies: Vec<Value> = http::send_all(&requests)
            .into_iter()
            .map(
                |answer| match answer.and_then(http::Response::error_for_status) {
                    Ok(answer) => json::json!([answer.text(), answer.truncated, answer.receipt_id]),
                    Err(failure) => json::json!(failure.code),
                },
            )
            .collect();
        Ok(bodies.into())
    }
}

impl GenerationBackend for Echo {
    fn generate(_task: &str, input: Value) -> Result<Value, Failure> {
        progress::stage("research", StageStatus::Started);
        progress::report(120, Some("Half way"));
        if progress::canceled() || !capabilities::bound("web.fetch") {
            return Err(Failure::canceled("canceled", "Canceled."));
        }
        capabilities::invoke("web.fetch", input)
    }
}

impl DocumentRenderer for Echo {
    fn render(_document: Value) -> Result<Value, Failure> {
        for name in assets::names() {
            let asset = assets::read(&name).unwrap();
            let mut writer = artifacts::create(&name, &asset.media_type)?;
            writer.write(&asset.bytes)?;
            writer.finish()?;
        }
        artifacts::create("unfinished", "text/plain")?.write(b"gone")?;
        Ok(Value::Null)
    }
}

impl Evaluator for Echo {
    fn evaluate(input: Value) -> Result<Value, Failure> {
        Ok(input)
    }
}

gtm_sdk::connector!(Echo);
gtm_sdk::generation_backend!(Echo);
gtm_sdk::document_renderer!(Echo);
gtm_sdk::evaluator!(Echo);

#[test]
fn requests_are_answered_by_the_script() {
    let run = Host::new()
        .answer(
            Expect::get("https://b.example/?q=a%20b"),
            Answer::text(404, "text/plain", "no"),
        )
        .answer(
            Expect::get("https://a.example/?q=a%20b").credential(None),
            Answer::text(200, "text/plain", "longer"),
        )
        .time_left_ms(9)
        .run(|| {
            Echo::invoke(
                "echo",
                json::json!({"urls": ["https://a.example/", "https://b.example/"]}),
            )
        });
    assert_eq!(
        run.output.unwrap(),
        json::json!([["long", true, "rcpt_test_01"], "http_404"])
    );
    assert_eq!(run.requests.len(), 2);
    assert_eq!(
        run.logs,
        [(log::Level::Info, "echo within 9 ms".to_owned())]
    );
}

#[test]
fn a_body_can_be_read_piece_by_piece() {
    let run = Host::new()
        .answer(
            Expect::post("https://a.example/").body(json::json!({"a": {"b": 1}})),
            Answer::bytes(200, "12345").header("X-Kind", "stream"),
        )
        .run(|| {
            let (head, mut body) = Request::post("https://a.example/")
                .json(&json::json!({"a": {"b": 1, "c": 2}}))
                .open()
                .unwrap();
            let mut pieces = Vec::new();
            while let Some(piece) = body.read(2).unwrap() {
                pieces.push(String::from_utf8(piece).unwrap());
            }
            (head.header("x-kind").map(str::to_owned), pieces)
        });
    assert_eq!(run.output.0.as_deref(), Some("stream"));
    assert_eq!(run.output.1, ["12", "34", "5"]);
}

#[test]
#[should_panic(expected = "not answered: GET https://a.example/")]
fn an_unmatched_request_fails_the_test() {
    let _ = Host::new().run(|| Request::get("https://a.example/").send());
}

#[test]
#[should_panic(expected = "not sent: POST https://a.example/")]
fn an_unused_answer_fails_the_test() {
    let _ = Host::new()
        .answer(Expect::post("https://a.example/"), Answer::bytes(200, ""))
        .run(|| ());
}

#[test]
fn a_backend_sees_its_capabilities_and_reports() {
    let run = Host::new()
        .capability("web.fetch", |input| {
            Ok(json::json!({"asked": input["url"]}))
        })
        .run(|| Echo::generate("playbooks", json::json!({"url": "u"})));
    assert_eq!(run.output.unwrap(), json::json!({"asked": "u"}));
    assert_eq!(run.stages, [("research".to_owned(), StageStatus::Started)]);
    assert_eq!(run.reports, [(100, Some("Half way".to_owned()))]);
    assert_eq!(run.calls[0].capability, "web.fetch");
    let canceled = Host::new()
        .canceled()
        .run(|| Echo::generate("playbooks", Value::Null));
    assert!(
        canceled
            .output
            .unwrap_err()
            .is(FailureKind::Canceled, "canceled")
    );
    let unbound = Host::new().run(|| capabilities::invoke("web.search", Value::Null));
    assert!(
        unbound
            .output
            .unwrap_err()
            .is(FailureKind::Denied, "capability_not_bound")
    );
}

#[test]
fn a_renderer_reads_assets_and_writes_artifacts() {
    let run = Host::new()
        .asset("logo.png", "image/png", b"png")
        .run(|| Echo::render(Value::Null));
    run.output.unwrap();
    assert_eq!(run.artifacts.len(), 1);
    assert_eq!(
        (
            run.artifacts[0].filename.as_str(),
            run.artifacts[0].bytes.as_slice()
        ),
        ("logo.png", b"png".as_slice())
    );
}

#[test]
fn settings_are_typed() {
    #[derive(Debug, serde::Deserialize)]
    struct Settings {
        depth: u8,
    }
    let host = || Host::new().settings(json::json!({"depth": 3})).now_ms(7);
    let run = host().run(|| {
        (
            context::settings::<Settings>().unwrap().depth,
            context::now_ms(),
        )
    });
    assert_eq!(run.output, (3, 7));
    let wrong = host().run(context::settings::<Vec<u8>>);
    assert!(
        wrong
            .output
            .unwrap_err()
            .is(FailureKind::InvalidInput, "invalid_settings")
    );
}

#[test]
fn statuses_have_their_failures() {
    for (status, kind) in [
        (401, FailureKind::Unauthorized),
        (403, FailureKind::Unauthorized),
        (402, FailureKind::Quota),
        (404, FailureKind::NotFound),
        (429, FailureKind::RateLimited),
        (503, FailureKind::Upstream),
    ] {
        let run = Host::new()
            .answer(
                Expect::get("https://a.example/"),
                Answer::bytes(status, "").header("Retry-After", "1.5"),
            )
            .run(|| {
                Request::get("https://a.example/")
                    .send()
                    .and_then(http::Response::error_for_status)
            });
        let failure = run.output.unwrap_err();
        assert!(failure.is(kind, &format!("http_{status}")), "{failure:?}");
        if status == 429 {
            assert_eq!(failure.retry_after_ms, Some(1500));
        }
    }
}
