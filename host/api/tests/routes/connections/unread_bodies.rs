//! Requests that are answered before their body has been read.

use super::*;

/// The longest that a body may be.
const BODY: usize = 1 << 20;
static PIECE: [u8; BODY / 4] = [b'a'; BODY / 4];

/// Many clients look at the answer only after sending everything. If the server closed the connection with
/// part of the body unread, the system would reset it: the client's write would fail, and the answer might
/// be lost.
#[tokio::test]
async fn a_peer_that_sends_all_before_it_reads_gets_its_answer() {
    let served = start(Duration::from_secs(10)).await;
    for (length, before, after) in [
        (format!("content-length: {BODY}"), String::new(), ""),
        (
            "transfer-encoding: chunked".to_owned(),
            format!("{BODY:x}\r\n"),
            "\r\n0\r\n\r\n",
        ),
    ] {
        let mut stream = connect_from(1, &served).await;
        let asked = head(&format!(
            "POST /v1/playbooks HTTP/1.1\r\nhost: a\r\n{length}"
        ));
        stream.write_all(&asked).await.unwrap();
        stream.write_all(before.as_bytes()).await.unwrap();
        for _ in 0..4 {
            let sent = stream.write_all(&PIECE).await;
            assert!(sent.is_ok(), "{length}: {sent:?}");
            // Meanwhile the server sends the answer.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        stream.write_all(after.as_bytes()).await.unwrap();
        let mut answer = String::new();
        // Read to the end: the server closes the connection cleanly.
        let read = stream.read_to_string(&mut answer).await;
        assert!(read.is_ok(), "{length}: {read:?}");
        assert_eq!(last_status(&length, &answer), 401, "{answer}");
    }
}

/// The server discards only a limited number of bytes.
#[tokio::test]
async fn a_peer_that_never_ends_its_body_is_cut_off() {
    let served = start(Duration::from_secs(10)).await;
    let mut stream = connect_from(1, &served).await;
    let asked = head("POST /v1/playbooks HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000000000");
    stream.write_all(&asked).await.unwrap();
    let sending = async { while stream.write_all(&PIECE).await.is_ok() {} };
    let ended = tokio::time::timeout(Duration::from_secs(30), sending).await;
    assert!(ended.is_ok(), "the connection is still there");
}

/// The library reads a small body to its end even if nobody asked for it, and goes on with the connection.
/// Then nothing is left that a stop of the server would have to wait for.
#[tokio::test]
async fn a_small_body_that_nobody_read_does_not_delay_a_stop() {
    let served = start(Duration::from_secs(600)).await;
    let mut stream = connect_from(1, &served).await;
    let asked = head("POST /v1/playbooks HTTP/1.1\r\nhost: a\r\ncontent-length: 2");
    let asked = [&asked[..], b"{}"].concat();
    let again = head("GET /healthz HTTP/1.1\r\nhost: a");
    for (request, status) in [(&again, "200"), (&asked, "401")] {
        stream.write_all(request).await.unwrap();
        let mut answer = [0; 4096];
        let length = stream.read(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer[..length]).into_owned();
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{answer}"
        );
    }
    let stopped = std::time::Instant::now();
    served.stop.cancel();
    served.done.await.unwrap().unwrap();
    let took = stopped.elapsed();
    assert!(took < Duration::from_secs(1), "{took:?}");
}
