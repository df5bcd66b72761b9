//! Requests that are refused before any connection.

use super::*;

fn api() -> CallGrant {
    grant(json!({
        "egress": [
            { "host": "api.example.com", "methods": ["GET", "POST"], "path_prefixes": ["/v5/", "/status"] },
            { "host": "api.example.com", "port": 8443, "methods": ["DELETE"] },
        ],
    }))
}

async fn refusal(g: &CallGrant, method: &str, url: &str) -> String {
    let done = gate_of(policy(&[]))
        .send(
            g,
            HttpRequest {
                method: method.into(),
                ..HttpRequest::get(url)
            },
        )
        .await;
    assert!(!done.request_sent && done.receipt.attempts == 0, "{url}");
    assert_eq!(done.receipt.decision, code(&done), "{url}");
    code(&done).to_owned()
}

#[tokio::test]
async fn rules_say_scheme_host_port_method_and_path() {
    let g = api();
    for (method, url, wanted) in [
        ("GET", "https://example.com/v5/x", "host_not_allowed"),
        (
            "GET",
            "https://evil-api.example.com/v5/x",
            "host_not_allowed",
        ),
        (
            "GET",
            "https://api.example.com.evil.test/v5/x",
            "host_not_allowed",
        ),
        (
            "GET",
            "https://api.example.com.:444/v5/x",
            "port_not_allowed",
        ),
        ("GET", "http://api.example.com/v5/x", "scheme_not_allowed"),
        (
            "GET",
            "https://api.example.com:444/v5/x",
            "port_not_allowed",
        ),
        ("PUT", "https://api.example.com/v5/x", "method_not_allowed"),
        (
            "GET",
            "https://api.example.com:8443/v5/x",
            "method_not_allowed",
        ),
        ("get", "https://api.example.com/v5/x", "method_not_allowed"),
        (
            "TRACE",
            "https://api.example.com/v5/x",
            "method_not_allowed",
        ),
        (
            "CONNECT",
            "https://api.example.com/v5/x",
            "method_not_allowed",
        ),
        ("GET", "https://api.example.com/v6/x", "path_not_allowed"),
        ("GET", "https://api.example.com/v5x", "path_not_allowed"),
        (
            "GET",
            "https://api.example.com/v5/../admin",
            "path_not_allowed",
        ),
        ("GET", "https://api.example.com//v5/x", "path_not_allowed"),
        ("GET", "https://api.example.com/V5/x", "path_not_allowed"),
        (
            "GET",
            "https://api.example.com/v5/%2e%2e/admin",
            "invalid_url",
        ),
        (
            "GET",
            "https://api.example.com/v5/.%2E/admin",
            "invalid_url",
        ),
        (
            "GET",
            "https://api.example.com/v5/..%2fadmin",
            "invalid_url",
        ),
        (
            "GET",
            "https://api.example.com/v5/%252e%252e/admin",
            "invalid_url",
        ),
        ("GET", "https://api.example.com/v5/..;/admin", "invalid_url"),
        (
            "GET",
            "https://api.example.com/v5/..%5cadmin",
            "invalid_url",
        ),
        (
            "GET",
            "https://api.example.com\\@evil.test/v5/",
            "invalid_url",
        ),
        (
            "GET",
            "https://api.example.com/v5\\..\\admin",
            "invalid_url",
        ),
        ("GET", "https://user@api.example.com/v5/x", "invalid_url"),
        (
            "GET",
            "https://user:pass@api.example.com/v5/x",
            "invalid_url",
        ),
        (
            "GET",
            "https://api.example.com@evil.test/v5/x",
            "invalid_url",
        ),
        ("GET", "ftp://api.example.com/v5/x", "scheme_not_allowed"),
        ("GET", "file:///etc/passwd", "scheme_not_allowed"),
        ("GET", "data:text/plain,x", "scheme_not_allowed"),
        ("GET", "/v5/x", "invalid_url"),
        ("GET", "https://", "invalid_url"),
        ("GET", "https://api.example.com/v5/\r\nx: y", "invalid_url"),
        ("GET", " https://api.example.com/v5/x", "invalid_url"),
        ("GET", "https://api.exa\tmple.com/v5/x", "invalid_url"),
        ("GET", "https://api..example.com/", "invalid_url"),
    ] {
        assert_eq!(refusal(&g, method, url).await, wanted, "{method} {url}");
    }
    assert_eq!(
        refusal(
            &g,
            "GET",
            &format!("https://api.example.com/{}", "x".repeat(9000))
        )
        .await,
        "invalid_url"
    );
}

