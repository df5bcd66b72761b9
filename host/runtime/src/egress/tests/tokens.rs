//! Tokens from client credentials: obtained once, used, forgotten when refused, never shown.

use super::*;

pub(super) fn client(server: &Server, auth: &str) -> CallGrant {
    grant_for(
        server,
        json!({
            "schemes": [{ "type": "oauth2_client_credentials", "id": "app", "hosts": ["${setting.base_url}"],
                "token_request": { "url": "${setting.base_url}/token", "client_auth": auth, "scope": "read" },
                "inject": [{ "in": "header", "name": "Authorization", "value": "Bearer ${token}" }] }],
            "credentials": { "client_id": "client-1", "client_secret": "canary-client-secret" },
        }),
    )
}

pub(super) fn authorized(url: String) -> HttpRequest {
    HttpRequest {
        credential: Some("app".into()),
        ..HttpRequest::get(url)
    }
}

/// Issues `canary-token-<n>`; the first one stops working at once.
async fn issuer() -> Server {
    Server::start(|i, request| {
        if request.starts_with("POST /token ") {
            return Reply::ok(
                json!({ "access_token": format!("canary-token-{i}"), "expires_in": 3600 })
                    .to_string(),
            );
        }
        let refused = request.contains("canary-token-0") && i > 1;
        Reply::with(
            if refused { 401 } else { 200 },
            &[],
            request.replace("canary-client-secret", ""),
        )
    })
    .await
}

#[tokio::test]
async fn a_token_is_asked_for_once_and_cut_out_of_answers() {
    for (auth, wanted) in [
        (
            "body",
            "client_id=client-1&client_secret=canary-client-secret",
        ),
        ("basic", "authorization: Basic "),
    ] {
        let server = issuer().await;
        let gate = loopback_gate();
        let g = client(&server, auth);
        let first = gate.send(&g, authorized(server.url("/a"))).await;
        assert!(
            !String::from_utf8_lossy(body(&first)).contains("canary-token"),
            "the echo is cleared"
        );
        assert!(
            server.request(0).starts_with("POST /token ")
                && server
                    .request(0)
                    .contains("grant_type=client_credentials&scope=read")
        );
        assert!(server.request(0).contains(wanted), "{}", server.request(0));
        assert!(
            server
                .request(1)
                .contains("authorization: Bearer canary-token-0\r\n")
        );
        let second = gate.send(&g, authorized(server.url("/b"))).await;
        assert_eq!(
            (second.result.unwrap().status, server.hits()),
            (401, 3),
            "the token was kept"
        );
        let third = gate.send(&g, authorized(server.url("/c"))).await;
        assert_eq!(
            (third.result.unwrap().status, server.hits()),
            (200, 5),
            "a refused one is not"
        );
        assert!(!format!("{first:?}").contains("canary"));
    }
}

#[tokio::test]
async fn no_token_no_request() {
    let server = Server::start(|_, _| Reply::with(401, &[], "")).await;
    let done = loopback_gate()
        .send(&client(&server, "body"), authorized(server.url("/a")))
        .await;
    assert_eq!((code(&done), server.hits()), ("token_request_failed", 1));
    let mut without = client(&server, "body");
    without.credentials = Credentials::new();
    assert_eq!(
        code(
            &loopback_gate()
                .send(&without, authorized(server.url("/a")))
                .await
        ),
        "credential_missing"
    );
    assert_eq!(server.hits(), 1);
}

#[tokio::test]
async fn a_token_that_is_too_long_is_refused() {
    let server = Server::start(|_, request| {
        assert!(request.starts_with("POST /token "), "no other request");
        Reply::ok(json!({ "access_token": "t".repeat(8 * 1024 + 1) }).to_string())
    })
    .await;
    let done = loopback_gate()
        .send(&client(&server, "body"), authorized(server.url("/a")))
        .await;
    assert_eq!((code(&done), server.hits()), ("token_request_failed", 1));
    let failure = done.result.unwrap_err();
    assert!(failure.message.contains("8192 bytes"), "{failure}");
}

#[tokio::test]
async fn the_host_of_a_token_endpoint_is_searched_like_a_schemes_own() {
    let echo = |_: usize, _: &str| Reply::ok("maybe canary-client-secret, maybe not");
    let own = Server::canary().await;
    let issuer = Server::start_at("127.0.0.2:0", echo).await;
    let other = Server::start_at("127.0.0.3:0", echo).await;
    let rule = |host: &str| json!({ "host": host, "methods": ["GET", "POST"], "private_network": "operator_opt_in" });
    let grant = || {
        grant(json!({
            "egress": [rule("${setting.base_url}"), rule("${setting.token_url}"), rule("${setting.other_url}")],
            "settings": { "base_url": own.url(""), "token_url": issuer.url(""), "other_url": other.url("") },
            "schemes": [{ "type": "oauth2_client_credentials", "id": "app", "hosts": ["${setting.base_url}"],
                "token_request": { "url": "${setting.token_url}/token", "client_auth": "body" },
                "inject": [{ "in": "header", "name": "Authorization", "value": "Bearer ${token}" }] }],
            "credentials": { "client_id": "client-1", "client_secret": "canary-client-secret" },
        }))
    };
    let gate = gate_of(policy(&["127.0.0.1", "127.0.0.2", "127.0.0.3"]));
    let guess = gate.send(&grant(), HttpRequest::get(issuer.url("/"))).await;
    assert_eq!(code(&guess), "credential_in_answer");
    // A host that receives nothing learns nothing.
    let done = gate.send(&grant(), HttpRequest::get(other.url("/"))).await;
    assert!(String::from_utf8_lossy(body(&done)).contains("canary-client-secret"));
}

