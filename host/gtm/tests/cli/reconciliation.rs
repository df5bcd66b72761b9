//! `gtm ledger reconcile settle` for several calls, one of which cannot be written.

use gtm_domain::job::Finish;
use gtm_domain::step::NewStep;
use gtm_domain::{Digest, Failure, FailureKind, JobId, JobType, MicroUsd, Usage};
use gtm_store::Settlement;
use serde_json::{Value, json};

use crate::process::{Gtm, text};
use crate::worker_side::{WorkerSide, raw};

/// A job that has ended, with three calls whose answer was lost.
async fn lost_three(gtm: &Gtm) -> JobId {
    let side = WorkerSide::open(gtm).await;
    let (store, usd) = (&side.store, MicroUsd::from_micros);
    let job = side.job(JobType::Playbooks, usd(1_000));
    store.create_job(&side.scope, job, None).await.unwrap();
    let claimed = side.claim().await;
    for seq in 0..3 {
        let step = NewStep {
            seq,
            capability: "model.complete".to_owned(),
            input_digest: Digest::of(b"input"),
            connection: None,
            connector: None,
            replay_safe: false,
            keyed: false,
            step_key: format!("step-{seq}"),
            ceiling: usd(100),
        };
        store.start_step(&claimed.lease, step).await.unwrap();
        let lost = Settlement {
            outcome: Err(Failure::new(FailureKind::Timeout, "timeout", "no answer")),
            exchanges: Vec::new(),
            usage: Usage::default(),
            reported: None,
            reconcile: true,
            at_most: None,
        };
        store.settle_step(&claimed.lease, seq, lost).await.unwrap();
    }
    let ended = store.finish(&claimed.lease, Finish::Canceled, Usage::default());
    ended.await.unwrap();
    store.close().await;
    claimed.job.id
}

#[tokio::test]
async fn what_was_settled_is_told_where_the_next_call_cannot_be_written() {
    let gtm = Gtm::new();
    let job = lost_three(&gtm).await.to_string();
    raw(
        &gtm,
        "CREATE TRIGGER refuse BEFORE INSERT ON ledger_transactions WHEN NEW.kind = 'reconciliation' AND NEW.step = 1 \
         BEGIN SELECT RAISE(ABORT, 'no more rows'); END",
    )
    .await;
    let settle = ["ledger", "reconcile", "settle", "--job", &job, "--cost-usd"];
    let all = [&["--json"], &settle[..], &["0.00007"]].concat();
    let output = gtm.run(&all);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no more rows"), "{said}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let calls = told["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 1, "{told}");
    assert_eq!(calls[0]["cost_usd"], 0.000_07);
    let left = told["left"].as_array().unwrap();
    assert_eq!(left.len(), 1, "{told}");
    assert_eq!(left[0]["id"], format!("{job}.1"));
    let problem = text(&left[0], "problem");
    assert!(problem.contains("no more rows"), "{problem}");
    let output = gtm.run(&[&settle[..], &["0.00007"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains(&format!("{job}.1 was not settled")), "{told}");

    // Repeated after the cause is gone, the command settles the rest.
    raw(&gtm, "DROP TRIGGER refuse").await;
    let told = gtm.json(&[&settle[..], &["0.00007"]].concat());
    assert_eq!(told["calls"].as_array().unwrap().len(), 2, "{told}");
    assert_eq!(told["left"], json!([]));
    let verified = gtm.json(&["ledger", "verify"]);
    assert_eq!(verified["awaiting_reconciliation"], 0);
}
