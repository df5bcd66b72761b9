//! Jobs with amounts at the limits of what the database holds, or whose end cannot be written. Each of them
//! ends, and the organization goes on.

use gtm_domain::job::JobError;
use gtm_domain::step::NewStep;
use gtm_domain::{JobStatus, MicroUsd, Usage};
use gtm_store::{MarkedCallFilter, Settlement, StoreError};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::money::{attempt, running, sound, step, succeed, usd};
use crate::refused_rows::{allow, refuse};
use crate::world::{World, settlement};

on_both_engines!(
    no_cost_keeps_a_job_from_ending,
    a_job_that_is_given_up_leaves_its_money_to_an_operator,
    only_the_worker_gives_a_job_up,
    a_job_is_given_up_whatever_rule_refuses_its_usage_row,
    a_row_that_cannot_be_read_keeps_no_job,
    no_doubt_is_too_large_to_be_held_and_settled,
    a_sum_that_is_too_low_keeps_no_job_from_ending,
);

async fn no_cost_keeps_a_job_from_ending(world: World) {
    let cost = prop_oneof![
        Just(i64::MAX),
        Just(i64::MAX / 2 + 1),
        (0i64..3).prop_map(|less| i64::MAX - less),
        0i64..1_000,
    ];
    let jobs = proptest::collection::vec(proptest::collection::vec(cost, 0..4), 4..8);
    let mut runner = TestRunner::deterministic();
    for _ in 0..if world.is_postgres() { 3 } else { 8 } {
        // A postpaid tenant, so that credit refuses nothing and only the amounts can cause failures.
        let tenant = world.tenant().await;
        world
            .raw("UPDATE organizations SET billing = 'postpaid'")
            .await
            .unwrap();
        for costs in jobs.new_tree(&mut runner).unwrap().current() {
            // After some jobs the tier's budget is used up; free jobs are still created.
            attempt(&world, &tenant.scope, 0).await.unwrap();
            let job = world.claim_one().await;
            for (seq, cost) in (0..).zip(&costs) {
                world.step(&job.lease, seq, *cost).await.unwrap();
            }
            let row = succeed(&world, &job).await;
            let sum = costs
                .iter()
                .fold(0i64, |sum, cost| sum.saturating_add(*cost));
            assert_eq!(
                (row.status, row.usage.cost),
                (JobStatus::Succeeded, usd(sum))
            );
            let position = world.position(&tenant.scope).await;
            assert!(position.credit.exposed == MicroUsd::ZERO, "{position:?}");
        }
        // It may find saturated sums, but it must check all of them.
        world.store.verify_ledger().await.unwrap();
        let operator = world.store.operator();
        operator
            .credit_statement(tenant.organization)
            .await
            .unwrap();
    }
}

fn failed() -> JobError {
    JobError {
        code: "settlement_failed".to_owned(),
        message: "x".to_owned(),
        details: None,
    }
}

async fn a_job_that_is_given_up_leaves_its_money_to_an_operator(world: World) {
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, 1_000).await;
    let store = &world.store;
    // Settled; settled while its reported cost was not believed; begun at a price; begun for free.
    store.start_step(&job.lease, step(0, 400)).await.unwrap();
    store
        .settle_step(&job.lease, 0, settlement(300))
        .await
        .unwrap();
    store.start_step(&job.lease, step(1, 50)).await.unwrap();
    let unbelieved = Settlement {
        reported: Some(usd(7_000)),
        reconcile: true,
        ..settlement(50)
    };
    store.settle_step(&job.lease, 1, unbelieved).await.unwrap();
    store.start_step(&job.lease, step(2, 500)).await.unwrap();
    let free = NewStep {
        replay_safe: true,
        ..step(3, 0)
    };
    store.start_step(&job.lease, free).await.unwrap();

    let row = store.give_up(&job.lease, failed()).await.unwrap();
    assert_eq!(
        (row.status, row.usage),
        (JobStatus::Failed, Usage::default())
    );
    assert_eq!(row.error.unwrap().code, "settlement_failed");
    let again = store.give_up(&job.lease, failed()).await;
    assert!(matches!(again, Err(StoreError::LeaseLost)), "{again:?}");
    sound(&world).await;
    let operator = store.operator();
    let filter = MarkedCallFilter {
        limit: 10,
        ..MarkedCallFilter::default()
    };
    let calls = operator.marked_calls(&filter).await.unwrap();
    let told: Vec<_> = calls
        .iter()
        .map(|call| (call.id.step, call.charged, call.reported, call.ceiling))
        .collect();
    assert_eq!(
        told,
        [
            (0, usd(0), Some(usd(300)), Some(usd(400))),
            (1, usd(0), Some(usd(7_000)), Some(usd(50))),
            (2, usd(0), None, Some(usd(500))),
        ]
    );
    let position = world.position(&tenant.scope).await;
    assert_eq!(
        (position.credit.reserved, position.credit.exposed),
        (usd(0), usd(0))
    );
    for (call, cost) in calls.iter().zip([300, 40, 0]) {
        operator
            .reconcile_call(call.id, usd(cost), None)
            .await
            .unwrap();
    }
    let statement = operator
        .credit_statement(tenant.organization)
        .await
        .unwrap();
    assert_eq!(statement.charged, usd(340));
    sound(&world).await;
    // The next job is created and ends as usual.
    let next = running(&world, &tenant, 1_000).await;
    assert_eq!(succeed(&world, &next).await.status, JobStatus::Succeeded);
}

