//! Serves connections. axum's own server has no time limits and no bound on connections, so they are driven
//! here. HTTP/1.1 only: HTTP/2 belongs to the proxy that terminates TLS, and without TLS a silent client
//! could hold up its detection without limit.

mod awaited_body;
mod conversation;
mod refusals;
mod room;
mod turn;
mod write_deadline;

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use gtm_domain::CidrList;
use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use conversation::House;
use room::Room;
use write_deadline::Patience;

pub use conversation::ForbiddenHead;
pub use refusals::Refusals;

/// The other end of the connection on which a request arrived. Behind a proxy, that is the proxy: anybody
/// can send headers that name other addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

/// Limits of connections.
#[derive(Debug, Clone)]
pub struct ServerLimits {
    /// How long the head of a request may take to arrive; also ends idle connections.
    pub header_read: Duration,
    /// How long a peer may go without accepting any of an answer.
    pub write_stall: Duration,
    /// How long a peer may take to accept a whole answer.
    pub delivery: Duration,
    /// Connections served at the same time. When one more comes, connections that wait for their peers are
    /// closed first, then connections whose answers are being read. If there are neither, the new one waits
    /// to be accepted.
    pub connections: usize,
    /// Connections of one address at the same time; an IPv6 network of 64 bits is one address.
    pub connections_per_address: usize,
    /// Longest body of a request. A peer that is answered before it has sent its body may send this much
    /// more, and is not cut off in the middle.
    pub body: usize,
    /// Peers without a bound of their own, because they speak for many clients.
    pub trusted_proxies: CidrList,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            header_read: Duration::from_secs(5),
            write_stall: Duration::from_secs(10),
            delivery: Duration::from_secs(60),
            connections: 4096,
            connections_per_address: 64,
            body: 1 << 20,
            trusted_proxies: CidrList::default(),
        }
    }
}

/// How many peers can be informed at the same time that their address has too many connections. Further
/// peers see the connection end.
const TURNED_AWAY_AT_ONCE: usize = 64;

/// The longest head that is read, including the request line. It is larger than [`crate::request_limits`],
/// so that a caller who exceeds one of those gets the envelope. Beyond this, the library answers with a
/// bare status.
const MAX_HEAD_BYTES: usize = 48 * 1024;
/// The most headers that are read; larger than the request limit for the same reason.
const MAX_HEAD_FIELDS: usize = 512;

/// Accepts and serves connections until `stop`, then gives requests in progress at most `grace` to finish.
/// `refusals` answers peers that have too many connections.
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
        .max_header_size(MAX_HEAD_BYTES)
        // This limits memory only: the library's buffer grows in steps and may become larger.
        .max_buf_size(MAX_HEAD_BYTES)
        // With this, the library's own buffer limits the memory of an answer; a queue of our chunks would
        // not.
        .writev(false);
    // A peer may send a whole body, framed in chunks or followed by another request.
    let unread_bytes = (limits.body + 2 * MAX_HEAD_BYTES) as u64;
    let connections = TaskTracker::new();
    let house = House {
        library,
        router,
        patience: Patience {
            stall: limits.write_stall,
            delivery: limits.delivery,
        },
        unread_bytes,
        stop: stop.clone(),
    };
    let turned_away = Arc::new(Semaphore::new(TURNED_AWAY_AT_ONCE));
    let room = Arc::new(Room::new(&limits));
    loop {
        let (stream, peer) = tokio::select! {
            stream = accept(&listener) => stream,
            () = stop.cancelled() => break,
        };
        let seat = tokio::select! {
            seat = room.enter(peer.0) => seat,
            () = stop.cancelled() => break,
        };
        if let Some(seat) = seat {
            let conversation = conversation::hold(stream, peer, seat.turn(), house.clone());
            connections.spawn(async move {
                tokio::select! {
                    () = conversation => {}
                    () = seat.shed() => {}
                }
            });
        } else if let Ok(permit) = Arc::clone(&turned_away).try_acquire_owned() {
            let refusals = refusals.clone();
            connections.spawn(async move {
                conversation::turn_away(stream, &refusals, unread_bytes).await;
                drop(permit);
            });
        }
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

/// The next connection. An error here either concerns one peer, or is a temporary shortage of file
/// descriptors: wait a little and continue.
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

#[cfg(test)]
mod tests {
    use super::{MAX_HEAD_BYTES, MAX_HEAD_FIELDS};

    #[test]
    fn the_description_tells_what_is_read() {
        let told = include_str!("openapi/introduction.md");
        let bytes = MAX_HEAD_BYTES / 1024;
        let bounds =
            format!("is longer than {bytes} KiB, or it has more than {MAX_HEAD_FIELDS} headers");
        assert!(told.contains(&bounds), "{told}");
    }
}
