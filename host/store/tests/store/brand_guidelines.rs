//! Guidelines of brands: published one after the other, kept unchanged, bound and reviewed.

use std::time::Duration;

use gtm_domain::brand::{BrandBinding, BrandSelection, ResearchStatus};
use gtm_domain::guideline::guideline_hash;
use gtm_domain::guideline::review::Review;
use gtm_domain::guideline::words::ReviewStatus;
use gtm_domain::{BrandId, Digest, JobStatus};
use gtm_store::{GuidelineRevisionPage, StoreError, uuid_v7};
use serde_json::json;

use crate::brands::{create, fail, get, guideline, publish, refresh, succeed};
use crate::world::World;

on_both_engines!(
    only_the_next_revision_is_published,
    research_succeeds_with_a_guideline_alone,
    what_cannot_be_paid_for_is_not_published,
    guidelines_outlive_their_jobs,
    a_bound_guideline_stays_bound,
    a_review_makes_a_revision,
    a_rejected_guideline_is_not_bound,
    a_failed_refresh_keeps_the_guideline,
);

async fn only_the_next_revision_is_published(world: World) {
    let tenant = world.tenant().await;
    let (brand, _) = create(&world, &tenant, "acme", false).await;
    let (foreign, _) = create(&world, &tenant, "other", false).await;
    let claimed = world.claim(1).await.remove(0);
    let id = if claimed.job.id == brand.research_job.unwrap() {
        brand.id
    } else {
        foreign.id
    };
    let other = if id == brand.id { foreign.id } else { brand.id };
    for wrong in [
        guideline(&world, id, claimed.job.id, 2),
        guideline(&world, other, claimed.job.id, 1),
    ] {
        let refused = publish(&world.store, &claimed, Some(wrong)).await;
        assert!(
            matches!(refused, Err(StoreError::Conflict(_))),
            "{refused:?}"
        );
    }
    let row = world.store.leased_job(&claimed.lease).await.unwrap();
    assert_eq!(row.status, JobStatus::Running, "nothing was written");
    assert_eq!(
        world.number("SELECT COUNT(*) FROM brand_guidelines").await,
        0
    );
    let right = guideline(&world, id, claimed.job.id, 1);
    publish(&world.store, &claimed, Some(right)).await.unwrap();
    assert_eq!(
        get(&world, &tenant, id).await.research_status,
        ResearchStatus::Ready
    );
}

async fn research_succeeds_with_a_guideline_alone(world: World) {
    let tenant = world.tenant().await;
    create(&world, &tenant, "acme", false).await;
    let claimed = world.claim_one().await;
    let refused = publish(&world.store, &claimed, None).await;
    assert!(matches!(refused, Err(StoreError::Conflict(_))));
    let playbook = world.running(&tenant).await;
    let brand = BrandId::from_uuid(uuid_v7(world.now()));
    let stray = guideline(&world, brand, playbook.job.id, 1);
    let refused = publish(&world.store, &playbook, Some(stray)).await;
    assert!(matches!(refused, Err(StoreError::Conflict(_))));
}

async fn what_cannot_be_paid_for_is_not_published(world: World) {
    let tenant = world.new_tenant().await;
    world.grant(tenant.organization, 1_000_000).await;
    let (brand, job) = create(&world, &tenant, "acme", false).await;
    let claimed = world.claim_one().await;
    world.step(&claimed.lease, 0, 5_000_000).await.unwrap();
    let new = guideline(&world, brand.id, job.id, 1);
    let ended = publish(&world.store, &claimed, Some(new)).await.unwrap();
    assert_eq!(ended.error.unwrap().code, "insufficient_credits");
    let after = get(&world, &tenant, brand.id).await;
    assert_eq!(after.research_status, ResearchStatus::Failed);
    assert_eq!(after.guideline_revision, None);
    assert_eq!(
        world.number("SELECT COUNT(*) FROM brand_guidelines").await,
        0
    );
}

async fn guidelines_outlive_their_jobs(world: World) {
    let tenant = world.tenant().await;
    let (brand, _) = create(&world, &tenant, "acme", false).await;
    succeed(&world, brand.id, 1).await;
    world.clock.advance(Duration::from_secs(31 * 24 * 3600));
    assert_eq!(world.store.sweep().await.unwrap().jobs, 1);
    let kept = world.store.guideline(&tenant.scope, brand.id, 1).await;
    assert_eq!(kept.unwrap().unwrap().document["revision"], 1);
    refresh(&world, &tenant, brand.id).await;
    succeed(&world, brand.id, 2).await;
    let page = GuidelineRevisionPage {
        before: None,
        limit: 10,
    };
    let revisions = world
        .store
        .guideline_revisions(&tenant.scope, brand.id, page)
        .await
        .unwrap();
    let numbers: Vec<u64> = revisions.iter().map(|r| r.revision).collect();
    assert_eq!(numbers, [2, 1]);
    assert_eq!(revisions[0].changed_pointers, ["/identity/brand_name"]);
    let older = GuidelineRevisionPage {
        before: Some(2),
        limit: 10,
    };
    let revisions = world
        .store
        .guideline_revisions(&tenant.scope, brand.id, older)
        .await
        .unwrap();
    assert_eq!(revisions.len(), 1);
    let changed = world
        .raw("UPDATE brand_guidelines SET document = '{}'")
        .await;
    assert!(changed.unwrap_err().to_string().contains("immutable"));
}

