//! Messages to real people over HTTP: drafted if all gates are open, asked for where one is closed, and blocked for whom
//! objected, whatever the list of the day calls him.

use gtm_domain::Digest;
use gtm_e2e::Database;
use gtm_e2e::client::Client;
use gtm_e2e::fake_model::{FakeModel, Reply};
use gtm_e2e::tenant::Tenant;
use serde_json::{Value, json};

use crate::messages_by_plugins::{PATIENCE, REVISIONS, asked, bind_writer, done, sample};
use crate::{World, on_both_engines, sample_site};

/// The job of the imported sample, with its person made real and called so.
fn import(world: &World, full_name: &str) -> Value {
    import_for(world, &world.tenant, full_name)
}

fn import_for(world: &World, tenant: &Tenant, full_name: &str) -> Value {
    let mut prospects = sample("prospects.json");
    prospects["synthetic"] = json!(false);
    let person = &mut prospects["candidates"][0];
    person["person"]["full_name"] = json!(full_name);
    let content = format!("<p>{full_name}, Head of operations</p>");
    person["evidence"][0]["content"] = json!(content);
    person["evidence"][0]["excerpt"] = json!(format!("{full_name}, Head of operations"));
    let file = world.gtm.dir.path().join("real.json");
    std::fs::write(&file, prospects.to_string()).unwrap();
    let project = tenant.project.as_str();
    let file = file.to_str().unwrap();
    world
        .gtm
        .cli(&["prospecting", "import", file, "--project", project])
}

async fn request(world: &World, import: &Value) -> Value {
    request_of(&world.client, import).await
}

async fn request_of(client: &Client, import: &Value) -> Value {
    let id = import["id"].as_str().unwrap();
    let candidates = format!("/v1/jobs/{id}/candidates");
    let candidates = client.get(&candidates).await.json();
    let person = &candidates["candidates"][0];
    let evidence = |kind: &str| {
        let all = person["evidence"].as_array().unwrap();
        all.iter().find(|record| record["kind"] == kind).unwrap()["id"].clone()
    };
    json!({
        "prospecting_job_id": id, "prospect_id": person["id"], "purpose": "real_recipient",
        "sender": {"full_name": "Ellen Sample", "role": "Account manager", "organization": "Tarnbeck",
            "email": "ellen@tarnbeck.example"},
        "reply": {"email": "ellen@tarnbeck.example", "monitored": true},
        "postal_identity": {"organization": "Tarnbeck", "address_lines": ["1 Sample Street"], "locality": "Dundee",
            "region": null, "postal_code": "DD1 1AA", "country": "GB"},
        "evidence": {"basis_evidence_id": evidence("lawful_basis"),
            "address_provenance_id": evidence("address_provenance"),
            "personalization_evidence_ids": [evidence("personalization")]},
        "policy": {"policy_ref": "gb-corporate-outreach", "policy_version": "2026-01"},
        "privacy_notice": {"url": "https://tarnbeck.example/privacy", "version": "2026-01"},
        "offer": {"offer_summary": sample("message-template.json")["offer_summary"]},
        "next_step": {"ask": "Is storage for your next season already arranged?"},
    })
}

fn codes(result: &Value) -> Vec<&str> {
    let reasons = result["reasons"].as_array().unwrap().iter();
    reasons.map(|it| it["code"].as_str().unwrap()).collect()
}

/// Nothing is shown of a message that was not drafted.
fn is_hidden(result: &Value) -> bool {
    ["subject", "body", "html", "approval_hash", "message_hash"]
        .iter()
        .all(|member| result.get(*member) == Some(&Value::Null))
}

