//! `gtm brand …`.

use std::time::Duration;

use gtm_domain::brand::{NewGuideline, ResearchStatus};
use gtm_domain::guideline::guideline_hash;
use gtm_domain::idempotency::Create;
use gtm_domain::job::{Finish, Product};
use gtm_domain::{BrandId, JobType, MicroUsd, Usage};
use gtm_store::{NewBrand, uuid_v7};
use serde_json::{Value, json};

use crate::process::{Gtm, text};
use crate::worker_side::{NOW, WorkerSide};

/// An installation with two brands: one with a guideline, as a worker would have left it, and one that
/// waits for its first.
async fn researched(gtm: &Gtm) -> (String, BrandId, BrandId) {
    let side = WorkerSide::open(gtm).await;
    let (store, now) = (&side.store, NOW);
    let brand = BrandId::from_uuid(uuid_v7(now));
    let new = NewBrand {
        id: brand,
        key: "acme".parse().unwrap(),
        company_name: Some("Acme\u{1b}[31m".to_owned()),
        website_url: None,
        is_default: false,
    };
    let job = side.job(JobType::Brands, MicroUsd::ZERO);
    let waiting = BrandId::from_uuid(uuid_v7(now.plus(Duration::from_secs(2))));
    let other = NewBrand {
        id: waiting,
        key: "waiting".parse().unwrap(),
        ..new.clone()
    };
    let other_job = side.job(JobType::Brands, MicroUsd::ZERO);
    let made = store
        .create_brand(&side.scope, new, job, None)
        .await
        .unwrap();
    assert!(matches!(made, Create::Created(_)), "{made:?}");
    let claimed = side.claim().await;
    let mut document =
        gtm_api::openapi()["components"]["schemas"]["BrandGuideline"]["examples"][0].clone();
    document["brand_profile_id"] = json!(brand);
    document["job_id"] = json!(claimed.job.id);
    document["guideline_hash"] = json!(guideline_hash(&document));
    let guideline = NewGuideline {
        brand,
        revision: 1,
        hash: guideline_hash(&document),
        schema_version: "1.0".to_owned(),
        generated_at: now,
        source_count: 1,
        changed_pointers: vec![],
        document,
    };
    let finish = Finish::Succeeded {
        result: json!({}),
        product: Product::Guideline(guideline),
    };
    store
        .finish(&claimed.lease, finish, Usage::default())
        .await
        .unwrap();
    let row = store.get_brand(&side.scope, brand).await.unwrap().unwrap();
    assert_eq!(row.research_status, ResearchStatus::Ready);
    let made = store
        .create_brand(&side.scope, other, other_job, None)
        .await;
    assert!(matches!(made, Ok(Create::Created(_))), "{made:?}");
    store.close().await;
    (side.organization, brand, waiting)
}

