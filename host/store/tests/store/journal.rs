//! The journal: intents, settlements, receipts and bodies, and what a restart finds of them.

use bytes::Bytes;
use gtm_domain::job::{Finish, Product};
use gtm_domain::step::{ConnectorRef, NewStep, StepState};
use gtm_domain::{Digest, Failure, FailureKind, MicroUsd, Usage};
use gtm_store::{Settlement, StoreError};
use serde_json::json;

use crate::world::{World, new_step, settlement};

on_both_engines!(
    a_settled_step_is_what_it_was,
    large_bodies_and_outcomes_survive,
    a_damaged_blob_is_noticed,
    a_failed_blob_write_settles_nothing,
    a_failed_row_write_settles_nothing,
    a_step_is_settled_once,
    a_position_is_taken_once,
    an_in_doubt_step_is_found_after_a_restart,
);

async fn a_settled_step_is_what_it_was(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    let connector = ConnectorRef {
        key: "web-fetch".to_owned(),
        version: "0.1.0".to_owned(),
        digest: Digest::of(b"c"),
    };
    let step = NewStep {
        connector: Some(connector.clone()),
        replay_safe: false,
        ..new_step(0)
    };
    world
        .store
        .start_step(&job.lease, step.clone())
        .await
        .unwrap();
    let bodies = [b"<html>".as_slice(), b"".as_slice()];
    let receipts: Vec<_> = bodies.iter().map(|b| world.receipt(b)).collect();
    let settled = Settlement {
        exchanges: receipts
            .iter()
            .cloned()
            .zip(bodies.map(|body| Bytes::from_static(body).into()))
            .collect(),
        ..settlement(1500)
    };
    world
        .store
        .settle_step(&job.lease, 0, settled.clone())
        .await
        .unwrap();
    let failure =
        Failure::new(FailureKind::RateLimited, "http_429", "slow down").with_retry_after_ms(5);
    world
        .store
        .start_step(&job.lease, new_step(1))
        .await
        .unwrap();
    let failed = Settlement {
        outcome: Err(failure.clone()),
        ..settlement(0)
    };
    world
        .store
        .settle_step(&job.lease, 1, failed)
        .await
        .unwrap();

    let steps = world.store.load_steps(&job.lease).await.unwrap();
    assert_eq!(
        (&steps[0].step, steps[0].state),
        (&step, StepState::Settled)
    );
    assert_eq!(
        (steps[0].outcome.clone(), steps[0].usage),
        (Some(settled.outcome), settled.usage)
    );
    assert_eq!(
        (steps[1].state, steps[1].outcome.clone()),
        (StepState::Failed, Some(Err(failure)))
    );
    let listed = world
        .store
        .job_receipts(&tenant.scope, job.job.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        listed.iter().map(|r| r.receipt.clone()).collect::<Vec<_>>(),
        receipts
    );
    assert_eq!(listed[0].connector, Some(connector));
    let (receipt, body) = world
        .store
        .read_receipt_body(&job.lease, receipts[0].id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((receipt, body.as_ref()), (receipts[0].clone(), bodies[0]));
    assert_eq!(
        world.store.job_spend(&job.lease).await.unwrap(),
        MicroUsd::from_micros(1500)
    );
    assert_eq!(
        world.store.operator().job_steps(job.job.id).await.unwrap(),
        steps
    );
}

async fn large_bodies_and_outcomes_survive(world: World) {
    let tenant = world.tenant().await;
    let other = world.tenant().await;
    let job = world.running(&tenant).await;
    let body = Bytes::from(
        (0..3_000_000u32)
            .map(|n| (n % 251) as u8)
            .collect::<Vec<_>>(),
    );
    let outcome = json!({"text": "é".repeat(200_000)});
    let receipt = world.receipt(&body);
    world
        .store
        .start_step(&job.lease, new_step(0))
        .await
        .unwrap();
    let settled = Settlement {
        outcome: Ok(outcome.clone()),
        exchanges: vec![(receipt.clone(), body.clone().into())],
        ..settlement(0)
    };
    world
        .store
        .settle_step(&job.lease, 0, settled)
        .await
        .unwrap();
    let (_, read) = world
        .store
        .read_receipt_body(&job.lease, receipt.id)
        .await
        .unwrap()
        .unwrap();
    assert!(read == body);
    let steps = world.store.load_steps(&job.lease).await.unwrap();
    assert_eq!(steps[0].outcome, Some(Ok(outcome)));
    let digest = Digest::of(&body);
    assert_eq!(
        world
            .store
            .receipt_body(&other.scope, job.job.id, receipt.id)
            .await
            .unwrap(),
        None
    );
    let hex = digest.to_hex();
    assert!(
        world
            .config
            .blob_dir
            .join("blobs")
            .join(&hex[..2])
            .join(&hex[2..4])
            .join(&hex)
            .is_file()
    );
}

async fn a_damaged_blob_is_noticed(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    let body = Bytes::from(vec![7; 100_000]);
    let receipt = world.receipt(&body);
    world
        .store
        .start_step(&job.lease, new_step(0))
        .await
        .unwrap();
    let settled = Settlement {
        exchanges: vec![(receipt.clone(), body.clone().into())],
        ..settlement(0)
    };
    world
        .store
        .settle_step(&job.lease, 0, settled)
        .await
        .unwrap();
    let hex = Digest::of(&body).to_hex();
    let path = world
        .config
        .blob_dir
        .join("blobs")
        .join(&hex[..2])
        .join(&hex[2..4])
        .join(&hex);
    std::fs::write(&path, vec![8; 100_000]).unwrap();
    let read = world.store.read_receipt_body(&job.lease, receipt.id).await;
    assert!(matches!(read, Err(StoreError::BlobDamaged(_))), "{read:?}");
    std::fs::remove_file(&path).unwrap();
    let read = world.store.read_receipt_body(&job.lease, receipt.id).await;
    assert!(matches!(read, Err(StoreError::BlobDamaged(_))), "{read:?}");
}

async fn a_failed_blob_write_settles_nothing(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    world
        .store
        .start_step(&job.lease, new_step(0))
        .await
        .unwrap();
    // A file in place of the directory: no blob can be written.
    let folder = world.config.blob_dir.join("blobs");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::write(&folder, b"").unwrap();
    let body = Bytes::from(vec![7; 100_000]);
    let settled = Settlement {
        exchanges: vec![(world.receipt(&body), body.into())],
        ..settlement(99)
    };
    let result = world
        .store
        .settle_step(&job.lease, 0, settled.clone())
        .await;
    assert!(matches!(result, Err(StoreError::Blob(_))), "{result:?}");
    let steps = world.store.load_steps(&job.lease).await.unwrap();
    assert_eq!(
        (steps[0].state, steps[0].usage),
        (StepState::Started, Usage::default())
    );
    assert_eq!(
        world.store.job_spend(&job.lease).await.unwrap(),
        MicroUsd::ZERO
    );
    assert!(
        world
            .store
            .job_receipts(&tenant.scope, job.job.id)
            .await
            .unwrap()
            .unwrap()
            .is_empty()
    );
    std::fs::remove_file(&folder).unwrap();
    world
        .store
        .settle_step(&job.lease, 0, settled)
        .await
        .unwrap();
    assert_eq!(
        world.store.job_spend(&job.lease).await.unwrap(),
        MicroUsd::from_micros(99)
    );
}

async fn a_failed_row_write_settles_nothing(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    let twice = world.receipt(b"x");
    world
        .store
        .start_step(&job.lease, new_step(0))
        .await
        .unwrap();
    // The second receipt has the first one's id: its insert fails after the step was updated.
    let exchanges = vec![
        (twice.clone(), Bytes::from_static(b"x").into()),
        (twice, Bytes::from_static(b"x").into()),
    ];
    let settled = Settlement {
        exchanges,
        ..settlement(99)
    };
    assert!(
        world
            .store
            .settle_step(&job.lease, 0, settled)
            .await
            .is_err()
    );
    assert_eq!(
        world.store.load_steps(&job.lease).await.unwrap()[0].state,
        StepState::Started
    );
    assert_eq!(
        world.store.job_spend(&job.lease).await.unwrap(),
        MicroUsd::ZERO
    );
    assert_eq!(world.number("SELECT COUNT(*) FROM receipts").await, 0);
}

async fn a_step_is_settled_once(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    let result = world.store.settle_step(&job.lease, 0, settlement(1)).await;
    assert!(
        matches!(result, Err(StoreError::Conflict(_))),
        "not started: {result:?}"
    );
    world.step(&job.lease, 0, 7).await.unwrap();
    let result = world.store.settle_step(&job.lease, 0, settlement(7)).await;
    assert!(matches!(result, Err(StoreError::Conflict(_))), "{result:?}");
    assert!(matches!(
        world.store.restart_step(&job.lease, 0, 1).await,
        Err(StoreError::Conflict(_))
    ));
    assert_eq!(
        world.store.job_spend(&job.lease).await.unwrap(),
        MicroUsd::from_micros(7)
    );
}

async fn a_position_is_taken_once(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    world
        .store
        .start_step(&job.lease, new_step(0))
        .await
        .unwrap();
    assert!(matches!(
        world.store.start_step(&job.lease, new_step(0)).await,
        Err(StoreError::Conflict(_))
    ));
    let same_key = NewStep {
        step_key: "step-0".to_owned(),
        ..new_step(1)
    };
    assert!(matches!(
        world.store.start_step(&job.lease, same_key).await,
        Err(StoreError::Conflict(_))
    ));
}

async fn an_in_doubt_step_is_found_after_a_restart(world: World) {
    let mut world = world;
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    world.step(&job.lease, 0, 5).await.unwrap();
    world
        .store
        .start_step(&job.lease, new_step(1))
        .await
        .unwrap();
    world.reopen().await;
    world.clock.advance(crate::world::LEASE);
    let resumed = world.claim_one().await;
    assert!(resumed.resumed);
    let steps = world.store.load_steps(&resumed.lease).await.unwrap();
    let states: Vec<_> = steps
        .iter()
        .map(|s| (s.step.seq, s.state, s.attempts))
        .collect();
    assert_eq!(
        states,
        [(0, StepState::Settled, 1), (1, StepState::Started, 1)]
    );
    assert_eq!(
        world
            .store
            .restart_step(&resumed.lease, 1, 1)
            .await
            .unwrap(),
        2
    );
    world
        .store
        .settle_step(&resumed.lease, 1, settlement(6))
        .await
        .unwrap();
    let finish = Finish::Succeeded {
        result: json!({"done": true}),
        product: Product::None,
    };
    let row = world
        .store
        .finish(&resumed.lease, finish, Usage::default())
        .await
        .unwrap();
    assert_eq!(row.usage.cost, MicroUsd::from_micros(11));
    world.reopen().await;
    let read = world
        .store
        .get_job(&tenant.scope, job.job.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(read, row);
}
