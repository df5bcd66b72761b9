//! Research of brands: once at a time, and its status is that of its job.

use std::collections::BTreeSet;
use std::time::Duration;

use gtm_domain::brand::ResearchStatus;
use gtm_domain::{BrandId, JobStatus, Usage};
use gtm_store::{
    BrandPage, BrandStatus, Create, Finish, Research, StoreError, StoredResponse, uuid_v7,
};

use crate::brands::{create, get, guideline, publish, refresh, research, research_job, succeed};
use crate::world::World;

on_both_engines!(
    the_status_follows_the_job,
    whatever_cancels_the_job_cancels_the_research,
    a_hundred_requests_make_one_job,
    a_key_replays_a_reused_job,
    an_archived_or_foreign_brand_is_not_researched,
    archiving_cancels_and_takes_the_default,
);

async fn the_status_follows_the_job(world: World) {
    let tenant = world.tenant().await;
    let (brand, job) = create(&world, &tenant, "acme", false).await;
    world.clock.advance(Duration::from_secs(1));
    let claimed = world.claim_one().await;
    let now = get(&world, &tenant, brand.id).await;
    assert_eq!(now.research_status, ResearchStatus::Researching);
    assert!(now.updated_at > brand.updated_at);
    // A job that is handed back and claimed again is still at work.
    world.store.release(&claimed.lease).await.unwrap();
    let claimed = world.claim_one().await;
    assert_eq!(
        get(&world, &tenant, brand.id).await.research_status,
        ResearchStatus::Researching
    );
    let subject = world.store.research_subject(&claimed.lease).await.unwrap();
    assert_eq!((subject.brand.id, subject.previous), (brand.id, None));
    let new = guideline(&world, brand.id, job.id, 1);
    publish(&world.store, &claimed, Some(new.clone()))
        .await
        .unwrap();
    let ready = get(&world, &tenant, brand.id).await;
    assert_eq!(ready.research_status, ResearchStatus::Ready);
    assert_eq!((ready.guideline_revision, ready.source_count), (Some(1), 3));
    let stored = world.store.guideline(&tenant.scope, brand.id, 1).await;
    let stored = stored.unwrap().unwrap();
    assert_eq!(
        (stored.document, stored.hash, stored.job),
        (new.document, new.hash, job.id)
    );
    refresh(&world, &tenant, brand.id).await;
    let claimed = world.claim_one().await;
    let subject = world.store.research_subject(&claimed.lease).await.unwrap();
    assert_eq!(subject.previous.unwrap().revision, 1);
}

async fn whatever_cancels_the_job_cancels_the_research(world: World) {
    let tenant = world.tenant().await;
    let status = async |id| get(&world, &tenant, id).await.research_status;
    // By an operator, while queued.
    let (brand, job) = create(&world, &tenant, "acme", false).await;
    world.store.operator().cancel_job(job.id).await.unwrap();
    assert_eq!(status(brand.id).await, ResearchStatus::Canceled);
    // By an operator, while running: it ends when its worker ends it.
    let job = refresh(&world, &tenant, brand.id).await;
    let claimed = world.claim_one().await;
    world.store.operator().cancel_job(job.id).await.unwrap();
    assert_eq!(status(brand.id).await, ResearchStatus::Researching);
    world
        .store
        .finish(&claimed.lease, Finish::Canceled, Usage::default())
        .await
        .unwrap();
    assert_eq!(status(brand.id).await, ResearchStatus::Canceled);
    // By the end of retention, without ever having run.
    refresh(&world, &tenant, brand.id).await;
    world.clock.advance(Duration::from_secs(31 * 24 * 3600));
    world.store.sweep().await.unwrap();
    assert_eq!(status(brand.id).await, ResearchStatus::Canceled);
    // By the archive of its project.
    refresh(&world, &tenant, brand.id).await;
    world
        .store
        .operator()
        .archive_project(tenant.project)
        .await
        .unwrap();
    assert_eq!(status(brand.id).await, ResearchStatus::Canceled);
}

