//! The default brand: only a brand with a guideline can become it, and there is at most one.

use std::time::Duration;

use gtm_domain::BrandId;
use gtm_domain::brand::BrandSelection;
use gtm_domain::guideline::review::Review;
use gtm_domain::guideline::words::ReviewStatus;
use gtm_domain::idempotency::Create;
use gtm_store::StoreError;

use crate::brands::{
    create, fail, get, guideline, new_brand, publish, refresh, research_job, succeed,
};
use crate::world::{Tenant, World};

on_both_engines!(
    a_wish_comes_true_with_the_first_guideline,
    the_last_wish_wins_whichever_research_is_first,
    an_operator_decides_at_once_or_with_the_first_guideline,
    one_brand_is_the_default_also_in_parallel,
);

const DEFAULTS: &str = "SELECT COUNT(*) FROM brands WHERE is_default";

async fn default(world: &World, tenant: &Tenant) -> Option<BrandId> {
    let found = world
        .store
        .select_brand(&tenant.scope, BrandSelection::Default)
        .await;
    found.unwrap().map(|found| found.brand.id)
}

async fn a_wish_comes_true_with_the_first_guideline(world: World) {
    let tenant = world.tenant().await;
    let stranger = world.tenant().await;
    let (theirs, _) = create(&world, &stranger, "theirs", true).await;
    succeed(&world, theirs.id, 1).await;
    let (first, _) = create(&world, &tenant, "first", true).await;
    assert_eq!(default(&world, &tenant).await, None, "nothing to move to");
    succeed(&world, first.id, 1).await;
    let made = get(&world, &tenant, first.id).await;
    assert!(made.is_default && made.default_wished_at.is_none());
    // The research of the next one fails, and the default stays.
    let (second, _) = create(&world, &tenant, "second", true).await;
    assert_eq!(default(&world, &tenant).await, Some(first.id));
    fail(&world).await;
    assert_eq!(default(&world, &tenant).await, Some(first.id));
    // Its wish stays until it gets a guideline.
    refresh(&world, &tenant, second.id).await;
    succeed(&world, second.id, 1).await;
    assert_eq!(default(&world, &tenant).await, Some(second.id));
    assert!(!get(&world, &tenant, first.id).await.is_default);
    // New research of the former default changes nothing.
    refresh(&world, &tenant, first.id).await;
    succeed(&world, first.id, 2).await;
    assert_eq!(default(&world, &tenant).await, Some(second.id));
    assert_eq!(default(&world, &stranger).await, Some(theirs.id));
    let said = "SELECT COUNT(*) FROM audit_log WHERE action = 'brand.made_default' AND actor_id = 'brand_research'";
    assert_eq!(world.number(said).await, 3);
    assert!(world.store.verify_audit(&[]).await.unwrap().is_sound());
}

async fn the_last_wish_wins_whichever_research_is_first(world: World) {
    let tenant = world.tenant().await;
    for last_is_first in [false, true] {
        let mut made = Vec::new();
        for n in 0..2 {
            let key = format!("brand-{last_is_first}-{n}");
            made.push(create(&world, &tenant, &key, true).await.0.id);
            world.clock.advance(Duration::from_secs(1));
        }
        let mut jobs = world.claim(2).await;
        let first = get(&world, &tenant, made[0]).await.research_job;
        jobs.sort_by_key(|job| (Some(job.job.id) == first) == last_is_first);
        for job in &jobs {
            let is_first = Some(job.job.id) == first;
            let brand = made[usize::from(!is_first)];
            let new = guideline(&world, brand, job.job.id, 1);
            publish(&world.store, job, Some(new)).await.unwrap();
        }
        assert_eq!(default(&world, &tenant).await, Some(made[1]));
        assert_eq!(world.number(DEFAULTS).await, 1);
    }
}

