//! `POST /v1/playbooks`.

use std::time::Duration;

use axum::body::Body;
use gtm_api::ApiConfig;
use serde_json::{Value, json};

use crate::world::{NeverBody, World};

const BODY: &str = r#"{"target_company_domain":"Acme.example"}"#;

#[tokio::test]
async fn a_job_is_accepted() {
    let world = World::start().await;
    let answer = world.post(BODY, &[]).await;
    assert_eq!(answer.status, 202, "{}", answer.json());
    let job = answer.json();
    let fields: Vec<&str> = job
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        fields,
        [
            "id",
            "status",
            "progress",
            "project_id",
            "campaign_id",
            "type",
            "input",
            "result",
            "error",
            "usage",
            "stages",
            "created_at",
            "expires_at",
            "started_at",
            "finished_at"
        ]
    );
    assert_eq!(
        answer.header("location"),
        Some(format!("/v1/jobs/{}", job["id"].as_str().unwrap()).as_str())
    );
    assert_eq!(answer.header("retry-after"), None);
    assert_eq!(
        (job["status"].as_str(), job["type"].as_str()),
        (Some("queued"), Some("playbooks"))
    );
    assert_eq!(job["input"]["target_company_domain"], "acme.example");
    assert_eq!(
        job["input"].as_object().unwrap().len(),
        9,
        "defaults appear"
    );
    assert_eq!(job["usage"]["candidates"], Value::Null);
    assert_eq!(job["created_at"], "2026-03-02T09:00:00.000Z");
    assert_eq!(job["expires_at"], "2026-04-01T09:00:00.000Z");
    let shape = &gtm_api::openapi();
    let schema = json!({ "$ref": "#/components/schemas/PublicPlaybookJobResponse", "components": shape["components"] });
    jsonschema::draft202012::new(&schema)
        .unwrap()
        .validate(&job)
        .unwrap();
}

#[tokio::test]
async fn a_repeated_request_gets_the_same_answer() {
    let world = World::start().await;
    let first = world.post(BODY, &[("idempotency-key", "order-1")]).await;
    world.clock.advance(Duration::from_secs(5));
    let again = world
        .post(
            r#"{ "target_company_domain": "Acme.example" }"#,
            &[("idempotency-key", "\"order-1\"")],
        )
        .await;
    assert_eq!((again.status.as_u16(), &again.body), (202, &first.body));
    assert_eq!(
        (
            first.header("idempotency-replayed"),
            again.header("idempotency-replayed")
        ),
        (None, Some("true"))
    );
    assert_eq!(again.header("location"), first.header("location"));
    assert_eq!(again.header("content-type"), Some("application/json"));
    let other = world
        .post(
            r#"{"target_company":"Other"}"#,
            &[("idempotency-key", "order-1")],
        )
        .await;
    assert_eq!(other.error(), (409, "idempotency_key_reused".to_owned()));
    world.clock.advance(Duration::from_secs(24 * 60 * 60));
    let late = world.post(BODY, &[("idempotency-key", "order-1")]).await;
    assert_ne!(
        late.json()["id"],
        first.json()["id"],
        "a key is free again after 24 hours"
    );
}

#[tokio::test]
async fn an_empty_key_is_no_key() {
    let world = World::start().await;
    for key in ["", "\"\"", " "] {
        let refused = world.post(BODY, &[("idempotency-key", key)]).await;
        assert_eq!(
            refused.error(),
            (400, "invalid_request".to_owned()),
            "{key:?}"
        );
    }
}

#[tokio::test]
async fn a_refused_request_leaves_its_key_free() {
    let world = World::start().await;
    assert_eq!(
        world
            .post("{}", &[("idempotency-key", "k")])
            .await
            .error()
            .0,
        422
    );
    let accepted = world.post(BODY, &[("idempotency-key", "k")]).await;
    assert_eq!(
        (
            accepted.status.as_u16(),
            accepted.header("idempotency-replayed")
        ),
        (202, None)
    );
}

#[tokio::test]
async fn malformed_is_400() {
    let world = World::start().await;
    let invalid = "invalid_request".to_owned();
    let deep = "[".repeat(10_000);
    // Each number would be a violation of its own and use memory.
    let many = format!("{{\"sections\":[{}1]}}", "1,".repeat(500_000));
    let bodies: [&[u8]; 8] = [
        b"",
        b"{",
        b"{\"a\":\"\xff\"}",
        b"{\"a\":1,\"a\":2}",
        b"{\"a\":\"\\u0000\"}",
        deep.as_bytes(),
        many.as_bytes(),
        b"{} {}",
    ];
    for body in bodies {
        assert_eq!(
            world.post(body.to_vec(), &[]).await.error(),
            (400, invalid.clone())
        );
    }
    for headers in [
        [("content-type", "text/plain")],
        [("content-encoding", "gzip")],
        [("idempotency-key", "")],
        [("idempotency-key", "a b")],
        [("x-request-id", "-bad")],
    ] {
        assert_eq!(
            world.post(BODY, &headers).await.error(),
            (400, invalid.clone()),
            "{headers:?}"
        );
    }
}

#[tokio::test]
async fn all_violations_come_at_once() {
    let world = World::start().await;
    let answer = world
        .post(r#"{"target_company":"","tone":"loud","colour":1}"#, &[])
        .await;
    assert_eq!(answer.error(), (422, "invalid_request".to_owned()));
    let violations = answer.json()["error"]["details"]["violations"].clone();
    let mut pointers: Vec<&str> = violations
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v["pointer"].as_str().unwrap())
        .collect();
    pointers.sort_unstable();
    assert_eq!(pointers, ["/colour", "/target_company", "/tone"]);
    let envelope = gtm_api::openapi()["components"]["schemas"]["ErrorEnvelope"].clone();
    jsonschema::draft202012::new(&envelope)
        .unwrap()
        .validate(&answer.json())
        .unwrap();
}

#[tokio::test]
async fn a_body_over_the_limit_is_413_whether_it_says_so_or_not() {
    let world = World::with(ApiConfig {
        body_limit: 1000,
        ..ApiConfig::default()
    })
    .await;
    let large = format!("{{\"target_company\":\"{}\"}}", "a".repeat(2000));
    let announced = world
        .post(large.clone(), &[("content-length", "2021")])
        .await;
    assert_eq!(announced.error(), (413, "invalid_request".to_owned()));
    assert_eq!(world.post(large, &[]).await.error().0, 413);
    assert_eq!(world.post("a".repeat(20_000), &[]).await.error().0, 413);
}

#[tokio::test]
async fn a_body_that_does_not_come_is_408() {
    let world = World::with(ApiConfig {
        body_timeout: Duration::from_millis(30),
        ..ApiConfig::default()
    })
    .await;
    assert_eq!(
        world.post(Body::new(NeverBody), &[]).await.error(),
        (408, "invalid_request".to_owned())
    );
}

#[tokio::test]
async fn a_brand_that_does_not_exist_is_404() {
    let world = World::start().await;
    let answer = world
        .post(
            r#"{"target_company":"Acme","brand_profile_key":"main"}"#,
            &[],
        )
        .await;
    assert_eq!(answer.error(), (404, "brand_profile_not_found".to_owned()));
}

#[tokio::test]
async fn a_capability_that_is_off_is_403() {
    let config = ApiConfig {
        disabled_capabilities: ["playbooks".to_owned()].into(),
        ..ApiConfig::default()
    };
    let world = World::with(config).await;
    assert_eq!(
        world.post(BODY, &[]).await.error(),
        (403, "capability_disabled".to_owned())
    );
}
