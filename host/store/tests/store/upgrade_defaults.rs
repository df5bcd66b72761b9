//! A database from before migration 0016: defaults without a guideline become wishes, and start URLs move
//! from the backends' settings to rows of their own.

use gtm_domain::{BindingId, Digest, Timestamp};
use gtm_store::{KeyRing, Store, StoreConfig};
use serde_json::json;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{Connection, SqlSafeStr};

use crate::world::World;

on_both_engines!(defaults_and_start_urls_are_carried_over);

macro_rules! until_0013 {
    ($engine:literal: $($version:literal $name:literal;)*) => {
        Migrator::with_migrations(vec![$(Migration::new(
            $version,
            $name.into(),
            MigrationType::Simple,
            include_str!(concat!("../../../../migrations/", $engine, "/", $name, ".sql")).into_sql_str(),
            false,
        ),)*])
    };
    ($engine:literal) => {
        until_0013! { $engine:
            1 "0001_foundation"; 2 "0002_standing"; 3 "0003_money"; 4 "0004_usage"; 5 "0005_access";
            6 "0006_connections"; 7 "0007_dossier_specifications"; 9 "0009_ended_jobs";
            10 "0010_key_addresses"; 11 "0011_chains_and_reconciliation"; 12 "0012_brands";
            13 "0013_reviewed_guidelines";
        }
    };
}

const ORGANIZATION: &str = "org_01jz8p0z1b2c3d4e5f6g7h8j9k";
const OTHER: &str = "org_01jz8p0z1b2c3d4e5f6g7h8j9m";
const PROJECT: &str = "prj_01jz8p0a1b2c3d4e5f6g7h8j9k";
const KEY: &str = "key_01jz8p0a1b2c3d4e5f6g7h8j9k";
const READY: &str = "brd_01jz8p0a1b2c3d4e5f6g7h8j9k";
const WAITING: &str = "brd_01jz8p0a1b2c3d4e5f6g7h8j9m";
const JOB: &str = "job_01jz8p0a1b2c3d4e5f6g7h8j9k";
const BINDING: &str = "bnd_01jz8p0a1b2c3d4e5f6g7h8j9k";
const PLAIN: &str = "bnd_01jz8p0a1b2c3d4e5f6g7h8j9m";

/// A default brand with a guideline, a default brand without one, and two bindings.
fn rows(postgres: bool) -> Vec<String> {
    let (at, bytes, no, yes) = if postgres {
        (
            "'2026-11-01T00:00:00Z'".to_owned(),
            "'\\x07'",
            "false",
            "true",
        )
    } else {
        let at: Timestamp = "2026-11-01T00:00:00Z".parse().unwrap();
        (at.micros().to_string(), "x'07'", "0", "1")
    };
    let brand = |id: &str, organization: &str| {
        format!(
            "INSERT INTO brands (id, organization_id, key, company_name, is_default, status, research_status, \
             source_count, created_at, updated_at) VALUES \
             ('{id}', '{organization}', 'acme', 'Acme', {yes}, 'active', 'not_started', 0, {at}, {at})"
        )
    };
    let moved = |to: &str| format!("UPDATE brands SET {to} WHERE id = '{READY}'");
    let binding = |id: &str, capability: &str, settings: &serde_json::Value| {
        format!(
            "INSERT INTO bindings (id, level, scope_id, capability, backend_key, settings, created_at, updated_at) \
             VALUES ('{id}', 'platform', '', '{capability}', 'playbook', '{settings}', {at}, {at})"
        )
    };
    let mut rows: Vec<String> = [ORGANIZATION, OTHER]
        .map(|id| {
            format!(
                "INSERT INTO organizations (id, name, created_at) VALUES ('{id}', '{id}', {at})"
            )
        })
        .into();
    rows.extend([
        format!(
            "INSERT INTO projects (id, organization_id, name, created_at) VALUES ('{PROJECT}', '{ORGANIZATION}', 'main', {at})"
        ),
        format!(
            "INSERT INTO api_keys (id, public_id, project_id, name, pepper_id, mac, last4, permissions, created_at) \
             VALUES ('{KEY}', 'k', '{PROJECT}', 'k', 'p', {bytes}, 'abcd', '[]', {at})"
        ),
        format!(
            "INSERT INTO jobs (id, project_id, organization_id, key_id, type, status, progress, input, pins, seed, \
             reserved, cost_cap, created_at, expires_at, cancel_requested, attempts, fence) VALUES \
             ('{JOB}', '{PROJECT}', '{ORGANIZATION}', '{KEY}', 'brands', 'queued', 0, '{{}}', '{{}}', {bytes}, \
             0, 0, {at}, {at}, {no}, 0, 0)"
        ),
        brand(READY, ORGANIZATION),
        brand(WAITING, OTHER),
        moved(&format!("research_status = 'queued', research_job_id = '{JOB}'")),
        moved("research_status = 'researching'"),
        moved("research_status = 'ready', guideline_revision = 1"),
        format!(
            "INSERT INTO brand_guidelines (brand_id, revision, organization_id, job_id, guideline_hash, schema_version, \
             generated_at, source_count, changed_pointers, document) VALUES \
             ('{READY}', 1, '{ORGANIZATION}', '{JOB}', '{}', '1.0', {at}, 0, '[]', '{{}}')",
            Digest::of(b"x")
        ),
        binding(
            BINDING,
            "playbooks",
            &json!({"max_pages": 4, "start_urls": {"Acme.example": "http://127.0.0.1:8099/", "b.example": "https://b/"}}),
        ),
        binding(PLAIN, "brands", &json!({"max_pages": 5})),
    ]);
    rows
}

