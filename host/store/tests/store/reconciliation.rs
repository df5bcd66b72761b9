//! Calls whose answer was lost: who learns of them, and what settling one changes.

use std::time::Duration;

use gtm_domain::job::{Finish, JOB_RETENTION, Job};
use gtm_domain::money::{LedgerKind, MarkedCall, ProviderCallId, ReconciliationState};
use gtm_domain::step::{ConnectorRef, NewStep};
use gtm_domain::{MicroUsd, Month, Timestamp, Usage};
use gtm_store::{AuditFilter, Lease, MarkedCallFilter, Settlement, StoreError};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::money::{sound, usd};
use crate::world::{Tenant, World, new_step, settlement};

on_both_engines!(
    a_lost_call_is_listed_and_settled_once,
    a_correction_counts_in_the_month_of_the_charge,
    what_cannot_be_settled_is_refused,
    receipts_tell_of_it,
    two_operators_settle_one_call_once,
    any_corrections_leave_the_ledger_sound,
    a_false_correction_is_found,
);

const WEB: &str = "web-fetch";

fn step(seq: u64) -> NewStep {
    NewStep {
        capability: "model.complete".to_owned(),
        connector: Some(ConnectorRef {
            key: WEB.to_owned(),
            version: "1.0.0".to_owned(),
            digest: gtm_domain::Digest::of(b"component"),
        }),
        ceiling: usd(500),
        replay_safe: false,
        ..new_step(seq)
    }
}

fn lost(micros: i64) -> Settlement {
    Settlement {
        reconcile: true,
        ..settlement(micros)
    }
}

async fn call(world: &World, lease: &Lease, seq: u64, settlement: Settlement) {
    world.store.start_step(lease, step(seq)).await.unwrap();
    world
        .store
        .settle_step(lease, seq, settlement)
        .await
        .unwrap();
}

async fn end(world: &World, lease: &Lease) -> Job {
    world
        .store
        .finish(lease, Finish::Canceled, Usage::default())
        .await
        .unwrap()
}

/// An ended job with one call for each of these charges, all of them marked.
async fn ended(world: &World, tenant: &Tenant, charged: &[i64]) -> Job {
    let job = world.running(tenant).await;
    for (seq, micros) in charged.iter().enumerate() {
        call(world, &job.lease, seq as u64, lost(*micros)).await;
    }
    end(world, &job.lease).await
}

async fn awaiting(world: &World) -> Vec<MarkedCall> {
    let filter = MarkedCallFilter {
        limit: 100,
        ..MarkedCallFilter::default()
    };
    world.store.operator().marked_calls(&filter).await.unwrap()
}

async fn settle(world: &World, id: ProviderCallId, micros: i64) -> Result<MarkedCall, StoreError> {
    let note = Some("invoice 7".to_owned());
    let operator = world.store.operator_named("ada");
    operator.reconcile_call(id, usd(micros), note).await
}

