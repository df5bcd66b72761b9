//! What a million stored jobs cost a reader: usage, one job and a page of jobs, beside the same in a
//! database that holds one page of jobs, on SQLite and PostgreSQL (reliability, Speed to reach).
//!
//! `cargo xtask bench usage`. Prints median and 99th percentile in microseconds, their ratios, and how
//! long counting the jobs of an older database takes. Of ten rounds the quietest counts: what else the
//! machine does can only make a read slower. `GTM_BENCH_JOBS` sets another number of jobs,
//! `GTM_BENCH_ENGINE` one of sqlite and postgres. Without `--bench`, which cargo passes, each case is only
//! tried.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    dead_code
)]

use gtm_test_support::postgres as private_postgres;

use std::sync::Arc;
use std::time::{Duration, Instant};

use gtm_domain::clock::ManualClock;
use gtm_domain::{ApiKeySecret, JobId, MicroUsd, Month, Permissions, Timestamp};
use gtm_store::{JobFilter, KeyRing, ProjectScope, Store, StoreConfig};
use private_postgres::TestDatabase;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _};
use tempfile::TempDir;

/// Jobs of the database that is compared with: one page.
const FEW: u64 = 20;
const WARM_UP: usize = 200;
/// Jobs that are enough to try each case.
const TRIED: u64 = 1_000;
const ROUNDS: usize = 10;
/// Reads of each database in a round.
const READS: usize = 200;
/// The jobs lie in the two years up to this instant.
const NOW: &str = "2026-03-31T12:00:00Z";

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Sqlite,
    Postgres,
}

struct Filled {
    store: Store,
    scope: ProjectScope,
    jobs: u64,
    _dir: TempDir,
    _database: Option<TestDatabase>,
}

fn main() {
    let measured = std::env::args().any(|argument| argument == "--bench");
    let usual = if measured { 1_000_000 } else { TRIED };
    let many = std::env::var("GTM_BENCH_JOBS").map_or(usual, |n| n.parse().unwrap());
    let rt = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    rt.block_on(async {
        let only = std::env::var("GTM_BENCH_ENGINE").unwrap_or_default();
        for kind in [Kind::Sqlite, Kind::Postgres] {
            if !only.is_empty() && !name(kind).to_lowercase().starts_with(&only) {
                continue;
            }
            let Some(few) = filled(kind, FEW).await else {
                continue;
            };
            let Some(many) = filled(kind, many).await else {
                continue;
            };
            compare(kind, &few, &many, measured).await;
        }
    });
}

async fn filled(kind: Kind, jobs: u64) -> Option<Filled> {
    let dir = tempfile::Builder::new()
        .prefix("gtm-bench-")
        .tempdir()
        .unwrap();
    let mut config = StoreConfig::in_data_dir(dir.path());
    let database = match kind {
        Kind::Sqlite => None,
        Kind::Postgres => Some(private_postgres::database("the benchmark on PostgreSQL")?),
    };
    if let Some(database) = &database {
        config.database_url = database.url().to_owned();
    }
    let open = || async {
        let clock = Arc::new(ManualClock::at(NOW.parse::<Timestamp>().unwrap()));
        let keys = KeyRing::from_dir(dir.path()).unwrap();
        Store::connect(&config, keys, clock).await.unwrap()
    };
    let store = open().await;
    let secret = tenant(&store).await;
    store.close().await;
    let begun = Instant::now();
    let counting = fill(kind, &config.database_url, jobs).await;
    println!(
        "{}: {jobs} jobs stored in {:.1} s; counted as an upgrade would in {:.1} s",
        name(kind),
        begun.elapsed().as_secs_f64(),
        counting.as_secs_f64()
    );
    let store = open().await;
    let scope = store.authenticate(&secret, None).await.unwrap();
    Some(Filled {
        store,
        scope,
        jobs,
        _dir: dir,
        _database: database,
    })
}

const fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Sqlite => "SQLite",
        Kind::Postgres => "PostgreSQL",
    }
}

