//! Limits and credit while a job runs: which calls may begin, what the job is charged, what is left.

use gtm_domain::JobStatus;
use gtm_domain::money::{BillingMode, LimitMetric, LimitOwner, LimitScope, Refusal};
use gtm_store::{Settlement, StoreError};

use crate::money::{attempt, limit, poor, running, sound, step, succeed, usd};
use crate::world::{World, settlement};

on_both_engines!(
    a_lowered_budget_stops_the_next_call,
    what_is_only_expected_of_jobs_stops_no_call,
    what_calls_took_beyond_reservations_counts_at_create,
    one_jobs_reservation_does_not_pay_for_anothers_calls,
    a_call_in_doubt_keeps_its_ceiling_when_the_job_ends,
    what_jobs_cost_is_learned_from_those_that_succeed,
    revoked_credit_stops_the_next_call,
    a_call_tried_again_is_checked_again,
    a_call_is_not_refused_beside_itself,
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
    limit(&world, key, LimitMetric::MonthlyBudget, 300).await;
    store
        .settle_step(&job.lease, 0, settlement(300))
        .await
        .unwrap();
    let refused = store.start_step(&job.lease, step(1, 1)).await.unwrap_err();
    let resets_at = world.now().next_month_start();
    assert!(
        matches!(refused, StoreError::Refused(refusal) if refusal == Refusal::Budget {
            scope: LimitScope::Key,
            limit: usd(300),
            settled: usd(0),
            reserved: usd(300),
            awaiting: usd(0),
            resets_at
        }),
        "{refused:?}"
    );
    assert_eq!(
        store.load_steps(&job.lease).await.unwrap().len(),
        1,
        "nothing was begun"
    );
    // A free call may still begin, and a raised budget admits calls again.
    store.start_step(&job.lease, step(1, 0)).await.unwrap();
    limit(&world, key, LimitMetric::MonthlyBudget, 301).await;
    store.start_step(&job.lease, step(2, 1)).await.unwrap();
    sound(&world).await;
}

async fn what_is_only_expected_of_jobs_stops_no_call(world: World) {
    let tenant = poor(&world).await;
    let key = LimitOwner::Key(tenant.key);
    world.grant(tenant.organization, 1_000).await;
    limit(&world, key, LimitMetric::MonthlyBudget, 1_000).await;
    let job = running(&world, &tenant, 100).await;
    // The rest is set aside for a waiting job; a further job is refused.
    let waiting = attempt(&world, &tenant.scope, 5_000).await.unwrap();
    assert_eq!(waiting.reserved, usd(900));
    attempt(&world, &tenant.scope, 1).await.unwrap_err();
    let store = &world.store;
    // The running job may take all that it needs beyond its reservation, to the end of the budget.
    store.start_step(&job.lease, step(0, 600)).await.unwrap();
    store.start_step(&job.lease, step(1, 400)).await.unwrap();
    let refused = store.start_step(&job.lease, step(2, 1)).await.unwrap_err();
    assert!(
        matches!(refused, StoreError::Refused(Refusal::Budget { reserved, .. }) if reserved == usd(1_000)),
        "{refused:?}"
    );
    for seq in [0, 1] {
        let settled = store.settle_step(&job.lease, seq, settlement(400));
        settled.await.unwrap();
    }
    // What was spent also counts when a job is created, in addition to what is set aside for the other job:
    // that one's reservation does not cover this one's calls.
    let position = world.position(&tenant.scope).await;
    assert_eq!(
        (position.budgets[0].exposed, position.budgets[0].reserved),
        (usd(800), usd(1_700))
    );
    succeed(&world, &job).await;
    let position = world.position(&tenant.scope).await;
    let budget = position.budgets[0];
    assert_eq!(
        (budget.settled, budget.exposed, budget.reserved),
        (usd(800), usd(0), usd(900)),
        "the waiting job keeps its reservation, though no more than 200 is left for its calls"
    );
    assert_eq!(position.credit.balance, usd(-700));
    let job = world.claim_one().await;
    store
        .start_step(&job.lease, step(0, 201))
        .await
        .unwrap_err();
    store.start_step(&job.lease, step(0, 200)).await.unwrap();
    sound(&world).await;
}

async fn what_calls_took_beyond_reservations_counts_at_create(world: World) {
    let tenant = poor(&world).await;
    world.grant(tenant.organization, 1_000).await;
    let job = running(&world, &tenant, 10).await;
    world
        .store
        .start_step(&job.lease, step(0, 1_000))
        .await
        .unwrap();
    let position = world.position(&tenant.scope).await;
    assert_eq!(
        (position.credit.balance, position.credit.reserved),
        (usd(0), usd(1_000))
    );
    let refused = attempt(&world, &tenant.scope, 1).await.unwrap_err();
    assert_eq!(
        refused,
        Refusal::Credit {
            balance: usd(0),
            awaiting: usd(0)
        }
    );
    world
        .store
        .settle_step(&job.lease, 0, settlement(700))
        .await
        .unwrap();
    let made = attempt(&world, &tenant.scope, 5_000).await.unwrap();
    assert_eq!(made.reserved, usd(300));
    succeed(&world, &job).await;
    let operator = world.store.operator();
    let statement = operator.credit_statement(tenant.organization).await;
    let statement = statement.unwrap();
    assert_eq!(
        (statement.charged, statement.reserved, statement.balance),
        (usd(700), usd(300), usd(0))
    );
    sound(&world).await;
}

