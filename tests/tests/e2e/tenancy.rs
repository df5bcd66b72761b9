//! Two tenants: for each, the other's data does not exist.

use gtm_e2e::Database;
use gtm_e2e::fake_site::FakeSite;
use gtm_e2e::tenant::Tenant;
use serde_json::json;

use crate::{World, on_both_engines};

async fn foreign_is_absent(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, FakeSite::start([]).await).await else {
        return;
    };
    let job = world
        .client
        .create_playbook(&json!({"target_company_domain": "a.example"}))
        .await;
    let id = job["id"].as_str().unwrap();
    let stranger = Tenant::create(&world.gtm, "Other").client(&world.gtm);
    let random = format!("{}{}", &id[..id.len() - 4], "0000");
    for suffix in ["", "/events", "/receipts"] {
        assert_eq!(
            world
                .client
                .get(&format!("/v1/jobs/{id}{suffix}"))
                .await
                .status,
            200,
            "{suffix}"
        );
        let foreign = stranger.get(&format!("/v1/jobs/{id}{suffix}")).await;
        let absent = stranger.get(&format!("/v1/jobs/{random}{suffix}")).await;
        assert_eq!(
            (foreign.status, foreign.error_code().as_str()),
            (404, "not_found")
        );
        let message = |a: &gtm_e2e::client::Answer| a.json()["error"]["message"].clone();
        assert_eq!(
            message(&foreign),
            message(&absent),
            "a foreign id must look like an absent one"
        );
    }
    // The same idempotency key in two projects identifies two jobs.
    let body = json!({"target_company_domain": "a.example"});
    let ours = world
        .client
        .post("/v1/playbooks", &body, Some("k"))
        .await
        .json();
    let theirs = stranger
        .post("/v1/playbooks", &body, Some("k"))
        .await
        .json();
    assert_ne!(ours["id"], theirs["id"]);
    // The other tenant has no binding, so its job fails: nothing is made up (specification, general rule 3).
    let ended = stranger
        .wait(
            theirs["id"].as_str().unwrap(),
            std::time::Duration::from_secs(30),
        )
        .await;
    assert_eq!(
        (ended["status"].as_str(), ended["error"]["code"].as_str()),
        (Some("failed"), Some("backend_not_configured"))
    );
    assert_eq!(ended["result"], json!(null));
}
on_both_engines!(two_projects, super::foreign_is_absent);
