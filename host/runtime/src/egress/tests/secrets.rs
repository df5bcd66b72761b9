//! A secret in a place where none was sent: refused, recorded, and the end of the call.

use super::*;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

const SECRET: &str = "canary-secret/1+ü";

/// A grant for two servers, of which the first is the scheme's.
fn keyed(own: &Server, other: &Server) -> CallGrant {
    grant(json!({
        "egress": [
            { "host": "${setting.base_url}", "methods": ["GET", "POST"], "private_network": "operator_opt_in" },
            { "host": "${setting.other_url}", "methods": ["GET", "POST"], "private_network": "operator_opt_in" },
        ],
        "settings": { "base_url": own.url(""), "other_url": other.url("") },
        "schemes": [{
            "type": "api_key", "id": "key", "hosts": ["${setting.base_url}"],
            "inject": [{ "in": "header", "name": "X-Api-Key", "value": "${credential.api_key}" }],
        }],
        "credentials": { "api_key": SECRET },
    }))
}

fn with_key(url: &str) -> HttpRequest {
    HttpRequest {
        credential: Some("key".into()),
        ..HttpRequest::get(url)
    }
}

/// Two servers with hosts of different names.
async fn servers(body: &'static str) -> (Server, Server) {
    let answer = move |_: usize, _: &str| Reply::ok(body);
    let own = Server::start(answer).await;
    let other = Server::start_at("127.0.0.2:0", answer).await;
    (own, other)
}

fn gate() -> EgressGate {
    gate_of(policy(&["127.0.0.1", "127.0.0.2"]))
}

#[tokio::test]
async fn a_request_with_a_secret_is_refused_and_the_call_is_over() {
    let (own, other) = servers("fine").await;
    for server in [&own, &other] {
        let get = || HttpRequest::get(server.url("/"));
        let header = |name: &str, value: String| HttpRequest {
            headers: vec![(name.into(), value)],
            ..get()
        };
        let encoded: String = url::form_urlencoded::byte_serialize(SECRET.as_bytes()).collect();
        for (place, request) in [
            ("URL", HttpRequest::get(server.url(&format!("/{encoded}")))),
            (
                "URL",
                HttpRequest::get(server.url(&format!("/?a=1&q={}", hex::encode(SECRET)))),
            ),
            (
                "headers",
                header("x-note", format!("see {}", STANDARD.encode(SECRET))),
            ),
            (
                "headers",
                header(&format!("x-{}", hex::encode(SECRET)), "1".into()),
            ),
            (
                "body",
                HttpRequest::post(server.url("/"), json!({ "k": SECRET }).to_string()),
            ),
            (
                "body",
                HttpRequest {
                    credential: Some("key".into()),
                    ..HttpRequest::post(server.url("/"), SECRET)
                },
            ),
        ] {
            let g = keyed(&own, &other);
            let done = gate().send(&g, request.clone()).await;
            let failure = done.result.as_ref().unwrap_err();
            assert_eq!(
                (
                    failure.kind,
                    failure.code.as_str(),
                    done.receipt.decision.as_str()
                ),
                (
                    gtm_domain::FailureKind::Denied,
                    "credential_in_request",
                    "credential_in_request"
                ),
                "{place}"
            );
            assert!(failure.message.contains(place), "{failure}");
            assert!(!format!("{done:?}").contains("canary"), "{done:?}");
            assert!(!done.receipt.url.contains(&hex::encode(SECRET)));
            // Later requests are neither sent nor opened.
            assert_eq!(code(&gate().send(&g, get()).await), "credential_in_request");
            let Err((failure, Some(_))) = gate().open(&g, get()).await else {
                panic!("a stream was opened")
            };
            assert_eq!(failure.code, "credential_in_request");
            // The same holds for a stream.
            let Err((failure, Some(receipt))) = gate().open(&keyed(&own, &other), request).await
            else {
                panic!("a stream was opened")
            };
            assert_eq!(
                (failure.code, receipt.decision.as_str()),
                ("credential_in_request".to_owned(), "credential_in_request")
            );
        }
    }
    assert_eq!((own.hits(), other.hits()), (0, 0));
}