async fn one_jobs_reservation_does_not_pay_for_anothers_calls(world: World) {
    let tenant = poor(&world).await;
    world.grant(tenant.organization, 1_000).await;
    let store = &world.store;
    let running = running(&world, &tenant, 100).await;
    attempt(&world, &tenant.scope, 500).await.unwrap();
    let started = store.start_step(&running.lease, step(0, 400));
    started.await.unwrap();
    // 400 are taken here and 500 expected there, so at most 100 can be reserved for another job.
    let third = attempt(&world, &tenant.scope, 500).await.unwrap();
    assert_eq!(third.reserved, usd(100));
    let refused = attempt(&world, &tenant.scope, 1).await.unwrap_err();
    assert_eq!(
        refused,
        Refusal::Credit {
            balance: usd(0),
            awaiting: usd(0)
        }
    );
    sound(&world).await;
    // Of what it took beyond its reservation, the unused part is available again.
    let settled = store.settle_step(&running.lease, 0, settlement(150));
    settled.await.unwrap();
    assert_eq!(world.position(&tenant.scope).await.credit.balance, usd(250));
    succeed(&world, &running).await;
    let credit = world.position(&tenant.scope).await.credit;
    assert_eq!((credit.balance, credit.reserved), (usd(250), usd(600)));
    sound(&world).await;
}

async fn a_call_in_doubt_keeps_its_ceiling_when_the_job_ends(world: World) {
    let tenant = poor(&world).await;
    world.grant(tenant.organization, 1_000).await;
    let store = &world.store;
    let job = running(&world, &tenant, 10).await;
    store.start_step(&job.lease, step(0, 600)).await.unwrap();
    let lost = Settlement {
        reconcile: true,
        ..settlement(50)
    };
    store.settle_step(&job.lease, 0, lost).await.unwrap();
    let steps = store.load_steps(&job.lease).await.unwrap();
    assert_eq!(steps[0].held, usd(550));
    assert_eq!(world.position(&tenant.scope).await.credit.exposed, usd(600));
    let refused = store.start_step(&job.lease, step(1, 401)).await;
    assert!(
        matches!(refused, Err(StoreError::Refused(Refusal::Credit { balance, .. })) if balance == usd(400)),
        "{refused:?}"
    );
    store.start_step(&job.lease, step(1, 400)).await.unwrap();
    store
        .settle_step(&job.lease, 1, settlement(0))
        .await
        .unwrap();
    sound(&world).await;
    let ended = succeed(&world, &job).await;
    assert_eq!(ended.usage.cost, usd(50));
    let credit = world.position(&tenant.scope).await.credit;
    assert_eq!(
        (credit.balance, credit.exposed, credit.awaiting),
        (usd(400), usd(0), usd(550))
    );
    sound(&world).await;
}

async fn what_jobs_cost_is_learned_from_those_that_succeed(world: World) {
    let tenant = world.tenant().await;
    let expected = async || {
        let store = &world.store;
        let cost = store.expected_cost(&tenant.scope, gtm_domain::JobType::Playbooks, "playbook");
        cost.await.unwrap()
    };
    assert_eq!(expected().await, None);
    let end = async |cost: i64, well: bool| {
        let job = running(&world, &tenant, 1_000).await;
        let store = &world.store;
        store.start_step(&job.lease, step(0, 10_000)).await.unwrap();
        store
            .settle_step(&job.lease, 0, settlement(cost))
            .await
            .unwrap();
        if well {
            succeed(&world, &job).await;
        } else {
            let finish = gtm_domain::job::Finish::Canceled;
            store
                .finish(&job.lease, finish, gtm_domain::Usage::default())
                .await
                .unwrap();
        }
    };
    end(50, false).await;
    assert_eq!(
        expected().await,
        None,
        "a canceled job may have needed more"
    );
    end(800, true).await;
    assert_eq!(expected().await, Some(usd(800)));
    end(1_600, true).await;
    assert_eq!(
        expected().await,
        Some(usd(900)),
        "an eighth of the difference"
    );
    end(0, true).await;
    assert_eq!(expected().await, Some(usd(788)));
    // A job that cannot cost anything teaches nothing, and each organization learns for itself.
    let free = running(&world, &tenant, 0).await;
    succeed(&world, &free).await;
    assert_eq!(expected().await, Some(usd(788)));
    let other = world.tenant().await;
    for (scope, job_type, backend) in [
        (&other.scope, gtm_domain::JobType::Playbooks, "playbook"),
        (&tenant.scope, gtm_domain::JobType::Brands, "playbook"),
        (&tenant.scope, gtm_domain::JobType::Playbooks, "other"),
    ] {
        let learned = world.store.expected_cost(scope, job_type, backend);
        assert_eq!(learned.await.unwrap(), None);
    }
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
    limit(&world, key, LimitMetric::MonthlyBudget, 299).await;
    let refused = world.store.restart_step(&job.lease, 0, 1).await;
    assert!(
        matches!(refused, Err(StoreError::Refused(_))),
        "{refused:?}"
    );
    // Without a key, the first attempt may be charged too.
    limit(&world, key, LimitMetric::MonthlyBudget, 600).await;
    assert_eq!(world.store.restart_step(&job.lease, 0, 1).await.unwrap(), 2);
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

async fn a_call_is_not_refused_beside_itself(world: World) {
    let tenant = world.tenant().await;
    let project = LimitOwner::Project(tenant.project);
    limit(&world, project, LimitMetric::MonthlyBudget, 1_000).await;
    let job = running(&world, &tenant, 10).await;
    let store = &world.store;
    store.start_step(&job.lease, step(0, 600)).await.unwrap();
    // The confirmation of this write was lost, so it is repeated: the error says that it was done, not that
    // a limit refuses it.
    let again = store.start_step(&job.lease, step(0, 600)).await;
    assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
    let another = store.start_step(&job.lease, step(1, 600)).await;
    assert!(
        matches!(another, Err(StoreError::Refused(_))),
        "{another:?}"
    );
    sound(&world).await;
}