async fn a_real_person_is_written_to_until_somebody_objects(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, sample_site().await).await else {
        return;
    };
    let template = sample("message-template.json");
    let revision = world.client.post(REVISIONS, &template, Some("t")).await;
    assert_eq!(revision.status, 201, "{}", revision.json());
    let revision = revision.json();
    let path = format!(
        "{REVISIONS}/{}/prospect-message",
        revision["id"].as_str().unwrap()
    );
    let body = request(&world, &import(&world, "Mairi Sample")).await;

    // The operator has allowed no policy: its gate is closed, and nothing else is the caller's to declare.
    let job = done(&world, &path, &body, "early").await;
    let result = &job["result"];
    assert_eq!(result["status"], "NEEDS_INPUT", "{job}");
    assert!(codes(result).contains(&"gate:policy_allow_list"), "{job}");
    assert!(is_hidden(result), "{job}");
    let mut declared = body.clone();
    declared["suppressed"] = json!(false);
    let refused = world.client.post(&path, &declared, Some("declared")).await;
    assert_eq!(refused.status, 422, "{}", refused.json());

    let (policy, version) = ("gb-corporate-outreach", "2026-01");
    (world.gtm).cli(&[
        "policy",
        "allow",
        policy,
        version,
        "--evaluator",
        "policy-gb",
    ]);
    let job = done(&world, &path, &body, "allowed").await;
    let result = &job["result"];
    assert_eq!(result["status"], "DRAFT_READY", "{job}");
    assert_eq!(result["reasons"], json!([]));
    // Exactly one subject, and a body that ends with the canonical notice.
    assert_eq!(result["subject"], "Cold storage for Brackenfield Bakery");
    let text = result["body"].as_str().unwrap();
    let notice = text.rsplit("\r\n\r\n").next().unwrap();
    let report = &result["compliance_verification"];
    assert_eq!(
        report["opt_out"]["notice_hash"],
        json!(Digest::of(notice.as_bytes())),
        "{text}"
    );
    assert_eq!(report["outcome"], "passed", "{report}");
    assert_eq!(report["policy"]["allow_listed"], true);
    assert_eq!(
        report["address_provenance"]["address_source_class"],
        "published_by_company"
    );
    assert_eq!(report["suppression"]["matched"], false);
    let all_passed = |list: &Value| {
        let outcomes = list.as_array().unwrap().iter();
        outcomes.filter(|it| it["outcome"] != "passed").count()
    };
    assert_eq!(
        (
            all_passed(&report["gates"]),
            all_passed(&report["content_checks"])
        ),
        (0, 0),
        "{report}"
    );
    assert_eq!(result["template_hash"], revision["template_hash"]);
    assert!(result["approval_hash"].is_string() && result["message_hash"].is_string());
    // No provider was asked, and nothing was charged.
    let usage = &job["usage"];
    for member in ["tokens", "backend_requests"] {
        assert_eq!(usage[member], 0, "{usage}");
    }
    assert_eq!(usage["cost_usd"].as_f64(), Some(0.0), "{usage}");

    // The same request and key give the same job; another request under the key is refused.
    let again = world.client.post(&path, &body, Some("allowed")).await;
    assert_eq!(again.json()["id"], job["id"]);
    let mut other = body.clone();
    other["next_step"]["ask"] = json!("Shall we talk?");
    let reused = world.client.post(&path, &other, Some("allowed")).await;
    assert_eq!(
        (reused.status, reused.error_code().as_str()),
        (409, "idempotency_key_reused")
    );

    // She objects under her full name; the next list writes less of it.
    let project = world.tenant.project.as_str();
    (world.gtm).cli(&[
        "suppression",
        "add",
        "--project",
        project,
        "--kind",
        "objection",
        "--person",
        "Dr. Mairi K. Sample",
        "--domain",
        "brackenfield-bakery.example",
    ]);
    for (name, key) in [
        ("Mairi Sample", "objected"),
        ("M. Sample", "initial"),
        ("Sample, Mairi Ann", "longer"),
    ] {
        let body = request(&world, &import(&world, name)).await;
        let job = done(&world, &path, &body, key).await;
        let result = &job["result"];
        assert_eq!(result["status"], "BLOCKED", "{name}: {job}");
        assert_eq!(codes(result), ["suppression_match"], "{name}");
        assert!(is_hidden(result), "{name}: {job}");
        assert_eq!(
            result["compliance_verification"]["suppression"]["match"],
            "person"
        );
    }
    let body = request(&world, &import(&world, "Angus Sample")).await;
    let job = done(&world, &path, &body, "namesake").await;
    assert_eq!(job["result"]["status"], "DRAFT_READY", "{job}");
}
on_both_engines!(
    objections,
    super::a_real_person_is_written_to_until_somebody_objects
);

