//! Offers from a user's view: an operator writes and approves one, playbooks sell it, and what they sold stays.

use std::time::Duration;

use gtm_e2e::Database;
use serde_json::{Value, json};

use crate::{DOMAIN, World, on_both_engines, request, sample_site};

const PATIENCE: Duration = Duration::from_secs(120);

fn offer(proof: &str) -> Value {
    json!({
        "key": "handover-meters",
        "name": "Handover meters",
        "value_propositions": [{"key": "bill", "text": "One bill per flat from day one."}],
        "proof_points": [{"key": "flats", "text": proof, "numeric_values": []}],
        "pricing": {"model": "per_unit_month", "currency": "GBP", "display": "from £3.20 per flat"},
        "forbidden_claims": ["guaranteed savings"],
    })
}

fn write(world: &World, proof: &str) -> String {
    let path = world.gtm.dir.path().join("offer.json");
    std::fs::write(&path, offer(proof).to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

fn id_of(value: &Value) -> String {
    value["id"].as_str().unwrap().to_owned()
}

/// The organization of the world's project.
fn organization(world: &World) -> String {
    let project = world.gtm.cli(&["project", "show", &world.tenant.project]);
    project["organization_id"].as_str().unwrap().to_owned()
}

/// Binds the playbook backend with the offer, by its key.
fn bind(world: &World, offer: &str) -> std::process::Output {
    let start = format!("{DOMAIN}={}", world.site.url());
    let arguments = [
        "binding",
        "create",
        "--project",
        &world.tenant.project,
        "--capability",
        "playbooks",
        "--backend",
        "playbook",
        "--settings-json",
        r#"{"max_pages":8,"allow_evidence_only":true}"#,
        "--start-url",
        &start,
        "--offer",
        offer,
    ];
    world.gtm.cli_output(&arguments, &[])
}

async fn finished(world: &World, job: &Value) -> Value {
    let done = world
        .client
        .wait(job["id"].as_str().unwrap(), PATIENCE)
        .await;
    assert_eq!(done["status"], "succeeded", "{done}");
    done["result"].clone()
}

fn proofs(result: &Value) -> Vec<String> {
    let points = result["proof_points"].as_array().unwrap().iter();
    points
        .filter(|point| point["origin"] == "offer")
        .map(|point| point["text"].as_str().unwrap().to_owned())
        .collect()
}

async fn an_approved_offer_is_sold(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, sample_site().await).await else {
        return;
    };
    let organization = organization(&world);
    let file = write(&world, "18,000 flats billed monthly");
    let made = world
        .gtm
        .cli(&["offer", "create", "--org", &organization, &file]);
    let id = id_of(&made);
    let path = format!("/v1/offers/{id}");
    assert_eq!(world.client.get(&path).await.status, 404, "a draft");
    let refused = bind(&world, "handover-meters");
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && told.contains("approved"),
        "{told}"
    );

    world
        .gtm
        .cli(&["offer", "approve", &id, "--revision", "1", "--by", "Ada"]);
    let shown = world.client.get(&path).await;
    assert_eq!(shown.status, 200);
    let shown = shown.json();
    let listed = world.client.get("/v1/offers").await.json();
    assert_eq!(listed["offers"], json!([shown]));
    let bound = bind(&world, "handover-meters");
    assert!(
        bound.status.success(),
        "{}",
        String::from_utf8_lossy(&bound.stderr)
    );

    let job = world.client.post("/v1/playbooks", &request(), None).await;
    assert_eq!(job.status, 202);
    let first = finished(&world, &job.json()).await;
    assert_eq!(
        first["offer"],
        json!({"offer_id": id, "revision": 1, "offer_hash": shown["offer_hash"]})
    );
    assert_eq!(proofs(&first), ["18,000 flats billed monthly"]);
    assert!(
        !first.to_string().contains("3.20"),
        "the price is not disclosed"
    );

    // A revision changes neither the finished playbook nor, before its approval, the next one.
    let file = write(&world, "20,000 flats billed monthly");
    world.gtm.cli(&["offer", "revise", &id, &file]);
    let again = world
        .client
        .post("/v1/playbooks", &request(), None)
        .await
        .json();
    world.gtm.cli(&["offer", "approve", &id, "--revision", "2"]);
    let later = world
        .client
        .post("/v1/playbooks", &request(), None)
        .await
        .json();
    assert_eq!(finished(&world, &again).await["offer"], first["offer"]);
    let later = finished(&world, &later).await;
    assert_eq!(later["offer"]["revision"], 2);
    assert_eq!(proofs(&later), ["20,000 flats billed monthly"]);
    let kept = world
        .client
        .get(&format!("/v1/jobs/{}", id_of(&job.json())))
        .await
        .json();
    assert_eq!(kept["result"], first);

    world.gtm.cli(&["offer", "archive", &id]);
    let refused = world.client.post("/v1/playbooks", &request(), None).await;
    assert_eq!(refused.status, 409);
    let error = &refused.json()["error"];
    assert_eq!(
        (&error["code"], &error["details"]["offer_id"]),
        (&json!("offer_archived"), &json!(id))
    );
    assert_eq!(world.gtm.cli(&["audit", "verify"])["sound"], true);
}

on_both_engines!(selling_an_offer, super::an_approved_offer_is_sold);
