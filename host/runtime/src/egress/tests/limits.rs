//! Big, slow, broken and hostile answers.

use super::*;
use async_compression::tokio::write::{BrotliEncoder, DeflateEncoder, GzipEncoder, ZlibEncoder};

const MIB: usize = 1024 * 1024;

pub(super) async fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzipEncoder::new(Vec::new());
    encoder.write_all(data).await.unwrap();
    encoder.shutdown().await.unwrap();
    encoder.into_inner()
}

async fn coded(coding: &str, data: &[u8]) -> Vec<u8> {
    macro_rules! with {
        ($encoder:ident) => {{
            let mut encoder = $encoder::new(Vec::new());
            encoder.write_all(data).await.unwrap();
            encoder.shutdown().await.unwrap();
            encoder.into_inner()
        }};
    }
    match coding {
        "gzip" | "x-gzip" => with!(GzipEncoder),
        "br" => with!(BrotliEncoder),
        "deflate" => with!(ZlibEncoder),
        "raw deflate" => with!(DeflateEncoder),
        _ => data.to_vec(),
    }
}

async fn serving(headers: Vec<(&'static str, &'static str)>, body: Vec<u8>) -> Server {
    Server::start(move |_, _| Reply::with(200, &headers, &body)).await
}

async fn fetch(server: &Server, max: u64, truncate: bool) -> Exchanged {
    let request = HttpRequest {
        max_body_bytes: Some(max),
        truncate,
        ..HttpRequest::get(server.url("/"))
    };
    loopback_gate()
        .send(&grant_for(server, json!({})), request)
        .await
}

#[tokio::test]
async fn codings_are_taken_off() {
    let text = b"some text ".repeat(5000);
    for coding in ["gzip", "x-gzip", "br", "deflate", "raw deflate", "identity"] {
        let name = if coding == "raw deflate" {
            "deflate"
        } else {
            coding
        };
        let server = serving(vec![("content-encoding", name)], coded(coding, &text).await).await;
        let done = fetch(&server, MIB as u64, false).await;
        assert_eq!(body(&done), text, "{coding}");
        let response = done.result.unwrap();
        assert_eq!(
            response.header("content-encoding").is_none(),
            coding != "identity",
            "{coding}"
        );
        assert_eq!(done.receipt.response_bytes, text.len() as u64);
    }
}

#[tokio::test]
async fn codings_that_nobody_asked_for_are_refused() {
    for coding in ["zstd", "compress", "gzip, gzip", "gzip, br", "nonsense"] {
        let server = serving(vec![("content-encoding", coding)], b"x".to_vec()).await;
        assert_eq!(
            code(&fetch(&server, 100, false).await),
            "content_encoding_unsupported",
            "{coding}"
        );
    }
    let server = serving(
        vec![("content-encoding", "gzip")],
        b"this is no gzip".to_vec(),
    )
    .await;
    assert_eq!(
        code(&fetch(&server, 100, false).await),
        "content_encoding_invalid"
    );
}

#[tokio::test]
async fn a_long_body_fails_or_is_cut() {
    let server = serving(vec![], vec![b'x'; 5000]).await;
    assert_eq!(code(&fetch(&server, 4999, false).await), "body_too_large");
    assert_eq!(body(&fetch(&server, 5000, false).await).len(), 5000);
    let cut = fetch(&server, 4999, true).await;
    assert_eq!(body(&cut).len(), 4999);
    assert!(cut.result.unwrap().truncated);
    assert_eq!(cut.receipt.response_bytes, 4999);
    assert!(!fetch(&server, 5000, true).await.result.unwrap().truncated);
    assert_eq!(body(&fetch(&server, 0, true).await), b"");
}

#[tokio::test]
async fn an_endless_body_is_not_buffered() {
    for head in [
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n",
    ] {
        let server =
            Server::start(move |_, _| Reply::Endless(head.into(), vec![b'x'; 64 * 1024])).await;
        assert_eq!(
            code(&fetch(&server, MIB as u64, false).await),
            "body_too_large"
        );
        assert_eq!(body(&fetch(&server, MIB as u64, true).await).len(), MIB);
        tokio::time::sleep(Duration::from_millis(100)).await;
        // Two connections, each with what fits into the socket buffers.
        assert!(
            server.written.load(Ordering::SeqCst) < 32 * MIB,
            "{}",
            server.written.load(Ordering::SeqCst)
        );
    }
}

