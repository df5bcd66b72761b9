//! What a provider says that a call consumed: the host reads it, and rejects what cannot be true.

use serde_json::json;

use crate::fixtures::runtime;
use crate::loopback::Server;
use crate::network::probe;

#[tokio::test]
async fn usage_is_what_the_provider_says() {
    let runtime = runtime().await;
    let ask = async |server: &Server| {
        probe(
            &runtime,
            server,
            "metered",
            json!({ "request": { "url": server.url("/"), "method": "POST", "body": "{}" } }),
        )
        .await
    };
    let server = Server::fixed(
        200,
        &[("x-fixture-credits", "1.5")],
        r#"{"usage":{"input":12,"output":3}}"#,
    )
    .await;
    let outcome = ask(&server).await;
    assert!(outcome.result.is_ok(), "{:?}", outcome.result);
    let tokens = outcome.meters.tokens.unwrap();
    assert_eq!(
        (tokens.input, tokens.output, outcome.meters.credits),
        (Some(12), Some(3), Some(1.5))
    );
    assert_eq!(
        server.seen()[0].header("idempotency-key").as_deref(),
        Some("step-1")
    );
    assert_eq!(server.seen()[0].body, "{}");

    let silent = Server::fixed(200, &[], r#"{"answer":42}"#).await;
    let outcome = ask(&silent).await;
    assert_eq!(outcome.result.unwrap_err().code, "usage_meter_missing");
    assert_eq!(outcome.exchanges.len(), 1);
}

#[tokio::test]
async fn figures_that_cannot_be_true_count_as_not_said() {
    let runtime = runtime().await;
    for nonsense in [
        "9007199254740992",
        "1e18",
        "1e300",
        "-5",
        "\"many\"",
        "18446744073709551615",
    ] {
        for (credits, input, output) in [
            (nonsense.trim_matches('"'), "1", "1"),
            ("1", nonsense, "1"),
            ("1", "1", nonsense),
        ] {
            let body = format!("{{\"usage\":{{\"input\":{input},\"output\":{output}}}}}");
            let headers: &[_] = Box::leak(Box::new([("x-fixture-credits", credits)]));
            let server = Server::fixed(200, headers, body.as_bytes()).await;
            let request = json!({ "url": server.url("/"), "method": "POST", "body": "{}" });
            let outcome = probe(&runtime, &server, "metered", json!({ "request": request })).await;
            assert!(outcome.meters.implausible, "{headers:?} {body}");
            // Only the first figure is required.
            let code = outcome.result.err().map(|failure| failure.code);
            let wanted = (input == nonsense).then(|| "usage_meter_missing".to_owned());
            assert_eq!(code, wanted, "{headers:?} {body}");
            let said = outcome.meters.credits;
            assert_eq!(said, (credits == "1").then_some(1.0), "{headers:?} {body}");
        }
    }
    let body = r#"{"usage":{"input":-0.0,"output":-0}}"#;
    let server = Server::fixed(200, &[("x-fixture-credits", "-0")], body).await;
    let request = json!({ "url": server.url("/"), "method": "POST", "body": "{}" });
    let outcome = probe(&runtime, &server, "metered", json!({ "request": request })).await;
    assert!(outcome.result.is_ok() && !outcome.meters.implausible);
    let tokens = outcome.meters.tokens.unwrap();
    assert_eq!((tokens.input, tokens.output), (Some(0), Some(0)));
}
