//! Checks how the databases answer the usage queries: by searching an index of the tables of sums, never by
//! scanning jobs. `cargo test -p gtm-store --lib usage_plans -- --nocapture` prints the plans.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

use std::sync::Arc;

use gtm_domain::clock::ManualClock;
use gtm_domain::{ProjectId, Timestamp};
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row, SqliteConnection};

use crate::sqlite::repo::usage::{BY_CONNECTOR, BY_TYPE_AND_KEY, OPEN};
use crate::{KeyRing, Store, StoreConfig};

pub(crate) use gtm_test_support::postgres as private_postgres;

/// Enough months, types and keys to make a full scan the more expensive plan.
const FILL: [&str; 2] = [
    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19999) \
     INSERT INTO usage_months (project_id, month, type, key_id, open) \
     SELECT p.id, 'm' || (i / 20), 't' || (i / 5 % 4), 'k' || (i % 5), CASE WHEN i % 4000 = 0 THEN 1 ELSE 0 END \
     FROM n, projects p",
    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) \
     INSERT INTO usage_connector_months (project_id, month, connector) \
     SELECT p.id, 'm' || (i / 10), 'c' || (i % 10) FROM n, projects p",
];

/// A query that scans jobs, to show that the check would notice.
const SCAN: &str = "SELECT SUM(cost) FROM usage_rows WHERE $1 <> $2";

async fn project(config: &StoreConfig, dir: &std::path::Path) -> ProjectId {
    let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_800_000_000_000)));
    let store = Store::connect(config, KeyRing::from_dir(dir).unwrap(), clock);
    let store = store.await.unwrap();
    let operator = store.operator();
    let organization = operator.create_organization("Acme").await.unwrap().id;
    let project = operator.create_project(organization, "main").await.unwrap();
    store.close().await;
    project.id
}

/// The statements, each with its number of parameters.
const QUERIES: [(&str, usize); 3] = [(BY_TYPE_AND_KEY, 2), (OPEN, 1), (BY_CONNECTOR, 2)];

#[tokio::test]
async fn sqlite_searches_indexes_of_sums() {
    let dir = tempfile::tempdir().unwrap();
    let config = StoreConfig::in_data_dir(dir.path());
    let project = project(&config, dir.path()).await.to_string();
    let mut c = SqliteConnection::connect(&config.database_url)
        .await
        .unwrap();
    for sql in FILL {
        sqlx::query(sql).execute(&mut c).await.unwrap();
    }
    let mut plan = async |sql: &'static str, parameters: usize| {
        let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
        let mut query = sqlx::query(explain).bind(&project);
        if parameters == 2 {
            query = query.bind("m7");
        }
        let rows = query.fetch_all(&mut c).await.unwrap();
        rows.iter()
            .map(|row| row.get::<String, _>("detail"))
            .collect::<Vec<_>>()
    };
    let searches = |step: &String| {
        step.starts_with("SEARCH usage_months USING ")
            || step.starts_with("SEARCH usage_connector_months USING ")
    };
    for (sql, parameters) in QUERIES {
        let plan = plan(sql, parameters).await;
        println!("SQLite: {sql}\n    {}", plan.join("\n    "));
        assert!(!plan.is_empty() && plan.iter().all(searches), "{plan:?}");
        let few = plan.join(" ").contains("usage_months_open");
        assert_eq!(
            few,
            sql == OPEN,
            "open jobs have an index of their own: {plan:?}"
        );
    }
    assert!(
        !plan(SCAN, 2).await.iter().all(searches),
        "the check notices a scan"
    );
}

#[tokio::test]
async fn postgres_searches_indexes_of_sums() {
    let Some(database) = private_postgres::database("postgres_searches_indexes_of_sums") else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let mut config = StoreConfig::in_data_dir(dir.path());
    config.database_url = database.url().to_owned();
    let project = project(&config, dir.path()).await.to_string();
    let mut c = PgConnection::connect(&config.database_url).await.unwrap();
    let all = "SELECT set_config('gtm.project', '*', false)";
    sqlx::query(all).execute(&mut c).await.unwrap();
    for sql in FILL.into_iter().chain(["ANALYZE"]) {
        sqlx::query(sql).execute(&mut c).await.unwrap();
    }
    let own = "SELECT set_config('gtm.project', $1, false)";
    sqlx::query(own)
        .bind(&project)
        .execute(&mut c)
        .await
        .unwrap();
    let mut plan = async |sql: &'static str, parameters: usize| {
        let explain = AssertSqlSafe(format!("EXPLAIN (COSTS OFF) {sql}"));
        let mut query = sqlx::query(explain).bind(&project);
        if parameters == 2 {
            query = query.bind("m7");
        }
        let rows = query.fetch_all(&mut c).await.unwrap();
        rows.iter()
            .map(|row| row.get::<String, _>(0))
            .collect::<Vec<_>>()
    };
    let searches = |plan: &[String]| {
        let text = plan.join("\n");
        let scans = plan.iter().filter(|step| step.contains("Scan"));
        let ours =
            |step: &String| step.contains("Index") || (step.contains("Bitmap Heap Scan on usage_"));
        text.contains("Index")
            && scans.clone().all(ours)
            && !text.contains("_rows")
            && !text.contains(" jobs")
    };
    for (sql, parameters) in QUERIES {
        let plan = plan(sql, parameters).await;
        println!("PostgreSQL: {sql}\n    {}", plan.join("\n    "));
        assert!(searches(&plan), "{plan:?}");
        let few = plan.join(" ").contains("usage_months_open");
        assert_eq!(
            few,
            sql == OPEN,
            "open jobs have an index of their own: {plan:?}"
        );
    }
    assert!(!searches(&plan(SCAN, 2).await), "the check notices a scan");
}
