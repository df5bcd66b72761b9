//! Waiting and running work of the installation, as monitoring reads it.

use std::time::Duration;

use gtm_domain::job::{Backlog, Finish, OpenJobs};
use gtm_domain::money::ProviderCallId;
use gtm_domain::{JobStatus, JobType, MicroUsd, Usage};
use gtm_store::Settlement;

use crate::world::{World, new_step, settlement};

on_both_engines!(open_jobs_and_calls_in_doubt_are_counted);

async fn open_jobs_and_calls_in_doubt_are_counted(world: World) {
    let operator = world.store.operator();
    let read = async || operator.backlog().await.unwrap();
    assert_eq!(read().await, Backlog::default());

    let (one, other) = (world.tenant().await, world.tenant().await);
    let first = world.create(&one.scope).await;
    world.clock.advance(Duration::from_secs(60));
    let second = world.create(&other.scope).await;
    let open = |status, jobs| OpenJobs {
        job_type: JobType::Playbooks,
        status,
        jobs,
    };
    let backlog = read().await;
    assert_eq!(backlog.open, [open(JobStatus::Queued, 2)]);
    assert_eq!(backlog.oldest_queued, Some(first.created_at));

    // A running job has left the queue, whichever project it belongs to.
    let claimed = world.claim(1).await.remove(0);
    let waits = if claimed.job.id == first.id {
        second
    } else {
        first
    };
    let backlog = read().await;
    let both = [open(JobStatus::Queued, 1), open(JobStatus::Running, 1)];
    assert_eq!(backlog.open, both);
    assert_eq!(backlog.oldest_queued, Some(waits.created_at));

    // A call in doubt waits until an operator states its cost, even if its job has ended.
    let (store, lease) = (&world.store, &claimed.lease);
    store.start_step(lease, new_step(0)).await.unwrap();
    let lost = Settlement {
        reconcile: true,
        ..settlement(0)
    };
    store.settle_step(lease, 0, lost).await.unwrap();
    let ended = store.finish(lease, Finish::Canceled, Usage::default());
    ended.await.unwrap();
    operator.cancel_job(waits.id).await.unwrap();
    let backlog = read().await;
    assert_eq!((backlog.open, backlog.oldest_queued), (Vec::new(), None));
    assert_eq!(backlog.awaiting_calls, 1);
    let call = ProviderCallId {
        job: claimed.job.id,
        step: 0,
    };
    let nothing = MicroUsd::ZERO;
    operator.reconcile_call(call, nothing, None).await.unwrap();
    assert_eq!(read().await, Backlog::default());
}
