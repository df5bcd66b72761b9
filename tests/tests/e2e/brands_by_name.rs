//! Brands that use more sources than the site: a web search for the name, and a provider of company data.

use std::time::Duration;

use gtm_e2e::Database;
use gtm_e2e::brand_lane::bind_brand_backend;
use gtm_e2e::company_sites::{self, CompanySite};
use gtm_e2e::fake_search::{FakeSearch, Hit};
use gtm_e2e::fake_site::{FakeSite, Page};
use serde_json::{Value, json};

use crate::brands::every_claim_leads_to_sources;
use crate::{World, on_both_engines};

const PATIENCE: Duration = Duration::from_secs(120);
const NAME: &str = "Ledgerline";

/// A server whose brands research Ledgerline's site, and that may also reach these hosts.
async fn world(kind: Database, test: &str, hosts: &[String]) -> Option<(World, CompanySite)> {
    let golden = company_sites::named("saas-en");
    let site = golden.serve().await;
    let world = World::start_with(kind, test, site, hosts, "").await?;
    let sites = [(&golden, &world.site)];
    // No search pages: the pages of other sites are outside the tests' machine.
    bind_brand_backend(
        &world.gtm,
        &world.tenant,
        &sites,
        &json!({"max_search_pages": 0}),
    );
    Some((world, golden))
}

/// What a search for the name finds: pages about the company, companies of the same name, and its site.
async fn search() -> FakeSearch {
    FakeSearch::start(vec![
        Hit::new(
            "https://www.linkedin.com/company/ledgerline-ap",
            "Ledgerline | LinkedIn",
            "Ledgerline | 2,100 followers",
        ),
        Hit::new(
            "https://reviews.example/ledgerline",
            "Ledgerline reviews",
            "",
        ),
        Hit::new(
            "https://ledgerlines-of-code.example/",
            "Ledger lines of code",
            "A blog.",
        ),
        Hit::new(
            "https://ledgerline.example/",
            "Ledgerline | Accounts payable for general contractors",
            "Ledgerline is accounts payable software for general contractors.",
        ),
    ])
    .await
}

/// Creates a connection and binds it to a capability; returns the connection's ID.
fn bind(world: &World, provider: &str, capability: &str, base_url: &str) -> String {
    let setting = format!("base_url={base_url}");
    let made = world.gtm.cli(&[
        "connection",
        "create",
        "--project",
        &world.tenant.project,
        "--provider",
        provider,
        "--setting",
        &setting,
    ]);
    assert_eq!(made["status"], "configured", "{made}");
    let id = made["id"].as_str().unwrap().to_owned();
    world.tenant.bind_connection(&world.gtm, capability, &id);
    id
}

/// Creates a brand and waits for its job.
async fn research(world: &World, body: &Value) -> Value {
    let answer = world.client.post("/v1/brands", body, None).await;
    let job = answer.json();
    assert_eq!(answer.status, 202, "{job}");
    let id = job["id"].as_str().unwrap();
    world.client.wait(id, PATIENCE).await
}

async fn guideline(world: &World, job: &Value) -> Value {
    assert_eq!(job["status"], "succeeded", "{job}");
    let path = job["result"]["guideline_path"].as_str().unwrap();
    let answer = world.client.get(path).await;
    assert_eq!(answer.status, 200, "{}", answer.json());
    answer.json()
}

/// Asserts that the brand of a failed job has no guideline.
async fn nothing_was_made_up(world: &World, job: &Value) {
    assert_eq!(
        (&job["status"], &job["result"]),
        (&json!("failed"), &Value::Null),
        "{job}"
    );
    let brand = job["input"]["brand_profile_id"].as_str().unwrap();
    let state = world
        .client
        .get(&format!("/v1/brands/{brand}"))
        .await
        .json();
    assert_eq!(
        (&state["guideline_available"], &state["research_status"]),
        (&json!(false), &json!("failed"))
    );
    let path = format!("/v1/brands/{brand}/guideline");
    assert_ne!(world.client.get(&path).await.status, 200);
    assert!(
        world.site.requests().is_empty(),
        "a site was read all the same"
    );
}

