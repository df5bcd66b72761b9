//! Faults beneath the API: a handler that panics, a process that dies while it creates a job, a database that
//! is locked or full. Callers get the error envelope in bounded time, nothing acknowledged is lost, nothing
//! is created twice, and service recovers by itself.

use std::time::{Duration, Instant};

use gtm_e2e::Database;
use gtm_e2e::client::Answer;
use gtm_e2e::fake_site::{FakeSite, Page};
use gtm_e2e::gtm_process::{Gtm, Options};
use gtm_e2e::patience::answered;
use gtm_e2e::tenant::Tenant;
use gtm_test_support::skips;
use serde_json::{Value, json};

use crate::{World, on_both_engines, request};

pub(crate) fn body() -> Value {
    json!({"target_company": "Acme"})
}

pub(crate) fn is_internal_error(answer: &Answer) {
    let text = String::from_utf8_lossy(&answer.bytes).into_owned();
    assert_eq!(
        (answer.status, answer.error_code().as_str()),
        (500, "internal_error"),
        "{text}"
    );
    assert!(answer.header("retry-after").is_none());
    for leak in [
        "sqlx",
        "database",
        "postgres",
        "sqlite",
        "pool",
        "panic",
        "fail point",
        "disk",
    ] {
        assert!(!text.to_lowercase().contains(leak), "{text}");
    }
}

pub(crate) fn job_count(gtm: &Gtm) -> usize {
    gtm.cli(&["job", "list", "--limit", "10000"])["jobs"]
        .as_array()
        .unwrap()
        .len()
}

async fn a_panic_answers_500_and_leaves_the_key_free(kind: Database, test: &str) {
    let Some(mut world) = World::start(kind, test, FakeSite::start([]).await).await else {
        return;
    };
    assert!(world.gtm.terminate(Duration::from_secs(30)));
    world
        .gtm
        .start_with(&[("GTM_FAIL_POINT", "panic@create.before:1")]);
    let client = world.tenant.client(&world.gtm);
    let answer = client.post("/v1/playbooks", &body(), Some("k")).await;
    is_internal_error(&answer);
    assert!(answer.header("ratelimit-limit").is_some());
    assert_eq!(job_count(&world.gtm), 0);
    let again = client.post("/v1/playbooks", &body(), Some("k")).await;
    assert_eq!(
        (again.status, again.header("idempotency-replayed")),
        (202, None)
    );
    assert!(!world.gtm.log().contains(&world.tenant.key));
}
on_both_engines!(panics, super::a_panic_answers_500_and_leaves_the_key_free);

async fn a_crash_while_creating_leaves_no_stuck_key(kind: Database, test: &str) {
    let Some(mut world) = World::start(kind, test, FakeSite::start([]).await).await else {
        return;
    };
    for (n, (point, replayed)) in [("create.before", None), ("create.after", Some("true"))]
        .iter()
        .enumerate()
    {
        assert!(world.gtm.terminate(Duration::from_secs(30)));
        world.gtm.start_with(&[("GTM_FAIL_POINT", point)]);
        let client = world.tenant.client(&world.gtm);
        let key = format!("crash-{n}");
        let before = job_count(&world.gtm);
        let died = client
            .request("POST", "/v1/playbooks")
            .bearer_auth(&client.key)
            .header("content-type", "application/json")
            .header("idempotency-key", &key)
            .body(body().to_string());
        assert!(
            died.send().await.is_err(),
            "{point}: the process dies before it answers"
        );
        assert!(world.gtm.wait_dead(Duration::from_secs(20)), "{point}");
        world.gtm.start();
        let client = world.tenant.client(&world.gtm);
        for expected in [*replayed, Some("true")] {
            let answer = client.post("/v1/playbooks", &body(), Some(&key)).await;
            assert_eq!(
                (answer.status, answer.header("idempotency-replayed")),
                (202, expected),
                "{point}"
            );
        }
        assert_eq!(job_count(&world.gtm), before + 1, "{point}");
    }
}
on_both_engines!(
    crash_while_creating,
    super::a_crash_while_creating_leaves_no_stuck_key
);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_sqlite_file_is_an_outage_of_writes_alone() {
    use sqlx::Connection as _;
    let site = FakeSite::start([]).await;
    let world = World::start(Database::Sqlite, "locked", site)
        .await
        .unwrap();
    let job = world.client.create_playbook(&body()).await;
    let path = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
    let url = format!("sqlite://{}", world.gtm.dir.path().join("gtm.db").display());
    let mut other = sqlx::SqliteConnection::connect(&url).await.unwrap();
    sqlx::query("BEGIN IMMEDIATE")
        .execute(&mut other)
        .await
        .unwrap();
    let wanted = body();
    let post = world.client.post("/v1/playbooks", &wanted, Some("k"));
    is_internal_error(&post.await);
    assert_eq!(world.client.get(&path).await.status, 200, "reads go on");
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    let again = world.client.post("/v1/playbooks", &body(), Some("k")).await;
    assert_eq!(again.status, 202);
}