#[tokio::test]
async fn a_secret_that_nobody_sent_ends_the_call() {
    let (own, other) = servers("maybe canary-secret/1+ü, maybe not").await;
    let g = keyed(&own, &other);
    let done = gate().send(&g, HttpRequest::get(own.url("/"))).await;
    assert_eq!(code(&done), "credential_in_answer");
    assert_eq!(
        (done.receipt.decision.as_str(), done.receipt.response_digest),
        ("credential_in_answer", None)
    );
    assert_eq!(
        code(&gate().send(&g, with_key(&own.url("/"))).await),
        "credential_in_answer"
    );
    assert_eq!(own.hits(), 1);

    let g = keyed(&own, &other);
    let Ok(mut open) = gate().open(&g, HttpRequest::get(own.url("/"))).await else {
        panic!("no stream")
    };
    assert_eq!(
        open.read(100).await.unwrap_err().code,
        "credential_in_answer"
    );
    let (receipt, body) = open.finish();
    assert_eq!(
        (receipt.decision.as_str(), body.len()),
        ("credential_in_answer", 0)
    );

    // With the key it is an echo, and removed.
    let done = gate()
        .send(&keyed(&own, &other), with_key(&own.url("/")))
        .await;
    assert_eq!(body_of(&done), "maybe [redacted], maybe not");
    // A host that never receives the key is not searched for it, and learns nothing from that.
    let done = gate()
        .send(&keyed(&own, &other), HttpRequest::get(other.url("/")))
        .await;
    assert_eq!(body_of(&done), "maybe canary-secret/1+ü, maybe not");
}

fn body_of(exchanged: &Exchanged) -> String {
    String::from_utf8(body(exchanged).to_vec()).unwrap()
}

#[tokio::test]
async fn a_header_of_an_answer_is_searched_like_its_body() {
    let own =
        Server::start(|_, _| Reply::with(200, &[("x-echo", "a canary-secret%2F1%2B%C3%BC b")], ""))
            .await;
    let other = Server::start_at("127.0.0.2:0", |_, _| Reply::ok("")).await;
    let g = keyed(&own, &other);
    assert_eq!(
        code(&gate().send(&g, HttpRequest::get(own.url("/"))).await),
        "credential_in_answer"
    );
    let Err((failure, _)) = gate()
        .open(&keyed(&own, &other), HttpRequest::get(own.url("/")))
        .await
    else {
        panic!("a stream was opened")
    };
    assert_eq!(failure.code, "credential_in_answer");
    let done = gate()
        .send(&keyed(&own, &other), with_key(&own.url("/")))
        .await;
    assert_eq!(
        done.result.unwrap().header("x-echo"),
        Some("a [redacted] b")
    );
}

#[tokio::test]
async fn a_redirect_that_guesses_ends_the_call() {
    let target = format!("/next?k={}", hex::encode(SECRET));
    let own = Server::start(move |_, _| Reply::redirect(302, &target)).await;
    let other = Server::canary().await;
    let g = keyed(&own, &other);
    let request = HttpRequest {
        max_redirects: 5,
        ..HttpRequest::get(own.url("/"))
    };
    assert_eq!(
        code(&gate().send(&g, request).await),
        "redirect_not_allowed"
    );
    assert_eq!(
        code(&gate().send(&g, HttpRequest::get(own.url("/"))).await),
        "redirect_not_allowed"
    );
    assert_eq!(own.hits(), 1);
}

#[tokio::test]
async fn a_part_of_an_answer_is_not_asked_for_with_a_credential() {
    let (own, other) = servers("fine").await;
    let g = keyed(&own, &other);
    for name in [
        "Range",
        "range",
        "If-Range",
        "Request-Range",
        "request_range",
    ] {
        let request = |credential: Option<&str>| HttpRequest {
            headers: vec![(name.into(), "bytes=4-".into())],
            credential: credential.map(str::to_owned),
            ..HttpRequest::get(own.url("/"))
        };
        let done = gate().send(&g, request(Some("key"))).await;
        assert_eq!(code(&done), "header_not_allowed", "{name}");
        assert_eq!(done.receipt.decision, "header_not_allowed");
        assert_eq!(
            body_of(&gate().send(&g, request(None)).await),
            "fine",
            "without a credential there is none to cut up"
        );
    }
    assert_eq!(own.hits(), 5);
}

