//! Idempotency: one key, one job, one answer, for 24 hours.

use std::time::{Duration, Instant};

use gtm_domain::idempotency::KnownRequest;
use gtm_domain::job::{CreateJob, Finish};
use gtm_domain::{Permissions, Usage};
use gtm_store::{JobFilter, StoreError};
use sqlx::Connection as _;

use crate::world::World;

on_both_engines!(
    a_retry_gets_the_same_bytes,
    another_input_is_refused,
    keys_are_per_project,
    a_key_is_free_after_24_hours,
    a_long_wait_for_the_money_is_not_about_the_key,
    a_replay_leaves_no_trace,
    another_key_of_the_project_replays_too,
    parallel_creates_make_one_job,
    parallel_creates_on_two_nodes_make_one_job,
);

async fn a_retry_gets_the_same_bytes(world: World) {
    let tenant = world.tenant().await;
    let claim = world.idempotency(&tenant.scope, "k", "input");
    let first = world.new_job();
    assert_eq!(
        world
            .store
            .find_idempotent(&tenant.scope, &claim)
            .await
            .unwrap(),
        None
    );
    let made = world
        .store
        .create_job(&tenant.scope, first.clone(), Some(claim))
        .await
        .unwrap();
    assert!(matches!(made, CreateJob::Created(row) if row.id == first.id));
    let again = world
        .store
        .create_job(&tenant.scope, world.new_job(), Some(claim))
        .await
        .unwrap();
    assert_eq!(again, CreateJob::Replayed(first.response.clone()));
    let known = world
        .store
        .find_idempotent(&tenant.scope, &claim)
        .await
        .unwrap();
    assert_eq!(known, Some(KnownRequest::Replay(first.response)));
    assert_eq!(
        world
            .store
            .list_jobs(&tenant.scope, &JobFilter::default())
            .await
            .unwrap()
            .len(),
        1
    );
}

async fn another_input_is_refused(world: World) {
    let tenant = world.tenant().await;
    let claim = world.idempotency(&tenant.scope, "k", "input");
    world
        .store
        .create_job(&tenant.scope, world.new_job(), Some(claim))
        .await
        .unwrap();
    let other = world.idempotency(&tenant.scope, "k", "other input");
    let again = world
        .store
        .create_job(&tenant.scope, world.new_job(), Some(other))
        .await
        .unwrap();
    assert_eq!(again, CreateJob::KeyReused);
    assert_eq!(
        world
            .store
            .find_idempotent(&tenant.scope, &other)
            .await
            .unwrap(),
        Some(KnownRequest::Reused)
    );
}

async fn keys_are_per_project(world: World) {
    let (a, b) = (world.tenant().await, world.tenant().await);
    for tenant in [&a, &b] {
        let claim = world.idempotency(&tenant.scope, "k", "input");
        let made = world
            .store
            .create_job(&tenant.scope, world.new_job(), Some(claim))
            .await
            .unwrap();
        assert!(matches!(made, CreateJob::Created(_)));
    }
    let (x, y) = (
        world.store.idempotency_hmac(&a.scope, "k"),
        world.store.idempotency_hmac(&b.scope, "k"),
    );
    assert_ne!(x, y, "the same text of two projects is not linkable");
}

async fn a_key_is_free_after_24_hours(world: World) {
    let tenant = world.tenant().await;
    let claim = world.idempotency(&tenant.scope, "k", "input");
    world
        .store
        .create_job(&tenant.scope, world.new_job(), Some(claim))
        .await
        .unwrap();
    world
        .clock
        .advance(Duration::from_micros(24 * 3600 * 1_000_000 - 1));
    let again = world
        .store
        .create_job(&tenant.scope, world.new_job(), Some(claim))
        .await
        .unwrap();
    assert!(matches!(again, CreateJob::Replayed(_)));
    world.clock.advance(Duration::from_micros(1));
    let other = world.idempotency(&tenant.scope, "k", "other input");
    let later = world
        .store
        .create_job(&tenant.scope, world.new_job(), Some(other))
        .await
        .unwrap();
    assert!(matches!(later, CreateJob::Created(_)));
}