/// Issues `canary-token-<n>` for each request, and answers other requests with all of those.
async fn forgetful_issuer(expires_in: u64) -> Server {
    Server::start(move |i, request| {
        if request.starts_with("POST /token ") {
            let token =
                json!({ "access_token": format!("canary-token-{i}"), "expires_in": expires_in });
            return Reply::ok(token.to_string());
        }
        let refused = request.contains("canary-token-0") && i > 1;
        let all: String = (0..10).map(|i| format!("canary-token-{i} ")).collect();
        Reply::with(if refused { 401 } else { 200 }, &[], all)
    })
    .await
}

#[tokio::test]
async fn a_token_that_was_refused_is_a_secret_still() {
    let server = forgetful_issuer(3600).await;
    let (gate, g) = (loopback_gate(), client(&server, "body"));
    for _ in 0..2 {
        let done = gate.send(&g, authorized(server.url("/"))).await;
        let shown = String::from_utf8_lossy(body(&done)).into_owned();
        assert!(shown.starts_with("[redacted] canary-token-1 "), "{shown}");
    }
    // Once the next token is used, the first counts as one that was not sent.
    let last = gate.send(&g, authorized(server.url("/"))).await;
    assert!(server.request(3).starts_with("POST /token "));
    assert_eq!(code(&last), "credential_in_answer");
    // Also in a request of the guest's.
    let guess = HttpRequest::get(server.url("/?q=canary-token-0"));
    let done = gate.send(&client(&server, "body"), guess).await;
    assert_eq!(code(&done), "credential_in_request");
}

#[tokio::test]
async fn a_token_that_is_about_to_expire_is_a_secret_still() {
    // Shorter than the margin: each request obtains another token.
    let server = forgetful_issuer(20).await;
    let (gate, g) = (loopback_gate(), client(&server, "body"));
    gate.send(&g, authorized(server.url("/"))).await;
    let second = gate.send(&g, authorized(server.url("/"))).await;
    assert_eq!(server.hits(), 4);
    assert_eq!(code(&second), "credential_in_answer");
}

#[tokio::test]
async fn tokens_that_were_asked_for_side_by_side_are_all_secrets() {
    let server = forgetful_issuer(3600).await;
    let gate = loopback_gate();
    let (one, other) = (client(&server, "body"), client(&server, "body"));
    tokio::join!(
        gate.send(&one, authorized(server.url("/"))),
        gate.send(&other, authorized(server.url("/")))
    );
    let posted = |i: usize| server.request(i).starts_with("POST /token ");
    let tokens: Vec<usize> = (0..server.hits()).filter(|i| posted(*i)).collect();
    assert_eq!(tokens.len(), 2, "both asked");
    for token in tokens {
        let guess = HttpRequest::get(server.url(&format!("/?q=canary-token-{token}")));
        let done = gate.send(&client(&server, "body"), guess).await;
        assert_eq!(code(&done), "credential_in_request");
    }
}

#[tokio::test]
async fn tokens_of_exchanges_of_one_call_are_all_its_secrets() {
    for guessed in [0, 1] {
        let server = Server::start(|i, request| {
            let token = json!({ "access_token": format!("canary-token-{i}"), "expires_in": 3600 });
            Reply::ok(if request.starts_with("POST /token ") {
                token.to_string()
            } else {
                "fine".to_owned()
            })
        })
        .await;
        let (gate, g) = (loopback_gate(), client(&server, "body"));
        let (one, other) = tokio::join!(
            gate.send(&g, authorized(server.url("/"))),
            gate.send(&g, authorized(server.url("/")))
        );
        assert_eq!((body(&one), body(&other)), (&b"fine"[..], &b"fine"[..]));
        let posted = |i: &usize| server.request(*i).starts_with("POST /token ");
        let tokens: Vec<usize> = (0..server.hits()).filter(posted).collect();
        assert_eq!(tokens.len(), 2, "both asked");
        let guess = format!("/?q=canary-token-{}", tokens[guessed]);
        let done = gate.send(&g, HttpRequest::get(server.url(&guess))).await;
        assert_eq!(code(&done), "credential_in_request");
    }
}

#[tokio::test]
async fn an_api_may_name_the_client_to_whom_it_gave_the_token() {
    for (echo, sent, wanted) in [
        (
            "client-1 canary-token-0",
            true,
            Some("[redacted] [redacted]"),
        ),
        ("client-1 canary-client-secret", true, None),
        ("client-1", false, None),
    ] {
        let server = Server::start(move |_, request| {
            let token = r#"{"access_token":"canary-token-0","expires_in":3600}"#;
            Reply::ok(if request.starts_with("POST /token ") {
                token
            } else {
                echo
            })
        })
        .await;
        let (gate, g) = (loopback_gate(), client(&server, "body"));
        let request = if sent {
            authorized(server.url("/"))
        } else {
            HttpRequest::get(server.url("/"))
        };
        let done = gate.send(&g, request).await;
        match wanted {
            Some(wanted) => assert_eq!(String::from_utf8_lossy(body(&done)), wanted),
            None => assert_eq!(code(&done), "credential_in_answer", "{echo}"),
        }
    }
}
