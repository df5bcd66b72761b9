//! A server on loopback that answers as a test says and records its requests.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// One request as received.
#[derive(Debug, Clone)]
pub struct Seen {
    #[allow(dead_code, reason = "shown when an assertion fails")]
    pub line: String,
    pub head: String,
    pub body: String,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<String> {
        self.head
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(header, _)| header.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim().to_owned())
    }
}

/// A running server.
pub struct Server {
    pub address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// Serves with `answer`, which writes the whole answer and returns; then the connection closes.
    pub async fn start<F, R>(answer: F) -> Self
    where
        F: Fn(Seen, TcpStream) -> R + Clone + Send + Sync + 'static,
        R: Future<Output = ()> + Send,
    {
        Self::start_at("127.0.0.1", answer).await
    }

    /// Serves at an address of loopback.
    pub async fn start_at<F, R>(host: &str, answer: F) -> Self
    where
        F: Fn(Seen, TcpStream) -> R + Clone + Send + Sync + 'static,
        R: Future<Output = ()> + Send,
    {
        let listener = TcpListener::bind((host, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let memory = Arc::clone(&seen);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (answer, memory) = (answer.clone(), Arc::clone(&memory));
                tokio::spawn(async move {
                    let Some(request) = read(&mut stream).await else {
                        return;
                    };
                    memory.lock().unwrap().push(request.clone());
                    answer(request, stream).await;
                });
            }
        });
        Self { address, seen }
    }

    /// Serves every request with the same answer.
    pub async fn fixed(
        status: u16,
        headers: &'static [(&'static str, &'static str)],
        body: impl Into<Vec<u8>>,
    ) -> Self {
        let body: Arc<Vec<u8>> = Arc::new(body.into());
        Self::start(move |_, mut stream| {
            let body = Arc::clone(&body);
            async move { write(&mut stream, status, headers, &body).await }
        })
        .await
    }

    /// The requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
    /// A URL on this server.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

async fn read(stream: &mut TcpStream) -> Option<Seen> {
    let mut head = Vec::new();
    let mut byte = [0; 1];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).await.ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).ok()?;
    let mut seen = Seen {
        line: head.lines().next()?.to_owned(),
        head,
        body: String::new(),
    };
    let length = seen
        .header("content-length")
        .and_then(|n| n.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    seen.body = String::from_utf8_lossy(&body).into_owned();
    Some(seen)
}

/// Writes a whole answer.
pub async fn write(stream: &mut TcpStream, status: u16, headers: &[(&str, &str)], body: &[u8]) {
    let mut head = format!(
        "HTTP/1.1 {status} Status\r\ncontent-length: {}\r\nconnection: close\r\n",
        body.len()
    );
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    let _ = stream.write_all(head.as_bytes()).await;
    let _ = stream.write_all(body).await;
    let _ = stream.shutdown().await;
}