async fn defaults_and_start_urls_are_carried_over(mut world: World) {
    world.store.close().await;
    let old = tempfile::tempdir().unwrap();
    if world.is_postgres() {
        world.raw("DROP OWNED BY CURRENT_USER").await.unwrap();
        world
            .raw("CREATE SCHEMA IF NOT EXISTS public")
            .await
            .unwrap();
        let url = &world.config.database_url;
        let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
        let migrated = until_0013!("postgres");
        let migrated = migrated.run_direct(None, &mut connection, false).await;
        migrated.unwrap();
    } else {
        world.config = StoreConfig::in_data_dir(old.path());
        std::fs::write(old.path().join("gtm.db"), "").unwrap();
        let url = &world.config.database_url;
        let mut connection = sqlx::SqliteConnection::connect(url).await.unwrap();
        let migrated = until_0013!("sqlite");
        let migrated = migrated.run_direct(None, &mut connection, false).await;
        migrated.unwrap();
    }
    for sql in rows(world.is_postgres()) {
        let done = world.raw(&sql).await;
        done.unwrap_or_else(|error| panic!("{error}: {sql}"));
    }
    let keys = KeyRing::from_dir(world.dir.path()).unwrap();
    world.store = Store::connect(&world.config, keys, world.clock.clone())
        .await
        .unwrap();
    let operator = world.store.operator();
    let ready = operator.show_brand(READY.parse().unwrap()).await.unwrap();
    let ready = ready.unwrap();
    assert!(ready.is_default && ready.default_wished_at.is_none());
    assert_eq!(ready.research_job, Some(JOB.parse().unwrap()));
    let guideline = operator.brand_guideline(ready.id, None).await.unwrap();
    assert_eq!(guideline.unwrap().revision.revision, 1);
    let waiting = operator.show_brand(WAITING.parse().unwrap()).await.unwrap();
    let waiting = waiting.unwrap();
    assert!(!waiting.is_default);
    assert_eq!(waiting.default_wished_at, Some(waiting.updated_at));

    let binding: BindingId = BINDING.parse().unwrap();
    let row = operator.show_binding(binding).await.unwrap().unwrap();
    assert_eq!(row.settings, json!({"max_pages": 4}));
    let held = operator.binding_start_urls(binding).await.unwrap();
    let held: Vec<(&str, &str)> = held.iter().collect();
    assert_eq!(
        held,
        [
            ("acme.example", "http://127.0.0.1:8099/"),
            ("b.example", "https://b/")
        ]
    );
    let kinds = "SELECT COUNT(*) FROM bindings WHERE plugin_kind = 'generation_backend'";
    assert_eq!(world.number(kinds).await, 2, "nothing else could be bound");
    let plain: BindingId = PLAIN.parse().unwrap();
    let row = operator.show_binding(plain).await.unwrap().unwrap();
    assert_eq!(row.settings, json!({"max_pages": 5}));
    assert!(operator.binding_start_urls(plain).await.unwrap().is_empty());
    // The foreign keys are enforced as before.
    let stray = format!(
        "INSERT INTO brand_guidelines (brand_id, revision, organization_id, job_id, guideline_hash, schema_version, \
         generated_at, source_count, changed_pointers, document) SELECT 'brd_none', 1, organization_id, job_id, \
         guideline_hash, schema_version, generated_at, source_count, changed_pointers, document \
         FROM brand_guidelines WHERE brand_id = '{READY}'"
    );
    assert!(world.raw(&stray).await.is_err());
}
