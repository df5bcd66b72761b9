//! Processes that start at the same moment on a data directory that does not exist yet.

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
