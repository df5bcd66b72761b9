//! Usage by month: sums that always say what a count of the single rows would say.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use gtm_domain::job::JobError;
use gtm_domain::{
    Digest, JobType, KeyRecordId, MicroUsd, Month, Permissions, Timestamp, TokenUsage, Usage,
};
use gtm_store::{
    ConnectorRef, CreateJob, Finish, JobCounts, JobRow, Lease, MonthUsage, NewJob, NewStep,
    ProjectScope, Settlement, StoreError, UsageSum,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use sqlx::Connection as _;

use crate::world::{LEASE, Tenant, World, new_step, settlement};

on_both_engines!(
    months_turn_between_creation_and_end,
    usage_of_others_never_shows,
    the_database_hides_usage_of_others,
    a_month_of_nothing_is_zero,
    absurd_counts_keep_nobody_from_ending,
    parallel_jobs_are_all_counted,
    sums_equal_a_recount,
    an_older_database_is_counted_when_it_is_opened,
);

const DAY: Duration = Duration::from_secs(86_400);

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn month(text: &str) -> Month {
    text.parse().unwrap()
}

fn succeeded() -> Finish {
    Finish::Succeeded { result: json!({}) }
}

fn consumed(tokens: u64) -> Usage {
    Usage {
        tokens: TokenUsage {
            input: tokens,
            cached_input: 1,
            cache_write: 2,
            output: 3,
            reasoning: 4,
        },
        cost: MicroUsd::ZERO,
        backend_requests: 5,
        backend_runtime_ms: 6,
        connector_requests: 1,
        connector_bytes: 10,
    }
}

/// A step that a connector of this key serves.
fn step_of(seq: u64, connector: Option<&str>) -> NewStep {
    NewStep {
        connector: connector.map(|key| ConnectorRef {
            key: key.to_owned(),
            version: "1.0.0".to_owned(),
            digest: Digest::of(key.as_bytes()),
        }),
        ..new_step(seq)
    }
}

impl World {
    async fn usage(&self, scope: &ProjectScope, month: Month) -> MonthUsage {
        self.store.usage(scope, month, true).await.unwrap().0
    }

    async fn create_of(&self, scope: &ProjectScope, job_type: JobType) -> JobRow {
        let job = NewJob {
            job_type,
            ..self.new_job()
        };
        match self.store.create_job(scope, job, None).await.unwrap() {
            CreateJob::Created(row) => *row,
            other => panic!("{other:?}"),
        }
    }

    /// What another key of the tenant's project authenticates as.
    async fn another_key(&self, tenant: &Tenant) -> ProjectScope {
        let full = Permissions::parse("full").unwrap();
        let operator = self.store.operator();
        let made = operator.create_key(tenant.project, "two", full, None).await;
        self.store.authenticate(&made.unwrap().1).await.unwrap()
    }
}

async fn months_turn_between_creation_and_end(world: World) {
    let tenant = world.tenant().await;
    let (before, after) = (month("2031-12"), month("2032-01"));
    world.clock.set(at("2031-12-31T23:59:59.999Z"));
    let job = world.running(&tenant).await;
    let fetch = step_of(0, Some("web-fetch"));
    world.store.start_step(&job.lease, fetch).await.unwrap();
    let settled = world
        .store
        .settle_step(&job.lease, 0, settlement(250_000))
        .await;
    settled.unwrap();
    let open = world.usage(&tenant.scope, before).await;
    assert_eq!((open.totals.jobs.created, open.active), (1, 1));
    assert_eq!(
        open.totals.consumed,
        Usage::default(),
        "nothing is charged before the end"
    );

    world.clock.set(at("2032-01-01T00:00:00.001Z"));
    let (old, new) = (
        world.usage(&tenant.scope, before).await,
        world.usage(&tenant.scope, after).await,
    );
    assert_eq!(
        (old.totals.jobs.created, old.active),
        (1, 1),
        "created in it and still running"
    );
    assert_eq!(
        (new.totals, new.active),
        (UsageSum::default(), 1),
        "running now, whenever created"
    );

    world
        .store
        .finish(&job.lease, succeeded(), consumed(100))
        .await
        .unwrap();
    let (old, new) = (
        world.usage(&tenant.scope, before).await,
        world.usage(&tenant.scope, after).await,
    );
    let created = JobCounts {
        created: 1,
        ..JobCounts::default()
    };
    let ended = JobCounts {
        succeeded: 1,
        ..JobCounts::default()
    };
    assert_eq!((old.totals.jobs, old.active), (created, 0));
    assert_eq!((new.totals.jobs, new.active), (ended, 0));
    assert_eq!(old.totals.consumed, Usage::default());
    assert!(
        old.by_connector.is_empty(),
        "also the call settled before the turn is charged after it"
    );
    let charged = Usage {
        cost: MicroUsd::from_micros(250_000),
        ..consumed(100)
    };
    assert_eq!(new.totals.consumed, charged);
    assert_eq!(new.by_type[&JobType::Playbooks], new.totals);
    assert_eq!(new.by_key[&tenant.key], new.totals);
    let calls = new.by_connector[&Some("web-fetch".to_owned())];
    assert_eq!(
        (
            calls.cost,
            calls.connector_requests,
            calls.connector_bytes,
            calls.tokens.total()
        ),
        (charged.cost, 1, 10, 7)
    );
    assert_eq!(new.as_of, world.now());

    // On one side of the turn, both.
    let other = world.create(&tenant.scope).await;
    world.store.operator().cancel_job(other.id).await.unwrap();
    let jobs = world.usage(&tenant.scope, after).await.totals.jobs;
    assert_eq!((jobs.created, jobs.succeeded, jobs.canceled), (1, 1, 1));
}

async fn usage_of_others_never_shows(world: World) {
    let tenant = world.tenant().await;
    let sibling = world.tenant_in(tenant.organization).await;
    let stranger = world.tenant().await;
    for other in [&sibling, &stranger] {
        let job = world.running(other).await;
        world.step(&job.lease, 0, 5).await.unwrap();
        world
            .store
            .finish(&job.lease, succeeded(), consumed(1))
            .await
            .unwrap();
    }
    world.create(&sibling.scope).await;
    let now = Month::of(world.now());
    let own = world.usage(&tenant.scope, now).await;
    assert_eq!((own.totals, own.active), (UsageSum::default(), 0));
    assert!(own.by_type.is_empty() && own.by_key.is_empty() && own.by_connector.is_empty());
    let theirs = world.usage(&sibling.scope, now).await;
    assert_eq!((theirs.totals.jobs.created, theirs.active), (2, 1));
    assert_eq!(theirs.by_key.keys().collect::<Vec<_>>(), [&sibling.key]);
}

/// On PostgreSQL also from SQL that forgot to filter.
async fn the_database_hides_usage_of_others(world: World) {
    if !world.is_postgres() {
        return;
    }
    let (a, b) = (world.tenant().await, world.tenant().await);
    for tenant in [&a, &b] {
        let job = world.running(tenant).await;
        world.step(&job.lease, 0, 5).await.unwrap();
        world
            .store
            .finish(&job.lease, succeeded(), consumed(1))
            .await
            .unwrap();
    }
    let url = &world.config.database_url;
    let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
    for (project, seen) in [("", 0), (&*a.project.to_string(), 1), ("*", 2)] {
        let name = sqlx::query("SELECT set_config('gtm.project', $1, false)").bind(project);
        name.execute(&mut connection).await.unwrap();
        for count in [
            "SELECT COUNT(*) FROM usage_months",
            "SELECT COUNT(*) FROM usage_connector_months",
        ] {
            let rows: i64 = sqlx::query_scalar(count)
                .fetch_one(&mut connection)
                .await
                .unwrap();
            assert_eq!(rows, seen, "{count} as {project:?}");
        }
    }
}

async fn a_month_of_nothing_is_zero(world: World) {
    let tenant = world.tenant().await;
    world.create(&tenant.scope).await;
    for text in ["0000-01", "1999-12", "9999-12"] {
        let usage = world.usage(&tenant.scope, month(text)).await;
        assert_eq!(
            (usage.totals, usage.active),
            (UsageSum::default(), 0),
            "{text}"
        );
    }
    let quiet = world
        .store
        .usage(&tenant.scope, Month::of(world.now()), false);
    assert!(quiet.await.unwrap().0.by_connector.is_empty());
}

async fn absurd_counts_keep_nobody_from_ending(world: World) {
    let tenant = world.tenant().await;
    for _ in 0..3 {
        let job = world.running(&tenant).await;
        let step = step_of(0, Some("joker"));
        world.store.start_step(&job.lease, step).await.unwrap();
        let joke = Settlement {
            usage: Usage {
                cost: MicroUsd::from_micros(1),
                ..consumed(u64::MAX)
            },
            ..settlement(0)
        };
        world.store.settle_step(&job.lease, 0, joke).await.unwrap();
        world
            .store
            .finish(&job.lease, succeeded(), consumed(u64::MAX))
            .await
            .unwrap();
    }
    let usage = world.usage(&tenant.scope, Month::of(world.now())).await;
    assert_eq!(usage.totals.jobs.succeeded, 3);
    assert_eq!(usage.totals.consumed.tokens.input, i64::MAX as u64);
    assert_eq!(
        usage.totals.consumed.cost,
        MicroUsd::from_micros(3),
        "the rest stays exact"
    );
}

async fn parallel_jobs_are_all_counted(world: World) {
    let tenant = world.tenant().await;
    let other = world.another_key(&tenant).await;
    let scopes = [tenant.scope.clone(), other];
    let creates = (0..40).map(|n| world.create(&scopes[n % 2]));
    futures_of(creates).await;
    let claimed = world.claim(40).await;
    assert_eq!(claimed.len(), 40);
    let ends = claimed.iter().map(|job| async {
        world.step(&job.lease, 0, 7).await.unwrap();
        world
            .store
            .finish(&job.lease, succeeded(), consumed(1))
            .await
            .unwrap();
    });
    futures_of(ends).await;
    let usage = world.usage(&tenant.scope, Month::of(world.now())).await;
    assert_eq!(
        (
            usage.totals.jobs.created,
            usage.totals.jobs.succeeded,
            usage.active
        ),
        (40, 40, 0)
    );
    assert_eq!(usage.totals.consumed.cost, MicroUsd::from_micros(280));
    assert_eq!(usage.by_key.len(), 2);
    agrees(&world, &[&tenant]).await;
}

/// Run all of them at once.
async fn futures_of<T>(all: impl Iterator<Item = impl Future<Output = T>>) -> Vec<T> {
    use std::task::Poll;
    let mut running: Vec<_> = all.map(|f| (Box::pin(f), None)).collect();
    std::future::poll_fn(|context| {
        for (future, done) in &mut running {
            if done.is_none()
                && let Poll::Ready(value) = future.as_mut().poll(context)
            {
                *done = Some(value);
            }
        }
        if running.iter().all(|(_, done)| done.is_some()) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    running.into_iter().filter_map(|(_, done)| done).collect()
}

/// What may happen, in any order and at any time.
#[derive(Debug, Clone, Copy)]
enum Act {
    Create {
        key: bool,
        brand: bool,
    },
    Claim,
    Call {
        cost: u16,
        tokens: u16,
        connector: u8,
    },
    Succeed {
        tokens: u16,
    },
    Fail,
    CancelNewest,
    /// Days, forwards or back.
    Jump(i8),
    LoseLeases,
    Sweep,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => any::<(bool, bool)>().prop_map(|(key, brand)| Act::Create { key, brand }),
        4 => Just(Act::Claim),
        4 => (any::<u16>(), any::<u16>(), 0u8..4)
            .prop_map(|(cost, tokens, connector)| Act::Call { cost, tokens, connector }),
        3 => any::<u16>().prop_map(|tokens| Act::Succeed { tokens }),
        2 => Just(Act::Fail),
        1 => Just(Act::CancelNewest),
        2 => (-40i8..50).prop_map(Act::Jump),
        1 => Just(Act::LoseLeases),
        1 => Just(Act::Sweep),
    ]
}

async fn sums_equal_a_recount(world: World) {
    let tenant = world.tenant().await;
    let sibling = world.tenant_in(tenant.organization).await;
    let second = world.another_key(&tenant).await;
    // Room for the clock to be set back without reaching times before the tenants'.
    world.clock.advance(DAY * 400);
    let mut runner = TestRunner::deterministic();
    let acts = proptest::collection::vec(act(), 30);
    for _ in 0..8 {
        let acts = acts.new_tree(&mut runner).unwrap().current();
        play(&world, [&tenant.scope, &second, &sibling.scope], &acts).await;
        agrees(&world, &[&tenant, &sibling]).await;
    }
}

async fn play(world: &World, scopes: [&ProjectScope; 3], acts: &[Act]) {
    let mut leases: Vec<(Lease, u64)> = Vec::new();
    let mut newest = None;
    let allowed = |result: Result<(), StoreError>| match result {
        Ok(()) | Err(StoreError::LeaseLost | StoreError::Conflict(_)) => {}
        Err(other) => panic!("{other:?}"),
    };
    for (n, act) in acts.iter().enumerate() {
        let index = n % leases.len().max(1);
        let held = leases.get(index).cloned();
        match (*act, held) {
            (Act::Create { key, brand }, _) => {
                let scope = if n % 5 == 0 {
                    scopes[2]
                } else {
                    scopes[usize::from(key)]
                };
                let job_type = if brand {
                    JobType::Brands
                } else {
                    JobType::Playbooks
                };
                newest = Some(world.create_of(scope, job_type).await.id);
            }
            (Act::Claim, _) => {
                for claimed in world.claim(2).await {
                    let next = world.store.load_steps(&claimed.lease).await.unwrap().len() as u64;
                    leases.push((claimed.lease, next));
                }
            }
            (
                Act::Call {
                    cost,
                    tokens,
                    connector,
                },
                Some((lease, seq)),
            ) => {
                let key =
                    [None, Some("web-fetch"), Some("model"), Some("crm")][usize::from(connector)];
                let usage = Usage {
                    cost: MicroUsd::from_micros(i64::from(cost)),
                    ..consumed(u64::from(tokens))
                };
                allowed(world.store.start_step(&lease, step_of(seq, key)).await);
                let settlement = Settlement {
                    usage,
                    ..settlement(0)
                };
                allowed(world.store.settle_step(&lease, seq, settlement).await);
                leases[index].1 += 1;
            }
            (Act::Succeed { tokens }, Some((lease, _))) => {
                let usage = consumed(u64::from(tokens));
                allowed(
                    world
                        .store
                        .finish(&lease, succeeded(), usage)
                        .await
                        .map(drop),
                );
            }
            (Act::Fail, Some((lease, _))) => {
                let error = JobError {
                    code: "internal_error".to_owned(),
                    message: "x".to_owned(),
                    details: None,
                };
                let finish = Finish::Failed { error };
                allowed(
                    world
                        .store
                        .finish(&lease, finish, consumed(0))
                        .await
                        .map(drop),
                );
            }
            (Act::CancelNewest, _) => {
                if let Some(id) = newest {
                    world.store.operator().cancel_job(id).await.unwrap();
                }
            }
            (Act::Jump(days), _) => {
                let span = DAY * u32::from(days.unsigned_abs());
                let now = world.now();
                let to = if days < 0 {
                    now.minus(span)
                } else {
                    now.plus(span)
                };
                world.clock.set(to);
            }
            (Act::LoseLeases, _) => world.clock.advance(LEASE),
            (Act::Sweep, _) => drop(world.store.sweep().await.unwrap()),
            (_, None) => {}
        }
    }
}

type Sums = BTreeMap<(String, String, String, KeyRecordId), UsageSum>;

/// Compare every month of these projects with a count of the single rows.
async fn agrees(world: &World, tenants: &[&Tenant]) {
    let recount = Recount::of(world).await;
    let now = Month::of(world.now());
    let mut months: BTreeSet<String> = recount.sums.keys().map(|key| key.1.clone()).collect();
    months.insert(now.to_string());
    for tenant in tenants {
        let project = tenant.project.to_string();
        for text in &months {
            let usage = world.usage(&tenant.scope, month(text)).await;
            let mut expected = UsageSum::default();
            let (mut by_type, mut by_key) = (BTreeMap::new(), BTreeMap::new());
            let rows = recount
                .sums
                .iter()
                .filter(|(key, _)| key.0 == project && key.1 == *text);
            for ((_, _, job_type, key), sum) in rows {
                expected = expected.plus(sum);
                let of_type = by_type.entry(JobType::parse(job_type).unwrap());
                let of_type: &mut UsageSum = of_type.or_default();
                *of_type = of_type.plus(sum);
                let of_key: &mut UsageSum = by_key.entry(*key).or_default();
                *of_key = of_key.plus(sum);
            }
            assert_eq!(usage.totals, expected, "{project} {text}");
            assert_eq!(usage.by_type, by_type, "{project} {text}");
            assert_eq!(usage.by_key, by_key, "{project} {text}");
            let calls = recount.calls.get(&(project.clone(), text.clone()));
            assert_eq!(
                usage.by_connector,
                calls.cloned().unwrap_or_default(),
                "{project} {text}"
            );
            let cost: MicroUsd = usage.by_connector.values().map(|u| u.cost).sum();
            assert_eq!(cost, usage.totals.consumed.cost, "{project} {text}");
            let open = recount
                .open
                .iter()
                .filter(|(of, created)| *of == project && (month(text) == now || created == text));
            assert_eq!(usage.active, open.count() as u64, "{project} {text}");
        }
    }
}

/// What the single rows say, by project and month.
struct Recount {
    /// By project, month, type and key.
    sums: Sums,
    calls: BTreeMap<(String, String), BTreeMap<Option<String>, Usage>>,
    /// Project and month of creation of each job that has not ended.
    open: Vec<(String, String)>,
}

impl Recount {
    async fn of(world: &World) -> Self {
        let micros = |column: &str| {
            if world.is_postgres() {
                format!("CAST(CAST(EXTRACT(EPOCH FROM {column}) * 1000000 AS BIGINT) AS TEXT)")
            } else {
                format!("CAST({column} AS TEXT)")
            }
        };
        let list = |columns: &[&str]| {
            let texts = columns.iter().map(|c| format!("CAST({c} AS TEXT)"));
            texts.collect::<Vec<_>>().join(" || '|' || ")
        };
        let mut recount = Self {
            sums: Sums::new(),
            calls: BTreeMap::new(),
            open: Vec::new(),
        };
        let jobs = format!(
            "SELECT {} || '|' || {} || '|' || status FROM jobs",
            list(&["project_id", "type", "key_id"]),
            micros("created_at")
        );
        for row in world.texts(&jobs).await {
            let row: Vec<&str> = row.split('|').collect();
            let created = month_of(row[3]);
            recount.sum(row[0], &created, row[1], row[2]).jobs.created += 1;
            if matches!(row[4], "queued" | "running") {
                recount.open.push((row[0].to_owned(), created));
            }
        }
        let counted = [
            "input_tokens",
            "cached_input_tokens",
            "cache_write_tokens",
            "output_tokens",
            "reasoning_tokens",
            "connector_requests",
            "connector_bytes",
            "cost",
        ];
        let ended = format!(
            "SELECT {} || '|' || {} || '|' || {} FROM usage_rows",
            list(&[
                "project_id",
                "type",
                "key_id",
                "status",
                "backend_requests",
                "backend_runtime_ms"
            ]),
            micros("at"),
            list(&counted)
        );
        for row in world.texts(&ended).await {
            let row: Vec<&str> = row.split('|').collect();
            let usage = Usage {
                backend_requests: row[4].parse().unwrap(),
                backend_runtime_ms: row[5].parse().unwrap(),
                ..usage_of(&row[7..])
            };
            let sum = recount.sum(row[0], &month_of(row[6]), row[1], row[2]);
            match row[3] {
                "succeeded" => sum.jobs.succeeded += 1,
                "failed" => sum.jobs.failed += 1,
                _ => sum.jobs.canceled += 1,
            }
            sum.consumed = sum.consumed.plus(&usage);
        }
        let qualified: Vec<String> = counted.iter().map(|c| format!("c.{c}")).collect();
        let qualified: Vec<&str> = qualified.iter().map(String::as_str).collect();
        let calls = format!(
            "SELECT c.project_id || '|' || {} || '|' || {} || '|' || COALESCE(c.connector, '') \
             FROM cost_rows c JOIN usage_rows u ON u.job_id = c.job_id",
            micros("u.at"),
            list(&qualified)
        );
        for row in world.texts(&calls).await {
            let row: Vec<&str> = row.splitn(11, '|').collect();
            let connector = serde_json::from_str::<Value>(row[10]).ok();
            let key = connector.map(|c| c["key"].as_str().unwrap().to_owned());
            let month = (row[0].to_owned(), month_of(row[1]));
            let sum = recount
                .calls
                .entry(month)
                .or_default()
                .entry(key)
                .or_default();
            *sum = sum.plus(&usage_of(&row[2..10]));
        }
        recount
    }

    fn sum(&mut self, project: &str, month: &str, job_type: &str, key: &str) -> &mut UsageSum {
        let key = (
            project.to_owned(),
            month.to_owned(),
            job_type.to_owned(),
            key.parse().unwrap(),
        );
        self.sums.entry(key).or_default()
    }
}

fn usage_of(numbers: &[&str]) -> Usage {
    let n: Vec<u64> = numbers.iter().map(|text| text.parse().unwrap()).collect();
    Usage {
        tokens: TokenUsage {
            input: n[0],
            cached_input: n[1],
            cache_write: n[2],
            output: n[3],
            reasoning: n[4],
        },
        connector_requests: n[5],
        connector_bytes: n[6],
        cost: MicroUsd::from_micros(i64::try_from(n[7]).unwrap()),
        ..Usage::default()
    }
}

/// The month of an instant, by its text.
fn month_of(micros: &str) -> String {
    let at = Timestamp::from_micros(micros.parse().unwrap());
    at.to_string()[..7].to_owned()
}

async fn an_older_database_is_counted_when_it_is_opened(world: World) {
    let mut world = world;
    let tenant = world.tenant().await;
    let mut runner = TestRunner::deterministic();
    let acts = proptest::collection::vec(act(), 60);
    let acts = acts.new_tree(&mut runner).unwrap().current();
    world.clock.advance(DAY * 400);
    play(&world, [&tenant.scope; 3], &acts).await;
    let scope = tenant.scope.clone();
    let spoken = world.usage(&scope, Month::of(world.now())).await;
    // As the release before would have left it.
    world.store.close().await;
    for sql in [
        "DROP TABLE usage_months",
        "DROP TABLE usage_connector_months",
        "DELETE FROM _sqlx_migrations WHERE version = 4",
    ] {
        world.raw(sql).await.unwrap();
    }
    world.store = world.another_node().await;
    assert_eq!(world.usage(&scope, Month::of(world.now())).await, spoken);
    agrees(&world, &[&tenant]).await;
}
