//! Money that calls of ended jobs may still be charged must not be spent twice: it counts against every
//! limit until an operator has settled the calls.

use gtm_domain::job::{Finish, Job, JobError};
use gtm_domain::money::{
    BillingMode, LimitMetric, LimitOwner, LimitScope, ProviderCallId, Refusal,
};
use gtm_domain::{MicroUsd, Usage};
use gtm_store::{Settlement, StoreError};

use crate::money::{attempt, limit, poor, running, sound, step, usd};
use crate::world::{Tenant, World, settlement};

on_both_engines!(
    what_is_in_doubt_cannot_be_spent_again,
    a_budget_holds_it_until_its_month_is_over,
    an_operator_sees_and_frees_it,
    a_job_that_is_given_up_holds_what_its_calls_may_have_cost,
    doubts_from_before_are_counted,
    more_than_the_ceiling_is_held,
    each_time_that_a_call_was_begun_is_held,
);

/// Runs a job with a single call, which may cost `ceiling`, is charged `cost`, and is then left in doubt.
async fn doubtful(world: &World, tenant: &Tenant, ceiling: i64, cost: i64) -> Job {
    let job = running(world, tenant, 10).await;
    let store = &world.store;
    store
        .start_step(&job.lease, step(0, ceiling))
        .await
        .unwrap();
    let lost = Settlement {
        reconcile: true,
        ..settlement(cost)
    };
    store.settle_step(&job.lease, 0, lost).await.unwrap();
    let ended = store.finish(&job.lease, Finish::Canceled, Usage::default());
    ended.await.unwrap()
}

async fn reconcile(world: &World, job: &Job, step: u64, micros: i64) {
    let id = ProviderCallId { job: job.id, step };
    let operator = world.store.operator();
    operator
        .reconcile_call(id, usd(micros), None)
        .await
        .unwrap();
}

async fn what_is_in_doubt_cannot_be_spent_again(world: World) {
    let tenant = poor(&world).await;
    world.grant(tenant.organization, 1_000).await;
    let first = doubtful(&world, &tenant, 400, 0).await;
    let second = doubtful(&world, &tenant, 500, 50).await;
    sound(&world).await;
    // Of 1,000, 50 are charged; another 400 and 450 may be.
    let credit = world.position(&tenant.scope).await.credit;
    assert_eq!(
        (credit.balance, credit.awaiting, credit.reserved),
        (usd(100), usd(850), usd(0))
    );
    let job = running(&world, &tenant, 100).await;
    let store = &world.store;
    let refused = store.start_step(&job.lease, step(0, 101)).await;
    let Err(StoreError::Refused(refusal)) = refused else {
        panic!("{refused:?}")
    };
    let (balance, awaiting) = (usd(100), usd(850));
    assert_eq!(refusal, Refusal::Credit { balance, awaiting });
    let refusal = attempt(&world, &tenant.scope, 1).await.unwrap_err();
    let balance = usd(0);
    assert_eq!(refusal, Refusal::Credit { balance, awaiting });
    store.start_step(&job.lease, step(0, 100)).await.unwrap();
    sound(&world).await;
    // What was not charged is available again; what was charged is gone.
    reconcile(&world, &first, 0, 0).await;
    reconcile(&world, &second, 0, 500).await;
    let credit = world.position(&tenant.scope).await.credit;
    assert_eq!((credit.balance, credit.awaiting), (usd(400), usd(0)));
    store.start_step(&job.lease, step(1, 400)).await.unwrap();
    sound(&world).await;
}

