//! The contract of every operation, driven by the description that the server itself serves. A new operation
//! is covered at once; one that this matrix cannot exercise fails the test.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use gtm_domain::ApiKeySecret;
use gtm_e2e::Database;
use gtm_e2e::client::{Answer, Client};
use gtm_e2e::fake_site::FakeSite;
use gtm_e2e::tenant::Tenant;
use serde_json::{Value, json};

use crate::{World, on_both_engines};

/// The error codes of the specification that any operation may return without a provider, copied by hand, and
/// HTTP's own statuses (decision 0004).
const TABLE: [(u16, &[&str]); 13] = [
    (
        400,
        &[
            "invalid_request",
            "invalid_cursor",
            "brand_profile_mismatch",
        ],
    ),
    (
        401,
        &["missing_api_key", "invalid_api_key", "expired_api_key"],
    ),
    (402, &["insufficient_credits"]),
    (
        403,
        &["forbidden", "project_archived", "capability_disabled"],
    ),
    (
        404,
        &["not_found", "result_unavailable", "brand_profile_not_found"],
    ),
    (405, &["invalid_request"]),
    (
        409,
        &[
            "not_ready",
            "idempotency_key_reused",
            "idempotency_in_progress",
            "missing_default_brand_profile",
        ],
    ),
    (410, &["job_expired"]),
    (413, &["invalid_request"]),
    (422, &["invalid_request"]),
    (
        429,
        &["rate_limit_exceeded", "quota_exceeded", "budget_exceeded"],
    ),
    (500, &["internal_error"]),
    (503, &["internal_error"]),
];
const METHODS: [&str; 7] = ["get", "head", "post", "put", "patch", "delete", "options"];
const RATE_HEADERS: [&str; 3] = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"];

struct Operation {
    id: String,
    method: String,
    path: String,
    secured: bool,
    body: Option<Value>,
}

/// An example request body: the document's own, or one written here.
fn example(id: &str, operation: &Value, document: &Value) -> Option<Value> {
    let content = operation.pointer("/requestBody/content/application~1json")?;
    let named = content["schema"]["$ref"].as_str();
    let schema = named.and_then(|name| document.pointer(name.trim_start_matches('#')));
    let own = [
        content.get("example"),
        content["examples"]
            .as_object()
            .and_then(|all| all.values().next()?.get("value")),
        schema.and_then(|schema| schema["examples"].get(0)),
        schema.and_then(|schema| schema.get("example")),
    ];
    if id == "create_playbook_v1_playbooks_post" {
        return Some(json!({"target_company": "Acme"}));
    }
    let found = own.into_iter().flatten().next().cloned();
    Some(found.unwrap_or_else(|| panic!("{id}: no example of its body; teach the matrix one")))
}

fn operations(document: &Value) -> Vec<Operation> {
    let mut found = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            if !METHODS.contains(&method.as_str()) {
                continue;
            }
            let id = operation["operationId"].as_str().unwrap().to_owned();
            found.push(Operation {
                body: example(&id, operation, document),
                secured: operation["security"]
                    .as_array()
                    .is_some_and(|s| !s.is_empty()),
                method: method.to_uppercase(),
                path: path.clone(),
                id,
            });
        }
    }
    found
}

/// A path with its parameters filled in: `job` for jobs, IDs that do not exist for everything else.
fn filled(path: &str, job: &str) -> String {
    const NOTHING: &str = "01jz8q7b0x5f8s1t4v6w9y2a3c";
    let prefixes = BTreeMap::from([
        ("connection_id", "conn"),
        ("specification_id", "dsp"),
        ("brand_id", "brd"),
        ("offer_id", "offr"),
        ("revision_id", "mtr"),
        ("file_id", "file"),
    ]);
    let segment = |part: &str| {
        let Some(name) = part.strip_prefix('{').and_then(|p| p.strip_suffix('}')) else {
            return part.to_owned();
        };
        match (name, prefixes.get(name)) {
            ("job_id", _) => job.to_owned(),
            (_, Some(prefix)) => format!("{prefix}_{NOTHING}"),
            _ => panic!("{path}: what is {name}? teach the matrix"),
        }
    };
    path.split('/').map(segment).collect::<Vec<_>>().join("/")
}

