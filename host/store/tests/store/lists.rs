//! Lists of jobs: every row exactly once, however rows are added and pages read; always by an index;
//! without expired jobs. And receipts page by page.

use std::collections::BTreeSet;
use std::time::Duration;

use gtm_domain::job::{Job, ListedJob};
use gtm_domain::{JobId, JobStatus, JobType};
use gtm_store::{JobFilter, ReceiptPlace};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use sqlx::{AssertSqlSafe, Connection, Executor, Row};

use crate::job_list_sql::{self, Condition};
use crate::world::World;

on_both_engines!(
    pages_give_every_row_once,
    filters_narrow,
    created_after_is_read_in_milliseconds,
    expired_jobs_are_not_listed,
    every_filter_has_its_index,
    receipts_page_by_place,
);

/// What happens between two pages.
#[derive(Debug, Clone)]
enum Step {
    /// New jobs, all in one millisecond.
    Insert(usize),
    /// The clock advances by microseconds.
    Tick(u64),
    /// A page of this size is read.
    Page(u32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (1usize..4).prop_map(Step::Insert),
        (1u64..2500).prop_map(Step::Tick),
        (1u32..5).prop_map(Step::Page),
    ];
    proptest::collection::vec(step, 4..16)
}

async fn pages_give_every_row_once(world: World) {
    let mut runner = TestRunner::deterministic();
    for _ in 0..16 {
        let tenant = world.tenant().await;
        for step in steps().new_tree(&mut runner).unwrap().current() {
            apply(&world, &tenant, &step).await;
        }
        let at_start: BTreeSet<JobId> = all(&world, &tenant, 1000).await.into_iter().collect();
        let (mut seen, mut before) = (Vec::new(), None);
        // Rows are added while the list is read, and then no more, so that it ends.
        let mut turning = steps().new_tree(&mut runner).unwrap().current().into_iter();
        loop {
            let limit = match turning.next() {
                Some(Step::Page(limit)) => limit,
                Some(step) => {
                    apply(&world, &tenant, &step).await;
                    continue;
                }
                None => 3,
            };
            let filter = JobFilter {
                before,
                limit,
                ..JobFilter::default()
            };
            let rows = world.store.list_jobs(&tenant.scope, &filter).await.unwrap();
            if rows.is_empty() {
                break;
            }
            assert!(rows.is_sorted_by(|a, b| {
                (a.created_at.millis(), a.id) > (b.created_at.millis(), b.id)
            }));
            before = rows.last().map(|row| row.id);
            seen.extend(rows.into_iter().map(|row| row.id));
        }
        let once: BTreeSet<JobId> = seen.iter().copied().collect();
        assert_eq!(once.len(), seen.len(), "no row twice");
        assert!(once.is_superset(&at_start), "no row lost");
    }
}

async fn apply(world: &World, tenant: &crate::world::Tenant, step: &Step) {
    match step {
        Step::Insert(count) => {
            for _ in 0..*count {
                world.create(&tenant.scope).await;
            }
        }
        Step::Tick(micros) => world.clock.advance(Duration::from_micros(*micros)),
        Step::Page(_) => {}
    }
}

async fn all(world: &World, tenant: &crate::world::Tenant, limit: u32) -> Vec<JobId> {
    let filter = JobFilter {
        limit,
        ..JobFilter::default()
    };
    let rows = world.store.list_jobs(&tenant.scope, &filter).await.unwrap();
    rows.into_iter().map(|row| row.id).collect()
}

async fn filters_narrow(world: World) {
    let tenant = world.tenant().await;
    let canceled = world.create(&tenant.scope).await.id;
    world.store.operator().cancel_job(canceled).await.unwrap();
    world.clock.advance(Duration::from_millis(5));
    let mut brand = world.new_job();
    brand.job_type = JobType::Brands;
    world
        .store
        .create_job(&tenant.scope, brand.clone(), None)
        .await
        .unwrap();
    for (job_type, status, want) in [
        (None, None, vec![brand.id, canceled]),
        (Some(JobType::Brands), None, vec![brand.id]),
        (None, Some(JobStatus::Canceled), vec![canceled]),
        (
            Some(JobType::Playbooks),
            Some(JobStatus::Canceled),
            vec![canceled],
        ),
        (Some(JobType::Brands), Some(JobStatus::Canceled), vec![]),
        (Some(JobType::Documents), None, vec![]),
    ] {
        let filter = JobFilter {
            job_type,
            status,
            ..JobFilter::default()
        };
        let ids =
            |rows: Vec<gtm_domain::job::Job>| rows.into_iter().map(|r| r.id).collect::<Vec<_>>();
        let found = world.store.list_jobs(&tenant.scope, &filter).await.unwrap();
        assert_eq!(ids(found), want, "{filter:?}");
        let operator = world.store.operator();
        let found = operator
            .list_jobs(Some(tenant.project), &filter)
            .await
            .unwrap();
        let found: Vec<_> = found.iter().map(ListedJob::id).collect();
        assert_eq!(found, want);
    }
}