/// What a model writes is paid for, what the host fills in is not: without credit, one is refused and the other made.
async fn a_message_costs_nothing_and_a_template_does(kind: Database, test: &str) {
    let model = FakeModel::start().await;
    let hosts = [model.address.to_string()];
    let Some(world) = World::start_with(kind, test, sample_site().await, &hosts, "").await else {
        return;
    };
    let poor = Tenant::without_credit(&world.gtm, "Poor");
    poor.bind_model(&world.gtm, &model);
    poor.bind_backend_to(
        &world.gtm,
        "message_templates",
        "message-template",
        &json!({}),
    );
    let client = poor.client(&world.gtm);
    let path = format!("{REVISIONS}/generate");
    let refused = client.post(&path, &asked(), Some("write")).await;
    assert_eq!(
        (refused.status, refused.error_code().as_str()),
        (402, "insufficient_credits")
    );
    let template = sample("message-template.json");
    let revision = client.post(REVISIONS, &template, Some("t")).await.json();
    let body = request_of(&client, &import_for(&world, &poor, "Mairi Sample")).await;
    let path = format!(
        "{REVISIONS}/{}/prospect-message",
        revision["id"].as_str().unwrap()
    );
    let made = client.post(&path, &body, Some("message")).await;
    assert_eq!(made.status, 202, "{}", made.json());
    let made = made.json();
    let job = client.wait(made["id"].as_str().unwrap(), PATIENCE).await;
    assert_eq!(job["status"], "succeeded", "{job}");
    // Another project has neither the revision nor the prospect.
    let stranger = world.client.post(&path, &body, Some("message")).await;
    assert_eq!(
        (stranger.status, stranger.error_code().as_str()),
        (404, "not_found")
    );
    assert_eq!(model.requests().len(), 0);
}
on_both_engines!(unpaid, super::a_message_costs_nothing_and_a_template_does);

/// Generation says what is missing, and accounts for all six kinds of tokens.
async fn a_template_is_generated_or_asked_for(kind: Database, test: &str) {
    let model = FakeModel::start().await;
    let hosts = [model.address.to_string()];
    let Some(world) = World::start_with(kind, test, sample_site().await, &hosts, "").await else {
        return;
    };
    let path = format!("{REVISIONS}/generate");
    // Without a backend nothing is made up.
    let job = done(&world, &path, &asked(), "unbound").await;
    assert_eq!(
        (&job["status"], &job["error"]["code"]),
        (&json!("failed"), &json!("backend_not_configured")),
        "{job}"
    );
    assert!(job["error"]["message"].is_string() && job["result"].is_null());

    bind_writer(&world, &model).await;
    let mut vague = asked();
    for member in ["audience", "offer_summary", "desired_next_step"] {
        vague.as_object_mut().unwrap().remove(member);
    }
    let job = done(&world, &path, &vague, "vague").await;
    assert_eq!(job["status"], "succeeded", "{job}");
    assert_eq!(job["result"]["status"], "NEEDS_INPUT", "{job}");
    assert_eq!(
        codes(&job["result"]),
        [
            "audience_missing",
            "offer_missing",
            "desired_next_step_missing"
        ]
    );
    assert_eq!(job["result"]["revision_id"], Value::Null);
    assert_eq!(model.requests().len(), 0, "no model was asked");

    model.next([Reply::Text(crate::messages_by_plugins::good())]);
    let job = done(&world, &path, &asked(), "write").await;
    let result = &job["result"];
    assert_eq!(result["status"], "DRAFT_READY", "{job}");
    let dimensions = result["rubric"]["dimensions"].as_array().unwrap();
    let most: u64 = dimensions
        .iter()
        .map(|it| it["max"].as_u64().unwrap())
        .sum();
    assert_eq!((dimensions.len(), most), (7, 100), "{result}");
    let tokens = job["usage"]["token_details"].as_object().unwrap();
    let count = |kind: &str| tokens[kind].as_u64().unwrap();
    let kinds = [
        "input",
        "cached_input",
        "cache_write",
        "output",
        "reasoning",
    ];
    assert_eq!(tokens.len(), kinds.len() + 1, "{tokens:?}");
    assert_eq!(kinds.map(count).iter().sum::<u64>(), count("total"));
    assert_eq!(job["usage"]["tokens"], tokens["total"]);
    // The revision is there, as it was made, and the next one follows it.
    let revision = result["revision_path"].as_str().unwrap();
    let first = world.client.get(revision).await.json();
    assert_eq!(first["template_hash"], result["template_hash"]);
    model.next([Reply::Text(crate::messages_by_plugins::good())]);
    let job = done(&world, &path, &asked(), "again").await;
    assert_eq!(job["result"]["revision"], 2, "{job}");
    assert_eq!(world.client.get(revision).await.json(), first);
}
on_both_engines!(generated, super::a_template_is_generated_or_asked_for);
