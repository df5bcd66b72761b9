//! Limits and credit: what they refuse when a job is created, when they reset, and what they count.

use std::time::Duration;

use gtm_domain::job::{CreateJob, Finish, Job, Product};
use gtm_domain::money::{BillingMode, LedgerKind, LimitMetric, LimitOwner, LimitScope, Refusal};
use gtm_domain::step::NewStep;
use gtm_domain::{ErrorCode, JobStatus, MicroUsd, Usage};
use gtm_store::{ClaimedJob, NewJob, ProjectScope, StoreError};
use serde_json::json;

use crate::world::{Tenant, World, new_step, settlement};

on_both_engines!(
    a_used_up_quota_refuses_and_resets_next_month,
    a_replay_is_answered_whatever_is_used_up,
    a_budget_refuses_by_the_narrowest_scope,
    a_job_reserves_what_is_left_and_keeps_its_cap,
    the_tier_caps_a_month_and_grows_with_what_was_paid,
    prepaid_needs_credit_and_postpaid_does_not,
    a_free_job_needs_neither_budget_nor_credit,
    credit_has_notes_and_cannot_be_taken_twice,
    limits_are_listed_by_organization,
    a_broken_sum_is_found,
);

pub fn usd(micros: i64) -> MicroUsd {
    MicroUsd::from_micros(micros)
}

/// An organization without credit, in the lowest tier.
pub async fn poor(world: &World) -> Tenant {
    let operator = world.store.operator();
    let organization = operator.create_organization("Poor").await.unwrap().id;
    world.tenant_in(organization).await
}

/// A job that may cost this amount.
pub fn job(world: &World, micros: i64) -> NewJob {
    NewJob {
        stages: None,
        external_ref: None,
        expected_cost: usd(micros),
        cost_cap: usd(micros.max(1_000_000)),
        ..world.new_job()
    }
}

pub async fn attempt(world: &World, scope: &ProjectScope, micros: i64) -> Result<Job, Refusal> {
    match world
        .store
        .create_job(scope, job(world, micros), None)
        .await
    {
        Ok(CreateJob::Created(row)) => Ok(*row),
        Err(StoreError::Refused(refusal)) => Err(refusal),
        other => panic!("{other:?}"),
    }
}

pub async fn limit(world: &World, owner: LimitOwner, metric: LimitMetric, value: i64) {
    let operator = world.store.operator();
    operator.set_limit(owner, metric, value).await.unwrap();
}

pub fn step(seq: u64, ceiling: i64) -> NewStep {
    NewStep {
        ceiling: usd(ceiling),
        ..new_step(seq)
    }
}

pub async fn succeed(world: &World, job: &ClaimedJob) -> Job {
    let finish = Finish::Succeeded {
        result: json!({}),
        product: Product::None,
    };
    world
        .store
        .finish(&job.lease, finish, Usage::default())
        .await
        .unwrap()
}

pub async fn sound(world: &World) {
    let report = world.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
}

async fn a_used_up_quota_refuses_and_resets_next_month(world: World) {
    let tenant = world.tenant().await;
    let owners = [
        (LimitOwner::Key(tenant.key), LimitScope::Key),
        (LimitOwner::Project(tenant.project), LimitScope::Project),
        (
            LimitOwner::Organization(tenant.organization),
            LimitScope::Organization,
        ),
    ];
    for (n, (owner, scope)) in owners.into_iter().enumerate() {
        let used = i64::try_from(n).unwrap();
        limit(&world, owner, LimitMetric::MonthlyJobs, used + 1).await;
        // A free job counts too.
        attempt(&world, &tenant.scope, 0).await.unwrap();
        let refusal = attempt(&world, &tenant.scope, 0).await.unwrap_err();
        let resets_at = world.now().next_month_start();
        assert_eq!(
            refusal,
            Refusal::Quota {
                scope,
                limit: u64::try_from(used + 1).unwrap(),
                resets_at
            }
        );
        assert_eq!(refusal.code(), ErrorCode::QuotaExceeded);
        let cleared = world
            .store
            .operator()
            .clear_limit(owner, LimitMetric::MonthlyJobs)
            .await
            .unwrap();
        assert_eq!(cleared.unwrap().value, used + 1);
    }
    let key = LimitOwner::Key(tenant.key);
    limit(&world, key, LimitMetric::MonthlyJobs, 3).await;
    let to_reset = world.now().next_month_start().since(world.now());
    world.clock.advance(to_reset - Duration::from_micros(1));
    attempt(&world, &tenant.scope, 0).await.unwrap_err();
    world.clock.advance(Duration::from_micros(1));
    attempt(&world, &tenant.scope, 0).await.unwrap();
    sound(&world).await;
}

