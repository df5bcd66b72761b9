//! Scopes: resources of another project look exactly like resources that do not exist.

use gtm_domain::job::{Finish, JobEventNew};
use gtm_domain::{JobId, Usage};
use gtm_store::{JobFilter, uuid_v7};
use serde_json::json;
use sqlx::{Connection, Executor};

use crate::world::World;

on_both_engines!(
    a_foreign_job_is_absent,
    a_job_keeps_what_it_was_made_with,
    lists_page_by_id,
    row_level_security_holds,
    row_level_security_has_no_gaps,
    tenant_and_lease_writes_name_their_project,
);

async fn a_foreign_job_is_absent(world: World) {
    let owner = world.tenant().await;
    let stranger = world.tenant_in(owner.organization).await;
    let job = world.running(&owner).await;
    let event = JobEventNew {
        ordinal: 0,
        kind: "stage".to_owned(),
        data: json!({}),
        progress: Some(5),
    };
    world.store.emit(&job.lease, event).await.unwrap();
    let none = JobId::from_uuid(uuid_v7(world.now()));
    let store = &world.store;
    for id in [job.job.id, none] {
        assert_eq!(store.get_job(&stranger.scope, id).await.unwrap(), None);
        assert_eq!(
            store.job_events(&stranger.scope, id, 0, 10).await.unwrap(),
            None
        );
        assert_eq!(store.job_receipts(&stranger.scope, id).await.unwrap(), None);
    }
    assert!(
        store
            .list_jobs(&stranger.scope, &JobFilter::default())
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(
        store
            .job_events(&owner.scope, job.job.id, 0, 10)
            .await
            .unwrap()
            .unwrap()
            .len(),
        1
    );
    assert!(
        store
            .get_job(&owner.scope, job.job.id)
            .await
            .unwrap()
            .is_some()
    );
}

async fn a_job_keeps_what_it_was_made_with(world: World) {
    let tenant = world.tenant().await;
    let new = world.new_job();
    world
        .store
        .create_job(&tenant.scope, new.clone(), None)
        .await
        .unwrap();
    let row = world
        .store
        .get_job(&tenant.scope, new.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (row.input, row.pins, row.reserved, row.cost_cap, row.backend),
        (
            new.input,
            new.pins,
            new.expected_cost,
            new.cost_cap,
            new.backend
        )
    );
    assert_eq!(
        (row.created_at, row.key, row.organization),
        (new.created_at, tenant.key, tenant.organization)
    );
    assert_eq!(
        row.expires_at,
        new.created_at.plus(gtm_domain::job::JOB_RETENTION)
    );
    assert!(!row.expired && row.progress == 0 && row.started_at.is_none());
}

async fn lists_page_by_id(world: World) {
    let tenant = world.tenant().await;
    let mut made = Vec::new();
    for _ in 0..5 {
        world.clock.advance(std::time::Duration::from_millis(2));
        made.push(world.create(&tenant.scope).await.id);
    }
    made.reverse();
    let page = |before, limit| JobFilter {
        before,
        limit,
        ..JobFilter::default()
    };
    let ids = |rows: Vec<gtm_domain::job::Job>| rows.into_iter().map(|r| r.id).collect::<Vec<_>>();
    let first = ids(world
        .store
        .list_jobs(&tenant.scope, &page(None, 2))
        .await
        .unwrap());
    let rest = ids(world
        .store
        .list_jobs(&tenant.scope, &page(Some(first[1]), 10))
        .await
        .unwrap());
    assert_eq!([first, rest].concat(), made);
    assert_eq!(
        world
            .store
            .operator()
            .list_jobs(None, &page(None, 0))
            .await
            .unwrap()
            .len(),
        5
    );
}

/// On PostgreSQL the database itself hides other projects' rows, even from SQL that forgets to filter.
async fn row_level_security_holds(world: World) {
    if !world.is_postgres() {
        return;
    }
    let (a, b) = (world.tenant().await, world.tenant().await);
    world.create(&a.scope).await;
    world.create(&b.scope).await;
    let mut connection = sqlx::PgConnection::connect(&world.config.database_url)
        .await
        .unwrap();
    let count = "SELECT COUNT(*) FROM jobs";
    let unnamed: i64 = sqlx::query_scalar(count)
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(unnamed, 0, "who names no project sees nothing");
    let name = format!("SELECT set_config('gtm.project', '{}', false)", a.project);
    connection.execute(sqlx::AssertSqlSafe(name)).await.unwrap();
    let own: i64 = sqlx::query_scalar(count)
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(own, 1);
    let moved = sqlx::query("UPDATE jobs SET project_id = $1").bind(b.project.to_string());
    assert!(
        moved.execute(&mut connection).await.is_err(),
        "a row cannot be given to another project"
    );
}

/// Every table with tenants' rows has a policy that also binds the tables' owner. Under it, a project sees
/// only its own rows, its organization's and the platform's.
async fn row_level_security_has_no_gaps(world: World) {
    if !world.is_postgres() {
        return;
    }
    let (a, b) = (world.tenant().await, world.tenant().await);
    for tenant in [&a, &b] {
        world.create(&tenant.scope).await;
        let organization = tenant.organization.to_string();
        let project = tenant.project.to_string();
        for sql in [
            format!(
                "INSERT INTO organization_capabilities VALUES ('{organization}', 'brands', true)"
            ),
            format!(
                "INSERT INTO limits (scope_id, scope, metric, value, set_at) \
                 SELECT id, 'key', 'monthly_jobs', 5, now() FROM api_keys WHERE project_id = '{project}'"
            ),
            format!(
                "INSERT INTO limits (scope_id, scope, metric, value, set_at) \
                 VALUES ('{project}', 'project', 'monthly_jobs', 5, now()), \
                 ('{organization}', 'organization', 'monthly_jobs', 5, now())"
            ),
            format!(
                "INSERT INTO bindings (id, level, scope_id, capability, backend_key, settings, created_at, updated_at) \
                 VALUES ('p{project}', 'project', '{project}', 'x', 'x', '{{}}', now(), now()), \
                 ('o{project}', 'organization', '{organization}', 'x', 'x', '{{}}', now(), now())"
            ),
        ] {
            world.raw(&sql).await.unwrap();
        }
    }
    let platform = "INSERT INTO bindings (id, level, scope_id, capability, backend_key, settings, created_at, updated_at) \
        VALUES ('platform', 'platform', '', 'x', 'x', '{}', now(), now())";
    world.raw(platform).await.unwrap();

    let mut connection = sqlx::PgConnection::connect(&world.config.database_url)
        .await
        .unwrap();
    let unguarded = "SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
        WHERE n.nspname = 'public' AND c.relkind = 'r' AND NOT (c.relrowsecurity AND c.relforcerowsecurity) \
        AND (c.relname IN ('organizations', 'projects', 'audit_heads') OR EXISTS ( \
            SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid \
            AND a.attname IN ('project_id', 'organization_id', 'scope_id')))";
    let unguarded: Vec<String> = sqlx::query_scalar(unguarded)
        .fetch_all(&mut connection)
        .await
        .unwrap();
    assert!(unguarded.is_empty(), "{unguarded:?}");

    // Rows that a project of one of two equal tenants sees: its own, and the platform's binding.
    let expected = [
        ("projects", 1),
        ("api_keys", 1),
        ("organizations", 1),
        ("credit_balances", 1),
        ("organization_capabilities", 1),
        ("audit_heads", 1),
        ("limits", 3),
        ("monthly_totals", 3),
        ("open_reservations", 3),
        ("bindings", 3),
    ];
    for named in [false, true] {
        if named {
            let name = format!("SELECT set_config('gtm.project', '{}', false)", a.project);
            connection.execute(sqlx::AssertSqlSafe(name)).await.unwrap();
        }
        for (table, own) in expected {
            let count = format!("SELECT COUNT(*) FROM {table}");
            let seen: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(count))
                .fetch_one(&mut connection)
                .await
                .unwrap();
            assert_eq!(seen, if named { own } else { 0 }, "{table}, {named}");
        }
    }
    let widened = "UPDATE bindings SET settings = '1'";
    let changed = connection.execute(widened).await.unwrap().rows_affected();
    assert_eq!(changed, 0, "only operators write bindings");
}