async fn a_bound_guideline_stays_bound(world: World) {
    let tenant = world.tenant().await;
    let stranger = world.tenant().await;
    let (brand, _) = create(&world, &tenant, "acme", false).await;
    let select = async || {
        let by = BrandSelection::Key("acme".parse().unwrap());
        let found = world.store.select_brand(&tenant.scope, by).await;
        found.unwrap().unwrap().binding
    };
    assert_eq!(select().await, None);
    let first = succeed(&world, brand.id, 1).await;
    let bound = select().await.unwrap();
    assert_eq!((bound.revision, bound.guideline_hash), (1, first.hash));
    refresh(&world, &tenant, brand.id).await;
    succeed(&world, brand.id, 2).await;
    assert_eq!(select().await.unwrap().revision, 2);
    let read = async |bound: &BrandBinding| {
        let found = world.store.bound_guideline(&tenant.scope, bound).await;
        found.unwrap()
    };
    assert_eq!(read(&bound).await.unwrap().document, first.document);
    let other_hash = BrandBinding {
        guideline_hash: Digest::of(b"other"),
        ..bound.clone()
    };
    assert_eq!(read(&other_hash).await, None);
    let foreign = world.store.bound_guideline(&stranger.scope, &bound).await;
    assert_eq!(foreign.unwrap(), None);
    world
        .store
        .operator()
        .archive_brand(brand.id)
        .await
        .unwrap();
    let archived = read(&bound).await.unwrap();
    assert_eq!(archived.archived_at, Some(world.now()));
}

async fn a_review_makes_a_revision(world: World) {
    let tenant = world.tenant().await;
    let (brand, _) = create(&world, &tenant, "acme", false).await;
    let operator = world.store.operator();
    let review = || Review {
        status: ReviewStatus::Reviewed,
        reviewed_by: "Ada".to_owned(),
        note: None,
    };
    let early = operator.review_brand(brand.id, review()).await;
    assert!(matches!(early, Err(StoreError::Conflict(_))), "{early:?}");
    let first = succeed(&world, brand.id, 1).await;
    let made = operator.review_brand(brand.id, review()).await.unwrap();
    assert_eq!((made.revision.revision, made.revision.source_count), (2, 3));
    assert_eq!(
        made.document["governance"]["review"]["status"],
        json!("reviewed")
    );
    assert_eq!(guideline_hash(&made.document), made.revision.hash);
    assert_eq!(made.document["guideline_hash"], json!(made.revision.hash));
    let after = get(&world, &tenant, brand.id).await;
    assert_eq!(
        (after.guideline_revision, after.research_status),
        (Some(2), ResearchStatus::Ready)
    );
    let old = world.store.guideline(&tenant.scope, brand.id, 1).await;
    assert_eq!(old.unwrap().unwrap().document, first.document);
    refresh(&world, &tenant, brand.id).await;
    let busy = operator.review_brand(brand.id, review()).await;
    assert!(matches!(busy, Err(StoreError::Conflict(_))), "{busy:?}");
    succeed(&world, brand.id, 3).await;
}

/// Nobody can bind a guideline that its reviewer rejected; earlier bindings keep it.
async fn a_rejected_guideline_is_not_bound(world: World) {
    let tenant = world.tenant().await;
    let (brand, _) = create(&world, &tenant, "acme", true).await;
    succeed(&world, brand.id, 1).await;
    let select = async |by| {
        let found = world.store.select_brand(&tenant.scope, by).await;
        found.unwrap().unwrap()
    };
    let review = async |status| {
        let review = Review {
            status,
            reviewed_by: "Ada".to_owned(),
            note: None,
        };
        let made = world.store.operator().review_brand(brand.id, review).await;
        made.unwrap();
    };
    let bound = select(BrandSelection::Default).await.binding.unwrap();
    review(ReviewStatus::Rejected).await;
    for by in [BrandSelection::Default, BrandSelection::Id(brand.id)] {
        let found = select(by).await;
        assert_eq!((found.binding, found.rejected), (None, true));
    }
    let kept = world.store.bound_guideline(&tenant.scope, &bound).await;
    assert!(kept.unwrap().is_some());
    review(ReviewStatus::Reviewed).await;
    let found = select(BrandSelection::Default).await;
    assert_eq!(
        (found.binding.unwrap().revision, found.rejected),
        (3, false)
    );
}

async fn a_failed_refresh_keeps_the_guideline(world: World) {
    let tenant = world.tenant().await;
    let (brand, _) = create(&world, &tenant, "acme", false).await;
    fail(&world).await;
    let failed = get(&world, &tenant, brand.id).await;
    assert_eq!(failed.research_status, ResearchStatus::Failed);
    assert_eq!(failed.guideline_revision, None);
    refresh(&world, &tenant, brand.id).await;
    succeed(&world, brand.id, 1).await;
    let job = refresh(&world, &tenant, brand.id).await;
    fail(&world).await;
    let kept = get(&world, &tenant, brand.id).await;
    assert_eq!(
        (kept.research_status, kept.research_job),
        (ResearchStatus::Failed, Some(job.id))
    );
    assert_eq!((kept.guideline_revision, kept.source_count), (Some(1), 3));
    assert!(
        world
            .store
            .guideline(&tenant.scope, brand.id, 1)
            .await
            .unwrap()
            .is_some()
    );
}
