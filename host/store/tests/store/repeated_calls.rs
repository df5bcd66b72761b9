//! Calls that are repeated after a crash: without a key, each attempt may be charged, so every limit counts
//! it before it goes out. And calls that have begun but never went out.

use gtm_domain::job::{Finish, JobError};
use gtm_domain::money::{LimitMetric, LimitOwner};
use gtm_domain::step::NewStep;
use gtm_domain::{MicroUsd, Usage};
use gtm_store::{ClaimedJob, StoreError};

use crate::money::{limit, running, sound, step, usd};
use crate::world::{World, settlement};

on_both_engines!(
    each_time_counts_against_the_limits,
    a_key_makes_one_call_of_all_times,
    a_repeat_whose_answer_was_lost_counts_once,
    what_never_went_out_is_taken_back,
    repeats_from_before_are_counted,
);

/// A call with a key that its provider recognizes.
fn keyed(seq: u64, ceiling: i64) -> NewStep {
    NewStep {
        keyed: true,
        ..step(seq, ceiling)
    }
}

async fn exposed(world: &World, job: &ClaimedJob) -> MicroUsd {
    let scope = job.lease.scope();
    world.position(&scope).await.credit.exposed
}

async fn give_up(world: &World, job: &ClaimedJob) {
    let error = JobError {
        code: "settlement_failed".to_owned(),
        message: "x".to_owned(),
        details: None,
    };
    world.store.give_up(&job.lease, error).await.unwrap();
}

async fn each_time_counts_against_the_limits(world: World) {
    let tenant = world.tenant().await;
    let project = LimitOwner::Project(tenant.project);
    limit(&world, project, LimitMetric::MonthlyBudget, 1_000).await;
    let job = running(&world, &tenant, 100).await;
    let store = &world.store;
    store.start_step(&job.lease, step(0, 400)).await.unwrap();
    store.restart_step(&job.lease, 0, 1).await.unwrap();
    assert_eq!(exposed(&world, &job).await, usd(800));
    sound(&world).await;
    let third = store.restart_step(&job.lease, 0, 2).await;
    assert!(matches!(third, Err(StoreError::Refused(_))), "{third:?}");
    let row = store.load_steps(&job.lease).await.unwrap().remove(0);
    assert_eq!((row.attempts, row.may_cost()), (2, usd(800)));
    let other = running(&world, &tenant, 100).await;
    let beside = store.start_step(&other.lease, step(0, 300)).await;
    assert!(matches!(beside, Err(StoreError::Refused(_))), "{beside:?}");
    store.start_step(&other.lease, step(0, 200)).await.unwrap();
    sound(&world).await;
    // The final cost replaces the amounts of all attempts.
    let settled = store.settle_step(&job.lease, 0, settlement(300));
    settled.await.unwrap();
    assert_eq!(exposed(&world, &job).await, usd(500));
    sound(&world).await;
    let ended = store.finish(&job.lease, Finish::Canceled, Usage::default());
    ended.await.unwrap();
    assert_eq!(exposed(&world, &other).await, usd(200));
    sound(&world).await;
}

async fn a_key_makes_one_call_of_all_times(world: World) {
    let tenant = world.tenant().await;
    let project = LimitOwner::Project(tenant.project);
    limit(&world, project, LimitMetric::MonthlyBudget, 1_000).await;
    let job = running(&world, &tenant, 100).await;
    let store = &world.store;
    store.start_step(&job.lease, keyed(0, 900)).await.unwrap();
    for begun in 1..4 {
        store.restart_step(&job.lease, 0, begun).await.unwrap();
        assert_eq!(exposed(&world, &job).await, usd(900));
        sound(&world).await;
    }
    let row = store.load_steps(&job.lease).await.unwrap().remove(0);
    assert!(row.step.keyed);
    assert_eq!((row.attempts, row.may_cost()), (4, usd(900)));
    give_up(&world, &job).await;
    let awaiting = world.position(&tenant.scope).await.credit.awaiting;
    assert_eq!(awaiting, usd(900));
    sound(&world).await;
}

