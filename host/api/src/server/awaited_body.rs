//! A request's body. While the server waits for it, it is the peer's turn. How much has arrived, and how
//! fast, decides how long the peer may take before its connection can be closed to make room.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use bytes::Buf as _;
use hyper::body::{Body as HttpBody, Frame, SizeHint};

use super::turn::{Moment, Turn};

/// A body that arrives at least this fast counts as arriving. It is a quarter of the rate that the longest
/// body of 1 MiB needs to arrive within the default of `limits.body_seconds`.
const BYTES_PER_SECOND: u64 = 16 * 1024;
/// How far ahead of the present, in milliseconds, received bytes can justify waiting. Bytes arrive one
/// window per round trip, and a round trip takes less than a second even by satellite.
const AHEAD: Moment = 2000;

/// How long the bytes received so far justify waiting for more.
#[derive(Debug, Default)]
struct Pace {
    /// When the server first had to wait for bytes. For a body that trickles in, the clock runs from then
    /// on.
    since: Option<Moment>,
    /// The bytes that count. Bytes that arrive much faster than necessary do not count: otherwise a peer
    /// could pay in advance for a connection and then leave it idle.
    bytes: u64,
}

impl Pace {
    fn come(&mut self, bytes: u64, now: Moment) {
        let passed = self.since.map_or(0, |since| now.saturating_sub(since));
        let most = passed
            .saturating_add(AHEAD)
            .saturating_mul(BYTES_PER_SECOND)
            / 1000;
        self.bytes = self.bytes.saturating_add(bytes).min(most);
    }

    /// Until when it is worth waiting for the bytes that are needed now.
    fn paid_until(&mut self, now: Moment) -> Moment {
        let since = *self.since.get_or_insert(now);
        since.saturating_add(self.bytes.saturating_mul(1000) / BYTES_PER_SECOND)
    }
}

/// Whether a part of the last request's body was left unread. The peer may still be sending it.
#[derive(Debug, Clone, Default)]
pub(super) struct UnreadRest(Arc<AtomicBool>);

