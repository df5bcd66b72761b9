//! What is recorded of a guest's requests, however its call ends.

use tokio::time::{sleep, timeout};
use wasmtime::component::Resource;

use super::*;
use crate::guest::connector::{ConnectorState, Streams};
use crate::sandbox::bindings::interfaces::http::{Host as _, HostBody, Request};
use crate::sandbox::{GuestCore, LogBuffer};

/// A call of a connector with this grant.
fn call(g: CallGrant) -> ConnectorState {
    ConnectorState {
        core: GuestCore::new(1 << 20, LogBuffer::new(1, 100), &json!({}), 0),
        gate: loopback_gate(),
        deadline: g.budget.deadline,
        grant: Arc::new(g),
        exchanges: Vec::new(),
        streams: Streams::default(),
        requests_left: 100,
        repeated: None,
    }
}

fn get(url: String) -> Request {
    Request {
        method: "GET".to_owned(),
        url,
        headers: Vec::new(),
        body: None,
        credential: None,
        timeout_ms: None,
        max_body_bytes: None,
        truncate: false,
        max_redirects: 0,
    }
}

fn urls(call: &ConnectorState) -> Vec<String> {
    let exchanges = call.exchanges.iter();
    exchanges
        .map(|recorded| recorded.exchange.receipt.url.clone())
        .collect()
}

/// A server that answers at once, after a while, or never.
async fn server() -> Server {
    Server::start(|_, request| match request.split(' ').nth(1) {
        Some("/never") => Reply::Hang,
        Some("/later") => {
            let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
            Reply::Slow(vec![answer.to_vec()], Duration::from_millis(500))
        }
        _ => Reply::ok("paid"),
    })
    .await
}

#[tokio::test]
async fn what_was_answered_is_recorded_although_the_call_is_cut() {
    for paths in [["/never", "/paid"], ["/paid", "/never"]] {
        let server = server().await;
        let g = grant_for(&server, json!({}));
        let mut call = call(g.clone());
        let requests = paths.map(|path| get(server.url(path))).into();
        let answered = async {
            let wanted = Sendings { sent: 2, lost: 1 };
            while g.sendings() != wanted {
                sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            _ = call.send_all(requests) => panic!("one of them is never answered"),
            answered = timeout(Duration::from_secs(10), answered) => answered.unwrap(),
        }
        assert_eq!(urls(&call), [server.url("/paid")]);
        assert_eq!(g.sendings(), Sendings { sent: 2, lost: 1 });
    }
}

#[tokio::test]
async fn what_is_recorded_stands_in_the_order_of_the_requests() {
    let server = server().await;
    let mut call = call(grant_for(&server, json!({})));
    call.send(get(server.url("/first"))).await.unwrap().unwrap();
    let paths = ["/later", "/a", "/later", "/b", "/c"];
    let requests = paths.map(|path| get(server.url(path))).into();
    let answers = call.send_all(requests).await.unwrap();
    let of: Vec<_> = answers.into_iter().map(|a| a.unwrap().final_url).collect();
    let wanted: Vec<_> = paths.iter().map(|path| server.url(path)).collect();
    assert_eq!(of, wanted);
    assert_eq!(
        (&urls(&call)[0], &urls(&call)[1..]),
        (&server.url("/first"), &wanted[..])
    );
    assert_eq!(call.grant.sendings(), Sendings { sent: 6, lost: 0 });
}

#[tokio::test]
async fn a_stream_tells_as_well_that_credit_is_gone() {
    for (status, wanted) in [(402, true), (200, false)] {
        let answer = json!({ "error": "no credit" }).to_string();
        let server = Server::start(move |_, _| Reply::with(status, &[], &answer)).await;
        let rate =
            json!({ "retry": { "exhausted": [{ "statuses": [402], "pointer": "/error" }] } });
        let mut call = call(grant_for(&server, json!({ "rate": rate })));
        let (_, stream) = call.open(get(server.url("/"))).await.unwrap().unwrap();
        let key = stream.rep();
        while let Some(piece) = call
            .read(Resource::new_own(key), 1024)
            .await
            .unwrap()
            .unwrap()
        {
            assert!(!piece.is_empty());
        }
        HostBody::drop(&mut call, stream).unwrap();
        assert_eq!(call.exchanges[0].exhausted, wanted);
        assert_eq!(call.grant.sendings(), Sendings { sent: 1, lost: 0 });
    }
}