/// Research from the name alone: the search finds the site, and the guideline cites its content.
async fn a_name_finds_its_site(kind: Database, test: &str) {
    let search = search().await;
    let hosts = [search.address.to_string()];
    let Some((world, _)) = world(kind, test, &hosts).await else {
        return;
    };
    bind(&world, "searxng", "web.search", &search.base_url());
    let job = research(&world, &json!({"company_name": NAME})).await;
    let guideline = guideline(&world, &job).await;
    let identity = &guideline["identity"];
    assert_eq!(identity["brand_name"]["value"], NAME, "{identity}");
    assert_eq!(
        identity["legal_name"]["value"], "Ledgerline Software, Inc.",
        "{identity}"
    );
    // Here the site is served from another address, which is the one that the search finds.
    let website = identity["website_url"].as_str().unwrap();
    assert_eq!(website, world.site.url().trim_end_matches('/'));
    every_claim_leads_to_sources(&guideline);
    for source in guideline["research"]["sources"].as_array().unwrap() {
        let url = source["final_url"].as_str().unwrap();
        assert!(
            url.starts_with(&world.site.url()),
            "a search is no source: {url}"
        );
    }
    let queries = search.queries();
    assert_eq!(queries[0], "Ledgerline official website", "{queries:?}");
    // The search has a receipt, like every exchange.
    let id = job["id"].as_str().unwrap();
    let receipts = world.gtm.cli(&["job", "receipts", id]).to_string();
    assert!(receipts.contains(&format!("{}/search?q=", search.base_url())));
}
on_both_engines!(a_name_finds_its_site_on, super::a_name_finds_its_site);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_without_a_search_is_not_enough() {
    let (world, _) = world(Database::Sqlite, "no_search", &[]).await.unwrap();
    let job = research(&world, &json!({"company_name": NAME})).await;
    let error = &job["error"];
    assert_eq!(error["code"], "insufficient_evidence", "{job}");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("website_url") && message.contains("web.search"),
        "{message}"
    );
    assert_eq!(error["details"]["reason"], "site_unknown", "{error}");
    nothing_was_made_up(&world, &job).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_no_result_fits_is_not_enough() {
    let search = search().await;
    let hosts = [search.address.to_string()];
    let (world, _) = world(Database::Sqlite, "no_fit", &hosts).await.unwrap();
    bind(&world, "searxng", "web.search", &search.base_url());
    let job = research(&world, &json!({"company_name": "Quarrystone Optics"})).await;
    assert_eq!(job["error"]["code"], "insufficient_evidence", "{job}");
    nothing_was_made_up(&world, &job).await;
}

/// An instance without JSON output fails its verification, and a job's error names the code for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_without_json_says_so() {
    let search = search().await;
    search.disable_json();
    let hosts = [search.address.to_string()];
    let (world, _) = world(Database::Sqlite, "no_json", &hosts).await.unwrap();
    let connection = bind(&world, "searxng", "web.search", &search.base_url());
    let job = research(&world, &json!({"company_name": NAME})).await;
    let error = &job["error"];
    assert_eq!(error["code"], "connector_error", "{job}");
    assert_eq!(
        (
            &error["details"]["status"],
            &error["details"]["capability"],
            &error["details"]["failure_code"]
        ),
        (
            &json!(403),
            &json!("web.search"),
            &json!("json_not_enabled")
        ),
        "{error}"
    );
    // How to fix the instance is in the connector's own message, which only the operator may read.
    let message = error["message"].as_str().unwrap();
    assert!(!message.contains("search.formats"), "{message}");
    nothing_was_made_up(&world, &job).await;
    assert!(search.queries().is_empty());

    let verify = || {
        let output = world
            .gtm
            .cli_output(&["connection", "verify", &connection], &[]);
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        said["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(verify(), "failed");
}

/// Blocked engines do not prove that there is nothing to find.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_whose_engines_are_silent_is_unavailable() {
    let search = FakeSearch::start(Vec::new()).await;
    search.silence(&[("duckduckgo", "CAPTCHA"), ("google", "access denied")]);
    let hosts = [search.address.to_string()];
    let (world, _) = world(Database::Sqlite, "silent", &hosts).await.unwrap();
    let connection = bind(&world, "searxng", "web.search", &search.base_url());
    let job = research(&world, &json!({"company_name": NAME})).await;
    assert_eq!(job["error"]["code"], "connector_unavailable", "{job}");
    nothing_was_made_up(&world, &job).await;
    // The connection itself works, and its verification needs no search.
    let before = search.queries().len();
    let verified = world.gtm.cli(&["connection", "verify", &connection]);
    assert_eq!(verified["status"], "verified", "{verified}");
    assert_eq!(search.queries().len(), before);
}

/// A provider of company data at `/companies`, in the form of the fixture `company-data`.
async fn provider(domain: &str) -> FakeSite {
    let record = json!({
        "site": domain, "registered_as": null, "about": "Software for contractors.", "sector": "Software", "since": 2012,
        "people": 140, "seat": {"town": "Austin", "county": "Texas", "country": "United States"}, "symbol": "LDGR",
        "pages": ["facebook.com/ledgerline-ap", "linkedin.com/company/namesake"],
    });
    let page = Page::Ok("application/json", record.to_string().into_bytes());
    FakeSite::start([("/companies", page)]).await
}

