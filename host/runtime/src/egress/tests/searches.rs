//! Long answers are searched off the event loop, in the room that their project has for it.

use std::io;
use std::task::Poll;

use bytes::Bytes;
use futures::poll;
use gtm_domain::Failure;

use super::*;
use crate::egress::body::{BodyReader, Bounds, Coding};
use crate::egress::clearing::Clearing;
use crate::egress::redact::Secrets;
use crate::egress::searches::Searches;

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
    let clearing = Clearing::new(secrets.redactor(), searcher);
    let host = HostName::parse("host.example").unwrap();
    let pieces = futures::stream::iter(pieces);
    BodyReader::new(pieces, Coding::Identity, bounds, clearing, host, ()).await
}

#[tokio::test]
async fn a_long_answer_is_searched_off_the_event_loop() {
    for (part, bytes, at_once) in [
        ("-", 10_000, true),
        ("-", 300_000, false),
        // What is read in many ways is searched as often.
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
    // What was searched before may be read.
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
