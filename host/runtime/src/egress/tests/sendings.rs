//! What a call sent, and which of it counts as lost.

use super::*;

/// A whole answer whose body breaks off.
fn breaks_off() -> Reply {
    Reply::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf".to_vec())
}

#[tokio::test]
async fn what_was_sent_without_an_answer_is_counted() {
    /// How the first request is answered, whether the call may be repeated and has a key; then what was
    /// sent and lost.
    type Case = (&'static str, fn() -> Reply, bool, bool, (u32, u32));
    let cases: [Case; 8] = [
        ("answered", || Reply::ok("first"), true, false, (1, 0)),
        (
            "asked to come again",
            || Reply::with(503, &[("retry-after", "0")], ""),
            true,
            false,
            (2, 0),
        ),
        ("closed and repeated", || Reply::Close, true, false, (2, 1)),
        ("closed", || Reply::Close, false, false, (1, 1)),
        (
            "closed and repeated under its key",
            || Reply::Close,
            false,
            true,
            (2, 0),
        ),
        ("broken off and repeated", breaks_off, true, false, (2, 1)),
        (
            "broken off and repeated under its key",
            breaks_off,
            true,
            true,
            (2, 0),
        ),
        ("silent", || Reply::Hang, false, false, (1, 1)),
    ];
    for (shown, first, safe, key, (sent, lost)) in cases {
        let server =
            Server::start(move |i, _| if i == 0 { first() } else { Reply::ok("second") }).await;
        let mut g = grant_for(&server, json!({ "replay_safe": safe }));
        g.idempotency = key.then(|| ("Idempotency-Key".to_owned(), "step-7".to_owned()));
        let gate = gate_of(EgressPolicy {
            answer_timeout: Duration::from_millis(500),
            ..policy(&["127.0.0.1"])
        });
        let done = gate.send(&g, HttpRequest::post(server.url("/"), "x")).await;
        done.unrecorded.recorded();
        let sendings = g.sendings();
        assert_eq!((sendings.sent, sendings.lost), (sent, lost), "{shown}");
    }
}

#[tokio::test]
async fn what_never_left_the_host_is_not_counted() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let dead = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    for url in [dead.as_str(), "http://nowhere.test/"] {
        let g = grant(json!({
            "egress": [{ "host": "${setting.base_url}", "private_network": "operator_opt_in" }],
            "settings": { "base_url": url }, "replay_safe": true,
        }));
        let mut policy = policy(&["127.0.0.1"]);
        policy.resolver = ResolverChoice::Custom(Arc::new(FixedResolver::new()));
        let done = gate_of(policy).send(&g, HttpRequest::get(url)).await;
        assert!(done.result.is_err(), "{url}");
        let sendings = g.sendings();
        assert_eq!((sendings.sent, sendings.lost), (0, 0), "{url}");
    }
}

#[tokio::test]
async fn what_is_dropped_half_way_is_counted() {
    let stalls: [fn() -> Reply; 2] = [
        || Reply::Hang,
        || Reply::Stall(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf".to_vec()),
    ];
    for stall in stalls {
        let arrived = Arc::new(tokio::sync::Notify::new());
        let told = Arc::clone(&arrived);
        let server = Server::start(move |_, _| {
            told.notify_one();
            stall()
        })
        .await;
        let g = grant_for(&server, json!({}));
        let gate = loopback_gate();
        tokio::select! {
            done = gate.send(&g, HttpRequest::get(server.url("/"))) => panic!("{done:?}"),
            () = arrived.notified() => {}
        }
        let sendings = g.sendings();
        assert_eq!((sendings.sent, sendings.lost), (1, 1));
    }
}

/// A server that answers one request and is gone before the next.
async fn gone_after_one(handler: impl Fn() -> Reply + Send + Sync + 'static) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = Server {
        address: listener.local_addr().unwrap(),
        connections: Arc::default(),
        requests: Arc::default(),
        written: Arc::default(),
    };
    let (requests, written) = (server.requests.clone(), server.written.clone());
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        drop(listener);
        let handler = Arc::new(move |_: usize, _: &str| handler());
        serve(stream, 0, handler, requests, written).await;
    });
    server
}

