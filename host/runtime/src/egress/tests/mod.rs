//! The gate against real servers on loopback. Nothing here leaves this machine.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod addresses;
mod credential_hosts;
mod credentials;
mod digests;
mod echoes;
mod exchanges;
mod limiter;
mod limits;
mod noninterference;
mod records;
mod redirects;
mod refusals;
mod retries;
mod searches;
mod secrets;
mod sendings;
mod tls;
mod tokens;
mod verification;
mod widening;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gtm_domain::clock::ManualClock;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::credentials::Credentials;
use crate::manifest::{CredentialScheme, Egress, Rate};

/// What a server does with one request.
enum Reply {
    /// Writes these bytes and closes.
    Bytes(Vec<u8>),
    /// Writes pieces with a pause before each, then closes.
    Slow(Vec<Vec<u8>>, Duration),
    /// Writes this repeatedly until the client stops reading.
    Endless(Vec<u8>, Vec<u8>),
    /// Closes without an answer.
    Close,
    /// Writes these bytes and keeps the connection open.
    Stall(Vec<u8>),
    /// Sends nothing and keeps the connection open.
    Hang,
}

impl Reply {
    fn ok(body: impl AsRef<[u8]>) -> Self {
        Self::with(200, &[], body)
    }
    fn with(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Self {
        let mut out = format!(
            "HTTP/1.1 {status} X\r\ncontent-length: {}\r\n",
            body.as_ref().len()
        )
        .into_bytes();
        for (name, value) in headers {
            out.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        }
        out.extend_from_slice(b"\r\n");
        out.extend_from_slice(body.as_ref());
        Self::Bytes(out)
    }
    fn redirect(status: u16, location: &str) -> Self {
        Self::with(status, &[("location", location)], "")
    }
}

/// A server that counts connections and keeps the requests it received.
struct Server {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
    /// Bytes of bodies that the client read.
    written: Arc<AtomicUsize>,
}

impl Server {
    async fn start(handler: impl Fn(usize, &str) -> Reply + Send + Sync + 'static) -> Self {
        Self::start_at("127.0.0.1:0", handler).await
    }

    async fn start_at(
        address: &str,
        handler: impl Fn(usize, &str) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            connections: Arc::default(),
            requests: Arc::default(),
            written: Arc::default(),
        };
        let (connections, requests, written) = (
            server.connections.clone(),
            server.requests.clone(),
            server.written.clone(),
        );
        let handler = Arc::new(handler);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let index = connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(
                    stream,
                    index,
                    handler.clone(),
                    requests.clone(),
                    written.clone(),
                ));
            }
        });
        server
    }

    /// A server that answers 200, to which a test expects no connection.
    async fn canary() -> Self {
        Self::start(|_, _| Reply::ok("canary")).await
    }

    fn port(&self) -> u16 {
        self.address.port()
    }
    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
    fn hits(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
    fn request(&self, index: usize) -> String {
        self.requests.lock().unwrap()[index].clone()
    }
}

async fn serve<S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin>(
    mut stream: S,
    index: usize,
    handler: Arc<impl Fn(usize, &str) -> Reply>,
    requests: Arc<Mutex<Vec<String>>>,
    written: Arc<AtomicUsize>,
) {
    let request = read_request(&mut stream).await;
    let reply = handler(index, &request);
    requests.lock().unwrap().push(request);
    match reply {
        Reply::Bytes(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Reply::Slow(pieces, pause) => {
            for piece in pieces {
                tokio::time::sleep(pause).await;
                if stream.write_all(&piece).await.is_err() {
                    return;
                }
            }
        }
        Reply::Endless(head, piece) => {
            if stream.write_all(&head).await.is_ok() {
                while stream.write_all(&piece).await.is_ok() {
                    written.fetch_add(piece.len(), Ordering::SeqCst);
                }
            }
        }
        Reply::Stall(bytes) => {
            let _ = stream.write_all(&bytes).await;
            tokio::time::sleep(Duration::from_secs(60)).await;
        }
        Reply::Close => {}
        Reply::Hang => tokio::time::sleep(Duration::from_secs(60)).await,
    }
}

async fn read_request(stream: &mut (impl tokio::io::AsyncRead + Unpin)) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|l| {
                l.to_ascii_lowercase()
                    .strip_prefix("content-length: ")
                    .map(str::to_owned)
            });
            if body.len() >= length.map_or(0, |l| l.parse().unwrap()) {
                return text;
            }
        }
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return text,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}

