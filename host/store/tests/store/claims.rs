//! Claiming, leases, fencing and fairness.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use gtm_domain::job::{Finish, JobEventNew, Product};
use gtm_domain::{JobStatus, Usage};
use gtm_store::StoreError;
use serde_json::json;

use crate::world::{LEASE, World, new_step, settlement};

on_both_engines!(
    a_claimed_job_runs_with_its_pins,
    a_thousand_jobs_of_one_project_do_not_delay_another,
    a_project_gets_no_more_than_its_share,
    projects_take_turns,
    no_job_is_claimed_twice,
    a_lease_that_ran_out_is_taken_over,
    a_lost_lease_writes_nothing,
    a_released_job_is_claimable_at_once,
    a_new_job_wakes_a_worker,
    canceling_asks_or_ends,
);

async fn a_claimed_job_runs_with_its_pins(world: World) {
    let tenant = world.tenant().await;
    let created = world.create(&tenant.scope).await;
    world.clock.advance(Duration::from_secs(3));
    let claimed = world.claim_one().await;
    assert_eq!(
        (claimed.job.id, claimed.job.status),
        (created.id, JobStatus::Running)
    );
    assert_eq!(
        (claimed.seed, claimed.pins, claimed.resumed),
        ([7; 32], json!({"backend": "playbook"}), false)
    );
    assert_eq!(
        (claimed.started_at, claimed.cost_cap),
        (world.now(), created.cost_cap)
    );
    assert_eq!(claimed.lease.scope().project(), tenant.project);
    assert!(claimed.lease.scope().permissions().as_slice().is_empty());
    assert!(world.claim(5).await.is_empty());
}

async fn a_thousand_jobs_of_one_project_do_not_delay_another(world: World) {
    let (greedy, modest) = (world.tenant().await, world.tenant().await);
    // In waves: creates of one organization run one after the other, and none must wait longer for a
    // connection than the pool allows.
    for _ in 0..20 {
        let mut creates = Vec::new();
        for _ in 0..50 {
            let (store, scope, job) = (world.store.clone(), greedy.scope.clone(), world.new_job());
            creates.push(tokio::spawn(async move {
                store.create_job(&scope, job, None).await.unwrap()
            }));
        }
        for create in creates {
            create.await.unwrap();
        }
    }
    world.clock.advance(Duration::from_millis(5));
    let first = world.create(&modest.scope).await;
    let claimed = world.claim(2).await;
    let ids: BTreeSet<_> = claimed.iter().map(|c| c.job.id).collect();
    assert_eq!(claimed.len(), 2);
    assert!(ids.contains(&first.id));
}

async fn a_project_gets_no_more_than_its_share(world: World) {
    let (a, b) = (world.tenant().await, world.tenant().await);
    for _ in 0..5 {
        world.create(&a.scope).await;
    }
    world.create(&b.scope).await;
    let claimed = world
        .store
        .claim_jobs(world.worker(), 10, 2, LEASE)
        .await
        .unwrap()
        .jobs;
    let mut per_project = BTreeMap::new();
    for job in &claimed {
        *per_project.entry(job.job.project).or_insert(0) += 1;
    }
    assert_eq!(
        per_project,
        BTreeMap::from([(a.project, 2), (b.project, 1)])
    );
    assert!(
        world
            .store
            .claim_jobs(world.worker(), 10, 2, LEASE)
            .await
            .unwrap()
            .jobs
            .is_empty()
    );
    let mine = claimed.iter().find(|c| c.job.project == a.project).unwrap();
    world
        .store
        .finish(&mine.lease, Finish::Canceled, Usage::default())
        .await
        .unwrap();
    assert_eq!(
        world
            .store
            .claim_jobs(world.worker(), 10, 2, LEASE)
            .await
            .unwrap()
            .jobs
            .len(),
        1
    );
    // Expired leases do not lift the limit either.
    world.clock.advance(LEASE * 2);
    let abandoned = world.store.claim_jobs(world.worker(), 10, 2, LEASE).await;
    let mut per_project = BTreeMap::new();
    for job in abandoned.unwrap().jobs {
        assert!(job.resumed);
        *per_project.entry(job.job.project).or_insert(0) += 1;
    }
    assert_eq!(
        per_project,
        BTreeMap::from([(a.project, 2), (b.project, 1)])
    );
}

async fn projects_take_turns(world: World) {
    let tenants = [
        world.tenant().await,
        world.tenant().await,
        world.tenant().await,
    ];
    for tenant in &tenants {
        for _ in 0..3 {
            world.create(&tenant.scope).await;
        }
    }
    let mut turns = Vec::new();
    for _ in 0..9 {
        world.clock.advance(Duration::from_millis(10));
        let job = world.claim(1).await.remove(0);
        turns.push(job.job.project);
        world
            .store
            .finish(&job.lease, Finish::Canceled, Usage::default())
            .await
            .unwrap();
    }
    for round in turns.chunks(3) {
        assert_eq!(
            round.iter().collect::<BTreeSet<_>>().len(),
            3,
            "each round serves every project: {turns:?}"
        );
    }
}

