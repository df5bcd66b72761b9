//! Evidence: every claim leads to bytes, and what doesn't is dropped.

use gtm_e2e::Database;
use gtm_e2e::fake_site::{FakeSite, Page};
use serde_json::{Value, json};

use crate::{World, on_both_engines, request};

const PAGE: &str = "<html lang='en'><head><title>Fjord Cable</title></head><body><main><h1>Fjord Cable</h1>\
<p>Fjord Cable lays power cables between islands.</p></main></body></html>";

/// The fixture backend fetches the home page and then cites one sentence that stands there and one
/// that doesn't.
async fn a_false_citation_is_dropped(kind: Database, test: &str) {
    let site = FakeSite::start([("/", Page::html(PAGE))]).await;
    let Some(world) = World::start(kind, test, site).await else {
        return;
    };
    world.tenant.bind_backend(
        &world.gtm,
        "lying-backend",
        &json!({"url": world.site.url()}),
    );
    let job = world.client.playbook(&request()).await;
    assert_eq!(job["status"], "succeeded", "{job}");
    let result = &job["result"];
    assert!(
        !result
            .to_string()
            .replace(&result["risks"].to_string(), "")
            .contains("moon"),
        "{result}"
    );
    let risks = result["risks"].as_array().unwrap();
    assert!(risks.iter().any(|r| r["kind"] == "unknown"), "{risks:?}");
    for basis in result["basis"].as_array().unwrap() {
        let pointer = basis["pointer"].as_str().unwrap();
        assert!(
            result.pointer(pointer).is_some_and(|v| !v.is_null()),
            "{pointer} leads nowhere in {result}"
        );
    }
    let excerpts: Vec<&Value> = result["sources"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|s| s["excerpts"].as_array().unwrap())
        .collect();
    assert!(
        !excerpts.is_empty() && excerpts.iter().all(|e| e["verified"] == true),
        "{excerpts:?}"
    );
}
on_both_engines!(lying_backend, super::a_false_citation_is_dropped);
