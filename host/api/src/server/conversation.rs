//! One connection from its first byte to its last.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http::header::{CONNECTION, HOST};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Request, Version};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use super::awaited_body::AwaitedBody;
use super::refusals::Refusals;
use super::turn::Turn;
use super::unreadable::Unreadable;
use super::watched_stream::{Exchange, WatchedStream};
use super::write_deadline::{Deliveries, Patience, WriteDeadline};
use super::{MAX_HEAD_BYTES, Peer};

/// The socket, as it is watched.
type Watched = WatchedStream<WriteDeadline<TcpStream>>;

/// How long a refused peer may go on sending: one that is cut off in the middle sees a reset instead
/// of the answer.
const LINGER: Duration = Duration::from_secs(2);
/// How much of that is read and thrown away.
const LINGER_BYTES: u64 = 20 * MAX_HEAD_BYTES as u64;

/// A head that the library took and that HTTP forbids: 400, and the connection ends. In a request's
/// extensions.
#[derive(Debug, Clone, Copy)]
pub struct ForbiddenHead(pub &'static str);

/// What all connections of a listener have in common.
#[derive(Clone)]
pub(super) struct House {
    pub(super) library: http1::Builder,
    pub(super) router: Router,
    pub(super) refusals: Refusals,
    pub(super) patience: Patience,
    pub(super) stop: CancellationToken,
}

/// Serve a connection until it ends; when the house stops, after the request in hand.
pub(super) async fn hold(stream: TcpStream, peer: Peer, turn: Turn, house: House) {
    let House {
        library,
        router,
        refusals,
        patience,
        stop,
    } = house;
    let exchange = Arc::new(Exchange::default());
    let deliveries = Deliveries::of(turn.clone());
    let stream = WriteDeadline::new(stream, patience, deliveries.clone());
    let watched = WatchedStream::new(stream, Arc::clone(&exchange));
    let service = service_fn(move |request: Request<Incoming>| {
        turn.work();
        let seen = exchange.begin();
        let (router, exchange) = (router.clone(), Arc::clone(&exchange));
        let (turn, deliveries) = (turn.clone(), deliveries.clone());
        Box::pin(async move {
            let mut request = request.map(|body| Body::new(AwaitedBody::new(body, turn)));
            request.extensions_mut().insert(peer);
            if let Some(fault) = fault(request.version(), request.headers(), seen.both_lengths) {
                request.extensions_mut().insert(ForbiddenHead(fault));
            }
            let Ok(mut response) = router.oneshot(request).await;
            if seen.unwatched {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(CONNECTION, close);
            }
            exchange.end();
            Ok::<_, Infallible>(response.map(|body| deliveries.begin(body)))
        })
    });
    let mut connection = library.serve_connection(TokioIo::new(watched), service);
    let mut stopping = false;
    let ended = loop {
        tokio::select! {
            ended = &mut connection => break ended,
            () = stop.cancelled(), if !stopping => {
                stopping = true;
                std::pin::Pin::new(&mut connection).graceful_shutdown();
            }
        }
    };
    let watched = connection.into_parts().io.into_inner();
    let result = match ended {
        Ok(()) => farewell(watched).await,
        Err(error) => {
            // A peer that went away or broke HTTP; nothing an operator must act on.
            tracing::debug!(%error, "connection ended early");
            refuse(watched, &error, &refusals).await
        }
    };
    if let Err(error) = result {
        tracing::debug!(%error, "connection was not closed in order");
    }
}

async fn farewell(watched: Watched) -> std::io::Result<()> {
    watched.released().await?.shutdown().await
}

async fn refuse(
    watched: Watched,
    error: &hyper::Error,
    refusals: &Refusals,
) -> std::io::Result<()> {
    let refused = Unreadable::of(error, watched.heads()).filter(|_| watched.can_answer());
    let stream = watched.into_inner();
    match refused {
        Some(refused) => say(stream, &refused.answer(refusals)).await,
        None => Ok(()),
    }
}

/// Answer a peer that is not served, whatever it was going to ask.
pub(super) async fn turn_away(stream: TcpStream, refusals: &Refusals) {
    if let Err(error) = say(stream, &refusals.too_many_connections()).await {
        tracing::debug!(%error, "a refused connection was not closed in order");
    }
}

/// A last word, which the peer shall hear.
async fn say<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    bytes: &[u8],
) -> std::io::Result<()> {
    let saying = async {
        stream.write_all(bytes).await?;
        stream.shutdown().await?;
        let mut rest = (&mut stream).take(LINGER_BYTES);
        tokio::io::copy(&mut rest, &mut tokio::io::sink()).await
    };
    match tokio::time::timeout(LINGER, saying).await {
        Ok(said) => said.map(drop),
        Err(_) => Ok(()),
    }
}

/// What RFC 9112 forbids and the library lets through.
fn fault(version: Version, headers: &HeaderMap, both_lengths: bool) -> Option<&'static str> {
    if both_lengths {
        return Some("Send Content-Length or Transfer-Encoding, not both.");
    }
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

/// Empty where the target has no authority (RFC 9112 §3.2).
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
