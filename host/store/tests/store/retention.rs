//! Retention: what is removed after 30 days and 24 hours, and what stays.

use std::time::Duration;

use bytes::Bytes;
use gtm_domain::job::{Finish, JOB_RETENTION, JobEventNew, Product};
use gtm_domain::{JobStatus, MicroUsd, Usage};
use gtm_store::{Settlement, SweepReport};
use serde_json::json;

use crate::world::{World, new_step, settlement};

on_both_engines!(
    an_expired_job_loses_its_data_and_keeps_its_costs,
    a_shared_blob_stays_for_who_still_needs_it,
    a_young_orphan_stays,
    an_overdue_queued_job_ends,
    answers_go_after_24_hours,
);

async fn finished_job_with_blob(
    world: &World,
    tenant: &crate::world::Tenant,
    body: &Bytes,
) -> gtm_store::ClaimedJob {
    let job = world.running(tenant).await;
    world
        .store
        .start_step(&job.lease, new_step(0))
        .await
        .unwrap();
    let settled = Settlement {
        exchanges: vec![(world.receipt(body), body.clone().into())],
        ..settlement(9)
    };
    world
        .store
        .settle_step(&job.lease, 0, settled)
        .await
        .unwrap();
    let event = JobEventNew {
        ordinal: 0,
        kind: "stage".to_owned(),
        data: json!({}),
        progress: None,
    };
    world.store.emit(&job.lease, event).await.unwrap();
    world
        .store
        .finish(
            &job.lease,
            Finish::Succeeded {
                result: json!({"x": 1}),
                product: Product::None,
            },
            Usage::default(),
        )
        .await
        .unwrap();
    job
}

fn blobs(world: &World) -> usize {
    fn count(dir: &std::path::Path) -> usize {
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        entries
            .filter(|e| e.file_name() != ".lock")
            .map(|e| {
                if e.path().is_dir() {
                    count(&e.path())
                } else {
                    1
                }
            })
            .sum()
    }
    count(&world.config.blob_dir)
}

async fn an_expired_job_loses_its_data_and_keeps_its_costs(world: World) {
    let tenant = world.tenant().await;
    let job = finished_job_with_blob(&world, &tenant, &Bytes::from(vec![1; 50_000])).await;
    world
        .clock
        .set(job.job.expires_at.minus(Duration::from_secs(1)));
    assert_eq!(world.store.sweep().await.unwrap(), SweepReport::default());
    world.clock.set(job.job.expires_at);
    let row = world
        .store
        .get_job(&tenant.scope, job.job.id)
        .await
        .unwrap()
        .unwrap();
    assert!(
        row.expired && row.result.is_some(),
        "expired by the clock, sweep or not"
    );
    let report = world.store.sweep().await.unwrap();
    assert_eq!(
        report,
        SweepReport {
            jobs: 1,
            blobs: 1,
            ..SweepReport::default()
        }
    );
    assert_eq!(blobs(&world), 0);
    let row = world
        .store
        .get_job(&tenant.scope, job.job.id)
        .await
        .unwrap()
        .unwrap();
    assert!(row.expired && row.result.is_none() && row.input.is_null() && row.pins.is_null());
    assert_eq!(
        (row.status, row.usage.cost),
        (JobStatus::Succeeded, MicroUsd::from_micros(9))
    );
    for table in ["job_steps", "receipts", "job_events", "blob_references"] {
        assert_eq!(
            world.number(&format!("SELECT COUNT(*) FROM {table}")).await,
            0,
            "{table}"
        );
    }
    for table in ["cost_rows", "usage_rows"] {
        assert_eq!(
            world.number(&format!("SELECT COUNT(*) FROM {table}")).await,
            1,
            "{table}"
        );
    }
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
    assert_eq!(world.store.sweep().await.unwrap(), SweepReport::default());
}

async fn a_shared_blob_stays_for_who_still_needs_it(world: World) {
    let tenant = world.tenant().await;
    let body = Bytes::from(vec![2; 50_000]);
    let first = finished_job_with_blob(&world, &tenant, &body).await;
    world.clock.advance(Duration::from_secs(86_400));
    let second = finished_job_with_blob(&world, &tenant, &body).await;
    world.clock.set(first.job.expires_at);
    let report = world.store.sweep().await.unwrap();
    assert_eq!((report.jobs, report.blobs), (1, 0));
    let receipts = world
        .store
        .job_receipts(&tenant.scope, second.job.id)
        .await
        .unwrap()
        .unwrap();
    let (_, kept) = world
        .store
        .receipt_body(&tenant.scope, second.job.id, receipts[0].receipt.id)
        .await
        .unwrap()
        .unwrap();
    assert!(kept == body);
    world.clock.set(second.job.expires_at);
    assert_eq!(world.store.sweep().await.unwrap().blobs, 1);
}

async fn a_young_orphan_stays(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    // A settlement that fails after its blob was written leaves an orphan.
    let body = Bytes::from(vec![3; 50_000]);
    let settled = Settlement {
        exchanges: vec![(world.receipt(&body), body.into())],
        ..settlement(9)
    };
    assert!(
        world
            .store
            .settle_step(&job.lease, 0, settled)
            .await
            .is_err()
    );
    assert_eq!(blobs(&world), 1);
    assert_eq!(world.store.sweep().await.unwrap().blobs, 0);
    world.clock.advance(Duration::from_secs(2 * 3600));
    assert_eq!(world.store.sweep().await.unwrap().blobs, 1);
    assert_eq!(blobs(&world), 0);
}

async fn an_overdue_queued_job_ends(world: World) {
    let tenant = world.tenant().await;
    let job = world.create(&tenant.scope).await;
    world.clock.advance(JOB_RETENTION);
    assert_eq!(world.store.sweep().await.unwrap().jobs, 1);
    let row = world
        .store
        .get_job(&tenant.scope, job.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(row.status, JobStatus::Canceled);
    let report = world.store.verify_ledger().await.unwrap();
    assert!(
        report.is_sound() && report.reserved == MicroUsd::ZERO,
        "{report:?}"
    );
}

async fn answers_go_after_24_hours(world: World) {
    let tenant = world.tenant().await;
    let claim = world.idempotency(&tenant.scope, "k", "input");
    world
        .store
        .create_job(&tenant.scope, world.new_job(), Some(claim))
        .await
        .unwrap();
    world.clock.advance(Duration::from_secs(24 * 3600));
    assert_eq!(world.store.sweep().await.unwrap().idempotency, 1);
    assert_eq!(world.number("SELECT COUNT(*) FROM idempotency").await, 0);
}
