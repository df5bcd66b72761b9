//! Connections as they come over a socket: slow, oversized, while the server stops, and such as no
//! HTTP library makes. Whatever is answered is an envelope with a request id.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use gtm_api::{ApiConfig, Refusals, ServerLimits, serve};
use proptest::prelude::*;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::world::World;

mod bodies;

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

/// The API, and these routes besides.
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

async fn exchange(address: std::net::SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may answer and close before it has read all.
    let _ = stream.write_all(request).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn a_head_that_does_not_end_is_cut_off() {
    let served = start(Duration::from_millis(200)).await;
    for start_of_head in ["", "GET / HTTP/1.1\r\nhost: a\r\n", "PRI * HTTP/2.0\r\n"] {
        let cut = tokio::time::timeout(
            Duration::from_secs(60),
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

/// The answers that stand in these bytes one after the other: status, headers in lower case, body.
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

/// The status of the last answer, after checking that all are whole and that errors are envelopes.
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

#[tokio::test]
async fn what_is_no_request_is_answered_in_the_envelope() {
    let served = start(Duration::from_secs(10)).await;
    let long_target = format!("GET /{} HTTP/1.1\r\nhost: a", "a".repeat(70_000));
    let long_header = format!("GET / HTTP/1.1\r\nhost: a\r\nx: {}", "a".repeat(70_000));
    let unending = format!("GET / HTTP/1.1\r\nhost: a\r\nx: {}", "a".repeat(600_000));
    let many: String = (0..200).map(|n| format!("\r\nx-{n}: 1")).collect();
    let many = format!("GET / HTTP/1.1\r\nhost: a{many}");
    for (what, bytes, status) in [
        (
            "nul in the target",
            head("GET /v1/\0jobs HTTP/1.1\r\nhost: a"),
            400,
        ),
        (
            "space in the target",
            head("GET /v1/jobs x HTTP/1.1\r\nhost: a"),
            400,
        ),
        (
            "no colon",
            head("GET / HTTP/1.1\r\nhost: a\r\nbad header"),
            400,
        ),
        (
            "control character",
            head("GET / HTTP/1.1\r\nhost: a\r\nx: \0"),
            400,
        ),
        (
            "folded header",
            head("GET / HTTP/1.1\r\nhost: a\r\nx: a\r\n b"),
            400,
        ),
        (
            "space before the colon",
            head("GET / HTTP/1.1\r\nhost : a"),
            400,
        ),
        ("other protocol", head("HELO there"), 400),
        ("HTTP/0.9", b"GET /healthz\r\n".to_vec(), 400),
        ("HTTP/3.0", head("GET /healthz HTTP/3.0\r\nhost: a"), 400),
        (
            "HTTP/2",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".to_vec(),
            400,
        ),
        (
            "TLS",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
            400,
        ),
        (
            "bad length",
            head("POST /v1/playbooks HTTP/1.1\r\nhost: a\r\ncontent-length: ten"),
            400,
        ),
        (
            "negative length",
            head("POST /v1/playbooks HTTP/1.1\r\nhost: a\r\ncontent-length: -1"),
            400,
        ),
        (
            "two lengths",
            head(
                "POST /v1/playbooks HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2",
            ),
            400,
        ),
        (
            "unknown coding",
            head("POST /v1/playbooks HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip"),
            400,
        ),
        (
            "length, then coding",
            head(
                "POST /v1/playbooks HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked",
            ),
            400,
        ),
        (
            "coding, then length",
            head(
                "POST /v1/playbooks HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ncontent-length: 5",
            ),
            400,
        ),
        ("no host", head("GET /healthz HTTP/1.1"), 400),
        (
            "two hosts",
            head("GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b"),
            400,
        ),
        ("bad host", head("GET /healthz HTTP/1.1\r\nhost: a/b"), 400),
        ("long target", head(&long_target), 414),
        ("long header", head(&long_header), 431),
        ("unending header", unending.into_bytes(), 431),
        ("many headers", head(&many), 431),
    ] {
        let answer = exchange(served.address, &bytes).await;
        assert_eq!(last_status(what, &answer), status, "{what}: {answer}");
        assert_eq!(answers(&answer).len(), 1, "{what}: {answer}");
        assert!(answer.contains("\"invalid_request\""), "{what}: {answer}");
        assert!(
            answer.to_ascii_lowercase().contains("connection: close"),
            "{what}: {answer}"
        );
    }
    for old in ["GET /healthz HTTP/1.0", "GET /healthz HTTP/1.0\r\nhost: a"] {
        assert_eq!(
            last_status(old, &exchange(served.address, &head(old)).await),
            200
        );
    }
}

#[tokio::test]
async fn the_caller_s_id_is_echoed_where_it_can_be_read() {
    let served = start(Duration::from_secs(10)).await;
    let bad = head("GET / HTTP/1.1\r\nhost: a\r\nX-Request-ID: mine-1\r\nbad header");
    let answer = exchange(served.address, &bad).await;
    assert_eq!(last_status("bad", &answer), 400);
    assert!(answer.contains("x-request-id: mine-1\r\n"), "{answer}");
    assert!(answer.contains("\"request_id\":\"mine-1\""), "{answer}");
}

#[tokio::test]
async fn what_came_before_is_answered_as_ever() {
    let served = start(Duration::from_secs(10)).await;
    let good = head("GET /healthz HTTP/1.1\r\nhost: a");
    let large = head("GET /docs/redoc.standalone.js HTTP/1.1\r\nhost: a");
    let counted = head(&format!(
        "GET /v1/usage HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {}",
        served.world.key
    ));
    for (what, requests, before) in [
        ("one", good.clone(), vec![200]),
        (
            "three",
            [&good[..], &counted, &good].concat(),
            vec![200, 200, 200],
        ),
        (
            "a large answer",
            [&large[..], &good].concat(),
            vec![200, 200],
        ),
        (
            "an answer without a body",
            head("HEAD /healthz HTTP/1.1\r\nhost: a"),
            vec![],
        ),
    ] {
        let answer = exchange(
            served.address,
            &[&requests[..], b"not a request\r\n\r\n"].concat(),
        )
        .await;
        if before.is_empty() {
            // The length of a body that was not asked for.
            assert!(answer.starts_with("HTTP/1.1 200"), "{what}: {answer}");
            let (_, rest) = answer.split_once("\r\n\r\n").unwrap();
            assert_eq!(last_status(what, rest), 400, "{what}");
            continue;
        }
        assert_eq!(last_status(what, &answer), 400, "{what}");
        let statuses: Vec<u16> = answers(&answer)
            .iter()
            .map(|(status, _, _)| *status)
            .collect();
        assert_eq!(statuses, [&before[..], &[400]].concat(), "{what}");
    }
}

#[tokio::test]
async fn a_chunked_body_is_read_and_ends_the_connection() {
    let served = start(Duration::from_secs(10)).await;
    let body = r#"{"target_company_domain":"example.com"}"#;
    let request = format!(
        "POST /v1/playbooks HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\nidempotency-key: chunked-1\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: a\r\n\r\n",
        served.world.key,
        body.len()
    );
    let answer = exchange(served.address, request.as_bytes()).await;
    assert_eq!(last_status("chunked", &answer), 202, "{answer}");
    assert_eq!(answers(&answer).len(), 1, "{answer}");
}

#[tokio::test]
async fn a_head_that_stays_out_is_told_so_and_an_idle_connection_is_not() {
    let served = start(Duration::from_millis(200)).await;
    let part = exchange(served.address, b"GET / HTTP/1.1\r\nhost: a\r\n").await;
    assert_eq!(last_status("part", &part), 408);
    assert_eq!(exchange(served.address, b"").await, "");
    let idle = exchange(served.address, &head("GET /healthz HTTP/1.1\r\nhost: a")).await;
    assert_eq!(answers(&idle).len(), 1, "{idle}");
}

#[tokio::test]
async fn a_half_closed_connection_hears_what_was_wrong() {
    let served = start(Duration::from_secs(10)).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    stream
        .write_all(b"GET / HTTP/1.1\r\nhost: a\r\n")
        .await
        .unwrap();
    stream.shutdown().await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert_eq!(last_status("half", &answer), 400, "{answer}");
}

fn odd_bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"GET /healthz HTTP/1.1\r\n".to_vec()),
        Just(b"GET /v1/jobs HTTP/1.1\r\nhost: a\r\n\r\n".to_vec()),
        Just(b"POST /v1/playbooks HTTP/1.1\r\n".to_vec()),
        Just(b"HEAD / HTTP/1.0\r\n".to_vec()),
        Just(b"host: a\r\n".to_vec()),
        Just(b"content-length: 3\r\n".to_vec()),
        Just(b"transfer-encoding: chunked\r\n".to_vec()),
        Just(b"expect: 100-continue\r\n".to_vec()),
        Just(b"connection: close\r\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"0\r\n\r\n".to_vec()),
        Just(b"abc".to_vec()),
        proptest::collection::vec(any::<u8>(), 0..40),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// Whatever comes in, nothing goes out but answers with a request id, and errors as envelopes.
#[test]
fn no_bytes_get_a_bare_answer() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let served = runtime.block_on(start(Duration::from_millis(100)));
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(300)
    });
    let outcome = runner.run(&odd_bytes(), |bytes| {
        let answer = runtime.block_on(async {
            let mut stream = TcpStream::connect(served.address).await.unwrap();
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer).await;
            String::from_utf8_lossy(&answer).into_owned()
        });
        for line in answer.split("HTTP/1.1 ").skip(1) {
            // The words stand in a message too.
            if !line.starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let answer = line.split_once("\r\n\r\n").map_or(line, |(head, _)| head);
            if answer.starts_with("100") {
                continue;
            }
            prop_assert!(answer.contains("x-request-id: "), "{line}");
        }
        if let Some((_, body)) = answer
            .rsplit_once("\r\n\r\n")
            .filter(|(_, body)| !body.is_empty())
        {
            let body: Value = serde_json::from_str(body).unwrap();
            prop_assert!(
                body["error"]["request_id"].is_string() || body["status"] == "ok",
                "{body}"
            );
        }
        Ok(())
    });
    outcome.unwrap();
}

