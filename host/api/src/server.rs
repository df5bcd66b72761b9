//! Serving connections. axum's own server has no time limits and lets hyper answer what it cannot
//! read, so connections are driven here. Speaks HTTP/1.1 only: HTTP/2 belongs to the proxy that
//! terminates TLS, and without TLS its detection would wait for a silent client without limit.

mod conversation;
mod request_heads;
mod unreadable;
mod watched_stream;

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use conversation::ForbiddenHead;
pub use unreadable::Refusals;

/// The other end of the connection that a request came in on. Behind a proxy that is the proxy: what
/// it says of others is a header that anybody can send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

/// Limits of connections.
#[derive(Debug, Clone, Copy)]
pub struct ServerLimits {
    /// How long the head of a request may take to arrive; also ends idle connections.
    pub header_read: Duration,
    /// Connections served at the same time; further ones wait to be accepted.
    pub connections: usize,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            header_read: Duration::from_secs(5),
            connections: 4096,
        }
    }
}

/// Bytes of a head that are read at all. Wider than [`crate::request_limits`], which knows the caller's
/// wishes; what is over this ends the connection.
const MAX_HEAD_BYTES: usize = 48 * 1024;
/// Headers that are read at all; as above.
const MAX_HEAD_FIELDS: usize = 128;

/// Accept and serve until `stop`, then let requests in flight finish for at most `grace`. What is no
/// request is answered by `refusals`.
///
/// # Errors
/// Only if the listener breaks for good; failing connections are logged.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    refusals: Refusals,
    limits: ServerLimits,
    stop: CancellationToken,
    grace: Duration,
) -> io::Result<()> {
    let mut library = http1::Builder::new();
    library
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_read)
        .max_headers(MAX_HEAD_FIELDS)
        .max_buf_size(MAX_HEAD_BYTES);
    let connections = TaskTracker::new();
    let room = Arc::new(Semaphore::new(limits.connections));
    loop {
        let permit = tokio::select! {
            permit = Arc::clone(&room).acquire_owned() => permit.map_err(io::Error::other)?,
            () = stop.cancelled() => break,
        };
        let (stream, peer) = tokio::select! {
            stream = accept(&listener) => stream,
            () = stop.cancelled() => break,
        };
        let conversation = conversation::hold(
            stream,
            peer,
            library.clone(),
            router.clone(),
            refusals.clone(),
            stop.clone(),
        );
        connections.spawn(async move {
            conversation.await;
            drop(permit);
        });
    }
    drop(listener);
    connections.close();
    if tokio::time::timeout(grace, connections.wait())
        .await
        .is_err()
    {
        tracing::warn!(
            grace_s = grace.as_secs(),
            "requests were still in flight when the grace period ended"
        );
    }
    Ok(())
}

/// The next connection. Errors of accepting are those of one peer, or a shortage of file
/// descriptors that passes: wait a little and go on.
async fn accept(listener: &TcpListener) -> (TcpStream, Peer) {
    loop {
        match listener.accept().await {
            Ok((stream, address)) => {
                // Small answers must not wait for the peer's acknowledgement.
                let _ = stream.set_nodelay(true);
                return (stream, Peer(address.ip()));
            }
            Err(error) => {
                tracing::warn!(%error, "could not accept a connection");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}
