//! One connection from its first byte to its last. If a second reader disagreed with the HTTP library about
//! where a request ends, a request could be smuggled through between the two. So the library alone decides
//! what a request is (decision 0056).

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http::header::{CONNECTION, HOST, TRANSFER_ENCODING};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Request, Version};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use super::Peer;
use super::awaited_body::{AwaitedBody, UnreadRest};
use super::refusals::Refusals;
use super::turn::{Standing, Turn};
use super::write_deadline::{Deliveries, Patience, WriteDeadline, count_cut};

/// How long a peer that was answered early may go on sending. If it were cut off in the middle, it might
/// see a reset instead of the answer.
const LINGER: Duration = Duration::from_secs(2);

/// A head that the library accepts although HTTP forbids it: 400, and the connection ends. Travels in the
/// request's extensions.
#[derive(Debug, Clone, Copy)]
pub struct ForbiddenHead(pub &'static str);

/// What all connections of a listener share.
#[derive(Clone)]
pub(super) struct House {
    pub(super) library: http1::Builder,
    pub(super) router: Router,
    pub(super) patience: Patience,
    /// How much a peer that was answered early may go on sending.
    pub(super) unread_bytes: u64,
    pub(super) stop: CancellationToken,
}

/// Serves a connection until it ends. When the server stops, the connection ends after its current request.
pub(super) async fn hold(stream: TcpStream, peer: Peer, turn: Turn, house: House) {
    let House {
        library,
        router,
        patience,
        unread_bytes,
        stop,
    } = house;
    let deliveries = Deliveries::of(turn.clone());
    let unread = UnreadRest::default();
    let rest = unread.clone();
    let standing = turn.clone();
    let stream = WriteDeadline::new(stream, patience, deliveries.clone());
    let service = service_fn(move |request: Request<Incoming>| {
        turn.work();
        let router = router.clone();
        let (turn, deliveries, rest) = (turn.clone(), deliveries.clone(), rest.clone());
        Box::pin(async move {
            // Danger: a proxy that goes by `Content-Length` alone sees this request end elsewhere than we
            // do. What follows must never pass for the next request, so this request is the last of its
            // connection.
            let is_last = request.headers().contains_key(TRANSFER_ENCODING);
            let mut request = request.map(|body| Body::new(AwaitedBody::new(body, turn, rest)));
            request.extensions_mut().insert(peer);
            if let Some(fault) = fault(request.version(), request.headers()) {
                request.extensions_mut().insert(ForbiddenHead(fault));
            }
            let Ok(mut response) = router.oneshot(request).await;
            if is_last {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(CONNECTION, close);
            }
            Ok::<_, Infallible>(response.map(|body| deliveries.begin(body)))
        })
    });
    let mut connection = library.serve_connection(TokioIo::new(stream), service);
    let mut stopping = false;
    let ended = loop {
        tokio::select! {
            ended = &mut connection => break ended,
            () = stop.cancelled(), if !stopping => {
                stopping = true;
                if matches!(standing.standing(), Standing::Silent { .. }) {
                    // The peer has its answer, and the library still listens: it has found the rest of the
                    // body by itself. Nothing is left to hear out.
                    unread.settle();
                }
                std::pin::Pin::new(&mut connection).graceful_shutdown();
            }
        }
    };
    let parts = connection.into_parts();
    let Err(error) = ended else {
        if unread.is_left() {
            hear_out(parts.io.into_inner(), unread_bytes).await;
        }
        return;
    };
    // The peer disconnected or broke HTTP: nothing that an operator must act on.
    tracing::debug!(%error, "connection ended early");
    if error.is_timeout() && !parts.read_buf.is_empty() {
        // A head began. Without a single byte of it, the connection was idle, which is no fault.
        count_cut("head_not_sent");
    }
    // A peer that speaks HTTP/2 would not understand an answer.
    if error.is_parse() && !error.is_parse_version_h2() {
        count_unreadable(&error);
        hear_out(parts.io.into_inner(), unread_bytes).await;
    }
}

/// The library has answered with a bare status.
fn count_unreadable(error: &hyper::Error) {
    let status = if error.is_parse_too_large() {
        "431"
    } else {
        "400"
    };
    let labels = [
        ("method", "other"),
        ("route", "unreadable"),
        ("status", status),
    ];
    metrics::counter!("gtm_http_requests_total", &labels).increment(1);
}

/// Answer a peer that is not served, whatever it was going to ask.
pub(super) async fn turn_away(mut stream: TcpStream, refusals: &Refusals, unread_bytes: u64) {
    let saying = async {
        stream.write_all(&refusals.too_many_connections()).await?;
        stream.shutdown().await?;
        hear_out(stream, unread_bytes).await;
        Ok::<_, std::io::Error>(())
    };
    if let Ok(Err(error)) = tokio::time::timeout(LINGER, saying).await {
        tracing::debug!(%error, "a refused connection was not closed in order");
    }
}

/// Lets a peer that has its last answer finish sending. Closing with unread bytes resets the connection,
/// and the answer may be lost.
async fn hear_out(stream: impl AsyncRead + Unpin, unread_bytes: u64) {
    let mut rest = stream.take(unread_bytes);
    let mut nowhere = tokio::io::sink();
    let reading = tokio::io::copy(&mut rest, &mut nowhere);
    // It no longer matters whether the connection ended cleanly.
    let _ = tokio::time::timeout(LINGER, reading).await;
}

/// What RFC 9112 forbids but the library accepts.
fn fault(version: Version, headers: &HeaderMap) -> Option<&'static str> {
    let mut hosts = headers.get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) if version == Version::HTTP_11 => {
            Some("A request of HTTP/1.1 must have a Host header.")
        }
        (Some(_), Some(_)) => Some("Send one Host header, not several."),
        (Some(host), None) if !is_host(host) => {
            Some("The Host header must name a host, with or without a port.")
        }
        _ => None,
    }
}

/// Empty if the target has no authority (RFC 9112 §3.2).
fn is_host(value: &HeaderValue) -> bool {
    let bytes = value.as_bytes();
    bytes.is_empty() || (!bytes.contains(&b'@') && Authority::try_from(bytes).is_ok())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn hosts() {
        for good in ["x", "example.com:8080", "127.0.0.1", "[::1]:80", ""] {
            assert!(is_host(&HeaderValue::from_static(good)), "{good}");
        }
        for bad in ["a b", "u@h", "h/p", "http://h", "h:port:"] {
            assert!(!is_host(&HeaderValue::from_static(bad)), "{bad}");
        }
    }
}
