//! Message templates and messages by the product's own backend, judge and policy: what a model wrote is mended, scored,
//! saved, rendered, and filled for an imported person, and nothing is ever sent.

use std::time::Duration;

use gtm_e2e::Database;
use gtm_e2e::fake_model::{FakeModel, Reply};
use gtm_e2e::gtm_process::workspace;
use serde_json::{Value, json};

use crate::{World, on_both_engines, sample_site};

pub(crate) const PATIENCE: Duration = Duration::from_secs(120);
pub(crate) const REVISIONS: &str = "/v1/message-template-revisions";

/// The request for a template that the repository's sample was written from.
pub(crate) fn asked() -> Value {
    let mut sample = sample("message-template.json");
    let members = sample.as_object_mut().unwrap();
    members.retain(|name, _| !["structure", "review"].contains(&name.as_str()));
    sample
}

pub(crate) fn sample(name: &str) -> Value {
    let text = std::fs::read_to_string(workspace().join("samples").join(name)).unwrap();
    text.parse().unwrap()
}

fn drafted(blocks: &[(&str, &str)]) -> String {
    let blocks = blocks.iter().map(|(kind, text)| {
        let fallback = if *kind == "greeting" { "Hello," } else { "" };
        json!({"kind": kind, "text": text, "optional": false, "fallback": fallback})
    });
    let blocks: Vec<Value> = blocks.collect();
    json!({"subject": "Cold storage for {{company.name}}", "preview_text": "", "blocks": blocks})
        .to_string()
}

fn pushy() -> String {
    drafted(&[
        ("greeting", "Hello {{recipient.first_name}},"),
        (
            "value",
            "Act now: our world-class storage cuts your costs by 70 %.",
        ),
        ("cta", "Shall we talk? Or shall I call you today?"),
        ("sign_off", "Kind regards"),
    ])
}

pub(crate) fn good() -> String {
    drafted(&[
        ("greeting", "Hello {{recipient.first_name}},"),
        ("evidence_hook", "{{evidence.hook}}"),
        (
            "value",
            "Food producers need room for their overflow before the season. {{offer.value_proposition}}",
        ),
        ("cta", "{{next_step.ask}}"),
        ("sign_off", "Kind regards"),
    ])
}

pub(crate) async fn bind_writer(world: &World, model: &FakeModel) {
    world.tenant.bind_model(&world.gtm, model);
    let (gtm, tenant) = (&world.gtm, &world.tenant);
    tenant.bind_backend_to(gtm, "message_templates", "message-template", &json!({}));
}

pub(crate) async fn done(world: &World, path: &str, body: &Value, key: &str) -> Value {
    let created = world.client.post(path, body, Some(key)).await;
    assert_eq!(created.status, 202, "{}", created.json());
    let job = created.json();
    assert_eq!(
        (&job["messages_enqueued"], &job["messages_sent"]),
        (&json!(0), &json!(0))
    );
    world
        .client
        .wait(job["id"].as_str().unwrap(), PATIENCE)
        .await
}

async fn a_draft_is_mended_saved_and_rendered(kind: Database, test: &str) {
    let model = FakeModel::start().await;
    let hosts = [model.address.to_string()];
    let Some(world) = World::start_with(kind, test, sample_site().await, &hosts, "").await else {
        return;
    };
    bind_writer(&world, &model).await;
    model.next([Reply::Text(pushy()), Reply::Text(good())]);
    let job = done(&world, &format!("{REVISIONS}/generate"), &asked(), "write").await;
    assert_eq!(job["status"], "succeeded", "{job}");
    let requests = model.requests();
    assert_eq!(requests.len(), 2, "one round of mending");
    let told = requests[1]["messages"].to_string();
    for fault in ["70", "world-class", "Act now"] {
        assert!(
            told.contains(fault),
            "the model is not told of {fault}: {told}"
        );
    }
    let tokens = &job["usage"]["token_details"];
    assert!(tokens["input"].as_u64().unwrap() > 0 && tokens["output"].as_u64().unwrap() > 0);
    assert!(job["usage"]["cost_usd"].as_f64().unwrap() > 0.0);

    let listed = world.client.get(REVISIONS).await.json();
    let revision = &listed["message_template_revisions"][0];
    let id = revision["id"].as_str().unwrap();
    assert_eq!(job["result"]["revision_id"], *id, "{job}");
    let path = format!("{REVISIONS}/{id}/render");
    let filled = json!({ "values": {
        "company.name": "Brackenfield Bakery", "recipient.first_name": "Mairi",
        "evidence.hook": "Your second frozen line starts in March.",
        "offer.value_proposition": "Storage is booked by the pallet & by the week.",
        "next_step.ask": "Is storage for the next season already arranged?",
        "sender.full_name": "Ellen Sample", "sender.role": "Account manager", "sender.organization": "Tarnbeck",
        "compliance.postal_identity": "Tarnbeck, 1 Sample Street, Dundee, DD1 1AA, United Kingdom",
        "compliance.privacy_notice": "https://tarnbeck.example/privacy",
        "compliance.opt_out": "Reply \"stop\" and we will not write to you again.",
    }});
    let first = world.client.post(&path, &filled, None).await;
    assert_eq!(first.status, 200, "{}", first.json());
    let second = world.client.post(&path, &filled, None).await;
    assert_eq!(
        first.bytes, second.bytes,
        "the same input gives the same bytes"
    );
    let rendered = first.json();
    assert_eq!(rendered["subject"], "Cold storage for Brackenfield Bakery");
    let (text, html) = (&rendered["text"], &rendered["html"]);
    let (text, html) = (text.as_str().unwrap(), html.as_str().unwrap());
    assert!(
        text.contains("by the pallet & by the week.")
            && html.contains("by the pallet &amp; by the week.")
    );
    assert_eq!(rendered["messages_sent"], 0);
}
on_both_engines!(drafts, super::a_draft_is_mended_saved_and_rendered);

