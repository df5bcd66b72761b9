//! The gate follows redirects and checks each one like a first request.

use super::*;

fn following(url: &str, max: u8) -> HttpRequest {
    HttpRequest {
        max_redirects: max,
        ..HttpRequest::get(url)
    }
}

/// The outcome of a request to a server that redirects it to `other`, at another address that a rule of its
/// own allows.
pub(super) async fn sent_on(
    other: &Server,
    granted: impl Fn(&Server) -> CallGrant,
    request: impl Fn(&Server) -> HttpRequest,
) -> Exchanged {
    let elsewhere = other.url("/");
    let own = Server::start(move |_, _| Reply::redirect(302, &elsewhere)).await;
    let mut both = granted(&own);
    let open = json!({ "egress": [{ "host": "${setting.other_url}", "private_network": "operator_opt_in" }],
        "settings": { "other_url": other.url("") } });
    both.rules.extend(grant(open).rules);
    let request = HttpRequest {
        max_redirects: 1,
        ..request(&own)
    };
    let gate = gate_of(policy(&["127.0.0.1", "127.0.0.2"]));
    gate.send(&both, request).await
}

#[tokio::test]
async fn a_redirect_is_followed_and_counted() {
    let server = Server::start(|i, _| {
        if i == 0 {
            Reply::redirect(301, "/b?x=1#y")
        } else {
            Reply::ok("there")
        }
    })
    .await;
    let g = grant_for(&server, json!({}));
    let done = loopback_gate()
        .send(&g, following(&server.url("/a"), 5))
        .await;
    assert_eq!(body(&done), b"there");
    assert_eq!(
        done.result.as_ref().unwrap().final_url.as_str(),
        server.url("/b?x=1")
    );
    assert_eq!(
        (done.receipt.url.as_str(), done.receipt.final_url.as_str()),
        (server.url("/a").as_str(), server.url("/b?x=1").as_str())
    );
    assert_eq!((done.receipt.attempts, g.budget.requests_left()), (2, 98));
}

#[tokio::test]
async fn without_redirects_the_answer_is_the_redirect() {
    let server = Server::start(|_, _| Reply::redirect(302, "http://169.254.169.254/")).await;
    let done = loopback_gate()
        .send(
            &grant_for(&server, json!({})),
            following(&server.url("/"), 0),
        )
        .await;
    assert_eq!(done.result.unwrap().status, 302);
}

#[tokio::test]
async fn at_most_as_many_as_asked_and_five() {
    let server = Server::start(|_, _| Reply::redirect(302, "/again")).await;
    for (max, hits) in [(1, 2), (5, 6), (200, 6)] {
        server.connections.store(0, Ordering::SeqCst);
        let done = loopback_gate()
            .send(
                &grant_for(&server, json!({})),
                following(&server.url("/"), max),
            )
            .await;
        assert_eq!((code(&done), server.hits()), ("too_many_redirects", hits));
    }
}

