//! Peers that are slow to send a head or to read an answer.

use super::*;

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
async fn a_head_that_stays_out_and_an_idle_connection_end_without_a_word() {
    let served = start(Duration::from_millis(200)).await;
    let part = exchange(served.address, b"GET / HTTP/1.1\r\nhost: a\r\n").await;
    assert_eq!(part, "");
    assert_eq!(exchange(served.address, b"").await, "");
    let idle = exchange(served.address, &head("GET /healthz HTTP/1.1\r\nhost: a")).await;
    assert_eq!(answers(&idle).len(), 1, "{idle}");
}

/// An idle connection is harmless; one that sends its head byte by byte is not.
#[tokio::test]
async fn only_a_head_that_has_begun_counts_as_not_sent() {
    let counters = Counters::default();
    let _recording = metrics::set_default_local_recorder(&counters);
    let cut = || {
        counters.sum(
            "gtm_http_connections_cut_total",
            Some(("cause", "head_not_sent")),
        )
    };
    let served = start(Duration::from_millis(200)).await;
    let whole = head("GET /healthz HTTP/1.1\r\nhost: a");
    for idle in [&b""[..], &whole] {
        exchange(served.address, idle).await;
        assert_eq!(cut(), 0);
    }
    exchange(served.address, b"GET / HTTP/1.1\r\nhost: a\r\n").await;
    assert_eq!(cut(), 1);
    exchange(served.address, &[&whole[..], b"GET"].concat()).await;
    assert_eq!(cut(), 2, "the second head of a connection");
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
    // The client notices the cut when it writes, because it never reads.
    let cut = async {
        while stream.write_all(b"G").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let cut = tokio::time::timeout(Duration::from_secs(30), cut).await;
    assert!(cut.is_ok(), "the connection is still there");
}

/// The time spent on one answer does not count against later answers on the same connection.
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

/// A large answer is sent in portions. Nothing is lost, and its length is announced.
#[tokio::test]
async fn a_large_answer_arrives_whole() {
    let served = start(Duration::from_secs(10)).await;
    let asked = head("GET /docs/redoc.standalone.js HTTP/1.1\r\nhost: a\r\nconnection: close");
    let answer = exchange(served.address, &asked).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let file = include_str!("../../../assets/redoc/redoc.standalone.js");
    assert!(body == file, "{} of {} bytes", body.len(), file.len());
    assert!(
        head.contains(&format!("content-length: {}", file.len())),
        "{head}"
    );
}
