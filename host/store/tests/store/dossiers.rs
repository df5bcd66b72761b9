//! Company dossier specifications: stored unchanged for ever, without side effects, and as idempotent as
//! jobs.

use std::time::Duration;

use bytes::Bytes;
use gtm_domain::dossier::{
    CollectionBudgets, ConnectorRevision, DossierPlan, DossierSection, DossierSpecification,
    Purpose, PurposeCode, TargetCompany, specification_hash,
};
use gtm_domain::idempotency::{Create, StoredAnswer};
use gtm_domain::job::CreateJob;
use gtm_domain::{Digest, DossierSpecificationId, MicroUsd};
use gtm_store::{DossierSpecificationPage, NewDossierSpecification, uuid_v7};
use sqlx::{AssertSqlSafe, Connection, Executor};

use crate::private_postgres;
use crate::world::{Tenant, World};

on_both_engines!(
    it_stays_as_it_was_made,
    nobody_changes_or_removes_one,
    nothing_else_is_written,
    one_key_makes_one,
    a_key_belongs_to_one_operation,
    a_key_is_free_after_24_hours,
    pages_go_from_new_to_old_and_hold_nothing_of_others,
    a_foreign_one_is_absent,
);

fn new(world: &World, tenant: &Tenant) -> NewDossierSpecification {
    let plan = DossierPlan {
        target_company: TargetCompany {
            name: Some("Acme".to_owned()),
            domain: None,
        },
        connector_revision: ConnectorRevision {
            connector_key: "web-fetch".to_owned(),
            manifest_version: "1.0.0".to_owned(),
            manifest_digest: Digest::of(b"manifest"),
            component_digest: None,
        },
        requested_sections: vec![DossierSection::News, DossierSection::Risk],
        collection_budgets: CollectionBudgets {
            max_requests: 1,
            max_bytes: 2,
            max_sources: 3,
            max_duration_seconds: 4,
            max_cost_usd: MicroUsd::from_micros(100_001),
        },
        purpose: Purpose {
            code: PurposeCode::MarketResearch,
            statement: "To know.".to_owned(),
        },
        policy_version: "1".to_owned(),
        external_ref: Some("crm-7".to_owned()),
    };
    let id = DossierSpecificationId::from_uuid(uuid_v7(world.now()));
    let specification = DossierSpecification {
        id,
        project: tenant.project,
        specification_hash: specification_hash(tenant.project, &plan).unwrap(),
        plan,
        created_at: world.now(),
        created_by: tenant.key,
    };
    let response = StoredAnswer {
        head: format!("frozen {id}"),
        body: Bytes::from(id.to_string()),
    };
    NewDossierSpecification {
        specification,
        response,
    }
}

async fn create(world: &World, tenant: &Tenant) -> DossierSpecification {
    let new = new(world, tenant);
    let made = world
        .store
        .create_dossier_specification(&tenant.scope, new, None)
        .await;
    match made.unwrap() {
        Create::Created(specification) => specification,
        other => panic!("{other:?}"),
    }
}

async fn it_stays_as_it_was_made(world: World) {
    let mut world = world;
    let tenant = world.tenant().await;
    let asked = new(&world, &tenant);
    let made = world
        .store
        .create_dossier_specification(&tenant.scope, asked.clone(), None)
        .await
        .unwrap();
    assert_eq!(made, Create::Created(asked.specification.clone()));
    world.reopen().await;
    world.clock.advance(Duration::from_secs(365 * 24 * 3600));
    world.store.sweep().await.unwrap();
    let id = asked.specification.id;
    let read = world
        .store
        .get_dossier_specification(&tenant.scope, id)
        .await;
    assert_eq!(read.unwrap(), Some(asked.specification));
    let recorded = format!(
        "SELECT COUNT(*) FROM audit_log WHERE action = 'company_dossier_specification.created' \
         AND actor_id = '{}' AND resource_id = '{id}'",
        tenant.key
    );
    assert_eq!(world.number(&recorded).await, 1);
}

async fn nobody_changes_or_removes_one(world: World) {
    let tenant = world.tenant().await;
    create(&world, &tenant).await;
    for change in [
        "UPDATE company_dossier_specifications SET plan = '{}'",
        "UPDATE company_dossier_specifications SET id = id",
        "DELETE FROM company_dossier_specifications",
    ] {
        let result = world.raw(change).await;
        assert!(
            result.unwrap_err().to_string().contains("immutable"),
            "{change}"
        );
    }
}

