//! Brands: created with their research, visible to their organization, and at most one is the default.
//! `brand_research` tests the research itself.

use std::collections::BTreeSet;
use std::time::Duration;

use gtm_domain::brand::{
    ActiveResearch, Brand, BrandSelection, BrandStatus, NewGuideline, Research, ResearchStatus,
};
use gtm_domain::guideline::guideline_hash;
use gtm_domain::idempotency::{Create, StoredAnswer};
use gtm_domain::job::{Finish, Job, JobError, Product};
use gtm_domain::{BrandId, JobId, JobType, Usage};
use gtm_store::{
    BrandPage, ClaimedJob, GuidelineRevisionPage, NewBrand, NewJob, Store, StoreError, uuid_v7,
};
use serde_json::json;
use sqlx::{Connection, Executor};

use crate::world::{Tenant, World};

on_both_engines!(
    a_brand_is_created_with_its_research,
    a_refused_create_leaves_nothing,
    one_idempotency_key_makes_one_brand,
    keys_are_unique_also_in_parallel,
    other_projects_see_brands_and_other_organizations_do_not,
    row_level_security_holds_for_brands,
    pages_go_from_new_to_old_and_hold_no_brand_of_others,
    the_database_guards_the_state_machine,
);

pub fn new_brand(world: &World, key: &str, is_default: bool) -> NewBrand {
    NewBrand {
        id: BrandId::from_uuid(uuid_v7(world.now())),
        key: key.parse().unwrap(),
        company_name: Some("Acme".to_owned()),
        website_url: Some("https://acme.example".to_owned()),
        is_default,
    }
}

pub fn research_job(world: &World) -> NewJob {
    NewJob {
        stages: None,
        external_ref: None,
        job_type: JobType::Brands,
        ..world.new_job()
    }
}

pub async fn create(world: &World, tenant: &Tenant, key: &str, is_default: bool) -> (Brand, Job) {
    let brand = new_brand(world, key, is_default);
    let id = brand.id;
    let made = world
        .store
        .create_brand(&tenant.scope, brand, research_job(world), None)
        .await
        .unwrap();
    let Create::Created(job) = made else {
        panic!("{made:?}")
    };
    (get(world, tenant, id).await, *job)
}

pub async fn get(world: &World, tenant: &Tenant, id: BrandId) -> Brand {
    let found = world.store.get_brand(&tenant.scope, id).await;
    found.unwrap().unwrap()
}

/// The answer to a request for research that is already at work.
pub fn told(active: &ActiveResearch) -> StoredAnswer {
    let whose = match active {
        ActiveResearch::Own(_) => "own",
        ActiveResearch::Shared(_) => "shared",
    };
    StoredAnswer {
        head: "reused".to_owned(),
        body: format!("{whose} {}", active.id()).into(),
    }
}

pub async fn research(world: &World, tenant: &Tenant, id: BrandId) -> Research {
    world
        .store
        .research_brand(&tenant.scope, id, research_job(world), None, told)
        .await
        .unwrap()
}

pub async fn refresh(world: &World, tenant: &Tenant, id: BrandId) -> Job {
    match research(world, tenant, id).await {
        Research::Job(Create::Created(job)) => *job,
        other => panic!("{other:?}"),
    }
}

pub fn guideline(world: &World, brand: BrandId, job: JobId, revision: u64) -> NewGuideline {
    let mut document = json!({
        "schema_version": "1.0", "brand_profile_id": brand, "revision": revision, "job_id": job,
        "governance": {"review": {"status": "unreviewed"}, "change_log": []},
    });
    let hash = guideline_hash(&document);
    document["guideline_hash"] = json!(hash);
    NewGuideline {
        brand,
        revision,
        hash,
        schema_version: "1.0".to_owned(),
        generated_at: world.now(),
        source_count: 3,
        changed_pointers: vec!["/identity/brand_name".to_owned()],
        document,
    }
}

pub async fn publish(
    store: &Store,
    claimed: &ClaimedJob,
    guideline: Option<NewGuideline>,
) -> Result<Job, StoreError> {
    let finish = Finish::Succeeded {
        result: json!({}),
        product: guideline.map_or(Product::None, Product::Guideline),
    };
    store.finish(&claimed.lease, finish, Usage::default()).await
}

