//! Listens on every address of the namespace, and records connections that must not happen.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::PUBLIC;

/// Connections to addresses other than the public one.
pub struct Canary(Arc<Mutex<Vec<SocketAddr>>>);

impl Canary {
    /// Listens on ports 80 and 443 of all addresses.
    pub async fn start() -> Self {
        let seen = Arc::new(Mutex::new(Vec::new()));
        for port in [80, 443] {
            let listener = match TcpListener::bind(("::", port)).await {
                Ok(listener) => listener,
                Err(_) => TcpListener::bind(("0.0.0.0", port)).await.unwrap(),
            };
            let seen = Arc::clone(&seen);
            tokio::spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(serve(stream, Arc::clone(&seen)));
                }
            });
        }
        Self(seen)
    }

    /// How many connections came.
    pub fn visitors(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    /// The addresses that they came to.
    pub fn seen(&self) -> Vec<SocketAddr> {
        self.0.lock().unwrap().clone()
    }
}

async fn serve(mut stream: TcpStream, seen: Arc<Mutex<Vec<SocketAddr>>>) {
    let local = stream.local_addr().unwrap();
    if local.ip().to_canonical() != PUBLIC.parse::<IpAddr>().unwrap() {
        seen.lock().unwrap().push(local);
    }
    let mut request = vec![0; 4096];
    let read = stream.read(&mut request).await.unwrap_or(0);
    let request = String::from_utf8_lossy(&request[..read]).into_owned();
    let to = match request.split(' ').nth(1).unwrap_or_default() {
        "/to-inside/" => Some("http://inside.example/"),
        "/to-private/" => Some("http://private.example/"),
        "/to-alias/" => Some("http://alias.example/"),
        "/to-azure/" => Some("http://168.63.129.16/"),
        "/to-itself" => Some("/here"),
        _ => None,
    };
    let answer = match to {
        Some(to) => format!(
            "HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        ),
        None => "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok".to_owned(),
    };
    let _ = stream.write_all(answer.as_bytes()).await;
}
