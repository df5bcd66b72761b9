//! The main job, from the request to a result with evidence.

use gtm_domain::Digest;
use gtm_e2e::Database;
use gtm_e2e::fake_model::FakeModel;
use gtm_e2e::fake_site::FakeSite;
use serde_json::{Map, Value, json};

use crate::{World, on_both_engines, request, sample_site};

/// Whether a value has any content.
fn populated(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => members.values().any(populated),
        _ => true,
    }
}

/// Checks a finished playbook against the bytes that the site really served.
async fn check_evidence(result: &Value, site: &FakeSite) {
    let http = gtm_e2e::client::http();
    let sources = result["sources"].as_array().unwrap();
    assert!(!sources.is_empty());
    for source in sources {
        let url = source["final_url"].as_str().unwrap();
        assert!(url.starts_with(&site.url()), "{url}");
        let bytes = http.get(url).send().await.unwrap().bytes().await.unwrap();
        assert_eq!(
            source["content_digest"],
            Digest::of(&bytes).to_string(),
            "{url}"
        );
        assert_eq!(source["bytes"], bytes.len());
        assert_eq!(source["connector"]["key"], "web-fetch");
        assert!(
            source["connector"]["component_digest"]
                .as_str()
                .unwrap()
                .starts_with("sha256:")
        );
        let page = gtm_page_text::extract(source["content_type"].as_str(), &bytes);
        let text = page.evidence_text();
        let chars: Vec<char> = text.chars().collect();
        for excerpt in source["excerpts"].as_array().unwrap() {
            let (start, end) = (
                excerpt["text_start"].as_u64().unwrap(),
                excerpt["text_end"].as_u64().unwrap(),
            );
            let found: String = chars[start as usize..end as usize].iter().collect();
            let joined = found.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(excerpt["text"].as_str().unwrap(), joined, "{url}");
        }
    }
    let source_ids: Vec<&Value> = sources.iter().map(|s| &s["id"]).collect();
    for basis in result["basis"].as_array().unwrap() {
        let pointer = basis["pointer"].as_str().unwrap();
        assert!(
            result.pointer(pointer).is_some_and(populated),
            "{pointer} leads nowhere"
        );
        for id in basis["source_ids"].as_array().unwrap() {
            assert!(source_ids.contains(&id), "{id}");
        }
        assert!(
            basis["confidence"].is_string() && basis["basis"].is_string(),
            "{basis}"
        );
    }
}

/// Asserts that every claim of a section has a basis.
fn every_claim_has_a_basis(result: &Value) {
    let pointers: Vec<&str> = result["basis"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| b["pointer"].as_str().unwrap())
        .collect();
    let lists = [
        "sales_angles",
        "priorities",
        "pain_points",
        "buying_signals",
        "buying_committee",
        "value_map",
        "proof_points",
        "discovery_questions",
        "objections",
        "competitive_position",
        "next_steps",
    ];
    for list in lists {
        for index in 0..result[list].as_array().unwrap().len() {
            let pointer = format!("/{list}/{index}");
            assert!(
                pointers.contains(&pointer.as_str()),
                "{pointer} has no basis"
            );
        }
    }
    if !result["business_summary"].is_null() {
        assert!(pointers.contains(&"/business_summary"));
    }
}

