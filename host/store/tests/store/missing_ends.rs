//! Jobs that were given up without a part of their end: the part is written when the last of their calls is
//! settled, or when an operator requests it, and only once.

use gtm_domain::job::{Finish, JOB_RETENTION, JobError, JobSettlement};
use gtm_domain::money::{LedgerKind, ProviderCallId};
use gtm_domain::{JobId, Usage};
use gtm_store::{AuditFilter, ClaimedJob, Settlement, StoreError, uuid_v7};

use crate::money::{attempt, running, sound, step, succeed, usd};
use crate::refused_rows::{allow, refuse};
use crate::world::{Tenant, World, settlement};

on_both_engines!(
    the_last_call_that_is_settled_settles_the_job,
    an_operator_settles_a_job_without_calls,
    what_cannot_be_written_keeps_no_call_from_being_settled,
    calls_without_a_mark_are_marked_first,
    sums_that_were_not_released_are_counted_anew,
    nothing_is_written_of_a_job_that_lacks_nothing,
    two_operators_settle_a_job_once,
    what_a_job_was_charged_is_not_marked,
    what_was_corrected_is_not_marked,
    retention_leaves_what_says_that_a_job_was_given_up,
);

/// Matches the ledger's row of a settlement.
const SETTLEMENT: &str = "NEW.kind = 'settlement'";

async fn give_up(world: &World, job: &ClaimedJob) {
    let error = JobError {
        code: "settlement_failed".to_owned(),
        message: "x".to_owned(),
        details: None,
    };
    world.store.give_up(&job.lease, error).await.unwrap();
}

/// A job with 1,000 reserved that was given up while a table refused rows.
async fn given_up(
    world: &World,
    tenant: &Tenant,
    table: &str,
    condition: &str,
    with_calls: bool,
) -> JobId {
    let job = running(world, tenant, 1_000).await;
    let store = &world.store;
    if with_calls {
        store.start_step(&job.lease, step(0, 400)).await.unwrap();
        let settled = store.settle_step(&job.lease, 0, settlement(300));
        settled.await.unwrap();
        store.start_step(&job.lease, step(1, 1_500)).await.unwrap();
    }
    refuse(world, table, condition).await;
    give_up(world, &job).await;
    allow(world, table).await;
    job.job.id
}

async fn reconcile(world: &World, job: JobId, step: u64, micros: i64) {
    let call = ProviderCallId { job, step };
    let operator = world.store.operator();
    operator
        .reconcile_call(call, usd(micros), None)
        .await
        .unwrap();
}

async fn settle(world: &World, job: JobId) -> Result<JobSettlement, StoreError> {
    world.store.operator_named("ada").settle_job(job).await
}

/// The message for a job that cannot be settled.
async fn refused(world: &World, job: JobId) -> String {
    match settle(world, job).await {
        Err(StoreError::Conflict(told)) => told,
        other => panic!("{other:?}"),
    }
}

async fn is_unsettled(world: &World, job: JobId) {
    let report = world.store.verify_ledger().await.unwrap();
    let unsettled = "ended jobs were not settled";
    let mut rules = report.violations.iter();
    let found = rules.find(|v| v.sentence.contains(unsettled)).unwrap();
    assert_eq!(found.places[0].subject, Some(job.to_string()));
}

/// Actors of the audit entries that record a job's settlement.
async fn audited(world: &World) -> Vec<String> {
    let filter = AuditFilter {
        action: Some("job.settled".to_owned()),
        limit: 10,
        ..AuditFilter::default()
    };
    let operator = world.store.operator();
    let entries = operator.newest_audit_entries(&filter).await.unwrap();
    assert!(world.store.verify_audit(&[]).await.unwrap().is_sound());
    entries.into_iter().map(|entry| entry.actor.id).collect()
}

