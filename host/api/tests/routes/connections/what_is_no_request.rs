//! Bytes that no HTTP library would send, or not willingly. If hyper cannot read a request, it answers with
//! a bare status and nothing else. Requests before it are answered as usual, and nothing after it is read.

use proptest::prelude::*;

use super::*;

/// Whether this is the library's own final answer: a status without a body, then the end of the connection.
fn is_bare(head: &str, body: &str) -> bool {
    body.is_empty() && !head.contains("x-request-id: ") && head.contains("connection: close")
}

#[tokio::test]
async fn what_is_no_request_gets_a_status_and_the_end() {
    let served = start(Duration::from_secs(10)).await;
    let long_target = format!("GET /{} HTTP/1.1\r\nhost: a", "a".repeat(70_000));
    let long_header = format!("GET / HTTP/1.1\r\nhost: a\r\nx: {}", "a".repeat(70_000));
    let unending = format!("GET / HTTP/1.1\r\nhost: a\r\nx: {}", "a".repeat(600_000));
    let many: String = (0..600).map(|n| format!("\r\nx-{n}: 1")).collect();
    let many = format!("GET / HTTP/1.1\r\nhost: a{many}");
    let next = head("GET /healthz HTTP/1.1\r\nhost: a");
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
            "coding in HTTP/1.0",
            head("POST /v1/playbooks HTTP/1.0\r\nhost: a\r\ntransfer-encoding: chunked"),
            400,
        ),
        ("long target", head(&long_target), 431),
        ("long header", head(&long_header), 431),
        ("unending header", unending.into_bytes(), 431),
        ("many headers", head(&many), 431),
    ] {
        let answer = exchange(served.address, &[&bytes[..], &next].concat()).await;
        let [(found, head, body)] = &*answers(&answer) else {
            panic!("{what}: {answer}");
        };
        assert_eq!(*found, status, "{what}: {answer}");
        assert!(is_bare(head, body), "{what}: {answer}");
    }
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    assert_eq!(exchange(served.address, preface).await, "");
}

/// A head with this many fields, including `host` and `connection`.
fn fields(count: usize) -> Vec<u8> {
    let many: String = (2..count).map(|n| format!("\r\nx-{n}: 1")).collect();
    head(&format!(
        "GET /v1/jobs HTTP/1.1\r\nhost: a\r\nconnection: close{many}"
    ))
}

/// A head with this many bytes, most of them in its target.
fn long_target(bytes: usize) -> Vec<u8> {
    let lines = |target: &str| {
        head(&format!(
            "GET /v1/{target} HTTP/1.1\r\nhost: a\r\nconnection: close"
        ))
    };
    let head = lines(&"a".repeat(bytes - lines("").len()));
    assert_eq!(head.len(), bytes);
    head
}

/// The library's limits: up to them, a request gets the envelope; beyond them, a bare status.
#[tokio::test]
async fn a_large_head_gets_the_envelope_if_it_can_be_read() {
    const LONGEST: usize = 48 * 1024;
    let served = start(Duration::from_secs(10)).await;
    for (what, request, status) in [
        ("129 headers", fields(129), 431),
        ("512 headers", fields(512), 431),
        ("a target of 40 KiB", long_target(40 * 1024), 414),
        ("the longest head", long_target(LONGEST), 414),
    ] {
        let answer = exchange(served.address, &request).await;
        assert_eq!(last_status(what, &answer), status, "{what}: {answer}");
        assert_eq!(answers(&answer).len(), 1, "{what}: {answer}");
    }
    for (what, request) in [
        ("513 headers", fields(513)),
        ("a head too long by a byte", long_target(LONGEST + 1)),
        ("a target of 60 KiB", long_target(60 * 1024)),
    ] {
        let answer = exchange(served.address, &request).await;
        let [(431, head, body)] = &*answers(&answer) else {
            panic!("{what}: {answer}");
        };
        assert!(is_bare(head, body), "{what}: {answer}");
    }
}