/// An organization with a project and four keys.
async fn tenant(store: &Store) -> ApiKeySecret {
    let operator = store.operator();
    let organization = operator.create_organization("Acme").await.unwrap().id;
    let credit = MicroUsd::from_micros(1_000_000_000_000);
    operator
        .grant_credit(organization, credit, None)
        .await
        .unwrap();
    let project = operator
        .create_project(organization, "main")
        .await
        .unwrap()
        .id;
    let mut last = None;
    for name in ["one", "two", "three", "four"] {
        let full = Permissions::parse("full").unwrap();
        let (_, secret) = operator
            .create_key(project, name, full, None)
            .await
            .unwrap();
        last = Some(secret);
    }
    last.unwrap()
}

/// Write jobs, usage rows and cost rows in bulk, and let the migrations' own statements count them.
/// Returns how long that counting took.
async fn fill(kind: Kind, url: &str, jobs: u64) -> Duration {
    let (usage_migration, triggers_off, triggers_on, settled) = match kind {
        Kind::Sqlite => (
            include_str!("../../../migrations/sqlite/0004_usage.sql"),
            "PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; \
             DROP TRIGGER jobs_begin_queued;",
            "",
            "",
        ),
        Kind::Postgres => (
            include_str!("../../../migrations/postgres/0004_usage.sql"),
            "SELECT set_config('gtm.project', '*', false); ALTER TABLE jobs DISABLE TRIGGER USER;",
            "ALTER TABLE jobs ENABLE TRIGGER USER;",
            "VACUUM ANALYZE",
        ),
    };
    let statements = [
        triggers_off.to_owned(),
        jobs_statement(kind, jobs),
        USAGE_ROWS.to_owned(),
        cost_rows(
            0,
            r#"{"key":"web-fetch","version":"0.1.0","digest":"sha256:00"}"#,
            50,
            60_000,
            0,
        ),
        cost_rows(
            1,
            r#"{"key":"openai-compatible","version":"0.1.0","digest":"sha256:01"}"#,
            3,
            5_000,
            2_500,
        ),
        triggers_on.to_owned(),
        "DROP TABLE usage_months; DROP TABLE usage_connector_months;".to_owned(),
    ];
    let mut counting = Duration::ZERO;
    macro_rules! run {
        ($connection:expr) => {{
            let mut c = $connection;
            for statement in statements {
                c.execute(sqlx::raw_sql(AssertSqlSafe(statement)))
                    .await
                    .unwrap();
            }
            let begun = Instant::now();
            let counted = format!("BEGIN; {usage_migration} COMMIT;");
            c.execute(sqlx::raw_sql(AssertSqlSafe(counted)))
                .await
                .unwrap();
            counting += begun.elapsed();
            c.execute(sqlx::raw_sql(MONTHLY_TOTALS)).await.unwrap();
            c.execute(sqlx::raw_sql(settled)).await.unwrap();
            c.close().await.unwrap();
        }};
    }
    match kind {
        Kind::Sqlite => run!(sqlx::SqliteConnection::connect(url).await.unwrap()),
        Kind::Postgres => run!(sqlx::PgConnection::connect(url).await.unwrap()),
    }
    counting
}

/// Digits of ids.
const DIGITS: &str = "0123456789abcdefghjkmnpqrstvwxyz";
/// Characters that carry the milliseconds of an id's creation, five bits each.
const TIME_DIGITS: u32 = 10;

/// When the job at `place` of `jobs` was made, in microseconds: evenly over two years, but at most a day
/// apart.
fn created_at(place: u64, jobs: u64) -> i64 {
    let now = NOW.parse::<Timestamp>().unwrap().micros();
    now - i64::try_from((jobs - place) * apart(jobs)).unwrap()
}

fn apart(jobs: u64) -> u64 {
    (2 * 365 * 86_400 * 1_000_000 / jobs).min(86_400 * 1_000_000)
}

/// The id of the job at `place`. It begins with its time, as every id does: lists look for the jobs of the
/// last month by it.
fn job_id(place: u64, jobs: u64) -> String {
    let ms = created_at(place, jobs) / 1000;
    let digits = (0..TIME_DIGITS).rev().map(|n| {
        let digit = usize::try_from((ms >> (5 * n)) & 31).unwrap();
        char::from(DIGITS.as_bytes()[digit])
    });
    format!("job_{}{place:016}", digits.collect::<String>())
}