async fn the_last_call_that_is_settled_settles_the_job(world: World) {
    let tenant = world.tenant().await;
    let job = given_up(&world, &tenant, "ledger_transactions", SETTLEMENT, true).await;
    is_unsettled(&world, job).await;
    let told = refused(&world, job).await;
    assert!(told.starts_with("2 of the calls"), "{told}");
    reconcile(&world, job, 1, 0).await;
    is_unsettled(&world, job).await;
    let told = refused(&world, job).await;
    assert!(told.starts_with("1 of the calls"), "{told}");
    let reserved = world.position(&tenant.scope).await.credit.reserved;
    assert_eq!(reserved, usd(1_000), "nobody has freed it yet");
    assert!(audited(&world).await.is_empty());

    reconcile(&world, job, 0, 300).await;
    sound(&world).await;
    let credit = world.position(&tenant.scope).await.credit;
    assert_eq!(
        (credit.reserved, credit.awaiting, credit.exposed),
        (usd(0), usd(0), usd(0))
    );
    assert_eq!(credit.balance, usd(crate::world::CREDIT - 300));
    let operator = world.store.operator();
    let mut kinds: Vec<_> = operator.job_ledger(job).await.unwrap();
    kinds.retain(|transaction| transaction.kind == LedgerKind::Settlement);
    assert_eq!(kinds.len(), 1);
    assert_eq!(kinds[0].credit(), usd(1_000));
    assert_eq!(audited(&world).await.len(), 1);
    let told = refused(&world, job).await;
    assert!(told.contains("nothing is missing"), "{told}");
}

async fn an_operator_settles_a_job_without_calls(world: World) {
    let tenant = world.tenant().await;
    let job = given_up(&world, &tenant, "ledger_transactions", SETTLEMENT, false).await;
    is_unsettled(&world, job).await;
    let end = settle(&world, job).await.unwrap();
    assert_eq!(
        end,
        JobSettlement {
            job,
            organization: tenant.organization,
            project: tenant.project,
            released: Some(usd(1_000)),
            usage_row: false,
            calls_marked: 0,
            sums_recounted: false,
        }
    );
    sound(&world).await;
    assert_eq!(world.position(&tenant.scope).await.credit.reserved, usd(0));
    // Only once: a second request is refused and writes nothing.
    let rows = "SELECT COUNT(*) FROM ledger_transactions";
    let before = world.number(rows).await;
    refused(&world, job).await;
    assert_eq!(world.number(rows).await, before);
    assert_eq!(audited(&world).await, ["ada"]);

    let job = given_up(&world, &tenant, "usage_rows", "1 = 1", false).await;
    // Whenever the missing part is written, the job counts in the month in which it ended.
    let month = world.now().next_month_start().since(world.now());
    world.clock.advance(month);
    let end = settle(&world, job).await.unwrap();
    assert_eq!((end.released, end.usage_row), (None, true));
    let in_time = "SELECT COUNT(*) FROM usage_rows u JOIN jobs j ON j.id = u.job_id WHERE u.at = j.finished_at";
    assert_eq!(
        world.number(&format!("{in_time} AND j.id = '{job}'")).await,
        1
    );
    refused(&world, job).await;
    sound(&world).await;
}

async fn what_cannot_be_written_keeps_no_call_from_being_settled(world: World) {
    let tenant = world.tenant().await;
    let table = "ledger_transactions";
    let job = given_up(&world, &tenant, table, SETTLEMENT, true).await;
    refuse(&world, table, SETTLEMENT).await;
    reconcile(&world, job, 0, 300).await;
    reconcile(&world, job, 1, 20).await;
    is_unsettled(&world, job).await;
    let failed = settle(&world, job).await;
    assert!(
        matches!(failed, Err(StoreError::RuleViolated(_))),
        "{failed:?}"
    );
    allow(&world, table).await;
    let end = settle(&world, job).await.unwrap();
    assert_eq!(end.released, Some(usd(1_000)));
    sound(&world).await;
    let operator = world.store.operator();
    let statement = operator.credit_statement(tenant.organization).await;
    let statement = statement.unwrap();
    assert_eq!((statement.charged, statement.reserved), (usd(320), usd(0)));
}

