//! Revisions of a guideline: how research creates the next one, and which revision a playbook keeps.

use std::time::Duration;

use gtm_e2e::Database;
use gtm_e2e::fake_site::Page;
use serde_json::{Value, json};

use crate::brands::{Brands, accepted, brand_of};
use crate::{on_both_engines, request};

/// A second research creates revision 2 with the changes, and a failed one keeps it. The first revision stays
/// readable. Research of an unchanged site changes nothing but the revision.
async fn a_refresh_makes_the_next_revision(kind: Database, test: &str) {
    let Some(brands) = Brands::start(kind, test, "plain").await else {
        return;
    };
    let job = brands.create().await;
    let brand = brand_of(&job).to_owned();
    let path = format!("/v1/brands/{brand}/guideline");
    brands.succeeded(&job).await;
    let first = brands.get(&path).await;
    assert_eq!(
        first["identity"]["founded_year"]["value"], 1974,
        "{}",
        first["identity"]
    );

    // Change the year on every page, because otherwise the years would be in conflict.
    let site = &brands.world.site;
    for name in ["index", "about", "services", "prices", "contact"] {
        let page = String::from_utf8(brands.golden.bytes(&format!("{name}.html"))).unwrap();
        let page = Page::html(&page.replace("1974", "1973"));
        site.set(&format!("/{name}.html"), page.clone());
        site.set(&format!("/{name}"), page.clone());
        if name == "index" {
            site.set("/", page);
        }
    }
    let again = accepted(&brands.research(&brand).await);
    assert_eq!(brand_of(&again), brand);
    assert_ne!(again["id"], job["id"]);
    assert_eq!(brands.succeeded(&again).await["revision"], 2);
    let second = brands.get(&path).await;
    assert_eq!(
        second["identity"]["founded_year"]["value"], 1973,
        "{}",
        second["identity"]
    );
    let log = second["governance"]["change_log"].as_array().unwrap();
    assert_eq!(log.len(), 2, "{log:?}");
    assert_eq!(
        (&log[1]["revision"], &log[1]["job_id"]),
        (&json!(2), &again["id"])
    );
    let changed = log[1]["changed_pointers"].as_array().unwrap();
    let below = |pointer: &str| {
        changed
            .iter()
            .any(|c| c.as_str().unwrap().starts_with(pointer))
    };
    assert!(below("/identity/founded_year"), "{changed:?}");
    assert!(!below("/identity/headquarters"), "{changed:?}");

    // The site is gone: research fails, and the last good guideline stays.
    for path in ["/", "/index.html", "/about.html", "/contact.html"] {
        site.set(path, Page::Status(503, Vec::new(), Vec::new()));
    }
    let lost = accepted(&brands.research(&brand).await);
    let done = brands.wait(&lost).await;
    assert_eq!(done["status"], "failed", "{done}");
    let state = brands.get(&format!("/v1/brands/{brand}")).await;
    assert_eq!(state["research_status"], "failed");
    assert_eq!(
        (&state["guideline_available"], &state["guideline_revision"]),
        (&json!(true), &json!(2))
    );
    assert_eq!(brands.get(&path).await, second);
    assert_eq!(brands.get(&format!("{path}?revision=1")).await, first);
    let revisions = brands
        .get(&format!("/v1/brands/{brand}/guideline-revisions"))
        .await;
    let revisions: Vec<&Value> = revisions["guideline_revisions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| &r["revision"])
        .collect();
    assert_eq!(revisions, [&json!(2), &json!(1)]);
}
on_both_engines!(
    a_refresh_makes_the_next_revision_on,
    super::a_refresh_makes_the_next_revision
);

/// A playbook keeps the revision with which it was created, even if the next one appears meanwhile.
async fn a_playbook_keeps_its_revision(kind: Database, test: &str) {
    let Some(brands) = Brands::start(kind, test, "imprint-de").await else {
        return;
    };
    let client = &brands.world.client;
    let early = json!({"target_company_domain": crate::DOMAIN, "brand_profile_id": "brd_01jz8q6t7n4w3r9k2m5x0v1c8d"});
    let refused = client.post("/v1/playbooks", &early, None).await;
    assert_eq!(
        (refused.status, refused.error_code().as_str()),
        (404, "brand_profile_not_found")
    );
    let job = brands.create().await;
    let brand = brand_of(&job).to_owned();
    let mut body = request();
    body["brand_profile_id"] = json!(brand);
    let refused = client.post("/v1/playbooks", &body, None).await;
    if refused.status != 202 {
        assert_eq!(
            (refused.status, refused.error_code().as_str()),
            (409, "brand_profile_not_ready")
        );
    }
    let bound = brands.succeeded(&job).await;

    brands.world.site.set_latency(Duration::from_millis(700));
    let playbook = client.create_playbook(&body).await;
    let again = accepted(&brands.research(&brand).await);
    brands.world.site.set_latency(Duration::ZERO);
    let next = brands.succeeded(&again).await;
    assert_eq!(next["revision"], 2);
    let playbook = brands.succeeded(&playbook).await;
    assert_eq!(
        playbook["brand"]["brand_profile_id"],
        json!(brand),
        "{playbook}"
    );
    assert_eq!(playbook["brand"]["revision"], 1);
    assert_eq!(playbook["brand"]["guideline_hash"], bound["guideline_hash"]);

    // A guideline that its reviewer rejected cannot be used until new research or another review.
    let review = |status| {
        let gtm = &brands.world.gtm;
        gtm.cli(&["brand", "review", &brand, "--status", status])
    };
    review("rejected");
    let refused = client.post("/v1/playbooks", &body, None).await;
    assert_eq!(
        (refused.status, refused.error_code().as_str()),
        (409, "brand_profile_not_ready")
    );
    assert_eq!(
        refused.json()["error"]["details"]["reason"],
        "guideline_rejected"
    );
    review("reviewed");
    let playbook = client.create_playbook(&body).await;
    assert_eq!(brands.succeeded(&playbook).await["brand"]["revision"], 4);
}
on_both_engines!(
    a_playbook_keeps_its_revision_on,
    super::a_playbook_keeps_its_revision
);