/// A small file system, removed on drop.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount(test: &str) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let mut mount = std::process::Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", "size=3m", "tmpfs"])
            .arg(dir.path());
        if mount.output().is_ok_and(|output| output.status.success()) {
            return Some(Self(dir));
        }
        skips::skip(test, "a small file system cannot be mounted here");
        None
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount")
            .arg("-l")
            .arg(self.0.path())
            .output();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_refuses_writes_and_recovers() {
    let Some(disk) = SmallDisk::mount("a_full_disk_refuses_writes_and_recovers") else {
        return;
    };
    let file = disk.0.path().join("gtm.db");
    let options = Options {
        database_url: Some(format!("sqlite://{}", file.display())),
        ..Options::default()
    };
    let mut gtm = Gtm::prepare(options);
    gtm.start();
    let tenant = Tenant::create(&gtm, "Acme");
    let client = tenant.client(&gtm);
    let job = client.create_playbook(&body()).await;
    let path = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
    let filler = disk.0.path().join("filler");
    let fill = || {
        use std::io::Write as _;
        let mut file = std::fs::File::options()
            .create(true)
            .append(true)
            .open(&filler)
            .unwrap();
        while file.write_all(&[0; 512]).is_ok() {}
    };
    // Pages that the database log already occupies may still have room; acknowledged jobs must stay.
    let (mut acknowledged, mut refused) = (Vec::new(), 0);
    let product = "x".repeat(3_000);
    for n in 0..60 {
        fill();
        let input = json!({"target_company": "Acme", "product_info": product});
        let key = format!("full-{n}");
        let post = client.post("/v1/playbooks", &input, Some(&key));
        let answer = post.await;
        if answer.status == 202 {
            acknowledged.push(answer.json()["id"].as_str().unwrap().to_owned());
        } else {
            is_internal_error(&answer);
            refused += 1;
        }
        if refused == 3 {
            break;
        }
    }
    assert_eq!(refused, 3, "the disk never was full");
    assert_eq!(client.get(&path).await.status, 200, "reads go on");
    std::fs::remove_file(&filler).unwrap();
    let began = Instant::now();
    while client
        .post("/v1/playbooks", &body(), Some("after"))
        .await
        .status
        != 202
    {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "writes do not come back"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    println!(
        "disk full: writes again {:?} after space returned",
        began.elapsed()
    );
    for id in &acknowledged {
        assert_eq!(
            client.get(&format!("/v1/jobs/{id}")).await.status,
            200,
            "{id} was lost"
        );
    }
    assert_eq!(gtm.cli(&["ledger", "verify"])["balanced"], true);
}

async fn one_key_on_two_servers_makes_one_job(kind: Database, test: &str) {
    let site = FakeSite::start([]).await;
    let toml = "[limits]\nrequests_per_minute = 1000000\n";
    let Some(world) = World::start_with(kind, test, site, &[], toml).await else {
        return;
    };
    let mut clients = vec![world.client.clone()];
    let second = (kind == Database::Postgres).then(|| {
        let mut gtm = Gtm::prepare(world.gtm.options.clone());
        let key = |gtm: &Gtm| gtm.dir.path().join("master.key");
        std::fs::copy(key(&world.gtm), key(&gtm)).unwrap();
        gtm.start();
        gtm
    });
    clients.extend(second.as_ref().map(|gtm| world.tenant.client(gtm)));
    let keys: usize = std::env::var("GTM_IDEMPOTENCY_KEYS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(12);
    let (mut replayed, mut in_progress) = (0, 0);
    for n in 0..keys {
        let key = format!("storm-{n}");
        let body = body();
        let asked =
            (0..64).map(|i| clients[i % clients.len()].post("/v1/playbooks", &body, Some(&key)));
        let answers = futures::future::join_all(asked).await;
        let mut first = None;
        let mut created = 0;
        for answer in &answers {
            match answer.status {
                202 => {
                    assert_eq!(&answer.bytes, *first.get_or_insert(&answer.bytes), "{key}");
                    assert_eq!(answer.json()["status"], "queued");
                    let replay = answer.header("idempotency-replayed") == Some("true");
                    replayed += usize::from(replay);
                    created += usize::from(!replay);
                }
                409 => {
                    assert_eq!(answer.error_code(), "idempotency_in_progress");
                    in_progress += 1;
                }
                other => panic!("{other}: {}", String::from_utf8_lossy(&answer.bytes)),
            }
        }
        assert_eq!(created, 1, "{key}");
    }
    assert_eq!(job_count(&world.gtm), keys);
    println!(
        "{kind:?}, {} server(s): {keys} keys x 64: {keys} jobs, {replayed} replays, {in_progress} in progress",
        clients.len()
    );
}
on_both_engines!(storms, super::one_key_on_two_servers_makes_one_job);

/// The page never answers, and no other page is asked for after the cancel.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancel_ends_a_job_in_the_middle_of_a_slow_read() {
    let site = FakeSite::start([("/", Page::Silent)]).await;
    let world = World::start(Database::Sqlite, "slow_cancel", site)
        .await
        .unwrap();
    let job = world.client.create_playbook(&request()).await;
    let id = job["id"].as_str().unwrap();
    let began = Instant::now();
    while !world.site.requests().contains(&"/".to_owned()) {
        assert!(
            began.elapsed() < Duration::from_secs(120),
            "the page is not asked for"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let asked_before = world.site.requests();
    world.gtm.cli(&["job", "cancel", id]);
    let path = format!("/v1/jobs/{id}");
    let canceled = async {
        loop {
            let job = world.client.get(&path).await.json();
            if job["status"] == "canceled" {
                break job;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let (ended, took) = answered("a cancel", canceled).await;
    println!("canceled {took:?} after the operator's word");
    assert_eq!(world.site.requests(), asked_before);
    assert_eq!(
        (&ended["error"], &ended["result"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(world.gtm.cli(&["ledger", "verify"])["balanced"], true);
    // Operators see the same events as callers.
    let told = world
        .client
        .get(&format!("{path}/events?limit=100"))
        .await
        .json();
    let shown = world.gtm.cli(&["job", "events", id]);
    assert_eq!(shown["events"], told["events"]);
    assert_eq!(shown["events"][0]["type"], "job.queued");
}

#[test]
fn a_database_that_cannot_be_opened_is_told_with_what_to_do() {
    let file = tempfile::tempdir().unwrap();
    let refused = |url: &str| {
        let gtm = Gtm::prepare(Options {
            database_url: Some(url.to_owned()),
            ..Options::default()
        });
        let output = gtm.cli_output(&["org", "list"], &[]);
        assert!(!output.status.success());
        assert!(!gtm.dir.path().join("master.key").exists(), "{url}");
        String::from_utf8(output.stderr).unwrap()
    };
    // A directory stands in for any file that cannot be written, because root may write to all other files.
    let told = refused(&format!("sqlite://{}", file.path().display()));
    assert!(
        told.contains("opened for writing") && told.contains("owner"),
        "{told}"
    );
    let told = refused("postgres://gtm:hunter2@127.0.0.1:1/gtm");
    assert!(
        told.contains("refused") && told.contains("hint") && !told.contains("hunter2"),
        "{told}"
    );
}
