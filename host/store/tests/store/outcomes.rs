//! The end of a job: it happens once, with its charge, whatever happens around it.

use gtm_domain::job::{Finish, JobError, Product};
use gtm_domain::money::LedgerKind;
use gtm_domain::{JobStatus, MicroUsd, TokenUsage, Usage};
use gtm_store::StoreError;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::world::{LEASE, Tenant, World, new_step, settlement};

on_both_engines!(
    a_succeeded_job_has_result_usage_and_charge,
    a_failed_job_has_its_error_and_is_charged_for_its_calls,
    a_job_is_finished_once,
    two_workers_finish_once,
    any_interleaving_balances,
);

async fn a_succeeded_job_has_result_usage_and_charge(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    world.step(&job.lease, 0, 250_000).await.unwrap();
    let report = world.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
    assert_eq!(report.reserved, job.job.reserved);
    let usage = Usage {
        tokens: TokenUsage {
            input: 10,
            output: 5,
            ..TokenUsage::default()
        },
        cost: MicroUsd::from_micros(1),
        backend_requests: 1,
        backend_runtime_ms: 1234,
        connector_requests: 1,
        connector_bytes: 10,
    };
    let result = json!({"business_summary": "é"});
    let row = world
        .store
        .finish(
            &job.lease,
            Finish::Succeeded {
                result: result.clone(),
                product: Product::None,
            },
            usage,
        )
        .await
        .unwrap();
    assert_eq!(
        (row.status, row.progress, row.result),
        (JobStatus::Succeeded, 100, Some(result))
    );
    assert_eq!(
        row.usage,
        Usage {
            cost: MicroUsd::from_micros(250_000),
            ..usage
        },
        "the cost rows say what it cost"
    );
    assert_eq!(row.finished_at, Some(world.now()));
    let ledger = world.store.operator().job_ledger(job.job.id).await.unwrap();
    assert_eq!(
        ledger.iter().map(|t| t.kind).collect::<Vec<_>>(),
        [LedgerKind::Reservation, LedgerKind::Settlement]
    );
    let report = world.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
    assert_eq!(
        (report.charged, report.reserved),
        (MicroUsd::from_micros(250_000), MicroUsd::ZERO)
    );
}

async fn a_failed_job_has_its_error_and_is_charged_for_its_calls(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    world.step(&job.lease, 0, 42).await.unwrap();
    let error = JobError {
        code: "source_fetch_failed".to_owned(),
        message: "No.".to_owned(),
        details: None,
    };
    let row = world
        .store
        .finish(
            &job.lease,
            Finish::Failed {
                error: error.clone(),
            },
            Usage::default(),
        )
        .await
        .unwrap();
    assert_eq!(
        (row.status, row.error, row.result),
        (JobStatus::Failed, Some(error), None)
    );
    assert_eq!(
        world.store.verify_ledger().await.unwrap().charged,
        MicroUsd::from_micros(42)
    );
}

async fn a_job_is_finished_once(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    let first = world
        .store
        .finish(
            &job.lease,
            Finish::Succeeded {
                result: json!(1),
                product: Product::None,
            },
            Usage::default(),
        )
        .await
        .unwrap();
    let again = world
        .store
        .finish(
            &job.lease,
            Finish::Succeeded {
                result: json!(2),
                product: Product::None,
            },
            Usage::default(),
        )
        .await;
    assert!(matches!(again, Err(StoreError::LeaseLost)));
    let settle = world.store.start_step(&job.lease, new_step(0)).await;
    assert!(
        matches!(settle, Err(StoreError::LeaseLost)),
        "an ended job takes no more steps"
    );
    assert_eq!(
        world
            .store
            .get_job(&tenant.scope, job.job.id)
            .await
            .unwrap(),
        Some(first)
    );
    assert_eq!(world.number("SELECT COUNT(*) FROM usage_rows").await, 1);
}