/// Runs the queued research of a brand until its guideline is published.
pub async fn succeed(world: &World, id: BrandId, revision: u64) -> NewGuideline {
    let claimed = world.claim_one().await;
    let new = guideline(world, id, claimed.job.id, revision);
    publish(&world.store, &claimed, Some(new.clone()))
        .await
        .unwrap();
    new
}

pub async fn fail(world: &World) {
    let error = JobError {
        code: "source_fetch_failed".to_owned(),
        message: "x".to_owned(),
        details: None,
    };
    let claimed = world.claim_one().await;
    let end = Finish::Failed { error };
    world
        .store
        .finish(&claimed.lease, end, Usage::default())
        .await
        .unwrap();
}

async fn a_brand_is_created_with_its_research(world: World) {
    let tenant = world.tenant().await;
    let (brand, job) = create(&world, &tenant, "acme", true).await;
    assert_eq!(
        (brand.key.as_str(), brand.is_default, brand.status),
        ("acme", false, BrandStatus::Active)
    );
    assert_eq!(brand.default_wished_at, Some(world.now()));
    assert_eq!(
        (brand.research_status, brand.research_job),
        (ResearchStatus::Queued, Some(job.id))
    );
    assert_eq!((brand.guideline_revision, brand.source_count), (None, 0));
    assert_eq!(
        (brand.created_at, brand.organization),
        (world.now(), tenant.organization)
    );
    for action in ["brand.created", "job.created"] {
        let sql = format!(
            "SELECT COUNT(*) FROM audit_log WHERE action = '{action}' AND actor_id = '{}'",
            tenant.key
        );
        assert_eq!(world.number(&sql).await, 1, "{action}");
    }
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
}

async fn a_refused_create_leaves_nothing(world: World) {
    let tenant = world.new_tenant().await;
    let brand = new_brand(&world, "acme", true);
    let claim = world.idempotency(&tenant.scope, "k", "input");
    let made = world
        .store
        .create_brand(&tenant.scope, brand, research_job(&world), Some(claim))
        .await;
    assert!(matches!(made, Err(StoreError::Refused(_))), "{made:?}");
    for table in ["brands", "jobs", "idempotency"] {
        let rows = format!("SELECT COUNT(*) FROM {table}");
        assert_eq!(world.number(&rows).await, 0, "{table}");
    }
}