async fn evidence_only(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, sample_site().await).await else {
        return;
    };
    let created = world.client.post("/v1/playbooks", &request(), None).await;
    assert_eq!(created.status, 202);
    let job = created.json();
    let id = job["id"].as_str().unwrap().to_owned();
    assert_eq!(
        created.header("location"),
        Some(format!("/v1/jobs/{id}").as_str())
    );
    assert_eq!(job["status"], "queued");
    assert_eq!(job["type"], "playbooks");
    assert_eq!(
        (
            &job["result"],
            &job["error"],
            &job["stages"],
            &job["campaign_id"]
        ),
        (&Value::Null, &Value::Null, &Value::Null, &Value::Null)
    );
    let input = &job["input"];
    assert_eq!(
        (&input["tone"], &input["model"], &input["sections"]),
        (&json!("consultative"), &json!("default"), &Value::Null)
    );
    assert_eq!(job["project_id"], json!(world.tenant.project));

    let job = world
        .client
        .wait(&id, std::time::Duration::from_secs(200))
        .await;
    assert_eq!(job["status"], "succeeded", "{job}");
    assert_eq!(job["progress"], 100);
    let result = &job["result"];
    assert_eq!(result["included_sections"].as_array().unwrap().len(), 15);
    assert!(
        populated(&result["business_summary"]) && populated(&result["buying_signals"]),
        "{result}"
    );
    check_evidence(result, &world.site).await;
    every_claim_has_a_basis(result);
    // Without a model, the words are the site's own: every stated claim is one of its excerpts.
    let excerpts: String = result["sources"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|s| s["excerpts"].as_array().unwrap())
        .map(|e| e["text"].as_str().unwrap().to_owned() + "\n")
        .collect();
    for aim in result["priorities"].as_array().unwrap() {
        assert!(
            excerpts.contains(aim.as_str().unwrap()),
            "{aim} is not the site's own sentence"
        );
    }
    for unknowable in ["talk_track", "objections", "competitive_position"] {
        assert!(
            !populated(&result[unknowable]),
            "{unknowable} was made up: {}",
            result[unknowable]
        );
    }
    let usage = &job["usage"];
    assert_eq!(
        (&usage["tokens"], &usage["cost_usd"], &usage["candidates"]),
        (&json!(0), &json!(0.0), &Value::Null)
    );
    for time in ["created_at", "started_at", "finished_at", "expires_at"] {
        assert!(
            job[time].as_str().is_some_and(|t| t.ends_with('Z')),
            "{time}: {job}"
        );
    }
    let receipts = world
        .client
        .get(&format!("/v1/jobs/{id}/receipts"))
        .await
        .json();
    assert!(
        receipts["receipts"]
            .as_array()
            .is_some_and(|r| !r.is_empty()),
        "{receipts}"
    );
}
on_both_engines!(evidence_only_playbook, super::evidence_only);

/// Writes an answer that fits the request's schema: every text is the first excerpt's and cites it. A
/// compliant model looks like this from outside, whatever its prose.
pub fn write_from_schema(request: &Value) -> String {
    write_text(request, &first_excerpt(request))
}

/// Like `write_from_schema`, with this text in every place.
pub fn write_text(request: &Value, text: &str) -> String {
    write_claims(request, &[(text, 1)])
}

/// Like `write_from_schema`, but every list of claims has one element for each text, and all other places
/// have the first one. Each text is paired with the number of the excerpt that it cites.
pub fn write_claims(request: &Value, claims: &[(&str, u64)]) -> String {
    let schema = &request["response_format"]["json_schema"]["schema"];
    instance(schema, claims).to_string()
}

/// The text of the excerpt numbered 1 in the prompt.
pub fn first_excerpt(request: &Value) -> String {
    excerpts(request)
        .into_iter()
        .next()
        .unwrap_or_else(|| "nothing".to_owned())
}

/// The texts of the prompt's excerpts, in order of their numbers.
pub fn excerpts(request: &Value) -> Vec<String> {
    let messages = request["messages"].as_array().unwrap();
    messages
        .iter()
        .flat_map(|m| m["content"].as_str().unwrap().lines())
        .filter(|line| line.starts_with("[E"))
        .map(|line| {
            line.split_once("] ")
                .map_or(line, |(_, text)| text)
                .to_owned()
        })
        .collect()
}

fn instance(schema: &Value, claims: &[(&str, u64)]) -> Value {
    let (text, number) = claims[0];
    if let Some(words) = schema["enum"].as_array() {
        // An enumeration of numbers holds the citations; of one with words, any word is valid.
        let cited = json!(number);
        return if words.contains(&cited) {
            cited
        } else {
            words[0].clone()
        };
    }
    match schema["type"].as_str() {
        Some("object") => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            Value::Object(
                properties
                    .map(|(key, inner)| (key.clone(), instance(inner, claims)))
                    .collect::<Map<_, _>>(),
            )
        }
        Some("array") if schema["items"]["type"] == "object" => claims
            .chunks(1)
            .map(|claim| instance(&schema["items"], claim))
            .collect(),
        Some("array") => json!([instance(&schema["items"], claims)]),
        Some("integer" | "number") => json!(number),
        Some("string") => {
            let most = schema["maxLength"]
                .as_u64()
                .map_or(usize::MAX, |n| n as usize);
            // A critic copies no faulty words of claims that it confirms, and nothing is known about dates.
            let described = schema["description"].as_str().unwrap_or_default();
            if most < 20 || described.ends_with("or empty") {
                json!("")
            } else {
                json!(text.chars().take(most).collect::<String>())
            }
        }
        _ => Value::Null,
    }
}