#[tokio::test]
async fn bombs_stop_at_the_bound() {
    let zeros = vec![0; 100 * MIB];
    let bomb = gzip(&zeros).await;
    assert!(bomb.len() < 200 * 1024);
    let server = serving(vec![("content-encoding", "gzip")], bomb).await;
    let g = grant_for(&server, json!({}));
    let before = g.budget.bytes_in_left();
    for truncate in [false, true] {
        let request = HttpRequest {
            max_body_bytes: Some(MIB as u64),
            truncate,
            ..HttpRequest::get(server.url("/"))
        };
        let done = loopback_gate().send(&g, request).await;
        if truncate {
            assert_eq!(body(&done).len(), MIB);
        } else {
            assert_eq!(code(&done), "body_too_large");
        }
    }
    assert_eq!(
        before - g.budget.bytes_in_left(),
        2 * MIB as u64,
        "no more was taken in"
    );
    let bomb = coded("br", &zeros[..10 * MIB]).await;
    let server = serving(vec![("content-encoding", "br")], bomb).await;
    assert_eq!(code(&fetch(&server, 1000, false).await), "body_too_large");
}

#[tokio::test]
async fn an_endless_stream_of_empty_members_ends() {
    let empty = gzip(b"").await.repeat(500);
    let server = Server::start(move |_, _| {
        Reply::Endless(
            b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n".to_vec(),
            empty.clone(),
        )
    })
    .await;
    assert_eq!(code(&fetch(&server, 1000, false).await), "body_too_large");
}

#[tokio::test]
async fn a_body_that_breaks_off_is_no_body() {
    let text = b"some text that is compressed ".repeat(100);
    let whole = gzip(&text).await;
    let half = whole[..whole.len() / 2].to_vec();
    for reply in [
        b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf".to_vec(),
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nhalf".to_vec(),
        [
            b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n".as_slice(),
            &half,
        ]
        .concat(),
    ] {
        let server = Server::start(move |_, _| Reply::Bytes(reply.clone())).await;
        let mut g = grant_for(&server, json!({ "replay_safe": false }));
        let done = loopback_gate()
            .send(&g, HttpRequest::get(server.url("/")))
            .await;
        assert_eq!(
            (code(&done), server.hits(), done.receipt.status),
            ("connection_reset", 1, Some(200))
        );
        assert_eq!(
            (done.receipt.response_digest, done.receipt.decision.as_str()),
            (None, "allowed")
        );
        g.replay_safe = true;
        let done = loopback_gate()
            .send(&g, HttpRequest::get(server.url("/")))
            .await;
        assert_eq!((code(&done), server.hits()), ("connection_reset", 4));
    }
}

#[tokio::test]
async fn slow_servers_meet_the_deadline() {
    let drip = |head: &'static str| {
        move |_: usize, _: &str| {
            let mut pieces = vec![head.as_bytes().to_vec()];
            pieces.extend(std::iter::repeat_n(b"x".to_vec(), 1000));
            Reply::Slow(pieces, Duration::from_millis(20))
        }
    };
    for server in [
        Server::start(drip("HTTP/1.1 200 OK\r\nx-slow: ")).await,
        Server::start(drip("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")).await,
        Server::start(|_, _| Reply::Hang).await,
    ] {
        let started = std::time::Instant::now();
        let request = HttpRequest {
            timeout: Some(Duration::from_millis(300)),
            ..HttpRequest::get(server.url("/"))
        };
        let done = loopback_gate()
            .send(&grant_for(&server, json!({})), request)
            .await;
        let failure = done.result.as_ref().unwrap_err();
        assert_eq!(
            (failure.kind, failure.code.as_str()),
            (gtm_domain::FailureKind::Timeout, "timeout")
        );
        assert!(
            (300..4000).contains(&started.elapsed().as_millis()),
            "{:?}",
            started.elapsed()
        );
        assert_eq!(done.receipt.decision, "allowed");
    }
}

#[tokio::test]
async fn a_slow_stream_meets_the_deadline_as_well() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx";
    let server = Server::start(|_, _| Reply::Stall(head.to_vec())).await;
    let mut g = grant_for(&server, json!({}));
    g.budget = Arc::new(CallBudget::within(9, 0, 99, Duration::from_millis(800)));
    let Ok(mut open) = loopback_gate()
        .open(&g, HttpRequest::get(server.url("/")))
        .await
    else {
        panic!("no stream")
    };
    assert_eq!(open.read(9).await.unwrap().as_deref(), Some(&b"x"[..]));
    assert_eq!(open.read(9).await.unwrap_err().code, "timeout");
    assert_eq!(
        open.read(9).await.unwrap_err().code,
        "timeout",
        "it stays failed"
    );
}

