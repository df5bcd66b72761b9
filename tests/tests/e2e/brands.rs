//! Brands from a caller's view: from a website to a guideline, and many requests at once.

use std::collections::BTreeSet;
use std::time::Duration;

use futures::future::join_all;
use gtm_domain::guideline::guideline_hash;
use gtm_e2e::Database;
use gtm_e2e::brand_lane::bind_brand_backend;
use gtm_e2e::client::Answer;
use gtm_e2e::company_sites::{self, CompanySite};
use gtm_e2e::fake_site::FakeSite;
use gtm_e2e::quality::Judge;
use serde_json::{Value, json};

use crate::{World, on_both_engines};

const PATIENCE: Duration = Duration::from_secs(120);

/// A server whose brands research one of the company sites.
pub(crate) struct Brands {
    pub(crate) world: World,
    pub(crate) golden: CompanySite,
}

impl Brands {
    pub(crate) async fn start(kind: Database, test: &str, name: &str) -> Option<Self> {
        let golden = company_sites::named(name);
        let site = golden.serve().await;
        let world = World::start(kind, test, site).await?;
        let sites = [(&golden, &world.site)];
        bind_brand_backend(&world.gtm, &world.tenant, &sites, &json!({}));
        Some(Self { world, golden })
    }

    /// Sends `POST /v1/brands` for the site; returns the accepted job.
    pub(crate) async fn create(&self) -> Value {
        let client = &self.world.client;
        let answer = client
            .post("/v1/brands", &self.golden.expected["input"], None)
            .await;
        accepted(&answer)
    }

    pub(crate) async fn wait(&self, job: &Value) -> Value {
        let id = job["id"].as_str().unwrap();
        self.world.client.wait(id, PATIENCE).await
    }

    /// Waits for a job that must succeed; returns its result.
    pub(crate) async fn succeeded(&self, job: &Value) -> Value {
        let done = self.wait(job).await;
        assert_eq!(done["status"], "succeeded", "{done}");
        done["result"].clone()
    }

    pub(crate) async fn research(&self, brand: &str) -> Answer {
        let path = format!("/v1/brands/{brand}/research");
        let request = self.world.client.request("POST", &path);
        let request = request.bearer_auth(&self.world.client.key);
        self.world.client.send(request).await
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let answer = self.world.client.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.json());
        answer.json()
    }

    async fn get_with(&self, path: &str, name: &str, value: &str) -> Answer {
        let client = &self.world.client;
        let request = client.request("GET", path).bearer_auth(&client.key);
        client.send(request.header(name, value)).await
    }
}

pub fn accepted(answer: &Answer) -> Value {
    assert_eq!(
        answer.status,
        202,
        "{}",
        String::from_utf8_lossy(&answer.bytes)
    );
    answer.json()
}

pub fn brand_of(job: &Value) -> &str {
    job["input"]["brand_profile_id"].as_str().unwrap()
}

/// From a website to its first guideline: state, result, document, entity tag, Markdown.
async fn a_website_becomes_a_guideline(kind: Database, test: &str) {
    let Some(brands) = Brands::start(kind, test, "saas-en").await else {
        return;
    };
    let job = brands.create().await;
    assert_eq!(
        (&job["type"], &job["status"]),
        (&json!("brands"), &json!("queued"))
    );
    let brand = brand_of(&job);
    let state = brands.get(&format!("/v1/brands/{brand}")).await;
    assert_eq!(state["research_job_id"], job["id"]);
    assert_eq!(state["guideline_available"], false);
    let path = format!("/v1/brands/{brand}/guideline");

    let result = brands.succeeded(&job).await;
    let members: BTreeSet<&str> = result
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let named = [
        "brand_profile_id",
        "schema_version",
        "revision",
        "guideline_hash",
        "source_count",
        "guideline_path",
    ];
    assert_eq!(members, BTreeSet::from(named));
    assert_eq!(
        (&result["revision"], &result["guideline_path"]),
        (&json!(1), &json!(path))
    );

    let answer = brands.world.client.get(&path).await;
    let guideline = answer.json();
    assert_eq!(guideline["guideline_hash"], result["guideline_hash"]);
    assert_eq!(
        guideline["guideline_hash"],
        json!(guideline_hash(&guideline)),
        "the hash is that of the document"
    );
    for section in [
        "identity",
        "foundations",
        "audience",
        "positioning",
        "voice",
        "messaging",
        "visual",
        "applications",
        "governance",
        "research",
    ] {
        assert!(guideline[section].is_object(), "{section}");
    }
    assert_eq!(
        guideline["research"]["sources"].as_array().unwrap().len() as u64,
        result["source_count"].as_u64().unwrap()
    );
    every_claim_leads_to_sources(&guideline);
    let tag = answer.header("etag").unwrap().to_owned();
    assert_eq!(json!(tag.trim_matches('"')), guideline["guideline_hash"]);
    let unchanged = brands.get_with(&path, "if-none-match", &tag).await;
    assert_eq!((unchanged.status, unchanged.bytes.len()), (304, 0));

    let markdown = brands.get_with(&path, "accept", "text/markdown").await;
    let text = String::from_utf8(markdown.bytes).unwrap();
    assert!(
        markdown.headers["content-type"]
            .to_str()
            .unwrap()
            .starts_with("text/markdown")
    );
    assert!(text.contains("Ledgerline Software, Inc."), "{text}");

    let state = brands.get(&format!("/v1/brands/{brand}")).await;
    assert_eq!(state["research_status"], "ready");
    assert_eq!(state["guideline_revision"], 1);
    assert_eq!(state["source_count"], result["source_count"]);
    let shown = state.to_string() + &guideline.to_string();
    for hidden in ["trace", "snapshot", "backend_id"] {
        assert!(!shown.contains(&format!("\"{hidden}\"")), "{hidden}");
    }
}
on_both_engines!(
    a_website_becomes_a_guideline_on,
    super::a_website_becomes_a_guideline
);

