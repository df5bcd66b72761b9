//! Bodies that keep the server waiting when connections are scarce.

use super::*;

/// A request that announces a body of this length and then sends nothing more. Returns once the server
/// waits for the body.
async fn body_awaited(length: usize, from: u8, served: &Served) -> TcpStream {
    let mut stream = connect_from(from, served).await;
    let key = &served.world.key;
    let request = format!(
        "POST /v1/playbooks HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: {length}"
    );
    stream.write_all(&head(&request)).await.unwrap();
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).await.unwrap();
    assert!(go_on.starts_with(b"HTTP/1.1 100"));
    stream
}

/// A peer that does not send the body it announced loses its connection.
#[tokio::test]
async fn bodies_that_do_not_come_hold_no_places() {
    let served = start_with(ServerLimits {
        connections: 4,
        connections_per_address: 3,
        ..ServerLimits::default()
    })
    .await;
    let mut awaited = Vec::new();
    for _ in 0..3 {
        awaited.push(body_awaited(40, 7, &served).await);
    }
    assert_eq!(health(connect_from(7, &served).await).await, 200);
    assert_eq!(rest(awaited.remove(0)).await, "", "the first had to go");
    // The same when all connections are taken, whatever the address.
    awaited.push(body_awaited(40, 8, &served).await);
    awaited.push(body_awaited(40, 9, &served).await);
    assert_eq!(health(connect_from(6, &served).await).await, 200);
    // A body that does arrive is read to its end.
    let mut last = awaited.pop().unwrap();
    last.write_all(&[b' '; 40]).await.unwrap();
    let mut answer = [0; 12];
    last.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 400");
}

/// Prompt peers and one with a slow line are all served.
#[tokio::test]
async fn a_body_on_its_way_is_not_lost_to_prompt_peers() {
    const HALF: usize = 400_000;
    const PEERS: u8 = 20;
    let served = start_with(ServerLimits {
        connections: 4,
        ..ServerLimits::default()
    })
    .await;
    let mut slow = body_awaited(2 * HALF, 7, &served).await;
    slow.write_all(&[b' '; HALF]).await.unwrap();
    // After this time, a silent peer no longer counts as prompt.
    tokio::time::sleep(Duration::from_millis(600)).await;
    let mut prompt = Vec::new();
    for from in 10..10 + PEERS {
        let mut stream = connect_from(from, &served).await;
        let asked = head("GET /healthz HTTP/1.1\r\nhost: a");
        stream.write_all(&asked).await.unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"{\"status\":\"ok\"}") {
            let read = stream.read_buf(&mut answer).await.unwrap();
            assert_ne!(read, 0, "{from} got no answer");
        }
        prompt.push(stream);
        // Received bytes buy at most two seconds.
        let more = [b' '; HALF / PEERS as usize];
        slow.write_all(&more).await.unwrap();
    }
    let mut answer = [0; 12];
    slow.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 400");
}

/// A peer must not keep its place by sending many bytes at once and then staying silent. Once nothing more
/// has arrived for a while, its connection makes room for the next peer, before the body's deadline.
#[tokio::test]
async fn a_body_that_stops_coming_makes_room() {
    let limits = ServerLimits {
        connections: 3,
        ..ServerLimits::default()
    };
    let (served, _working) = start_with_work(limits, &[8, 9]).await;
    let mut stopped = body_awaited(500_000, 7, &served).await;
    stopped.write_all(&[b' '; 400_000]).await.unwrap();
    assert_eq!(health(connect_from(6, &served).await).await, 200);
    assert_eq!(rest(stopped).await, "", "it was not told to be late");
}