#[tokio::test]
async fn cancelling_ends_an_exchange_at_once() {
    let server = Server::start(|_, _| Reply::Hang).await;
    let g = grant_for(&server, json!({}));
    let cancel = g.cancel.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancel.cancel();
    });
    let started = std::time::Instant::now();
    let done = loopback_gate()
        .send(&g, HttpRequest::get(server.url("/")))
        .await;
    assert_eq!(code(&done), "canceled");
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn headers_of_answers_are_bounded() {
    for (head, wanted) in [
        (
            (0..200)
                .map(|i| format!("x-{i}: v\r\n"))
                .collect::<String>(),
            "response_headers_too_large",
        ),
        (
            format!("x-long: {}\r\n", "v".repeat(70_000)),
            "response_headers_too_large",
        ),
        ("bad header\r\n".to_owned(), "invalid_response"),
    ] {
        let bytes = format!("HTTP/1.1 200 OK\r\n{head}\r\n").into_bytes();
        let server = Server::start(move |_, _| Reply::Bytes(bytes.clone())).await;
        assert_eq!(code(&fetch(&server, 10, false).await), wanted);
    }
    let server = Server::start(|_, _| {
        Reply::Endless(
            b"HTTP/1.1 200 OK\r\n".to_vec(),
            b"x-more: vvvvvvvvvvvvvvvv\r\n".repeat(100),
        )
    })
    .await;
    assert_eq!(
        code(&fetch(&server, 10, false).await),
        "response_headers_too_large"
    );
    let server = Server::start(|_, _| Reply::Bytes(b"SSH-2.0-OpenSSH\r\n".to_vec())).await;
    assert_eq!(code(&fetch(&server, 10, false).await), "invalid_response");
}

#[tokio::test]
async fn a_call_spends_no_more_than_its_budget() {
    let server = serving(vec![], vec![b'x'; 600]).await;
    let mut g = grant_for(&server, json!({}));
    let gate = loopback_gate();
    g.budget = Arc::new(CallBudget::within(3, 10, 1000, Duration::from_secs(5)));
    assert_eq!(
        body(&gate.send(&g, HttpRequest::get(server.url("/"))).await).len(),
        600
    );
    let second = gate.send(&g, HttpRequest::get(server.url("/"))).await;
    assert_eq!(
        code(&second),
        "body_too_large",
        "400 bytes are left and 600 are announced"
    );
    let third = gate
        .send(
            &g,
            HttpRequest {
                truncate: true,
                ..HttpRequest::get(server.url("/"))
            },
        )
        .await;
    assert_eq!(body(&third).len(), 400);
    let fourth = gate.send(&g, HttpRequest::get(server.url("/"))).await;
    assert_eq!(
        (code(&fourth), fourth.result.as_ref().unwrap_err().kind),
        ("request_budget_exceeded", gtm_domain::FailureKind::Quota)
    );
    assert_eq!(server.hits(), 3);

    g.budget = Arc::new(CallBudget::within(3, 10, 1000, Duration::from_secs(5)));
    assert_eq!(
        code(
            &gate
                .send(&g, HttpRequest::post(server.url("/"), vec![0; 11]))
                .await
        ),
        "byte_budget_exceeded"
    );
    let big = gate_of(EgressPolicy {
        max_request_bytes: 5,
        ..policy(&["127.0.0.1"])
    });
    assert_eq!(
        code(
            &big.send(&g, HttpRequest::post(server.url("/"), vec![0; 6]))
                .await
        ),
        "request_body_too_large"
    );
}

#[tokio::test]
async fn the_hosts_bound_holds_over_the_guests() {
    let server = serving(vec![], vec![b'x'; 600]).await;
    let gate = gate_of(EgressPolicy {
        max_body_bytes: 500,
        ..policy(&["127.0.0.1"])
    });
    let request = HttpRequest {
        max_body_bytes: Some(u64::MAX),
        ..HttpRequest::get(server.url("/"))
    };
    assert_eq!(
        code(&gate.send(&grant_for(&server, json!({})), request).await),
        "body_too_large"
    );
}