async fn one_idempotency_key_makes_one_brand(world: World) {
    let tenant = world.tenant().await;
    let other = world.another_node().await;
    let claim = world.idempotency(&tenant.scope, "k", "input");
    let mut tasks = Vec::new();
    for n in 0..40 {
        let store = [&world.store, &other][n % 2].clone();
        let (scope, brand) = (tenant.scope.clone(), new_brand(&world, "acme", true));
        let job = research_job(&world);
        tasks.push(tokio::spawn(async move {
            let made = store.create_brand(&scope, brand, job, Some(claim)).await;
            made.unwrap()
        }));
    }
    let mut created = 0;
    for task in tasks {
        match task.await.unwrap() {
            Create::Created(_) => created += 1,
            Create::Replayed(response) => assert!(response.head.starts_with("created job_")),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(created, 1);
    assert_eq!(world.number("SELECT COUNT(*) FROM brands").await, 1);
    assert_eq!(world.number("SELECT COUNT(*) FROM jobs").await, 1);
}

async fn keys_are_unique_also_in_parallel(world: World) {
    let tenant = world.tenant().await;
    let stranger = world.tenant().await;
    let other = world.another_node().await;
    let mut tasks = Vec::new();
    for n in 0..20 {
        let store = [&world.store, &other][n % 2].clone();
        let (scope, brand) = (tenant.scope.clone(), new_brand(&world, "acme", false));
        let job = research_job(&world);
        tasks.push(tokio::spawn(async move {
            store.create_brand(&scope, brand, job, None).await.unwrap()
        }));
    }
    for task in tasks {
        assert!(matches!(task.await.unwrap(), Create::Created(_)));
    }
    let keys: BTreeSet<String> = world
        .texts("SELECT key FROM brands")
        .await
        .into_iter()
        .collect();
    let wanted = std::iter::once("acme".to_owned()).chain((2..=20).map(|n| format!("acme-{n}")));
    assert_eq!(keys, wanted.collect());
    let (theirs, _) = create(&world, &stranger, "acme", false).await;
    assert_eq!(theirs.key.as_str(), "acme", "keys are the organization's");
    let long = "a".repeat(63);
    assert_eq!(
        create(&world, &tenant, &long, false).await.0.key.as_str(),
        long
    );
    let second = create(&world, &tenant, &long, false).await.0;
    assert_eq!(second.key.as_str(), format!("{}-2", "a".repeat(61)));
}

async fn other_projects_see_brands_and_other_organizations_do_not(world: World) {
    let owner = world.tenant().await;
    let neighbour = world.tenant_in(owner.organization).await;
    let stranger = world.tenant().await;
    let (brand, job) = create(&world, &owner, "acme", true).await;
    succeed(&world, brand.id, 1).await;
    let page = BrandPage {
        before: None,
        limit: 10,
    };
    let store = &world.store;
    for (who, sees) in [(&owner, true), (&neighbour, true), (&stranger, false)] {
        let scope = &who.scope;
        let by = [
            BrandSelection::Id(brand.id),
            BrandSelection::Key(brand.key.clone()),
            BrandSelection::Default,
        ];
        assert_eq!(
            store.get_brand(scope, brand.id).await.unwrap().is_some(),
            sees
        );
        assert_eq!(
            store.list_brands(scope, page).await.unwrap().len(),
            usize::from(sees)
        );
        for by in by {
            let found = store.select_brand(scope, by).await.unwrap();
            assert_eq!(found.is_some_and(|f| f.binding.is_some()), sees);
        }
        let read = store.guideline(scope, brand.id, 1).await.unwrap();
        assert_eq!(read.is_some(), sees);
        let revisions = GuidelineRevisionPage {
            before: None,
            limit: 10,
        };
        let revisions = store.guideline_revisions(scope, brand.id, revisions).await;
        assert_eq!(revisions.unwrap().len(), usize::from(sees));
    }
    let theirs = store.get_job(&neighbour.scope, job.id).await.unwrap();
    assert_eq!(theirs, None, "a job stays in its project");
}

/// On PostgreSQL the database itself hides other organizations' brands, and shows all of the own
/// organization's.
async fn row_level_security_holds_for_brands(world: World) {
    if !world.is_postgres() {
        return;
    }
    let (a, b) = (world.tenant().await, world.tenant().await);
    let neighbour = world.tenant_in(a.organization).await;
    let (brand, _) = create(&world, &a, "acme", false).await;
    succeed(&world, brand.id, 1).await;
    create(&world, &b, "other", false).await;
    let url = &world.config.database_url;
    let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
    for (project, brands, guidelines) in [
        (None, 0, 0),
        (Some(a.project), 1, 1),
        (Some(neighbour.project), 1, 1),
        (Some(b.project), 1, 0),
    ] {
        if let Some(project) = project {
            let name = format!("SELECT set_config('gtm.project', '{project}', false)");
            connection.execute(sqlx::AssertSqlSafe(name)).await.unwrap();
        }
        for (table, rows) in [("brands", brands), ("brand_guidelines", guidelines)] {
            let sql = sqlx::AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}"));
            let seen: i64 = sqlx::query_scalar(sql)
                .fetch_one(&mut connection)
                .await
                .unwrap();
            assert_eq!(seen, rows, "{project:?} {table}");
        }
    }
    let stolen = sqlx::query("UPDATE brands SET organization_id = $1")
        .bind(a.organization.to_string())
        .execute(&mut connection)
        .await;
    assert!(stolen.is_err());
}

async fn pages_go_from_new_to_old_and_hold_no_brand_of_others(world: World) {
    let (tenant, stranger) = (world.tenant().await, world.tenant().await);
    let mut made = Vec::new();
    for n in 0..7 {
        create(&world, &stranger, "acme", false).await;
        made.push(create(&world, &tenant, "acme", false).await.0.id);
        if n % 2 == 0 {
            world.clock.advance(Duration::from_millis(1));
        }
    }
    made.sort_by(|a, b| b.cmp(a));
    let (mut seen, mut before) = (Vec::new(), None);
    loop {
        let page = BrandPage { before, limit: 3 };
        let rows = world.store.list_brands(&tenant.scope, page).await.unwrap();
        let Some(last) = rows.last() else { break };
        before = Some(last.id);
        seen.extend(rows.into_iter().map(|row| row.id));
    }
    assert_eq!(seen, made);
    let operator = world.store.operator();
    let all = operator.list_brands(None, None).await.unwrap();
    assert_eq!(all.len(), 2 * 7);
    let of_one = operator.list_brands(Some(tenant.organization), None).await;
    let of_one: Vec<_> = of_one.unwrap().into_iter().map(|row| row.id).collect();
    assert_eq!(of_one, made);
}

async fn the_database_guards_the_state_machine(world: World) {
    let tenant = world.tenant().await;
    for from in ResearchStatus::ALL {
        for to in ResearchStatus::ALL {
            if from == to || from == ResearchStatus::NotStarted || to == ResearchStatus::NotStarted
            {
                continue;
            }
            let (brand, _) = create(&world, &tenant, "acme", false).await;
            let path: &[ResearchStatus] = match from {
                ResearchStatus::Researching => &[ResearchStatus::Researching],
                ResearchStatus::Ready => &[ResearchStatus::Researching, ResearchStatus::Ready],
                ResearchStatus::Failed => &[ResearchStatus::Failed],
                ResearchStatus::Canceled => &[ResearchStatus::Canceled],
                ResearchStatus::Queued | ResearchStatus::NotStarted => &[],
            };
            let moved = |to: ResearchStatus| {
                format!(
                    "UPDATE brands SET research_status = '{}', guideline_revision = 1 WHERE id = '{}'",
                    to.as_str(),
                    brand.id
                )
            };
            for step in path {
                world.raw(&moved(*step)).await.unwrap();
            }
            let result = world.raw(&moved(to)).await;
            assert_eq!(
                result.is_ok(),
                from.may_become(to),
                "{from:?} -> {to:?}: {result:?}"
            );
        }
    }
    let (brand, _) = create(&world, &tenant, "guarded", true).await;
    let (other, _) = create(&world, &tenant, "other", false).await;
    let made_default = format!(
        "UPDATE brands SET is_default = TRUE WHERE id = '{}'",
        other.id
    );
    let error = world.raw(&made_default).await.unwrap_err().to_string();
    assert!(error.contains("brands_default_has_a_guideline"), "{error}");
    for (change, why) in [
        ("key = 'x'", "keeps its owner"),
        ("guideline_revision = 2", "follows the other"),
        (
            "research_status = 'ready', guideline_revision = 1",
            "cannot follow",
        ),
        ("status = 'archived'", "CHECK"),
        (
            "guideline_revision = 1",
            "brands_wish_waits_for_a_guideline",
        ),
        (
            "research_status = 'researching', \
                research_job_id = (SELECT o.research_job_id FROM brands o WHERE o.key = 'other')",
            "one research",
        ),
    ] {
        let sql = format!("UPDATE brands SET {change} WHERE id = '{}'", brand.id);
        let error = world.raw(&sql).await.unwrap_err().to_string();
        let found = error.to_lowercase();
        assert!(found.contains(&why.to_lowercase()), "{change}: {error}");
    }
    for (id, fits) in [(brand.id, true), (other.id, false)] {
        let sql = format!(
            "UPDATE brands SET guideline_revision = 1, default_wished_at = NULL, is_default = TRUE WHERE id = '{id}'"
        );
        assert_eq!(world.raw(&sql).await.is_ok(), fits, "a second default");
    }
    let begun = "INSERT INTO brands (id, organization_id, key, company_name, is_default, status, research_status, \
        source_count, created_at, updated_at) SELECT 'brd_x', organization_id, 'x', 'X', FALSE, 'active', 'queued', 0, \
        created_at, updated_at FROM brands";
    let error = world.raw(begun).await.unwrap_err().to_string();
    assert!(error.contains("begins without research"), "{error}");
}
