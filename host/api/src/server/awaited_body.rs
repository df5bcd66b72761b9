//! A request's body: for as long as it is waited for, it is the peer's turn, and what came of it says for
//! how long that is no loss.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Buf as _;
use hyper::body::{Body as HttpBody, Frame, SizeHint};

use super::turn::{Moment, Turn};

/// A body that comes at least this fast is coming. A longest body of 1 MiB needs four times as much to be
/// there within the default of `limits.body_seconds`.
const BYTES_PER_SECOND: u64 = 16 * 1024;

/// A body that tells when it is waited for. One of which nobody reads anything is not.
#[derive(Debug)]
pub(super) struct AwaitedBody<B> {
    body: B,
    turn: Turn,
    /// Since when it has been coming: one that dribbles in is waited for since its first byte was.
    since: Option<Moment>,
    received: u64,
    awaited: bool,
}

impl<B> AwaitedBody<B> {
    pub(super) const fn new(body: B, turn: Turn) -> Self {
        Self {
            body,
            turn,
            since: None,
            received: 0,
            awaited: false,
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
            let since = *this.since.get_or_insert_with(|| this.turn.now());
            let paid_for = this.received.saturating_mul(1000) / BYTES_PER_SECOND;
            this.turn.receive(since.saturating_add(paid_for));
        } else if this.awaited {
            this.turn.resume();
        }
        if let Poll::Ready(Some(Ok(frame))) = &frame {
            let bytes = frame.data_ref().map_or(0, |data| data.remaining());
            this.received = this.received.saturating_add(bytes as u64);
        }
        this.awaited = frame.is_pending();
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B> Drop for AwaitedBody<B> {
    fn drop(&mut self) {
        // Given up: the request is answered without it.
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

    /// What each look at a body finds: bytes, or that there are none yet.
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
        (AwaitedBody::new(Script(frames), turn.clone()), turn)
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
        const CHUNK: &str = match str::from_utf8(&[b'a'; 24 * 1024]) {
            Ok(text) => text,
            Err(_) => panic!(),
        };
        let (mut body, turn) = working(&[None, Some(CHUNK), None, Some(CHUNK), Some(CHUNK), None]);
        look(&mut body);
        let Standing::Receiving { paid_until: begun } = turn.standing() else {
            panic!("{:?}", turn.standing())
        };
        for (looks, worth) in [(2, 1500), (3, 4500)] {
            for _ in 0..looks {
                look(&mut body);
            }
            let paid_until = begun + worth;
            assert_eq!(turn.standing(), Standing::Receiving { paid_until });
        }
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
