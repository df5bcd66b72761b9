//! A secret that turns up where none was sent: refused, written down, and the end of the call.

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
            // What follows is not sent either, nor opened.
            assert_eq!(code(&gate().send(&g, get()).await), "credential_in_request");
            let Err((failure, Some(_))) = gate().open(&g, get()).await else {
                panic!("a stream was opened")
            };
            assert_eq!(failure.code, "credential_in_request");
            // As a stream it is refused alike.
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

    // With the key it is an echo, and cut out.
    let done = gate()
        .send(&keyed(&own, &other), with_key(&own.url("/")))
        .await;
    assert_eq!(body_of(&done), "maybe [redacted], maybe not");
    // A host that never gets the key is not searched for it, and learns nothing from that.
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
