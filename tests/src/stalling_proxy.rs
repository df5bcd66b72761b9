//! A TCP proxy that can swallow everything: connections stay open, new ones are accepted, but no byte gets
//! through in either direction. A network that loses packets and a server that hangs look the same.

use std::net::SocketAddr;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Whether the proxy swallows everything, and how often it has cut its connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Behaviour {
    stalls: bool,
    cuts: u32,
}

/// A proxy to one address, which ends on drop.
pub struct StallingProxy {
    pub address: SocketAddr,
    behaviour: watch::Sender<Behaviour>,
}

impl StallingProxy {
    /// Starts forwarding to `upstream` from a free port on loopback.
    pub async fn start(upstream: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let first = Behaviour {
            stalls: false,
            cuts: 0,
        };
        let (behaviour, watched) = watch::channel(first);
        tokio::spawn(async move {
            let mut ended = watched.clone();
            loop {
                tokio::select! {
                    accepted = listener.accept() => {
                        let Ok((stream, _)) = accepted else { return };
                        tokio::spawn(connect(stream, upstream, watched.clone()));
                    }
                    _ = ended.wait_for(|_| false) => return,
                }
            }
        });
        Self { address, behaviour }
    }

    /// Swallows everything from now on, or forwards again, including the bytes held back.
    pub fn stall(&self, stalls: bool) {
        self.behaviour.send_modify(|b| b.stalls = stalls);
    }

    /// Closes all connections.
    pub fn cut(&self) {
        self.behaviour.send_modify(|b| b.cuts += 1);
    }
}

async fn connect(downstream: TcpStream, upstream: SocketAddr, watched: watch::Receiver<Behaviour>) {
    let cuts = watched.borrow().cuts;
    let forwarding = async {
        flows(&mut watched.clone()).await?;
        let upstream = TcpStream::connect(upstream).await.ok()?;
        let (from_client, to_client) = downstream.into_split();
        let (from_server, to_server) = upstream.into_split();
        tokio::join!(
            pump(from_client, to_server, watched.clone()),
            pump(from_server, to_client, watched.clone()),
        );
        Some(())
    };
    let mut cut = watched.clone();
    tokio::select! {
        _ = forwarding => {}
        // Ends also when the proxy is gone.
        _ = cut.wait_for(|b| b.cuts != cuts) => {}
    }
}

/// Waits until bytes may pass; `None` if the proxy is gone.
async fn flows(watched: &mut watch::Receiver<Behaviour>) -> Option<()> {
    watched.wait_for(|b| !b.stalls).await.ok().map(drop)
}

async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut watched: watch::Receiver<Behaviour>,
) {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = from.read(&mut buffer).await.unwrap_or(0);
        if flows(&mut watched).await.is_none() {
            return;
        }
        if read == 0 {
            let _ = to.shutdown().await;
            return;
        }
        if to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
}
