//! Connections as they come over a socket: slow, oversized, and while the server stops.

use std::time::Duration;

use gtm_api::{ServerLimits, serve};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::world::World;

struct Served {
    world: World,
    address: std::net::SocketAddr,
    stop: CancellationToken,
    done: JoinHandle<std::io::Result<()>>,
}

async fn start(header_read: Duration) -> Served {
    let world = World::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let limits = ServerLimits {
        header_read,
        ..ServerLimits::default()
    };
    let done = tokio::spawn(serve(
        listener,
        world.router.clone(),
        limits,
        stop.clone(),
        Duration::from_secs(5),
    ));
    Served {
        world,
        address,
        stop,
        done,
    }
}

async fn exchange(address: std::net::SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn a_head_that_does_not_end_is_cut_off() {
    let served = start(Duration::from_millis(200)).await;
    for start_of_head in ["", "GET / HTTP/1.1\r\nhost: a\r\n", "PRI * HTTP/2.0\r\n"] {
        let cut = tokio::time::timeout(
            Duration::from_secs(5),
            exchange(served.address, start_of_head.as_bytes()),
        )
        .await;
        assert!(cut.is_ok(), "{start_of_head:?} holds its connection");
    }
    let whole = exchange(
        served.address,
        b"GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
    )
    .await;
    assert!(whole.starts_with("HTTP/1.1 200"), "{whole}");
}

#[tokio::test]
async fn a_large_body_gets_its_answer_over_a_socket() {
    let served = start(Duration::from_secs(5)).await;
    let body = vec![b'a'; 10 << 20];
    let head = format!(
        "POST /v1/playbooks HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        served.world.key,
        body.len()
    );
    let answer = exchange(served.address, &[head.as_bytes(), &body].concat()).await;
    assert!(
        answer.starts_with("HTTP/1.1 413") && answer.contains("invalid_request"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_stop_ends_idle_connections_and_the_server() {
    let served = start(Duration::from_secs(30)).await;
    let mut idle = TcpStream::connect(served.address).await.unwrap();
    idle.write_all(b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n")
        .await
        .unwrap();
    let mut first = [0u8; 12];
    idle.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    served.stop.cancel();
    tokio::time::timeout(Duration::from_secs(3), served.done)
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    assert!(
        TcpStream::connect(served.address).await.is_err(),
        "the port is free again"
    );
}