async fn a_replay_is_answered_whatever_is_used_up(world: World) {
    let tenant = world.tenant().await;
    limit(
        &world,
        LimitOwner::Project(tenant.project),
        LimitMetric::MonthlyJobs,
        1,
    )
    .await;
    let claim = world.idempotency(&tenant.scope, "k", "input");
    let create = |claim| {
        world
            .store
            .create_job(&tenant.scope, world.new_job(), Some(claim))
    };
    assert!(matches!(
        create(claim).await.unwrap(),
        CreateJob::Created(_)
    ));
    assert!(matches!(
        create(claim).await.unwrap(),
        CreateJob::Replayed(_)
    ));
    let other = world.idempotency(&tenant.scope, "other", "input");
    assert!(matches!(create(other).await, Err(StoreError::Refused(_))));
    // A refused create leaves nothing behind, not even its idempotency key.
    assert_eq!(
        world
            .store
            .find_idempotent(&tenant.scope, &other)
            .await
            .unwrap(),
        None
    );
    assert_eq!(world.number("SELECT COUNT(*) FROM jobs").await, 1);
    sound(&world).await;
}

async fn a_budget_refuses_by_the_narrowest_scope(world: World) {
    let tenant = world.tenant().await;
    let owners = [
        (
            LimitOwner::Organization(tenant.organization),
            LimitScope::Organization,
        ),
        (LimitOwner::Project(tenant.project), LimitScope::Project),
        (LimitOwner::Key(tenant.key), LimitScope::Key),
    ];
    for (owner, scope) in owners {
        limit(&world, owner, LimitMetric::MonthlyBudget, 0).await;
        let refusal = attempt(&world, &tenant.scope, 1).await.unwrap_err();
        assert_eq!(
            refusal,
            Refusal::Budget {
                scope,
                limit: usd(0),
                settled: usd(0),
                reserved: usd(0),
                awaiting: usd(0),
                resets_at: world.now().next_month_start()
            }
        );
        assert_eq!(refusal.code(), ErrorCode::BudgetExceeded);
    }
    // Another key of the project has the project's budget, but not the first key's.
    let other = world.tenant_in(tenant.organization).await;
    let refusal = attempt(&world, &other.scope, 1).await.unwrap_err();
    assert!(matches!(
        refusal,
        Refusal::Budget {
            scope: LimitScope::Organization,
            ..
        }
    ));
    sound(&world).await;
}

async fn a_job_reserves_what_is_left_and_keeps_its_cap(world: World) {
    let tenant = poor(&world).await;
    let project = LimitOwner::Project(tenant.project);
    world.grant(tenant.organization, 1_000).await;
    let first = attempt(&world, &tenant.scope, 400).await.unwrap();
    assert_eq!((first.reserved, first.cost_cap), (usd(400), usd(1_000_000)));
    limit(&world, project, LimitMetric::MonthlyBudget, 900).await;
    let second = attempt(&world, &tenant.scope, 5_000).await.unwrap();
    assert_eq!(
        (second.reserved, second.cost_cap),
        (usd(500), usd(1_000_000)),
        "the budget leaves this"
    );
    // Nothing was charged yet: the create is refused because of what is set aside.
    let refusal = attempt(&world, &tenant.scope, 1).await.unwrap_err();
    assert_eq!(
        refusal,
        Refusal::Budget {
            scope: LimitScope::Project,
            limit: usd(900),
            settled: usd(0),
            reserved: usd(900),
            awaiting: usd(0),
            resets_at: world.now().next_month_start()
        }
    );
    limit(&world, project, LimitMetric::MonthlyBudget, 5_000).await;
    let third = attempt(&world, &tenant.scope, 5_000).await.unwrap();
    assert_eq!(third.reserved, usd(100), "the credit leaves this");
    let refusal = attempt(&world, &tenant.scope, 1).await.unwrap_err();
    assert_eq!(
        refusal,
        Refusal::Credit {
            balance: usd(0),
            awaiting: usd(0)
        }
    );
    assert_eq!(refusal.code(), ErrorCode::InsufficientCredits);
    // A job that ends releases what it did not use.
    world.store.operator().cancel_job(first.id).await.unwrap();
    assert_eq!(
        attempt(&world, &tenant.scope, 5_000)
            .await
            .unwrap()
            .reserved,
        usd(400)
    );
    sound(&world).await;
}