async fn created_after_is_read_in_milliseconds(world: World) {
    let tenant = world.tenant().await;
    world.clock.advance(Duration::from_micros(300));
    let first = world.create(&tenant.scope).await;
    world.clock.advance(Duration::from_millis(1));
    let second = world.create(&tenant.scope).await;
    let after = |created_after| JobFilter {
        created_after: Some(created_after),
        ..JobFilter::default()
    };
    let shown = gtm_domain::Timestamp::from_millis(first.created_at.millis());
    for instant in [first.created_at, shown] {
        let rows = world
            .store
            .list_jobs(&tenant.scope, &after(instant))
            .await
            .unwrap();
        assert_eq!(rows.iter().map(|r| r.id).collect::<Vec<_>>(), [second.id]);
    }
    let far = gtm_domain::Timestamp::from_micros(i64::MAX);
    assert!(
        world
            .store
            .list_jobs(&tenant.scope, &after(far))
            .await
            .unwrap()
            .is_empty()
    );
    let long_ago = gtm_domain::Timestamp::from_micros(i64::MIN);
    let rows = world
        .store
        .list_jobs(&tenant.scope, &after(long_ago))
        .await
        .unwrap();
    assert_eq!(rows.len(), 2);
}

async fn expired_jobs_are_not_listed(world: World) {
    let tenant = world.tenant().await;
    let old = world.create(&tenant.scope).await;
    world.clock.advance(Duration::from_micros(100));
    let young = world.create(&tenant.scope).await;
    world.clock.set(old.expires_at);
    assert_eq!(all(&world, &tenant, 10).await, [young.id]);
    let operator = world.store.operator();
    let rows = operator
        .list_jobs(Some(tenant.project), &JobFilter::default())
        .await
        .unwrap();
    assert_eq!(rows.len(), 2, "operators see them until they are gone");
}

/// Checks the plan of each combination of filters; those by type and status match nothing. A plan that
/// walks the table in id order must not pass unnoticed. So there are two cases: twenty projects that each
/// created a thousand jobs in a period of their own, where such a plan would read little; and a project
/// that created one job in four hundred, scattered among those of others, where it would read the whole
/// table.
async fn every_filter_has_its_index(world: World) {
    let tenant = world.tenant().await;
    for _ in 1..20 {
        world.tenant().await;
    }
    let job = world.create(&tenant.scope).await;
    let own_time = ("n % 20", "place, n");
    insert_copies(&world, &job, 1..=20_000, own_time, "id").await;
    for (conditions, index, plan) in plans(&world, &tenant).await {
        assert!(plan.contains(index), "{conditions:?}: {plan}");
        for scan in ["Seq Scan", "Sort", "SCAN jobs", "TEMP B-TREE"] {
            assert!(!plan.contains(scan), "{conditions:?}: {plan}");
        }
    }

    let scattered = world.tenant().await;
    let last = format!("(id = '{}'), id", scattered.project);
    let among_others = ("CASE WHEN n % 400 = 0 THEN 20 ELSE n % 20 END", "n");
    insert_copies(&world, &job, 20_001..=40_000, among_others, &last).await;
    for (conditions, _, plan) in plans(&world, &scattered).await {
        // For its own fifty jobs, any index that begins with the project will do, followed by a sort.
        assert!(plan.contains("jobs_of_"), "{conditions:?}: {plan}");
        for scan in ["Seq Scan", "SCAN jobs", "TEMP B-TREE"] {
            assert!(!plan.contains(scan), "{conditions:?}: {plan}");
        }
    }
}

/// Inserts copies of a job, one for each number, in the order of `order`; `place` computes from the number
/// which project, by position, owns the copy.
async fn insert_copies(
    world: &World,
    job: &Job,
    numbers: std::ops::RangeInclusive<u32>,
    (place, order): (&str, &str),
    projects: &str,
) {
    let (first, last) = (numbers.start(), numbers.end());
    let copies = if world.is_postgres() {
        format!(
            "SELECT n, 'job_' || lpad(n::text, 26, '0') AS copy FROM generate_series({first}, {last}) n"
        )
    } else {
        format!(
            "WITH RECURSIVE c(n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM c WHERE n < {last}) \
             SELECT n, 'job_' || printf('%026d', n) AS copy FROM c"
        )
    };
    let insert = format!(
        "INSERT INTO jobs (id, project_id, organization_id, key_id, type, status, progress, input, pins, seed, \
         reserved, cost_cap, created_at, expires_at, cancel_requested, attempts, fence) \
         SELECT copy, p.id, p.organization_id, key_id, type, status, progress, input, pins, seed, \
         reserved, cost_cap, j.created_at, expires_at, cancel_requested, attempts, fence FROM ({copies}) copies \
         JOIN (SELECT id, organization_id, row_number() OVER (ORDER BY {projects}) - 1 AS place FROM projects) p \
         ON place = {place} JOIN jobs j ON j.id = '{}' ORDER BY {order}",
        job.id
    );
    world.raw(&insert).await.unwrap();
    world.raw("ANALYZE jobs").await.unwrap();
}

