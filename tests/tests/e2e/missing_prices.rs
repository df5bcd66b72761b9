//! A connection without a price looks complete, but every job that uses it fails. The commands that create,
//! update, verify and bind it say so.

use std::process::Output;

use gtm_e2e::fake_model::{API_KEY, FakeModel};
use gtm_e2e::gtm_process::{Gtm, Options};
use gtm_e2e::tenant::Tenant;
use serde_json::{Value, json};

/// What a successful command printed on standard output and on standard error.
fn run(gtm: &Gtm, arguments: &[&str]) -> (Value, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = gtm.cli_output(arguments, &[("GTM_TEST_FAKE_KEY", API_KEY)]);
    let said = String::from_utf8(stderr).unwrap();
    assert!(status.success(), "{arguments:?}: {said}");
    (serde_json::from_slice(&stdout).unwrap(), said)
}

fn warns(printed: &Value, said: &str) {
    assert_eq!(printed["missing_settings"], json!(["prices"]), "{printed}");
    for words in [
        "warning: ",
        "model.complete",
        "connector_not_configured",
        "`prices`",
        "\"input_per_million_usd\"",
        "\"free\":true",
        "gtm connection update conn_",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

fn is_content(printed: &Value, said: &str) {
    assert_eq!(printed["missing_settings"], json!([]), "{printed}");
    assert!(!said.contains("warning"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_without_prices_is_told_before_a_job_fails() {
    let model = FakeModel::start().await;
    let gtm = Gtm::prepare(Options {
        model_hosts: vec![model.address.to_string()],
        ..Options::default()
    });
    let tenant = Tenant::create(&gtm, "Acme");
    let project = tenant.project.as_str();
    let bare = json!({"base_url": model.base_url(), "model": "fake-1"}).to_string();
    let create = [
        "connection",
        "create",
        "--project",
        project,
        "--provider",
        "openai-compatible",
        "--credential-env",
        "api_key=GTM_TEST_FAKE_KEY",
        "--settings-json",
        &bare,
    ];
    let (made, said) = run(&gtm, &create);
    warns(&made, &said);
    let id = made["id"].as_str().unwrap();
    assert_eq!(made["status"], "configured");

    let (renamed, said) = run(&gtm, &["connection", "update", id, "--name", "writer"]);
    warns(&renamed, &said);
    let verify = ["connection", "verify", id];
    let (verdict, said) = run(&gtm, &verify);
    assert_eq!(verdict["status"], "verified");
    warns(&verdict, &said);
    let bind = [
        "binding",
        "create",
        "--project",
        project,
        "--capability",
        "model.complete",
        "--connection",
        id,
    ];
    let (bound, said) = run(&gtm, &bind);
    warns(&bound, &said);

    // The settings in the hint work exactly as printed.
    let settings = said.split('\'').nth(1).unwrap();
    let update = ["connection", "update", id, "--settings-json", settings];
    let (updated, said) = run(&gtm, &update);
    is_content(&updated, &said);
    assert_eq!(updated["settings"]["model"], "fake-1");
    for arguments in [&verify[..], &bind] {
        let (printed, said) = run(&gtm, arguments);
        is_content(&printed, &said);
    }
    let free = json!({"base_url": model.base_url(), "model": "fake-1", "free": true}).to_string();
    let (updated, said) = run(
        &gtm,
        &["connection", "update", id, "--settings-json", &free],
    );
    is_content(&updated, &said);
}
