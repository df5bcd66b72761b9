//! Usage by month and its breakdowns: what counts where, and for whom. `usage_recount` tests that the sums
//! always equal a recount of the single rows.

use gtm_domain::job::{CreateJob, Finish, Job, Product};
use gtm_domain::step::{ConnectorRef, NewStep};
use gtm_domain::usage::{JobCounts, MonthUsage, UsageSum};
use gtm_domain::{Digest, JobType, MicroUsd, Month, Permissions, Timestamp, TokenUsage, Usage};
use gtm_store::{NewJob, ProjectScope, Settlement};
use serde_json::json;
use sqlx::Connection as _;

use crate::usage_recount::agrees;
use crate::world::{Tenant, World, new_step, settlement};

on_both_engines!(
    months_turn_between_creation_and_end,
    usage_of_others_never_shows,
    the_database_hides_usage_of_others,
    a_month_of_nothing_is_zero,
    absurd_counts_keep_nobody_from_ending,
    parallel_jobs_are_all_counted,
);

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub fn month(text: &str) -> Month {
    text.parse().unwrap()
}

pub fn succeeded() -> Finish {
    Finish::Succeeded {
        result: json!({}),
        product: Product::None,
    }
}

pub fn consumed(tokens: u64) -> Usage {
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

/// A step served by the connector with this key.
pub fn step_of(seq: u64, connector: Option<&str>) -> NewStep {
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
    pub async fn usage(&self, scope: &ProjectScope, month: Month) -> MonthUsage {
        self.store.usage(scope, month, true).await.unwrap().0
    }

    pub async fn create_of(&self, scope: &ProjectScope, job_type: JobType) -> Job {
        let job = NewJob {
            stages: None,
            external_ref: None,
            job_type,
            ..self.new_job()
        };
        match self.store.create_job(scope, job, None).await.unwrap() {
            CreateJob::Created(row) => *row,
            other => panic!("{other:?}"),
        }
    }

    /// The scope of another key of the tenant's project.
    pub async fn another_key(&self, tenant: &Tenant) -> ProjectScope {
        let full = Permissions::parse("full").unwrap();
        let operator = self.store.operator();
        let made = operator.create_key(tenant.project, "two", full, None).await;
        self.store
            .authenticate(&made.unwrap().1, None)
            .await
            .unwrap()
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

    // Created and canceled on the same side of the turn of the month: both count there.
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

/// On PostgreSQL even from SQL that forgets to filter.
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
    for text in ["0001-01", "1999-12", "9999-12"] {
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

/// Runs all of them at once.
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