async fn with_a_model(kind: Database, test: &str) {
    let model = FakeModel::start().await;
    model.write_with(write_from_schema);
    let Some(world) = World::start_with(
        kind,
        test,
        sample_site().await,
        &[model.address.to_string()],
        "",
    )
    .await
    else {
        return;
    };
    world.tenant.bind_model(&world.gtm, &model);
    let mut body = request();
    body["tone"] = json!("direct");
    body["anchor_company"] = json!("Acme Planning");
    body["product_info"] = json!("Scheduling software for maintenance teams.");
    let job = world.client.playbook(&body).await;
    assert_eq!(job["status"], "succeeded", "{job}");
    let result = &job["result"];
    assert_eq!(
        (&result["tone"], &result["anchor_company"]),
        (&json!("direct"), &json!("Acme Planning"))
    );
    check_evidence(result, &world.site).await;
    every_claim_has_a_basis(result);
    assert!(
        populated(&result["sales_angles"]) && populated(&result["discovery_questions"]),
        "{result}"
    );
    // Usage is what the provider reported, to the token, and the cost follows from the price table.
    let requests = model.requests();
    let sent: String = requests.iter().map(Value::to_string).collect();
    assert!(
        sent.contains("Scheduling software") && sent.contains("direct"),
        "seller context and tone reach the model"
    );
    let usage = &job["usage"];
    assert_eq!(usage["backend_requests"], requests.len());
    let tokens = usage["tokens"].as_u64().unwrap();
    assert!(tokens > 0);
    let cost = usage["cost_usd"].as_f64().unwrap();
    let exact = tokens as f64 * 2.0 / 1e6;
    assert!(
        cost >= exact - 1e-9 && cost <= exact + 1e-6 * requests.len() as f64 + 1e-9,
        "{cost} for {tokens} tokens"
    );
}
on_both_engines!(playbook_with_a_model, super::with_a_model);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sections_that_were_not_asked_for_stay_empty() {
    let world = World::start(Database::Sqlite, "sections", sample_site().await)
        .await
        .unwrap();
    let mut body = request();
    body["sections"] = json!(["sales_angles", "business_summary"]);
    let job = world.client.playbook(&body).await;
    let result = &job["result"];
    assert_eq!(
        result["included_sections"],
        json!(["business_summary", "sales_angles"])
    );
    assert!(populated(&result["business_summary"]));
    for other in [
        "company_profile",
        "priorities",
        "buying_signals",
        "proof_points",
        "risks",
    ] {
        assert!(!populated(&result[other]), "{other}: {}", result[other]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invented_numbers_are_dropped() {
    let model = FakeModel::start().await;
    model.write_with(|request| {
        let invented = format!(
            "In 1987 they planned 4711 moon bases: {}",
            first_excerpt(request)
        );
        write_text(request, &invented)
    });
    let world = World::start_with(
        Database::Sqlite,
        "invented",
        sample_site().await,
        &[model.address.to_string()],
        "",
    )
    .await
    .unwrap();
    world.tenant.bind_model(&world.gtm, &model);
    let job = world.client.playbook(&request()).await;
    assert_eq!(job["status"], "succeeded", "{job}");
    let text = job["result"].to_string();
    assert!(
        !text.contains("4711") && !text.contains("moon bases"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_a_name_without_search_is_not_guessed() {
    let world = World::start(Database::Sqlite, "name-only", sample_site().await)
        .await
        .unwrap();
    let job = world
        .client
        .playbook(&json!({"target_company": "Somebody Unknown"}))
        .await;
    assert_eq!(
        (job["status"].as_str(), job["error"]["code"].as_str()),
        (Some("failed"), Some("insufficient_evidence")),
        "{job}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_runs_over_the_same_bytes_say_the_same() {
    let world = World::start(Database::Sqlite, "determinism", sample_site().await)
        .await
        .unwrap();
    let strip = |job: &Value| {
        let mut result = job["result"].clone();
        result["duration_seconds"] = Value::Null;
        for source in result["sources"].as_array_mut().unwrap() {
            source["receipt_id"] = Value::Null;
            source["retrieved_at"] = Value::Null;
        }
        result
    };
    let one = world.client.playbook(&request()).await;
    let two = world.client.playbook(&request()).await;
    assert_eq!(strip(&one), strip(&two));
    // A replay from the journal, with the network off, gives the same result.
    let replay = world
        .gtm
        .cli(&["job", "replay", one["id"].as_str().unwrap()]);
    assert_eq!(replay["matches"], true, "{replay}");
}