/// Research of Ledgerline's site, with a provider that returns data about the company with this domain.
async fn with_provider(kind: Database, test: &str, domain: &str) -> Option<(Value, FakeSite)> {
    let provider = provider(domain).await;
    let hosts = [provider.address.to_string()];
    let (world, golden) = world(kind, test, &hosts).await?;
    let base_url = provider.url().trim_end_matches('/').to_owned();
    bind(&world, "company-data", "company.enrich", &base_url);
    let job = research(&world, &golden.expected["input"]).await;
    assert_eq!(provider.requests(), ["/companies"]);
    Some((guideline(&world, &job).await, provider))
}

/// The claim in a list whose value has this member.
fn element<'g>(list: &'g Value, name: &str, value: &str) -> Option<&'g Value> {
    let mut claims = list.as_array().unwrap().iter();
    claims.find(|claim| claim["value"][name] == value)
}

/// A provider's data is a third party's statement: cited with its own receipt, of lower confidence than the
/// site's, and reported as a conflict where the two differ.
async fn a_provider_is_one_more_source(kind: Database, test: &str) {
    let Some((guideline, provider)) = with_provider(kind, test, "www.ledgerline.example").await
    else {
        return;
    };
    every_claim_leads_to_sources(&guideline);
    let sources = guideline["research"]["sources"].as_array().unwrap();
    let told: Vec<&Value> = sources
        .iter()
        .filter(|source| source["connector"]["key"] == "company-data")
        .collect();
    let [source] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert!(
        source["final_url"]
            .as_str()
            .unwrap()
            .starts_with(&provider.url())
    );
    assert_eq!(
        (&source["kind"], &source["publisher"]),
        (&json!("other"), &json!("Facts of a test"))
    );
    assert!(source["receipt_id"].as_str().unwrap().starts_with("rcp"));
    let of_provider = json!([source["id"]]);

    let identity = &guideline["identity"];
    let symbol = element(&identity["identifiers"], "scheme", "ticker").unwrap();
    assert_eq!(symbol["value"]["value"], "LDGR");
    assert_eq!(
        (
            &symbol["basis"],
            &symbol["confidence"],
            &symbol["source_ids"]
        ),
        (&json!("stated"), &json!("medium"), &of_provider)
    );
    let excerpts = source["excerpts"].as_array().unwrap();
    let quoted = excerpts.iter().find(|e| e["text"] == "LDGR").unwrap();
    assert_eq!(symbol["excerpt_ids"], json!([quoted["id"]]));
    // An address without a scheme is observed in the answer, not quoted from it. Each network has one
    // profile.
    let profiles = &identity["profiles"];
    let facebook = element(profiles, "network", "facebook").unwrap();
    assert_eq!(
        (
            &facebook["basis"],
            &facebook["confidence"],
            &facebook["source_ids"]
        ),
        (&json!("observed"), &json!("medium"), &of_provider)
    );
    let linkedin = element(profiles, "network", "linkedin").unwrap();
    assert_eq!(
        linkedin["value"]["url"],
        "https://www.linkedin.com/company/ledgerline-ap"
    );

    let founded = &identity["founded_year"];
    assert_eq!(
        (&founded["value"], &founded["confidence"]),
        (&json!(2018), &json!("high")),
        "the company's own word stands"
    );
    let conflicts = guideline["research"]["conflicts"].as_array().unwrap();
    let conflict = conflicts
        .iter()
        .find(|c| c["pointer"] == "/identity/founded_year")
        .unwrap_or_else(|| panic!("{conflicts:?}"));
    let candidates = conflict["candidates"].as_array().unwrap();
    let values: Vec<&Value> = candidates.iter().map(|c| &c["value"]).collect();
    assert_eq!(values, [&json!(2018), &json!(2012)]);
    assert_eq!(candidates[1]["source_ids"], of_provider);
}
on_both_engines!(
    a_provider_is_one_more_source_on,
    super::a_provider_is_one_more_source
);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_speaks_of_another_company_is_not_heard() {
    let found = with_provider(Database::Sqlite, "namesake", "ledgerline.test").await;
    let (guideline, _) = found.unwrap();
    let sources = guideline["research"]["sources"].as_array().unwrap();
    assert!(
        sources
            .iter()
            .all(|source| source["connector"]["key"] == "web-fetch")
    );
    let text = guideline.to_string();
    for word in ["LDGR", "facebook.com", "Facts of a test"] {
        assert!(!text.contains(word), "{word}");
    }
    let conflicts = guideline["research"]["conflicts"].as_array().unwrap();
    let years = conflicts
        .iter()
        .filter(|c| c["pointer"] == "/identity/founded_year");
    assert_eq!(years.count(), 0, "{conflicts:?}");
}
