//! Whatever happens in whatever order: the ledger balances; no call begins that would exceed a cap together
//! with everything spent, in flight or in doubt; and no call is refused because of what jobs are only
//! expected to cost. The store is compared with `money_model`.

use gtm_domain::money::LimitOwner;
use gtm_domain::{MicroUsd, TierTable, UsageTier};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::money::{poor, usd};
use crate::money_acts::{Act, Met, act, end_all, play};
use crate::money_model::Model;
use crate::world::World;

on_both_engines!(any_interleaving_keeps_every_cap);

async fn any_interleaving_keeps_every_cap(mut world: World) {
    // Tiers small enough to be reached: the second opens once a few jobs are paid for.
    let tier = |rank: u32, cap, from_paid| UsageTier {
        key: format!("tier_{rank}"),
        name: format!("Tier {rank}"),
        rank,
        rate_limit_per_minute: 60,
        monthly_cost_cap: usd(cap),
        from_paid: usd(from_paid),
        from_age_days: 0,
    };
    let tiers = TierTable::new(vec![tier(1, 2_500, 0), tier(2, 5_000, 2_000)]).unwrap();
    world.config.tiers = tiers.clone();
    world.reopen().await;
    let (cases, length) = if world.is_postgres() {
        (5, 40)
    } else {
        (25, 60)
    };
    let mut runner = TestRunner::deterministic();
    let acts = proptest::collection::vec(act(), length);
    let mut met = Met::default();
    for _ in 0..cases {
        let acts = acts.new_tree(&mut runner).unwrap().current();
        let mut model = found(&world, tiers.clone()).await;
        for (n, act) in acts.iter().enumerate() {
            play(&world, &mut model, *act, &mut met).await;
            check(&world, &model, &acts[..=n]).await;
        }
        end_all(&world, &mut model).await;
        check(&world, &model, &acts).await;
    }
    // PostgreSQL plays only the first of the same acts.
    assert!(
        world.is_postgres() || met.all(),
        "the acts do not meet everything: {met:?}"
    );
}

/// Creates an organization with two projects, one of which has two keys.
async fn found(world: &World, tiers: TierTable) -> Model {
    let first = poor(world).await;
    let second = world.tenant_in(first.organization).await;
    let operator = world.store.operator();
    let permissions = gtm_domain::Permissions::parse("full").unwrap();
    let (_, secret) = operator
        .create_key(first.project, "second", permissions, None)
        .await
        .unwrap();
    let third = world.store.authenticate(&secret, None).await.unwrap();
    let row = operator
        .show_organization(first.organization)
        .await
        .unwrap();
    let owners = vec![
        LimitOwner::Key(first.key),
        LimitOwner::Key(third.key()),
        LimitOwner::Key(second.key),
        LimitOwner::Project(first.project),
        LimitOwner::Project(second.project),
        LimitOwner::Organization(first.organization),
    ];
    world.grant(first.organization, 2_000).await;
    Model {
        organization: first.organization,
        founded: row.unwrap().created_at,
        tiers,
        scopes: vec![first.scope, second.scope, third],
        budgets: vec![None; owners.len()],
        quotas: vec![None; owners.len()],
        owners,
        granted: 2_000,
        jobs: Vec::new(),
    }
}

async fn check(world: &World, model: &Model, acts: &[Act]) {
    let report = world.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{report:?} after {acts:?}");
    let (now, month) = (world.now(), world.now().month());
    for scope in &model.scopes {
        let position = world.position(scope).await;
        assert_eq!(position.tier.key, model.tier(now).key);
        let mut wanted: Vec<_> = model
            .budgets(scope, now)
            .into_iter()
            .map(|(of, owner, limit)| {
                (
                    of,
                    limit,
                    model.settled(owner, &month),
                    model.set_aside(owner),
                    model.awaiting(owner, &month),
                )
            })
            .collect();
        let mut found: Vec<_> = position
            .budgets
            .iter()
            .map(|b| {
                (
                    b.scope,
                    b.limit.micros(),
                    b.settled.micros(),
                    b.reserved.micros(),
                    b.awaiting.micros(),
                )
            })
            .collect();
        wanted.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, wanted, "after {acts:?}");
        for quota in &position.quotas {
            let owner = model
                .owners
                .iter()
                .find(|owner| owner.scope() == quota.scope && model.concerns(**owner, scope))
                .unwrap();
            assert_eq!(
                i64::try_from(quota.used).unwrap(),
                model.created(*owner, &month)
            );
        }
        assert_eq!(
            (
                position.credit.balance,
                position.credit.reserved,
                position.credit.awaiting
            ),
            (
                usd(model.balance()),
                usd(model.set_aside(model.whole())),
                usd(model.awaiting_in_all())
            )
        );
    }
    let charged: MicroUsd = usd(model.charged());
    let statement = world
        .store
        .operator()
        .credit_statement(model.organization)
        .await
        .unwrap();
    assert_eq!(
        (statement.charged, statement.granted),
        (charged, usd(model.granted))
    );
}
