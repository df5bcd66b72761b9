//! `gtm config check`, and how wrong configuration is reported.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt as _;

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
fn every_setting_can_be_looked_up_even_if_the_configuration_is_wrong() {
    let gtm = Gtm::new();
    gtm.configure("lisen = \"127.0.0.1:1\"\n");
    let listed = gtm.run(&["--json", "config", "reference"]);
    assert!(listed.status.success());
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    let find = |list: &str, name: &str| {
        let all = listed[list].as_array().unwrap();
        all.iter().find(|s| s["name"] == name).unwrap().clone()
    };
    let workers = find("settings", "engine.workers");
    assert_eq!(workers["variable"], "GTM_ENGINE_WORKERS");
    assert_eq!(workers["default"], 4);
    assert_eq!(find("settings", "listen")["flag"], "--listen");
    assert!(find("settings", "usage_tiers")["variable"].is_null());
    assert_eq!(find("variables", "GTM_DATA_DIR")["flag"], "--data-dir");
    for (option, words) in [
        (&[][..], "\nlimits.body_bytes\n  "),
        (
            &["--markdown"],
            "| `limits.body_bytes` | `GTM_LIMITS_BODY_BYTES` |",
        ),
    ] {
        let printed = gtm.run(&[&["config", "reference"], option].concat()).stdout;
        let printed = String::from_utf8(printed).unwrap();
        assert!(
            printed.contains(words) && printed.contains("1 MiB"),
            "{printed}"
        );
    }
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
    // Unquoted text is what people write first; the line may hold a secret, so it is not repeated.
    for (file, place, words) in [
        (
            "listen = 127.0.0.1:80\n",
            "line 1",
            "listen = \"127.0.0.1:8080\"",
        ),
        (
            "\n[log]\nlevel = info\n",
            "line 3",
            "`level = \"info,gtm_engine=debug\"`",
        ),
        ("a\nb = 1\n", "line 1", "not TOML"),
        (
            "database_url = postgres://u:hunter2@h/d\n",
            "line 1",
            "database_url takes",
        ),
    ] {
        gtm.configure(file);
        let said = gtm.fails(1, &["config", "check"]);
        assert!(
            said.contains(place) && said.contains(words) && said.contains("in quotes"),
            "{file}: {said}"
        );
        assert!(!said.contains("hunter2"), "{said}");
    }
    // A word that is no level would be taken for a part of the program, of which nothing is logged.
    for wrong in ["loud", "info,gtm_engine", "gtm_engine=loud", ""] {
        gtm.configure("");
        let mut check = gtm.command(&["config", "check"]);
        let told = check.env("GTM_LOG_LEVEL", wrong).output().unwrap();
        let said = String::from_utf8_lossy(&told.stderr);
        assert_eq!(told.status.code(), Some(1), "{wrong}: {said}");
        assert!(
            said.contains("log.level") && said.contains("error, warn, info"),
            "{wrong}: {said}"
        );
    }
    for level in [
        "warn",
        "off",
        "info,gtm_engine=debug",
        "gtm_engine=trace,error",
    ] {
        gtm.configure(&format!("[log]\nlevel = \"{level}\"\n"));
        gtm.json(&["config", "check"]);
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
    // An empty list would look as if the folder were empty.
    for format in [&[][..], &["--json"]] {
        let message = gtm.fails(1, &[format, &["plugin", "list"]].concat());
        for words in ["nowhere", "gtm.toml", "cargo xtask plugins", "--catalog"] {
            assert!(message.contains(words), "{words}: {message}");
        }
    }
    let named = gtm.fails(1, &["plugin", "list", "--catalog", "/nonexistent/catalog"]);
    assert!(
        named.contains("--catalog") && named.contains("/nonexistent/catalog"),
        "{named}"
    );
    gtm.configure("[egress]\nextra_root_certificates = [\"absent.pem\"]\n");
    assert!(
        gtm.fails(1, &["config", "check"])
            .contains("extra_root_certificates")
    );
    for (file, named) in [
        ("database_url = \"mysql://a/b\"\n", "database_url"),
        ("document_fonts_dir = \"absent\"\n", "document_fonts_dir"),
        (
            "listen = \"127.0.0.1:8080\"\nmetrics_listen = \"127.0.0.1:8080\"\n",
            "metrics_listen",
        ),
        (
            "[engine]\njob_cost_cap_usd = 0.0000001\n",
            "job_cost_cap_usd",
        ),
        (
            "[engine]\nlease_seconds = 9223372036854775807\n",
            "lease_seconds",
        ),
    ] {
        gtm.configure(file);
        let said = gtm.fails(1, &["config", "check"]);
        assert!(said.contains(named), "{file}: {said}");
    }
    // The system gives each of them a port of its own.
    gtm.configure("listen = \"127.0.0.1:0\"\nmetrics_listen = \"127.0.0.1:0\"\n");
    gtm.json(&["config", "check"]);
    gtm.configure("");
    assert!(
        gtm.run(&["config", "check"]).status.success(),
        "the default catalog may be absent"
    );
    let unfilled = gtm.run(&["plugin", "list"]);
    let said = String::from_utf8_lossy(&unfilled.stderr);
    assert!(
        unfilled.status.success() && said.contains("cargo xtask plugins"),
        "a list of nothing is explained: {said}"
    );
    std::fs::create_dir(gtm.data().join("catalog")).unwrap();
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

#[test]
fn usage_tiers_are_a_table_of_their_own() {
    let gtm = Gtm::new();
    gtm.configure("[limits]\nrequests_per_minute = 77\n");
    let shown = String::from_utf8(gtm.run(&["config", "check"]).stdout).unwrap();
    let (settings, tiers) = shown.split_once("\nusage_tiers\n").unwrap();
    assert!(
        settings
            .lines()
            .any(|l| l.starts_with("usage_tiers ") && l.contains("5 tiers")),
        "{shown}"
    );
    assert!(settings.lines().all(|l| l.len() < 300), "{shown}");
    let lines: Vec<_> = tiers.lines().filter(|l| l.starts_with("tier_")).collect();
    assert_eq!(lines.len(), 5, "{shown}");
    assert!(lines[0].contains(" 77 "), "the limit that holds: {shown}");
    assert!(
        lines[1].contains("$500.000000") && lines[1].ends_with(" 7"),
        "{shown}"
    );
}

#[test]
fn what_other_users_of_the_machine_may_read_is_said() {
    let gtm = Gtm::new();
    // Nothing listens there: the message must appear before the database is contacted.
    gtm.configure("database_url = \"postgres://gtm:hunter2@127.0.0.1:1/gtm\"\n");
    let said = |directory: u32, file: u32| {
        for (path, mode) in [(gtm.data(), directory), (gtm.data().join("gtm.toml"), file)] {
            set_permissions(path, Permissions::from_mode(mode)).unwrap();
        }
        let message = gtm.fails(1, &["serve"]);
        assert!(!message.contains("hunter2"), "{message}");
        (message.contains("chmod 700"), message.contains("chmod 600"))
    };
    assert_eq!(said(0o755, 0o644), (true, true));
    assert_eq!(said(0o750, 0o600), (true, false));
    assert_eq!(said(0o700, 0o640), (false, true));
    assert_eq!(said(0o700, 0o600), (false, false));
}

#[test]
fn no_password_is_shown_wherever_a_url_has_it() {
    let gtm = Gtm::new();
    for url in [
        "postgres://gtm:hunter2@127.0.0.1:1/gtm",
        "postgres://127.0.0.1:1/gtm?user=gtm&password=hunter2",
        "postgres://127.0.0.1:1/gtm?password=hunter2&user=gtm",
    ] {
        gtm.configure(&format!("database_url = \"{url}\"\n"));
        let message = gtm.fails(1, &["org", "list"]);
        assert!(
            message.contains("The database is postgres://") && message.contains("127.0.0.1:1/gtm"),
            "the hint names it: {message}"
        );
        let shown = gtm.run(&["config", "check"]).stdout;
        let all = message + &String::from_utf8(shown).unwrap();
        assert!(!all.contains("hunter2"), "{all}");
    }
}

#[test]
fn a_permission_of_a_plugin_that_is_nowhere_is_told() {
    let gtm = Gtm::new();
    gtm.configure(
        "[egress]\nopen_web = [\"web-fetch\", \"web-fecth\"]\nfree_urls = [\"playbock\"]\n",
    );
    // Without a catalog nothing is known of any plug-in.
    let checked = gtm.json(&["config", "check"]);
    assert_eq!(checked["unknown_plugins"], serde_json::json!([]));
    std::fs::create_dir_all(gtm.data().join("catalog/connector/web-fetch/1.0.0")).unwrap();
    let checked = gtm.json(&["config", "check"]);
    assert_eq!(
        checked["unknown_plugins"],
        serde_json::json!([
            { "setting": "egress.open_web", "kind": "connector", "key": "web-fecth" },
            { "setting": "egress.free_urls", "kind": "generation_backend", "key": "playbock" },
        ])
    );
    let output = gtm.run(&["config", "check"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success()
            && said.contains("egress.open_web names the connector web-fecth, which no catalog"),
        "{said}"
    );
}
