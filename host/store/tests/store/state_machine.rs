//! The database's own guards against SQL that bypasses the repositories.

use gtm_domain::job::{Finish, Product};
use gtm_domain::{JobStatus, Usage};
use serde_json::json;

use crate::world::World;

on_both_engines!(
    only_legal_transitions_pass,
    an_outcome_is_final,
    a_settled_step_is_final,
    a_fence_never_falls,
    the_ledger_is_append_only,
);

const ALL: [JobStatus; 5] = [
    JobStatus::Queued,
    JobStatus::Running,
    JobStatus::Succeeded,
    JobStatus::Failed,
    JobStatus::Canceled,
];

/// SQL that moves a job to a status and satisfies all checks of the table.
fn moved(id: &str, to: JobStatus) -> String {
    let at = "created_at";
    let (result, error, finished) = match to {
        JobStatus::Succeeded => ("'{}'", "NULL", at),
        JobStatus::Failed => ("NULL", "'{}'", at),
        JobStatus::Canceled => ("NULL", "NULL", at),
        JobStatus::Queued | JobStatus::Running => ("NULL", "NULL", "NULL"),
    };
    format!(
        "UPDATE jobs SET status = '{}', result = {result}, error = {error}, finished_at = {finished}, \
         started_at = {at}, lease_until = {at} WHERE id = '{id}'",
        to.as_str()
    )
}

async fn only_legal_transitions_pass(world: World) {
    let tenant = world.tenant().await;
    for from in ALL {
        for to in ALL {
            if from == to {
                continue;
            }
            let id = world.create(&tenant.scope).await.id.to_string();
            if from != JobStatus::Queued {
                world.raw(&moved(&id, JobStatus::Running)).await.unwrap();
            }
            if from.is_terminal() {
                world.raw(&moved(&id, from)).await.unwrap();
            }
            let result = world.raw(&moved(&id, to)).await;
            assert_eq!(
                result.is_ok(),
                from.may_become(to),
                "{from:?} -> {to:?}: {result:?}"
            );
        }
    }
    let id = world.create(&tenant.scope).await.id;
    let copied = "INSERT INTO jobs (id, project_id, organization_id, key_id, type, status, progress, input, pins, seed, \
        reserved, cost_cap, created_at, expires_at, started_at, lease_until, cancel_requested, attempts, fence) \
        SELECT 'job_x', project_id, organization_id, key_id, type, 'running', progress, input, pins, seed, \
        reserved, cost_cap, created_at, expires_at, created_at, created_at, cancel_requested, attempts, fence \
        FROM jobs WHERE id = ";
    let result = world.raw(&format!("{copied}'{id}'")).await;
    assert!(result.unwrap_err().to_string().contains("begins queued"));
}

async fn an_outcome_is_final(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    world
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
    for change in ["result = '2'", "usage = '{}'"] {
        let result = world
            .raw(&format!(
                "UPDATE jobs SET {change} WHERE id = '{}'",
                job.job.id
            ))
            .await;
        assert!(
            result.unwrap_err().to_string().contains("final"),
            "{change}"
        );
    }
}

async fn a_settled_step_is_final(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    world.step(&job.lease, 0, 1).await.unwrap();
    for change in [
        "outcome = '2'",
        "state = 'started', outcome = NULL, settled_at = NULL",
        "attempts = 9",
    ] {
        let result = world.raw(&format!("UPDATE job_steps SET {change}")).await;
        assert!(
            result.unwrap_err().to_string().contains("final"),
            "{change}"
        );
    }
}

async fn a_fence_never_falls(world: World) {
    let tenant = world.tenant().await;
    world.running(&tenant).await;
    let result = world.raw("UPDATE jobs SET fence = fence - 1").await;
    assert!(result.unwrap_err().to_string().contains("never falls"));
}

async fn the_ledger_is_append_only(world: World) {
    let tenant = world.tenant().await;
    world.create(&tenant.scope).await;
    let changes = [
        "UPDATE ledger_entries SET amount = 0",
        "DELETE FROM ledger_entries",
        "UPDATE ledger_transactions SET kind = 'settlement'",
        "DELETE FROM ledger_transactions",
    ];
    for change in changes {
        let result = world.raw(change).await;
        assert!(
            result.unwrap_err().to_string().contains("append-only"),
            "{change}"
        );
    }
    // An entry that unbalances a transaction: PostgreSQL refuses it at commit, and the check finds it on
    // both engines.
    let lopsided = "INSERT INTO ledger_entries (transaction_id, account, project_id, amount) \
        SELECT id, 'platform:nowhere', project_id, 5 FROM ledger_transactions";
    let result = world.raw(lopsided).await;
    assert_eq!(result.is_err(), world.is_postgres());
    let report = world.store.verify_ledger().await.unwrap();
    assert_eq!(report.is_sound(), world.is_postgres(), "{report:?}");
}