async fn no_job_is_claimed_twice(world: World) {
    let tenants = [world.tenant().await, world.tenant().await];
    for n in 0..60 {
        world.create(&tenants[n % 2].scope).await;
    }
    let stores = [world.store.clone(), world.another_node().await];
    let mut tasks = Vec::new();
    for n in 0..8 {
        let (store, worker) = (stores[n % 2].clone(), world.worker());
        tasks.push(tokio::spawn(async move {
            let mut mine = Vec::new();
            loop {
                let claimed = store.claim_jobs(worker, 3, 100, LEASE).await.unwrap().jobs;
                if claimed.is_empty() {
                    return mine;
                }
                mine.extend(claimed.into_iter().map(|c| c.job.id));
            }
        }));
    }
    let mut all = Vec::new();
    for task in tasks {
        all.extend(task.await.unwrap());
    }
    assert_eq!(all.len(), 60);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 60);
}

async fn a_lease_that_ran_out_is_taken_over(world: World) {
    let tenant = world.tenant().await;
    let first = world.running(&tenant).await;
    world.step(&first.lease, 0, 10).await.unwrap();
    world.clock.advance(LEASE / 2);
    assert!(
        !world
            .store
            .renew(&first.lease, LEASE)
            .await
            .unwrap()
            .cancel_requested
    );
    world.clock.advance(LEASE / 2);
    assert!(world.claim(1).await.is_empty(), "the lease was renewed");
    world.clock.advance(LEASE / 2);
    let second = world.claim_one().await;
    assert!(second.resumed && second.job.attempts == 2);
    assert!(second.lease.fence() > first.lease.fence());
    assert_eq!(
        second.started_at, first.started_at,
        "the first start stays the backend's clock"
    );
    assert_eq!(
        world.store.load_steps(&second.lease).await.unwrap().len(),
        1
    );
}

async fn a_lost_lease_writes_nothing(world: World) {
    let tenant = world.tenant().await;
    let first = world.running(&tenant).await;
    world
        .store
        .start_step(&first.lease, new_step(0))
        .await
        .unwrap();
    world.clock.advance(LEASE);
    let second = world.claim_one().await;
    let (store, old) = (&world.store, &first.lease);
    let event = JobEventNew {
        ordinal: 0,
        kind: "stage".to_owned(),
        data: json!({}),
        progress: Some(50),
    };
    let lost = [
        store.renew(old, LEASE).await.map(drop),
        store.release(old).await,
        store.start_step(old, new_step(1)).await,
        store.restart_step(old, 0, 1).await.map(drop),
        store.settle_step(old, 0, settlement(5)).await,
        store.emit(old, event).await.map(drop),
        store
            .finish(
                old,
                Finish::Succeeded {
                    result: json!(1),
                    product: Product::None,
                },
                Usage::default(),
            )
            .await
            .map(drop),
    ];
    for result in lost {
        assert!(matches!(result, Err(StoreError::LeaseLost)), "{result:?}");
    }
    let row = store.leased_job(&second.lease).await.unwrap();
    assert_eq!((row.status, row.progress), (JobStatus::Running, 0));
    let steps = store.load_steps(&second.lease).await.unwrap();
    assert_eq!(steps.len(), 1);
    assert!(steps[0].outcome.is_none() && steps[0].attempts == 1);
    assert!(
        store
            .job_events(&tenant.scope, row.id, 0, 10)
            .await
            .unwrap()
            .unwrap()
            .is_empty()
    );
}

async fn a_released_job_is_claimable_at_once(world: World) {
    let tenant = world.tenant().await;
    let first = world.running(&tenant).await;
    world.store.release(&first.lease).await.unwrap();
    assert!(matches!(
        world.store.renew(&first.lease, LEASE).await,
        Err(StoreError::LeaseLost)
    ));
    let row = world
        .store
        .get_job(&tenant.scope, first.job.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(row.status, JobStatus::Running);
    assert_eq!(world.claim_one().await.job.id, first.job.id);
}

async fn a_new_job_wakes_a_worker(world: World) {
    let tenant = world.tenant().await;
    let waiting = world.store.clone();
    let waiter = tokio::spawn(async move { waiting.job_available().await });
    world.create(&tenant.scope).await;
    tokio::time::timeout(Duration::from_secs(60), waiter)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(world.claim(1).await.len(), 1);
    // No notification comes: the worker looks by itself.
    world.store.job_available().await;
    world.store.job_available().await;
}

async fn canceling_asks_or_ends(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let queued = world.create(&tenant.scope).await;
    assert_eq!(
        operator.cancel_job(queued.id).await.unwrap().job.status,
        JobStatus::Canceled
    );
    let running = world.running(&tenant).await;
    let asked = operator.cancel_job(running.job.id).await.unwrap();
    assert_eq!(
        (asked.job.status, asked.job.cancel_requested),
        (JobStatus::Running, true)
    );
    assert!(
        world
            .store
            .renew(&running.lease, LEASE)
            .await
            .unwrap()
            .cancel_requested
    );
    let ended = world
        .store
        .finish(&running.lease, Finish::Canceled, Usage::default())
        .await
        .unwrap();
    assert_eq!(ended.status, JobStatus::Canceled);
    assert_eq!(
        operator.cancel_job(running.job.id).await.unwrap().job,
        ended
    );
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
}
