//! `gtm binding start-url …`.

use std::fs;

use gtm_domain::binding::{BindingScope, BindingTarget};
use serde_json::json;

use crate::process::Gtm;
use crate::worker_side::open_store;

/// An installation with a binding of a backend, as `gtm binding create` makes it.
async fn bound(gtm: &Gtm) -> String {
    let (project, _) = gtm.tenant();
    let store = open_store(gtm).await;
    let target = BindingTarget::Backend {
        key: "playbook".to_owned(),
        version: None,
    };
    let scope = BindingScope::Project(project.parse().unwrap());
    let operator = store.operator();
    let bound = operator
        .set_binding(scope, "playbooks", target, json!({}))
        .await
        .unwrap();
    store.close().await;
    bound.id.to_string()
}

#[tokio::test]
async fn start_urls_are_kept_one_by_one() {
    let gtm = Gtm::new();
    let id = bound(&gtm).await;
    let run = |arguments: &[&str]| {
        let whole: Vec<&str> = ["binding", "start-url"]
            .iter()
            .chain(arguments)
            .copied()
            .collect();
        gtm.json(&whole)
    };
    let added = run(&["add", &id, "Acme.example", "http://127.0.0.1:8099"]);
    assert_eq!(
        (&added["domain"], &added["url"], &added["start_url_count"]),
        (
            &json!("acme.example"),
            &json!("http://127.0.0.1:8099/"),
            &json!(1)
        )
    );
    run(&["add", &id, "b.example", "https://b.example/de"]);
    assert_eq!(
        run(&["list", &id])["start_urls"],
        json!({"acme.example": "http://127.0.0.1:8099/", "b.example": "https://b.example/de"})
    );
    assert_eq!(gtm.json(&["binding", "show", &id])["start_url_count"], 2);
    assert_eq!(
        gtm.json(&["binding", "list"])["bindings"][0]["start_url_count"],
        2
    );
    assert_eq!(run(&["remove", &id, "b.example"])["start_url_count"], 1);

    // More than a thousand are imported from a file, all or none.
    let file = gtm.data().join("sites.csv");
    let path = file.to_str().unwrap();
    let mut lines: String = "# our sites\n".to_owned();
    for n in 0..1_500 {
        lines.push_str(&format!(
            "company-{n}.example,https://staging.example/{n}\n"
        ));
    }
    fs::write(&file, format!("{lines}co.uk,https://a.example/\n")).unwrap();
    let refused = gtm.fails(1, &["binding", "start-url", "import", &id, path]);
    assert!(
        refused.contains("line 1502") && refused.contains("public suffix"),
        "{refused}"
    );
    assert_eq!(gtm.json(&["binding", "show", &id])["start_url_count"], 1);
    fs::write(&file, &lines).unwrap();
    let told = run(&["import", &id, path]);
    assert_eq!(
        (&told["imported"], &told["start_url_count"]),
        (&json!(1500), &json!(1501))
    );
    assert_eq!(
        run(&["import", &id, path, "--replace"])["start_url_count"],
        1500
    );
    let table = String::from_utf8(gtm.run(&["binding", "start-url", "list", &id]).stdout).unwrap();
    assert!(table.lines().count() == 1501 && !table.contains("acme.example"));
    assert_eq!(gtm.json(&["audit", "verify"])["sound"], true);
}

#[tokio::test]
async fn what_cannot_be_is_said() {
    let gtm = Gtm::new();
    let id = bound(&gtm).await;
    for (arguments, why) in [
        (
            ["add", id.as_str(), "a.example", "ftp://a.example/"].as_slice(),
            "http or https",
        ),
        (
            &["add", &id, "localhost", "https://a.example/"],
            "single label",
        ),
        (
            &["add", &id, "a.example", "https://u:secret@a.example/"],
            "user information",
        ),
        (&["remove", &id, "a.example"], "no start URL of a.example"),
        (&["import", &id, "/no/such/file"], "cannot read"),
        (
            &["list", "bnd_01jz8q6t7n4w3r9k2m5x0v1c8d"],
            "does not exist",
        ),
        (
            &[
                "add",
                "bnd_01jz8q6t7n4w3r9k2m5x0v1c8d",
                "a.example",
                "https://a/",
            ],
            "does not exist",
        ),
    ] {
        let whole: Vec<&str> = ["binding", "start-url"]
            .iter()
            .chain(arguments)
            .copied()
            .collect();
        let said = gtm.fails(1, &whole);
        assert!(
            said.contains(why) && !said.contains("secret"),
            "{arguments:?}: {said}"
        );
    }
    let said = gtm.fails(
        2,
        &[
            "binding",
            "create",
            "--platform",
            "--capability",
            "playbooks",
            "--backend",
            "playbook",
            "--start-url",
            "a.example",
        ],
    );
    assert!(said.contains("DOMAIN=URL"), "{said}");
}
