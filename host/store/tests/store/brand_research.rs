//! Research of brands: one job at a time, and the brand's status follows that of the job.

use std::collections::BTreeSet;
use std::time::Duration;

use gtm_domain::brand::{BrandStatus, Research, ResearchStatus};
use gtm_domain::idempotency::{Create, KnownRequest};
use gtm_domain::job::{Finish, JobError};
use gtm_domain::{BrandId, JobStatus, Usage};
use gtm_store::{BrandPage, JobFilter, StoreError, uuid_v7};
use serde_json::json;

use crate::brands::{
    create, get, guideline, publish, refresh, research, research_job, succeed, told,
};
use crate::refused_rows::{allow, refuse_changes};
use crate::world::{Tenant, World};

on_both_engines!(
    the_status_follows_the_job,
    whatever_cancels_the_job_cancels_the_research,
    a_hundred_requests_make_one_job,
    a_key_replays_a_reused_job,
    a_key_whose_answer_cannot_be_kept_stays_free,
    an_archived_or_foreign_brand_is_not_researched,
    archiving_cancels_and_keeps_the_default,
    sister_projects_read_research_without_its_cost,
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
        (stored.document, stored.revision.hash, stored.revision.job),
        (new.document, new.hash, job.id)
    );
    refresh(&world, &tenant, brand.id).await;
    let claimed = world.claim_one().await;
    let subject = world.store.research_subject(&claimed.lease).await.unwrap();
    assert_eq!(subject.previous.unwrap().revision.revision, 1);
}