/// The same in SQL, where `created` is in microseconds and `padded` the place with sixteen digits.
fn id_sql(created: &str, padded: &str) -> String {
    let digits = (0..TIME_DIGITS).rev().map(|n| {
        format!(
            "substr('{DIGITS}', CAST((({created} / 1000) >> {}) & 31 AS INTEGER) + 1, 1)",
            5 * n
        )
    });
    format!(
        "'job_' || {} || {padded}",
        digits.collect::<Vec<_>>().join(" || ")
    )
}

/// Ended jobs of four types and four keys, spread evenly over two years, but at most a day apart: so
/// this month has as many lines in both databases, and the number of jobs is what differs.
fn jobs_statement(kind: Kind, jobs: u64) -> String {
    let now = NOW.parse::<Timestamp>().unwrap().micros();
    let apart = apart(jobs);
    let created = format!("({now} - ({jobs} - i) * {apart})");
    let (time, padded, seed, no): (fn(String) -> String, _, _, _) = match kind {
        Kind::Sqlite => (|micros| micros, "printf('%016d', i)", "X'07'", "0"),
        Kind::Postgres => (
            |micros| format!("to_timestamp({micros} / 1000000.0)"),
            "lpad(CAST(i AS TEXT), 16, '0')",
            "CAST('\\x07' AS BYTEA)",
            "FALSE",
        ),
    };
    let id = id_sql(&created, padded);
    let later = |seconds: u64| time(format!("({created} + {})", seconds * 1_000_000));
    let usage = r#"{"tokens":{"input":1000,"cached_input":100,"cache_write":10,"output":200,"reasoning":50},"cost":2500,"backend_requests":3,"backend_runtime_ms":4000,"connector_requests":53,"connector_bytes":65000}"#;
    let text = "A sentence of a result, as long as most are. ".repeat(10);
    format!(
        "WITH RECURSIVE n (i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < {jobs} - 1), \
         k (id, place) AS (SELECT id, ROW_NUMBER() OVER (ORDER BY id) - 1 FROM api_keys) \
         INSERT INTO jobs (id, project_id, organization_id, key_id, type, status, progress, input, pins, seed, result, \
         error, usage, reserved, cost_cap, created_at, expires_at, started_at, finished_at, cancel_requested, attempts, \
         fence) \
         SELECT {id}, p.id, p.organization_id, k.id, \
         CASE i % 4 WHEN 0 THEN 'brands' WHEN 1 THEN 'documents' WHEN 2 THEN 'message_templates' ELSE 'playbooks' END, \
         CASE i % 20 WHEN 0 THEN 'failed' ELSE 'succeeded' END, 100, \
         '{{\"target_company_domain\":\"example.com\"}}', '{{\"backend\":\"playbook\"}}', {seed}, \
         CASE i % 20 WHEN 0 THEN NULL ELSE '{{\"business_summary\":\"{text}\"}}' END, \
         CASE i % 20 WHEN 0 THEN '{{\"code\":\"source_fetch_failed\",\"message\":\"No.\"}}' ELSE NULL END, \
         '{usage}', 0, 1000000, {}, {}, {}, {}, {no}, 1, 1 \
         FROM n JOIN k ON k.place = i / 4 % 4 CROSS JOIN projects p",
        later(0),
        later(30 * 86_400),
        later(1),
        later(61),
    )
}

const USAGE_ROWS: &str = "INSERT INTO usage_rows (job_id, project_id, organization_id, key_id, type, status, \
    input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, backend_requests, \
    backend_runtime_ms, connector_requests, connector_bytes, cost, at) \
    SELECT id, project_id, organization_id, key_id, type, status, 1000, 100, 10, 200, 50, 3, 4000, 53, 65000, 2500, \
    finished_at FROM jobs";

fn cost_rows(seq: u64, connector: &str, requests: u64, bytes: u64, cost: u64) -> String {
    let tokens = if cost > 0 {
        "1000, 100, 10, 200, 50"
    } else {
        "0, 0, 0, 0, 0"
    };
    format!(
        "INSERT INTO cost_rows (job_id, seq, project_id, organization_id, capability, connector, input_tokens, \
         cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, connector_requests, \
         connector_bytes, cost, reconcile, at) \
         SELECT id, {seq}, project_id, organization_id, 'call', '{connector}', {tokens}, {requests}, {bytes}, {cost}, \
         cancel_requested, finished_at FROM jobs"
    )
}