#[tokio::test]
async fn a_brand_is_managed() {
    let gtm = Gtm::new();
    let (organization, id, waiting) = researched(&gtm).await;
    let (id, waiting) = (id.to_string(), waiting.to_string());
    let keys = |list: &Value| -> Vec<String> {
        let rows = list["brands"].as_array().unwrap().iter();
        rows.map(|row| text(row, "key")).collect()
    };
    assert_eq!(keys(&gtm.json(&["brand", "list"])), ["waiting", "acme"]);
    assert_eq!(
        keys(&gtm.json(&["brand", "list", "--org", &organization])),
        ["waiting", "acme"]
    );
    let shown = gtm.json(&["brand", "show", &id]);
    assert_eq!(
        (
            &shown["research_status"],
            &shown["guideline_revision"],
            &shown["is_default"]
        ),
        (&json!("ready"), &json!(1), &json!(false))
    );
    assert_eq!(gtm.json(&["brand", "default", &id])["is_default"], true);
    let made = gtm.json(&["brand", "default", "--clear", &id]);
    assert_eq!(
        (&made["is_default"], &made["becomes_default"]),
        (&json!(false), &json!(false))
    );
    // A brand without a guideline becomes the default later, and the command says so.
    let shown = String::from_utf8(gtm.run(&["brand", "default", &waiting]).stdout).unwrap();
    assert!(shown.contains("with its first guideline"), "{shown}");
    let shown = gtm.json(&["brand", "show", &waiting]);
    assert_eq!(
        (&shown["is_default"], &shown["becomes_default"]),
        (&json!(false), &json!(true))
    );
    gtm.json(&["brand", "archive", &waiting]);
    // A brand with a rejected guideline cannot be chosen as the default.
    gtm.json(&["brand", "review", &id, "--status", "rejected"]);
    let refused = gtm.fails(1, &["brand", "default", &id]);
    assert!(refused.contains("rejected"), "{refused}");
    assert_eq!(gtm.json(&["brand", "archive", &id])["status"], "archived");
    assert!(keys(&gtm.json(&["brand", "list"])).is_empty());
    assert_eq!(
        keys(&gtm.json(&["brand", "list", "--archived"])),
        ["waiting", "acme"]
    );
    assert!(
        gtm.fails(1, &["brand", "default", &id])
            .contains("archived")
    );
    assert_eq!(gtm.json(&["brand", "unarchive", &id])["status"], "active");
    let table = String::from_utf8(gtm.run(&["brand", "list"]).stdout).unwrap();
    assert!(!table.contains('\u{1b}'), "{table}");
    let absent = "brd_01jz8q6t7n4w3r9k2m5x0v1c8d";
    for command in [
        "show",
        "archive",
        "unarchive",
        "default",
        "guideline",
        "revisions",
    ] {
        gtm.fails(1, &["brand", command, absent]);
    }
    gtm.fails(1, &["brand", "review", absent, "--status", "reviewed"]);
    assert_eq!(gtm.json(&["audit", "verify"])["sound"], true);
}

#[tokio::test]
async fn a_guideline_is_printed_and_reviewed() {
    let gtm = Gtm::new();
    let (_, id, _) = researched(&gtm).await;
    let id = id.to_string();
    let document = gtm.json(&["brand", "guideline", &id]);
    assert_eq!(document["revision"], 1);
    let markdown = String::from_utf8(gtm.run(&["brand", "guideline", &id]).stdout).unwrap();
    assert!(markdown.starts_with("# "), "{markdown}");
    let made = gtm.json(&[
        "brand",
        "review",
        &id,
        "--status",
        "rejected",
        "--by",
        "Ada",
        "--note",
        "The name is old.",
    ]);
    assert_eq!(
        (
            &made["revision"],
            &made["review"]["status"],
            &made["review"]["note"]
        ),
        (&json!(2), &json!("rejected"), &json!("The name is old."))
    );
    let now = gtm.json(&["brand", "guideline", &id]);
    assert_eq!(now["governance"]["review"]["reviewed_by"], "Ada");
    assert_eq!(now["guideline_hash"], json!(guideline_hash(&now)));
    assert_eq!(now["guideline_hash"], made["guideline_hash"]);
    assert_eq!(
        gtm.json(&["brand", "guideline", &id, "--revision", "1"]),
        document
    );
    assert!(
        gtm.fails(1, &["brand", "guideline", &id, "--revision", "3"])
            .contains("no revision 3")
    );
    let revisions = gtm.json(&["brand", "revisions", &id]);
    assert_eq!(
        revisions["guideline_revisions"][0]["changed_pointers"],
        json!(["/governance/review"])
    );
    for bad in [
        vec!["--status", "perfect"],
        vec!["--status", "reviewed", "--note", " "],
        vec![],
    ] {
        gtm.fails(2, &[vec!["brand", "review", &id], bad].concat());
    }
    let audit = gtm.json(&["audit", "list", "--action", "brand.reviewed"]);
    assert_eq!(audit["entries"].as_array().unwrap().len(), 1);
}
