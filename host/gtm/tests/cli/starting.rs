//! What is made where there is no installation yet, and by which commands.

use std::process::{Child, Stdio};

use crate::process::Gtm;

const PROCESSES: usize = 6;
/// `GTM_TEST_START_ROUNDS` sets a higher number.
const ROUNDS: usize = 5;

#[test]
fn processes_that_make_one_database_at_once_all_come_up() {
    let rounds = std::env::var("GTM_TEST_START_ROUNDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(ROUNDS);
    for round in 0..rounds {
        let gtm = Gtm::new();
        let started: Vec<Child> = (0..PROCESSES)
            .map(|n| {
                let name = format!("organization-{n}");
                gtm.command(&["org", "create", &name])
                    .stdout(Stdio::null())
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap()
            })
            .collect();
        for child in started {
            let output = child.wait_with_output().unwrap();
            assert!(
                output.status.success(),
                "round {round}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        let listed = gtm.json(&["org", "list"]);
        let organizations = listed["organizations"].as_array().map(Vec::len);
        assert_eq!(organizations, Some(PROCESSES), "round {round}: {listed}");
    }
}

#[test]
fn only_a_command_that_begins_an_installation_makes_one() {
    let gtm = Gtm::new();
    let data = gtm.data();
    let (project, job) = (
        "prj_01jz8q7b0x5f8s1t4v6w9y2a3c",
        "job_01jz8q7b0x5f8s1t4v6w9y2a3c",
    );
    let reads_rows: &[&[&str]] = &[
        &["org", "list"],
        &["project", "list"],
        &["project", "show", project],
        &["key", "list"],
        &["key", "create", "--project", project, "k"],
        &["key-ring", "reseal"],
        &["connection", "list"],
        &["binding", "list"],
        &["brand", "list"],
        &["offer", "list"],
        &["job", "list"],
        &["job", "cancel", job],
        &["ledger", "verify"],
        &["audit", "verify"],
        &["suppression", "verify"],
    ];
    let reads_catalog: &[&[&str]] = &[
        &["plugin", "list"],
        &["plugin", "show", "web-fetch"],
        &["connector", "list"],
    ];
    let there = data.display().to_string();
    for arguments in reads_rows.iter().chain(reads_catalog) {
        let said = gtm.fails(1, arguments);
        assert!(
            said.contains(&format!("the data directory {there} does not exist"))
                && said.contains("gtm org create"),
            "{arguments:?}: {said}"
        );
        assert!(!data.exists(), "{arguments:?}");
    }
    // A directory without a database may have a catalog, but no rows.
    std::fs::create_dir(&data).unwrap();
    for arguments in reads_rows {
        let said = gtm.fails(1, arguments);
        assert!(
            said.contains("there is no installation") && said.contains("gtm.db does not exist"),
            "{arguments:?}: {said}"
        );
        assert!(!data.join("gtm.db").exists(), "{arguments:?}");
    }
    // Nor has an empty file, which is what a full disk leaves behind.
    std::fs::write(data.join("gtm.db"), "").unwrap();
    let said = gtm.fails(1, &["org", "list"]);
    assert!(said.contains("gtm.db is empty"), "{said}");
    std::fs::remove_file(data.join("gtm.db")).unwrap();
    assert!(gtm.run(&["plugin", "list"]).status.success());
    // The default directory is nobody's mistake.
    let elsewhere = tempfile::tempdir().unwrap();
    let mut list = gtm.command(&["plugin", "list"]);
    list.env_remove("GTM_DATA_DIR").current_dir(&elsewhere);
    assert!(list.output().unwrap().status.success());
}
