//! A database filled by an earlier gtm is brought up to date, and its money stays in order.

use gtm_domain::{MicroUsd, OrganizationId};
use gtm_store::{KeyRing, Store, StoreConfig};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{Connection, SqlSafeStr};

use crate::world::World;

on_both_engines!(money_is_counted_from_what_is_there);

macro_rules! before_money {
    ($engine:literal) => {
        Migrator::with_migrations(
            [
                (
                    1,
                    "foundation",
                    include_str!(concat!(
                        "../../../../migrations/",
                        $engine,
                        "/0001_foundation.sql"
                    )),
                ),
                (
                    2,
                    "standing",
                    include_str!(concat!(
                        "../../../../migrations/",
                        $engine,
                        "/0002_standing.sql"
                    )),
                ),
            ]
            .into_iter()
            .map(|(version, name, sql)| {
                let sql = sql.into_sql_str();
                Migration::new(version, name.into(), MigrationType::Simple, sql, false)
            })
            .collect(),
        )
    };
}

const ORGANIZATION: &str = "org_01jz8p0z1b2c3d4e5f6g7h8j9k";
const PROJECT: &str = "prj_01jz8p0a1b2c3d4e5f6g7h8j9k";
const KEY: &str = "key_01jz8p0a1b2c3d4e5f6g7h8j9k";
const ENDED: &str = "job_01jz8p0a1b2c3d4e5f6g7h8j9k";
const OPEN: &str = "job_01jz8p0a1b2c3d4e5f6g7h8j9m";

/// Rows of one ended job that cost 70 and of one open job with 100 reserved.
fn rows(postgres: bool) -> Vec<String> {
    let time = |text: &str| {
        let at: gtm_domain::Timestamp = text.parse().unwrap();
        if postgres {
            format!("'{text}'")
        } else {
            at.micros().to_string()
        }
    };
    let (bytes, no) = if postgres {
        ("'\\x07'", "false")
    } else {
        ("x'07'", "0")
    };
    let (october, november) = (time("2026-10-31T23:59:59Z"), time("2026-11-01T00:00:01Z"));
    let job = |id: &str| {
        format!(
            "INSERT INTO jobs (id, project_id, organization_id, key_id, type, status, progress, input, pins, seed, \
             reserved, cost_cap, created_at, expires_at, cancel_requested, attempts, fence) VALUES \
             ('{id}', '{PROJECT}', '{ORGANIZATION}', '{KEY}', 'playbooks', 'queued', 0, '{{}}', '{{}}', {bytes}, \
             100, 100, {october}, {november}, {no}, 0, 0)"
        )
    };
    let transaction = |id: &str, job: &str, kind: &str| {
        format!(
            "INSERT INTO ledger_transactions (id, organization_id, project_id, job_id, kind, at) VALUES \
             ('{id}', '{ORGANIZATION}', '{PROJECT}', '{job}', '{kind}', {october})"
        )
    };
    let entries = |id: &str, of: &[(&str, i64)]| {
        let values: Vec<String> = of
            .iter()
            .map(|(account, amount)| format!("('{id}', '{account}', '{PROJECT}', {amount})"))
            .collect();
        format!(
            "INSERT INTO ledger_entries (transaction_id, account, project_id, amount) VALUES {}",
            values.join(", ")
        )
    };
    let (credit, reserved) = (
        format!("{ORGANIZATION}:credit"),
        format!("{ORGANIZATION}:reserved"),
    );
    let set_aside = [(credit.as_str(), -100), (reserved.as_str(), 100)];
    let charge = [
        (reserved.as_str(), -100),
        (credit.as_str(), 30),
        ("platform:revenue", 70),
    ];
    let (a, b, c) = (
        "ltx_01jz8p0a1b2c3d4e5f6g7h8j9k",
        "ltx_01jz8p0a1b2c3d4e5f6g7h8j9m",
        "ltx_01jz8p0a1b2c3d4e5f6g7h8j9n",
    );
    vec![
        format!(
            "INSERT INTO organizations (id, name, created_at) VALUES ('{ORGANIZATION}', 'Old', {october})"
        ),
        format!(
            "INSERT INTO projects (id, organization_id, name, created_at) VALUES ('{PROJECT}', '{ORGANIZATION}', 'main', {october})"
        ),
        format!(
            "INSERT INTO api_keys (id, public_id, project_id, name, pepper_id, mac, last4, permissions, created_at) \
             VALUES ('{KEY}', 'k', '{PROJECT}', 'k', 'p', {bytes}, 'abcd', '[]', {october})"
        ),
        job(ENDED),
        job(OPEN),
        transaction(a, ENDED, "reservation"),
        entries(a, &set_aside),
        transaction(b, OPEN, "reservation"),
        entries(b, &set_aside),
        format!(
            "UPDATE jobs SET status = 'canceled', finished_at = {november} WHERE id = '{ENDED}'"
        ),
        format!(
            "INSERT INTO usage_rows VALUES ('{ENDED}', '{PROJECT}', '{ORGANIZATION}', '{KEY}', 'playbooks', 'canceled', \
             0, 0, 0, 0, 0, 0, 0, 0, 0, 70, {november})"
        ),
        format!(
            "INSERT INTO cost_rows VALUES ('{ENDED}', 0, '{PROJECT}', '{ORGANIZATION}', 'web.fetch', NULL, NULL, \
             0, 0, 0, 0, 0, 0, 0, 70, {no}, {november})"
        ),
        transaction(c, ENDED, "settlement"),
        entries(c, &charge),
    ]
}