async fn calls_without_a_mark_are_marked_first(world: World) {
    let tenant = world.tenant().await;
    let job = given_up(&world, &tenant, "cost_rows", "1 = 1", true).await;
    let report = world.store.verify_ledger().await.unwrap();
    assert_eq!(report.awaiting_reconciliation, 0, "the marks were refused");
    assert!(!report.is_sound());
    let end = settle(&world, job).await.unwrap();
    assert_eq!((end.calls_marked, end.released), (2, None));
    sound(&world).await;
    let awaiting = world.position(&tenant.scope).await.credit.awaiting;
    assert_eq!(awaiting, usd(1_800), "300 and 1,500");
    let told = refused(&world, job).await;
    assert!(told.starts_with("2 of the calls"), "{told}");
    reconcile(&world, job, 0, 300).await;
    reconcile(&world, job, 1, 0).await;
    sound(&world).await;

    // No call of this job has a certain cost yet: one has begun and, in the second case, another is in
    // doubt already.
    for in_doubt in [false, true] {
        let job = running(&world, &tenant, 1_000).await;
        let store = &world.store;
        store.start_step(&job.lease, step(0, 70)).await.unwrap();
        if in_doubt {
            store.start_step(&job.lease, step(1, 80)).await.unwrap();
            let lost = Settlement {
                reconcile: true,
                ..settlement(0)
            };
            store.settle_step(&job.lease, 1, lost).await.unwrap();
        }
        refuse(&world, "cost_rows", "1 = 1").await;
        give_up(&world, &job).await;
        allow(&world, "cost_rows").await;
        let id = job.job.id;
        if in_doubt {
            let call = ProviderCallId { job: id, step: 1 };
            let operator = store.operator();
            let early = operator.reconcile_call(call, usd(5), None).await;
            let early = early.unwrap_err().to_string();
            assert!(early.contains("gtm ledger settle"), "{early}");
        }
        assert_eq!(settle(&world, id).await.unwrap().calls_marked, 1);
        let awaiting = world.position(&tenant.scope).await.credit.awaiting;
        assert_eq!(awaiting, usd(if in_doubt { 150 } else { 70 }));
        sound(&world).await;
        for step in 0..=u64::from(in_doubt) {
            reconcile(&world, id, step, 5).await;
        }
        sound(&world).await;
    }
}

async fn sums_that_were_not_released_are_counted_anew(world: World) {
    let tenant = world.tenant().await;
    // Next to another job, whose calls keep counting.
    let other = running(&world, &tenant, 10).await;
    let started = world.store.start_step(&other.lease, step(0, 50)).await;
    started.unwrap();
    let job = given_up(&world, &tenant, "open_reservations", "1 = 1", true).await;
    assert!(!world.store.verify_ledger().await.unwrap().is_sound());
    let end = settle(&world, job).await.unwrap();
    assert!(end.sums_recounted && end.released.is_none(), "{end:?}");
    sound(&world).await;
    let credit = world.position(&tenant.scope).await.credit;
    assert_eq!((credit.exposed, credit.reserved), (usd(50), usd(50)));
    // The sum of amounts in doubt is recounted too.
    let second = given_up(&world, &tenant, "monthly_totals", "NEW.awaiting > 0", true).await;
    assert!(!world.store.verify_ledger().await.unwrap().is_sound());
    assert!(settle(&world, second).await.unwrap().sums_recounted);
    sound(&world).await;
}

async fn nothing_is_written_of_a_job_that_lacks_nothing(world: World) {
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, 1_000).await;
    world.step(&job.lease, 0, 30).await.unwrap();
    let started = world.store.start_step(&job.lease, step(1, 70)).await;
    started.unwrap();
    let told = refused(&world, job.job.id).await;
    assert!(told.contains("has not ended"), "{told}");
    let ended = succeed(&world, &job).await;
    for _ in 0..2 {
        let told = refused(&world, ended.id).await;
        assert!(told.contains("nothing is missing"), "{told}");
    }
    let waiting = attempt(&world, &tenant.scope, 5).await.unwrap();
    let told = refused(&world, waiting.id).await;
    assert!(told.contains("has not ended"), "{told}");
    let canceled = world.claim_one().await;
    let ended = world
        .store
        .finish(&canceled.lease, Finish::Canceled, Usage::default())
        .await;
    refused(&world, ended.unwrap().id).await;
    let absent = settle(&world, JobId::from_uuid(uuid_v7(world.now()))).await;
    assert!(
        matches!(absent, Err(StoreError::Absent { .. })),
        "{absent:?}"
    );
    assert!(audited(&world).await.is_empty());
    sound(&world).await;
}

