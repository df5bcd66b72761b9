//! Events: stored once for each ordinal; progress never falls.

use gtm_domain::job::JobEventNew;
use serde_json::json;

use crate::world::World;

on_both_engines!(
    a_replay_reports_nothing_twice,
    progress_never_falls,
    events_page
);

fn event(ordinal: u64, progress: Option<u8>) -> JobEventNew {
    JobEventNew {
        ordinal,
        kind: "milestone".to_owned(),
        data: json!({"name": format!("m{ordinal}")}),
        progress,
    }
}

async fn a_replay_reports_nothing_twice(world: World) {
    let mut world = world;
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    for n in 0..3 {
        assert!(
            world
                .store
                .emit(&job.lease, event(n, Some(10)))
                .await
                .unwrap()
        );
    }
    world.reopen().await;
    world.clock.advance(crate::world::LEASE);
    let resumed = world.claim_one().await;
    for n in 0..4 {
        assert_eq!(
            world
                .store
                .emit(&resumed.lease, event(n, Some(10)))
                .await
                .unwrap(),
            n == 3
        );
    }
    let events = world
        .store
        .job_events(&tenant.scope, job.job.id, 0, 100)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        events
            .iter()
            .map(|e| (e.seq, e.ordinal))
            .collect::<Vec<_>>(),
        [(1, 0), (2, 1), (3, 2), (4, 3)]
    );
}

async fn progress_never_falls(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    let mut seen = Vec::new();
    for (n, progress) in [Some(20), Some(10), None, Some(255), Some(30)]
        .into_iter()
        .enumerate()
    {
        world
            .store
            .emit(&job.lease, event(n as u64, progress))
            .await
            .unwrap();
        seen.push(world.store.leased_job(&job.lease).await.unwrap().progress);
    }
    assert_eq!(seen, [20, 20, 20, 100, 100]);
}

async fn events_page(world: World) {
    let tenant = world.tenant().await;
    let job = world.running(&tenant).await;
    for n in 0..5 {
        world.store.emit(&job.lease, event(n, None)).await.unwrap();
    }
    let page = world
        .store
        .job_events(&tenant.scope, job.job.id, 2, 2)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(page.iter().map(|e| e.seq).collect::<Vec<_>>(), [3, 4]);
    assert_eq!(page[0].data, json!({"name": "m2"}));
    assert_eq!(
        world
            .store
            .operator()
            .job_events(job.job.id, 0, 100)
            .await
            .unwrap()
            .len(),
        5
    );
}
