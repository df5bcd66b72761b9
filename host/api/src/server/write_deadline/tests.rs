#![allow(clippy::unwrap_used, clippy::panic)]
use super::*;
use crate::server::turn::Standing;
use http_body_util::BodyExt as _;
use proptest::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};

const LONG: Duration = Duration::from_secs(600);
const SHORT: Duration = Duration::from_millis(300);

/// A connection in memory that records whether it was cut off.
struct Wire(DuplexStream, Arc<AtomicBool>);

impl Sever for Wire {
    fn sever(&self) {
        self.1.store(true, Ordering::Relaxed);
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

struct Pair {
    server: WriteDeadline<Wire>,
    peer: DuplexStream,
    deliveries: Deliveries,
    severed: Arc<AtomicBool>,
}

fn deliveries() -> Deliveries {
    Deliveries::of(Turn::new(Instant::now()))
}

/// A connection whose buffers hold 100 bytes.
fn pair(stall: Duration, delivery: Duration) -> Pair {
    let (ours, peer) = tokio::io::duplex(100);
    let deliveries = deliveries();
    let severed = Arc::new(AtomicBool::new(false));
    let wire = Wire(ours, Arc::clone(&severed));
    Pair {
        server: WriteDeadline::new(wire, Patience { stall, delivery }, deliveries.clone()),
        peer,
        deliveries,
        severed,
    }
}

/// The reason why the server gave up.
async fn given_up(server: &mut WriteDeadline<Wire>, bytes: usize) -> String {
    let error = server.write_all(&vec![0; bytes]).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    error.to_string()
}

#[tokio::test]
async fn a_peer_that_takes_nothing_is_given_up_after_the_stall() {
    let Pair {
        mut server,
        peer,
        deliveries,
        severed,
    } = pair(SHORT, LONG);
    let _body = deliveries.begin(Body::empty());
    let began = Instant::now();
    assert_eq!(given_up(&mut server, 101).await, "write_stalled");
    assert!(began.elapsed() >= SHORT);
    drop(server);
    assert!(severed.load(Ordering::Relaxed), "nothing is kept for it");
    drop(peer);
}

#[tokio::test]
async fn a_peer_that_takes_a_little_now_and_then_is_given_up_after_the_delivery() {
    let Pair {
        mut server,
        mut peer,
        deliveries,
        ..
    } = pair(LONG, SHORT);
    let _body = deliveries.begin(Body::empty());
    let began = Instant::now();
    let reading = tokio::spawn(async move {
        let mut byte = [0];
        while peer.read_exact(&mut byte).await.is_ok() {
            tokio::time::sleep(SHORT / 10).await;
        }
    });
    assert_eq!(given_up(&mut server, 1000).await, "answer_not_taken");
    assert!(began.elapsed() >= SHORT);
    drop(server);
    reading.await.unwrap();
}

/// The peer accepts whatever is there at once, and yet the whole answer takes too long.
#[tokio::test]
async fn lumps_do_not_hide_a_slow_peer() {
    let Pair {
        mut server,
        peer: _peer,
        deliveries,
        ..
    } = pair(LONG, SHORT);
    let body = deliveries.begin(Body::empty());
    tokio::time::sleep(SHORT * 2).await;
    assert_eq!(given_up(&mut server, 10).await, "answer_not_taken");
    drop(body);
}

#[tokio::test]
async fn an_answer_that_was_taken_is_no_burden_for_the_next() {
    let delivery = SHORT * 10;
    let Pair {
        mut server,
        mut peer,
        deliveries,
        severed,
    } = pair(LONG, delivery);
    let began = Instant::now();
    while began.elapsed() < delivery + SHORT {
        let body = deliveries.begin(Body::empty());
        server.write_all(&[0; 50]).await.unwrap();
        drop(body);
        server.flush().await.unwrap();
        tokio::time::sleep(SHORT).await;
        peer.read_exact(&mut [0; 50]).await.unwrap();
    }
    drop(server);
    assert!(!severed.load(Ordering::Relaxed));
}

/// The room must see an answer as being sent until the peer has accepted it.
#[tokio::test]
async fn an_answer_is_on_its_way_until_it_is_taken() {
    let Pair {
        mut server,
        mut peer,
        deliveries,
        ..
    } = pair(LONG, LONG);
    let turn = deliveries.turn.clone();
    let delivering = || match turn.standing() {
        Standing::Delivering { since } => since,
        other => panic!("{other:?}"),
    };
    let body = deliveries.begin(Body::empty());
    let began = delivering();
    server.flush().await.unwrap();
    assert_eq!(delivering(), began, "the library has not been given all");
    tokio::time::sleep(SHORT / 10).await;
    server.write_all(&[0; 100]).await.unwrap();
    let took = delivering();
    assert!(took > began, "something was taken");
    let more = tokio::time::timeout(SHORT / 10, server.write_all(&[0; 10])).await;
    assert!(more.is_err(), "the peer's buffer is full");
    assert_eq!(delivering(), took, "nothing more was taken");
    peer.read_exact(&mut [0; 50]).await.unwrap();
    server.write_all(&[0; 10]).await.unwrap();
    drop(body);
    server.flush().await.unwrap();
    assert!(matches!(turn.standing(), Standing::Silent { .. }));
}

proptest! {
    #[test]
    fn portions_are_the_body(sizes in proptest::collection::vec(0usize..60_000, 0..5)) {
        let whole: Vec<u8> = (0..sizes.iter().sum()).map(|n: usize| n as u8).collect();
        let body = Body::from(whole.clone());
        let deliveries = deliveries();
        let mut portions = deliveries.begin(body);
        prop_assert_eq!(portions.size_hint().exact(), Some(whole.len() as u64));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut seen = Vec::new();
        while let Some(frame) = runtime.block_on(portions.frame()) {
            let data = frame.unwrap().into_data().unwrap();
            prop_assert!(!data.is_empty() && data.len() <= PORTION);
            seen.extend_from_slice(&data);
            let left = (whole.len() - seen.len()) as u64;
            prop_assert_eq!(portions.size_hint().exact(), Some(left));
            prop_assert_eq!(portions.is_end_stream(), left == 0);
        }
        prop_assert_eq!(seen, whole);
        drop(portions);
        prop_assert_eq!(deliveries.lock().unfinished, 0);
    }
}
