//! Brand fields that only a model can write: absent without a model, and bound to the excerpts with one.

use gtm_e2e::Database;
use gtm_e2e::brand_lane::bind_brand_backend;
use gtm_e2e::company_sites;
use gtm_e2e::fake_model::FakeModel;
use serde_json::{Value, json};

use crate::brands::{accepted, brand_of, every_claim_leads_to_sources};
use crate::playbooks::{excerpts, write_claims};
use crate::{World, on_both_engines};

/// Fields that no rule fills.
const MODEL_ONLY: [&str; 7] = [
    "/positioning/statement",
    "/audience/personas",
    "/voice/summary",
    "/voice/traits",
    "/messaging/pitches/seconds_10",
    "/messaging/pitches/seconds_30",
    "/messaging/pitches/words_100",
];

/// Is nowhere on the site.
const LIE: &str = "Chosen by 48,217 finance teams in 93 countries";

/// Writes an excerpt's own words, then a lie; both cite that excerpt.
fn truth_and_lie(request: &Value) -> String {
    let shown = excerpts(request);
    let (number, text) = shown
        .iter()
        .enumerate()
        .max_by_key(|(_, text)| text.len())
        .expect("a prompt shows excerpts");
    let number = number as u64 + 1;
    write_claims(request, &[(text, number), (LIE, number)])
}

/// A field's claims: the field itself, or the elements of its list.
fn claims_at<'g>(guideline: &'g Value, pointer: &str) -> Vec<&'g Value> {
    let field = guideline.pointer(pointer).unwrap();
    let claims = field
        .as_array()
        .map_or(vec![field], |list| list.iter().collect());
    let known = claims.into_iter().filter(|claim| !claim["value"].is_null());
    known.collect()
}

async fn a_model_writes_what_rules_cannot(kind: Database, test: &str) {
    let golden = company_sites::named("saas-en");
    let model = FakeModel::start().await;
    model.write_with(truth_and_lie);
    let hosts = [model.address.to_string()];
    let site = golden.serve().await;
    let Some(world) = World::start_with(kind, test, site, &hosts, "").await else {
        return;
    };
    let sites = [(&golden, &world.site)];
    bind_brand_backend(&world.gtm, &world.tenant, &sites, &json!({}));

    let client = &world.client;
    let created = client.post("/v1/brands", &golden.expected["input"], None);
    let job = accepted(&created.await);
    let patience = std::time::Duration::from_secs(120);
    let done = client.wait(job["id"].as_str().unwrap(), patience).await;
    assert_eq!(done["status"], "succeeded", "{done}");
    assert_eq!(done["usage"]["tokens"], 0, "{done}");
    let brand = brand_of(&job);
    let path = format!("/v1/brands/{brand}/guideline");
    let without = client.get(&path).await.json();
    for pointer in MODEL_ONLY {
        assert!(claims_at(&without, pointer).is_empty(), "{pointer}");
    }

    world.tenant.bind_model(&world.gtm, &model);
    let research = format!("/v1/brands/{brand}/research");
    let again = client.request("POST", &research).bearer_auth(&client.key);
    let job = accepted(&client.send(again).await);
    let done = client.wait(job["id"].as_str().unwrap(), patience).await;
    assert_eq!(done["status"], "succeeded", "{done}");
    assert_eq!(done["result"]["revision"], 2);
    assert!(done["usage"]["tokens"].as_u64().unwrap() > 0, "{done}");
    let with = client.get(&path).await.json();
    every_claim_leads_to_sources(&with);
    let written: Vec<&str> = MODEL_ONLY
        .into_iter()
        .filter(|pointer| !claims_at(&with, pointer).is_empty())
        .collect();
    assert!(written.len() >= 5, "{written:?}");
    for pointer in &written {
        for claim in claims_at(&with, pointer) {
            let basis = claim["basis"].as_str().unwrap();
            assert!(["stated", "inferred"].contains(&basis), "{claim}");
            if basis == "inferred" {
                assert_eq!(claim["confidence"], "low", "{claim}");
            }
        }
    }
    let whole = with.to_string();
    assert!(!whole.contains("48,217") && !whole.contains("93 countries"));
    let changes = with["governance"]["change_log"].as_array().unwrap();
    let changed = changes.iter().find(|entry| entry["revision"] == 2).unwrap();
    let changed = changed["changed_pointers"].to_string();
    assert!(changed.contains(written[0]), "{changed}");

    // The requests to the provider contained excerpts of the site, but never the caller's credentials.
    let sent: String = model.requests().iter().map(Value::to_string).collect();
    assert!(sent.contains("Ledgerline") && !sent.contains(&client.key));
}
on_both_engines!(
    a_model_writes_what_rules_cannot_on,
    super::a_model_writes_what_rules_cannot
);