#[tokio::test]
async fn what_is_repeated_under_its_key_is_lost_until_the_repeat_succeeds() {
    /// How the first request is answered, and later ones if anybody is still there; then what was sent and
    /// lost.
    type Case = (
        &'static str,
        fn() -> Reply,
        Option<fn() -> Reply>,
        (u32, u32),
    );
    let busy = || Reply::with(503, &[("retry-after", "0")], "");
    let cases: [Case; 8] = [
        (
            "closed, done",
            || Reply::Close,
            Some(|| Reply::ok("")),
            (2, 0),
        ),
        ("closed, then busy", || Reply::Close, Some(busy), (3, 1)),
        (
            "closed, then refused",
            || Reply::Close,
            Some(|| Reply::with(400, &[], "no")),
            (2, 1),
        ),
        (
            "closed each time",
            || Reply::Close,
            Some(|| Reply::Close),
            (3, 1),
        ),
        ("closed, then gone", || Reply::Close, None, (1, 1)),
        ("broken off, then gone", breaks_off, None, (1, 1)),
        ("broken off, then busy", breaks_off, Some(busy), (3, 1)),
        ("busy, then gone", busy, None, (1, 0)),
    ];
    for (shown, first, then, (sent, lost)) in cases {
        let server = match then {
            None => gone_after_one(first).await,
            Some(then) => Server::start(move |i, _| if i == 0 { first() } else { then() }).await,
        };
        let mut g = grant_for(&server, json!({ "replay_safe": false }));
        g.idempotency = Some(("Idempotency-Key".to_owned(), "step-7".to_owned()));
        let request = HttpRequest::post(server.url("/"), "x");
        let done = loopback_gate().send(&g, request).await;
        done.unrecorded.recorded();
        let sendings = g.sendings();
        assert_eq!((sendings.sent, sendings.lost), (sent, lost), "{shown}");
    }
    // Whoever stops waiting for the next attempt knows no more than before.
    let server = Server::start(|_, _| Reply::Close).await;
    let mut g = grant_for(&server, json!({}));
    g.idempotency = Some(("Idempotency-Key".to_owned(), "step-7".to_owned()));
    let gate = gate_of(EgressPolicy {
        retry_base: Duration::from_secs(4),
        ..policy(&["127.0.0.1"])
    });
    let request = HttpRequest::post(server.url("/"), "x");
    let given_up = tokio::time::timeout(Duration::from_secs(1), gate.send(&g, request)).await;
    assert!(given_up.is_err());
    assert_eq!((g.sendings().sent, g.sendings().lost), (1, 1));
}

#[tokio::test]
async fn an_answer_counts_as_lost_until_it_is_recorded() {
    let server = Server::start(|i, _| {
        if i == 0 {
            Reply::redirect(302, "/there")
        } else {
            Reply::ok("there")
        }
    })
    .await;
    let g = grant_for(&server, json!({}));
    let request = HttpRequest {
        max_redirects: 1,
        ..HttpRequest::get(server.url("/"))
    };
    let done = loopback_gate().send(&g, request).await;
    assert_eq!(body(&done), b"there");
    // The redirect is not an answer that costs something by itself.
    assert_eq!(g.sendings(), Sendings { sent: 2, lost: 1 });
    done.unrecorded.recorded();
    assert_eq!(g.sendings(), Sendings { sent: 2, lost: 0 });

    let Ok(stream) = loopback_gate()
        .open(&g, HttpRequest::get(server.url("/")))
        .await
    else {
        panic!("no stream")
    };
    assert_eq!(g.sendings(), Sendings { sent: 3, lost: 1 });
    let _ = stream.finish();
    assert_eq!(g.sendings(), Sendings { sent: 3, lost: 0 });
}

#[tokio::test]
async fn a_success_after_a_redirect_at_home_tells_of_a_lost_attempt_under_the_same_key() {
    let server = Server::start(|i, _| match i {
        0 => Reply::Close,
        1 => Reply::redirect(307, "/there"),
        _ => Reply::ok("done"),
    })
    .await;
    let mut g = grant_for(&server, json!({ "replay_safe": true }));
    g.idempotency = Some(("Idempotency-Key".to_owned(), "step-7".to_owned()));
    let request = HttpRequest {
        max_redirects: 1,
        ..HttpRequest::post(server.url("/"), "x")
    };
    let done = loopback_gate().send(&g, request).await;
    assert_eq!(done.result.as_ref().unwrap().status, 200);
    done.unrecorded.recorded();
    let sendings = g.sendings();
    assert_eq!((sendings.sent, sendings.lost), (3, 0));
}
