//! Only the host retries, and only where that is safe.

use super::*;

fn replies(
    statuses: &'static [u16],
    headers: &'static [(&'static str, &'static str)],
) -> impl Fn(usize, &str) -> Reply {
    move |i, _| {
        Reply::with(
            statuses[i.min(statuses.len() - 1)],
            headers,
            r#"{"error":"slow down"}"#,
        )
    }
}

#[tokio::test]
async fn a_status_is_repeated_until_it_is_good_or_enough() {
    let server = Server::start(replies(&[429, 503, 200], &[("retry-after", "0")])).await;
    let g = grant_for(&server, json!({}));
    let done = loopback_gate()
        .send(&g, HttpRequest::post(server.url("/"), "same body"))
        .await;
    assert_eq!(
        (
            done.result.unwrap().status,
            done.receipt.attempts,
            done.receipt.status
        ),
        (200, 3, Some(200))
    );
    assert!((0..3).all(|i| server.request(i).ends_with("same body")));
    assert_eq!(
        g.budget.requests_left(),
        99,
        "other attempts don't count as requests"
    );

    let server = Server::start(replies(&[503], &[])).await;
    let g = grant_for(
        &server,
        json!({ "rate": { "retry": { "statuses": [503], "max_attempts": 4 } } }),
    );
    let done = loopback_gate()
        .send(&g, HttpRequest::get(server.url("/")))
        .await;
    assert_eq!(
        (done.result.unwrap().status, server.hits()),
        (503, 4),
        "the last answer is the answer"
    );
}

#[tokio::test]
async fn statuses_that_are_not_declared_are_final() {
    for status in [400, 401, 404, 500] {
        let server = Server::start(move |_, _| Reply::with(status, &[], "")).await;
        let done = loopback_gate()
            .send(
                &grant_for(&server, json!({})),
                HttpRequest::get(server.url("/")),
            )
            .await;
        assert_eq!((done.result.unwrap().status, server.hits()), (status, 1));
    }
}

#[tokio::test]
async fn what_may_have_been_performed_is_repeated_only_if_safe() {
    for (status, safe, key, hits) in [
        (502, false, false, 1),
        (502, true, false, 2),
        (502, false, true, 2),
        (429, false, false, 2),
        (503, false, false, 2),
    ] {
        let server = Server::start(move |i, _| {
            Reply::with(
                if i == 0 { status } else { 200 },
                &[("retry-after", "0")],
                "",
            )
        })
        .await;
        let mut g = grant_for(&server, json!({ "replay_safe": safe }));
        g.idempotency = key.then(|| ("Idempotency-Key".to_owned(), "step-7".to_owned()));
        loopback_gate()
            .send(&g, HttpRequest::post(server.url("/"), "x"))
            .await
            .result
            .unwrap();
        assert_eq!(server.hits(), hits, "{status} {safe} {key}");
        assert_eq!(
            server.request(0).contains("idempotency-key: step-7\r\n"),
            key
        );
    }
}

#[tokio::test]
async fn a_connection_that_breaks_after_the_request_is_repeated_only_if_safe() {
    for (safe, hits) in [(true, 2), (false, 1)] {
        let server = Server::start(|i, _| {
            if i == 0 {
                Reply::Close
            } else {
                Reply::ok("second")
            }
        })
        .await;
        let done = loopback_gate()
            .send(
                &grant_for(&server, json!({ "replay_safe": safe })),
                HttpRequest::post(server.url("/"), "x"),
            )
            .await;
        assert_eq!(
            (done.result.is_ok(), server.hits(), done.request_sent),
            (safe, hits, true)
        );
    }
}

#[tokio::test]
async fn silence_is_repeated_only_if_safe() {
    for (safe, hits) in [(true, 2), (false, 1)] {
        let server = Server::start(|i, _| {
            if i == 0 {
                Reply::Hang
            } else {
                Reply::ok("second")
            }
        })
        .await;
        let gate = gate_of(EgressPolicy {
            answer_timeout: Duration::from_millis(500),
            ..policy(&["127.0.0.1"])
        });
        let done = gate
            .send(
                &grant_for(&server, json!({ "replay_safe": safe })),
                HttpRequest::get(server.url("/")),
            )
            .await;
        assert_eq!((done.result.is_ok(), server.hits()), (safe, hits));
    }
}

#[tokio::test]
async fn a_connection_that_was_never_made_is_always_tried_again() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let g = grant(json!({
        "egress": [{ "host": "${setting.base_url}", "private_network": "operator_opt_in" }],
        "settings": { "base_url": url }, "replay_safe": false,
    }));
    let done = loopback_gate().send(&g, HttpRequest::get(&url)).await;
    assert_eq!(
        (code(&done), done.receipt.attempts, done.request_sent),
        ("connect_failed", 3, false)
    );
    assert_eq!(done.receipt.decision, "allowed");
}