struct Matrix {
    world: World,
    /// Several keys, so that none reaches its rate limit.
    keys: Vec<String>,
    next: AtomicUsize,
    job: String,
}

impl Matrix {
    fn key(&self) -> &str {
        let n = self.next.fetch_add(1, Ordering::SeqCst);
        &self.keys[n % self.keys.len()]
    }

    async fn ask(
        &self,
        operation: &Operation,
        path: &str,
        key: Option<&str>,
        change: impl FnOnce(reqwest::RequestBuilder) -> reqwest::RequestBuilder,
    ) -> Answer {
        let client = &self.world.client;
        let mut request = client.request(&operation.method, path);
        if let Some(key) = key {
            request = request.bearer_auth(key);
        }
        if let Some(body) = &operation.body {
            let text = serde_json::to_vec(body).unwrap();
            request = request
                .header("content-type", "application/json")
                .body(text);
        }
        client.send(change(request)).await
    }
}

/// Checks the error envelope, the code and its status, and the headers that an error must have.
fn is_error(what: &str, answer: &Answer, status: u16, code: &str, known_caller: bool) {
    let shown = String::from_utf8_lossy(&answer.bytes);
    assert_eq!(
        (answer.status, answer.error_code().as_str()),
        (status, code),
        "{what}: {shown}"
    );
    let listed = TABLE
        .iter()
        .any(|(s, codes)| *s == status && codes.contains(&code));
    assert!(listed, "{what}: {status} {code} is not in the table");
    let docs = answer.json()["error"]["docs_url"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(docs.ends_with(&format!("#{code}")), "{what}: {docs}");
    let retry = answer.header("retry-after").is_some();
    assert_eq!(retry, code == "rate_limit_exceeded", "{what}");
    has_rate(what, answer, known_caller);
    for leak in ["sqlx", "SELECT", "panicked", ".rs:", "/root", "/tmp"] {
        assert!(!shown.contains(leak), "{what}: {shown}");
    }
}

fn has_rate(what: &str, answer: &Answer, known_caller: bool) {
    for name in RATE_HEADERS {
        let value = answer.header(name).map(|v| v.parse::<u64>().is_ok());
        assert_eq!(value, known_caller.then_some(true), "{what}: {name}");
    }
}

fn without_request_id(answer: &Answer) -> Value {
    let mut json = answer.json();
    json["error"]["request_id"] = Value::Null;
    json
}

async fn every_operation_keeps_the_contract(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, FakeSite::start([]).await).await else {
        return;
    };
    let document = world.client.get("/openapi.json").await.json();
    let project = world.tenant.project.clone();
    let new_key = |project: &str, more: &[&str]| {
        let arguments = [&["key", "create", "--project", project, "matrix"], more].concat();
        let made = world.gtm.cli(&arguments);
        let text = |name: &str| made[name].as_str().unwrap().to_owned();
        (text("id"), text("secret"))
    };
    let keys = (0..8)
        .map(|_| new_key(&project, &["--scopes", "full"]).1)
        .collect();
    let powerless = new_key(&project, &["--scopes", "webhooks:manage"]).1;
    let expired = new_key(&project, &["--expires-in", "1s"]).1;
    let (revoked_id, revoked) = new_key(&project, &[]);
    world.gtm.cli(&["key", "revoke", &revoked_id]);
    let new_project = |name: &str| {
        let made = world.gtm.cli(&[
            "project",
            "create",
            "--org",
            &world.tenant.organization,
            name,
        ]);
        made["id"].as_str().unwrap().to_owned()
    };
    let sibling = new_key(&new_project("sibling"), &["--scopes", "full"]).1;
    let closed_project = new_project("closed");
    let archived = new_key(&closed_project, &[]).1;
    world.gtm.cli(&["project", "archive", &closed_project]);
    let other = Tenant::create(&world.gtm, "Other");
    let stranger = new_key(&other.project, &["--scopes", "full"]).1;
    let unknown = ApiKeySecret::from_entropy(&[1; 9], &[2; 32]).reveal();
    let job = world
        .client
        .create_playbook(&json!({"target_company": "Acme"}))
        .await;
    let job = job["id"].as_str().unwrap().to_owned();
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;

    let all = operations(&document);
    assert!(all.iter().filter(|o| o.secured).count() >= 4);
    let matrix = Matrix {
        world,
        keys,
        next: AtomicUsize::new(0),
        job,
    };
    for operation in &all {
        let what = operation.id.as_str();
        let path = filled(&operation.path, &matrix.job);
        let plain = |r: reqwest::RequestBuilder| r;
        if !operation.secured {
            let answer = matrix.ask(operation, &path, None, plain).await;
            assert_eq!(answer.status, 200, "{what}");
            assert!(answer.header("x-request-id").is_some(), "{what}");
            has_rate(what, &answer, false);
            continue;
        }
        let good = matrix
            .ask(operation, &path, Some(matrix.key()), plain)
            .await;
        let served = good.status < 300;
        // The world's organization has no brand, and no document is made without one.
        let brandless = what == "create_document_job_v1_documents_post";
        if brandless {
            is_error(what, &good, 409, "missing_default_brand_profile", true);
        }
        let served = served || brandless;
        assert!(served || good.status == 404, "{what}: {}", good.status);
        // The matrix's job is a playbook, which has no candidates.
        let has_none = path.ends_with("/candidates");
        assert!(
            served || has_none || path.contains("01jz8q7b0x"),
            "{what}: its own resource is not found"
        );
        has_rate(what, &good, true);
        assert!(good.header("retry-after").is_none(), "{what}");

        for (key, status, code) in [
            (None, 401, "missing_api_key"),
            (Some("nonsense"), 401, "invalid_api_key"),
            (Some(unknown.as_str()), 401, "invalid_api_key"),
            (Some(revoked.as_str()), 401, "invalid_api_key"),
            (Some(expired.as_str()), 401, "expired_api_key"),
        ] {
            let answer = matrix.ask(operation, &path, key, plain).await;
            is_error(what, &answer, status, code, false);
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{what}");
        }
        let answer = matrix.ask(operation, &path, Some(&powerless), plain).await;
        is_error(what, &answer, 403, "forbidden", true);
        let answer = matrix.ask(operation, &path, Some(&archived), plain).await;
        assert_eq!(
            (answer.status, answer.error_code().as_str()),
            (403, "project_archived")
        );

        if operation.path.contains("{job_id}") {
            let nothing = filled(&operation.path, "job_01jz8q7b0x5f8s1t4v6w9y2a3c");
            let absent = matrix
                .ask(operation, &nothing, Some(matrix.key()), plain)
                .await;
            is_error(what, &absent, 404, "not_found", true);
            for key in [&sibling, &stranger] {
                let foreign = matrix.ask(operation, &path, Some(key), plain).await;
                is_error(what, &foreign, 404, "not_found", true);
                assert_eq!(
                    without_request_id(&foreign),
                    without_request_id(&absent),
                    "{what}"
                );
                assert_eq!(foreign.bytes.len(), absent.bytes.len(), "{what}");
            }
        }
        for id in ["-bad", "a b", "a/b", &"x".repeat(129), "caf\u{e9}"] {
            let value = reqwest::header::HeaderValue::from_bytes(id.as_bytes()).unwrap();
            let bad = |r: reqwest::RequestBuilder| r.header("x-request-id", value);
            let answer = matrix.ask(operation, &path, Some(matrix.key()), bad).await;
            is_error(what, &answer, 400, "invalid_request", true);
            assert!(
                answer.header("x-request-id").unwrap().starts_with("req_"),
                "{what}"
            );
        }
        let two =
            |r: reqwest::RequestBuilder| r.header("x-request-id", "a").header("x-request-id", "b");
        let answer = matrix.ask(operation, &path, Some(matrix.key()), two).await;
        is_error(what, &answer, 400, "invalid_request", true);
        let longest = "x".repeat(128);
        let echoed = |r: reqwest::RequestBuilder| r.header("x-request-id", &longest);
        let answer = matrix
            .ask(operation, &path, Some(matrix.key()), echoed)
            .await;
        assert_eq!(
            answer.header("x-request-id"),
            Some(longest.as_str()),
            "{what}"
        );
        assert_eq!(answer.status, good.status, "{what}");

        // An unknown parameter is refused or has no effect.
        let odd = format!("{path}?no_such_parameter=1");
        let answer = matrix.ask(operation, &odd, Some(matrix.key()), plain).await;
        if answer.status != good.status {
            is_error(what, &answer, 400, "invalid_request", true);
        }
        if operation.body.is_some() {
            broken_bodies(&matrix, operation, &path).await;
        }
        if operation.method == "GET" {
            let client = &matrix.world.client;
            let head = client.request("HEAD", &path).bearer_auth(matrix.key());
            let head = client.send(head).await;
            assert_eq!((head.status, head.bytes.len()), (good.status, 0), "{what}");
            has_rate(what, &head, true);
        }
    }
    wrong_methods(&matrix, &all).await;
}
on_both_engines!(matrix, super::every_operation_keeps_the_contract);