async fn the_tier_caps_a_month_and_grows_with_what_was_paid(world: World) {
    let tenant = poor(&world).await;
    let organization = tenant.organization;
    world.grant(organization, 1_000_000_000).await;
    // Tier 1: $100 a month.
    let first = attempt(&world, &tenant.scope, 500_000_000).await.unwrap();
    assert_eq!(first.reserved, usd(100_000_000));
    assert!(matches!(
        attempt(&world, &tenant.scope, 1).await.unwrap_err(),
        Refusal::Budget {
            scope: LimitScope::UsageTier,
            ..
        }
    ));
    let claimed = world.claim_one().await;
    world.step(&claimed.lease, 0, 60_000_000).await.unwrap();
    succeed(&world, &claimed).await;
    let position = world.position(&tenant.scope).await;
    assert_eq!(position.tier.key, "tier_1", "paid enough, but too young");
    world.clock.advance(Duration::from_secs(7 * 86_400));
    let position = world.position(&tenant.scope).await;
    assert_eq!(position.tier.key, "tier_2");
    let operator = world.store.operator();
    let given = Some(Some("tier_3".to_owned()));
    let row = operator
        .set_billing(organization, None, given)
        .await
        .unwrap();
    assert_eq!(
        (row.tier.as_deref(), row.paid_total),
        (Some("tier_3"), usd(60_000_000))
    );
    let position = world.position(&tenant.scope).await;
    assert_eq!(position.tier.key, "tier_3");
    let unknown = Some(Some("gold".to_owned()));
    assert!(matches!(
        operator.set_billing(organization, None, unknown).await,
        Err(StoreError::Conflict(_))
    ));
    sound(&world).await;
}

async fn prepaid_needs_credit_and_postpaid_does_not(world: World) {
    let tenant = poor(&world).await;
    assert_eq!(
        attempt(&world, &tenant.scope, 1).await.unwrap_err(),
        Refusal::Credit {
            balance: usd(0),
            awaiting: usd(0)
        }
    );
    let operator = world.store.operator();
    operator
        .set_billing(tenant.organization, Some(BillingMode::Postpaid), None)
        .await
        .unwrap();
    attempt(&world, &tenant.scope, 700).await.unwrap();
    let claimed = world.claim_one().await;
    world
        .store
        .start_step(&claimed.lease, step(0, 600))
        .await
        .unwrap();
    world
        .store
        .settle_step(&claimed.lease, 0, settlement(600))
        .await
        .unwrap();
    assert_eq!(
        succeed(&world, &claimed).await.status,
        JobStatus::Succeeded,
        "debt fails no job of a postpaid organization"
    );
    let statement = operator
        .credit_statement(tenant.organization)
        .await
        .unwrap();
    assert_eq!(
        (statement.balance, statement.charged, statement.granted),
        (usd(-600), usd(600), usd(0))
    );
    sound(&world).await;
}

pub async fn running(world: &World, tenant: &Tenant, micros: i64) -> ClaimedJob {
    attempt(world, &tenant.scope, micros).await.unwrap();
    world.claim_one().await
}

async fn a_free_job_needs_neither_budget_nor_credit(world: World) {
    let tenant = poor(&world).await;
    let project = LimitOwner::Project(tenant.project);
    limit(&world, project, LimitMetric::MonthlyBudget, 0).await;
    let row = attempt(&world, &tenant.scope, 0).await.unwrap();
    assert_eq!((row.reserved, row.cost_cap), (usd(0), usd(0)));
    let claimed = world.claim_one().await;
    world.step(&claimed.lease, 0, 0).await.unwrap();
    assert_eq!(succeed(&world, &claimed).await.status, JobStatus::Succeeded);
    sound(&world).await;
}