#[tokio::test]
async fn the_open_web_is_wide_but_shallow() {
    let g = CallGrant {
        open_web: true,
        ..api()
    };
    let mut policy = policy(&[]);
    policy.resolver = ResolverChoice::Custom(Arc::new(FixedResolver::new()));
    assert_eq!(
        refusal(&g, "GET", "https://anything.example/").await,
        "host_not_allowed",
        "the operator hasn't granted it"
    );
    policy.open_web.insert("test".into());
    let gate = gate_of(policy);
    let refused = async |method: &str, url: &str| {
        let done = gate
            .send(
                &g,
                HttpRequest {
                    method: method.into(),
                    ..HttpRequest::get(url)
                },
            )
            .await;
        code(&done).to_owned()
    };
    for url in [
        "https://anything.example/",
        "http://anything.example/x",
        "https://api.example.com/other",
    ] {
        assert_eq!(
            refused("GET", url).await,
            "dns_failed",
            "{url} passes the rules"
        );
    }
    assert_eq!(
        refused("HEAD", "http://anything.example/").await,
        "dns_failed"
    );
    assert_eq!(
        refused("POST", "https://anything.example/").await,
        "method_not_allowed"
    );
    assert_eq!(
        refused("GET", "https://anything.example:8443/").await,
        "port_not_allowed"
    );
    assert_eq!(
        refused("GET", "http://anything.example:22/").await,
        "port_not_allowed"
    );
    assert_eq!(
        refused("GET", "ftp://anything.example/").await,
        "scheme_not_allowed"
    );
    for request in [
        HttpRequest {
            body: Some("x".into()),
            ..HttpRequest::get("https://anything.example/")
        },
        HttpRequest {
            headers: vec![("Authorization".into(), "Bearer x".into())],
            ..HttpRequest::get("https://anything.example/")
        },
        HttpRequest {
            headers: vec![("Cookie".into(), "a=b".into())],
            ..HttpRequest::get("https://anything.example/")
        },
    ] {
        let done = gate.send(&g, request).await;
        assert!(["method_not_allowed", "header_not_allowed"].contains(&code(&done)));
    }
}

#[tokio::test]
async fn headers_that_frame_route_or_smuggle_are_refused() {
    let server = Server::canary().await;
    let g = grant_for(&server, json!({}));
    let gate = loopback_gate();
    for (name, value) in [
        ("Host", "evil.test"),
        ("host", "evil.test"),
        ("Content-Length", "5"),
        ("Transfer-Encoding", "chunked"),
        ("Connection", "keep-alive"),
        ("Proxy-Authorization", "x"),
        ("Proxy-Connection", "x"),
        ("Proxy-Anything", "x"),
        ("TE", "trailers"),
        ("Trailer", "x"),
        ("Upgrade", "h2c"),
        ("Expect", "100-continue"),
        ("Accept-Encoding", "zstd"),
        ("Keep-Alive", "1"),
        ("HTTP2-Settings", "x"),
        ("Transfer_Encoding", "chunked"),
        ("Content_Length", "5"),
        ("X-Ok", "a\r\nInjected: 1"),
        ("X-Ok", "a\nb"),
        ("X-Ok", "a\rb"),
        ("X-Ok", "a\0b"),
        ("X-Ok", "a\u{7f}b"),
        ("X Ok", "a"),
        ("X-Ok\r\nInjected", "1"),
        ("X-Ok:", "a"),
        ("", "a"),
        (":path", "/x"),
        ("X-Ok\0", "a"),
    ] {
        let request = HttpRequest {
            headers: vec![(name.into(), value.into())],
            ..HttpRequest::get(server.url("/"))
        };
        let done = gate.send(&g, request).await;
        assert_eq!(
            done.result.err().map(|f| f.code).as_deref(),
            Some("header_not_allowed"),
            "{name:?}: {value:?}"
        );
    }
    let many = (0..200)
        .map(|i| (format!("x-{i}"), "v".to_owned()))
        .collect();
    assert_eq!(
        code(
            &gate
                .send(
                    &g,
                    HttpRequest {
                        headers: many,
                        ..HttpRequest::get(server.url("/"))
                    }
                )
                .await
        ),
        "header_not_allowed"
    );
    let long = vec![("x-long".to_owned(), "v".repeat(70_000))];
    assert_eq!(
        code(
            &gate
                .send(
                    &g,
                    HttpRequest {
                        headers: long,
                        ..HttpRequest::get(server.url("/"))
                    }
                )
                .await
        ),
        "header_not_allowed"
    );
    assert_eq!(server.hits(), 0);
}

#[tokio::test]
async fn the_url_cannot_carry_a_second_request() {
    let server = Server::canary().await;
    let g = grant_for(&server, json!({}));
    for path in [
        "/a%0d%0aInjected:%201",
        "/?q=a%0d%0aInjected:%201",
        "/a%20HTTP/1.1%0d%0aX:y",
    ] {
        let done = loopback_gate()
            .send(&g, HttpRequest::get(server.url(path)))
            .await;
        assert_eq!(body(&done), b"canary");
    }
    for index in 0..3 {
        assert!(
            !server
                .request(index)
                .to_lowercase()
                .contains("\r\ninjected"),
            "{}",
            server.request(index)
        );
    }
}

