//! Credentials are injected last, only where they belong, and never come back out.

use super::*;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

const SECRET: &str = "canary-secret/1+ü";

fn keyed(server: &Server, inject: Value) -> CallGrant {
    grant_for(
        server,
        json!({
            "schemes": [{ "type": "none" }, { "type": "api_key", "id": "key", "hosts": ["${setting.base_url}"], "inject": inject }],
            "credentials": { "api_key": SECRET, "user": "someone", "password": "canary-password" },
        }),
    )
}

fn header(name: &str, value: &str) -> Value {
    json!([{ "in": "header", "name": name, "value": value }])
}

fn with_key(url: &str) -> HttpRequest {
    HttpRequest {
        credential: Some("key".into()),
        ..HttpRequest::get(url)
    }
}

#[tokio::test]
async fn headers_queries_and_basic() {
    for (inject, wanted) in [
        (
            header("Authorization", "Bearer ${credential.password}"),
            "authorization: Bearer canary-password\r\n".to_owned(),
        ),
        (
            header(
                "Authorization",
                "Basic ${basic(credential.user,credential.password)}",
            ),
            format!(
                "authorization: Basic {}\r\n",
                STANDARD.encode("someone:canary-password")
            ),
        ),
        (
            header("X-Account", "${setting.account}-${credential.user}"),
            "x-account: 7-someone\r\n".to_owned(),
        ),
        (
            json!([{ "in": "query", "name": "api_key", "value": "${credential.api_key}" }]),
            "GET /?q=1&api_key=canary-secret%2F1%2B%C3%BC HTTP/1.1".to_owned(),
        ),
    ] {
        let server = Server::start(|_, _| Reply::ok("fine")).await;
        let mut g = keyed(&server, inject);
        g.settings["account"] = json!(7);
        let done = loopback_gate()
            .send(&g, with_key(&server.url("/?q=1")))
            .await;
        assert_eq!(body(&done), b"fine");
        assert!(server.request(0).contains(&wanted), "{}", server.request(0));
        assert_eq!(done.receipt.credentials, ["key"]);
        assert_eq!(
            done.receipt.url,
            server.url("/?q=1"),
            "the receipt's URL is the guest's"
        );
        assert!(!format!("{done:?}").contains("canary"));
    }
}

#[tokio::test]
async fn a_missing_credential_fails_closed() {
    let server = Server::canary().await;
    for credentials in [json!({}), json!({ "api_key": "" })] {
        let mut g = keyed(&server, header("X-Api-Key", "${credential.api_key}"));
        g.credentials = credentials
            .as_object()
            .unwrap()
            .iter()
            .map(|(k, v)| (k.clone(), v.as_str().unwrap().to_owned()))
            .collect();
        let done = loopback_gate().send(&g, with_key(&server.url("/"))).await;
        let failure = done.result.unwrap_err();
        assert_eq!(
            (failure.kind, failure.code.as_str()),
            (
                gtm_domain::FailureKind::CredentialMissing,
                "credential_missing"
            )
        );
    }
    assert_eq!(server.hits(), 0);
}

#[tokio::test]
async fn a_scheme_that_does_not_exist_or_does_not_belong_is_refused() {
    let server = Server::canary().await;
    let g = keyed(&server, header("X-Api-Key", "${credential.api_key}"));
    let done = loopback_gate()
        .send(
            &g,
            HttpRequest {
                credential: Some("other".into()),
                ..HttpRequest::get(server.url("/"))
            },
        )
        .await;
    assert_eq!(code(&done), "credential_scheme_unknown");
    // Another port of the same host is another origin.
    let mut g = keyed(&server, header("X-Api-Key", "${credential.api_key}"));
    g.settings["base_url"] = json!("http://127.0.0.1:1/");
    assert_eq!(
        code(&loopback_gate().send(&g, with_key(&server.url("/"))).await),
        "credential_host_not_allowed"
    );
    // The open web receives none.
    let mut open = policy(&["127.0.0.1"]);
    open.open_web.insert("test".into());
    let g = CallGrant {
        rules: Vec::new(),
        open_web: true,
        ..keyed(&server, header("X-Api-Key", "${credential.api_key}"))
    };
    assert_eq!(
        code(&gate_of(open).send(&g, with_key(&server.url("/"))).await),
        "credential_host_not_allowed"
    );
    assert_eq!(server.hits(), 0);
}

#[tokio::test]
async fn the_guest_cannot_set_what_the_host_injects() {
    let server = Server::canary().await;
    let g = keyed(
        &server,
        json!([
            { "in": "header", "name": "X-Api-Key", "value": "${credential.api_key}" },
            { "in": "query", "name": "api_key", "value": "${credential.api_key}" },
        ]),
    );
    let mut g = g;
    g.idempotency = Some(("Idempotency-Key".into(), "step".into()));
    for name in [
        "X-Api-Key",
        "x-api-key",
        "X_API_KEY",
        "x-Api_key",
        "idempotency-key",
    ] {
        for credential in [None, Some("key".to_owned())] {
            let request = HttpRequest {
                headers: vec![(name.into(), "mine".into())],
                credential,
                ..HttpRequest::get(server.url("/"))
            };
            assert_eq!(
                code(&loopback_gate().send(&g, request).await),
                "header_not_allowed",
                "{name}"
            );
        }
    }
    for query in [
        "api_key=mine",
        "a=b&api_key=mine",
        "API_KEY=mine",
        "api%5fkey=mine",
        "a=1;api_key=mine",
        "api_key[]=mine",
        "api_key[0]=mine",
        "api_key",
        "+api_key=mine",
    ] {
        let done = loopback_gate()
            .send(&g, with_key(&server.url(&format!("/?{query}"))))
            .await;
        assert_eq!(code(&done), "header_not_allowed", "{query}");
    }
    assert_eq!(server.hits(), 0);
}