async fn storm(world: &World, stores: &[gtm_store::Store], requests: usize) {
    let tenant = world.tenant().await;
    let claim = world.idempotency(&tenant.scope, "k", "input");
    let mut tasks = Vec::new();
    for n in 0..requests {
        let (store, scope, job) = (
            stores[n % stores.len()].clone(),
            tenant.scope.clone(),
            world.new_job(),
        );
        tasks.push(tokio::spawn(async move {
            store.create_job(&scope, job, Some(claim)).await.unwrap()
        }));
    }
    let (mut created, mut replayed) = (Vec::new(), Vec::new());
    for task in tasks {
        match task.await.unwrap() {
            CreateJob::Created(row) => created.push(row.id),
            CreateJob::Replayed(response) => replayed.push(response.body),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(created.len(), 1);
    assert_eq!(replayed.len(), requests - 1);
    let body = format!("{{\"id\": \"{}\"}}", created[0]);
    assert!(
        replayed.iter().all(|b| *b == body),
        "every retry got the one answer"
    );
    assert_eq!(
        world
            .store
            .list_jobs(&tenant.scope, &JobFilter::default())
            .await
            .unwrap()
            .len(),
        1
    );
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
}

async fn parallel_creates_make_one_job(world: World) {
    storm(&world, std::slice::from_ref(&world.store), 200).await;
}

async fn parallel_creates_on_two_nodes_make_one_job(world: World) {
    let other = world.another_node().await;
    storm(&world, &[world.store.clone(), other], 64).await;
}

/// On PostgreSQL others may hold an organization's money: that wait must not be blamed on the key.
async fn a_long_wait_for_the_money_is_not_about_the_key(world: World) {
    if !world.is_postgres() {
        return;
    }
    let tenant = world.tenant().await;
    let url = &world.config.database_url;
    let mut holder = sqlx::PgConnection::connect(url).await.unwrap();
    let mut held = holder.begin().await.unwrap();
    sqlx::query("SELECT set_config('gtm.project', '*', true)")
        .execute(&mut *held)
        .await
        .unwrap();
    sqlx::query("SELECT 1 FROM credit_balances FOR UPDATE")
        .execute(&mut *held)
        .await
        .unwrap();
    let claim = world.idempotency(&tenant.scope, "k", "input");
    let create = || {
        world
            .store
            .create_job(&tenant.scope, world.new_job(), Some(claim))
    };
    let (first, second) = tokio::join!(create(), async {
        // The first request has the key and waits for the money.
        let waiting = "SELECT COUNT(*) FROM pg_stat_activity \
            WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let until = Instant::now() + Duration::from_secs(60);
        while world.number(waiting).await == 0 {
            assert!(Instant::now() < until, "the first one does not wait");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        create().await
    });
    assert!(matches!(first, Err(StoreError::Busy)), "{first:?}");
    assert_eq!(
        second.unwrap(),
        CreateJob::InProgress,
        "the first one with the key is still being processed"
    );
    let traces = "SELECT (SELECT COUNT(*) FROM jobs) + (SELECT COUNT(*) FROM idempotency)";
    assert_eq!(world.number(traces).await, 0, "nothing was written");
    held.rollback().await.unwrap();
    assert!(matches!(create().await.unwrap(), CreateJob::Created(_)));
    assert!(matches!(create().await.unwrap(), CreateJob::Replayed(_)));
}

async fn a_replay_leaves_no_trace(world: World) {
    let tenant = world.tenant().await;
    let claim = world.idempotency(&tenant.scope, "k", "input");
    let other = world.idempotency(&tenant.scope, "k", "other input");
    let create = async |claim| {
        let made = world
            .store
            .create_job(&tenant.scope, world.new_job(), Some(claim));
        made.await.unwrap()
    };
    create(claim).await;
    let traces = "SELECT (SELECT COUNT(*) FROM jobs) + (SELECT COUNT(*) FROM idempotency) \
        + (SELECT COUNT(*) FROM ledger_transactions WHERE job_id IS NOT NULL)";
    assert_eq!(world.number(traces).await, 3);
    for claim in [claim, other, claim] {
        create(claim).await;
    }
    assert_eq!(
        world.number(traces).await,
        3,
        "replays neither create nor bill"
    );
    // Also once the job has ended; the additional row is the job's own settlement.
    let job = world.claim_one().await;
    let (finish, usage) = (Finish::Canceled, Usage::default());
    world.store.finish(&job.lease, finish, usage).await.unwrap();
    assert!(matches!(create(claim).await, CreateJob::Replayed(_)));
    assert_eq!(world.number(traces).await, 4);
}

async fn another_key_of_the_project_replays_too(world: World) {
    let tenant = world.tenant().await;
    let claim = world.idempotency(&tenant.scope, "k", "input");
    let made = world
        .store
        .create_job(&tenant.scope, world.new_job(), Some(claim));
    made.await.unwrap();
    let operator = world.store.operator();
    let full = Permissions::parse("full").unwrap();
    let next = operator.create_key(tenant.project, "next", full, None);
    let (_, secret) = next.await.unwrap();
    operator.revoke_key(tenant.key).await.unwrap();
    let scope = world.store.authenticate(&secret, None).await.unwrap();
    let claim = world.idempotency(&scope, "k", "input");
    let again = world.store.create_job(&scope, world.new_job(), Some(claim));
    assert!(matches!(again.await.unwrap(), CreateJob::Replayed(_)));
}
