//! Every guarded operation of the OpenAPI document, without a key and with keys that lack a permission. The
//! matrix covers new operations automatically.

use std::time::Duration;

use axum::body::Body;
use gtm_api::ApiConfig;
use gtm_domain::Permissions;
use http::Request;
use serde_json::Value;

use crate::world::{Answer, World};

mod abandoned;
mod guesses;

/// Method and path of every guarded operation, with an id that does not exist.
fn guarded() -> Vec<(String, String)> {
    let document = gtm_api::openapi();
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if operation.get("security").is_some() {
                found.push((
                    method.to_uppercase(),
                    path.replace("{job_id}", "job_01jz8q7b0x5f8s1t4v6w9y2a3c")
                        .replace("{offer_id}", "offr_01jz8r0a1b2c3d4e5f6g7h8j9k")
                        .replace("{revision_id}", "mtr_01jz9a0b1c2d3e4f5g6h7j8k9m")
                        .replace("{specification_id}", "dsp_01jz9d0a1b2c3d4e5f6g7h8j9k")
                        .replace("{brand_id}", "brd_01jz8q6t7n4w3r9k2m5x0v1c8d")
                        .replace("{file_id}", "file_01jz8q7b0x5f8s1t4v6w9y2a3c"),
                ));
            }
        }
    }
    assert!(
        found.len() >= 4 && found.iter().all(|(_, path)| !path.contains('{')),
        "{found:?}"
    );
    found
}

async fn ask(world: &World, method: &str, path: &str, authorization: Option<&str>) -> Answer {
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header("content-type", "application/json");
    if let Some(value) = authorization {
        request = request.header("authorization", value);
    }
    world.send(request.body(Body::from("{}")).unwrap()).await
}

#[tokio::test]
async fn nothing_is_served_without_a_fitting_key() {
    let world = World::start().await;
    let expired = world
        .new_key(
            "full",
            Some(world.clock_now().plus(Duration::from_secs(60))),
        )
        .await;
    let powerless = world.new_key("webhooks:manage", None).await;
    world.clock.advance(Duration::from_secs(120));
    let mistyped = format!("Bearer {}x", world.key);
    let unknown = "Bearer gtm_k1_000000000000_0000000000000000000000000000000000000000000_000000";
    let (expired, powerless) = (format!("Bearer {expired}"), format!("Bearer {powerless}"));
    for (method, path) in guarded() {
        for (authorization, want) in [
            (None, (401, "missing_api_key")),
            (Some("Basic YTpi"), (401, "missing_api_key")),
            (Some("Bearer "), (401, "missing_api_key")),
            (Some("Bearer nonsense"), (401, "invalid_api_key")),
            (Some(mistyped.as_str()), (401, "invalid_api_key")),
            (Some(unknown), (401, "invalid_api_key")),
            (Some(expired.as_str()), (401, "expired_api_key")),
            (Some(powerless.as_str()), (403, "forbidden")),
        ] {
            let answer = ask(&world, &method, &path, authorization).await;
            let (status, code) = answer.error();
            assert_eq!(
                (status, code.as_str()),
                want,
                "{method} {path} {authorization:?}"
            );
            assert_eq!(
                answer.header("www-authenticate"),
                (status == 401).then_some("Bearer")
            );
            assert_eq!(
                answer.header("ratelimit-limit").is_some(),
                status == 403,
                "only those who authenticate are counted"
            );
        }
    }
}

/// The key is checked first even if no operation answers the path and method.
#[tokio::test]
async fn whatever_the_path_and_method_a_key_is_asked_for_first() {
    let world = World::start().await;
    let operator = world.store.operator();
    let expired = world
        .new_key(
            "full",
            Some(world.clock_now().plus(Duration::from_secs(60))),
        )
        .await;
    let full = Permissions::parse("full").unwrap();
    let (record, revoked) = operator
        .create_key(world.project, "k", full, None)
        .await
        .unwrap();
    operator.revoke_key(record.id).await.unwrap();
    let of_another = world.stranger().await;
    operator.archive_project(world.project).await.unwrap();
    world.clock.advance(Duration::from_secs(120));
    let bearer = |key: &str| format!("Bearer {key}");
    let keys = [
        (None, Some((401, "missing_api_key"))),
        (
            Some("Basic YTpi".to_owned()),
            Some((401, "missing_api_key")),
        ),
        (Some(bearer("nonsense")), Some((401, "invalid_api_key"))),
        (
            Some(bearer(&revoked.reveal())),
            Some((401, "invalid_api_key")),
        ),
        (Some(bearer(&expired)), Some((401, "expired_api_key"))),
        (Some(bearer(&world.key)), Some((403, "project_archived"))),
        (Some(bearer(&of_another)), None),
    ];
    for (method, path, unserved) in [
        ("GET", "/v1/jobs", 0),
        ("GET", "/v1", 404),
        ("GET", "/v1/", 404),
        ("HEAD", "/v1/nothing", 404),
        ("POST", "/v1/nothing/at/all", 404),
        ("GET", "/v1/playbooks/", 404),
        ("GET", "/v1/%70laybooks", 404),
        ("GET", "/v1/../healthz", 404),
        ("GET", "/v1/openapi.json", 404),
        ("DELETE", "/v1/playbooks", 405),
        ("OPTIONS", "/v1/jobs", 405),
        ("PURGE", "/v1/usage", 405),
    ] {
        for (authorization, refused) in &keys {
            let answer = ask(&world, method, path, authorization.as_deref()).await;
            let at = format!("{method} {path} {authorization:?}");
            let Some((status, code)) = refused else {
                let wanted = if unserved == 0 { 200 } else { unserved };
                assert_eq!(answer.status.as_u16(), wanted, "{at}");
                continue;
            };
            assert_eq!(answer.status.as_u16(), *status, "{at}");
            if method != "HEAD" {
                assert_eq!(answer.error().1, *code, "{at}");
            }
            assert_eq!(
                answer.header("www-authenticate"),
                (*status == 401).then_some("Bearer"),
                "{at}"
            );
        }
    }
}