/// The plan of each combination of filters for a project, with the index that covers them all. None reads a
/// row outside the list.
async fn plans(
    world: &World,
    tenant: &crate::world::Tenant,
) -> Vec<(&'static [Condition], &'static str, String)> {
    use Condition::{Alive, Before, ExternalRef, From, Project, Status, Type};
    const CASES: [(&[Condition], &str); 7] = [
        (&[Project, From, Alive], "jobs_of_project"),
        (&[Project, Before, From, Alive], "jobs_of_project"),
        (&[Project, Type, From, Alive], "jobs_of_type"),
        (&[Project, Status, Before, From, Alive], "jobs_of_status"),
        (
            &[Project, Type, Status, From, Alive],
            "jobs_of_type_and_status",
        ),
        (&[Project, Type, Status, Before], "jobs_of_type_and_status"),
        (&[Project, ExternalRef, From, Alive], "jobs_of_external_ref"),
    ];
    let mut plans = Vec::new();
    for (conditions, index) in CASES {
        let mut sql = job_list_sql::text(conditions);
        sql = sql.replace(&format!("${}", conditions.len() + 1), "21");
        for (number, condition) in (1..).zip(conditions) {
            let value = match condition {
                Project => format!("'{}'", tenant.project),
                Type => "'brands'".to_owned(),
                Status => "'failed'".to_owned(),
                ExternalRef => "'crm-7'".to_owned(),
                Before => "'job_7zzzzzzzzzzzzzzzzzzzzzzzzz'".to_owned(),
                From => "'job_00000000000000000000000000'".to_owned(),
                Alive if world.is_postgres() => "'2000-01-01'".to_owned(),
                Alive => "0".to_owned(),
            };
            sql = sql.replace(&format!("${number}"), &value);
        }
        let plan = plan(world, &sql).await;
        assert!(
            !plan.contains("Removed by Filter"),
            "{conditions:?}: {plan}"
        );
        plans.push((conditions, index, plan));
    }
    plans
}

async fn plan(world: &World, sql: &str) -> String {
    if world.is_postgres() {
        let mut connection = sqlx::PgConnection::connect(&world.config.database_url)
            .await
            .unwrap();
        connection
            .execute("SELECT set_config('gtm.project', '*', false)")
            .await
            .unwrap();
        let sql = AssertSqlSafe(format!("EXPLAIN (ANALYZE, TIMING OFF) {sql}"));
        let rows = connection.fetch_all(sqlx::raw_sql(sql)).await.unwrap();
        let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        lines.join("\n")
    } else {
        let mut connection = sqlx::SqliteConnection::connect(&world.config.database_url)
            .await
            .unwrap();
        let sql = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
        let rows = connection.fetch_all(sqlx::raw_sql(sql)).await.unwrap();
        let lines: Vec<String> = rows.iter().map(|row| row.get("detail")).collect();
        lines.join("\n")
    }
}

async fn receipts_page_by_place(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    for seq in 0..3u64 {
        world
            .store
            .start_step(&job.lease, crate::world::new_step(seq))
            .await
            .unwrap();
        let mut settlement = crate::world::settlement(1);
        settlement.exchanges = (0..3u8)
            .map(|n| (world.receipt(&[n]), bytes::Bytes::from(vec![n]).into()))
            .collect();
        world
            .store
            .settle_step(&job.lease, seq, settlement)
            .await
            .unwrap();
    }
    let whole = world
        .store
        .job_receipts(&tenant.scope, job.job.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(whole.len(), 9);
    for limit in [1, 2, 4, 9] {
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let page = world
                .store
                .job_receipts_page(&tenant.scope, job.job.id, after, limit)
                .await
                .unwrap()
                .unwrap();
            let Some(last) = page.last() else { break };
            after = Some(ReceiptPlace {
                seq: last.seq,
                position: last.position,
            });
            seen.extend(page);
        }
        assert_eq!(seen, whole, "pages of {limit}");
    }
}
