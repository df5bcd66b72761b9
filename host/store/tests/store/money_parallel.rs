//! Limits under parallel creates on two nodes: exactly as many are admitted as there is room for.

use std::time::Duration;

use gtm_domain::job::CreateJob;
use gtm_domain::money::{LimitMetric, LimitOwner};
use gtm_store::StoreError;
use sqlx::Connection as _;

use crate::money::{job, limit, sound};
use crate::world::{Tenant, World};

on_both_engines!(
    parallel_creates_stop_exactly_at_the_quota,
    parallel_creates_stop_exactly_at_the_budget,
    a_create_that_the_database_ends_for_another_transaction_is_tried_again,
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

async fn a_create_that_the_database_ends_for_another_transaction_is_tried_again(world: World) {
    // SQLite lets one transaction write at a time, so none waits for another in turn.
    if !world.is_postgres() {
        return;
    }
    let tenant = world.tenant().await;
    world.create(&tenant.scope).await;
    let url = world.config.database_url.clone();
    let mut c = sqlx::PgConnection::connect(&url).await.unwrap();
    let all = "SELECT set_config('gtm.project', '*', false)";
    sqlx::query(all).execute(&mut c).await.unwrap();
    // The database ends the one that has waited for a second when both wait, so the create if it is not much faster
    // than this test.
    for _ in 0..10 {
        let mut other = c.begin().await.unwrap();
        // A create holds the money and then wants the head of the audit log; the other transaction wants them in the
        // other order.
        let log = "SELECT 1 FROM audit_heads FOR UPDATE";
        sqlx::query(log).execute(&mut *other).await.unwrap();
        let creating = {
            let (store, scope, job) = (world.store.clone(), tenant.scope.clone(), job(&world, 100));
            tokio::spawn(async move { store.create_job(&scope, job, None).await })
        };
        let waiting = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted";
        let is_waiting = async |other: &mut sqlx::PgConnection| -> bool {
            let count: i64 = sqlx::query_scalar(waiting).fetch_one(other).await.unwrap();
            count > 0
        };
        while !is_waiting(&mut other).await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let money = "SELECT 1 FROM credit_balances FOR UPDATE";
        let went_on = sqlx::query(money).execute(&mut *other).await;
        if went_on.is_ok() {
            assert!(!creating.is_finished());
            other.commit().await.unwrap();
        } else {
            other.rollback().await.unwrap();
        }
        let created = creating.await.unwrap().unwrap();
        assert!(matches!(created, CreateJob::Created(_)), "{created:?}");
        sound(&world).await;
        if went_on.is_ok() {
            return;
        }
    }
    panic!("the database never ended the create");
}