async fn two_workers_finish_once(world: World) {
    let tenant = world.tenant().await;
    for _ in 0..10 {
        let first = world.running(&tenant).await;
        world.clock.advance(LEASE);
        let second = world.claim_one().await;
        let finish = |store: gtm_store::Store, lease: gtm_store::Lease, n: i32| async move {
            store
                .finish(
                    &lease,
                    Finish::Succeeded {
                        result: json!(n),
                        product: Product::None,
                    },
                    Usage::default(),
                )
                .await
        };
        let (a, b) = tokio::join!(
            finish(world.store.clone(), first.lease.clone(), 1),
            finish(world.store.clone(), second.lease.clone(), 2)
        );
        assert!(matches!(a, Err(StoreError::LeaseLost)));
        assert_eq!(b.unwrap().result, Some(json!(2)));
    }
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
}

/// An act around jobs; acts come in any order.
#[derive(Debug, Clone, Copy)]
enum Act {
    Create,
    Claim,
    LoseLeases,
    StartStep,
    SettleStep(u16),
    Succeed,
    Fail,
    Release,
    CancelNewest,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => Just(Act::Create),
        3 => Just(Act::Claim),
        1 => Just(Act::LoseLeases),
        3 => Just(Act::StartStep),
        3 => any::<u16>().prop_map(Act::SettleStep),
        1 => Just(Act::Succeed),
        1 => Just(Act::Fail),
        1 => Just(Act::Release),
        1 => Just(Act::CancelNewest),
    ]
}

async fn any_interleaving_balances(world: World) {
    let tenant = world.tenant().await;
    let mut runner = TestRunner::deterministic();
    let acts = proptest::collection::vec(act(), 30);
    for _ in 0..12 {
        let acts = acts.new_tree(&mut runner).unwrap().current();
        play(&world, &tenant, &acts).await;
    }
}

async fn play(world: &World, tenant: &Tenant, acts: &[Act]) {
    // Lost leases are kept on purpose: writes under them must change nothing.
    let mut leases: Vec<(gtm_store::Lease, u64)> = Vec::new();
    let mut newest = None;
    let allowed = |result: Result<(), StoreError>| match result {
        Ok(()) | Err(StoreError::LeaseLost | StoreError::Conflict(_)) => {}
        Err(other) => panic!("{other:?}"),
    };
    for (n, act) in acts.iter().enumerate() {
        let index = n.checked_rem(leases.len().max(1)).unwrap_or(0);
        let held = leases.get(index).cloned();
        match (act, held) {
            (Act::Create, _) => newest = Some(world.create(&tenant.scope).await.id),
            (Act::Claim, _) => {
                for claimed in world.claim(2).await {
                    let next = world.store.load_steps(&claimed.lease).await.unwrap().len() as u64;
                    leases.push((claimed.lease, next));
                }
            }
            (Act::LoseLeases, _) => world.clock.advance(LEASE),
            (Act::StartStep, Some((lease, next))) => {
                allowed(world.store.start_step(&lease, new_step(next)).await);
                leases[index].1 += 1;
            }
            (Act::SettleStep(cost), Some((lease, next))) => {
                let seq = next.saturating_sub(1);
                allowed(
                    world
                        .store
                        .settle_step(&lease, seq, settlement(i64::from(*cost)))
                        .await,
                );
            }
            (Act::Succeed, Some((lease, _))) => {
                let finish = Finish::Succeeded {
                    result: json!({}),
                    product: Product::None,
                };
                allowed(
                    world
                        .store
                        .finish(&lease, finish, Usage::default())
                        .await
                        .map(drop),
                );
            }
            (Act::Fail, Some((lease, _))) => {
                let error = JobError {
                    code: "internal_error".to_owned(),
                    message: "x".to_owned(),
                    details: None,
                };
                allowed(
                    world
                        .store
                        .finish(&lease, Finish::Failed { error }, Usage::default())
                        .await
                        .map(drop),
                );
            }
            (Act::Release, Some((lease, _))) => allowed(world.store.release(&lease).await),
            (Act::CancelNewest, _) => {
                if let Some(id) = newest {
                    world.store.operator().cancel_job(id).await.unwrap();
                }
            }
            (_, None) => {}
        }
    }
    let report = world.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{report:?} after {acts:?}");
}