/// Nothing that fails the rubric is saved.
async fn a_writer_that_does_not_learn_saves_nothing(kind: Database, test: &str) {
    let model = FakeModel::start().await;
    model.write_with(|_| pushy());
    let hosts = [model.address.to_string()];
    let Some(world) = World::start_with(kind, test, sample_site().await, &hosts, "").await else {
        return;
    };
    bind_writer(&world, &model).await;
    let job = done(&world, &format!("{REVISIONS}/generate"), &asked(), "write").await;
    assert_eq!(job["status"], "failed", "{job}");
    assert_eq!(job["error"]["code"], "quality_threshold_not_met", "{job}");
    let failures = &job["error"]["details"]["hard_failures"];
    assert_eq!(
        *failures,
        json!(["unapproved_number", "false_urgency"]),
        "{job}"
    );
    let listed = world.client.get(REVISIONS).await.json();
    assert_eq!(listed["message_template_revisions"], json!([]));
    assert!(
        job["usage"]["cost_usd"].as_f64().unwrap() > 0.0,
        "the rounds are paid for"
    );
}
on_both_engines!(unlearnt, super::a_writer_that_does_not_learn_saves_nothing);

/// From an imported person to a demonstration, and to nothing of the person once the person is erased.
async fn an_imported_person_is_written_to_and_erased(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, sample_site().await).await else {
        return;
    };
    let (gtm, project) = (&world.gtm, world.tenant.project.as_str());
    let allowed = gtm.cli(&[
        "policy",
        "allow",
        "gb-corporate-outreach",
        "2026-01",
        "--evaluator",
        "policy-gb",
    ]);
    let says = allowed["evaluator_description"].as_str().unwrap();
    assert!(says.contains("United Kingdom"), "{allowed}");
    let mut prospects = sample("prospects.json");
    let import = |prospects: &Value| {
        let file = gtm.dir.path().join("prospects.json");
        std::fs::write(&file, prospects.to_string()).unwrap();
        gtm.cli_output(
            &[
                "prospecting",
                "import",
                file.to_str().unwrap(),
                "--project",
                project,
            ],
            &[],
        )
    };
    // What the excerpt says does not stand in the content that it is said to be of.
    let excerpt = "/candidates/0/evidence/2/excerpt";
    let true_one = prospects.pointer(excerpt).unwrap().clone();
    *prospects.pointer_mut(excerpt).unwrap() = json!("Our third frozen line starts in March.");
    let refused = import(&prospects);
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && told.contains(&format!("{excerpt} must stand in the content")),
        "{told}"
    );
    *prospects.pointer_mut(excerpt).unwrap() = true_one;
    let imported = import(&prospects);
    assert!(
        imported.status.success(),
        "{}",
        String::from_utf8_lossy(&imported.stderr)
    );
    let imported: Value = serde_json::from_slice(&imported.stdout).unwrap();
    let import_id = imported["id"].as_str().unwrap();

    let template = sample("message-template.json");
    let revision = world
        .client
        .post(REVISIONS, &template, Some("template"))
        .await;
    assert_eq!(revision.status, 201, "{}", revision.json());
    let revision = revision.json()["id"].as_str().unwrap().to_owned();
    let candidates = world
        .client
        .get(&format!("/v1/jobs/{import_id}/candidates"))
        .await
        .json();
    let person = &candidates["candidates"][0];
    let evidence = |kind: &str| {
        let all = person["evidence"].as_array().unwrap();
        all.iter().find(|record| record["kind"] == kind).unwrap()["id"].clone()
    };
    let request = json!({
        "prospecting_job_id": import_id, "prospect_id": person["id"], "purpose": "demonstration",
        "external_ref": "crm-17",
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
        "offer": {"offer_summary": template["offer_summary"]},
        "next_step": {"ask": "Is storage for your next season already arranged?"},
    });
    let job = done(
        &world,
        &format!("{REVISIONS}/{revision}/prospect-message"),
        &request,
        "message",
    )
    .await;
    let result = &job["result"];
    assert_eq!(result["status"], "DEMONSTRATION_ONLY", "{job}");
    let hook = person["evidence"]
        .as_array()
        .unwrap()
        .iter()
        .find_map(|it| it["hook"].as_str());
    assert!(
        result["body"].as_str().unwrap().contains(hook.unwrap()),
        "{result}"
    );
    assert_eq!(job["usage"]["backend_requests"], 0, "{job}");
    assert_eq!(
        result["compliance_verification"]["gates"]
            .as_array()
            .unwrap()
            .len(),
        14
    );
    assert_eq!(
        result["compliance_verification"]["content_checks"]
            .as_array()
            .unwrap()
            .len(),
        10
    );

    let erased = gtm.cli(&["prospecting", "erase", "mairi@brackenfield-bakery.example"]);
    assert_eq!(erased["erased"], 1, "{erased}");
    let id = job["id"].as_str().unwrap();
    let left = world.client.get(&format!("/v1/jobs/{id}")).await.json();
    assert_eq!(
        left["result"]["status"], "DEMONSTRATION_ONLY",
        "the decision stays"
    );
    let text = left.to_string();
    for of_person in ["Mairi", "mairi", "frozen line", "crm-17"] {
        assert!(!text.contains(of_person), "{of_person} is left: {text}");
    }
}
on_both_engines!(erased, super::an_imported_person_is_written_to_and_erased);