async fn a_job_is_given_up_whatever_rule_refuses_its_usage_row(world: World) {
    let tenant = world.tenant().await;
    let store = &world.store;
    for table in ["usage_rows", "usage_connector_months"] {
        let job = running(&world, &tenant, 1_000).await;
        store.start_step(&job.lease, step(0, 400)).await.unwrap();
        store
            .settle_step(&job.lease, 0, settlement(300))
            .await
            .unwrap();
        refuse(&world, table, "1 = 1").await;
        let finish = gtm_domain::job::Finish::Failed { error: failed() };
        let refused = store.finish(&job.lease, finish, Usage::default()).await;
        assert!(
            matches!(refused, Err(StoreError::RuleViolated(_))),
            "{refused:?}"
        );
        let row = store.give_up(&job.lease, failed()).await.unwrap();
        assert_eq!(
            (row.status, row.usage),
            (JobStatus::Failed, Usage::default())
        );
        sound(&world).await;
        let credit = world.position(&tenant.scope).await.credit;
        assert_eq!((credit.reserved, credit.exposed), (usd(0), usd(0)));
        // The organization goes on, and once the rule is removed, an operator settles what the call cost.
        attempt(&world, &tenant.scope, 500).await.unwrap();
        allow(&world, table).await;
        let id = gtm_domain::money::ProviderCallId {
            job: job.job.id,
            step: 0,
        };
        let operator = store.operator();
        operator.reconcile_call(id, usd(300), None).await.unwrap();
        sound(&world).await;
        let next = world.claim_one().await;
        assert_eq!(succeed(&world, &next).await.status, JobStatus::Succeeded);
        sound(&world).await;
    }
    let recounted = world.number("SELECT COUNT(*) FROM usage_rows").await;
    assert_eq!(recounted, 4);
}

async fn a_row_that_cannot_be_read_keeps_no_job(world: World) {
    let tenant = world.tenant().await;
    let store = &world.store;
    let job = running(&world, &tenant, 1_000).await;
    store.start_step(&job.lease, step(0, 400)).await.unwrap();
    store
        .settle_step(&job.lease, 0, settlement(300))
        .await
        .unwrap();
    let damage = |connector: &str| format!("UPDATE cost_rows SET connector = {connector}");
    world.raw(&damage("'{}'")).await.unwrap();
    let finish = gtm_domain::job::Finish::Failed { error: failed() };
    let unread = store.finish(&job.lease, finish, Usage::default()).await;
    assert!(matches!(unread, Err(StoreError::Corrupt(_))), "{unread:?}");
    let row = store.give_up(&job.lease, failed()).await.unwrap();
    assert_eq!(
        (row.status, row.usage),
        (JobStatus::Failed, Usage::default())
    );
    world.raw(&damage("NULL")).await.unwrap();
    sound(&world).await;
    let credit = world.position(&tenant.scope).await.credit;
    assert_eq!((credit.reserved, credit.exposed), (usd(0), usd(0)));
}

async fn no_doubt_is_too_large_to_be_held_and_settled(world: World) {
    let tenant = world.tenant().await;
    for _ in 0..2 {
        attempt(&world, &tenant.scope, 10).await.unwrap();
    }
    let jobs = world.claim(2).await;
    for job in &jobs {
        world.step(&job.lease, 0, i64::MAX).await.unwrap();
        world.store.give_up(&job.lease, failed()).await.unwrap();
    }
    let awaiting = async || world.position(&tenant.scope).await.credit.awaiting;
    assert_eq!(awaiting().await, usd(i64::MAX), "the sum stops there");
    attempt(&world, &tenant.scope, 1).await.unwrap_err();
    let operator = world.store.operator();
    for job in &jobs {
        let call = gtm_domain::money::ProviderCallId {
            job: job.job.id,
            step: 0,
        };
        operator.reconcile_call(call, usd(7), None).await.unwrap();
    }
    assert_eq!(awaiting().await, usd(0));
    sound(&world).await;
}

async fn a_sum_that_is_too_low_keeps_no_job_from_ending(world: World) {
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, 1_000).await;
    world
        .raw("UPDATE open_reservations SET reserved = 1")
        .await
        .unwrap();
    assert_eq!(succeed(&world, &job).await.status, JobStatus::Succeeded);
    sound(&world).await;
}

async fn only_the_worker_gives_a_job_up(world: World) {
    let tenant = world.tenant().await;
    let first = running(&world, &tenant, 1_000).await;
    world.clock.advance(crate::world::LEASE);
    let second = world.claim_one().await;
    let stale = world.store.give_up(&first.lease, failed()).await;
    assert!(matches!(stale, Err(StoreError::LeaseLost)), "{stale:?}");
    world.store.give_up(&second.lease, failed()).await.unwrap();
    sound(&world).await;
}
