//! Limits under parallel creates on two nodes: exactly as many are admitted as there is room for.

use gtm_domain::job::CreateJob;
use gtm_domain::money::{LimitMetric, LimitOwner};
use gtm_store::StoreError;

use crate::money::{job, limit, sound};
use crate::world::{Tenant, World};

on_both_engines!(
    parallel_creates_stop_exactly_at_the_quota,
    parallel_creates_stop_exactly_at_the_budget,
);

async fn storm(world: &World, tenant: &Tenant, requests: usize, micros: i64) -> (usize, i64) {
    let other = world.another_node().await;
    let mut tasks = Vec::new();
    for n in 0..requests {
        let store = if n % 2 == 0 { &world.store } else { &other };
        let (store, scope, job) = (store.clone(), tenant.scope.clone(), job(world, micros));
        tasks.push(tokio::spawn(async move {
            store.create_job(&scope, job, None).await
        }));
    }
    let (mut created, mut reserved) = (0, 0);
    for task in tasks {
        match task.await.unwrap() {
            Ok(CreateJob::Created(row)) => {
                created += 1;
                reserved += row.reserved.micros();
            }
            Err(StoreError::Refused(_)) => {}
            other => panic!("{other:?}"),
        }
    }
    other.close().await;
    sound(world).await;
    (created, reserved)
}

async fn parallel_creates_stop_exactly_at_the_quota(world: World) {
    let tenant = world.tenant().await;
    let owner = LimitOwner::Organization(tenant.organization);
    limit(&world, owner, LimitMetric::MonthlyJobs, 10).await;
    assert_eq!(storm(&world, &tenant, 64, 0).await, (10, 0));
}

async fn parallel_creates_stop_exactly_at_the_budget(world: World) {
    let tenant = world.tenant().await;
    let owner = LimitOwner::Project(tenant.project);
    limit(&world, owner, LimitMetric::MonthlyBudget, 1_050).await;
    assert_eq!(
        storm(&world, &tenant, 64, 100).await,
        (11, 1_050),
        "ten whole reservations and what was left"
    );
}