#[tokio::test]
async fn a_setting_gives_host_port_and_path() {
    let canary = Server::canary().await;
    let with = |base: &str| {
        grant(json!({
            "egress": [{ "host": "${setting.base_url}", "path_prefixes": ["/models"], "private_network": "operator_opt_in" }],
            "settings": { "base_url": base },
        }))
    };
    let g = with(&canary.url("/v1/"));
    let gate = loopback_gate();
    assert_eq!(
        body(
            &gate
                .send(&g, HttpRequest::get(canary.url("/v1/models")))
                .await
        ),
        b"canary"
    );
    assert_eq!(
        code(&gate.send(&g, HttpRequest::get(canary.url("/models"))).await),
        "path_not_allowed"
    );
    assert_eq!(
        code(
            &gate
                .send(&g, HttpRequest::get("http://127.0.0.1:1/v1/models"))
                .await
        ),
        "port_not_allowed"
    );
    assert_eq!(
        code(
            &gate
                .send(
                    &with("model.example"),
                    HttpRequest::get("https://model.example:1/models")
                )
                .await
        ),
        "port_not_allowed"
    );
    assert_eq!(canary.hits(), 1);
}

#[test]
fn a_setting_that_is_no_place_is_refused() {
    let parse = |base: Value| {
        let egress: Vec<Egress> =
            serde_json::from_value(json!([{ "host": "${setting.base_url}" }])).unwrap();
        CallGrant::for_call(GrantParts {
            connector: "test",
            egress: &egress,
            open_web: false,
            schemes: &[],
            rate: &Rate::default(),
            limit_key: None,
            settings: &json!({ "base_url": base }),
            credentials: Credentials::new(),
            replay_safe: true,
            idempotency: None,
            budget: Arc::new(CallBudget::new(1, 1, 1, tokio::time::Instant::now())),
            cancel: CancellationToken::new(),
        })
        .map(|g| g.rules.len())
        .map_err(|f| f.code)
    };
    for bad in [
        json!("ftp://x.example/"),
        json!("https://u:p@x.example/"),
        json!("https://x.example/?a=b"),
        json!("a b"),
        json!(1),
        json!("https://x.example/%2e%2e/"),
    ] {
        assert_eq!(parse(bad.clone()), Err("invalid_setting".into()), "{bad}");
    }
    assert_eq!(parse(Value::Null), Ok(0), "absent opens nothing");
    assert_eq!(parse(json!("https://x.example/v1")), Ok(1));
}

#[tokio::test]
async fn a_header_that_makes_a_request_another_one_needs_a_rule_that_lists_it() {
    let server = Server::start(|_, _| Reply::ok("fine")).await;
    let listed = json!({ "egress": [{
        "host": "${setting.base_url}", "private_network": "operator_opt_in",
        "override_headers": ["X-HTTP-Method-Override"],
    }] });
    let (plain, listed) = (grant_for(&server, json!({})), grant_for(&server, listed));
    for name in [
        "X-HTTP-Method-Override",
        "x_http_method_override",
        "X-HTTP-Method",
        "X-Method-Override",
        "X-Original-URL",
        "X-Rewrite-URL",
        "X-Forwarded-Host",
        "X-Forwarded-Prefix",
        "Forwarded",
    ] {
        let request = || HttpRequest {
            headers: vec![(name.to_owned(), "DELETE".to_owned())],
            ..HttpRequest::get(server.url("/"))
        };
        let hits = server.hits();
        let done = loopback_gate().send(&plain, request()).await;
        assert_eq!(code(&done), "header_not_allowed", "{name}");
        assert_eq!(server.hits(), hits);
        let done = loopback_gate().send(&listed, request()).await;
        let is_listed = name.to_ascii_lowercase().replace('_', "-") == "x-http-method-override";
        assert_eq!(done.result.is_ok(), is_listed, "{name}");
    }
    // The open web has no rule that could list one.
    let mut policy = policy(&["127.0.0.1"]);
    policy.open_web.insert("test".into());
    let g = CallGrant {
        open_web: true,
        ..grant(json!({}))
    };
    let request = HttpRequest {
        headers: vec![("X-Forwarded-Host".to_owned(), "evil.example".to_owned())],
        ..HttpRequest::get(server.url("/"))
    };
    let hits = server.hits();
    assert_eq!(
        code(&gate_of(policy).send(&g, request).await),
        "header_not_allowed"
    );
    assert_eq!(server.hits(), hits);
}
