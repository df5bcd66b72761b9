//! Requests per second over HTTP: polling a job and creating one, compared in one run with a bare axum
//! handler that answers the same bytes, on SQLite and on a private PostgreSQL. `cargo xtask bench http`
//! builds everything and runs this. Without `--bench`, which cargo passes, each case is only tried.
//!
//! The server is the real binary in a process of its own with its default settings, except that the rate
//! limit is raised out of the way. The bare handler is a process too. The load comes from this process,
//! over keep-alive connections; each sends its next request once the previous one is answered. Jobs are to
//! be accepted but not run, so the only worker is kept busy with a job whose site does not answer.
//! Everything else on the create path takes part: key, limit, schema, bindings, idempotency key, job, audit
//! entry, commit.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Request, StatusCode};
use axum::routing::{get, post};
use axum::serve::ListenerExt as _;
use gtm_e2e::Database;
use gtm_e2e::fake_site::{FakeSite, Page};
use gtm_e2e::gtm_process::{Gtm, Options};
use gtm_e2e::tenant::Tenant;
use gtm_test_support::postgres;
use http_body_util::{BodyExt as _, Full};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};

const DOMAIN: &str = "target-company.example";
/// How many jobs may end during a run: each waits 25 s for the site, and then the next one starts.
const MOST_JOBS_RUN: usize = 10;
/// How long requests are sent before the measurement starts.
const WARM_UP: Duration = Duration::from_millis(500);

#[derive(Debug, Clone, Copy)]
struct Settings {
    /// How long each case runs.
    span: Duration,
    connections: usize,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    if let [role, folder] = arguments.as_slice()
        && role == "bare"
    {
        runtime.block_on(bare_server(Path::new(folder)));
        return;
    }
    let number = |name: &str, default: u64| {
        let at = arguments.iter().position(|a| a == name);
        at.map_or(default, |at| arguments[at + 1].parse().expect(name))
    };
    let measured = arguments.iter().any(|argument| argument == "--bench");
    let (seconds, connections) = if measured { (10, 64) } else { (1, 2) };
    let settings = Settings {
        span: Duration::from_secs(number("--seconds", seconds)),
        connections: usize::try_from(number("--connections", connections)).unwrap(),
    };
    println!(
        "{} connections, {} s a case, {} cores, fsync of PostgreSQL {}",
        settings.connections,
        settings.span.as_secs(),
        std::thread::available_parallelism().unwrap(),
        std::env::var("GTM_TEST_POSTGRES_FSYNC").unwrap_or_else(|_| "off".to_owned()),
    );
    for database in [Database::Sqlite, Database::Postgres] {
        runtime.block_on(on_engine(database, settings));
    }
}

/// The four cases on one engine.
async fn on_engine(kind: Database, settings: Settings) {
    let database = match kind {
        Database::Sqlite => None,
        Database::Postgres => match postgres::database("bench http") {
            Some(database) => Some(database),
            None => return,
        },
    };
    let site = FakeSite::start([("/", Page::Silent)]).await;
    let mut gtm = Gtm::prepare(Options {
        database_url: database.as_ref().map(|d| d.url().to_owned()),
        private_hosts: vec![site.address.to_string()],
        extra_toml: format!(
            "{}\n[engine]\nworkers = 1\nper_project_running = 1\n",
            no_rate_limit()
        ),
        ..Options::default()
    });
    gtm.start();
    let tenant = Tenant::without_credit(&gtm, "Bench");
    tenant.bind_web(&gtm);
    // Without a model nothing costs money, so no credit is needed.
    let backend = json!({"allow_evidence_only": true, "start_urls": {DOMAIN: site.url()}});
    tenant.bind_backend(&gtm, "playbook", &backend);
    let client = tenant.client(&gtm);
    let occupant = client.create_playbook(&body()).await;
    until_running(&client, occupant["id"].as_str().unwrap()).await;
    let job = client.create_playbook(&body()).await;
    let path = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
    let polled = client.get(&path).await;
    assert_eq!(
        (polled.status, polled.json()["status"].as_str()),
        (200, Some("queued"))
    );
    let created = client.post("/v1/playbooks", &body(), None).await;

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("get"), &polled.bytes).unwrap();
    std::fs::write(folder.path().join("post"), &created.bytes).unwrap();
    let bare = Bare::start(folder.path());

    let poll = Load {
        path,
        key: tenant.key.clone(),
        body: None,
    };
    let create = Load {
        path: "/v1/playbooks".to_owned(),
        key: tenant.key.clone(),
        body: Some(body().to_string()),
    };
    for (name, load) in [("GET /v1/jobs/{id}", poll), ("POST /v1/playbooks", create)] {
        let beside = load.run(bare.address, settings).await;
        let ours = load.run(gtm.address.unwrap(), settings).await;
        println!("{kind:?} {name}");
        println!("  bare axum  {beside}");
        println!("  gtm        {ours}");
        println!(
            "  ratio      {:.2}",
            ours.per_second() / beside.per_second()
        );
    }
    let ended: usize = ["succeeded", "failed"]
        .map(|status| {
            let found = gtm.cli(&["job", "list", "--status", status]);
            found["jobs"].as_array().unwrap().len()
        })
        .into_iter()
        .sum();
    println!("{kind:?}: {ended} jobs were run meanwhile");
    assert!(ended <= MOST_JOBS_RUN, "jobs were run, not only accepted");
    drop(bare);
}