async fn credit_has_notes_and_cannot_be_taken_twice(world: World) {
    let tenant = poor(&world).await;
    // Another organization has granted credit too; this one's statement must not show it.
    world.tenant().await;
    let operator = world.store.operator();
    let organization = tenant.organization;
    let note = Some("invoice 7".to_owned());
    let grant = operator
        .grant_credit(organization, usd(500), note.clone())
        .await
        .unwrap();
    assert_eq!((grant.kind, grant.credit()), (LedgerKind::Grant, usd(500)));
    let too_much = operator.revoke_credit(organization, usd(501), None).await;
    assert!(matches!(too_much, Err(StoreError::Conflict(_))));
    let nothing = operator.grant_credit(organization, usd(0), None).await;
    assert!(matches!(nothing, Err(StoreError::Conflict(_))));
    world.clock.advance(Duration::from_millis(1));
    let taken = operator
        .revoke_credit(organization, usd(500), None)
        .await
        .unwrap();
    assert_eq!(taken.kind, LedgerKind::Adjustment);
    let statement = operator.credit_statement(organization).await.unwrap();
    assert_eq!((statement.granted, statement.balance), (usd(0), usd(0)));
    assert_eq!(statement.movements, [grant, taken]);
    assert_eq!(statement.movements[0].note, note);
    assert_eq!(
        world
            .number("SELECT COUNT(*) FROM audit_log WHERE action IN ('credit.granted', 'credit.revoked')")
            .await,
        3
    );
    let rewritten = world
        .raw("UPDATE ledger_transactions SET note = 'x' WHERE job_id IS NULL")
        .await;
    assert!(rewritten.is_err(), "the ledger is append-only");
    sound(&world).await;
}

async fn limits_are_listed_by_organization(world: World) {
    let (a, b) = (world.tenant().await, world.tenant().await);
    for owner in [
        LimitOwner::Key(a.key),
        LimitOwner::Project(a.project),
        LimitOwner::Organization(a.organization),
        LimitOwner::Project(b.project),
    ] {
        limit(&world, owner, LimitMetric::MonthlyBudget, 5).await;
    }
    limit(&world, LimitOwner::Key(b.key), LimitMetric::MonthlyJobs, 5).await;
    let operator = world.store.operator();
    let count = |metric, organization| {
        let operator = operator.clone();
        async move {
            operator
                .list_limits(metric, organization)
                .await
                .unwrap()
                .len()
        }
    };
    assert_eq!(count(LimitMetric::MonthlyBudget, None).await, 4);
    let of_a = count(LimitMetric::MonthlyBudget, Some(a.organization)).await;
    assert_eq!(of_a, 3);
    let of_b = count(LimitMetric::MonthlyBudget, Some(b.organization)).await;
    assert_eq!(of_b, 1, "without the other's key");
    assert_eq!(
        count(LimitMetric::MonthlyJobs, Some(b.organization)).await,
        1
    );
    let absent = LimitOwner::Organization(gtm_domain::OrganizationId::from_uuid(
        gtm_store::uuid_v7(world.now()),
    ));
    assert!(matches!(
        operator
            .set_limit(absent, LimitMetric::MonthlyJobs, 1)
            .await,
        Err(StoreError::Absent { .. })
    ));
}

async fn a_broken_sum_is_found(world: World) {
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, 1_000).await;
    world.step(&job.lease, 0, 10).await.unwrap();
    succeed(&world, &job).await;
    attempt(&world, &tenant.scope, 50).await.unwrap();
    sound(&world).await;
    for (table, column) in [
        ("credit_balances", "balance"),
        ("organizations", "paid_total"),
        ("open_reservations", "reserved"),
        ("open_reservations", "exposed"),
        ("monthly_totals", "settled"),
        ("monthly_totals", "jobs"),
        ("monthly_totals", "awaiting"),
        ("jobs", "awaiting"),
    ] {
        let change = |by: &str| format!("UPDATE {table} SET {column} = {column} {by} 1");
        world.raw(&change("+")).await.unwrap();
        let report = world.store.verify_ledger().await.unwrap();
        assert!(!report.is_sound(), "{table}.{column}");
        world.raw(&change("-")).await.unwrap();
        sound(&world).await;
    }
}