/// A malformed request id is reported to callers with a key and within their limit, on every path under
/// `/v1`, whether an operation answers there or not.
#[tokio::test]
async fn a_malformed_request_id_is_told_after_the_key_and_before_all_else() {
    let world = World::limited(100, ApiConfig::default()).await;
    let in_a_minute = world.clock_now().plus(Duration::from_secs(60));
    let expired = world.new_key("full", Some(in_a_minute)).await;
    let powerless = world.new_key("webhooks:manage", None).await;
    let exhausted = world.new_key("full", None).await;
    let operator = world.store.operator();
    let elsewhere = operator.create_organization("Other").await.unwrap();
    let archived = operator.create_project(elsewhere.id, "main").await.unwrap();
    let full = Permissions::parse("full").unwrap();
    let (_, of_archived) = operator
        .create_key(archived.id, "k", full, None)
        .await
        .unwrap();
    let of_archived = of_archived.reveal();
    operator.archive_project(archived.id).await.unwrap();
    world.clock.advance(Duration::from_secs(120));
    while world.get_as("/v1/usage", &exhausted).await.status != 429 {}
    let keys = [
        (None, (401, "missing_api_key")),
        (Some("nonsense"), (401, "invalid_api_key")),
        (Some(expired.as_str()), (401, "expired_api_key")),
        (Some(of_archived.as_str()), (403, "project_archived")),
        (Some(exhausted.as_str()), (429, "rate_limit_exceeded")),
        (Some(powerless.as_str()), (400, "invalid_request")),
        (Some(world.key.as_str()), (400, "invalid_request")),
    ];
    let mut requests = guarded();
    for (method, path) in [
        ("GET", "/v1"),
        ("GET", "/v1/"),
        ("GET", "/v1/nothing"),
        ("POST", "/v1/nothing/at/all?a=b"),
        ("GET", "/v1/openapi.json"),
        ("GET", "/v1/jobs?no_such_parameter=1"),
        ("GET", "/v1/jobs/not-an-id"),
        ("DELETE", "/v1/playbooks"),
        ("OPTIONS", "/v1/jobs"),
        ("PURGE", "/v1/usage"),
    ] {
        requests.push((method.to_owned(), path.to_owned()));
    }
    let ask = async |method: &str, path: &str, key: Option<&str>, ids: &[&str]| {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(key) = key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        for id in ids {
            request = request.header("x-request-id", *id);
        }
        world.send(request.body(Body::empty()).unwrap()).await
    };
    for (method, path) in &requests {
        for (key, (status, code)) in keys {
            for ids in [&["-bad"][..], &["a", "b"]] {
                let answer = ask(method, path, key, ids).await;
                let at = format!("{method} {path} {key:?} {ids:?}");
                assert_eq!(answer.error(), (status, code.to_owned()), "{at}");
                let own = answer.header("x-request-id").unwrap();
                assert!(own.starts_with("req_"), "{at}: {own}");
            }
        }
    }
    // Without a key check, an unusable request id is no error.
    for (path, status) in [("/healthz", 200), ("/nothing", 404), ("/v10", 404)] {
        let answer = ask("GET", path, None, &["-bad"]).await;
        assert_eq!(answer.status.as_u16(), status, "{path}");
    }
}

async fn usage_with(world: &World, key: &str, peer: &str) -> Answer {
    usage_from(world, key, peer, &[]).await
}

#[tokio::test]
async fn a_revoked_key_and_an_archived_project() {
    let world = World::start().await;
    let operator = world.store.operator();
    let path = "/v1/jobs/x";
    assert_eq!(world.get(path).await.error().0, 404);
    let (record, other) = operator
        .create_key(
            world.project,
            "k",
            Permissions::parse("full").unwrap(),
            None,
        )
        .await
        .unwrap();
    let other = other.reveal();
    operator.revoke_key(record.id).await.unwrap();
    world.clock.advance(Duration::from_secs(6));
    assert_eq!(
        world.get_as(path, &other).await.error(),
        (401, "invalid_api_key".to_owned())
    );
    operator.archive_project(world.project).await.unwrap();
    world.clock.advance(Duration::from_secs(6));
    assert_eq!(
        world.get(path).await.error(),
        (403, "project_archived".to_owned())
    );
}