/// The configuration that keeps the rate limit out of the way.
fn no_rate_limit() -> String {
    "[limits]\nrequests_per_minute = 1000000".to_owned()
}

fn body() -> Value {
    json!({"target_company_domain": DOMAIN})
}

async fn until_running(client: &gtm_e2e::client::Client, id: &str) {
    for _ in 0..600 {
        if client.get(&format!("/v1/jobs/{id}")).await.json()["status"] == "running" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the worker did not take the job that is to occupy it");
}

/// A request that is sent over and over.
#[derive(Clone)]
struct Load {
    path: String,
    key: String,
    /// For a create. Each request gets its own idempotency key.
    body: Option<String>,
}

impl Load {
    async fn run(&self, address: SocketAddr, settings: Settings) -> Figures {
        let started = Instant::now() + WARM_UP;
        let ends = started + settings.span;
        let tasks: Vec<_> = (0..settings.connections)
            .map(|number| tokio::spawn(self.clone().drive(address, number, started, ends)))
            .collect();
        let mut latencies = Vec::new();
        for task in tasks {
            latencies.extend(task.await.unwrap());
        }
        latencies.sort_unstable();
        Figures {
            latencies,
            span: settings.span,
        }
    }

    /// Drives one connection. Returns the latencies of the requests that were answered within the span.
    async fn drive(
        self,
        address: SocketAddr,
        number: usize,
        started: Instant,
        ends: Instant,
    ) -> Vec<Duration> {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .unwrap();
        tokio::spawn(connection);
        let expected = if self.body.is_some() { 202 } else { 200 };
        let nonce = gtm_domain::Digest::of(format!("{ends:?}").as_bytes()).to_hex();
        let mut latencies = Vec::new();
        for count in 0_u64.. {
            let request = self.request(address, &format!("{}-{number}-{count}", &nonce[..16]));
            let sent = Instant::now();
            if sent >= ends {
                break;
            }
            let response = sender.send_request(request).await.unwrap();
            let status = response.status().as_u16();
            let body = response.into_body().collect().await.unwrap().to_bytes();
            assert_eq!(status, expected, "{}", String::from_utf8_lossy(&body));
            let answered = Instant::now();
            if sent >= started && answered <= ends {
                latencies.push(answered - sent);
            }
        }
        latencies
    }

    fn request(&self, address: SocketAddr, idempotency_key: &str) -> Request<Full<Bytes>> {
        let request = Request::builder()
            .uri(&self.path)
            .header("host", address.to_string())
            .header("authorization", format!("Bearer {}", self.key));
        match &self.body {
            None => request.body(Full::default()),
            Some(body) => request
                .method("POST")
                .header(CONTENT_TYPE, "application/json")
                .header("idempotency-key", idempotency_key)
                .body(Full::from(body.clone())),
        }
        .unwrap()
    }
}

/// The measurements of one case.
struct Figures {
    /// In ascending order.
    latencies: Vec<Duration>,
    span: Duration,
}

impl Figures {
    fn per_second(&self) -> f64 {
        self.latencies.len() as f64 / self.span.as_secs_f64()
    }
    fn percentile(&self, hundredths: usize) -> Duration {
        let at = self.latencies.len() * hundredths / 100;
        self.latencies[at.min(self.latencies.len() - 1)]
    }
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ms = |span: Duration| span.as_secs_f64() * 1000.0;
        write!(
            f,
            "{:>8.0} requests/s   p50 {:>7.2} ms   p99 {:>7.2} ms",
            self.per_second(),
            ms(self.percentile(50)),
            ms(self.percentile(99))
        )
    }
}

/// The bare handler in its own process; ends when this is dropped.
struct Bare {
    child: Child,
    address: SocketAddr,
}

impl Bare {
    fn start(folder: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([Path::new("bare"), folder])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        Self {
            child,
            address: line.trim().parse().unwrap(),
        }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Answers with the bytes of the files `get` and `post`, and does nothing else.
async fn bare_server(folder: &Path) {
    let polled = Bytes::from(std::fs::read(folder.join("get")).unwrap());
    let created = Bytes::from(std::fs::read(folder.join("post")).unwrap());
    let media_type = [(CONTENT_TYPE, "application/json")];
    let poll = move || std::future::ready((media_type, polled.clone()));
    let create = move |_body: Bytes| {
        std::future::ready((
            StatusCode::ACCEPTED,
            [(CONTENT_TYPE, "application/json")],
            created.clone(),
        ))
    };
    let router = Router::new()
        .route("/v1/jobs/{id}", get(poll))
        .route("/v1/playbooks", post(create));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("{}", listener.local_addr().unwrap());
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, router).await.unwrap();
}