/// Replaces the world's database with one of an earlier schema version. The caller must reopen the store.
pub async fn old_database(
    world: &mut World,
    sqlite: Migrator,
    postgres: Migrator,
) -> tempfile::TempDir {
    world.store.close().await;
    let old = tempfile::tempdir().unwrap();
    if world.is_postgres() {
        world.raw("DROP OWNED BY CURRENT_USER").await.unwrap();
        world
            .raw("CREATE SCHEMA IF NOT EXISTS public")
            .await
            .unwrap();
        let mut connection = sqlx::PgConnection::connect(&world.config.database_url)
            .await
            .unwrap();
        postgres
            .run_direct(None, &mut connection, false)
            .await
            .unwrap();
    } else {
        world.config = StoreConfig::in_data_dir(old.path());
        let path = old.path().join("gtm.db");
        std::fs::write(&path, "").unwrap();
        let mut connection = sqlx::SqliteConnection::connect(&world.config.database_url)
            .await
            .unwrap();
        sqlite
            .run_direct(None, &mut connection, false)
            .await
            .unwrap();
    }
    old
}

async fn money_is_counted_from_what_is_there(mut world: World) {
    let sqlite = before_money!("sqlite");
    let _old = old_database(&mut world, sqlite, before_money!("postgres")).await;
    for sql in rows(world.is_postgres()) {
        world
            .raw(&sql)
            .await
            .unwrap_or_else(|e| panic!("{e}: {sql}"));
    }
    let keys = KeyRing::from_dir(world.dir.path()).unwrap();
    world.store = Store::connect(&world.config, keys, world.clock.clone())
        .await
        .unwrap();
    let report = world.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
    assert_eq!(report.transactions, 3);
    let audit = world.store.verify_audit(&[]).await.unwrap();
    assert!(audit.is_sound(), "{audit:?}");
    assert_eq!(
        (audit.chains, audit.entries),
        (2, 2),
        "the organization is older than the log: its chain begins now, as the platform's does"
    );
    let organization: OrganizationId = ORGANIZATION.parse().unwrap();
    let operator = world.store.operator();
    let statement = operator.credit_statement(organization).await.unwrap();
    let usd = MicroUsd::from_micros;
    assert_eq!(
        (
            statement.granted,
            statement.charged,
            statement.reserved,
            statement.balance
        ),
        (usd(0), usd(70), usd(100), usd(-170))
    );
    let months = "SELECT COUNT(*) FROM monthly_totals WHERE (month = '2026-10' AND jobs = 2 AND settled = 0) \
        OR (month = '2026-11' AND jobs = 0 AND settled = 70)";
    assert_eq!(world.number(months).await, 6, "three scopes, two months");
    operator
        .grant_credit(organization, usd(500), None)
        .await
        .unwrap();
    operator.cancel_job(OPEN.parse().unwrap()).await.unwrap();
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
    for sql in [
        "UPDATE ledger_entries SET amount = amount + 1",
        "DELETE FROM ledger_transactions",
        "INSERT INTO ledger_entries (transaction_id, account, amount) VALUES ('none', 'x', 0)",
    ] {
        assert!(world.raw(sql).await.is_err(), "{sql}");
    }
}