async fn an_operator_decides_at_once_or_with_the_first_guideline(world: World) {
    let tenant = world.tenant().await;
    let stranger = world.tenant().await;
    let (theirs, _) = create(&world, &stranger, "theirs", true).await;
    fail(&world).await;
    let operator = world.store.operator();
    let (ready, _) = create(&world, &tenant, "ready", false).await;
    succeed(&world, ready.id, 1).await;
    world.clock.advance(Duration::from_secs(1));
    let (waiting, _) = create(&world, &tenant, "waiting", true).await;
    world.clock.advance(Duration::from_secs(1));
    // An operator's decision overrides earlier wishes.
    assert!(
        operator
            .set_default_brand(ready.id)
            .await
            .unwrap()
            .is_default
    );
    succeed(&world, waiting.id, 1).await;
    assert_eq!(default(&world, &tenant).await, Some(ready.id));
    // Without a guideline it is only a wish.
    let (later, _) = create(&world, &tenant, "later", false).await;
    let wished = operator.set_default_brand(later.id).await.unwrap();
    assert!(!wished.is_default && wished.default_wished_at == Some(world.now()));
    assert_eq!(default(&world, &tenant).await, Some(ready.id));
    let cleared = operator.clear_default_brand(later.id).await.unwrap();
    assert_eq!(cleared.default_wished_at, None);
    operator.set_default_brand(later.id).await.unwrap();
    succeed(&world, later.id, 1).await;
    assert_eq!(default(&world, &tenant).await, Some(later.id));
    let theirs = get(&world, &stranger, theirs.id).await;
    assert!(theirs.default_wished_at.is_some(), "another organization's");
    // A rejected guideline cannot be used, so its brand cannot be chosen as the default.
    let review = Review {
        status: ReviewStatus::Rejected,
        reviewed_by: "Ada".to_owned(),
        note: None,
    };
    operator
        .review_brand(ready.id, review.clone())
        .await
        .unwrap();
    let refused = operator.set_default_brand(ready.id).await;
    assert!(matches!(refused, Err(StoreError::Conflict(why)) if why.contains("rejected")));
    assert_eq!(default(&world, &tenant).await, Some(later.id));
    // A brand that is the default already stays it, and reports that it cannot be used.
    operator.review_brand(later.id, review).await.unwrap();
    let found = world
        .store
        .select_brand(&tenant.scope, BrandSelection::Default)
        .await;
    let found = found.unwrap().unwrap();
    assert!(found.rejected && found.binding.is_none());
    operator.clear_default_brand(later.id).await.unwrap();
    assert_eq!(default(&world, &tenant).await, None);
    assert_eq!(
        operator
            .clear_default_brand(later.id)
            .await
            .unwrap()
            .default_wished_at,
        None
    );
}

async fn one_brand_is_the_default_also_in_parallel(world: World) {
    let tenant = world.tenant().await;
    let (mut made, mut running) = (Vec::new(), Vec::new());
    for n in 0..4 {
        let (brand, _) = create(&world, &tenant, &format!("brand-{n}"), false).await;
        succeed(&world, brand.id, 1).await;
        made.push(brand.id);
    }
    for n in 0..4 {
        let (brand, _) = create(&world, &tenant, &format!("wishing-{n}"), true).await;
        running.push((brand.id, world.claim_one().await));
    }
    let other = world.another_node().await;
    let mut tasks = Vec::new();
    for (n, (brand, claimed)) in running.into_iter().enumerate() {
        let store = [&world.store, &other][n % 2].clone();
        let new = guideline(&world, brand, claimed.job.id, 1);
        tasks.push(tokio::spawn(async move {
            publish(&store, &claimed, Some(new)).await.unwrap();
        }));
    }
    for n in 0..24 {
        let store = [&world.store, &other][n % 2].clone();
        if n % 3 == 0 {
            let (scope, brand) = (tenant.scope.clone(), new_brand(&world, "more", true));
            let job = research_job(&world);
            tasks.push(tokio::spawn(async move {
                let made = store.create_brand(&scope, brand, job, None).await;
                assert!(matches!(made.unwrap(), Create::Created(_)));
            }));
        } else {
            let id = made[n % made.len()];
            tasks.push(tokio::spawn(async move {
                let set = store.operator().set_default_brand(id).await.unwrap();
                assert!(set.is_default);
            }));
        }
    }
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(world.number(DEFAULTS).await, 1);
    let usable = "SELECT COUNT(*) FROM brands WHERE is_default AND guideline_revision IS NULL";
    assert_eq!(world.number(usable).await, 0);
    let operator = world.store.operator();
    let last = operator.set_default_brand(made[2]).await.unwrap();
    assert_eq!(default(&world, &tenant).await, Some(last.id));
    operator.clear_default_brand(made[2]).await.unwrap();
    assert_eq!(world.number(DEFAULTS).await, 0);
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
}