/// The sums that limits are checked against, of which a read of usage shows those of this month.
const MONTHLY_TOTALS: &str = "INSERT INTO monthly_totals (scope_id, month, scope, settled, jobs) \
    SELECT project_id, month, 'project', SUM(cost), SUM(created) FROM usage_months GROUP BY 1, 2; \
    INSERT INTO monthly_totals (scope_id, month, scope, settled, jobs) \
    SELECT key_id, month, 'key', SUM(cost), SUM(created) FROM usage_months GROUP BY 1, 2; \
    INSERT INTO monthly_totals (scope_id, month, scope, settled, jobs) \
    SELECT p.organization_id, month, 'organization', SUM(cost), SUM(created) \
    FROM usage_months JOIN projects p ON p.id = project_id GROUP BY 1, 2;";

async fn compare(kind: Kind, few: &Filled, many: &Filled, measured: bool) {
    let month = Month::of(NOW.parse().unwrap());
    let (totals, _) = many.store.usage(&many.scope, month, true).await.unwrap();
    assert!(
        totals.totals.jobs.created > many.jobs / 40,
        "the sums are filled: {totals:?}"
    );
    println!(
        "{:<26}{:>14}{:>10}{:>18}{:>10}{:>12}{:>11}",
        format!("{}, µs", name(kind)),
        format!("p50 of {}", few.jobs),
        "p99",
        format!("p50 of {}", many.jobs),
        "p99",
        "p50 ratio",
        "p99 ratio"
    );
    let (warm_up, rounds, reads) = if measured {
        (WARM_UP, ROUNDS, READS)
    } else {
        (1, 1, 10)
    };
    for read in [Read::Usage, Read::Job, Read::Page] {
        for n in 0..warm_up {
            once(few, read, n).await;
            once(many, read, n).await;
        }
        let (mut small, mut large) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            let (mut of_few, mut of_many) = (Vec::new(), Vec::new());
            // Turn and turn about, so that a disturbance falls on both alike.
            for n in 0..reads {
                let n = round * reads + n;
                of_few.push(once(few, read, n).await);
                of_many.push(once(many, read, n).await);
            }
            small.push(percentiles(of_few));
            large.push(percentiles(of_many));
        }
        let (small, large) = (quietest(&small), quietest(&large));
        println!(
            "{:<26}{:>14.1}{:>10.1}{:>18.1}{:>10.1}{:>12.2}{:>11.2}",
            read.name(),
            small.0,
            small.1,
            large.0,
            large.1,
            large.0 / small.0,
            large.1 / small.1
        );
    }
}

/// The least median and the least 99th percentile of any round.
fn quietest(rounds: &[(f64, f64)]) -> (f64, f64) {
    let least = |of: fn(&(f64, f64)) -> f64| rounds.iter().map(of).fold(f64::INFINITY, f64::min);
    (least(|round| round.0), least(|round| round.1))
}

#[derive(Clone, Copy)]
enum Read {
    Usage,
    Job,
    Page,
}

impl Read {
    const fn name(self) -> &'static str {
        match self {
            Self::Usage => "usage, all breakdowns",
            Self::Job => "one job",
            Self::Page => "the newest 20 jobs",
        }
    }
}

/// One read, in microseconds.
async fn once(filled: &Filled, read: Read, n: usize) -> f64 {
    let (store, scope) = (&filled.store, &filled.scope);
    // A multiplier without common divisors leads all over the table.
    let place = (n as u64).wrapping_mul(7_368_787) % filled.jobs;
    let id: JobId = job_id(place, filled.jobs).parse().unwrap();
    let month = Month::of(NOW.parse().unwrap());
    let begun = Instant::now();
    match read {
        Read::Usage => drop(store.usage(scope, month, true).await.unwrap()),
        Read::Job => assert!(store.get_job(scope, id).await.unwrap().is_some()),
        Read::Page => {
            let filter = JobFilter {
                limit: 20,
                ..JobFilter::default()
            };
            assert_eq!(store.list_jobs(scope, &filter).await.unwrap().len(), 20);
        }
    }
    begun.elapsed().as_secs_f64() * 1e6
}

/// Median and 99th percentile.
fn percentiles(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 99 / 100])
}