async fn whatever_cancels_the_job_cancels_the_research(world: World) {
    let tenant = world.tenant().await;
    let status = async |id| get(&world, &tenant, id).await.research_status;
    // Canceled by an operator while queued.
    let (brand, job) = create(&world, &tenant, "acme", false).await;
    world.store.operator().cancel_job(job.id).await.unwrap();
    assert_eq!(status(brand.id).await, ResearchStatus::Canceled);
    // Canceled by an operator while running: it ends when its worker ends it.
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
    // Ended by retention, without ever having run.
    refresh(&world, &tenant, brand.id).await;
    world.clock.advance(Duration::from_secs(31 * 24 * 3600));
    world.store.sweep().await.unwrap();
    assert_eq!(status(brand.id).await, ResearchStatus::Canceled);
    // Canceled when its project is archived.
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
                .research_brand(&scope, brand.id, job, None, told)
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
            Research::Active(job, _) => {
                seen.insert(job);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((created, seen.len()), (1, 1));
    let waiting = "SELECT COUNT(*) FROM jobs WHERE status = 'queued'";
    assert_eq!(world.number(waiting).await, 1);
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
    // Also while the job runs.
    let claimed = world.claim_one().await;
    let again = research(&world, &tenant, brand.id).await;
    assert!(matches!(again, Research::Active(job, _) if job == claimed.job.id));
}

async fn a_key_replays_a_reused_job(world: World) {
    let tenant = world.tenant().await;
    let sister = world.tenant_in(tenant.organization).await;
    let (brand, job) = create(&world, &tenant, "acme", false).await;
    for (who, whose) in [(&tenant, "own"), (&sister, "shared")] {
        let claim = world.idempotency(&who.scope, "k", "research");
        let known = async || world.store.find_idempotent(&who.scope, &claim).await;
        let first = world
            .store
            .research_brand(
                &who.scope,
                brand.id,
                research_job(&world),
                Some(claim),
                told,
            )
            .await
            .unwrap();
        let Research::Active(id, answer) = first else {
            panic!("{first:?}")
        };
        assert_eq!((id, answer.head.as_str()), (job.id, "reused"));
        assert_eq!(answer.body, format!("{whose} {}", job.id));
        let kept = Some(KnownRequest::Replay(answer));
        assert_eq!(known().await.unwrap(), kept, "{whose}");
    }
    succeed(&world, brand.id, 1).await;
    // After the job has ended, the same request still gets that job.
    let claim = world.idempotency(&tenant.scope, "k", "research");
    let ask = async |claim| {
        world
            .store
            .research_brand(
                &tenant.scope,
                brand.id,
                research_job(&world),
                Some(claim),
                told,
            )
            .await
            .unwrap()
    };
    let again = ask(claim).await;
    let Research::Job(Create::Replayed(answer)) = again else {
        panic!("{again:?}")
    };
    assert_eq!(answer.body, format!("own {}", job.id));
    let reused = world.idempotency(&tenant.scope, "k", "something else");
    assert_eq!(ask(reused).await, Research::Job(Create::KeyReused));
    assert_eq!(world.number("SELECT COUNT(*) FROM jobs").await, 1);
    assert_eq!(world.number("SELECT COUNT(*) FROM idempotency").await, 2);
}

/// A process that dies in between must not leave a key without an answer, or with the answer of a job that
/// was never created. So claiming the key and storing its answer happen in one transaction.
async fn a_key_whose_answer_cannot_be_kept_stays_free(world: World) {
    let tenant = world.tenant().await;
    let (brand, job) = create(&world, &tenant, "acme", false).await;
    let claim = || world.idempotency(&tenant.scope, "k", "research");
    let ask = async || {
        let (new, claim) = (research_job(&world), Some(claim()));
        world
            .store
            .research_brand(&tenant.scope, brand.id, new, claim, told)
            .await
    };
    refuse_changes(&world, "idempotency", "1 = 1").await;
    let refused = ask().await;
    assert!(refused.is_err(), "{refused:?}");
    let known = world.store.find_idempotent(&tenant.scope, &claim()).await;
    assert_eq!(known.unwrap(), None);
    for (table, rows) in [("idempotency", 0), ("jobs", 1)] {
        let sql = format!("SELECT COUNT(*) FROM {table}");
        assert_eq!(world.number(&sql).await, rows, "{table}");
    }
    allow(&world, "idempotency").await;
    let Research::Active(id, answer) = ask().await.unwrap() else {
        panic!("the job is at work still");
    };
    assert_eq!(id, job.id);
    let known = world.store.find_idempotent(&tenant.scope, &claim()).await;
    assert_eq!(known.unwrap(), Some(KnownRequest::Replay(answer)));
}

async fn sister_projects_read_research_without_its_cost(world: World) {
    let tenant = world.tenant().await;
    let sister = world.tenant_in(tenant.organization).await;
    let stranger = world.tenant().await;
    let (brand, job) = create(&world, &tenant, "acme", false).await;
    let read = async |who: &Tenant, id| world.store.research_job(&who.scope, id).await.unwrap();
    let seen = read(&sister, job.id).await.unwrap();
    assert_eq!(
        (seen.id, seen.project, seen.status),
        (job.id, tenant.project, JobStatus::Queued)
    );
    assert_eq!(read(&stranger, job.id).await, None);
    let own = world.store.get_job(&sister.scope, job.id).await.unwrap();
    assert_eq!(own, None, "it is not the sister's");
    let filter = JobFilter::default();
    let listed = world.store.list_jobs(&sister.scope, &filter).await.unwrap();
    assert!(listed.is_empty(), "it is not listed");
    let events = world.store.job_events(&sister.scope, job.id, 0, 10).await;
    assert_eq!(events.unwrap(), None, "its events stay with its project");
    // If a limit ended the job, the sister project learns no amount.
    let claimed = world.claim_one().await;
    let error = JobError {
        code: "budget_exceeded".to_owned(),
        message: "the project's monthly cost budget had 0.12 left".to_owned(),
        details: Some(json!({"limit_usd": 5})),
    };
    let (end, usage) = (Finish::Failed { error }, Usage::default());
    world
        .store
        .finish(&claimed.lease, end, usage)
        .await
        .unwrap();
    let error = read(&sister, job.id).await.unwrap().error.unwrap();
    assert_eq!(
        (error.code.as_str(), error.details),
        ("budget_exceeded", None)
    );
    assert!(!error.message.contains("0.12"), "{}", error.message);
    // Nothing but research is shared.
    let made = world
        .store
        .create_job(&tenant.scope, world.new_job(), None)
        .await
        .unwrap();
    let Create::Created(playbook) = made else {
        panic!("{made:?}")
    };
    assert_eq!(read(&sister, playbook.id).await, None);
    assert_eq!(read(&tenant, playbook.id).await, None);
    assert!(get(&world, &sister, brand.id).await.research_job == Some(job.id));
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

async fn archiving_cancels_and_keeps_the_default(world: World) {
    let tenant = world.tenant().await;
    let (brand, _) = create(&world, &tenant, "acme", true).await;
    succeed(&world, brand.id, 1).await;
    let job = refresh(&world, &tenant, brand.id).await;
    let operator = world.store.operator();
    let archived = operator.archive_brand(brand.id).await.unwrap();
    assert_eq!(
        (archived.status, archived.is_default, archived.archived_at),
        (BrandStatus::Archived, true, Some(world.now()))
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
        (BrandStatus::Active, true, None)
    );
    // A brand that waits to become the default stops waiting once it is archived.
    let (waiting, _) = create(&world, &tenant, "waiting", true).await;
    operator.archive_brand(waiting.id).await.unwrap();
    let back = operator.unarchive_brand(waiting.id).await.unwrap();
    assert_eq!(back.default_wished_at, None);
    for (action, times) in [("brand.archived", 2), ("brand.unarchived", 2)] {
        let sql = format!("SELECT COUNT(*) FROM audit_log WHERE action = '{action}'");
        assert_eq!(world.number(&sql).await, times, "{action}");
    }
    assert!(world.store.verify_audit(&[]).await.unwrap().is_sound());
}