impl UnreadRest {
    pub(super) fn is_left(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The rest has been read after all.
    pub(super) fn settle(&self) {
        self.set(false);
    }

    fn set(&self, left: bool) {
        self.0.store(left, Ordering::Relaxed);
    }
}

/// A body that records when the server waits for it and whether it was read to its end. While nobody reads
/// it, the server does not wait for it.
#[derive(Debug)]
pub(super) struct AwaitedBody<B: HttpBody> {
    body: B,
    turn: Turn,
    pace: Pace,
    awaited: bool,
    ended: bool,
    rest: UnreadRest,
}

impl<B: HttpBody> AwaitedBody<B> {
    pub(super) fn new(body: B, turn: Turn, rest: UnreadRest) -> Self {
        rest.set(false);
        Self {
            body,
            turn,
            pace: Pace::default(),
            awaited: false,
            ended: false,
            rest,
        }
    }
}

impl<B: HttpBody + Unpin> HttpBody for AwaitedBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let this = &mut *self;
        let frame = Pin::new(&mut this.body).poll_frame(cx);
        if frame.is_pending() {
            this.turn.receive(this.pace.paid_until(this.turn.now()));
        } else if this.awaited {
            this.turn.resume();
        }
        if let Poll::Ready(Some(Ok(frame))) = &frame {
            let bytes = frame.data_ref().map_or(0, |data| data.remaining());
            this.pace.come(bytes as u64, this.turn.now());
        }
        this.awaited = frame.is_pending();
        this.ended = matches!(frame, Poll::Ready(None));
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B: HttpBody> Drop for AwaitedBody<B> {
    fn drop(&mut self) {
        self.rest.set(!self.ended && !self.body.is_end_stream());
        // The body was abandoned: the request is answered without the rest.
        if self.awaited {
            self.turn.resume();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::server::turn::Standing;
    use bytes::Bytes;
    use std::collections::VecDeque;
    use std::convert::Infallible;
    use std::task::Waker;
    use std::time::Duration;
    use tokio::time::Instant;

    /// What each poll of the body finds: bytes, or `None` for none yet.
    struct Script(VecDeque<Option<Bytes>>);

    impl HttpBody for Script {
        type Data = Bytes;
        type Error = Infallible;
        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            match self.0.pop_front() {
                Some(Some(bytes)) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
                Some(None) => Poll::Pending,
                None => Poll::Ready(None),
            }
        }
    }

    fn working(script: &[Option<&'static str>]) -> (AwaitedBody<Script>, Turn) {
        let turn = Turn::new(Instant::now());
        turn.work();
        let frames = script.iter().map(|frame| frame.map(Bytes::from)).collect();
        let body = AwaitedBody::new(Script(frames), turn.clone(), UnreadRest::default());
        (body, turn)
    }

    fn look(body: &mut AwaitedBody<Script>) {
        let _ = Pin::new(body).poll_frame(&mut Context::from_waker(Waker::noop()));
    }

    #[test]
    fn it_is_the_peers_turn_only_while_bytes_are_missing() {
        let (mut body, turn) = working(&[Some("a"), None, Some("b"), None]);
        look(&mut body);
        assert_eq!(
            turn.standing(),
            Standing::AtWork,
            "what is there is no wait"
        );
        look(&mut body);
        let Standing::Receiving { paid_until } = turn.standing() else {
            panic!("{:?}", turn.standing())
        };
        std::thread::sleep(Duration::from_millis(3));
        look(&mut body);
        assert_eq!(turn.standing(), Standing::AtWork);
        look(&mut body);
        assert_eq!(
            turn.standing(),
            Standing::Receiving { paid_until },
            "a body that dribbles in does not look fresh"
        );
        look(&mut body);
        assert_eq!(turn.standing(), Standing::AtWork, "it has ended");
    }

    #[test]
    fn each_16_kib_are_worth_a_second() {
        const CHUNK: &str = match str::from_utf8(&[b'a'; 12 * 1024]) {
            Ok(text) => text,
            Err(_) => panic!(),
        };
        let (mut body, turn) = working(&[None, Some(CHUNK), None, Some(CHUNK), None]);
        look(&mut body);
        let Standing::Receiving { paid_until: begun } = turn.standing() else {
            panic!("{:?}", turn.standing())
        };
        for worth in [750, 1500] {
            look(&mut body);
            look(&mut body);
            let paid_until = begun + worth;
            assert_eq!(turn.standing(), Standing::Receiving { paid_until });
        }
    }

    /// A peer that sends a lot at once and then stops is given no more time than one that keeps to the
    /// minimum rate. Sending a byte now and then gains it nothing.
    #[test]
    fn what_comes_at_once_is_worth_two_seconds() {
        let mut pace = Pace::default();
        assert_eq!(pace.paid_until(10_000), 10_000);
        pace.come(240 * 1024, 10_125);
        assert_eq!(pace.paid_until(10_125), 12_125);
        for now in [10_625, 11_125, 11_625, 12_125] {
            pace.come(1, now);
            assert_eq!(pace.paid_until(now), 12_125);
        }
        // A later burst does not make up for the time that the peer was silent.
        pace.come(8 * 1024, 20_000);
        assert_eq!(pace.paid_until(20_000), 12_625);
        // Bytes that arrived before the server had to wait justify no more time than later ones.
        let mut pace = Pace::default();
        pace.come(240 * 1024, 5000);
        assert_eq!(pace.paid_until(10_000), 12_000);
    }

    /// Bytes arrive in bursts, because each round trip fills one window. A peer that is twice as fast as
    /// necessary is never late because of that. A much faster one may lose a round trip.
    #[test]
    fn a_peer_far_away_is_not_late() {
        const ROUND_TRIP: Moment = 900;
        for (lump, lasts) in [(30_000, ROUND_TRIP), (240 * 1024, 2 * ROUND_TRIP)] {
            let mut pace = Pace::default();
            pace.paid_until(0);
            for now in (1..50).map(|trip| trip * ROUND_TRIP) {
                pace.come(lump, now);
                assert!(pace.paid_until(now) >= now + lasts, "{lump} at {now}");
            }
        }
    }

    #[test]
    fn what_is_left_of_a_body_is_known_when_it_is_dropped() {
        for (script, looks, left) in [
            (&[Some("a")][..], 2, false),
            (&[Some("a")], 1, true),
            (&[Some("a"), None], 2, true),
            (&[None], 0, true),
        ] {
            let (mut body, _) = working(script);
            let rest = body.rest.clone();
            for _ in 0..looks {
                look(&mut body);
            }
            drop(body);
            assert_eq!(rest.is_left(), left, "{script:?} {looks}");
        }
        let rest = UnreadRest::default();
        let turn = Turn::new(Instant::now());
        drop(AwaitedBody::new(
            axum::body::Body::empty(),
            turn.clone(),
            rest.clone(),
        ));
        assert!(!rest.is_left(), "there was none");
        rest.set(true);
        let next = AwaitedBody::new(axum::body::Body::empty(), turn, rest.clone());
        assert!(!rest.is_left(), "it was that of the request before");
        drop(next);
    }

    #[test]
    fn a_body_that_is_given_up_is_waited_for_no_longer() {
        let (mut body, turn) = working(&[None]);
        look(&mut body);
        assert!(matches!(turn.standing(), Standing::Receiving { .. }));
        drop(body);
        assert_eq!(turn.standing(), Standing::AtWork);
        let (mut late, turn) = working(&[None]);
        look(&mut late);
        turn.deliver();
        drop(late);
        assert!(matches!(turn.standing(), Standing::Delivering { .. }));
    }
}