async fn a_lost_call_is_listed_and_settled_once(world: World) {
    let tenant = world.tenant().await;
    let other = world.tenant().await;
    let job = ended(&world, &tenant, &[0, 30]).await;
    ended(&world, &other, &[0]).await;
    assert_eq!(
        world
            .store
            .verify_ledger()
            .await
            .unwrap()
            .awaiting_reconciliation,
        3
    );
    let operator = world.store.operator();
    let own = MarkedCallFilter {
        organization: Some(tenant.organization),
        limit: 10,
        ..MarkedCallFilter::default()
    };
    let calls = operator.marked_calls(&own).await.unwrap();
    assert_eq!(
        calls
            .iter()
            .map(|c| (c.id.job, c.id.step, c.charged))
            .collect::<Vec<_>>(),
        [(job.id, 0, usd(0)), (job.id, 1, usd(30))]
    );
    assert_eq!(calls[0].ceiling, Some(usd(500)));
    assert_eq!(calls[0].step_key.as_deref(), Some("step-0"));
    assert_eq!(calls[0].charged_at, job.finished_at);
    // Of two calls at up to 500 each, 970 are not charged but may still be.
    let before = operator.credit_statement(tenant.organization).await;
    let before = before.unwrap();
    assert_eq!(before.awaiting, usd(970));
    let balance = before.balance;

    let settled = settle(&world, calls[0].id, 70).await.unwrap();
    let said = settled.reconciliation.clone().unwrap();
    assert_eq!(
        (said.cost, said.note.as_deref()),
        (usd(70), Some("invoice 7"))
    );
    let statement = operator
        .credit_statement(tenant.organization)
        .await
        .unwrap();
    assert_eq!(
        (statement.charged, statement.balance),
        (usd(100), balance - usd(70) + usd(500))
    );
    sound(&world).await;
    // Settling again changes nothing; the advanced clock would show anything written anew.
    world.clock.advance(Duration::from_secs(60));
    assert_eq!(settle(&world, calls[0].id, 70).await.unwrap(), settled);
    let conflict = settle(&world, calls[0].id, 71).await.unwrap_err();
    assert!(conflict.to_string().contains("$0.00007"), "{conflict}");
    // The difference is given back if the call cost less than was charged.
    settle(&world, calls[1].id, 10).await.unwrap();
    let statement = operator
        .credit_statement(tenant.organization)
        .await
        .unwrap();
    assert_eq!(
        (statement.charged, statement.balance),
        (usd(80), balance - usd(50) + usd(970))
    );
    let report = world.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
    assert_eq!(
        (
            report.charged,
            report.used,
            report.reconciled,
            report.awaiting_reconciliation
        ),
        (usd(80), usd(80), usd(50), 1)
    );

    let ledger = operator.job_ledger(job.id).await.unwrap();
    let corrections: Vec<_> = ledger
        .iter()
        .filter(|transaction| transaction.kind == LedgerKind::Reconciliation)
        .map(|transaction| (transaction.step, transaction.credit()))
        .collect();
    assert_eq!(corrections.len(), 2);
    assert!(
        corrections.contains(&(Some(0), usd(-70))) && corrections.contains(&(Some(1), usd(20)))
    );
    assert!(operator.marked_calls(&own).await.unwrap().is_empty());
    let all = MarkedCallFilter {
        settled: true,
        ..own
    };
    assert_eq!(operator.marked_calls(&all).await.unwrap().len(), 2);
    assert_eq!(awaiting(&world).await.len(), 1, "the other organization's");

    let audited = AuditFilter {
        action: Some("provider_call.reconciled".to_owned()),
        limit: 10,
        ..AuditFilter::default()
    };
    let entries = operator.newest_audit_entries(&audited).await.unwrap();
    assert_eq!(entries.len(), 2, "one for each that changed something");
    assert_eq!(entries[1].resource.id, calls[0].id.to_string());
    assert_eq!(
        (entries[1].actor.id.as_str(), entries[1].project_id),
        ("ada", Some(tenant.project))
    );
    assert!(entries[1].before_hash.is_some() && entries[1].before_hash != entries[1].after_hash);
    assert!(world.store.verify_audit(&[]).await.unwrap().is_sound());
}

