//! A database that hangs, and a database file that disappears, under a running server. Callers get the error
//! envelope while it still hangs, nothing acknowledged is lost, and service recovers by itself.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use futures::future::join_all;
use gtm_domain::ApiKeySecret;
use gtm_e2e::Database;
use gtm_e2e::client::Client;
use gtm_e2e::gtm_process::{Gtm, Options};
use gtm_e2e::patience::answered;
use gtm_e2e::stalling_proxy::StallingProxy;
use gtm_e2e::tenant::Tenant;

use crate::database;
use crate::faults::{body, is_internal_error, job_count};

/// Replaces the address in a URL with the one that `proxy` returns for it.
fn through(url: &str, proxy: impl FnOnce(SocketAddr) -> SocketAddr) -> String {
    let (before, rest) = url.split_once('@').unwrap();
    let (address, after) = rest.split_once('/').unwrap();
    let proxied = proxy(address.parse().unwrap());
    format!("{before}@{proxied}/{after}")
}

/// A well-formed key that was never issued.
fn unknown_key() -> String {
    ApiKeySecret::from_entropy(&[7; 9], &[8; 32]).reveal()
}

/// Sends every read with a valid and with an unknown key: while the database is unavailable, both get the
/// same answer.
async fn all_are_refused(client: &Client, job: &str) {
    let unknown = Client::new(&client.base, &unknown_key());
    let paths = [
        job,
        "/v1/jobs",
        "/v1/usage",
        "/v1/connectors",
        "/v1/capabilities",
    ];
    let asked = [client, &unknown]
        .into_iter()
        .flat_map(|client| paths.map(|path| client.get(path)));
    for answer in join_all(asked).await {
        is_internal_error(&answer);
    }
    let answer = unknown.post("/v1/playbooks", &body(), Some("k")).await;
    is_internal_error(&answer);
}

