//! Every claim leads to bytes; a claim that does not is dropped.

use gtm_e2e::Database;
use gtm_e2e::fake_site::{FakeSite, Page};
use serde_json::{Value, json};

use crate::{World, on_both_engines, request};

const PAGE: &str = "<html lang='en'><head><title>Fjord Cable</title></head><body><main><h1>Fjord Cable</h1>\
<p>Fjord Cable lays power cables between islands.</p></main></body></html>";

/// The page's only sentence, which the fixture backend cites correctly.
const TRUTH: &str = "Fjord Cable lays power cables between islands.";

/// The fixture backend fetches the home page and cites a sentence that is there, words that are not, a number
/// that is not, and an answer that was never received.
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

    // Only the true claim survives.
    assert_eq!(result["business_summary"], TRUTH, "{result}");
    assert_eq!(result["sales_angles"], json!([TRUTH]), "{result}");
    // The claim with a false citation is gone, and so are the made-up number and the made-up source.
    assert_eq!(
        result.pointer("/company_profile/industry"),
        Some(&Value::Null),
        "{result}"
    );
    assert_eq!(result["priorities"], json!([]), "{result}");
    for lie in ["moon", "4711", "further islands"] {
        assert!(!result.to_string().contains(lie), "{lie} in {result}");
    }

    let bases = result["basis"].as_array().unwrap();
    let shown: Vec<Value> = bases
        .iter()
        .map(|b| json!([b["pointer"], b["basis"], b["confidence"]]))
        .collect();
    // The binding's start URL marks the fake site as the target's own, whichever backend is bound; hence high
    // confidence. An inference without any checkable fact is kept, but never above low.
    assert_eq!(
        shown,
        [
            json!(["/business_summary", "stated", "high"]),
            json!(["/sales_angles/0", "stated", "high"]),
            json!(["/next_steps/0", "inferred", "low"]),
        ],
        "{result}"
    );
    assert_eq!(
        result["next_steps"],
        json!(["Ask who plans the work at sea."])
    );
    for basis in bases {
        assert_eq!(basis["source_ids"], json!(["src_01"]), "{basis}");
    }

    let sources = result["sources"].as_array().unwrap();
    assert_eq!(sources.len(), 1, "{sources:?}");
    let excerpts: Vec<Value> = sources[0]["excerpts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| json!([e["text"], e["verified"]]))
        .collect();
    assert_eq!(excerpts, [json!([TRUTH, true])]);

    // Each section with a dropped claim reports it.
    let risks = result["risks"].as_array().unwrap();
    assert!(risks.iter().all(|r| r["kind"] == "unknown"), "{risks:?}");
    let texts: Vec<&str> = risks.iter().map(|r| r["text"].as_str().unwrap()).collect();
    for section in ["Sales angles: ", "Company profile: ", "Priorities: "] {
        assert!(texts.iter().any(|t| t.starts_with(section)), "{texts:?}");
    }
    assert!(
        texts
            .iter()
            .any(|t| t.contains("a number, link or address")),
        "{texts:?}"
    );
}
on_both_engines!(lying_backend, super::a_false_citation_is_dropped);