async fn a_hundred_requests_make_one_job(world: World) {
    let tenant = world.tenant().await;
    let neighbour = world.tenant_in(tenant.organization).await;
    let (brand, _) = create(&world, &tenant, "acme", false).await;
    succeed(&world, brand.id, 1).await;
    let other = world.another_node().await;
    let mut tasks = Vec::new();
    for n in 0..100 {
        let store = [&world.store, &other][n % 2].clone();
        let scope = [&tenant, &neighbour][n / 2 % 2].scope.clone();
        let job = research_job(&world);
        tasks.push(tokio::spawn(async move {
            store
                .research_brand(&scope, brand.id, job, None)
                .await
                .unwrap()
        }));
    }
    let (mut created, mut seen) = (0, BTreeSet::new());
    for task in tasks {
        match task.await.unwrap() {
            Research::Job(Create::Created(job)) => {
                created += 1;
                seen.insert(job.id);
            }
            Research::Active(job) => {
                seen.insert(job.id);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((created, seen.len()), (1, 1));
    let waiting = "SELECT COUNT(*) FROM jobs WHERE status = 'queued'";
    assert_eq!(world.number(waiting).await, 1);
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
    // Also while it runs.
    let claimed = world.claim_one().await;
    let again = research(&world, &tenant, brand.id).await;
    assert!(matches!(again, Research::Active(job) if job.id == claimed.job.id));
}

async fn a_key_replays_a_reused_job(world: World) {
    let tenant = world.tenant().await;
    let (brand, job) = create(&world, &tenant, "acme", false).await;
    let claim = world.idempotency(&tenant.scope, "k", "research");
    let ask = async || {
        world
            .store
            .research_brand(&tenant.scope, brand.id, research_job(&world), Some(claim))
            .await
            .unwrap()
    };
    assert!(matches!(ask().await, Research::Active(found) if found.id == job.id));
    let answer = StoredResponse {
        status: 202,
        headers: vec![("job-reused".to_owned(), "true".to_owned())],
        body: "the first answer".into(),
    };
    let keep = async |answer: &StoredResponse| {
        world
            .store
            .keep_answer(&tenant.scope, claim, job.id, answer.clone())
            .await
            .unwrap()
    };
    assert_eq!(keep(&answer).await, Create::Created(()));
    let later = StoredResponse {
        body: "another answer".into(),
        ..answer.clone()
    };
    assert_eq!(keep(&later).await, Create::Replayed(answer.clone()));
    succeed(&world, brand.id, 1).await;
    // The job has ended, and the same request still gets it.
    assert_eq!(ask().await, Research::Job(Create::Replayed(answer)));
    let reused = world.idempotency(&tenant.scope, "k", "something else");
    let made = world
        .store
        .research_brand(&tenant.scope, brand.id, research_job(&world), Some(reused))
        .await;
    assert_eq!(made.unwrap(), Research::Job(Create::KeyReused));
    assert_eq!(world.number("SELECT COUNT(*) FROM jobs").await, 1);
}

async fn an_archived_or_foreign_brand_is_not_researched(world: World) {
    let tenant = world.tenant().await;
    let stranger = world.tenant().await;
    let (brand, _) = create(&world, &tenant, "acme", false).await;
    succeed(&world, brand.id, 1).await;
    assert_eq!(
        research(&world, &stranger, brand.id).await,
        Research::Absent
    );
    let none = BrandId::from_uuid(uuid_v7(world.now()));
    assert_eq!(research(&world, &tenant, none).await, Research::Absent);
    world
        .store
        .operator()
        .archive_brand(brand.id)
        .await
        .unwrap();
    assert_eq!(
        research(&world, &tenant, brand.id).await,
        Research::Archived
    );
    assert_eq!(world.number("SELECT COUNT(*) FROM jobs").await, 1);
}

async fn archiving_cancels_and_takes_the_default(world: World) {
    let tenant = world.tenant().await;
    let (brand, job) = create(&world, &tenant, "acme", true).await;
    let operator = world.store.operator();
    let archived = operator.archive_brand(brand.id).await.unwrap();
    assert_eq!(
        (archived.status, archived.is_default, archived.archived_at),
        (BrandStatus::Archived, false, Some(world.now()))
    );
    assert_eq!(archived.research_status, ResearchStatus::Canceled);
    let ended = world.store.get_job(&tenant.scope, job.id).await.unwrap();
    assert_eq!(ended.unwrap().status, JobStatus::Canceled);
    let page = BrandPage {
        before: None,
        limit: 10,
    };
    let listed = world.store.list_brands(&tenant.scope, page).await.unwrap();
    assert!(listed.is_empty());
    assert_eq!(get(&world, &tenant, brand.id).await, archived);
    assert_eq!(operator.archive_brand(brand.id).await.unwrap(), archived);
    let refused = operator.set_default_brand(brand.id).await;
    assert!(matches!(refused, Err(StoreError::Conflict(_))));
    let back = operator.unarchive_brand(brand.id).await.unwrap();
    assert_eq!(
        (back.status, back.is_default, back.archived_at),
        (BrandStatus::Active, false, None)
    );
    for (action, times) in [("brand.archived", 1), ("brand.unarchived", 1)] {
        let sql = format!("SELECT COUNT(*) FROM audit_log WHERE action = '{action}'");
        assert_eq!(world.number(&sql).await, times, "{action}");
    }
    assert!(world.store.verify_audit(&[]).await.unwrap().is_sound());
}