async fn comes_back(client: &Client, path: &str) -> Duration {
    let began = Instant::now();
    while client.get(path).await.status != 200 {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "{path} does not come back"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    began.elapsed()
}

/// Creates jobs with idempotency keys until a refusal. Returns how many were acknowledged, the refused key,
/// and how long the refusal took.
async fn create_until_refused(client: Client, load: usize) -> (usize, String, Duration) {
    for n in 0.. {
        let key = format!("stall-{load}-{n}");
        let wanted = body();
        let asked = client.post("/v1/playbooks", &wanted, Some(&key));
        let (answer, took) = answered("a create", asked).await;
        if answer.status != 202 {
            is_internal_error(&answer);
            return (n, key, took);
        }
    }
    unreachable!()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hanging_postgres_is_told_in_time_and_comes_back_by_itself() {
    let Some((Some(url), _guard)) = database(Database::Postgres, "a_hanging_postgres") else {
        return;
    };
    let mut upstream = None;
    through(&url, |address| *upstream.insert(address));
    let proxy = StallingProxy::start(upstream.unwrap()).await;
    let mut gtm = Gtm::prepare(Options {
        database_url: Some(through(&url, |_| proxy.address)),
        extra_toml: "[limits]\nrequests_per_minute = 1000000\n".to_owned(),
        ..Options::default()
    });
    gtm.start();
    let client = Tenant::create(&gtm, "Acme").client(&gtm);
    let job = client.create_playbook(&body()).await;
    let job = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
    let mut acknowledged = 1;

    // Longer than the server caches its readiness.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    // Writes are in progress when the database stalls: twice as many as there are connections.
    let loads = (0..16).map(|load| tokio::spawn(create_until_refused(client.clone(), load)));
    let loads: Vec<_> = loads.collect();
    tokio::time::sleep(Duration::from_millis(400)).await;
    proxy.stall(true);
    tokio::time::sleep(Duration::from_millis(100)).await;
    // The database answers nothing until the test lets it, so each of these answers is the server's own.
    for (path, status) in [("/readyz", 503), ("/healthz", 200)] {
        assert_eq!(client.get(path).await.status, status, "{path}");
    }
    all_are_refused(&client, &job).await;
    let (mut slowest, mut keys) = (Duration::ZERO, Vec::new());
    for load in loads {
        let (made, key, took) = load.await.unwrap();
        slowest = slowest.max(took);
        keys.push(key);
        acknowledged += made;
    }

    proxy.stall(false);
    let back = comes_back(&client, &job).await;
    println!("PostgreSQL hung: slowest create {slowest:?}; reads again {back:?} after it went on");
    client.until_readiness_is(200).await;
    for key in &keys {
        let answer = client.post("/v1/playbooks", &body(), Some(key)).await;
        assert_eq!(answer.status, 202, "{key}: {}", answer.json());
    }
    acknowledged += keys.len();
    assert_eq!(job_count(&gtm), acknowledged, "one job for each key");

    // The same again, and this time the connections are cut while the proxy stalls.
    proxy.stall(true);
    let (asked, ()) = tokio::join!(client.get(&job), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        proxy.cut();
    });
    is_internal_error(&asked);
    proxy.stall(false);
    let back = comes_back(&client, &job).await;
    println!("PostgreSQL's connections were cut: reads again after {back:?}");
    let answer = client.post("/v1/playbooks", &body(), Some("after")).await;
    assert_eq!(answer.status, 202);
    assert_eq!(gtm.cli(&["ledger", "verify"])["balanced"], true);
}

/// Moves each of SQLite's files away and back, one after another.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_moved_sqlite_file_stops_everything_until_it_is_back() {
    let mut gtm = Gtm::prepare(Options::default());
    gtm.start();
    let client = Tenant::create(&gtm, "Acme").client(&gtm);
    let job = client.create_playbook(&body()).await;
    let job = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
    for (made, name) in ["gtm.db", "gtm.db-wal"].iter().enumerate() {
        let (file, away) = (gtm.dir.path().join(name), gtm.dir.path().join("away"));
        std::fs::rename(&file, &away).unwrap();
        all_are_refused(&client, &job).await;
        let post = client.post("/v1/playbooks", &body(), Some(name)).await;
        is_internal_error(&post);
        client.until_readiness_is(503).await;
        assert_eq!(client.get("/healthz").await.status, 200, "{name}");
        assert!(
            gtm.log().contains("was removed or replaced"),
            "the log says what is wrong"
        );
        std::fs::rename(&away, &file).unwrap();
        client.until_readiness_is(200).await;
        assert_eq!(client.get(&job).await.status, 200, "{name}");
        let post = client.post("/v1/playbooks", &body(), Some(name)).await;
        assert_eq!(post.status, 202, "{name}");
        assert_eq!(
            job_count(&gtm),
            made + 2,
            "{name}: what was refused was not made"
        );
    }
}

/// Replaces the database with a backup, which must never be done while a server runs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replaced_sqlite_file_is_used_only_after_a_restart() {
    use sqlx::Connection as _;
    let mut gtm = Gtm::prepare(Options::default());
    gtm.start();
    let tenant = Tenant::create(&gtm, "Acme");
    let client = tenant.client(&gtm);
    let job = client.create_playbook(&body()).await;
    let job = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
    let file = |name: &str| gtm.dir.path().join(name);
    let (database, backup) = (file("gtm.db"), file("backup.db"));
    let url = format!("sqlite://{}", database.display());
    let mut source = sqlx::SqliteConnection::connect(&url).await.unwrap();
    sqlx::query("VACUUM INTO $1")
        .bind(backup.to_str().unwrap())
        .execute(&mut source)
        .await
        .unwrap();
    source.close().await.unwrap();

    std::fs::rename(&backup, &database).unwrap();
    all_are_refused(&client, &job).await;
    let post = client.post("/v1/playbooks", &body(), Some("k")).await;
    is_internal_error(&post);
    gtm.kill();
    // The files that belong to the replaced database must go with it.
    for companion in ["gtm.db-wal", "gtm.db-shm"] {
        remove_if_there(&gtm.dir.path().join(companion));
    }
    gtm.start();
    let client = tenant.client(&gtm);
    assert_eq!(client.get(&job).await.status, 200, "the backup holds it");
    let post = client.post("/v1/playbooks", &body(), Some("k")).await;
    assert_eq!(
        (post.status, post.header("idempotency-replayed")),
        (202, None),
        "what was refused was not made"
    );
    assert_eq!(job_count(&gtm), 2);
}

fn remove_if_there(path: &Path) {
    if path.exists() {
        std::fs::remove_file(path).unwrap();
    }
}
