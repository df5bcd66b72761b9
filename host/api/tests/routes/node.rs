//! What needs no key: health, readiness, the API description; and paths that do not exist.

use std::time::{Duration, Instant};

use axum::body::Body;
use gtm_api::ApiConfig;
use gtm_api::server::Peer;
use http::Request;
use serde_json::json;
use tower::ServiceExt as _;

use crate::world::{Answer, World};

async fn plain(world: &World, method: &str, path: &str) -> crate::world::Answer {
    world
        .send(
            Request::builder()
                .method(method)
                .uri(path)
                .body(Body::empty())
                .unwrap(),
        )
        .await
}

#[tokio::test]
async fn health_readiness_and_description() {
    let world = World::start().await;
    let health = plain(&world, "GET", "/healthz").await;
    assert_eq!(
        (health.status.as_u16(), health.json()),
        (200, json!({ "status": "ok" }))
    );
    assert!(
        health
            .header("x-request-id")
            .is_some_and(|id| id.starts_with("req_"))
    );
    assert_eq!(
        plain(&world, "GET", "/readyz").await.json(),
        json!({ "status": "ready" })
    );
    let document = plain(&world, "GET", "/openapi.json").await;
    assert_eq!(
        (document.header("content-type"), document.json()),
        (Some("application/json"), gtm_api::openapi())
    );
    assert_eq!(plain(&world, "GET", "/healthz").await.status, 200);
}

#[tokio::test]
async fn readiness_is_asked_of_the_database_once_a_second() {
    let world = World::start().await;
    let ready = plain(&world, "GET", "/readyz").await.status;
    let asked = Instant::now();
    world.store.close().await;
    let next = plain(&world, "GET", "/readyz").await.status;
    // If the machine stalled meanwhile, this shows nothing.
    if asked.elapsed() < Duration::from_secs(1) {
        assert_eq!((ready.as_u16(), next.as_u16()), (200, 200), "as it was");
    }
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!(
        plain(&world, "GET", "/readyz").await.error(),
        (503, "internal_error".to_owned())
    );
    assert_eq!(plain(&world, "GET", "/healthz").await.status, 200);
}

async fn ready_from(world: &World, peer: &str) -> Answer {
    let request = Request::get("/readyz").extension(Peer(peer.parse().unwrap()));
    world.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn an_address_asks_for_readiness_so_often_and_no_more() {
    let world = World::with(ApiConfig {
        readiness_checks_per_minute: 2,
        ..ApiConfig::default()
    })
    .await;
    for _ in 0..2 {
        assert_eq!(ready_from(&world, "192.0.2.1").await.status, 200);
    }
    let over = ready_from(&world, "192.0.2.1").await;
    assert_eq!(over.error(), (429, "rate_limit_exceeded".to_owned()));
    let wait: u32 = over.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(over.header("ratelimit-limit"), None, "no key's window");
    assert_eq!(ready_from(&world, "192.0.2.2").await.status, 200);
    assert_eq!(plain(&world, "GET", "/healthz").await.status, 200);
}

#[tokio::test]
async fn the_operator_port_tells_health_and_readiness_without_a_limit() {
    let config = ApiConfig {
        readiness_checks_per_minute: 1,
        ..ApiConfig::default()
    };
    let world = World::with(config).await;
    let operators = gtm_api::operator_router(world.api.clone(), || "metrics".to_owned());
    let ask = async |path: &str| {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = operators.clone().oneshot(request).await.unwrap();
        let id = response.headers().contains_key("x-request-id");
        (response.status().as_u16(), id)
    };
    for _ in 0..5 {
        assert_eq!(ask("/readyz").await, (200, true));
        assert_eq!(ask("/healthz").await, (200, true));
    }
    assert_eq!(ask("/metrics").await.0, 200);
    assert_eq!(ask("/v1/jobs").await.0, 404, "the API is elsewhere");
    world.store.close().await;
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!(ask("/readyz").await, (503, true));
    assert_eq!(ask("/healthz").await.0, 200);
}

#[tokio::test]
async fn outside_v1_what_is_not_there_needs_no_key() {
    let world = World::start().await;
    for path in ["/", "/v2/playbooks", "/V1/jobs", "//v1/jobs", "/v1x"] {
        assert_eq!(
            plain(&world, "GET", path).await.error(),
            (404, "not_found".to_owned()),
            "{path}"
        );
    }
    let wrong = plain(&world, "DELETE", "/healthz").await;
    assert_eq!(wrong.error(), (405, "invalid_request".to_owned()));
}

#[tokio::test]
async fn a_known_caller_is_counted_where_no_operation_answers() {
    let world = World::start().await;
    let mut left = 119;
    for path in [
        "/v1",
        "/v1/",
        "/v1/playbooks/",
        "/v1/nothing",
        "/v1/openapi.json",
    ] {
        let nothing = world.get(path).await;
        assert_eq!(nothing.error(), (404, "not_found".to_owned()), "{path}");
        let told = nothing.header("ratelimit-remaining").map(str::to_owned);
        assert_eq!(told, Some(left.to_string()), "{path}");
        left -= 1;
    }
    let wrong = world.get("/v1/playbooks").await;
    assert_eq!(wrong.error(), (405, "invalid_request".to_owned()));
    assert_eq!(
        (wrong.header("allow"), wrong.header("ratelimit-remaining")),
        (Some("POST"), Some(&*left.to_string()))
    );
    assert_eq!(
        world.get("/").await.header("ratelimit-limit"),
        None,
        "keys mean nothing outside /v1"
    );
}

#[tokio::test]
async fn request_ids_are_echoed_or_made() {
    let world = World::start().await;
    let with = |id: &'static str| {
        Request::get("/v1/nothing")
            .header("x-request-id", id)
            .body(Body::empty())
            .unwrap()
    };
    assert_eq!(
        world
            .send(with("trace:1.a-B_2"))
            .await
            .header("x-request-id"),
        Some("trace:1.a-B_2")
    );
    let made = world.send(with("-bad")).await;
    assert!(
        made.header("x-request-id")
            .is_some_and(|id| id.starts_with("req_"))
    );
}

