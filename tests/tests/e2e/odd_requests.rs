//! Requests that no HTTP library sends, written byte by byte: odd targets, odd heads, and bytes that are no
//! request at all. Every real request gets the error envelope with a request ID.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use gtm_e2e::Database;
use gtm_e2e::fake_site::FakeSite;

use crate::World;

/// The server's answer to these bytes; empty if it closes the connection.
fn raw(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    // The server may answer and close before it has read everything.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn target(address: SocketAddr, method: &str, target: &str) -> String {
    let head = format!("{method} {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    raw(address, head.as_bytes())
}

fn is_envelope(what: &str, answer: &str, status: u16) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    assert!(
        head.starts_with(&format!("HTTP/1.1 {status} ")),
        "{what}: {answer}"
    );
    let body: serde_json::Value =
        serde_json::from_str(body).unwrap_or_else(|e| panic!("{what}: {e}: {answer}"));
    let id = body["error"]["request_id"].as_str().unwrap();
    assert!(
        head.contains(&format!("x-request-id: {id}")),
        "{what}: {answer}"
    );
    assert!(body["error"]["docs_url"].is_string(), "{what}");
}

/// Checks the HTTP library's own answer to an unreadable request: a status and nothing else.
fn is_bare(what: &str, answer: &str, status: u16) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    assert!(
        head.starts_with(&format!("HTTP/1.1 {status} ")),
        "{what}: {answer}"
    );
    assert!(body.is_empty(), "{what}: {answer}");
    assert!(head.contains("connection: close"), "{what}: {answer}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odd_targets_and_heads() {
    let world = World::start(Database::Sqlite, "odd", FakeSite::start([]).await)
        .await
        .unwrap();
    let address = world.gtm.address.unwrap();
    let key = format!("authorization: Bearer {}\r\n", world.client.key);
    let known = |method: &str, target: &str| {
        let head =
            format!("{method} {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{key}\r\n");
        raw(address, head.as_bytes())
    };
    for path in [
        "/",
        "//v1/jobs",
        "//v1/playbooks",
        "/V1/playbooks",
        "/favicon.ico",
        "/%2e%2e/etc/passwd",
        "/v1%2Fjobs",
    ] {
        is_envelope(path, &target(address, "GET", path), 404);
    }
    // Under /v1, the server asks for a key before it looks for the path.
    for path in [
        "/v1",
        "/v1/",
        "/v1/playbooks/",
        "/v1//playbooks",
        "/v1/Playbooks",
        "/v1/%70laybooks",
        "/v1/../v1/playbooks",
        "/v1/jobs/",
        "/v1/jobs/a/b/c/d",
        "/v1/playbooks%00",
        "/v1/nothing?a=%00",
        "/v1/jobs/%00",
        "/v1/jobs/%ff",
        "/v1/jobs/%2e%2e",
        "/v1/jobs/%2Fx",
        "http://elsewhere.example/v1/nothing",
    ] {
        is_envelope(path, &target(address, "GET", path), 401);
        is_envelope(path, &known("GET", path), 404);
    }
    is_envelope(
        "long target",
        &target(address, "GET", &format!("/v1/{}", "a".repeat(9_000))),
        414,
    );
    for method in ["get", "FOO", "TRACE", "PURGE"] {
        is_envelope(method, &target(address, method, "/v1/playbooks"), 401);
        is_envelope(method, &known(method, "/v1/playbooks"), 405);
    }
    let many: String = (0..80).map(|n| format!("x-{n}: 1\r\n")).collect();
    let head = format!("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{many}\r\n");
    is_envelope("many headers", &raw(address, head.as_bytes()), 431);
    let large = "a".repeat(20_000);
    let head = format!(
        "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-large: {large}\r\n\r\n"
    );
    is_envelope("large header", &raw(address, head.as_bytes()), 431);
    // Bytes that are not HTTP never reach the API.
    for (what, bytes) in [
        ("nul", &b"GET /v1/\0jobs HTTP/1.1\r\nhost: x\r\n\r\n"[..]),
        ("space", b"GET /v1/jobs x HTTP/1.1\r\nhost: x\r\n\r\n"),
        ("no header", b"GET /v1/jobs HTTP/1.1\r\nbad header\r\n\r\n"),
        (
            "control",
            b"GET /v1/jobs HTTP/1.1\r\nhost: x\r\nx-a: \0\r\n\r\n",
        ),
        ("TLS", b"\x16\x03\x01\x02\x00\x01\x00"),
    ] {
        is_bare(what, &raw(address, bytes), 400);
    }
    is_envelope(
        "no host",
        &raw(address, b"GET /healthz HTTP/1.1\r\n\r\n"),
        400,
    );
    // If a request has both chunks and a length, the chunks count; what follows them must not become a second
    // request.
    let both = b"GET /healthz HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
    let answer = raw(address, both);
    assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
    let head = [b"GET / HTTP/1.1\r\nx: ".to_vec(), vec![b'a'; 100_000]].concat();
    is_bare("unending header", &raw(address, &head), 431);
    let head = [b"GET /".to_vec(), vec![b'a'; 100_000]].concat();
    is_bare("unending target", &raw(address, &head), 431);
    // The documentation that an error links to exists.
    let answer = target(address, "GET", "/v1/usage");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    let url = body["error"]["docs_url"].as_str().unwrap();
    assert_eq!(url, format!("http://{address}/docs/errors#missing_api_key"));
    let page = target(address, "GET", "/docs/errors");
    assert!(page.starts_with("HTTP/1.1 200 ") && page.contains("id=\"missing_api_key\""));
    assert_eq!(world.client.get("/healthz").await.status, 200);
}