async fn a_budget_holds_it_until_its_month_is_over(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let later = Some(BillingMode::Postpaid);
    operator
        .set_billing(tenant.organization, later, None)
        .await
        .unwrap();
    let other_key = world.tenant_in(tenant.organization).await;
    for (owner, scope) in [
        (LimitOwner::Key(tenant.key), LimitScope::Key),
        (LimitOwner::Project(tenant.project), LimitScope::Project),
        (
            LimitOwner::Organization(tenant.organization),
            LimitScope::Organization,
        ),
    ] {
        let next_month = world.now().next_month_start().since(world.now());
        world.clock.advance(next_month);
        limit(&world, owner, LimitMetric::MonthlyBudget, 1_000).await;
        let lost = doubtful(&world, &tenant, 1_000, 300).await;
        let refusal = attempt(&world, &tenant.scope, 1).await.unwrap_err();
        let resets_at = world.now().next_month_start();
        assert_eq!(
            refusal,
            Refusal::Budget {
                scope,
                limit: usd(1_000),
                settled: usd(300),
                reserved: usd(0),
                awaiting: usd(700),
                resets_at
            }
        );
        assert_eq!(
            attempt(&world, &other_key.scope, 1).await.is_ok(),
            scope != LimitScope::Organization,
            "another project's is its own"
        );
        for waiting in world.claim(2).await {
            let ended = Finish::Canceled;
            let ended = world
                .store
                .finish(&waiting.lease, ended, Usage::default())
                .await;
            ended.unwrap();
        }
        // A correction counts in the month of the charge, so the next month starts at zero.
        let next_month = world.now().next_month_start().since(world.now());
        world.clock.advance(next_month);
        let position = world.position(&tenant.scope).await;
        let budget = position.budgets.iter().find(|b| b.scope == scope).unwrap();
        assert_eq!(
            (budget.settled, budget.awaiting, budget.remaining()),
            (usd(0), usd(0), usd(1_000))
        );
        assert_eq!(position.credit.awaiting, usd(700), "credit has no month");
        sound(&world).await;
        reconcile(&world, &lost, 0, 1_000).await;
        let position = world.position(&tenant.scope).await;
        let budget = position.budgets.iter().find(|b| b.scope == scope).unwrap();
        assert_eq!((budget.settled, budget.awaiting), (usd(0), usd(0)));
        assert_eq!(position.credit.awaiting, usd(0));
        sound(&world).await;
        operator
            .clear_limit(owner, LimitMetric::MonthlyBudget)
            .await
            .unwrap();
    }
}

async fn an_operator_sees_and_frees_it(world: World) {
    let tenant = poor(&world).await;
    world.grant(tenant.organization, 2_000).await;
    let job = doubtful(&world, &tenant, 600, 100).await;
    let operator = world.store.operator();
    let report = world.store.verify_ledger().await.unwrap();
    assert_eq!(
        (report.awaiting_reconciliation, report.awaiting),
        (1, usd(500))
    );
    let statement = operator.credit_statement(tenant.organization).await;
    let statement = statement.unwrap();
    assert_eq!(
        (
            statement.granted,
            statement.charged,
            statement.awaiting,
            statement.balance
        ),
        (usd(2_000), usd(100), usd(500), usd(1_400))
    );
    let all = gtm_store::MarkedCallFilter {
        settled: true,
        limit: 10,
        ..gtm_store::MarkedCallFilter::default()
    };
    let held = async || operator.marked_calls(&all).await.unwrap()[0].held;
    assert_eq!(held().await, usd(500));
    reconcile(&world, &job, 0, 700).await;
    assert_eq!(held().await, usd(0));
    let statement = operator.credit_statement(tenant.organization).await;
    let statement = statement.unwrap();
    assert_eq!(
        (statement.charged, statement.awaiting, statement.balance),
        (usd(700), usd(0), usd(1_300))
    );
    // Settling again releases nothing twice.
    reconcile(&world, &job, 0, 700).await;
    let report = world.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
    assert_eq!(
        (report.awaiting_reconciliation, report.awaiting),
        (0, usd(0))
    );
}

async fn a_job_that_is_given_up_holds_what_its_calls_may_have_cost(world: World) {
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, 1_000).await;
    let store = &world.store;
    // Settled at 300 of 400; in doubt with 50 of 80 charged; begun at 500.
    store.start_step(&job.lease, step(0, 400)).await.unwrap();
    let settled = store.settle_step(&job.lease, 0, settlement(300));
    settled.await.unwrap();
    store.start_step(&job.lease, step(1, 80)).await.unwrap();
    let lost = Settlement {
        reconcile: true,
        ..settlement(50)
    };
    store.settle_step(&job.lease, 1, lost).await.unwrap();
    store.start_step(&job.lease, step(2, 500)).await.unwrap();
    let error = JobError {
        code: "settlement_failed".to_owned(),
        message: "x".to_owned(),
        details: None,
    };
    let row = store.give_up(&job.lease, error).await.unwrap();
    let awaiting = async || world.position(&tenant.scope).await.credit.awaiting;
    assert_eq!(awaiting().await, usd(880), "300 and 80 and 500");
    sound(&world).await;
    for (step, left) in [(2, 380), (0, 80), (1, 0)] {
        reconcile(&world, &row, step, 0).await;
        assert_eq!(awaiting().await, usd(left));
    }
    assert_eq!(
        world.position(&tenant.scope).await.credit.total(),
        MicroUsd::from_micros(crate::world::CREDIT)
    );
    sound(&world).await;
}