#[tokio::test]
async fn oversized_heads() {
    let world = World::start().await;
    let long = plain(&world, "GET", &format!("/v1/{}", "a".repeat(9000))).await;
    assert_eq!(long.error(), (414, "invalid_request".to_owned()));
    let mut many = Request::get("/healthz");
    for number in 0..70 {
        many = many.header(format!("x-{number}"), "1");
    }
    assert_eq!(
        world.send(many.body(Body::empty()).unwrap()).await.error(),
        (431, "invalid_request".to_owned())
    );
    let large = Request::get("/healthz")
        .header("x-large", "a".repeat(20_000))
        .body(Body::empty())
        .unwrap();
    assert_eq!(world.send(large).await.error().0, 431);
}

/// Every operation of the description refuses a query parameter that it does not have.
#[tokio::test]
async fn unknown_query_parameters_are_refused_everywhere() {
    let world = World::start().await;
    let key = world.new_key("full", None).await;
    let document = gtm_api::openapi();
    let mut checked = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let address = path
                .replace("{job_id}", "job_01jz8q7b0x5f8s1t4v6w9y2a3c")
                .replace("{offer_id}", "offr_01jz8r0a1b2c3d4e5f6g7h8j9k")
                .replace("{specification_id}", "dsp_01jz8q7b0x5f8s1t4v6w9y2a3c")
                .replace("{brand_id}", "brd_01jz8q6t7n4w3r9k2m5x0v1c8d")
                .replace("{revision_id}", "mtr_01jz8q7b0x5f8s1t4v6w9y2a3c")
                .replace("{file_id}", "file_01jz8q7b0x5f8s1t4v6w9y2a3c");
            assert!(!address.contains('{'), "{path}");
            let known: Vec<&str> = operation["parameters"]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|parameter| parameter["in"] == "query")
                .map(|parameter| parameter["name"].as_str().unwrap())
                .collect();
            let request = Request::builder()
                .method(method.to_ascii_uppercase().as_str())
                .uri(format!("{address}?colour=blue"))
                .header("authorization", format!("Bearer {key}"))
                .header("content-type", "application/json");
            let answer = world.send(request.body(Body::from("{}")).unwrap()).await;
            assert_eq!(
                answer.error(),
                (400, "invalid_request".to_owned()),
                "{method} {path}"
            );
            let message = answer.json()["error"]["message"]
                .as_str()
                .unwrap()
                .to_owned();
            assert!(message.contains("colour"), "{message}");
            assert!(known.iter().all(|name| message.contains(name)), "{message}");
            let counted = answer.header("ratelimit-remaining").is_some();
            assert_eq!(
                counted,
                operation.get("security").is_some(),
                "{method} {path}"
            );
            checked += 1;
        }
    }
    assert!(checked > 10, "{checked}");
    let anonymous = Request::get("/v1/jobs?colour=blue")
        .body(Body::empty())
        .unwrap();
    assert_eq!(
        world.send(anonymous).await.error().0,
        401,
        "strangers learn nothing of it"
    );
    let page = Request::get("/docs?colour=blue")
        .body(Body::empty())
        .unwrap();
    assert_eq!(
        world.send(page).await.status.as_u16(),
        200,
        "a page for people"
    );
}