#[tokio::test]
async fn a_secret_that_begins_before_a_cut_is_not_cut_in_two() {
    let own = Server::start(|_, _| Reply::ok(format!("key={SECRET} and more"))).await;
    let other = Server::canary().await;
    for bound in 0..40_u64 {
        let request = HttpRequest {
            max_body_bytes: Some(bound),
            truncate: true,
            ..with_key(&own.url("/"))
        };
        let done = gate().send(&keyed(&own, &other), request).await;
        let whole = format!(
            "key=[redacted]{}",
            " and more"
                .chars()
                .take((bound as usize).saturating_sub(4 + SECRET.len()))
                .collect::<String>()
        );
        let wanted = if bound <= 4 {
            &"key="[..bound as usize]
        } else {
            &whole
        };
        assert_eq!(body_of(&done), wanted, "{bound}");
        assert_eq!(
            done.result.unwrap().truncated,
            bound < 4 + SECRET.len() as u64 + 9
        );
    }
}

/// A body of this many bytes that holds the secret at its end.
fn guess_of(bytes: usize) -> String {
    format!("{}{SECRET}", "%25".repeat((bytes - SECRET.len()) / 3))
}

fn budget_of(requests: u64, bytes_out: u64) -> Arc<CallBudget> {
    Arc::new(CallBudget::within(
        requests,
        bytes_out,
        1 << 20,
        Duration::from_secs(60),
    ))
}

#[tokio::test]
async fn a_refused_guess_costs_a_request_and_its_bytes() {
    let (own, other) = servers("fine").await;
    for credential in [None, Some("key".to_owned())] {
        let mut g = keyed(&own, &other);
        g.budget = budget_of(3, 1000);
        let request = HttpRequest {
            credential,
            ..HttpRequest::post(own.url("/"), SECRET)
        };
        assert_eq!(
            code(&gate().send(&g, request).await),
            "credential_in_request"
        );
        assert_eq!(
            (g.budget.requests_left(), g.budget.bytes_out_left()),
            (2, 1000 - SECRET.len() as u64)
        );
    }
    assert_eq!(own.hits(), 0);
}

#[tokio::test]
async fn what_may_not_be_sent_is_not_searched() {
    let (own, other) = servers("fine").await;
    let post = |url: String| HttpRequest::post(url, SECRET);
    let long = SECRET.len() as u64;
    for (budget, request, wanted) in [
        (
            budget_of(3, 1000),
            post("https://elsewhere.example/".to_owned()),
            "host_not_allowed",
        ),
        (
            budget_of(3, 1000),
            HttpRequest {
                method: "PUT".to_owned(),
                ..post(own.url("/"))
            },
            "method_not_allowed",
        ),
        (
            budget_of(0, 1000),
            post(own.url("/")),
            "request_budget_exceeded",
        ),
        (
            budget_of(3, long - 1),
            post(own.url("/")),
            "byte_budget_exceeded",
        ),
    ] {
        let mut g = keyed(&own, &other);
        g.budget = budget;
        assert_eq!(code(&gate().send(&g, request).await), wanted);
        assert_eq!(g.ended(), None, "{wanted}: nothing is told of the guess");
    }
    assert_eq!(own.hits(), 0);
}

#[tokio::test]
async fn the_bytes_of_a_request_are_charged_once() {
    let (own, other) = servers("fine").await;
    let mut g = keyed(&own, &other);
    g.budget = budget_of(3, 10);
    let post = |body: &'static str| HttpRequest::post(own.url("/"), body);
    assert_eq!(body_of(&gate().send(&g, post("123456")).await), "fine");
    assert_eq!(g.budget.bytes_out_left(), 4);
    assert_eq!(
        code(&gate().send(&g, post("12345")).await),
        "byte_budget_exceeded"
    );
    assert_eq!((own.hits(), g.budget.requests_left()), (1, 1));
}

#[tokio::test]
async fn a_long_request_is_searched_off_the_event_loop() {
    let (own, other) = servers("fine").await;
    for (bytes, at_once) in [(1000, true), (200 * 1024, false)] {
        let (g, gate) = (keyed(&own, &other), gate());
        let request = HttpRequest::post(own.url("/"), guess_of(bytes));
        let mut sending = std::pin::pin!(gate.send(&g, request));
        let first = futures::poll!(sending.as_mut());
        assert_eq!(first.is_ready(), at_once, "{bytes}");
        let done = match first {
            std::task::Poll::Ready(done) => done,
            std::task::Poll::Pending => sending.await,
        };
        assert_eq!(code(&done), "credential_in_request");
    }
}

