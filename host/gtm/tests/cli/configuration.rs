//! `gtm config check` and what wrong configuration looks like.

use crate::process::Gtm;

#[test]
fn every_value_is_shown_with_its_origin() {
    let gtm = Gtm::new();
    gtm.configure("listen = \"127.0.0.1:1\"\n[engine]\nworkers = 2\n");
    let mut command = gtm.command(&["--json", "config", "check", "--allow-unsigned"]);
    let output = command
        .env("GTM_LOG_LEVEL", "debug")
        .env("GTM_LISTN", "x")
        .output()
        .unwrap();
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let origin = |name: &str| {
        let setting = shown["settings"]
            .as_array()
            .unwrap()
            .iter()
            .find(|s| s["name"] == name)
            .unwrap();
        setting["origin"]
            .as_str()
            .unwrap()
            .split(' ')
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(origin("listen"), "file");
    assert_eq!(origin("engine.workers"), "file");
    assert_eq!(origin("log.level"), "variable");
    assert_eq!(origin("allow_unsigned"), "flag");
    assert_eq!(origin("database_url"), "default");
    assert_eq!(shown["ignored_variables"][0], "GTM_LISTN");
}

#[test]
fn a_wrong_configuration_is_named_by_every_command() {
    let gtm = Gtm::new();
    gtm.configure("lisen = \"127.0.0.1:1\"\n");
    for arguments in [["config", "check"], ["org", "list"]] {
        assert!(gtm.fails(1, &arguments).contains("lisen"));
    }
    assert!(gtm.fails(1, &["serve"]).contains("lisen"));
    gtm.configure("[log]\nlevel = \"=,=\"\n");
    for arguments in [&["serve"][..], &["config", "check"]] {
        assert!(gtm.fails(1, arguments).contains("log.level"));
    }
    gtm.configure("database_url = \"mysql://root:hunter2@127.0.0.1/x\"\n");
    let message = gtm.fails(1, &["org", "list"]);
    assert!(
        message.contains("database_url") && !message.contains("hunter2"),
        "{message}"
    );
}

#[test]
fn what_the_configuration_names_must_be_there() {
    let gtm = Gtm::new();
    gtm.configure("catalog_dirs = [\"nowhere\"]\n");
    let message = gtm.fails(1, &["config", "check"]);
    assert!(
        message.contains("catalog_dirs") && message.contains("nowhere"),
        "{message}"
    );
    let listed = gtm.run(&["plugin", "list"]);
    assert!(
        String::from_utf8_lossy(&listed.stderr).contains("nowhere"),
        "an empty list is explained"
    );
    gtm.configure("[egress]\nextra_root_certificates = [\"absent.pem\"]\n");
    assert!(
        gtm.fails(1, &["config", "check"])
            .contains("extra_root_certificates")
    );
    gtm.configure("");
    assert!(
        gtm.run(&["config", "check"]).status.success(),
        "the default catalog may be absent"
    );
    assert!(gtm.run(&["plugin", "list"]).stderr.is_empty());
}

#[test]
fn a_database_that_does_not_open_is_named() {
    let gtm = Gtm::new();
    let file = gtm.data().join("other.db");
    gtm.configure(&format!("database_url = \"sqlite://{}\"\n", file.display()));
    std::fs::write(&file, "this is no database, however long it may be").unwrap();
    let message = gtm.fails(1, &["org", "list"]);
    assert!(message.contains("other.db"), "{message}");
}
