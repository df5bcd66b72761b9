//! PostgreSQL is stopped or restarted under a running server. Callers get the error envelope in bounded time,
//! nothing acknowledged is lost, nothing is created twice, and service recovers by itself.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use gtm_e2e::client::Client;
use gtm_e2e::gtm_process::{Gtm, Options};
use gtm_e2e::tenant::Tenant;
use gtm_test_support::own_postgres::OwnPostgres;

use crate::faults::{body, is_internal_error};

fn on_own_postgres(own: &OwnPostgres, toml: &str) -> Gtm {
    let mut gtm = Gtm::prepare(Options {
        database_url: Some(own.url()),
        extra_toml: toml.to_owned(),
        ..Options::default()
    });
    gtm.start();
    gtm
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_postgres_is_told_in_time_and_comes_back_by_itself() {
    let Some(own) = OwnPostgres::start("a_stopped_postgres") else {
        return;
    };
    let gtm = on_own_postgres(&own, "");
    let client = Tenant::create(&gtm, "Acme").client(&gtm);
    let job = client.create_playbook(&body()).await;
    let path = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
    own.stop_immediately();
    is_internal_error(&client.get(&path).await);
    let wanted = body();
    let post = client.post("/v1/playbooks", &wanted, Some("k"));
    is_internal_error(&post.await);
    client.until_readiness_is(503).await;
    let ready = client.get("/readyz").await;
    assert_eq!(
        (ready.status, ready.error_code().as_str()),
        (503, "internal_error")
    );
    assert_eq!(client.get("/healthz").await.status, 200);
    own.start_again();
    let began = Instant::now();
    while client.get(&path).await.status != 200 {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "reads do not come back"
        );
    }
    println!(
        "PostgreSQL stopped: reads again {:?} after it answered",
        began.elapsed()
    );
    client.until_readiness_is(200).await;
    assert_eq!(
        client
            .post("/v1/playbooks", &body(), Some("k"))
            .await
            .status,
        202
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restarts_of_postgres_under_load_lose_and_double_nothing() {
    let Some(own) = OwnPostgres::start("restarts_of_postgres") else {
        return;
    };
    let gtm = on_own_postgres(&own, "[limits]\nrequests_per_minute = 1000000\n");
    let tenant = Tenant::create(&gtm, "Acme");
    let over = Arc::new(AtomicBool::new(false));
    let acknowledged = Arc::new(AtomicUsize::new(0));
    let mut loads = Vec::new();
    for load in 0..6 {
        let (client, over) = (tenant.client(&gtm), Arc::clone(&over));
        let acknowledged = Arc::clone(&acknowledged);
        loads.push(tokio::spawn(create_until(client, load, over, acknowledged)));
    }
    for _ in 0..4 {
        some_more(&acknowledged).await;
        own.stop_immediately();
        own.start_again();
    }
    some_more(&acknowledged).await;
    over.store(true, Ordering::SeqCst);
    let mut jobs = BTreeMap::new();
    for load in loads {
        jobs.extend(load.await.unwrap());
    }
    let listed = gtm.cli(&["job", "list", "--limit", "10000"]);
    let mut stored: Vec<_> = listed["jobs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|j| j["id"].as_str().unwrap())
        .collect();
    stored.sort_unstable();
    let mut acknowledged: Vec<_> = jobs.values().map(String::as_str).collect();
    acknowledged.sort_unstable();
    assert_eq!(
        stored, acknowledged,
        "every key has its one job, and there are no others"
    );
    assert_eq!(gtm.cli(&["ledger", "verify"])["balanced"], true);
    println!(
        "4 immediate restarts of PostgreSQL: {} keys, as many jobs",
        acknowledged.len()
    );
}

/// Waits until several more creates are acknowledged, however slow the machine is.
async fn some_more(acknowledged: &AtomicUsize) {
    let (before, until) = (
        acknowledged.load(Ordering::SeqCst),
        Instant::now() + Duration::from_secs(120),
    );
    while acknowledged.load(Ordering::SeqCst) < before + 4 {
        assert!(Instant::now() < until, "no create is acknowledged any more");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Creates jobs; repeats each with its key until it is acknowledged.
async fn create_until(
    client: Client,
    load: usize,
    over: Arc<AtomicBool>,
    acknowledged: Arc<AtomicUsize>,
) -> BTreeMap<String, String> {
    let mut made = BTreeMap::new();
    let mut n = 0;
    while !over.load(Ordering::SeqCst) {
        let key = format!("load-{load}-{n}");
        n += 1;
        let id = loop {
            let answer = client.post("/v1/playbooks", &body(), Some(&key)).await;
            match answer.status {
                202 => break answer.json()["id"].as_str().unwrap().to_owned(),
                409 => assert_eq!(answer.error_code(), "idempotency_in_progress"),
                _ => is_internal_error(&answer),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        made.insert(key, id);
        acknowledged.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    made
}