/// Each known claim names sources and excerpts that exist.
pub fn every_claim_leads_to_sources(guideline: &Value) {
    let sources = guideline["research"]["sources"].as_array().unwrap();
    let ids: BTreeSet<&str> = sources.iter().map(|s| s["id"].as_str().unwrap()).collect();
    let excerpts: BTreeSet<&str> = sources
        .iter()
        .flat_map(|s| s["excerpts"].as_array().unwrap())
        .map(|e| e["id"].as_str().unwrap())
        .collect();
    let mut claims = 0;
    let mut open = vec![guideline];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(claim)
                if claim.contains_key("basis") && claim.contains_key("confidence") =>
            {
                let known = |list: &str, known: &BTreeSet<&str>| {
                    let ids = claim[list].as_array().unwrap();
                    assert!(
                        ids.iter().all(|id| known.contains(id.as_str().unwrap())),
                        "{claim:?}"
                    );
                    ids.len()
                };
                let (cited, quoted) = (known("source_ids", &ids), known("excerpt_ids", &excerpts));
                assert_eq!(
                    claim["value"].is_null(),
                    claim["confidence"].is_null(),
                    "{claim:?}"
                );
                match claim["basis"].as_str() {
                    Some("stated") => assert!(cited > 0 && quoted > 0, "{claim:?}"),
                    Some("observed" | "inferred") => assert!(cited > 0, "{claim:?}"),
                    _ => assert_eq!((cited, quoted), (0, 0), "{claim:?}"),
                }
                claims += usize::from(!claim["value"].is_null());
            }
            Value::Object(members) => open.extend(members.values()),
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    assert!(claims > 20, "{claims} claims");
}

/// A hundred callers request research at the same time and get a single job.
async fn a_hundred_calls_are_one_job(kind: Database, test: &str) {
    let Some(brands) = Brands::start(kind, test, "textless").await else {
        return;
    };
    let job = brands.create().await;
    let brand = brand_of(&job).to_owned();
    brands.wait(&job).await;
    // The research takes longer than all the calls.
    brands.world.site.set_latency(Duration::from_secs(3));
    let answers = join_all((0..100).map(|_| brands.research(&brand))).await;
    let mut jobs = BTreeSet::new();
    let mut started = 0;
    for answer in &answers {
        if answer.status == 429 {
            continue;
        }
        jobs.insert(accepted(answer)["id"].as_str().unwrap().to_owned());
        started += usize::from(answer.header("job-reused").is_none());
    }
    assert_eq!((jobs.len(), started), (1, 1), "{jobs:?}");
    assert!(!jobs.contains(job["id"].as_str().unwrap()));
}
on_both_engines!(
    a_hundred_calls_are_one_job_on,
    super::a_hundred_calls_are_one_job
);