#[tokio::test]
async fn one_dead_address_does_not_hide_a_living_one() {
    let server = Server::canary().await;
    let names = FixedResolver::new().with(
        "two.example",
        &["127.0.0.3".parse().unwrap(), "127.0.0.1".parse().unwrap()],
    );
    let gate = gate_of(EgressPolicy {
        resolver: ResolverChoice::Custom(Arc::new(names)),
        ..policy(&["two.example"])
    });
    let url = format!("http://two.example:{}/", server.port());
    let g = grant(
        json!({ "egress": [{ "host": "two.example", "scheme": "http", "port": server.port() }] }),
    );
    let done = gate.send(&g, HttpRequest::get(&url)).await;
    assert_eq!((body(&done), done.receipt.attempts), (&b"canary"[..], 1));
}

#[tokio::test]
async fn exhausted_credit_is_never_asked_for_again() {
    let rate = json!({ "retry": { "statuses": [402, 429], "max_attempts": 3, "exhausted": [
        { "statuses": [402] },
        { "statuses": [429], "pointer": "/error/code", "equals": "insufficient_quota" },
    ]}});
    for (status, text, hits, exhausted) in [
        (402, "", 1, true),
        (429, r#"{"error":{"code":"insufficient_quota"}}"#, 1, true),
        (429, r#"{"error":{"code":"rate_limit"}}"#, 3, false),
    ] {
        let server =
            Server::start(move |_, _| Reply::with(status, &[("retry-after", "0")], text)).await;
        let done = loopback_gate()
            .send(
                &grant_for(&server, json!({ "rate": rate })),
                HttpRequest::get(server.url("/")),
            )
            .await;
        assert_eq!(
            (server.hits(), done.exhausted),
            (hits, exhausted),
            "{status} {text}"
        );
        assert_eq!(
            body(&done),
            text.as_bytes(),
            "what was looked at is still there"
        );
    }
}

#[tokio::test]
async fn a_wait_beyond_the_deadline_is_not_waited() {
    let server = Server::start(replies(&[429], &[("retry-after", "60")])).await;
    let started = std::time::Instant::now();
    let done = loopback_gate()
        .send(
            &grant_for(&server, json!({})),
            HttpRequest::get(server.url("/")),
        )
        .await;
    assert_eq!((done.result.unwrap().status, server.hits()), (429, 1));
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn the_providers_wait_is_kept() {
    let server = Server::start(replies(&[429, 200], &[("x-wait", "0.3")])).await;
    let g = grant_for(
        &server,
        json!({ "rate": { "headers": { "retry_after": "x-wait" } } }),
    );
    let started = std::time::Instant::now();
    let done = loopback_gate()
        .send(&g, HttpRequest::get(server.url("/")))
        .await;
    assert_eq!(done.result.unwrap().status, 200);
    assert!(started.elapsed() >= Duration::from_millis(300));
}

#[tokio::test]
async fn a_request_may_ask_for_more_patience_than_the_host_has() {
    let answer = || vec![b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_vec()];
    let server = Server::start(move |_, _| Reply::Slow(answer(), Duration::from_millis(300))).await;
    let gate = gate_of(EgressPolicy {
        answer_timeout: Duration::from_millis(100),
        ..policy(&["127.0.0.1"])
    });
    let request = HttpRequest {
        timeout: Some(Duration::from_secs(2)),
        ..HttpRequest::get(server.url("/"))
    };
    let done = gate.send(&grant_for(&server, json!({})), request).await;
    assert_eq!((done.result.unwrap().status, server.hits()), (200, 1));
}

#[tokio::test]
async fn a_partial_answer_stays_partial_after_a_peek() {
    let server = Server::start(|_, _| {
        Reply::Bytes(
            b"HTTP/1.1 429 X\r\nretry-after: 60\r\ncontent-length: 100\r\n\r\n{\"error\":".to_vec(),
        )
    })
    .await;
    let rate = json!({ "retry": { "statuses": [429], "exhausted": [{ "pointer": "/error" }] } });
    let g = grant_for(&server, json!({ "rate": rate, "replay_safe": false }));
    let done = loopback_gate()
        .send(&g, HttpRequest::get(server.url("/")))
        .await;
    assert_eq!((code(&done), server.hits()), ("connection_reset", 1));
}

#[tokio::test]
async fn only_short_answers_tell_that_credit_is_gone() {
    let answer = |filling: usize| format!("{{\"error\":\"{}\"}}", "x".repeat(filling));
    let many = format!("{{\"error\":[{}1]}}", "1,".repeat(250_000));
    for (text, wanted) in [
        (answer(10 * 1024), true),
        (answer(2 << 20), false),
        (many, false),
    ] {
        let bytes = text.len();
        let server = Server::start(move |_, _| Reply::with(429, &[], &text)).await;
        let rate = json!({ "retry": { "max_attempts": 1, "statuses": [],
            "exhausted": [{ "statuses": [429], "pointer": "/none" }, { "statuses": [429], "pointer": "/error" }] } });
        let g = grant_for(&server, json!({ "rate": rate }));
        let done = loopback_gate()
            .send(&g, HttpRequest::get(server.url("/")))
            .await;
        assert_eq!((body(&done).len(), done.exhausted), (bytes, wanted));
    }
}
