//! How jobs end, through the store and behind its back: an end is final, owners and settled costs never
//! change, and the ledger is sound after each.

use gtm_domain::job::{CreateJob, Finish, Job, JobError, Product};
use gtm_domain::{JobId, JobStatus, MicroUsd, Usage};
use gtm_store::StoreError;
use serde_json::json;

use crate::world::{LEASE, Tenant, World};

on_both_engines!(
    a_sweep_takes_away_and_writes_nothing,
    a_job_keeps_its_owner,
    an_end_is_final_for_the_code_too,
    a_canceled_job_keeps_its_settled_cost,
    archiving_ends_what_is_queued_and_asks_what_runs,
    a_job_that_slipped_past_the_archiving_is_claimed_canceled,
);

async fn refused(world: &World, change: &str, why: &str) {
    let result = world.raw(&format!("UPDATE jobs SET {change}")).await;
    assert!(result.unwrap_err().to_string().contains(why), "{change}");
}

async fn a_sweep_takes_away_and_writes_nothing(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    refused(&world, "swept_at = created_at", "only an ended job").await;
    let finish = Finish::Succeeded {
        result: json!(1),
        product: Product::None,
    };
    let usage = Usage::default();
    world.store.finish(&job.lease, finish, usage).await.unwrap();
    for change in [
        "result = '2', swept_at = created_at",
        "error = '{}', swept_at = created_at",
        "usage = '{}', swept_at = created_at",
        "usage = NULL, swept_at = created_at",
        "finished_at = expires_at",
        "started_at = NULL",
    ] {
        refused(&world, change, "final").await;
    }
    let swept = world.raw("UPDATE jobs SET result = NULL, swept_at = expires_at");
    assert_eq!(swept.await.unwrap(), 1);
    let back = world.raw("UPDATE jobs SET swept_at = NULL").await;
    assert!(back.is_err());
}

async fn a_job_keeps_its_owner(world: World) {
    let (tenant, other) = (world.tenant().await, world.tenant().await);
    world.create(&tenant.scope).await;
    for change in [
        format!("project_id = '{}'", other.project),
        format!("organization_id = '{}'", other.organization),
        format!("key_id = '{}'", other.key),
        "id = 'job_other'".to_owned(),
        "type = 'brands'".to_owned(),
    ] {
        refused(&world, &change, "keeps its owner").await;
    }
}

fn finish_as(status: JobStatus) -> Finish {
    match status {
        JobStatus::Succeeded => Finish::Succeeded {
            result: json!({}),
            product: Product::None,
        },
        JobStatus::Failed => Finish::Failed {
            error: JobError {
                code: "backend_error".to_owned(),
                message: "m".to_owned(),
                details: None,
            },
        },
        _ => Finish::Canceled,
    }
}

async fn row(world: &World, tenant: &Tenant, id: JobId) -> Job {
    let row = world.store.get_job(&tenant.scope, id).await.unwrap();
    row.unwrap()
}

async fn sound(world: &World) {
    let report = world.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
}

async fn an_end_is_final_for_the_code_too(world: World) {
    let tenant = world.tenant().await;
    let ends = [JobStatus::Succeeded, JobStatus::Failed, JobStatus::Canceled];
    for end in ends {
        let job = world.running(&tenant).await;
        let (lease, usage) = (&job.lease, Usage::default());
        let ended = world.store.finish(lease, finish_as(end), usage).await;
        let ended = ended.unwrap();
        assert_eq!(ended.status, end);
        for again in ends {
            let second = world.store.finish(lease, finish_as(again), usage).await;
            assert!(
                matches!(second, Err(StoreError::LeaseLost)),
                "{end:?} {again:?}"
            );
        }
        let renewed = world.store.renew(lease, LEASE).await;
        assert!(matches!(renewed, Err(StoreError::LeaseLost)));
        let released = world.store.release(lease).await;
        assert!(matches!(released, Err(StoreError::LeaseLost)));
        let step = world.step(lease, 5, 1).await;
        assert!(matches!(step, Err(StoreError::LeaseLost)));
        let operator = world.store.operator();
        operator.cancel_job(job.job.id).await.unwrap();
        world.clock.advance(LEASE * 2);
        assert!(
            world.claim(5).await.is_empty(),
            "an ended job is not claimed"
        );
        assert_eq!(row(&world, &tenant, job.job.id).await, ended);
        sound(&world).await;
    }
    // An operator cancels a queued job, once.
    let id = world.create(&tenant.scope).await.id;
    let canceled = world.store.operator().cancel_job(id).await.unwrap().job;
    assert_eq!(
        (canceled.status, canceled.started_at, canceled.error.clone()),
        (JobStatus::Canceled, None, None)
    );
    world.store.operator().cancel_job(id).await.unwrap();
    assert!(world.claim(5).await.is_empty());
    assert_eq!(row(&world, &tenant, id).await, canceled);
    sound(&world).await;
}

async fn a_canceled_job_keeps_its_settled_cost(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    world.step(&job.lease, 0, 1_200).await.unwrap();
    let asked = world.store.operator().cancel_job(job.job.id).await.unwrap();
    assert_eq!(
        (asked.job.status, asked.job.cancel_requested),
        (JobStatus::Running, true)
    );
    let usage = Usage {
        backend_requests: 3,
        ..Usage::default()
    };
    let ended = world
        .store
        .finish(&job.lease, Finish::Canceled, usage)
        .await;
    let ended = ended.unwrap();
    assert_eq!((ended.error, ended.result), (None, None));
    assert_eq!(
        (ended.usage.cost, ended.usage.backend_requests),
        (MicroUsd::from_micros(1_200), 3)
    );
    let charged = "SELECT COUNT(*) FROM usage_rows WHERE status = 'canceled' AND cost = 1200";
    assert_eq!(world.number(charged).await, 1);
    sound(&world).await;
}

async fn archiving_ends_what_is_queued_and_asks_what_runs(world: World) {
    let (tenant, other) = (world.tenant().await, world.tenant().await);
    let running = world.running(&tenant).await.job.id;
    let queued = world.create(&tenant.scope).await.id;
    let elsewhere = world.create(&other.scope).await.id;
    let operator = world.store.operator();
    operator.archive_project(tenant.project).await.unwrap();
    let job = row(&world, &tenant, queued).await;
    assert_eq!(job.status, JobStatus::Canceled);
    let job = row(&world, &tenant, running).await;
    assert_eq!(
        (job.status, job.cancel_requested),
        (JobStatus::Running, true)
    );
    let job = row(&world, &other, elsewhere).await;
    assert_eq!(
        (job.status, job.cancel_requested),
        (JobStatus::Queued, false)
    );
    sound(&world).await;
}

/// A create that authenticated before its project was archived may commit after it.
async fn a_job_that_slipped_past_the_archiving_is_claimed_canceled(world: World) {
    let (tenant, other) = (world.tenant().await, world.tenant().await);
    let operator = world.store.operator();
    operator.archive_project(tenant.project).await.unwrap();
    operator
        .archive_organization(other.organization)
        .await
        .unwrap();
    for scope in [&tenant.scope, &other.scope] {
        let made = world.store.create_job(scope, world.new_job(), None).await;
        // It is equally good if the store refuses such a create.
        assert!(
            matches!(made, Ok(CreateJob::Created(_)) | Err(_)),
            "{made:?}"
        );
    }
    let claimed = world.claim(5).await;
    assert!(claimed.iter().all(|job| job.job.cancel_requested));
}