#[tokio::test]
async fn a_redirect_does_not_escape_the_rules() {
    let canary = Server::canary().await;
    let port = canary.port();
    for (location, wanted) in [
        ("https://evil.example/".to_owned(), "host_not_allowed"),
        ("//evil.example/".to_owned(), "host_not_allowed"),
        (format!("http://127.0.0.2:{port}/"), "host_not_allowed"),
        (format!("http://127.0.0.1:{port}/"), "port_not_allowed"),
        (format!("http://[::1]:{port}/"), "host_not_allowed"),
        (
            "http://169.254.169.254/latest/meta-data/".to_owned(),
            "host_not_allowed",
        ),
        ("/outside".to_owned(), "path_not_allowed"),
        ("/in/../outside".to_owned(), "path_not_allowed"),
        ("/in/%2e%2e/outside".to_owned(), "redirect_not_allowed"),
        ("\\\\evil.example/".to_owned(), "redirect_not_allowed"),
        (
            "http://user@evil.example/".to_owned(),
            "redirect_not_allowed",
        ),
        ("file:///etc/passwd".to_owned(), "redirect_not_allowed"),
        ("gopher://127.0.0.1/".to_owned(), "redirect_not_allowed"),
        ("http://".to_owned(), "redirect_not_allowed"),
    ] {
        let to = location.clone();
        let server = Server::start(move |_, _| Reply::redirect(307, &to)).await;
        let g = grant_for(
            &server,
            json!({ "settings": { "base_url": server.url("/in") } }),
        );
        let done = loopback_gate()
            .send(&g, following(&server.url("/in/x"), 5))
            .await;
        assert_eq!(code(&done), wanted, "{location}");
        assert_eq!(done.receipt.decision, wanted);
        assert_eq!(server.hits(), 1);
    }
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn the_open_web_is_not_led_into_private_networks() {
    let canary = Server::canary().await;
    let port = canary.port();
    for location in [
        "http://127.0.0.1/".to_owned(),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://2130706433/".to_owned(),
        "http://0x7f.1/".to_owned(),
        "http://[::ffff:127.0.0.1]/".to_owned(),
        "http://[::1]/".to_owned(),
        "https://[fd00:ec2::254]/".to_owned(),
        "http://inside.example/".to_owned(),
        format!("http://127.0.0.1:{port}/"),
        format!("http://inside.example:{port}/"),
    ] {
        let to = location.clone();
        let server = Server::start(move |_, _| Reply::redirect(302, &to)).await;
        let mut policy = policy(&[&format!("site.example:{}", server.port())]);
        policy.open_web.insert("test".into());
        let names = FixedResolver::new()
            .with("site.example", &["127.0.0.1".parse().unwrap()])
            .with("inside.example", &["127.0.0.1".parse().unwrap()]);
        policy.resolver = ResolverChoice::Custom(Arc::new(names));
        let g = CallGrant {
            open_web: true,
            ..grant(json!({}))
        };
        let done = gate_of(policy)
            .send(
                &g,
                following(&format!("http://site.example:{}/", server.port()), 5),
            )
            .await;
        assert!(
            ["private_address", "port_not_allowed"].contains(&code(&done)),
            "{location}: {}",
            code(&done)
        );
        assert_eq!(server.hits(), 1, "the first hop is allowed");
    }
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn methods_change_as_browsers_change_them() {
    for (status, method, expected) in [
        (301, "POST", "GET"),
        (302, "POST", "GET"),
        (303, "POST", "GET"),
        (303, "PUT", "GET"),
        (301, "PUT", "PUT"),
        (307, "POST", "POST"),
        (308, "POST", "POST"),
        (303, "HEAD", "HEAD"),
        (302, "GET", "GET"),
    ] {
        let server = Server::start(move |i, _| {
            if i == 0 {
                Reply::redirect(status, "/next")
            } else {
                Reply::ok("")
            }
        })
        .await;
        let with_body = matches!(method, "POST" | "PUT");
        let request = HttpRequest {
            method: method.into(),
            body: with_body.then(|| "payload".into()),
            headers: vec![("content-type".into(), "text/plain".into())],
            ..following(&server.url("/"), 5)
        };
        let done = loopback_gate()
            .send(&grant_for(&server, json!({})), request)
            .await;
        assert_eq!(done.result.unwrap().status, 200);
        let second = server.request(1);
        assert!(
            second.starts_with(&format!("{expected} /next ")),
            "{status} {method}: {second}"
        );
        assert_eq!(
            second.contains("payload"),
            with_body && expected == method,
            "{status} {method}"
        );
        assert_eq!(
            second.contains("content-type"),
            expected == method,
            "{status} {method}"
        );
    }
}

/// Two hosts on one server, with a key for the first.
fn two_hosts(server: &Server) -> (EgressGate, CallGrant, String) {
    let port = server.port();
    let gate = named_gate(&[("api.example", "127.0.0.1"), ("cdn.example", "127.0.0.1")]);
    let rule = |setting: &str| json!({ "host": setting, "methods": ["GET", "POST"], "private_network": "operator_opt_in" });
    let mut g = grant(json!({
        "egress": [rule("${setting.api}"), rule("${setting.cdn}")],
        "settings": { "api": format!("http://api.example:{port}"), "cdn": format!("http://cdn.example:{port}") },
        "schemes": [{ "type": "api_key", "id": "key", "hosts": ["${setting.api}"], "inject": [
            { "in": "header", "name": "X-Api-Key", "value": "${credential.api_key}" },
            { "in": "query", "name": "token", "value": "${credential.api_key}" },
        ]}],
        "credentials": { "api_key": "canary-secret-1" },
    }));
    g.idempotency = Some(("Idempotency-Key".into(), "step-1".into()));
    (gate, g, format!("http://api.example:{port}/"))
}

#[tokio::test]
async fn a_credential_stays_with_its_host() {
    let server = Server::start(|i, request| {
        let port = request
            .lines()
            .find_map(|l| l.strip_prefix("host: "))
            .unwrap()
            .split_once(':')
            .unwrap()
            .1
            .to_owned();
        match i {
            0 => Reply::redirect(302, "/same"),
            1 => Reply::redirect(302, &format!("http://cdn.example:{port}/other")),
            2 => Reply::redirect(302, &format!("http://api.example:{port}/back")),
            _ => Reply::ok("end"),
        }
    })
    .await;
    let (gate, g, url) = two_hosts(&server);
    let request = HttpRequest {
        credential: Some("key".into()),
        headers: vec![
            ("Authorization".into(), "guest".into()),
            ("Cookie".into(), "a=b".into()),
        ],
        ..following(&url, 5)
    };
    let done = gate.send(&g, request).await;
    assert_eq!(body(&done), b"end");
    for (index, path, secret) in [
        (0, "GET / ", true),
        (1, "/same", true),
        (2, "/other", false),
        (3, "/back", false),
    ] {
        let seen = server.request(index);
        assert!(seen.contains(path.trim()), "{seen}");
        assert_eq!(seen.contains("canary-secret-1"), secret, "{seen}");
        assert_eq!(seen.contains("x-api-key"), secret, "{seen}");
        assert_eq!(seen.contains("idempotency-key"), secret, "{seen}");
        assert_eq!(seen.contains("authorization: guest"), secret, "{seen}");
        assert_eq!(seen.contains("cookie: a=b"), secret, "{seen}");
    }
}

#[tokio::test]
async fn a_server_cannot_send_the_secret_on_in_a_url() {
    let server = Server::start(|i, request| {
        let port = request
            .lines()
            .find_map(|l| l.strip_prefix("host: "))
            .unwrap()
            .split_once(':')
            .unwrap()
            .1
            .to_owned();
        match i {
            // On the same host, the injected parameter is removed and injected again.
            0 => Reply::redirect(302, "/again?token=canary-secret-1&q=1"),
            1 => Reply::redirect(
                302,
                &format!("http://cdn.example:{port}/?t=canary-secret-1"),
            ),
            _ => Reply::ok("end"),
        }
    })
    .await;
    let (gate, g, url) = two_hosts(&server);
    let done = gate
        .send(
            &g,
            HttpRequest {
                credential: Some("key".into()),
                ..following(&url, 5)
            },
        )
        .await;
    assert_eq!(code(&done), "redirect_not_allowed");
    assert!(
        server
            .request(1)
            .starts_with("GET /again?q=1&token=canary-secret-1 "),
        "{}",
        server.request(1)
    );
    assert_eq!(server.hits(), 2);
    assert!(
        !serde_json::to_string(&done.receipt)
            .unwrap()
            .contains("canary-secret")
    );
}

/// Otherwise it would be searched for the secrets of the second host, which has none.
#[tokio::test]
async fn the_type_of_an_answer_that_redirected_is_not_that_of_the_next_which_never_came() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let dead = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let to = dead.clone();
    let server = Server::start(move |_, _| {
        Reply::with(
            302,
            &[("location", &to), ("content-type", "text/first")],
            "",
        )
    })
    .await;
    let mut both = grant_for(&server, json!({}));
    let open = json!({ "egress": [{ "host": "${setting.other_url}", "private_network": "operator_opt_in" }],
        "settings": { "other_url": dead } });
    both.rules.extend(grant(open).rules);
    let done = loopback_gate()
        .send(&both, following(&server.url("/"), 1))
        .await;
    assert_eq!(code(&done), "connect_failed");
    assert_eq!(done.receipt.content_type, None);
}