/// The store's own writes for a tenant and for a lease see only that project's rows.
async fn tenant_and_lease_writes_name_their_project(world: World) {
    if !world.is_postgres() {
        return;
    }
    let tenant = world.tenant().await;
    for sql in [
        "CREATE TABLE seen (project TEXT)",
        "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         INSERT INTO seen VALUES (current_setting('gtm.project')); RETURN NULL; END $$",
        "CREATE TRIGGER note AFTER INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION note()",
        "CREATE TRIGGER note AFTER INSERT ON job_steps FOR EACH ROW EXECUTE FUNCTION note()",
        "CREATE TRIGGER note AFTER INSERT ON job_events FOR EACH ROW EXECUTE FUNCTION note()",
        "CREATE TRIGGER note AFTER INSERT ON usage_rows FOR EACH ROW EXECUTE FUNCTION note()",
    ] {
        world.raw(sql).await.unwrap();
    }
    let job = world.running(&tenant).await;
    world.step(&job.lease, 0, 1).await.unwrap();
    let event = JobEventNew {
        ordinal: 0,
        kind: "stage".to_owned(),
        data: json!({}),
        progress: None,
    };
    world.store.emit(&job.lease, event).await.unwrap();
    world
        .store
        .finish(&job.lease, Finish::Canceled, Usage::default())
        .await
        .unwrap();
    let own = format!(
        "SELECT COUNT(*) FROM seen WHERE project = '{}'",
        tenant.project
    );
    assert_eq!(world.number(&own).await, 4);
    assert_eq!(world.number("SELECT COUNT(*) FROM seen").await, 4);
}
