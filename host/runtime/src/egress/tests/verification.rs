//! The probe of credentials: valid, invalid, or inconclusive.

use super::*;
use crate::manifest::Verification;

fn probe(more: Value) -> Verification {
    let mut parts = json!({
        "request": { "method": "GET", "url": "${setting.base_url}/v1/models" },
        "valid": { "statuses": [200] },
        "invalid": { "statuses": [401, 403] },
        "timeout_ms": 1500,
    });
    for (name, value) in more.as_object().unwrap() {
        parts[name] = value.clone();
    }
    serde_json::from_value(parts).unwrap()
}

fn keyed(server: &Server) -> CallGrant {
    grant_for(
        server,
        json!({
            "schemes": [{ "type": "bearer", "id": "key", "hosts": ["${setting.base_url}"],
                "inject": [{ "in": "header", "name": "Authorization", "value": "Bearer ${credential.api_key}" }] }],
            "credentials": { "api_key": "good-key" },
        }),
    )
}

#[tokio::test]
async fn only_a_declared_answer_is_a_verdict() {
    for (status, wanted) in [
        (200, VerificationStatus::Valid),
        (401, VerificationStatus::Invalid),
        (403, VerificationStatus::Invalid),
        (429, VerificationStatus::Inconclusive),
        (500, VerificationStatus::Inconclusive),
        (503, VerificationStatus::Inconclusive),
        (404, VerificationStatus::Inconclusive),
        (302, VerificationStatus::Inconclusive),
    ] {
        let server =
            Server::start(move |_, _| Reply::with(status, &[("location", "/elsewhere")], "")).await;
        let done = loopback_gate()
            .verify(&keyed(&server), &probe(json!({})))
            .await;
        assert_eq!(
            (done.status, done.network_request_made, done.http_status),
            (wanted, true, Some(status))
        );
        assert_eq!(server.hits(), 1, "nothing is repeated");
        assert!(
            server.request(0).starts_with("GET /v1/models ")
                && server.request(0).contains("authorization: Bearer good-key")
        );
    }
}

#[tokio::test]
async fn a_200_with_an_error_inside_is_told_apart() {
    let pointers = json!({
        "valid": { "statuses": [200], "pointer": "/is_logged_in", "equals": true },
        "invalid": { "statuses": [200], "pointer": "/is_logged_in", "equals": false },
        "quota": { "left": "/quota/left" },
    });
    for (text, wanted) in [
        (
            r#"{"is_logged_in":true,"quota":{"left":7}}"#,
            VerificationStatus::Valid,
        ),
        (r#"{"is_logged_in":false}"#, VerificationStatus::Invalid),
        ("<html>", VerificationStatus::Inconclusive),
    ] {
        let server = Server::start(move |_, _| Reply::ok(text)).await;
        let done = loopback_gate()
            .verify(&keyed(&server), &probe(pointers.clone()))
            .await;
        assert_eq!(done.status, wanted);
        assert_eq!(
            done.quota.get("left"),
            (wanted == VerificationStatus::Valid).then_some(&json!(7))
        );
    }
}

#[tokio::test]
async fn no_answer_is_no_verdict_and_said_truthfully() {
    let server = Server::start(|_, _| Reply::Hang).await;
    let done = loopback_gate()
        .verify(&keyed(&server), &probe(json!({})))
        .await;
    assert_eq!(
        (done.status, done.network_request_made, done.http_status),
        (VerificationStatus::Inconclusive, true, None)
    );

    let mut without = keyed(&server);
    without.credentials = Credentials::new();
    let done = loopback_gate().verify(&without, &probe(json!({}))).await;
    assert_eq!(
        (done.status, done.network_request_made),
        (VerificationStatus::Inconclusive, false)
    );
    assert_eq!(done.failure.unwrap().code, "credential_missing");

    let done = gate_of(policy(&[]))
        .verify(&keyed(&server), &probe(json!({})))
        .await;
    assert_eq!(
        (done.status, done.network_request_made),
        (VerificationStatus::Inconclusive, false)
    );
    assert_eq!(done.failure.unwrap().code, "private_address");
}

#[tokio::test]
async fn the_probe_has_no_way_past_the_rules() {
    let canary = Server::canary().await;
    for url in [
        "https://evil.example/",
        "${credential.api_key}",
        "http://x.example/?k=${credential.api_key}",
    ] {
        let done = loopback_gate()
            .verify(
                &keyed(&canary),
                &probe(json!({ "request": { "method": "GET", "url": url } })),
            )
            .await;
        assert_eq!(
            (done.status, done.network_request_made),
            (VerificationStatus::Inconclusive, false),
            "{url}"
        );
    }
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn a_slash_at_the_end_of_a_setting_does_not_double() {
    let server = Server::start(|_, _| Reply::ok("")).await;
    let mut g = keyed(&server);
    g.settings["base_url"] = json!(server.url("/"));
    loopback_gate().verify(&g, &probe(json!({}))).await;
    assert!(
        server.request(0).starts_with("GET /v1/models "),
        "{}",
        server.request(0)
    );
}