async fn doubts_from_before_are_counted(mut world: World) {
    let tenant = poor(&world).await;
    world.grant(tenant.organization, 5_000).await;
    doubtful(&world, &tenant, 400, 100).await;
    let next_month = world.now().next_month_start().since(world.now());
    world.clock.advance(next_month);
    doubtful(&world, &tenant, 900, 0).await;
    let settled = doubtful(&world, &tenant, 700, 0).await;
    reconcile(&world, &settled, 0, 600).await;
    let open = running(&world, &tenant, 10).await;
    let store = &world.store;
    store.start_step(&open.lease, step(0, 50)).await.unwrap();
    let lost = Settlement {
        reconcile: true,
        ..settlement(0)
    };
    store.settle_step(&open.lease, 0, lost).await.unwrap();
    let before = world.position(&tenant.scope).await;
    // The state of a database from before these sums existed.
    world.store.close().await;
    for sql in [
        "ALTER TABLE jobs DROP COLUMN awaiting",
        "ALTER TABLE monthly_totals DROP COLUMN awaiting",
        "ALTER TABLE job_steps DROP COLUMN keyed",
        "DELETE FROM monthly_totals WHERE settled = 0 AND jobs = 0",
        "DELETE FROM _sqlx_migrations WHERE version IN (19, 20)",
    ] {
        world.raw(sql).await.unwrap();
    }
    world.reopen().await;
    sound(&world).await;
    let after = world.position(&tenant.scope).await;
    assert_eq!(after, before);
    assert_eq!(after.credit.awaiting, usd(1_200));
    assert_eq!(after.budgets[0].awaiting, usd(900), "of this month");
}

async fn more_than_the_ceiling_is_held(world: World) {
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, 1_000).await;
    let store = &world.store;
    // Charged 100 of 400, and sent two more times without an answer.
    store.start_step(&job.lease, step(0, 400)).await.unwrap();
    let lost = Settlement {
        reconcile: true,
        at_most: Some(usd(900)),
        ..settlement(100)
    };
    store.settle_step(&job.lease, 0, lost).await.unwrap();
    let held = store.load_steps(&job.lease).await.unwrap()[0].held;
    assert_eq!(held, usd(800));
    assert_eq!(world.position(&tenant.scope).await.credit.exposed, usd(900));
    sound(&world).await;
    let ended = store.finish(&job.lease, Finish::Canceled, Usage::default());
    let row = ended.await.unwrap();
    let credit = world.position(&tenant.scope).await.credit;
    assert_eq!((credit.exposed, credit.awaiting), (usd(0), usd(800)));
    sound(&world).await;
    reconcile(&world, &row, 0, 900).await;
    assert_eq!(world.position(&tenant.scope).await.credit.awaiting, usd(0));
    sound(&world).await;
}

async fn each_time_that_a_call_was_begun_is_held(world: World) {
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, 1_000).await;
    let store = &world.store;
    store.start_step(&job.lease, step(0, 500)).await.unwrap();
    for begun in 1..3 {
        store.restart_step(&job.lease, 0, begun).await.unwrap();
    }
    let error = JobError {
        code: "settlement_failed".to_owned(),
        message: "x".to_owned(),
        details: None,
    };
    let row = store.give_up(&job.lease, error).await.unwrap();
    assert_eq!(
        world.position(&tenant.scope).await.credit.awaiting,
        usd(1_500)
    );
    sound(&world).await;
    reconcile(&world, &row, 0, 0).await;
    sound(&world).await;
}
