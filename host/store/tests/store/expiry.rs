//! The end of retention, to the microsecond and to the row: what is removed, what stays, and a sweep that
//! is interrupted.

use std::time::Duration;

use bytes::Bytes;
use gtm_domain::idempotency::StoredAnswer;
use gtm_domain::job::{Finish, JOB_RETENTION, JobEventNew, Product};
use gtm_domain::{JobStatus, MicroUsd, Usage};
use gtm_store::{NewJob, Settlement, SweepReport};
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _};

use crate::world::{LEASE, Tenant, World, new_step, settlement};

on_both_engines!(
    retention_ends_to_the_microsecond,
    nothing_of_a_person_stays_and_no_figure_goes,
    a_running_job_is_asked_to_stop_and_swept_when_it_has,
    more_overdue_jobs_than_a_batch_end_in_one_sweep,
    a_sweep_cut_short_is_finished_by_the_next,
    ten_thousand_jobs_go_in_small_transactions,
);

async fn retention_ends_to_the_microsecond(world: World) {
    let tenant = world.tenant().await;
    let row = world.create(&tenant.scope).await;
    assert_eq!(row.expires_at.since(row.created_at), JOB_RETENTION);
    for (before, expired) in [(1, false), (0, true)] {
        world
            .clock
            .set(row.expires_at.minus(Duration::from_micros(before)));
        let found = world.store.get_job(&tenant.scope, row.id).await.unwrap();
        assert_eq!(found.unwrap().expired, expired);
        assert_eq!(world.store.sweep().await.unwrap().jobs, u64::from(expired));
    }
}

/// A text that stands for the words of a caller or a provider.
const PERSONAL: &str = "jane.doe@example.com";
const FIGURES: [&str; 4] = [
    "cost_rows",
    "usage_rows",
    "ledger_transactions",
    "ledger_entries",
];
const DATA: [&str; 6] = [
    "jobs",
    "job_steps",
    "receipts",
    "job_events",
    "idempotency",
    "blob_references",
];

/// All rows of a table as text, behind the store's back.
async fn dump(world: &World, table: &str) -> String {
    let url = &world.config.database_url;
    let rows: Vec<String> = if world.is_postgres() {
        let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
        let setting = "SELECT set_config('gtm.project', '*', false)";
        connection.execute(setting).await.unwrap();
        let escape = "SET bytea_output = 'escape'";
        connection.execute(escape).await.unwrap();
        let sql = format!("SELECT CAST(t AS TEXT) FROM {table} t ORDER BY 1");
        let rows = sqlx::query_scalar(AssertSqlSafe(sql));
        rows.fetch_all(&mut connection).await.unwrap()
    } else {
        let mut connection = sqlx::SqliteConnection::connect(url).await.unwrap();
        let sql = format!("SELECT name FROM pragma_table_info('{table}')");
        let names: Vec<String> = sqlx::query_scalar(AssertSqlSafe(sql))
            .fetch_all(&mut connection)
            .await
            .unwrap();
        let columns: Vec<_> = names
            .iter()
            .map(|name| format!("COALESCE(CAST({name} AS TEXT), '')"))
            .collect();
        // Keyed digests are bytes that are not text.
        let row = columns.join(" || ' ' || ");
        let sql = format!("SELECT CAST({row} AS BLOB) FROM {table} ORDER BY 1");
        let rows: Vec<Vec<u8>> = sqlx::query_scalar(AssertSqlSafe(sql))
            .fetch_all(&mut connection)
            .await
            .unwrap();
        rows.iter()
            .map(|row| String::from_utf8_lossy(row).into_owned())
            .collect()
    };
    rows.join("\n")
}

async fn settle(world: &World, lease: &gtm_store::Lease, body: Bytes) {
    world.store.start_step(lease, new_step(0)).await.unwrap();
    let small = Bytes::from(PERSONAL);
    let settled = Settlement {
        outcome: Ok(json!({ "text": PERSONAL })),
        exchanges: vec![
            (world.receipt(&small), small.into()),
            (world.receipt(&body), body.into()),
        ],
        ..settlement(9)
    };
    world.store.settle_step(lease, 0, settled).await.unwrap();
}