async fn broken_bodies(matrix: &Matrix, operation: &Operation, path: &str) {
    let what = operation.id.as_str();
    let cases: [(&str, Vec<u8>, u16); 8] = [
        ("text/plain", b"{}".to_vec(), 400),
        ("application/x-www-form-urlencoded", b"a=b".to_vec(), 400),
        ("application/json; charset=latin1", b"{}".to_vec(), 400),
        ("application/json", b"".to_vec(), 400),
        ("application/json", b"{\"a\":".to_vec(), 400),
        ("application/json", b"{\"a\":1,\"a\":2}".to_vec(), 400),
        ("application/json", b"[]".to_vec(), 422),
        ("application/json", vec![b' '; (1 << 20) + 1], 413),
    ];
    for (media_type, body, status) in cases {
        let client = &matrix.world.client;
        let request = client
            .request(&operation.method, path)
            .bearer_auth(matrix.key())
            .header("content-type", media_type)
            .body(body);
        let answer = client.send(request).await;
        is_error(
            &format!("{what} {media_type}"),
            &answer,
            status,
            "invalid_request",
            true,
        );
    }
}

async fn wrong_methods(matrix: &Matrix, all: &[Operation]) {
    let client: &Client = &matrix.world.client;
    let mut paths: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for operation in all {
        let methods = paths.entry(&operation.path).or_default();
        methods.push(&operation.method);
        if operation.method == "GET" {
            methods.push("HEAD");
        }
    }
    for (path, mut served) in paths {
        served.sort_unstable();
        for method in METHODS.map(str::to_uppercase) {
            if served.contains(&method.as_str()) {
                continue;
            }
            let request = client.request(&method, &filled(path, &matrix.job));
            let answer = client.send(request.bearer_auth(matrix.key())).await;
            let what = format!("{method} {path}");
            let allow = answer.header("allow").unwrap_or_default();
            let mut allowed: Vec<_> = allow.split(',').map(str::trim).collect();
            allowed.sort_unstable();
            assert_eq!(allowed, served, "{what}");
            if method == "HEAD" {
                assert_eq!(answer.status, 405, "{what}");
            } else {
                is_error(
                    &what,
                    &answer,
                    405,
                    "invalid_request",
                    path.starts_with("/v1/"),
                );
            }
        }
    }
}