async fn a_correction_counts_in_the_month_of_the_charge(world: World) {
    let tenant = world.tenant().await;
    let at = |text: &str| text.parse::<Timestamp>().unwrap();
    let month = |text: &str| text.parse::<Month>().unwrap();
    world.clock.set(at("2031-12-31T23:59:59Z"));
    let job = world.running(&tenant).await;
    call(&world, &job.lease, 0, lost(5)).await;
    world.clock.set(at("2032-01-01T00:00:01Z"));
    let ended = end(&world, &job.lease).await;
    world.clock.set(at("2032-03-01T00:00:00Z"));
    let usage = async |text| {
        let read = world.store.usage(&tenant.scope, month(text), true).await;
        read.unwrap().0
    };
    let before = usage("2032-01").await;
    // The job's data has been removed by now; its cost stays.
    assert!(world.now().since(ended.created_at) > JOB_RETENTION);
    world.store.sweep().await.unwrap();
    let calls = awaiting(&world).await;
    assert_eq!(
        (calls[0].ceiling, calls[0].step_key.as_deref()),
        (None, None)
    );
    settle(&world, calls[0].id, 45).await.unwrap();

    let after = usage("2032-01").await;
    assert_eq!(after.totals.consumed.cost, usd(45));
    assert_eq!(after.by_key[&tenant.key].consumed.cost, usd(45));
    assert_eq!(after.by_type[&ended.job_type].consumed.cost, usd(45));
    assert_eq!(after.by_connector[&Some(WEB.to_owned())].cost, usd(45));
    assert_eq!(after.totals.jobs, before.totals.jobs);
    for other in ["2031-12", "2032-02", "2032-03"] {
        assert_eq!(usage(other).await.totals.consumed.cost, usd(0), "{other}");
    }
    let charged = "SELECT COUNT(*) FROM monthly_totals WHERE month = '2032-01' AND settled = 45";
    assert_eq!(world.number(charged).await, 3, "key, project, organization");
    sound(&world).await;
}

async fn what_cannot_be_settled_is_refused(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    call(&world, &job.lease, 0, lost(0)).await;
    call(&world, &job.lease, 1, settlement(0)).await;
    let id = |step| ProviderCallId {
        job: job.job.id,
        step,
    };
    let early = settle(&world, id(0), 1).await.unwrap_err();
    assert!(early.to_string().contains("has not ended"), "{early}");
    assert_eq!(awaiting(&world).await[0].charged_at, None);
    end(&world, &job.lease).await;
    for unknown in [1, 2] {
        let absent = settle(&world, id(unknown), 1).await.unwrap_err();
        assert!(matches!(absent, StoreError::Absent { .. }), "{absent}");
    }
    let negative = settle(&world, id(0), -1).await.unwrap_err();
    assert!(matches!(negative, StoreError::Conflict(_)), "{negative}");
    let rows = "SELECT COUNT(*) FROM ledger_transactions WHERE kind = 'reconciliation'";
    assert_eq!(world.number(rows).await, 0);
    // A cost of zero is recorded too.
    settle(&world, id(0), 0).await.unwrap();
    assert_eq!(world.number(rows).await, 1);
    assert!(awaiting(&world).await.is_empty());
    sound(&world).await;
}

async fn receipts_tell_of_it(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    for (seq, settlement) in [(0, lost(0)), (1, settlement(1))] {
        let body = bytes::Bytes::from_static(b"x");
        let exchanges = vec![(world.receipt(&body), body.into())];
        let settlement = Settlement {
            exchanges,
            ..settlement
        };
        call(&world, &job.lease, seq, settlement).await;
    }
    end(&world, &job.lease).await;
    let told = async || {
        let receipts = world.store.job_receipts(&tenant.scope, job.job.id).await;
        let receipts = receipts.unwrap().unwrap();
        receipts
            .iter()
            .map(|row| row.reconciliation)
            .collect::<Vec<_>>()
    };
    assert_eq!(told().await, [Some(ReconciliationState::Awaiting), None]);
    settle(&world, awaiting(&world).await[0].id, 3)
        .await
        .unwrap();
    assert_eq!(told().await, [Some(ReconciliationState::Settled), None]);
}

async fn two_operators_settle_one_call_once(world: World) {
    let tenant = world.tenant().await;
    let job = ended(&world, &tenant, &[0]).await;
    let id = ProviderCallId {
        job: job.id,
        step: 0,
    };
    let tasks: Vec<_> = (0..8)
        .map(|n| {
            let operator = world.store.operator();
            tokio::spawn(async move { operator.reconcile_call(id, usd(7 + n % 2), None).await })
        })
        .collect();
    let mut held = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(_) => held += 1,
            Err(StoreError::Conflict(_)) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!(held, 4, "those who said what the first one said");
    let rows = "SELECT COUNT(*) FROM ledger_transactions WHERE kind = 'reconciliation'";
    assert_eq!(world.number(rows).await, 1);
    sound(&world).await;
}

