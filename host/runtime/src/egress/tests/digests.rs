//! Headers that would allow guesses of a body to be tested offline.

use super::redirects::sent_on;
use super::*;

const TELLING: [(&str, &str); 9] = [
    ("ETag", "\"tag\""),
    ("Digest", "sha-256=AA=="),
    ("Content-Digest", "sha-256=:AA==:"),
    ("Repr-Digest", "sha-256=:AA==:"),
    ("Unencoded-Digest", "sha-256=:AA==:"),
    ("Content-MD5", "AA=="),
    ("x-goog-hash", "md5=AA=="),
    ("X-Amz-Checksum-Sha256", "AA=="),
    ("content_md5", "AA=="),
];

fn keyed(server: &Server) -> CallGrant {
    grant_for(
        server,
        json!({
            "schemes": [{ "type": "api_key", "id": "key", "hosts": ["${setting.base_url}"],
                "inject": [{ "in": "header", "name": "X-Key", "value": "${credential.api_key}" }] }],
            "credentials": { "api_key": "canary-secret" },
        }),
    )
}

fn request(server: &Server, method: &str, credential: bool) -> HttpRequest {
    HttpRequest {
        method: method.to_owned(),
        credential: credential.then(|| "key".to_owned()),
        ..HttpRequest::get(server.url("/"))
    }
}

#[tokio::test]
async fn what_tells_of_a_body_is_not_shown_where_a_credential_was_sent() {
    let server = Server::start(|_, request| {
        let all = [&TELLING[..], &[("last-modified", "yesterday")]].concat();
        let body = if request.starts_with("HEAD") { "" } else { "x" };
        Reply::with(200, &all, body)
    })
    .await;
    let gate = loopback_gate();
    for (method, credential) in [
        ("GET", true),
        ("GET", false),
        ("HEAD", true),
        ("HEAD", false),
    ] {
        let g = keyed(&server);
        let done = gate.send(&g, request(&server, method, credential)).await;
        let Ok(open) = gate.open(&g, request(&server, method, credential)).await else {
            panic!("no stream")
        };
        let whole = done.result.unwrap();
        assert_eq!(whole.headers, open.head().headers);
        for (name, value) in TELLING {
            let wanted = (!credential).then_some(value);
            assert_eq!(whole.header(name), wanted, "{method} {name}");
        }
        assert_eq!(whole.header("last-modified"), Some("yesterday"));
        let length = whole.header("content-length").is_some();
        assert_eq!(length, method == "GET" || !credential, "{method}");
    }
}

#[tokio::test]
async fn nobody_is_asked_for_a_tag_with_a_credential() {
    let server = Server::start(|_, _| Reply::with(304, &[("etag", "\"tag\"")], "")).await;
    for (name, value, allowed) in [
        ("If-None-Match", "\"guess\"", false),
        ("if_none_match", "W/\"guess\"", false),
        ("If-Match", "\"guess\", *", false),
        ("If-None-Match", " * ", true),
        ("If-Match", "*", true),
        ("If-Modified-Since", "Sat, 21 Nov 2026 12:00:00 GMT", true),
    ] {
        for credential in [true, false] {
            let request = HttpRequest {
                headers: vec![(name.into(), value.into())],
                ..request(&server, "GET", credential)
            };
            let done = loopback_gate().send(&keyed(&server), request).await;
            if allowed || !credential {
                assert_eq!(done.result.unwrap().status, 304, "{name}: {value}");
            } else {
                assert_eq!(code(&done), "header_not_allowed", "{name}: {value}");
            }
        }
    }
    assert_eq!(server.hits(), 9);
}

#[tokio::test]
async fn where_a_redirect_left_the_credential_behind_tags_are_shown() {
    let other = Server::start_at("127.0.0.2:0", |_, _| Reply::with(200, &TELLING, "a file")).await;
    let done = sent_on(&other, keyed, |own| request(own, "GET", true)).await;
    assert_eq!(done.result.unwrap().header("etag"), Some("\"tag\""));
}