/// A brand becomes the default when it gets its first guideline, and not before. A default brand that cannot
/// be used is reported.
async fn the_default_brand_is_one_with_a_guideline(kind: Database, test: &str) {
    let Some(brands) = Brands::start(kind, test, "saas-en").await else {
        return;
    };
    let client = &brands.world.client;
    let told = async |brand: &str| {
        let state = brands.get(&format!("/v1/brands/{brand}")).await;
        (
            state["is_default"] == true,
            state["becomes_default"] == true,
        )
    };
    let mut wanted = brands.golden.expected["input"].clone();
    wanted["is_default"] = json!(true);
    let job = accepted(&client.post("/v1/brands", &wanted, None).await);
    let brand = brand_of(&job);
    assert_eq!(told(brand).await, (false, true));
    brands.succeeded(&job).await;
    assert_eq!(told(brand).await, (true, false));

    // Brands whose research fails never become the default, however many try at once.
    let body = json!({"website_url": "https://ring-stage.example", "is_default": true});
    let answers = join_all((0..6).map(|_| client.post("/v1/brands", &body, None))).await;
    for answer in &answers {
        let ended = brands.wait(&accepted(answer)).await;
        assert_eq!(ended["status"], "failed", "{ended}");
    }
    let list = brands.get("/v1/brands?limit=100").await;
    let listed = list["brands"].as_array().unwrap();
    let defaults: Vec<&str> = (listed.iter().filter(|b| b["is_default"] == true))
        .map(|b| b["id"].as_str().unwrap())
        .collect();
    assert_eq!((listed.len(), defaults), (7, vec![brand]));

    let playbook = json!({"target_company": "Nobody in particular"});
    let playbook = async || client.post("/v1/playbooks", &playbook, None).await;
    accepted(&playbook().await);
    let gtm = &brands.world.gtm;
    gtm.cli(&["brand", "archive", brand]);
    let refused = playbook().await;
    assert_eq!(
        (refused.status, refused.error_code().as_str()),
        (409, "missing_default_brand_profile")
    );
    assert_eq!(
        refused.json()["error"]["details"],
        json!({"reason": "archived", "brand_profile_id": brand})
    );
    gtm.cli(&["brand", "default", brand, "--clear"]);
    accepted(&playbook().await);
}
on_both_engines!(
    the_default_brand_is_one_with_a_guideline_on,
    super::the_default_brand_is_one_with_a_guideline
);

/// Instructions to machines, hidden text and claims about others never reach the guideline.
async fn a_hostile_site_gains_nothing(kind: Database, test: &str) {
    let Some(brands) = Brands::start(kind, test, "hostile").await else {
        return;
    };
    let job = brands.create().await;
    brands.succeeded(&job).await;
    let path = format!("/v1/brands/{}/guideline", brand_of(&job));
    let guideline = brands.get(&path).await;
    let judge = Judge::new(&brands.golden, &brands.world.site.url());
    let score = judge.score(&guideline, false);
    assert!(score.unsupported.is_empty(), "{:#?}", score.unsupported);
    assert_eq!(
        guideline["identity"]["brand_name"]["value"],
        "Tarn Valve Works"
    );
    let requests = brands.world.site.requests();
    assert!(
        !requests.iter().any(|r| r.starts_with("/private-offers")),
        "{requests:?}"
    );
    let traps = requests
        .iter()
        .filter(|r| r.starts_with("/calendar/"))
        .count();
    assert!(traps <= 3, "{requests:?}");
    let markdown = brands.get_with(&path, "accept", "text/markdown").await;
    let markdown = String::from_utf8(markdown.bytes).unwrap();
    assert!(!markdown.contains("Globex"), "{markdown}");
}
on_both_engines!(
    a_hostile_site_gains_nothing_on,
    super::a_hostile_site_gains_nothing
);

/// The process dies during research. The research resumes and requests no page twice.
async fn killed_research_goes_on(kind: Database, test: &str) {
    let golden = company_sites::named("json-ld");
    let site: FakeSite = golden.serve().await;
    let Some(mut world) = World::start(kind, test, site).await else {
        return;
    };
    bind_brand_backend(
        &world.gtm,
        &world.tenant,
        &[(&golden, &world.site)],
        &json!({}),
    );
    world.gtm.kill();
    world
        .gtm
        .start_with(&[("GTM_FAIL_POINT", "step.settle.after:6")]);
    let client = world.tenant.client(&world.gtm);
    let answer = client
        .post("/v1/brands", &golden.expected["input"], None)
        .await;
    let job = accepted(&answer);
    let id = job["id"].as_str().unwrap();
    assert!(
        world.gtm.wait_dead(Duration::from_secs(60)),
        "the point was not reached"
    );
    let receipts = world.gtm.cli(&["job", "receipts", id]);
    let settled: BTreeSet<String> = receipts["receipts"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|r| r["url"].as_str())
        .filter_map(|url| url.strip_prefix(world.site.url().trim_end_matches('/')))
        .filter(|path| *path != "/robots.txt")
        .map(str::to_owned)
        .collect();
    assert!(!settled.is_empty());
    world.site.forget();
    world.gtm.start();
    let client = world.tenant.client(&world.gtm);
    let done = client.wait(id, PATIENCE).await;
    assert_eq!(done["status"], "succeeded", "{done}");
    let again: Vec<String> = world
        .site
        .requests()
        .into_iter()
        .filter(|path| settled.contains(path))
        .collect();
    assert!(again.is_empty(), "asked for again: {again:?}");
    let path = done["result"]["guideline_path"].as_str().unwrap();
    assert_eq!(client.get(path).await.json()["revision"], 1);
}
on_both_engines!(killed_research_goes_on_on, super::killed_research_goes_on);