async fn two_operators_settle_a_job_once(world: World) {
    let tenant = world.tenant().await;
    let job = given_up(&world, &tenant, "ledger_transactions", SETTLEMENT, false).await;
    let tasks: Vec<_> = (0..6)
        .map(|_| {
            let operator = world.store.operator();
            tokio::spawn(async move { operator.settle_job(job).await })
        })
        .collect();
    let mut settled = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(_) => settled += 1,
            Err(StoreError::Conflict(_)) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!((settled, audited(&world).await.len()), (1, 1));
    sound(&world).await;
}

async fn what_a_job_was_charged_is_not_marked(world: World) {
    let tenant = world.tenant().await;
    let failed = |code: &str| Finish::Failed {
        error: JobError {
            code: code.to_owned(),
            message: "x".to_owned(),
            details: None,
        },
    };
    // Neither that a job has ended nor its error code alone means that it was given up.
    for finish in [
        Finish::Canceled,
        failed("internal_error"),
        failed("settlement_failed"),
    ] {
        let job = running(&world, &tenant, 1_000).await;
        world.step(&job.lease, 0, 30).await.unwrap();
        let ended = world.store.finish(&job.lease, finish, Usage::default());
        let id = ended.await.unwrap().id;
        let change =
            |by: &str| format!("UPDATE cost_rows SET cost = cost {by} WHERE job_id = '{id}'");
        world.raw(&change("+ 5")).await.unwrap();
        let told = refused(&world, id).await;
        assert!(told.contains("was not given up"), "{told}");
        let rows = format!(
            "SELECT COUNT(*) FROM cost_rows WHERE job_id = '{id}' AND cost = 35 AND NOT reconcile"
        );
        assert_eq!(world.number(&rows).await, 1, "nothing was written");
        world.raw(&change("- 5")).await.unwrap();
        sound(&world).await;
    }
    assert!(audited(&world).await.is_empty());
}

async fn what_was_corrected_is_not_marked(world: World) {
    let tenant = world.tenant().await;
    let table = "ledger_transactions";
    let job = given_up(&world, &tenant, table, SETTLEMENT, true).await;
    reconcile(&world, job, 0, 300).await;
    let change =
        |cost: u8| format!("UPDATE cost_rows SET cost = {cost} WHERE job_id = '{job}' AND seq = 0");
    world.raw(&change(7)).await.unwrap();
    let told = refused(&world, job).await;
    assert!(told.starts_with("1 of the calls"), "{told}");
    let rows = format!("SELECT COUNT(*) FROM cost_rows WHERE job_id = '{job}' AND cost = 7");
    assert_eq!(world.number(&rows).await, 1);
    world.raw(&change(0)).await.unwrap();
    reconcile(&world, job, 1, 0).await;
    sound(&world).await;
}

async fn retention_leaves_what_says_that_a_job_was_given_up(world: World) {
    let tenant = world.tenant().await;
    let job = given_up(&world, &tenant, "cost_rows", "1 = 1", true).await;
    world.clock.advance(JOB_RETENTION);
    let swept = world.store.sweep().await.unwrap();
    assert_eq!(swept.jobs, 1);
    let kept =
        "SELECT COUNT(*) FROM jobs WHERE input <> 'null' OR pins <> 'null' OR result IS NOT NULL";
    assert_eq!(world.number(kept).await, 0, "data go in time");
    let end = settle(&world, job).await.unwrap();
    assert_eq!((end.calls_marked, end.released), (2, None));
    let awaiting = world.position(&tenant.scope).await.credit.awaiting;
    assert_eq!(awaiting, usd(1_800), "300 and 1,500");
    sound(&world).await;
    reconcile(&world, job, 0, 300).await;
    reconcile(&world, job, 1, 0).await;
    sound(&world).await;
    assert_eq!(world.store.sweep().await.unwrap().jobs, 0);
}