async fn a_repeat_whose_answer_was_lost_counts_once(world: World) {
    let tenant = world.tenant().await;
    let project = LimitOwner::Project(tenant.project);
    limit(&world, project, LimitMetric::MonthlyBudget, 800).await;
    let job = running(&world, &tenant, 100).await;
    let store = &world.store;
    for (seq, call) in [(0, step(0, 400)), (1, step(1, 0))] {
        store.start_step(&job.lease, call).await.unwrap();
        assert_eq!(store.restart_step(&job.lease, seq, 1).await.unwrap(), 2);
        // The confirmation of this write was lost, so it is repeated: it is neither refused by a limit nor
        // counted again.
        let again = store.restart_step(&job.lease, seq, 1).await;
        assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
    }
    let begun: Vec<_> = store.load_steps(&job.lease).await.unwrap();
    let begun: Vec<_> = begun.iter().map(|row| row.attempts).collect();
    assert_eq!(begun, [2, 2]);
    assert_eq!(exposed(&world, &job).await, usd(800));
    sound(&world).await;
}

async fn what_never_went_out_is_taken_back(world: World) {
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, 100).await;
    let store = &world.store;
    for (seq, call) in [(0, step(0, 400)), (1, keyed(1, 50)), (2, step(2, 0))] {
        store.start_step(&job.lease, call).await.unwrap();
        store.unstart_step(&job.lease, seq, 1).await.unwrap();
        let again = store.unstart_step(&job.lease, seq, 1).await;
        assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
    }
    assert!(store.load_steps(&job.lease).await.unwrap().is_empty());
    assert_eq!(exposed(&world, &job).await, usd(0));
    sound(&world).await;
    // The call can begin as if it never had; only the last attempt is taken back.
    for (seq, call, left) in [(0, step(0, 400), 400), (1, keyed(1, 50), 450)] {
        store.start_step(&job.lease, call).await.unwrap();
        store.restart_step(&job.lease, seq, 1).await.unwrap();
        store.unstart_step(&job.lease, seq, 2).await.unwrap();
        let again = store.unstart_step(&job.lease, seq, 2).await;
        assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
        assert_eq!(exposed(&world, &job).await, usd(left));
        sound(&world).await;
    }
    let begun: Vec<_> = store.load_steps(&job.lease).await.unwrap();
    let begun: Vec<_> = begun.iter().map(|row| row.attempts).collect();
    assert_eq!(begun, [1, 1]);
    // An answered call stays.
    let settled = store.settle_step(&job.lease, 0, settlement(3));
    settled.await.unwrap();
    let late = store.unstart_step(&job.lease, 0, 1).await;
    assert!(matches!(late, Err(StoreError::Conflict(_))), "{late:?}");
    world.clock.advance(crate::world::LEASE);
    let taken_over = world.claim_one().await;
    assert_eq!(taken_over.job.id, job.job.id);
    let late = store.unstart_step(&job.lease, 1, 1).await;
    assert!(matches!(late, Err(StoreError::LeaseLost)), "{late:?}");
    sound(&world).await;
}

async fn repeats_from_before_are_counted(mut world: World) {
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, 100).await;
    let store = &world.store;
    store.start_step(&job.lease, step(0, 400)).await.unwrap();
    store.start_step(&job.lease, step(1, 30)).await.unwrap();
    for begun in 1..3 {
        store.restart_step(&job.lease, 0, begun).await.unwrap();
    }
    // The state of a database that counted all attempts only once.
    world.store.close().await;
    for sql in [
        "ALTER TABLE job_steps DROP COLUMN keyed",
        "UPDATE open_reservations SET exposed = exposed - 800",
        "DELETE FROM _sqlx_migrations WHERE version = 20",
    ] {
        world.raw(sql).await.unwrap();
    }
    world.reopen().await;
    sound(&world).await;
    assert_eq!(exposed(&world, &job).await, usd(1_230));
    let settled = world.store.settle_step(&job.lease, 0, settlement(20));
    settled.await.unwrap();
    assert_eq!(exposed(&world, &job).await, usd(50));
    sound(&world).await;
}