/// `host` or `host:port`, open to the tests' connector in every way.
fn private_host(text: &str) -> PrivateHost {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) => (host, Some(port.parse().unwrap())),
        None => (text, None),
    };
    PrivateHost {
        host: host.to_owned(),
        port,
        connectors: ["test".to_owned()].into(),
        open_web: true,
    }
}

/// A policy with short waits that names these private hosts.
fn policy(private: &[&str]) -> EgressPolicy {
    EgressPolicy {
        private_hosts: private.iter().map(|text| private_host(text)).collect(),
        retry_base: Duration::from_millis(5),
        connect_timeout: Duration::from_secs(2),
        exchange_timeout: Duration::from_secs(8),
        ..EgressPolicy::default()
    }
}

fn gate_of(policy: EgressPolicy) -> EgressGate {
    EgressGate::new(
        policy,
        Arc::new(ManualClock::at("2026-11-21T12:00:00Z".parse().unwrap())),
    )
    .unwrap()
}

/// A gate that may reach loopback by its literal address.
fn loopback_gate() -> EgressGate {
    gate_of(policy(&["127.0.0.1"]))
}

/// A gate with fixed names, all of them named by the operator.
fn named_gate(names: &[(&str, &str)]) -> EgressGate {
    let mut policy = policy(&names.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let resolver = names
        .iter()
        .fold(FixedResolver::new(), |r, (name, address)| {
            r.with(name, &[address.parse().unwrap()])
        });
    policy.resolver = ResolverChoice::Custom(Arc::new(resolver));
    gate_of(policy)
}

fn budget() -> Arc<CallBudget> {
    Arc::new(CallBudget::within(
        100,
        1 << 24,
        1 << 28,
        Duration::from_secs(10),
    ))
}

/// A grant from the JSON of a manifest's parts: `egress`, `schemes`, `rate`, `settings`, `credentials`.
pub(super) fn grant(parts: Value) -> CallGrant {
    let read = |name: &str, default: Value| parts.get(name).cloned().unwrap_or(default);
    let egress: Vec<Egress> = serde_json::from_value(read("egress", json!([]))).unwrap();
    let schemes: Vec<CredentialScheme> =
        serde_json::from_value(read("schemes", json!([]))).unwrap();
    let rate: Rate = serde_json::from_value(read("rate", json!({}))).unwrap();
    let credentials = read("credentials", json!({}));
    let credentials: Credentials = credentials
        .as_object()
        .unwrap()
        .iter()
        .map(|(k, v)| (k.clone(), v.as_str().unwrap().to_owned()))
        .collect();
    CallGrant::for_call(GrantParts {
        connector: "test",
        egress: &egress,
        open_web: read("open_web", json!(false)).as_bool().unwrap(),
        schemes: &schemes,
        rate: &rate,
        limit_key: None,
        settings: &read("settings", json!({})),
        credentials,
        replay_safe: read("replay_safe", json!(true)).as_bool().unwrap(),
        idempotency: None,
        budget: budget(),
        cancel: CancellationToken::new(),
    })
    .unwrap()
}

/// A token of a unique length that contains characters with many spellings.
pub(super) fn token_of_its_own_length(number: usize) -> call_secrets::Token {
    let letters = "abc/+\"'*ü <&".chars().cycle().skip(number % 12);
    let text: String = letters.take(150 + 23 * number).collect();
    Arc::new(zeroize::Zeroizing::new(text))
}

/// A grant for everything on one server through a setting, as local model servers are reached.
fn grant_for(server: &Server, more: Value) -> CallGrant {
    let mut parts = json!({
        "egress": [{
            "host": "${setting.base_url}",
            "methods": ["GET", "HEAD", "POST", "PUT"],
            "private_network": "operator_opt_in",
        }],
        "settings": { "base_url": server.url("") },
    });
    for (name, value) in more.as_object().unwrap() {
        parts[name] = value.clone();
    }
    grant(parts)
}

fn code(exchanged: &Exchanged) -> &str {
    match &exchanged.result {
        Ok(response) => panic!("expected a failure, got {}", response.status),
        Err(failure) => &failure.code,
    }
}

fn body(exchanged: &Exchanged) -> &[u8] {
    match &exchanged.result {
        Ok(response) => &response.body,
        Err(failure) => panic!("{failure}"),
    }
}
