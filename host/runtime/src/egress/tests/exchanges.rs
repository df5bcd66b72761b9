//! Ordinary exchanges and what their receipts say.

use super::*;
use gtm_domain::Digest;

#[tokio::test]
async fn an_exchange_and_its_receipt() {
    let server = Server::start(|_, _| {
        Reply::with(
            404,
            &[
                ("content-type", "text/plain; charset=utf-8"),
                ("x-own", "1"),
            ],
            "hello",
        )
    })
    .await;
    let g = grant_for(&server, json!({}));
    let mut request = HttpRequest::get(server.url("/a/../b?q=1#fragment"));
    request.headers.push(("X-Guest".into(), "yes".into()));
    let done = loopback_gate().send(&g, request).await;
    let response = done.result.as_ref().unwrap();
    assert_eq!(
        (response.status, &response.body[..]),
        (404, &b"hello"[..]),
        "any status is a success"
    );
    assert_eq!(response.header("X-Own"), Some("1"));
    assert_eq!(response.final_url.as_str(), server.url("/b?q=1"));
    let r = &done.receipt;
    assert_eq!(
        (r.method.as_str(), r.status, r.attempts, r.decision.as_str()),
        ("GET", Some(404), 1, "allowed")
    );
    assert_eq!((r.host.as_str(), r.port), ("127.0.0.1", server.port()));
    assert_eq!(
        (r.response_bytes, r.response_digest),
        (5, Some(Digest::of(b"hello")))
    );
    assert_eq!(r.content_type.as_deref(), Some("text/plain; charset=utf-8"));
    assert_eq!(r.url, server.url("/b?q=1"));
    let sent = server.request(0);
    assert!(sent.starts_with("GET /b?q=1 HTTP/1.1\r\n"), "{sent}");
    assert!(
        sent.contains("x-guest: yes\r\n")
            && sent.contains("user-agent: gtm/")
            && sent.contains("accept-encoding: gzip"),
        "{sent}"
    );
    assert!(
        sent.contains(&format!("host: {}\r\n", server.address)),
        "{sent}"
    );
}

#[tokio::test]
async fn a_body_goes_out_and_is_counted() {
    let server = Server::start(|_, _| Reply::ok("{}")).await;
    let g = grant_for(&server, json!({}));
    let before = g.budget.bytes_out_left();
    let done = loopback_gate()
        .send(&g, HttpRequest::post(server.url("/"), "payload"))
        .await;
    assert_eq!(body(&done), b"{}");
    assert_eq!(done.receipt.request_bytes, 7);
    assert_eq!(
        (before - g.budget.bytes_out_left(), g.budget.requests_left()),
        (7, 99)
    );
    assert!(server.request(0).ends_with("\r\n\r\npayload"));
}

#[tokio::test]
async fn head_and_no_content_have_no_body() {
    let server = Server::start(|i, _| {
        Reply::Bytes(if i == 0 {
            b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\ncontent-encoding: gzip\r\n\r\n".to_vec()
        } else {
            b"HTTP/1.1 204 X\r\n\r\n".to_vec()
        })
    })
    .await;
    let g = grant_for(&server, json!({}));
    let head = HttpRequest {
        method: "HEAD".into(),
        ..HttpRequest::get(server.url("/"))
    };
    let done = loopback_gate().send(&g, head).await;
    assert_eq!(body(&done), b"");
    assert_eq!(
        done.result.as_ref().unwrap().header("content-length"),
        Some("99")
    );
    assert_eq!(
        body(
            &loopback_gate()
                .send(&g, HttpRequest::get(server.url("/")))
                .await
        ),
        b""
    );
}

#[tokio::test]
async fn a_stream_arrives_piece_by_piece() {
    let pieces = vec![
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-type: text/event-stream\r\n\r\n"
            .to_vec(),
        b"7\r\ndata: 1\r\n".to_vec(),
        b"7\r\ndata: 2\r\n0\r\n\r\n".to_vec(),
    ];
    let server =
        Server::start(move |_, _| Reply::Slow(pieces.clone(), Duration::from_millis(100))).await;
    let g = grant_for(&server, json!({}));
    let Ok(mut open) = loopback_gate()
        .open(&g, HttpRequest::get(server.url("/")))
        .await
    else {
        panic!("no stream")
    };
    assert_eq!(open.head().status, 200);
    assert_eq!(
        open.read(100).await.unwrap().as_deref(),
        Some(&b"data: 1"[..]),
        "before the second piece is there"
    );
    assert_eq!(open.read(3).await.unwrap().as_deref(), Some(&b"dat"[..]));
    assert_eq!(open.read(100).await.unwrap().as_deref(), Some(&b"a: 2"[..]));
    assert_eq!(open.read(100).await.unwrap(), None);
    let id = open.receipt_id();
    let (receipt, body) = open.finish();
    assert_eq!(&body.in_memory().unwrap()[..], b"data: 1data: 2");
    assert_eq!(
        (receipt.id, receipt.response_digest),
        (id, Some(body.digest()))
    );
}

#[tokio::test]
async fn a_stream_that_is_dropped_keeps_what_was_read() {
    let server = Server::start(|_, _| Reply::ok("0123456789")).await;
    let g = grant_for(&server, json!({}));
    let Ok(mut open) = loopback_gate()
        .open(&g, HttpRequest::get(server.url("/")))
        .await
    else {
        panic!("no stream")
    };
    open.read(4).await.unwrap();
    assert_eq!(&open.finish().1.in_memory().unwrap()[..], b"0123");
}

#[tokio::test]
async fn a_stream_that_is_refused_has_a_receipt() {
    let Err((failure, Some(receipt))) = loopback_gate()
        .open(&grant(json!({})), HttpRequest::get("https://example.com/"))
        .await
    else {
        panic!("expected a refusal")
    };
    assert_eq!(
        (
            failure.code.as_str(),
            receipt.decision.as_str(),
            receipt.attempts
        ),
        ("host_not_allowed", "host_not_allowed", 0)
    );
}

#[tokio::test]
async fn requests_run_at_once() {
    // No request is answered until both have arrived.
    let server = Server::start(|_, _| Reply::Hang).await;
    let g = grant_for(&server, json!({}));
    let gate = loopback_gate();
    let asked = futures::future::join_all(
        (0..20).map(|_| gate.send(&g, HttpRequest::get(server.url("/")))),
    );
    let arrived = async {
        while server.requests.lock().unwrap().len() < 20 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::select! {
        _ = asked => panic!("only {} of 20 were under way at once", server.hits()),
        () = arrived => {}
    }
}