/// Only the tables of specifications, idempotency keys and the audit log may change; all others keep their
/// rows.
async fn nothing_else_is_written(world: World) {
    let tenant = world.tenant().await;
    // Existing rows must stay too.
    let job = world.running(&tenant).await;
    world.step(&job.lease, 0, 5).await.unwrap();
    const TABLES: [&str; 9] = [
        "jobs",
        "job_steps",
        "receipts",
        "job_events",
        "cost_rows",
        "usage_rows",
        "ledger_transactions",
        "ledger_entries",
        "blob_references",
    ];
    let mut counts = Vec::new();
    for table in TABLES {
        counts.push(world.number(&format!("SELECT COUNT(*) FROM {table}")).await);
    }
    assert!(counts[0] > 0 && counts[1] > 0 && counts[4] > 0);
    let ledger = world.store.verify_ledger().await.unwrap();
    for n in 0..5 {
        let claim = world.idempotency(&tenant.scope, &n.to_string(), "input");
        world
            .store
            .create_dossier_specification(&tenant.scope, new(&world, &tenant), Some(claim))
            .await
            .unwrap();
    }
    for (table, before) in TABLES.into_iter().zip(counts) {
        let after = world.number(&format!("SELECT COUNT(*) FROM {table}")).await;
        assert_eq!(after, before, "{table}");
    }
    let after = world.store.verify_ledger().await.unwrap();
    assert_eq!(format!("{after:?}"), format!("{ledger:?}"));
    assert!(world.claim(10).await.is_empty(), "nothing to work on");
}