/// A connection from an address of our own choice on loopback.
async fn connect_from(last: u8, served: &Served) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket
        .bind(SocketAddr::from(([127, 0, 0, last], 0)))
        .unwrap();
    socket.connect(served.address).await.unwrap()
}

/// With buffers so small that a large answer is not in them at once.
async fn connect_reading_little(last: u8, served: &Served) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(64 << 10).unwrap();
    socket
        .bind(SocketAddr::from(([127, 0, 0, last], 0)))
        .unwrap();
    socket.connect(served.address).await.unwrap()
}

/// What the server says until it ends the connection.
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

#[tokio::test]
async fn a_peer_that_does_not_read_is_cut_off() {
    let served = start_with(ServerLimits {
        header_read: Duration::from_secs(600),
        write_stall: Duration::from_millis(300),
        ..ServerLimits::default()
    })
    .await;
    let mut stream = connect_from(1, &served).await;
    let asked = head("GET /docs/redoc.standalone.js HTTP/1.1\r\nhost: a").repeat(40);
    stream.write_all(&asked).await.unwrap();
    // The end shows in writing: nothing is ever read.
    let cut = async {
        while stream.write_all(b"G").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let cut = tokio::time::timeout(Duration::from_secs(30), cut).await;
    assert!(cut.is_ok(), "the connection is still there");
}

/// What was taken is no debt of the answers that come after it on the same connection.
#[tokio::test]
async fn a_peer_that_reads_keeps_its_connection() {
    let delivery = Duration::from_secs(2);
    let served = start_with(ServerLimits {
        delivery,
        ..ServerLimits::default()
    })
    .await;
    let mut stream = connect_from(1, &served).await;
    let began = std::time::Instant::now();
    while began.elapsed() < delivery * 2 {
        let asked = head("GET /healthz HTTP/1.1\r\nhost: a");
        stream.write_all(&asked).await.unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"{\"status\":\"ok\"}") {
            let read = stream.read_buf(&mut answer).await.unwrap();
            assert_ne!(read, 0, "the connection ended");
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// A large answer goes out in portions; nothing of it is lost, and its length is announced.
#[tokio::test]
async fn a_large_answer_arrives_whole() {
    let served = start(Duration::from_secs(10)).await;
    let asked = head("GET /docs/redoc.standalone.js HTTP/1.1\r\nhost: a\r\nconnection: close");
    let answer = exchange(served.address, &asked).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let file = include_str!("../../assets/redoc/redoc.standalone.js");
    assert!(body == file, "{} of {} bytes", body.len(), file.len());
    assert!(
        head.contains(&format!("content-length: {}", file.len())),
        "{head}"
    );
}

/// Peers who say nothing, however many, do not cost one who reads his answer the rest of it.
#[tokio::test]
async fn silent_peers_go_before_one_who_reads() {
    let limits = ServerLimits {
        header_read: Duration::from_secs(600),
        connections: 6,
        ..ServerLimits::default()
    };
    // More than the system's buffers take.
    const LENGTH: usize = 16 << 20;
    let large = Router::new().route("/large", get(async || vec![b'x'; LENGTH]));
    let served = start_beside(large, limits).await;
    let asked = head("GET /large HTTP/1.1\r\nhost: a\r\nconnection: close");
    let mut readers = Vec::new();
    for _ in 0..2 {
        let mut reader = connect_reading_little(7, &served).await;
        reader.write_all(&asked).await.unwrap();
        let mut answer = vec![0; 1024];
        reader.read_exact(&mut answer).await.unwrap();
        readers.push((reader, answer));
    }
    let mut silent = Vec::new();
    for from in 10..24 {
        silent.push(connect_from(from, &served).await);
        // All in the room have been silent for a while, and the readers have read.
        for _ in 0..6 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            for (reader, answer) in &mut readers {
                let read = reader.read_buf(answer).await.unwrap();
                assert_ne!(read, 0, "the answer was cut off");
            }
        }
    }
    for (mut reader, mut answer) in readers {
        reader.read_to_end(&mut answer).await.unwrap();
        let body = answer.split(|byte| *byte == b'\n').next_back().unwrap();
        assert_eq!(body.len(), LENGTH);
    }
}

#[tokio::test]
async fn an_address_has_so_many_requests_at_work_and_the_next_is_told() {
    let limits = ServerLimits {
        connections_per_address: 2,
        ..ServerLimits::default()
    };
    let (begun, mut begins) = tokio::sync::mpsc::unbounded_channel();
    let busy = get(move || {
        begun.send(()).unwrap();
        std::future::pending::<()>()
    });
    let served = start_beside(Router::new().route("/busy", busy), limits).await;
    let mut working = Vec::new();
    for _ in 0..2 {
        let mut stream = connect_from(7, &served).await;
        let asked = head("GET /busy HTTP/1.1\r\nhost: a");
        stream.write_all(&asked).await.unwrap();
        begins.recv().await.unwrap();
        working.push(stream);
    }
    let refused = rest(connect_from(7, &served).await).await;
    assert_eq!(last_status("refused", &refused), 429, "{refused}");
    assert!(refused.contains("\r\nretry-after: 1\r\n"), "{refused}");
    assert!(refused.contains("rate_limit_exceeded") && !refused.contains("ratelimit-"));
    assert_eq!(health(connect_from(8, &served).await).await, 200);
    drop(working);
    let free_again = async {
        // Until the server has noticed.
        while health(connect_from(7, &served).await).await != 200 {}
    };
    let freed = tokio::time::timeout(Duration::from_secs(30), free_again).await;
    assert!(freed.is_ok());
}

#[tokio::test]
async fn where_there_is_no_room_the_greediest_address_makes_some() {
    let served = start_with(ServerLimits {
        header_read: Duration::from_secs(600),
        connections: 4,
        connections_per_address: 3,
        ..ServerLimits::default()
    })
    .await;
    let single = connect_from(6, &served).await;
    let mut idle = Vec::new();
    for _ in 0..3 {
        idle.push(connect_from(7, &served).await);
    }
    assert_eq!(health(connect_from(8, &served).await).await, 200);
    assert_eq!(
        rest(idle.remove(0)).await,
        "",
        "the one that waited longest"
    );
    assert_eq!(health(single).await, 200);
    for stream in idle {
        assert_eq!(health(stream).await, 200);
    }
}

#[tokio::test]
async fn a_trusted_proxy_has_no_bound_of_its_own() {
    let served = start_with(ServerLimits {
        connections_per_address: 1,
        trusted_proxies: vec!["127.0.0.9/32".parse().unwrap()].into(),
        ..ServerLimits::default()
    })
    .await;
    let mut proxied = Vec::new();
    for _ in 0..20 {
        proxied.push(connect_from(9, &served).await);
    }
    for stream in proxied {
        assert_eq!(health(stream).await, 200);
    }
}