#[tokio::test]
async fn a_credential_that_would_split_a_header_is_refused() {
    let server = Server::canary().await;
    let mut g = keyed(&server, header("X-Api-Key", "${credential.api_key}"));
    g.credentials = [("api_key", "canary\r\nInjected: 1")].into_iter().collect();
    let done = loopback_gate().send(&g, with_key(&server.url("/"))).await;
    assert_eq!(code(&done), "credential_invalid");
    assert!(!format!("{done:?}").contains("canary"));
    assert_eq!(server.hits(), 0);
}

#[tokio::test]
async fn an_echo_is_cut_out_everywhere() {
    let server = Server::start(|_, request| {
        let basic = STANDARD.encode(format!("user:{SECRET}"));
        let body = json!({ "request": request, "basic": basic, "hex": hex::encode(SECRET), "json": SECRET }).to_string();
        Reply::with(200, &[("x-echo", "canary-password here"), ("content-type", "text/canary-password")], body)
    })
    .await;
    let g = keyed(
        &server,
        json!([
            { "in": "header", "name": "X-Api-Key", "value": "${credential.api_key}" },
            { "in": "query", "name": "k", "value": "${credential.api_key}" },
            { "in": "header", "name": "X-Password", "value": "${credential.password}" },
        ]),
    );
    let done = loopback_gate().send(&g, with_key(&server.url("/"))).await;
    let text = String::from_utf8(body(&done).to_vec()).unwrap();
    for form in [
        SECRET.to_owned(),
        "canary".to_owned(),
        "canary-secret%2F1".to_owned(),
        hex::encode(SECRET),
        STANDARD.encode(SECRET)[..16].to_owned(),
    ] {
        assert!(!text.contains(&form), "{form} in {text}");
    }
    assert!(
        serde_json::from_str::<Value>(&text).is_ok(),
        "what is left is still JSON"
    );
    let response = done.result.as_ref().unwrap();
    assert_eq!(response.header("x-echo"), Some("[redacted] here"));
    assert!(done.redactions >= 6, "{}", done.redactions);
    assert_eq!(
        done.receipt.response_digest,
        Some(gtm_domain::Digest::of(&response.body)),
        "the kept bytes are the cleared ones"
    );
    assert!(
        !serde_json::to_string(&done.receipt)
            .unwrap()
            .contains("canary")
    );
    assert!(!format!("{done:?}").contains("canary"));
}

#[tokio::test]
async fn an_echo_in_pieces_in_gzip_or_cut_is_cut_out_too() {
    let pieces = [
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
        "8\r\nkey=cana\r\n",
        "7\r\nry-pass\r\n",
        "8\r\nword end\r\n0\r\n\r\n",
    ];
    let slow = Server::start(move |_, _| {
        Reply::Slow(
            pieces.iter().map(|p| p.as_bytes().to_vec()).collect(),
            Duration::from_millis(20),
        )
    })
    .await;
    let g = keyed(&slow, header("X-Password", "${credential.password}"));
    let Ok(mut open) = loopback_gate().open(&g, with_key(&slow.url("/"))).await else {
        panic!("no stream")
    };
    let mut all = Vec::new();
    while let Some(piece) = open.read(100).await.unwrap() {
        all.extend_from_slice(&piece);
    }
    assert_eq!(all, b"key=[redacted] end");
    assert_eq!(
        &open.finish().1.in_memory().unwrap()[..],
        b"key=[redacted] end"
    );

    let plain = Server::start(|_, _| Reply::ok("key=canary-password end")).await;
    let g = keyed(&plain, header("X-Password", "${credential.password}"));
    for cut in 0..24 {
        let request = HttpRequest {
            max_body_bytes: Some(cut),
            truncate: true,
            ..with_key(&plain.url("/"))
        };
        let done = loopback_gate().send(&g, request).await;
        let text = String::from_utf8(body(&done).to_vec()).unwrap();
        assert!(!text.contains("cana"), "{cut}: {text}");
    }
}

#[tokio::test]
async fn debug_of_a_grant_shows_no_value() {
    let server = Server::canary().await;
    assert!(
        !format!(
            "{:?}",
            keyed(&server, header("X-Api-Key", "${credential.api_key}"))
        )
        .contains("canary-")
    );
}

#[tokio::test]
async fn a_literal_host_gets_no_credential_in_clear_text() {
    let server = Server::canary().await;
    let port = server.port();
    let gate = named_gate(&[("api.example", "127.0.0.1")]);
    // The guest could choose http because a rule allows that too.
    let g = grant(json!({
        "egress": [{ "host": "api.example" }, { "host": "api.example", "scheme": "http", "port": port }],
        "schemes": [{ "type": "api_key", "id": "key", "hosts": ["api.example"], "inject": header("X-Api-Key", "${credential.api_key}") }],
        "credentials": { "api_key": SECRET },
    }));
    let url = format!("http://api.example:{port}/");
    let done = gate.send(&g, with_key(&url)).await;
    assert_eq!(code(&done), "credential_host_not_allowed");
    assert_eq!(server.hits(), 0);
    assert_eq!(
        body(&gate.send(&g, HttpRequest::get(&url)).await),
        b"canary"
    );
}
