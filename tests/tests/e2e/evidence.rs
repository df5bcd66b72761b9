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

    // A verdict stands on its reasons only, and sums are calculated again.
    assert_eq!(result["fit"], json!({"verdict": null, "reasons": []}));
    assert_eq!(result["business_case"], json!([]));
    assert_eq!(result["risks"], json!([]), "it is no risk of the sale");
    let unknowns = result["unknowns"].as_array().unwrap();
    for (pointer, reason) in [
        ("/sales_angles", "unverified"),
        ("/company_profile/industry", "unverified"),
        ("/priorities", "unverified"),
        ("/objections", "unverified"),
        ("/business_case", "unverified"),
        ("/company_profile/headquarters", "not_found"),
    ] {
        let unknown = json!({"pointer": pointer, "reason": reason});
        assert!(unknowns.contains(&unknown), "{unknown} in {unknowns:?}");
    }

    // The job's events tell what the backend and the host left out, and why.
    let path = format!("/v1/jobs/{}/events?limit=100", job["id"].as_str().unwrap());
    let events = world.client.get(&path).await.json();
    let told: Vec<&Value> = events["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["type"] == "claims.left_out")
        .map(|event| &event["data"])
        .collect();
    for (pointer, reason, count, message) in [
        (
            "/objections",
            "name",
            2,
            "Left out of objections: 2 statements, because a name stands neither in the sources nor in the request.",
        ),
        (
            "/sales_angles",
            "unsupported",
            1,
            "Left out of sales angles: 1 statement, because the cited evidence could not be verified in the fetched sources.",
        ),
        (
            "/business_case",
            "invented",
            1,
            "Left out of business case: 1 statement, because it contains a number, link or address that is in none of its sources.",
        ),
    ] {
        let event =
            json!({"pointer": pointer, "reason": reason, "count": count, "message": message});
        assert!(told.contains(&&event), "{event} in {told:#?}");
    }
}
on_both_engines!(lying_backend, super::a_false_citation_is_dropped);
