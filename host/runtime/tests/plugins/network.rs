//! What a connector can and cannot do on the network: always through the gate, always with a receipt.

use std::time::Duration;

use gtm_domain::FailureKind;
use gtm_runtime::{ConnectorOutcome, Runtime};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;

use crate::fixtures::{catalog_dir, config, connector_call, runtime, start};
use crate::loopback::{Server, write};

const SECRET: &str = "sk-fixture-0123456789";

/// The outcome of a call to the connector `http-probe`, which may reach the server and has its key.
pub async fn probe(
    runtime: &Runtime,
    server: &Server,
    operation: &str,
    input: Value,
) -> ConnectorOutcome {
    let mut call = connector_call(runtime, "http-probe", operation, input);
    call.settings = json!({ "base_url": server.url("/") });
    call.credentials = [("api_key", SECRET)].into_iter().collect();
    call.idempotency_key = Some("step-1".into());
    runtime.call_connector(call).await
}

async fn send(server: &Server, request: Value) -> ConnectorOutcome {
    probe(
        &runtime().await,
        server,
        "send",
        json!({ "request": request }),
    )
    .await
}

async fn code(server: &Server, request: Value) -> String {
    let outcome = send(server, request).await;
    let failure = outcome.result.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Denied, "{failure:?}");
    assert_eq!(outcome.denied.len(), 1, "{:?}", outcome.denied);
    failure.code
}

