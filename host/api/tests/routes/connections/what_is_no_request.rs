//! What no HTTP library makes, or not willingly: it is answered all the same, and what came before it, too.

use proptest::prelude::*;

use super::*;

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
