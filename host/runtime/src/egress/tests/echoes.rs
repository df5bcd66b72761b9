//! Which of a call's secrets an answer may hold: those that its own request carried, and no others.

use super::redirects::sent_on;
use super::*;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A grant for one server with two keys, each with its own scheme, and a user with a password.
fn keyed(server: &Server) -> CallGrant {
    let scheme = |id: &str, value: &str| {
        json!({
            "type": "api_key", "id": id, "hosts": ["${setting.base_url}"],
            "inject": [{ "in": "header", "name": format!("X-{id}"), "value": value }],
        })
    };
    grant_for(
        server,
        json!({
            "schemes": [
                scheme("one", "${credential.one}"),
                scheme("two", "${credential.two}"),
                scheme("basic", "Basic ${basic(credential.user,credential.password)}"),
                scheme("guesses", "canary-two canary-three ${credential.one}"),
            ],
            "credentials": {
                "one": "canary-one", "two": "canary-two",
                "user": "canary-user", "password": "canary-word", "part": "canary-use",
            },
        }),
    )
}

fn with(scheme: &str, url: String) -> HttpRequest {
    HttpRequest {
        credential: Some(scheme.into()),
        ..HttpRequest::get(url)
    }
}

fn ended(grant: &CallGrant) -> Option<&str> {
    grant.ended().map(|failure| failure.code.as_str())
}

#[tokio::test]
async fn the_body_of_an_answer_holds_no_secret_but_those_that_were_sent() {
    for (scheme, echo, wanted) in [
        ("one", "a canary-one b".to_owned(), Some("a [redacted] b")),
        ("one", "a canary-two b".to_owned(), None),
        ("one", "canary-one canary-two".to_owned(), None),
        ("one", hex::encode("canary-two"), None),
        ("two", "a canary-two b".to_owned(), Some("a [redacted] b")),
        ("two", "a canary-one b".to_owned(), None),
        // Both are in what is sent, separately and together, and so is part of one.
        (
            "basic",
            "canary-user canary-word canary-use".to_owned(),
            Some("[redacted] [redacted] [redacted]"),
        ),
        (
            "basic",
            STANDARD.encode("canary-user:canary-word"),
            // The letters between belong to neither of them.
            Some("[redacted]I6[redacted]Q="),
        ),
        ("basic", "canary-one".to_owned(), None),
        // What an author writes around a credential does not count as sent.
        ("guesses", "canary-one".to_owned(), Some("[redacted]")),
        ("guesses", "canary-two canary-three".to_owned(), None),
    ] {
        let body_of = echo.clone();
        let server = Server::start(move |_, _| Reply::ok(&body_of)).await;
        let g = keyed(&server);
        let done = loopback_gate()
            .send(&g, with(scheme, server.url("/")))
            .await;
        let Some(wanted) = wanted else {
            assert_eq!(code(&done), "credential_in_answer", "{scheme}: {echo}");
            assert_eq!(ended(&g), Some("credential_in_answer"));
            assert_eq!(done.receipt.decision, "credential_in_answer");
            let g = keyed(&server);
            let gate = loopback_gate();
            let Ok(mut open) = gate.open(&g, with(scheme, server.url("/"))).await else {
                panic!("no stream")
            };
            let read = open.read(100).await;
            assert_eq!(read.unwrap_err().code, "credential_in_answer");
            assert_eq!(ended(&g), Some("credential_in_answer"));
            continue;
        };
        assert_eq!(String::from_utf8_lossy(body(&done)), wanted, "{scheme}");
        assert_eq!(ended(&g), None);
    }
}

#[tokio::test]
async fn the_headers_of_an_answer_hold_no_secret_but_those_that_were_sent() {
    let server = Server::start(|_, _| Reply::with(200, &[("x-echo", "canary-two")], "")).await;
    let g = keyed(&server);
    let done = loopback_gate().send(&g, with("two", server.url("/"))).await;
    assert_eq!(done.result.unwrap().header("x-echo"), Some("[redacted]"));
    assert_eq!(ended(&g), None);
    let gate = loopback_gate();
    let Err((failure, _)) = gate.open(&g, with("one", server.url("/"))).await else {
        panic!("a stream was opened")
    };
    assert_eq!(failure.code, "credential_in_answer");
    assert_eq!(ended(&g), Some("credential_in_answer"));
}

#[tokio::test]
async fn a_redirect_that_holds_a_secret_that_was_not_sent_ends_the_call() {
    let server = Server::start(|_, _| Reply::redirect(302, "/next?k=canary-two")).await;
    for (scheme, wanted) in [("two", None), ("one", Some("redirect_not_allowed"))] {
        let g = keyed(&server);
        let request = HttpRequest {
            max_redirects: 5,
            ..with(scheme, server.url("/"))
        };
        let done = loopback_gate().send(&g, request).await;
        assert_eq!(code(&done), "redirect_not_allowed");
        assert_eq!(ended(&g), wanted, "{scheme}");
    }
}

#[tokio::test]
async fn what_one_hop_carried_the_next_one_may_not_echo() {
    let other = Server::start_at("127.0.0.2:0", |_, _| Reply::ok("canary-one")).await;
    let done = sent_on(&other, keyed, |own| with("one", own.url("/"))).await;
    assert_eq!(code(&done), "credential_in_answer");
}
