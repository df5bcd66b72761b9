//! How many connections there may be, per address and in total, and which of them make room.

use super::*;

/// With buffers too small for a large answer.
async fn connect_reading_little(last: u8, served: &Served) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(64 << 10).unwrap();
    socket
        .bind(SocketAddr::from(([127, 0, 0, last], 0)))
        .unwrap();
    socket.connect(served.address).await.unwrap()
}

/// However many silent peers connect, a peer that reads its answer gets the rest of it.
#[tokio::test]
async fn silent_peers_go_before_one_who_reads() {
    let limits = ServerLimits {
        header_read: Duration::from_secs(600),
        connections: 6,
        ..ServerLimits::default()
    };
    // More than the system's buffers hold.
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
        // All connections have been silent for a while, and the readers have read.
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
    let (served, working) = start_with_work(limits, &[7, 7]).await;
    let refused = rest(connect_from(7, &served).await).await;
    assert_eq!(last_status("refused", &refused), 429, "{refused}");
    assert!(refused.contains("\r\nretry-after: 1\r\n"), "{refused}");
    assert!(refused.contains("rate_limit_exceeded") && !refused.contains("ratelimit-"));
    assert_eq!(health(connect_from(8, &served).await).await, 200);
    drop(working);
    let free_again = async {
        // Until the server notices.
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