async fn one_key_makes_one(world: World) {
    let tenant = world.tenant().await;
    let other = world.another_node().await;
    let claim = world.idempotency(&tenant.scope, "k", "input");
    let mut tasks = Vec::new();
    for n in 0..100 {
        let store = [&world.store, &other][n % 2].clone();
        let (scope, new) = (tenant.scope.clone(), new(&world, &tenant));
        tasks.push(tokio::spawn(async move {
            store
                .create_dossier_specification(&scope, new, Some(claim))
                .await
                .unwrap()
        }));
    }
    let (mut created, mut replayed) = (Vec::new(), Vec::new());
    for task in tasks {
        match task.await.unwrap() {
            Create::Created(made) => created.push(made.id.to_string()),
            Create::Replayed(response) => {
                assert!(response.head.starts_with("frozen dsp_"));
                replayed.push(response.body);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((created.len(), replayed.len()), (1, 99));
    assert!(replayed.iter().all(|body| **body == *created[0].as_bytes()));
    let rows = "SELECT COUNT(*) FROM company_dossier_specifications";
    assert_eq!(world.number(rows).await, 1);
    let audited =
        "SELECT COUNT(*) FROM audit_log WHERE action = 'company_dossier_specification.created'";
    assert_eq!(
        world.number(audited).await,
        1,
        "what was given up is not recorded"
    );
}

async fn a_key_belongs_to_one_operation(world: World) {
    let tenant = world.tenant().await;
    let (job, dossier) = (
        world.idempotency(&tenant.scope, "k", "POST /v1/playbooks"),
        world.idempotency(
            &tenant.scope,
            "k",
            "POST /v1/company-dossier-specifications",
        ),
    );
    let made = world
        .store
        .create_job(&tenant.scope, world.new_job(), Some(job))
        .await;
    assert!(matches!(made.unwrap(), CreateJob::Created(_)));
    let made = world
        .store
        .create_dossier_specification(&tenant.scope, new(&world, &tenant), Some(dossier))
        .await;
    assert_eq!(made.unwrap(), Create::KeyReused);
}

async fn a_key_is_free_after_24_hours(world: World) {
    let tenant = world.tenant().await;
    let claim = world.idempotency(&tenant.scope, "k", "input");
    let again = async || {
        world
            .store
            .create_dossier_specification(&tenant.scope, new(&world, &tenant), Some(claim))
            .await
            .unwrap()
    };
    assert!(matches!(again().await, Create::Created(_)));
    world.clock.advance(Duration::from_secs(24 * 3600 - 1));
    assert!(matches!(again().await, Create::Replayed(_)));
    world.clock.advance(Duration::from_secs(1));
    assert_eq!(world.store.sweep().await.unwrap().idempotency, 1);
    assert!(matches!(again().await, Create::Created(_)));
}

async fn pages_go_from_new_to_old_and_hold_nothing_of_others(world: World) {
    let tenant = world.tenant().await;
    let neighbour = world.tenant_in(tenant.organization).await;
    let mut made = Vec::new();
    for n in 0..7 {
        create(&world, &neighbour).await;
        made.push(create(&world, &tenant).await.id);
        if n % 2 == 0 {
            world.clock.advance(Duration::from_millis(1));
        }
    }
    made.sort_by(|a, b| b.cmp(a));
    let (mut seen, mut before) = (Vec::new(), None);
    loop {
        let page = DossierSpecificationPage { before, limit: 3 };
        let rows = world
            .store
            .list_dossier_specifications(&tenant.scope, page)
            .await
            .unwrap();
        let Some(last) = rows.last() else { break };
        before = Some(last.id);
        seen.extend(rows.into_iter().map(|row| row.id));
    }
    assert_eq!(seen, made);
}

async fn a_foreign_one_is_absent(world: World) {
    let owner = world.tenant().await;
    let stranger = world.tenant_in(owner.organization).await;
    let id = create(&world, &owner).await.id;
    let read = world
        .store
        .get_dossier_specification(&stranger.scope, id)
        .await;
    assert_eq!(read.unwrap(), None);
    let page = DossierSpecificationPage {
        before: None,
        limit: 10,
    };
    let rows = world
        .store
        .list_dossier_specifications(&stranger.scope, page)
        .await;
    assert_eq!(rows.unwrap(), []);
}

/// An organization with a job whose idempotency key is stored, as the first release wrote them.
const FIRST_RELEASE: [&str; 5] = [
    "INSERT INTO organizations (id, name, created_at) VALUES ('org_1', 'Acme', TIME)",
    "INSERT INTO projects (id, organization_id, name, created_at) VALUES ('prj_1', 'org_1', 'main', TIME)",
    "INSERT INTO api_keys (id, public_id, project_id, name, pepper_id, mac, last4, permissions, created_at) \
     VALUES ('key_1', 'p', 'prj_1', 'k', 'p', BYTES, 'last', '[]', TIME)",
    "INSERT INTO jobs (id, project_id, organization_id, key_id, type, status, progress, input, pins, seed, reserved, \
     cost_cap, created_at, expires_at, cancel_requested, attempts, fence) VALUES ('job_1', 'prj_1', 'org_1', 'key_1', \
     'playbooks', 'queued', 0, '{}', '{}', BYTES, 0, 0, TIME, TIME, FALSE, 0, 0)",
    "INSERT INTO idempotency (project_id, key_hmac, fingerprint, job_id, status, headers, body, expires_at) \
     VALUES ('prj_1', BYTES, 'sha256:x', 'job_1', 202, '[[\"location\", \"/v1/jobs/job_1\"]]', BYTES, TIME)",
];
const KEPT: &str = "SELECT head FROM idempotency WHERE resource = 'job_1'";

/// The form in which the API writes the heads of answers.
fn assert_is_the_answer(head: &str) {
    let head: serde_json::Value = serde_json::from_str(head).unwrap();
    let headers = serde_json::json!([["location", "/v1/jobs/job_1"]]);
    assert_eq!(head, serde_json::json!({"status": 202, "headers": headers}));
}

#[tokio::test]
async fn keys_of_the_first_release_are_kept_on_sqlite() {
    let mut connection = sqlx::SqliteConnection::connect("sqlite::memory:")
        .await
        .unwrap();
    for migration in [
        include_str!("../../../../migrations/sqlite/0001_foundation.sql"),
        include_str!("../../../../migrations/sqlite/0002_standing.sql"),
    ] {
        connection.execute(migration).await.unwrap();
    }
    for sql in FIRST_RELEASE {
        let sql = sql.replace("TIME", "1").replace("BYTES", "x'00'");
        connection.execute(AssertSqlSafe(sql)).await.unwrap();
    }
    for migration in [
        include_str!("../../../../migrations/sqlite/0007_dossier_specifications.sql"),
        include_str!("../../../../migrations/sqlite/0024_opaque_answers.sql"),
    ] {
        connection.execute(migration).await.unwrap();
    }
    let kept: String = sqlx::query_scalar(KEPT)
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_is_the_answer(&kept);
}

#[tokio::test]
async fn keys_of_the_first_release_are_kept_on_postgres() {
    let Some(database) = private_postgres::database("keys_of_the_first_release") else {
        return;
    };
    let mut connection = sqlx::PgConnection::connect(database.url()).await.unwrap();
    for migration in [
        "SELECT set_config('gtm.project', '*', false)",
        include_str!("../../../../migrations/postgres/0001_foundation.sql"),
        include_str!("../../../../migrations/postgres/0002_standing.sql"),
    ] {
        sqlx::raw_sql(migration)
            .execute(&mut connection)
            .await
            .unwrap();
    }
    for sql in FIRST_RELEASE {
        let sql = sql.replace("TIME", "now()").replace("BYTES", "'\\x00'");
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&mut connection)
            .await
            .unwrap();
    }
    for migration in [
        include_str!("../../../../migrations/postgres/0007_dossier_specifications.sql"),
        include_str!("../../../../migrations/postgres/0024_opaque_answers.sql"),
    ] {
        sqlx::raw_sql(migration)
            .execute(&mut connection)
            .await
            .unwrap();
    }
    let kept: String = sqlx::query_scalar(KEPT)
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_is_the_answer(&kept);
}
