//! Long answers are searched off the event loop, within their project's share of threads.

use std::io;
use std::task::Poll;

use bytes::Bytes;
use futures::poll;
use gtm_domain::Failure;

use super::tokens::client;
use super::*;
use crate::egress::answer_cleaner::AnswerCleaner;
use crate::egress::body::{BodyReader, Bounds, Coding};
use crate::egress::redact::{Secrets, looks};
use crate::egress::searches::{SEARCHED_AT_ONCE, Searches};

const SECRET: &str = "canary-secret";

/// A body of so many bytes with the secret in its middle, all of which has arrived.
async fn arrived(bytes: usize, g: &CallGrant) -> BodyReader {
    arrived_among(&"-".repeat(bytes / 2), g).await
}

/// A body with the secret in the middle of this twice.
async fn arrived_among(half: &str, g: &CallGrant) -> BodyReader {
    let pieces = vec![Ok::<_, io::Error>(Bytes::from(format!(
        "{half}{SECRET}{half}"
    )))];
    let bounds = Bounds {
        limit: 1 << 24,
        truncate: false,
        deadline: g.budget.deadline,
        cancel: g.cancel.clone(),
        budget: Arc::clone(&g.budget),
    };
    let (secrets, _) = Secrets::of(std::iter::once(SECRET));
    let searcher = Arc::new(Searches::default()).of_call(g);
    let cleaner = AnswerCleaner::new(secrets.redactor(), searcher);
    let host = HostName::parse("host.example").unwrap();
    let pieces = futures::stream::iter(pieces);
    BodyReader::new(pieces, Coding::Identity, bounds, cleaner, host, ()).await
}

#[tokio::test]
async fn a_long_answer_is_searched_off_the_event_loop() {
    for (part, bytes, at_once) in [
        ("-", 10_000, true),
        ("-", 300_000, false),
        // An answer with many readings is searched once for each.
        ("%\n", 40_000, false),
    ] {
        let g = grant(json!({}));
        let half = part.repeat(bytes / 2 / part.len());
        let mut body = arrived_among(&half, &g).await;
        let rest = {
            let mut reading = std::pin::pin!(body.rest());
            match poll!(reading.as_mut()) {
                Poll::Ready(rest) => {
                    assert!(at_once, "{bytes}");
                    rest
                }
                Poll::Pending => {
                    assert!(!at_once, "{bytes}");
                    reading.await
                }
            }
        };
        assert_eq!(rest.unwrap(), format!("{half}[redacted]{half}"));
        assert_eq!((body.found().replaced, body.found().uncarried), (1, 1));
    }
}

#[tokio::test]
async fn an_answer_whose_search_was_given_up_is_never_shown() {
    let g = grant(json!({}));
    let mut body = arrived(300_000, &g).await;
    {
        let mut reading = std::pin::pin!(body.rest());
        assert!(poll!(reading.as_mut()).is_pending());
    }
    // What was searched earlier may be read.
    let mut shown = 0;
    let failure = loop {
        match body.next(100_000).await {
            Ok(Some(piece)) => shown += piece.len(),
            Ok(None) => panic!("half of an answer passed for all of it"),
            Err(failure) => break failure,
        }
    };
    assert_eq!(failure.code, "answer_not_searched");
    assert!(shown < 100_000, "{shown}");
    assert_eq!(body.rest().await.unwrap_err().code, "answer_not_searched");
}

#[tokio::test]
async fn the_search_of_an_answer_ends_with_its_call() {
    for (end, wanted) in [
        (
            (|g: &CallGrant| g.end(&Failure::denied("credential_in_request", "a guess"))) as fn(&_),
            "credential_in_request",
        ),
        (|g: &CallGrant| g.cancel.cancel(), "canceled"),
    ] {
        let g = grant(json!({}));
        let mut body = arrived(300_000, &g).await;
        end(&g);
        assert_eq!(body.rest().await.unwrap_err().code, wanted);
    }
}

#[tokio::test]
async fn urls_are_searched_off_the_event_loop_however_many_lengths_tokens_have() {
    let long = "%25".repeat(2700);
    let (there, kind) = (format!("/?{long}"), "%25".repeat(340));
    let headers = move || {
        Reply::with(
            302,
            &[
                ("location", there.as_str()),
                ("content-type", kind.as_str()),
            ],
            "",
        )
    };
    let server = Server::start(move |_, _| headers()).await;
    let (g, gate) = (client(&server, "body"), loopback_gate());
    for number in 0..32 {
        let token = token_of_its_own_length(number);
        gate.0.tokens.issue(&g, &token);
    }
    let get = HttpRequest::get(server.url(&format!("/?{long}")));
    for (request, wanted) in [
        (
            HttpRequest {
                credential: Some("none".into()),
                ..get.clone()
            },
            "credential_scheme_unknown",
        ),
        (
            HttpRequest {
                max_redirects: 2,
                ..get
            },
            "too_many_redirects",
        ),
    ] {
        looks::taken();
        let done = gate.send(&g, request).await;
        let looks = looks::taken();
        assert_eq!(code(&done), wanted);
        assert!(looks <= SEARCHED_AT_ONCE, "{wanted}: {looks}");
    }
    assert_eq!(server.hits(), 3);
}

/// A call with a secret and this much time left.
fn with_time(server: &Server, span: Duration) -> CallGrant {
    let schemes = json!([{ "type": "api_key", "id": "key", "hosts": ["${setting.base_url}"],
        "inject": [{ "in": "header", "name": "X-Key", "value": "${credential.key}" }] }]);
    let mut g = grant_for(
        server,
        json!({ "schemes": schemes, "credentials": { "key": SECRET } }),
    );
    g.budget = Arc::new(CallBudget::within(9, 1 << 24, 1 << 24, span));
    g
}

#[tokio::test]
async fn a_search_without_a_free_thread_is_not_blamed_on_the_provider() {
    let server = Server::start(|_, request| {
        let long = request.starts_with("GET ");
        // It has ten readings.
        Reply::ok(vec![b'%'; if long { 40_000 } else { 4 }])
    })
    .await;
    let gate = loopback_gate();
    let long = HttpRequest::post(server.url("/"), vec![b'%'; 13_000]);
    let taken = gate.0.searches.all_taken().await;
    for (request, millis) in [
        (long.clone(), 300),
        // Enough time for its answer to arrive.
        (HttpRequest::get(server.url("/")), 3000),
    ] {
        let g = with_time(&server, Duration::from_millis(millis));
        let done = gate.send(&g, request).await;
        let failure = done.result.unwrap_err();
        let of = (failure.kind, failure.code.as_str());
        assert_eq!(
            of,
            (gtm_domain::FailureKind::Timeout, "not_searched_in_time")
        );
        assert!(!failure.message.contains("127.0.0.1"), "{failure}");
    }
    assert_eq!(server.hits(), 1, "what is not searched is not sent");

    // The time that the guest gives its request belongs to the provider; our search must not use it up.
    let g = with_time(&server, Duration::from_secs(30));
    let request = HttpRequest {
        timeout: Some(Duration::from_secs(3)),
        ..long
    };
    let freeing = async {
        tokio::time::sleep(Duration::from_millis(3300)).await;
        drop(taken);
    };
    let (done, ()) = tokio::join!(gate.send(&g, request), freeing);
    assert_eq!(body(&done), b"%%%%");
}