#[tokio::test]
async fn a_guess_ends_the_call_however_short_the_guest_makes_its_request() {
    let (own, other) = servers("fine").await;
    let g = keyed(&own, &other);
    let request = HttpRequest {
        timeout: Some(Duration::ZERO),
        ..HttpRequest::post(own.url("/"), guess_of(200 * 1024))
    };
    assert_eq!(
        code(&gate().send(&g, request).await),
        "credential_in_request"
    );
    assert!(g.ended().is_some());
    assert_eq!(own.hits(), 0);
}

#[tokio::test]
async fn a_request_that_goes_along_with_a_guess_fails_as_well() {
    let (own, other) = servers("fine").await;
    let (g, gate) = (keyed(&own, &other), gate());
    let guess = HttpRequest::post(own.url("/"), SECRET);
    let (honest, guessed) = tokio::join!(
        gate.send(&g, HttpRequest::get(own.url("/"))),
        gate.send(&g, guess)
    );
    assert_eq!(code(&honest), "credential_in_request");
    assert_eq!(code(&guessed), "credential_in_request");
}

/// Two servers: the first redirects to the second, which lists guesses.
async fn leading_to_a_dictionary(
    headers: &'static [(&'static str, &'static str)],
) -> (Server, Server) {
    let other = Server::start_at("127.0.0.2:0", |_, _| {
        Reply::with(200, headers, "weak-1 canary-secret/1+ü weak-2")
    })
    .await;
    let target = other.url("/list");
    let own = Server::start(move |_, _| Reply::redirect(302, &target)).await;
    (own, other)
}

#[tokio::test]
async fn after_a_redirect_to_a_host_without_the_credential_a_guess_in_the_answer_ends_the_call() {
    let (own, other) = leading_to_a_dictionary(&[]).await;
    let request = || HttpRequest {
        max_redirects: 5,
        ..with_key(&own.url("/"))
    };
    let g = keyed(&own, &other);
    let done = gate().send(&g, request()).await;
    assert_eq!(code(&done), "credential_in_answer");
    assert_eq!(
        done.receipt.credentials,
        ["key"],
        "the first hop carried it"
    );
    assert_eq!(
        g.ended().map(|failure| failure.code.as_str()),
        Some("credential_in_answer")
    );

    let g = keyed(&own, &other);
    let Ok(mut open) = gate().open(&g, request()).await else {
        panic!("no stream")
    };
    assert_eq!(
        open.read(100).await.unwrap_err().code,
        "credential_in_answer"
    );
    assert!(g.ended().is_some());

    let (own, other) = leading_to_a_dictionary(&[("x-list", "canary-secret%2F1%2B%C3%BC")]).await;
    let g = keyed(&own, &other);
    let request = HttpRequest {
        max_redirects: 5,
        ..with_key(&own.url("/"))
    };
    let Err((failure, _)) = gate().open(&g, request).await else {
        panic!("a stream was opened")
    };
    assert_eq!(failure.code, "credential_in_answer");
}

#[tokio::test]
async fn a_redirect_that_guesses_after_the_credential_is_left_behind_ends_the_call() {
    let target = format!("/next?k={}", hex::encode(SECRET));
    let other = Server::start_at("127.0.0.2:0", move |_, _| Reply::redirect(302, &target)).await;
    let elsewhere = other.url("/");
    let own = Server::start(move |_, _| Reply::redirect(302, &elsewhere)).await;
    let g = keyed(&own, &other);
    let request = HttpRequest {
        max_redirects: 5,
        ..with_key(&own.url("/"))
    };
    assert_eq!(
        code(&gate().send(&g, request).await),
        "redirect_not_allowed"
    );
    assert!(g.ended().is_some());
}

#[tokio::test]
async fn a_guess_in_an_answer_that_is_asked_for_again_ends_the_call() {
    let (own, other) = {
        let answer =
            move |_: usize, _: &str| Reply::with(429, &[], format!("{{\"a\": \"{SECRET}\"}}"));
        let own = Server::start(answer).await;
        (own, Server::start_at("127.0.0.2:0", answer).await)
    };
    let mut g = keyed(&own, &other);
    g.retry = serde_json::from_value(json!({
        "max_attempts": 3, "statuses": [429], "exhausted": [{ "pointer": "/b" }],
    }))
    .unwrap();
    let done = gate().send(&g, HttpRequest::get(own.url("/"))).await;
    assert_eq!(code(&done), "credential_in_answer");
    assert_eq!(own.hits(), 1);
}