async fn any_corrections_leave_the_ledger_sound(world: World) {
    let tenants = [world.tenant().await, world.tenant().await];
    let mut runner = TestRunner::deterministic();
    let calls = proptest::collection::vec((0i64..1_000, proptest::option::of(0i64..2_000)), 1..4);
    for round in 0..6 {
        let calls = calls.new_tree(&mut runner).unwrap().current();
        let tenant = &tenants[round % 2];
        let charged: Vec<i64> = calls.iter().map(|(charged, _)| *charged).collect();
        let job = ended(&world, tenant, &charged).await;
        world.clock.advance(Duration::from_secs(20 * 86_400));
        for (step, (_, said)) in calls.iter().enumerate() {
            if let Some(said) = said {
                let id = ProviderCallId {
                    job: job.id,
                    step: step as u64,
                };
                settle(&world, id, *said).await.unwrap();
            }
        }
        sound(&world).await;
        let month = Month::of(job.finished_at.unwrap());
        let read = world.store.usage(&tenant.scope, month, true).await;
        let usage = read.unwrap().0;
        let connectors: MicroUsd = usage.by_connector.values().map(|of| of.cost).sum();
        assert_eq!(connectors, usage.totals.consumed.cost);
        let owed: i64 = calls
            .iter()
            .map(|(charged, said)| said.unwrap_or(*charged))
            .sum();
        let last = world.store.operator().job_ledger(job.id).await.unwrap();
        let revenue = last.iter().flat_map(|t| &t.entries);
        let revenue = revenue.filter(|(account, _)| account == "platform:revenue");
        assert_eq!(
            revenue.map(|(_, amount)| *amount).sum::<MicroUsd>(),
            usd(owed)
        );
    }
}

async fn a_false_correction_is_found(world: World) {
    let tenant = world.tenant().await;
    let job = ended(&world, &tenant, &[0, 0]).await;
    let id = ProviderCallId {
        job: job.id,
        step: 0,
    };
    settle(&world, id, 9).await.unwrap();
    sound(&world).await;
    for broken in [
        "UPDATE cost_rows SET reconcile = NOT reconcile WHERE seq = 0",
        "UPDATE usage_months SET cost = cost - 1",
        "UPDATE usage_connector_months SET cost = cost - 1",
        "UPDATE monthly_totals SET settled = settled - 1",
        "UPDATE organizations SET paid_total = paid_total - 1",
        "UPDATE credit_balances SET balance = balance + 1",
        "UPDATE monthly_totals SET awaiting = awaiting + 1",
        "UPDATE jobs SET awaiting = awaiting + 1",
    ] {
        world.raw(broken).await.unwrap();
        assert!(
            !world.store.verify_ledger().await.unwrap().is_sound(),
            "{broken}"
        );
        let mended = if broken.contains("NOT") {
            broken.to_owned()
        } else if broken.contains(" - 1") {
            broken.replace(" - 1", " + 1")
        } else {
            broken.replace(" + 1", " - 1")
        };
        world.raw(&mended).await.unwrap();
        sound(&world).await;
    }
    // The database itself refuses a second correction of a call, and a correction without a call.
    for (step, kind) in [
        ("0", "reconciliation"),
        ("NULL", "reconciliation"),
        ("1", "settlement"),
    ] {
        let sql = format!(
            "INSERT INTO ledger_transactions (id, organization_id, project_id, job_id, kind, step, at) \
             SELECT 'x', organization_id, project_id, job_id, '{kind}', {step}, at FROM ledger_transactions \
             WHERE kind = 'reconciliation'"
        );
        assert!(world.raw(&sql).await.is_err(), "{sql}");
    }
}
