//! Connections over a real socket: slow, oversized, cut when the server stops, or with bytes that no HTTP
//! library would send. Every request gets an envelope with a request id.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use gtm_api::{ApiConfig, Refusals, ServerLimits, serve};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::counters::Counters;
use crate::world::World;

mod bodies;
mod places;
mod slow_peers;
mod unread_bodies;
mod what_is_no_request;

struct Served {
    world: World,
    address: std::net::SocketAddr,
    stop: CancellationToken,
    done: JoinHandle<std::io::Result<()>>,
}

async fn start(header_read: Duration) -> Served {
    start_with(ServerLimits {
        header_read,
        ..ServerLimits::default()
    })
    .await
}

async fn start_with(limits: ServerLimits) -> Served {
    start_beside(Router::new(), limits).await
}

/// Starts the API together with these routes.
async fn start_beside(routes: Router, limits: ServerLimits) -> Served {
    let world = World::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let done = tokio::spawn(serve(
        listener,
        routes.fallback_service(world.router.clone()),
        Refusals::new(&ApiConfig::default().docs_base, world.clock.clone()),
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

/// Starts the API, with one request from each of these addresses that is worked on forever.
async fn start_with_work(limits: ServerLimits, from: &[u8]) -> (Served, Vec<TcpStream>) {
    let (begun, mut begins) = tokio::sync::mpsc::unbounded_channel();
    let busy = get(move || {
        begun.send(()).unwrap();
        std::future::pending::<()>()
    });
    let served = start_beside(Router::new().route("/busy", busy), limits).await;
    let mut working = Vec::new();
    for last in from {
        let mut stream = connect_from(*last, &served).await;
        let asked = head("GET /busy HTTP/1.1\r\nhost: a");
        stream.write_all(&asked).await.unwrap();
        begins.recv().await.unwrap();
        working.push(stream);
    }
    (served, working)
}

async fn exchange(address: std::net::SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may answer and close before it has read everything.
    let _ = stream.write_all(request).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
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
    tokio::time::timeout(Duration::from_secs(60), served.done)
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    assert!(
        TcpStream::connect(served.address).await.is_err(),
        "the port is free again"
    );
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

/// Splits these bytes into answers: status, headers in lower case, body.
fn answers(mut text: &str) -> Vec<(u16, String, String)> {
    let mut found = Vec::new();
    while !text.is_empty() {
        let (head, rest) = text
            .split_once("\r\n\r\n")
            .unwrap_or_else(|| panic!("no head: {text:?}"));
        let head = head.to_ascii_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .map_or(0, |length| length.parse::<usize>().unwrap());
        let (body, rest) = rest.split_at(length);
        found.push((status, head, body.to_owned()));
        text = rest;
    }
    found
}

/// The status of the last answer. Checks first that all answers are complete and that errors are envelopes.
fn last_status(what: &str, text: &str) -> u16 {
    let answers = answers(text);
    for (status, head, body) in &answers {
        let id = head
            .lines()
            .find_map(|line| line.strip_prefix("x-request-id: "))
            .unwrap_or_else(|| panic!("{what}: no id: {text}"));
        if *status < 400 {
            continue;
        }
        assert!(
            head.contains("content-type: application/json"),
            "{what}: {text}"
        );
        let body: Value =
            serde_json::from_str(body).unwrap_or_else(|e| panic!("{what}: {e}: {text}"));
        let error = &body["error"];
        assert_eq!(
            error["request_id"].as_str().unwrap().to_ascii_lowercase(),
            id,
            "{what}"
        );
        assert!(!error["code"].as_str().unwrap().is_empty(), "{what}");
        assert!(
            error["message"].as_str().is_some_and(|m| m.ends_with('.')),
            "{what}: {body}"
        );
        assert!(
            error["docs_url"].as_str().is_some_and(|u| u.contains('#')),
            "{what}"
        );
    }
    answers
        .last()
        .unwrap_or_else(|| panic!("{what}: no answer"))
        .0
}

fn head(lines: &str) -> Vec<u8> {
    format!("{lines}\r\n\r\n").into_bytes()
}

/// A connection from a chosen loopback address.
async fn connect_from(last: u8, served: &Served) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket
        .bind(SocketAddr::from(([127, 0, 0, last], 0)))
        .unwrap();
    socket.connect(served.address).await.unwrap()
}

/// Everything the server sends until it closes the connection.
async fn rest(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    let reading = stream.read_to_end(&mut answer);
    let ended = tokio::time::timeout(Duration::from_secs(30), reading).await;
    assert!(ended.is_ok(), "the connection does not end");
    String::from_utf8_lossy(&answer).into_owned()
}

async fn health(mut stream: TcpStream) -> u16 {
    let head = head("GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close");
    stream.write_all(&head).await.unwrap();
    last_status("health", &rest(stream).await)
}