async fn nothing_of_a_person_stays_and_no_figure_goes(world: World) {
    let tenant = world.tenant().await;
    let mut job: NewJob = world.new_job();
    job.input = json!({ "target_company": PERSONAL });
    job.pins = json!({ "settings": PERSONAL });
    job.response = StoredAnswer {
        body: Bytes::from(PERSONAL),
        ..job.response
    };
    let claim = world.idempotency(&tenant.scope, "k", "input");
    let made = world.store.create_job(&tenant.scope, job, Some(claim));
    made.await.unwrap();
    let job = world.claim_one().await;
    settle(&world, &job.lease, Bytes::from(PERSONAL.repeat(2_000))).await;
    let event = JobEventNew {
        ordinal: 0,
        kind: "milestone".to_owned(),
        data: json!({ "message": PERSONAL }),
        progress: None,
    };
    world.store.emit(&job.lease, event).await.unwrap();
    let finish = Finish::Succeeded {
        result: json!({ "business_summary": PERSONAL }),
        product: Product::None,
    };
    let usage = Usage::default();
    world.store.finish(&job.lease, finish, usage).await.unwrap();

    for table in &DATA[..5] {
        let text = dump(&world, table).await;
        assert!(
            text.contains(PERSONAL),
            "the test must put it into {table}: {text}"
        );
    }
    let mut figures = Vec::new();
    for table in FIGURES {
        figures.push(dump(&world, table).await);
    }
    world.clock.set(job.job.expires_at);
    world.store.sweep().await.unwrap();
    for table in DATA {
        let text = dump(&world, table).await;
        assert!(!text.contains("jane"), "{table}: {text}");
        assert_eq!(text.is_empty(), table != "jobs", "{table}: {text}");
    }
    assert_eq!(blobs(&world), 0);
    for (table, before) in FIGURES.iter().zip(figures) {
        assert!(!before.is_empty(), "{table}");
        assert_eq!(dump(&world, table).await, before, "{table}");
    }
    let row = world.store.get_job(&tenant.scope, job.job.id).await;
    assert_eq!(row.unwrap().unwrap().status, JobStatus::Succeeded);
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
}

fn blobs(world: &World) -> usize {
    fn count(dir: &std::path::Path) -> usize {
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        let size = |path: std::path::PathBuf| if path.is_dir() { count(&path) } else { 1 };
        let blobs = entries.filter(|entry| entry.file_name() != ".lock");
        blobs.map(|entry| size(entry.path())).sum()
    }
    count(&world.config.blob_dir)
}

async fn a_running_job_is_asked_to_stop_and_swept_when_it_has(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    world.step(&job.lease, 0, 7).await.unwrap();
    world.clock.set(job.job.expires_at);
    assert_eq!(world.store.sweep().await.unwrap().jobs, 0);
    let state = world.store.renew(&job.lease, LEASE).await.unwrap();
    assert!(state.cancel_requested, "its worker learns of it");
    let (finish, usage) = (Finish::Canceled, Usage::default());
    let ended = world.store.finish(&job.lease, finish, usage).await.unwrap();
    assert_eq!(ended.usage.cost, MicroUsd::from_micros(7));
    assert_eq!(world.store.sweep().await.unwrap().jobs, 1);
    assert_eq!(world.number("SELECT COUNT(*) FROM job_steps").await, 0);
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
}

