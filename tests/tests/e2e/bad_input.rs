//! A bad request always gets the error envelope with a specific message, and creates no job.

use gtm_e2e::Database;
use gtm_e2e::fake_site::FakeSite;
use serde_json::json;

use crate::World;

async fn world() -> World {
    World::start(Database::Sqlite, "bad_input", FakeSite::start([]).await)
        .await
        .unwrap()
}

/// The pointers in `error.details.violations`.
fn pointers(answer: &gtm_e2e::client::Answer) -> Vec<String> {
    let json = answer.json();
    let violations = json["error"]["details"]["violations"]
        .as_array()
        .unwrap_or_else(|| panic!("no violations: {json}"));
    for v in violations {
        assert!(
            v["rule"].is_string() && v["message"].as_str().is_some_and(|m| !m.is_empty()),
            "{v}"
        );
    }
    violations
        .iter()
        .map(|v| v["pointer"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_parses_but_breaks_a_rule_is_422_with_every_violation() {
    let world = world().await;
    let cases = [
        (json!({}), ""),
        (
            json!({"target_company": null, "target_company_domain": null}),
            "",
        ),
        (json!({"target_company": ""}), "/target_company"),
        (json!({"target_company": "   "}), "/target_company"),
        (json!({"target_company": "\u{85}"}), "/target_company"),
        (
            json!({"target_company": "\u{feff}\u{a0}"}),
            "/target_company",
        ),
        (json!({"target_company": "Ac\u{9b}me"}), "/target_company"),
        (json!({"target_company": 7}), "/target_company"),
        (
            json!({"target_company": "Acme", "colour": "red"}),
            "/colour",
        ),
        (
            json!({"target_company_domain": "https://example.com"}),
            "/target_company_domain",
        ),
        (
            json!({"target_company_domain": "example.com/about"}),
            "/target_company_domain",
        ),
        (
            json!({"target_company_domain": "example.com:8443"}),
            "/target_company_domain",
        ),
        (
            json!({"target_company_domain": "user@example.com"}),
            "/target_company_domain",
        ),
        (
            json!({"target_company_domain": "127.0.0.1"}),
            "/target_company_domain",
        ),
        (
            json!({"target_company_domain": "2130706433"}),
            "/target_company_domain",
        ),
        (
            json!({"target_company_domain": "[::1]"}),
            "/target_company_domain",
        ),
        (
            json!({"target_company_domain": "localhost"}),
            "/target_company_domain",
        ),
        (
            json!({"target_company_domain": ""}),
            "/target_company_domain",
        ),
        (json!({"target_company": "Acme", "tone": "loud"}), "/tone"),
        (
            json!({"target_company": "Acme", "sections": []}),
            "/sections",
        ),
        (
            json!({"target_company": "Acme", "sections": ["poems"]}),
            "/sections/0",
        ),
        (
            json!({"target_company": "Acme", "sections": "risks"}),
            "/sections",
        ),
        (json!({"target_company": "Acme", "model": "gpt"}), "/model"),
        (json!([1, 2]), ""),
    ];
    for (body, pointer) in cases {
        let answer = world.client.post("/v1/playbooks", &body, None).await;
        assert_eq!(
            answer.status,
            422,
            "{body}: {}",
            String::from_utf8_lossy(&answer.bytes)
        );
        assert_eq!(answer.error_code(), "invalid_request");
        assert!(
            pointers(&answer).contains(&pointer.to_owned()),
            "{body}: {:?}",
            pointers(&answer)
        );
    }
    let both = json!({"target_company": "", "tone": "loud", "colour": 1});
    let answer = world.client.post("/v1/playbooks", &both, None).await;
    assert_eq!(pointers(&answer).len(), 3, "{}", answer.json());
    let jobs = world.gtm.cli(&["job", "list"]);
    assert_eq!(
        jobs["jobs"].as_array().map(Vec::len),
        Some(0),
        "a refused request left a job: {jobs}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn domains_are_brought_to_one_form() {
    let world = world().await;
    for (given, normalized) in [
        ("Example.COM.", "example.com"),
        ("bücher.example", "xn--bcher-kva.example"),
    ] {
        let job = world
            .client
            .create_playbook(&json!({"target_company_domain": given}))
            .await;
        assert_eq!(job["input"]["target_company_domain"], normalized);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_parse_is_400() {
    let world = world().await;
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_member = format!("{{\"target_company\":{deep}}}");
    // The object is the first level, so it contains `levels - 1` nested arrays.
    let nested = |levels: usize| {
        let arrays = levels - 1;
        format!("{{\"a\":{}{}}}", "[".repeat(arrays), "]".repeat(arrays)).into_bytes()
    };
    let cases: [(&str, Vec<u8>); 13] = [
        ("U+0000", b"{\"target_company\":\"a\\u0000b\"}".to_vec()),
        (
            "U+0000 in a name",
            b"{\"target\\u0000company\":\"a\"}".to_vec(),
        ),
        ("no finite number", b"{\"target_company\":1e400}".to_vec()),
        ("one level too many", nested(129)),
        (
            "a byte order mark",
            b"\xef\xbb\xbf{\"target_company\":\"a\"}".to_vec(),
        ),
        ("nothing", vec![]),
        ("half", b"{\"target_company\":".to_vec()),
        (
            "invalid UTF-8",
            b"{\"target_company\":\"\xff\xfe\"}".to_vec(),
        ),
        ("nesting", deep.into_bytes()),
        ("nesting inside", deep_member.into_bytes()),
        (
            "two members of one name",
            b"{\"target_company\":\"a\",\"target_company\":\"b\"}".to_vec(),
        ),
        ("trailing bytes", b"{\"target_company\":\"a\"} x".to_vec()),
        (
            "lone surrogate",
            b"{\"target_company\":\"\\ud800\"}".to_vec(),
        ),
    ];
    for (what, body) in cases {
        let answer = world.client.post_bytes("/v1/playbooks", body, None).await;
        assert_eq!(
            answer.status,
            400,
            "{what}: {}",
            String::from_utf8_lossy(&answer.bytes)
        );
        assert_eq!(answer.error_code(), "invalid_request", "{what}");
    }
    let deepest = world
        .client
        .post_bytes("/v1/playbooks", nested(128), None)
        .await;
    assert_eq!(deepest.status, 422, "as deep as may be, but no such field");
    let text = world
        .client
        .send(
            world
                .client
                .request("POST", "/v1/playbooks")
                .bearer_auth(&world.client.key)
                .header("content-type", "text/plain")
                .body("{}"),
        )
        .await;
    assert_eq!(
        (text.status, text.error_code().as_str()),
        (400, "invalid_request")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_of_ten_megabytes_is_refused_in_the_envelope() {
    let world = world().await;
    let body = format!("{{\"target_company\":\"{}\"}}", "a".repeat(10 << 20));
    let answer = world
        .client
        .post_bytes("/v1/playbooks", body.into_bytes(), None)
        .await;
    assert_eq!(answer.status, 413);
    assert_eq!(answer.error_code(), "invalid_request");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_and_routes_answer_inside_the_envelope() {
    let world = world().await;
    let c = &world.client;
    let echoed = c
        .send(
            c.request("GET", "/v1/jobs/job_x")
                .bearer_auth(&c.key)
                .header("x-request-id", "trace:1.a-B_2"),
        )
        .await;
    assert_eq!(
        (echoed.status, echoed.error_code().as_str()),
        (404, "not_found")
    );
    assert_eq!(echoed.header("x-request-id"), Some("trace:1.a-B_2"));
    let odd = c
        .send(
            c.request("GET", "/v1/jobs/job_x")
                .bearer_auth(&c.key)
                .header("x-request-id", "-bad"),
        )
        .await;
    assert_eq!(
        (odd.status, odd.error_code().as_str()),
        (400, "invalid_request")
    );
    let unknown = c.get("/v1/nothing-here").await;
    assert_eq!(
        (unknown.status, unknown.error_code().as_str()),
        (404, "not_found")
    );
    let method = c
        .send(c.request("DELETE", "/v1/playbooks").bearer_auth(&c.key))
        .await;
    assert_eq!(method.status, 405);
    method.error_code();
    for idempotency_key in ["", "has space", "ümlaut", &"k".repeat(256)] {
        let request = c
            .request("POST", "/v1/playbooks")
            .bearer_auth(&c.key)
            .header("content-type", "application/json");
        let Ok(value) = reqwest::header::HeaderValue::from_bytes(idempotency_key.as_bytes()) else {
            continue;
        };
        let answer = c
            .send(
                request
                    .header("idempotency-key", value)
                    .body("{\"target_company\":\"Acme\"}"),
            )
            .await;
        assert_eq!(
            (answer.status, answer.error_code().as_str()),
            (400, "invalid_request"),
            "{idempotency_key:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_that_do_not_fit_are_told_apart() {
    let world = world().await;
    let c = &world.client;
    let missing = c.send(c.request("GET", "/v1/jobs/x")).await;
    assert_eq!(
        (missing.status, missing.error_code().as_str()),
        (401, "missing_api_key")
    );
    let basic = c
        .send(
            c.request("GET", "/v1/jobs/x")
                .header("authorization", "Basic YTpi"),
        )
        .await;
    assert_eq!(
        (basic.status, basic.error_code().as_str()),
        (401, "missing_api_key")
    );
    for key in ["nonsense", "gtm_k1_short", &format!("{}x", c.key)] {
        let answer = c
            .send(c.request("GET", "/v1/jobs/x").bearer_auth(key))
            .await;
        assert_eq!(
            (answer.status, answer.error_code().as_str()),
            (401, "invalid_api_key"),
            "{key}"
        );
    }
    let limited = world.gtm.cli(&[
        "key",
        "create",
        "--project",
        &world.tenant.project,
        "reader",
        "--scopes",
        "read_only",
    ]);
    let reader = gtm_e2e::client::Client::new(&c.base, limited["secret"].as_str().unwrap());
    let answer = reader
        .post("/v1/playbooks", &json!({"target_company": "Acme"}), None)
        .await;
    assert_eq!(
        (answer.status, answer.error_code().as_str()),
        (403, "forbidden")
    );
    world
        .gtm
        .cli(&["key", "revoke", limited["id"].as_str().unwrap()]);
    let answer = reader.get("/v1/jobs/x").await;
    // A revoked key may stay valid while the key cache holds it: five seconds at most.
    if answer.status != 401 {
        tokio::time::sleep(std::time::Duration::from_secs(6)).await;
    }
    let answer = reader.get("/v1/jobs/x").await;
    assert_eq!(
        (answer.status, answer.error_code().as_str()),
        (401, "invalid_api_key")
    );
    world
        .gtm
        .cli(&["project", "archive", &world.tenant.project]);
    tokio::time::sleep(std::time::Duration::from_secs(6)).await;
    let answer = c.get("/v1/jobs/x").await;
    assert_eq!(
        (answer.status, answer.error_code().as_str()),
        (403, "project_archived")
    );
}
