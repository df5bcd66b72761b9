//! What a guest sees of an answer does not depend on the connection's secret, as long as the answer does
//! not contain all of it.

use std::io;

use bytes::Bytes;
use futures::StreamExt as _;
use proptest::prelude::*;

use super::*;
use crate::egress::answer_cleaner::AnswerCleaner;
use crate::egress::body::{BodyReader, Bounds, Coding};
use crate::egress::redact::Secrets;
use crate::egress::redact::teasing::teased;
use crate::egress::searches::Searches;

/// How an answer arrives and is read.
#[derive(Debug, Clone)]
struct Course {
    /// Sizes of the pieces on the wire, and of each read.
    sizes: Vec<usize>,
    /// Limit on the body, and what the call may still receive.
    limit: u64,
    budget: u64,
    truncate: bool,
    /// Whether the connection breaks at the end.
    breaks: bool,
    /// Whether the body is read at once.
    whole: bool,
}

fn course(sizes: Vec<usize>) -> impl Strategy<Value = Course> {
    let bound = || prop_oneof![Just(1 << 20), 0..6000_u64];
    (bound(), bound(), any::<[bool; 3]>()).prop_map(
        move |(limit, budget, [truncate, breaks, whole])| Course {
            sizes: sizes.clone(),
            limit,
            budget,
            truncate,
            breaks,
            whole,
        },
    )
}

/// One observation of a guest: how many pieces had arrived by then, and the bytes or the failure.
type Sight = (usize, Result<Option<Bytes>, String>);

/// All observations of a guest, with the truncation mark and what is left of its budget.
async fn seen(
    secret: &str,
    wire: &[u8],
    coding: Coding,
    course: &Course,
) -> (Vec<Sight>, bool, u64) {
    let mut pieces = Vec::new();
    let mut rest = wire;
    for size in course.sizes.iter().chain(std::iter::repeat(&1000)) {
        if rest.is_empty() {
            break;
        }
        let (piece, after) = rest.split_at((*size).min(rest.len()));
        pieces.push(Ok(Bytes::copy_from_slice(piece)));
        rest = after;
    }
    if course.breaks {
        pieces.push(Err(io::Error::other("broken")));
    }
    let arrived = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&arrived);
    let pieces = futures::stream::iter(pieces).inspect(move |_| {
        counter.fetch_add(1, Ordering::SeqCst);
    });
    let budget = Arc::new(CallBudget::within(
        9,
        0,
        course.budget,
        Duration::from_secs(60),
    ));
    let bounds = Bounds {
        limit: course.limit,
        truncate: course.truncate,
        deadline: budget.deadline,
        cancel: CancellationToken::new(),
        budget: Arc::clone(&budget),
    };
    let (secrets, _) = Secrets::of(std::iter::once(secret));
    let host = HostName::parse("host.example").unwrap();
    let searches = Arc::new(Searches::default());
    let grant = grant(json!({}));
    let cleaner = AnswerCleaner::new(secrets.redactor(), searches.of_call(&grant));
    let mut body = BodyReader::new(pieces, coding, bounds, cleaner, host, ()).await;
    let mut sights = Vec::new();
    let mut sizes = course.sizes.iter().cycle();
    loop {
        let sight = if course.whole {
            body.rest().await.map(Some)
        } else {
            body.next(*sizes.next().unwrap_or(&1000)).await
        };
        let sight = sight.map_err(|failure| format!("{failure:?}"));
        let over = course.whole || !matches!(sight, Ok(Some(_)));
        sights.push((arrived.load(Ordering::SeqCst), sight));
        if over {
            return (sights, body.truncated, budget.bytes_in_left());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn a_guest_sees_the_same_whatever_the_secret_is(
        (secrets, body, course) in teased().prop_flat_map(|(secrets, body, sizes)| (Just(secrets), Just(body), course(sizes))),
        compressed: bool,
    ) {
        for secret in &secrets {
            let (watched, _) = Secrets::of(std::iter::once(secret.as_str()));
            prop_assume!(!watched.any_in(&body));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (one, other) = runtime.block_on(async {
            let (wire, coding) = if compressed {
                (limits::gzip(&body).await, Coding::Gzip)
            } else {
                (body, Coding::Identity)
            };
            let [one, other] = &secrets;
            (seen(one, &wire, coding, &course).await, seen(other, &wire, coding, &course).await)
        });
        prop_assert_eq!(one, other);
    }
}

#[tokio::test]
async fn a_guest_does_see_a_whole_secret_replaced() {
    let body = b"before canary-one after";
    for (limit, truncate) in [(1 << 20, false), (12, true)] {
        let course = Course {
            sizes: vec![5],
            limit,
            budget: 1 << 20,
            truncate,
            breaks: false,
            whole: false,
        };
        let one = seen("canary-one", body, Coding::Identity, &course).await;
        let other = seen("canary-two", body, Coding::Identity, &course).await;
        assert_ne!(one, other);
    }
}
