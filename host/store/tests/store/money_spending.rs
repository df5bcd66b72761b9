//! Limits and credit while a job runs: which call is begun, what the job is charged, what is left.

use gtm_domain::JobStatus;
use gtm_store::{BillingMode, LimitMetric, LimitOwner, LimitScope, Refusal, StoreError};

use crate::money::{attempt, limit, poor, running, sound, step, succeed, usd};
use crate::world::{World, settlement};

on_both_engines!(
    a_lowered_budget_stops_the_next_call,
    revoked_credit_stops_the_next_call,
    a_call_tried_again_is_checked_again,
    a_charge_over_the_credit_fails_the_job_and_is_billed,
    the_position_tells_what_is_left,
);

async fn a_lowered_budget_stops_the_next_call(world: World) {
    let tenant = world.tenant().await;
    let key = LimitOwner::Key(tenant.key);
    limit(&world, key, LimitMetric::MonthlyBudget, 1_000).await;
    let job = running(&world, &tenant, 1_000).await;
    let store = &world.store;
    store.start_step(&job.lease, step(0, 300)).await.unwrap();
    limit(&world, key, LimitMetric::MonthlyBudget, 999).await;
    store
        .settle_step(&job.lease, 0, settlement(300))
        .await
        .unwrap();
    let refused = store.start_step(&job.lease, step(1, 1)).await.unwrap_err();
    let resets_at = world.now().next_month_start();
    assert!(
        matches!(refused, StoreError::Refused(refusal) if refusal == Refusal::Budget {
            scope: LimitScope::Key,
            limit: usd(999),
            settled: usd(0),
            reserved: usd(1_000),
            resets_at
        }),
        "{refused:?}"
    );
    assert_eq!(
        store.load_steps(&job.lease).await.unwrap().len(),
        1,
        "nothing was begun"
    );
    // A free call is made all the same, and a raised budget lets calls through again.
    store.start_step(&job.lease, step(1, 0)).await.unwrap();
    limit(&world, key, LimitMetric::MonthlyBudget, 1_000).await;
    store.start_step(&job.lease, step(2, 1)).await.unwrap();
    sound(&world).await;
}

async fn revoked_credit_stops_the_next_call(world: World) {
    let tenant = poor(&world).await;
    world.grant(tenant.organization, 1_000).await;
    let job = running(&world, &tenant, 1_000).await;
    let store = &world.store;
    store.start_step(&job.lease, step(0, 300)).await.unwrap();
    let operator = store.operator();
    operator
        .revoke_credit(tenant.organization, usd(500), None)
        .await
        .unwrap();
    store
        .start_step(&job.lease, step(1, 200))
        .await
        .expect("300 under way and 200 are within the 500 that are left");
    let refused = store.start_step(&job.lease, step(2, 1)).await;
    assert!(
        matches!(refused, Err(StoreError::Refused(Refusal::Credit { .. }))),
        "{refused:?}"
    );
    for (seq, cost) in [(0, 100), (1, 200)] {
        store
            .settle_step(&job.lease, seq, settlement(cost))
            .await
            .unwrap();
    }
    store
        .start_step(&job.lease, step(2, 200))
        .await
        .expect("the first call cost less than it might have");
    sound(&world).await;
}

async fn a_call_tried_again_is_checked_again(world: World) {
    let tenant = world.tenant().await;
    let key = LimitOwner::Key(tenant.key);
    let job = running(&world, &tenant, 1_000).await;
    world
        .store
        .start_step(&job.lease, step(0, 300))
        .await
        .unwrap();
    limit(&world, key, LimitMetric::MonthlyBudget, 999).await;
    let refused = world.store.restart_step(&job.lease, 0).await;
    assert!(
        matches!(refused, Err(StoreError::Refused(_))),
        "{refused:?}"
    );
    limit(&world, key, LimitMetric::MonthlyBudget, 1_000).await;
    assert_eq!(world.store.restart_step(&job.lease, 0).await.unwrap(), 2);
}

async fn a_charge_over_the_credit_fails_the_job_and_is_billed(world: World) {
    let tenant = poor(&world).await;
    world.grant(tenant.organization, 1_000).await;
    let job = running(&world, &tenant, 1_000).await;
    world
        .store
        .start_step(&job.lease, step(0, 900))
        .await
        .unwrap();
    world
        .store
        .settle_step(&job.lease, 0, settlement(1_001))
        .await
        .unwrap();
    let row = succeed(&world, &job).await;
    assert_eq!((row.status, row.result), (JobStatus::Failed, None));
    assert_eq!(row.error.unwrap().code, "insufficient_credits");
    assert_eq!(row.usage.cost, usd(1_001));
    let operator = world.store.operator();
    let statement = operator
        .credit_statement(tenant.organization)
        .await
        .unwrap();
    assert_eq!(
        (statement.balance, statement.charged),
        (usd(-1), usd(1_001))
    );
    sound(&world).await;
}

async fn the_position_tells_what_is_left(world: World) {
    let tenant = poor(&world).await;
    world.grant(tenant.organization, 10_000).await;
    limit(
        &world,
        LimitOwner::Project(tenant.project),
        LimitMetric::MonthlyBudget,
        5_000,
    )
    .await;
    limit(
        &world,
        LimitOwner::Key(tenant.key),
        LimitMetric::MonthlyJobs,
        7,
    )
    .await;
    let job = running(&world, &tenant, 2_000).await;
    world
        .store
        .start_step(&job.lease, step(0, 900))
        .await
        .unwrap();
    world
        .store
        .settle_step(&job.lease, 0, settlement(600))
        .await
        .unwrap();
    succeed(&world, &job).await;
    attempt(&world, &tenant.scope, 300).await.unwrap();
    let position = world.position(&tenant.scope).await;
    let resets_at = world.now().next_month_start();
    assert_eq!(position.billing, BillingMode::Prepaid);
    assert_eq!(
        position
            .budgets
            .iter()
            .map(|b| (b.scope, b.limit, b.settled, b.reserved, b.remaining()))
            .collect::<Vec<_>>(),
        [
            (
                LimitScope::Project,
                usd(5_000),
                usd(600),
                usd(300),
                usd(4_100)
            ),
            (
                LimitScope::UsageTier,
                usd(100_000_000),
                usd(600),
                usd(300),
                usd(99_999_100)
            ),
        ]
    );
    let quota = position.quotas[0];
    assert_eq!(
        (quota.scope, quota.limit, quota.used, quota.resets_at),
        (LimitScope::Key, 7, 2, resets_at)
    );
    assert_eq!(
        (position.credit.balance, position.credit.reserved),
        (usd(9_100), usd(300))
    );
}