/// The library accepts fewer characters in a target than HTTP's own definition suggests. The API
/// description lists them.
#[tokio::test]
async fn a_target_has_characters_that_must_be_encoded() {
    let served = start(Duration::from_secs(10)).await;
    let ask = async |target: &[u8]| {
        let request = [
            b"GET ",
            target,
            b" HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
        ];
        exchange(served.address, &request.concat()).await
    };
    for bad in [
        &b"/v1/<jobs"[..],
        b"/v1/jobs>",
        b"/v1/`jobs`",
        b"/v1/jobs?a=<",
        b"/v1/jobs?a=>",
        b"/v1/jobs?a=\"",
        b"/v1/jobs\x7f",
        b"/v1/jobs?a=\t",
        b"/v1/\xff",
    ] {
        let answer = ask(bad).await;
        let [(400, head, body)] = &*answers(&answer) else {
            panic!("{bad:?}: {answer}");
        };
        assert!(is_bare(head, body), "{bad:?}: {answer}");
    }
    for good in [
        &b"/v1/\"{jobs}\"|^[]\\"[..],
        b"/v1/jobs?a=`{}|^[]\\'",
        "/v1/ä?ö".as_bytes(),
        b"/v1/%3Cjobs%3E",
    ] {
        let answer = ask(good).await;
        assert_eq!(last_status("good", &answer), 401, "{good:?}: {answer}");
    }
}

/// The library reads such a request; our code refuses it, with the envelope.
#[tokio::test]
async fn a_request_without_one_valid_host_is_refused() {
    let served = start(Duration::from_secs(10)).await;
    for (what, bytes, status) in [
        ("no host", head("GET /healthz HTTP/1.1"), 400),
        (
            "two hosts",
            head("GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b"),
            400,
        ),
        ("bad host", head("GET /healthz HTTP/1.1\r\nhost: a/b"), 400),
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

/// Danger: a proxy that goes by `Content-Length` takes the bytes after the chunks for part of this request.
/// They must not become a request of their own.
#[tokio::test]
async fn nothing_behind_a_request_with_both_lengths_is_a_request() {
    let served = start(Duration::from_secs(10)).await;
    let smuggled = "GET /v1/usage HTTP/1.1\r\nhost: a\r\n\r\n";
    let chunks = format!("0\r\n\r\n{smuggled}");
    let length = chunks.len();
    let key = &served.world.key;
    for lengths in [
        format!("content-length: {length}\r\ntransfer-encoding: chunked"),
        format!("transfer-encoding: chunked\r\ncontent-length: {length}"),
        format!("transfer-encoding: chunked\r\ncontent-length: {length}\r\nconnection: keep-alive"),
        format!("Transfer-Encoding: Chunked\r\nContent-Length: +{length}"),
        format!(
            "transfer-encoding: chunked\r\nx: y\r\ncontent-length: 0\r\ncontent-length: {length}"
        ),
    ] {
        for request in [
            "GET /healthz HTTP/1.1\r\nhost: a".to_owned(),
            format!(
                "POST /v1/playbooks HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\ncontent-type: application/json"
            ),
            "POST /v1/playbooks HTTP/1.1\r\nhost: a".to_owned(),
        ] {
            let bytes = format!("{request}\r\n{lengths}\r\n\r\n{chunks}");
            let answer = exchange(served.address, bytes.as_bytes()).await;
            assert_eq!(answers(&answer).len(), 1, "{bytes}: {answer}");
            assert!(
                answer.to_ascii_lowercase().contains("connection: close"),
                "{bytes}: {answer}"
            );
        }
    }
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
            // The length of an unrequested body.
            assert!(answer.starts_with("HTTP/1.1 200"), "{what}: {answer}");
            let (_, rest) = answer.split_once("\r\n\r\n").unwrap();
            assert_eq!(answers(rest)[0].0, 400, "{what}");
            continue;
        }
        let mut found = answers(&answer);
        let (status, head, body) = found.pop().unwrap();
        assert!(status == 400 && is_bare(&head, &body), "{what}: {answer}");
        let statuses: Vec<u16> = found.iter().map(|(status, _, _)| *status).collect();
        assert_eq!(statuses, before, "{what}");
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
async fn a_half_closed_connection_ends() {
    let served = start(Duration::from_secs(10)).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    stream
        .write_all(b"GET / HTTP/1.1\r\nhost: a\r\n")
        .await
        .unwrap();
    stream.shutdown().await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 400"),
        "{answer}"
    );
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

/// Whatever bytes arrive, the server sends only answers with a request id, whose errors are envelopes, and
/// after them at most one bare refusal.
#[test]
fn nothing_but_the_last_answer_is_bare() {
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
        let mut refused = false;
        for line in answer.split("HTTP/1.1 ").skip(1) {
            // A message may contain these words too.
            if !line.starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let (head, body) = line.split_once("\r\n\r\n").unwrap_or((line, ""));
            if head.starts_with("100") {
                continue;
            }
            prop_assert!(!refused, "{answer}");
            refused = is_bare(head, body) && head.starts_with('4');
            prop_assert!(refused || head.contains("x-request-id: "), "{line}");
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