#[tokio::test]
async fn an_allowed_request_comes_back_with_its_receipt_and_its_bytes() {
    let server = Server::fixed(
        200,
        &[("content-type", "application/json")],
        r#"{"hello":"world"}"#,
    )
    .await;
    let outcome = send(
        &server,
        json!({ "url": server.url("/a?b=c"), "credential": "key" }),
    )
    .await;
    let answer = outcome.result.unwrap();
    assert_eq!(
        (answer["status"].as_u64(), answer["body"].as_str()),
        (Some(200), Some(r#"{"hello":"world"}"#))
    );
    assert_eq!(outcome.exchanges.len(), 1);
    let exchange = &outcome.exchanges[0];
    assert_eq!(answer["receipt_id"], exchange.receipt.id.to_string());
    assert_eq!(
        exchange.receipt.response_digest,
        Some(exchange.body.digest())
    );
    assert_eq!(exchange.receipt.credentials, ["key"]);
    assert_eq!(outcome.meters.requests, 1);
    assert_eq!(
        server.seen()[0].header("x-fixture-key").as_deref(),
        Some(SECRET)
    );
}

#[tokio::test]
async fn what_the_manifest_does_not_name_is_refused() {
    let server = Server::fixed(200, &[], "no").await;
    let other = Server::fixed(200, &[], "no").await;
    assert_eq!(
        code(&server, json!({ "url": "https://elsewhere.example/" })).await,
        "host_not_allowed"
    );
    assert_eq!(
        code(&server, json!({ "url": "https://api.fixture.example/v2/" })).await,
        "path_not_allowed"
    );
    assert_eq!(
        code(
            &server,
            json!({ "url": "https://api.fixture.example/v1/", "method": "POST" })
        )
        .await,
        "method_not_allowed"
    );
    assert_eq!(
        code(
            &server,
            json!({ "url": server.url("/"), "method": "DELETE" })
        )
        .await,
        "method_not_allowed"
    );
    assert_eq!(
        code(&server, json!({ "url": other.url("/") })).await,
        "port_not_allowed"
    );
    assert_eq!(
        code(
            &server,
            json!({ "url": format!("https://{}/", server.address) })
        )
        .await,
        "scheme_not_allowed"
    );
    assert!(server.seen().is_empty() && other.seen().is_empty());
}

#[tokio::test]
async fn private_addresses_are_refused_in_every_spelling() {
    let server = Server::fixed(200, &[], "no").await;
    let mut config = config(vec![catalog_dir()]);
    config.egress.private_hosts.clear();
    let runtime = start(config).await;
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "0",
        "localhost",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "169.254.169.254",
        "100.64.0.1",
        "10.0.0.1",
        "[fd00::1]",
        "[fe80::1]",
    ] {
        let base = format!("http://{host}:{}/", server.address.port());
        let mut call = connector_call(
            &runtime,
            "http-probe",
            "send",
            json!({ "request": { "url": base } }),
        );
        call.settings = json!({ "base_url": base });
        let failure = runtime.call_connector(call).await.result.unwrap_err();
        assert_eq!(
            (failure.kind, failure.code.as_str()),
            (FailureKind::Denied, "private_address"),
            "{host}"
        );
    }
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_redirect_is_judged_like_a_first_request() {
    let inner = Server::fixed(200, &[], "metadata").await;
    let target = inner.url("/latest");
    let server = Server::start(move |_, mut stream| {
        let target = target.clone();
        async move { write(&mut stream, 302, &[("location", &target)], b"").await }
    })
    .await;
    let outcome = send(
        &server,
        json!({ "url": server.url("/"), "max_redirects": 5 }),
    )
    .await;
    assert_eq!(outcome.result.unwrap_err().kind, FailureKind::Denied);
    assert!(inner.seen().is_empty());
}

#[tokio::test]
async fn a_guest_cannot_set_what_the_host_injects() {
    let server = Server::fixed(200, &[], "no").await;
    for name in [
        "X-Fixture-Key",
        "x-fixture-key",
        "Host",
        "Content-Length",
        "Transfer-Encoding",
    ] {
        let headers = json!([[name, "mine"]]);
        assert_eq!(
            code(
                &server,
                json!({ "url": server.url("/"), "headers": headers })
            )
            .await,
            "header_not_allowed",
            "{name}"
        );
    }
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_guest_cannot_ask_a_server_to_take_its_request_for_another() {
    let server = Server::fixed(200, &[], "no").await;
    for name in [
        "X-HTTP-Method-Override",
        "x_method_override",
        "X-Original-URL",
        "X-Rewrite-URL",
        "X-Forwarded-Host",
    ] {
        let headers = json!([[name, "DELETE"]]);
        assert_eq!(
            code(
                &server,
                json!({ "url": server.url("/"), "headers": headers, "credential": "key" })
            )
            .await,
            "header_not_allowed",
            "{name}"
        );
    }
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_missing_credential_never_becomes_an_anonymous_call() {
    let server = Server::fixed(200, &[], "no").await;
    let runtime = runtime().await;
    let input = json!({ "request": { "url": server.url("/"), "credential": "key" } });
    let mut call = connector_call(&runtime, "http-probe", "send", input);
    call.settings = json!({ "base_url": server.url("/") });
    let failure = runtime.call_connector(call).await.result.unwrap_err();
    assert_eq!(
        (failure.kind, failure.code.as_str()),
        (FailureKind::CredentialMissing, "credential_missing")
    );
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_secret_that_comes_back_does_not_reach_the_guest() {
    let body = format!("your key is {SECRET}, thank you");
    let server = Server::fixed(200, &[("x-echo", SECRET)], body).await;
    let outcome = send(
        &server,
        json!({ "url": server.url("/"), "credential": "key" }),
    )
    .await;
    let everything = format!(
        "{:?} {:?} {:?}",
        outcome.result, outcome.logs, outcome.exchanges
    );
    assert!(!everything.contains(SECRET), "{everything}");
}

#[tokio::test]
async fn a_body_is_bounded_or_cut() {
    let server = Server::fixed(200, &[], vec![b'x'; 100_000]).await;
    let failure = send(
        &server,
        json!({ "url": server.url("/"), "max_body_bytes": 1000 }),
    )
    .await
    .result
    .unwrap_err();
    assert_eq!(failure.code, "body_too_large");
    let outcome = send(
        &server,
        json!({ "url": server.url("/"), "max_body_bytes": 1000, "truncate": true }),
    )
    .await;
    assert_eq!(outcome.exchanges[0].body.len(), 1000);
    let answer = outcome.result.unwrap();
    assert_eq!(
        (
            answer["truncated"].as_bool(),
            answer["body"].as_str().map(str::len)
        ),
        (Some(true), Some(1000))
    );
}

#[tokio::test]
async fn requests_have_a_budget() {
    let server = Server::fixed(200, &[], "ok").await;
    let requests = vec![json!({ "url": server.url("/") }); 25];
    let outcome = probe(
        &runtime().await,
        &server,
        "send_all",
        json!({ "requests": requests }),
    )
    .await;
    let answers = outcome.result.unwrap();
    let refused = answers["answers"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|a| a["failure"] == "request_budget_exceeded")
        .count();
    assert_eq!((refused, server.seen().len()), (5, 20));
    let outcome = send(
        &server,
        json!({ "url": server.url("/"), "method": "POST", "body_bytes": 2 << 20 }),
    )
    .await;
    assert!(outcome.result.is_err());
    assert_eq!(server.seen().len(), 20);
}

#[tokio::test]
async fn the_host_caps_what_a_manifest_asks_for() {
    type Cap = fn(&mut gtm_runtime::HostLimits);
    let server = Server::fixed(200, &[], vec![b'x'; 1000]).await;
    let caps: [(Cap, &[&str]); 3] = [
        (
            |limits| limits.egress_requests = 3,
            &["request_budget_exceeded"],
        ),
        // Which of the two it is depends on what is left when the answer is announced.
        (
            |limits| limits.egress_bytes_in = 3500,
            &["byte_budget_exceeded", "body_too_large"],
        ),
        (
            |limits| limits.egress_bytes_out = 3500,
            &["byte_budget_exceeded"],
        ),
    ];
    for (cap, codes) in caps {
        let mut config = config(vec![catalog_dir()]);
        cap(&mut config.limits);
        let runtime = start(config).await;
        let request = json!({ "url": server.url("/"), "method": "POST", "body_bytes": 1000 });
        let requests = json!({ "requests": vec![request; 5] });
        let outcome = probe(&runtime, &server, "send_all", requests).await;
        let answers = outcome.result.unwrap();
        let answers = answers["answers"].as_array().unwrap();
        let ok = answers.iter().filter(|a| a["ok"].is_object()).count();
        let refused = answers
            .iter()
            .filter(|a| {
                a["failure"]
                    .as_str()
                    .is_some_and(|code| codes.contains(&code))
            })
            .count();
        assert_eq!((ok, refused), (3, 2), "{codes:?}: {answers:?}");
    }
}

#[tokio::test]
async fn a_slow_answer_ends_with_the_requests_or_the_calls_time() {
    let server = Server::start(|_, mut stream| async move {
        let _ = stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n")
            .await;
        loop {
            if stream.write_all(b"x").await.is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    let failure = send(
        &server,
        json!({ "url": server.url("/"), "timeout_ms": 200 }),
    )
    .await
    .result
    .unwrap_err();
    assert_eq!(
        (failure.kind, failure.code.as_str()),
        (FailureKind::Timeout, "timeout")
    );
    let runtime = runtime().await;
    let mut call = connector_call(
        &runtime,
        "http-probe",
        "send",
        json!({ "request": { "url": server.url("/") } }),
    );
    call.settings = json!({ "base_url": server.url("/") });
    call.deadline = Duration::from_millis(300);
    let outcome = runtime.call_connector(call).await;
    assert_eq!(outcome.result.unwrap_err().kind, FailureKind::Timeout);
    assert!(
        outcome.resources.cpu_ms < 100,
        "waiting is no CPU time: {:?}",
        outcome.resources
    );
}

#[tokio::test]
async fn a_body_can_be_read_piece_by_piece() {
    let server = Server::fixed(200, &[], vec![b'y'; 5000]).await;
    let runtime = runtime().await;
    let input = json!({ "request": { "url": server.url("/") }, "piece_bytes": 1024 });
    let outcome = probe(&runtime, &server, "stream", input).await;
    let answer = outcome.result.unwrap();
    assert_eq!(answer["body"].as_str().map(str::len), Some(5000));
    assert!(
        answer["lengths"]
            .as_array()
            .unwrap()
            .iter()
            .all(|n| n.as_u64().unwrap() <= 1024)
    );
    assert_eq!(
        answer["receipt_id"],
        outcome.exchanges[0].receipt.id.to_string()
    );
    assert_eq!(
        outcome.exchanges[0].receipt.response_digest,
        Some(outcome.exchanges[0].body.digest())
    );
    assert_eq!(outcome.exchanges[0].body.len(), 5000);
    // A body that is dropped midway leaves a receipt, too.
    let input = json!({ "request": { "url": server.url("/") }, "piece_bytes": 100, "pieces": 1 });
    let outcome = probe(&runtime, &server, "stream", input).await;
    assert_eq!(outcome.exchanges.len(), 1);
    assert!(outcome.exchanges[0].body.len() < 5000);
}
