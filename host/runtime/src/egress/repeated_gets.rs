//! Answers of a job's GET requests, for calls of the same job that repeat one: robots.txt of a host, a stylesheet.
//! A repeated request is answered from the bytes of the first, whose receipt it names. So a site is asked once.
//!
//! Only requests without a credential are kept, and only for the connection that made them. Nothing here outlives
//! its job or reaches another one. See docs/decisions/0071.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::exchange::HttpRequest;

/// Most requests of a job that are kept.
const MOST_REQUESTS: usize = 256;
/// Longest body that is kept, in bytes.
const LONGEST_BODY: usize = 512 * 1024;
/// Most bytes of bodies that are kept in all.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// An answer with the receipt of the request that brought it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownAnswer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Bytes,
    pub final_url: String,
    pub receipt_id: String,
    pub truncated: bool,
}

/// What makes two requests the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    connection: String,
    url: String,
    headers: Vec<(String, String)>,
    max_body_bytes: Option<u64>,
    truncate: bool,
    max_redirects: u8,
}

type Place = Arc<AsyncMutex<Option<KnownAnswer>>>;

/// The kept answers of one job.
#[derive(Debug, Default)]
pub struct RepeatedGets {
    places: Mutex<HashMap<Key, Place>>,
    bytes: Mutex<usize>,
}

/// The answer to a request, or the right to send it while others that repeat it wait.
#[derive(Debug)]
pub enum Repeated {
    /// It was answered before.
    Known(KnownAnswer),
    /// It is to be sent, and its answer to be kept.
    ToSend(PendingGet),
}

/// A request under way. If it is dropped without an answer, the next one that waits is sent.
#[derive(Debug)]
pub struct PendingGet {
    place: OwnedMutexGuard<Option<KnownAnswer>>,
    kept: Arc<RepeatedGets>,
}

impl RepeatedGets {
    /// The kept answer, or the right to send; `None` for a request of which nothing is kept.
    pub async fn of(self: &Arc<Self>, connection: &str, request: &HttpRequest) -> Option<Repeated> {
        let plain =
            request.method == "GET" && request.body.is_none() && request.credential.is_none();
        if !plain {
            return None;
        }
        let key = Key {
            connection: connection.to_owned(),
            url: request.url.clone(),
            headers: request.headers.clone(),
            max_body_bytes: request.max_body_bytes,
            truncate: request.truncate,
            max_redirects: request.max_redirects,
        };
        let place = {
            let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
            match places.get(&key) {
                Some(place) => Arc::clone(place),
                None if places.len() >= MOST_REQUESTS => return None,
                None => Arc::clone(places.entry(key).or_default()),
            }
        };
        let place = place.lock_owned().await;
        Some(match &*place {
            Some(known) => Repeated::Known(known.clone()),
            None => Repeated::ToSend(PendingGet {
                place,
                kept: Arc::clone(self),
            }),
        })
    }
}

impl PendingGet {
    /// Keeps the answer, if a repeated request would get it, too: a failure may be over the next time.
    pub fn answered(mut self, answer: &KnownAnswer) {
        let lasting = matches!(answer.status, 200..=299 | 404 | 410);
        if !lasting || answer.body.len() > LONGEST_BODY {
            return;
        }
        let mut bytes = self
            .kept
            .bytes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if *bytes + answer.body.len() <= MOST_BYTES {
            *bytes += answer.body.len();
            *self.place = Some(answer.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn answer(status: u16, bytes: usize) -> KnownAnswer {
        KnownAnswer {
            status,
            headers: Vec::new(),
            body: Bytes::from(vec![b'x'; bytes]),
            final_url: "https://acme.example/robots.txt".to_owned(),
            receipt_id: "rcp_1".to_owned(),
            truncated: false,
        }
    }

    async fn to_send(
        kept: &Arc<RepeatedGets>,
        connection: &str,
        request: &HttpRequest,
    ) -> PendingGet {
        match kept.of(connection, request).await {
            Some(Repeated::ToSend(pending)) => pending,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn a_repeated_request_gets_the_first_answer() {
        let kept = Arc::new(RepeatedGets::default());
        let robots = HttpRequest::get("https://acme.example/robots.txt");
        to_send(&kept, "con_1", &robots)
            .await
            .answered(&answer(200, 4));
        let again = kept.of("con_1", &robots).await;
        assert!(matches!(again, Some(Repeated::Known(known)) if known == answer(200, 4)));
        // Neither another connection nor other headers.
        drop(to_send(&kept, "con_2", &robots).await);
        let mut other = robots.clone();
        other
            .headers
            .push(("accept".to_owned(), "text/css".to_owned()));
        drop(to_send(&kept, "con_1", &other).await);
    }

    #[tokio::test]
    async fn who_repeats_a_request_under_way_waits_for_it() {
        let kept = Arc::new(RepeatedGets::default());
        let robots = HttpRequest::get("https://acme.example/robots.txt");
        let first = to_send(&kept, "con_1", &robots).await;
        let second = {
            let (kept, robots) = (Arc::clone(&kept), robots.clone());
            tokio::spawn(async move { kept.of("con_1", &robots).await })
        };
        tokio::task::yield_now().await;
        first.answered(&answer(404, 0));
        assert!(
            matches!(second.await.unwrap(), Some(Repeated::Known(known)) if known.status == 404)
        );
    }

    #[tokio::test]
    async fn what_may_change_or_is_private_is_asked_again() {
        let kept = Arc::new(RepeatedGets::default());
        let page = HttpRequest::get("https://acme.example/");
        for lasting in [
            answer(503, 1),
            answer(429, 1),
            answer(200, LONGEST_BODY + 1),
        ] {
            to_send(&kept, "con_1", &page).await.answered(&lasting);
        }
        // A request that was given up leaves its place to the next.
        drop(to_send(&kept, "con_1", &page).await);
        drop(to_send(&kept, "con_1", &page).await);
        let mut secret = page.clone();
        secret.credential = Some("key".to_owned());
        assert!(kept.of("con_1", &secret).await.is_none());
        let post = HttpRequest::post("https://acme.example/", "x");
        assert!(kept.of("con_1", &post).await.is_none());
    }

    #[tokio::test]
    async fn a_job_keeps_a_bounded_amount() {
        let kept = Arc::new(RepeatedGets::default());
        for number in 0..MOST_REQUESTS {
            let request = HttpRequest::get(format!("https://acme.example/{number}"));
            to_send(&kept, "con_1", &request)
                .await
                .answered(&answer(200, LONGEST_BODY));
        }
        assert!(*kept.bytes.lock().unwrap() <= MOST_BYTES);
        let one_more = HttpRequest::get("https://acme.example/more");
        assert!(kept.of("con_1", &one_more).await.is_none());
    }
}