async fn more_overdue_jobs_than_a_batch_end_in_one_sweep(world: World) {
    let tenant = world.tenant().await;
    // Older running jobs, whose workers are gone, must not block the others.
    for _ in 0..60 {
        world.create(&tenant.scope).await;
    }
    assert_eq!(world.claim(60).await.len(), 60);
    for _ in 0..120 {
        world.create(&tenant.scope).await;
    }
    world.clock.advance(JOB_RETENTION);
    assert_eq!(world.store.sweep().await.unwrap().jobs, 120);
    let running = "SELECT COUNT(*) FROM jobs WHERE status = 'running'";
    assert_eq!(world.number(running).await, 60);
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
}

async fn ended_with_blob(world: &World, tenant: &Tenant, fill: u8) {
    let job = world.running(tenant).await;
    settle(world, &job.lease, Bytes::from(vec![fill; 20_000])).await;
    let (finish, usage) = (Finish::Canceled, Usage::default());
    world.store.finish(&job.lease, finish, usage).await.unwrap();
}

async fn a_sweep_cut_short_is_finished_by_the_next(world: World) {
    let tenant = world.tenant().await;
    for fill in 0..110 {
        ended_with_blob(&world, &tenant, fill).await;
    }
    world.clock.advance(JOB_RETENTION);
    // Interrupt it later and later, until a sweep finishes.
    let (mut cut, mut within) = (0, Duration::from_millis(1));
    let swept = loop {
        match tokio::time::timeout(within, world.store.sweep()).await {
            Ok(swept) => break swept,
            Err(_) => cut += 1,
        }
        within = within * 3 / 2;
    };
    // A blob is passed over while the file lock of a sweep that was cut is still being given back.
    let mut report = swept.unwrap();
    let mut more = 0;
    while report != SweepReport::default() || blobs(&world) > 0 {
        more += 1;
        assert!(more < 10, "sweeps do not end: {report:?}");
        report = world.store.sweep().await.unwrap();
    }
    assert!(cut > 2, "the sweep was cut {cut} times");
    for table in ["job_steps", "receipts", "job_events", "blob_references"] {
        let rows = world.number(&format!("SELECT COUNT(*) FROM {table}")).await;
        assert_eq!(rows, 0, "{table}");
    }
    assert_eq!(blobs(&world), 0);
    let swept = "SELECT COUNT(*) FROM jobs WHERE swept_at IS NOT NULL AND input = 'null'";
    assert_eq!(world.number(swept).await, 110);
    assert_eq!(world.number("SELECT COUNT(*) FROM usage_rows").await, 110);
}

async fn ten_thousand_jobs_go_in_small_transactions(world: World) {
    let tenant = world.tenant().await;
    let row = world.create(&tenant.scope).await;
    world.store.operator().cancel_job(row.id).await.unwrap();
    // So many ended jobs that only SQL creates them fast enough.
    let copies = format!(
        "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 9999) \
         INSERT INTO jobs (id, project_id, organization_id, key_id, type, status, progress, input, pins, seed, \
         reserved, cost_cap, created_at, expires_at, cancel_requested, attempts, fence) \
         SELECT substr(j.id, 1, 26) || substr('0000' || CAST(s.n AS TEXT), length(CAST(s.n AS TEXT)) + 1, 4), j.project_id, j.organization_id, j.key_id, j.type, 'queued', 0, j.input, \
         j.pins, j.seed, 0, j.cost_cap, j.created_at, j.expires_at, j.cancel_requested, 0, 0 \
         FROM jobs j, s WHERE j.id = '{}'",
        row.id
    );
    assert_eq!(world.raw(&copies).await.unwrap(), 9_999);
    let ended =
        "UPDATE jobs SET status = 'canceled', finished_at = created_at WHERE status = 'queued'";
    world.raw(ended).await.unwrap();
    world.clock.advance(JOB_RETENTION);
    let store = world.store.clone();
    let sweep = tokio::spawn(async move { store.sweep().await });
    let mut served = 0u32;
    while !sweep.is_finished() {
        world.create(&tenant.scope).await;
        served += 1;
    }
    assert_eq!(sweep.await.unwrap().unwrap().jobs, 10_000);
    assert!(served > 1, "creates waited for the whole sweep");
}