#[tokio::test]
async fn an_archived_organization_archives_its_projects_keys() {
    let world = World::start().await;
    let stranger = world.stranger().await;
    let operator = world.store.operator();
    operator
        .archive_organization(world.organization)
        .await
        .unwrap();
    let answer = world.get("/v1/jobs/x").await;
    assert_eq!(answer.error(), (403, "project_archived".to_owned()));
    assert_eq!(answer.header("ratelimit-remaining"), Some("119"));
    assert_eq!(world.get_as("/v1/jobs/x", &stranger).await.error().0, 404);
}

#[tokio::test]
async fn problem_details_say_the_same() {
    let world = World::start().await;
    let request = Request::get("/v1/jobs/x")
        .header("accept", "application/problem+json")
        .header("x-request-id", "trace-1");
    let answer = world.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(
        answer.header("content-type"),
        Some("application/problem+json")
    );
    let problem = answer.json();
    assert_eq!(
        (problem["status"].as_u64(), problem["code"].as_str()),
        (Some(401), Some("missing_api_key"))
    );
    assert_eq!(problem["instance"], "urn:request:trace-1");
    assert_eq!(problem["error"], Value::Null);
    let schema = gtm_api::openapi()["components"]["schemas"]["Problem"].clone();
    jsonschema::draft202012::new(&schema)
        .unwrap()
        .validate(&problem)
        .unwrap();
}

/// A key that is restricted to 198.51.100.0/24, and what a request with it gets.
async fn restricted(world: &World) -> String {
    let terms = gtm_domain::key_record::KeyTerms {
        name: "k".to_owned(),
        permissions: Permissions::parse("full").unwrap(),
        expires_at: None,
        requests_per_minute: None,
        allowed_cidrs: vec!["198.51.100.0/24".parse().unwrap()].into(),
    };
    let operator = world.store.operator();
    let (_, secret) = operator.issue_key(world.project, terms).await.unwrap();
    secret.reveal()
}

async fn usage_from(world: &World, key: &str, peer: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::get("/v1/usage")
        .header("authorization", format!("Bearer {key}"))
        .extension(gtm_api::server::Peer(peer.parse().unwrap()));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    world.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_key_is_refused_from_other_addresses_and_the_request_counts() {
    let world = World::start().await;
    let key = restricted(&world).await;
    let spoofed = [
        ("x-forwarded-for", "198.51.100.7"),
        ("forwarded", "for=198.51.100.7"),
    ];
    for (peer, headers, want) in [
        ("198.51.100.7", &[][..], 200),
        ("::ffff:198.51.100.7", &[], 200),
        ("203.0.113.1", &[], 403),
        ("203.0.113.1", &spoofed, 403),
        ("203.0.113.1", &spoofed[..1], 403),
        ("127.0.0.1", &spoofed[1..], 403),
    ] {
        let answer = usage_from(&world, &key, peer, headers).await;
        assert_eq!(answer.status.as_u16(), want, "{peer} {headers:?}");
        if want == 403 {
            assert_eq!(answer.error(), (403, "forbidden".to_owned()));
        }
    }
    let last = usage_from(&world, &key, "203.0.113.1", &[]).await;
    assert_eq!(
        last.header("ratelimit-remaining"),
        Some("113"),
        "all are counted"
    );
    // A request whose peer address is unknown.
    assert_eq!(world.get_as("/v1/usage", &key).await.error().0, 403);
    assert_eq!(world.get("/v1/usage").await.status.as_u16(), 200);
}

#[tokio::test]
async fn behind_a_trusted_proxy_the_client_counts() {
    let config = ApiConfig {
        trusted_proxies: vec!["10.0.0.0/8".parse().unwrap()].into(),
        ..ApiConfig::default()
    };
    let world = World::with(config).await;
    let key = restricted(&world).await;
    for (peer, header, want) in [
        ("10.0.0.1", ("x-forwarded-for", "198.51.100.7"), 200),
        (
            "10.0.0.1",
            ("x-forwarded-for", "203.0.113.1, 198.51.100.7, 10.0.0.2"),
            200,
        ),
        (
            "10.0.0.1",
            ("x-forwarded-for", "198.51.100.7, 203.0.113.1"),
            403,
        ),
        (
            "10.0.0.1",
            ("forwarded", "for=198.51.100.7;proto=https"),
            200,
        ),
        ("10.0.0.1", ("forwarded", "for=unknown"), 403),
        ("10.0.0.1", ("accept", "*/*"), 403),
        ("203.0.113.1", ("x-forwarded-for", "198.51.100.7"), 403),
    ] {
        let answer = usage_from(&world, &key, peer, &[header]).await;
        assert_eq!(answer.status.as_u16(), want, "{peer} {header:?}");
    }
}
