//! A playbook written by a real, small model behind a real llama.cpp server. Its prose is poor;
//! what is checked is the protocol, the schema, the usage, and that no unsupported claim survives.
//! Run by `cargo xtask test --real-model`, which starts the server.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs
)]

use std::time::Duration;

use gtm_e2e::fake_site::FakeSite;
use gtm_e2e::gtm_process::{Gtm, Options, workspace};
use gtm_e2e::tenant::Tenant;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs the server that `cargo xtask test --real-model` starts"]
async fn a_playbook_by_a_real_model() {
    let url = std::env::var("GTM_TEST_MODEL_URL").expect("GTM_TEST_MODEL_URL");
    let model = std::env::var("GTM_TEST_MODEL").expect("GTM_TEST_MODEL");
    let site = FakeSite::of_folder(&workspace().join("samples/company-site")).await;
    let authority = url.split('/').nth(2).unwrap().to_owned();
    let options = Options {
        private_hosts: vec![site.address.to_string(), authority],
        ..Options::default()
    };
    let mut gtm = Gtm::prepare(options);
    gtm.start();
    let tenant = Tenant::create(&gtm, "Acme");
    tenant.bind_web(&gtm);
    let settings = json!({
        "max_pages": 3, "allow_evidence_only": false, "model_context_chars": 3000, "max_output_tokens": 400,
        "start_urls": {"target-company.example": site.url()},
    });
    tenant.bind_backend(&gtm, "playbook", &settings);
    let connection =
        json!({"base_url": url, "model": model, "free": true, "timeout_ms": 170_000}).to_string();
    let arguments = [
        "connection",
        "create",
        "--project",
        &tenant.project,
        "--provider",
        "openai-compatible",
        "--settings-json",
        &connection,
        "--credential-env",
        "api_key=GTM_TEST_MODEL_KEY",
    ];
    let output = gtm.cli_output(&arguments, &[]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let connection: Value = serde_json::from_slice(&output.stdout).unwrap();
    tenant.bind_connection(&gtm, "model.complete", connection["id"].as_str().unwrap());

    let client = tenant.client(&gtm);
    let body = json!({"target_company_domain": "target-company.example", "sections": ["business_summary", "sales_angles"],
        "product_info": "Planning software for service teams."});
    let job = client.create_playbook(&body).await;
    let job = client
        .wait(job["id"].as_str().unwrap(), Duration::from_secs(600))
        .await;
    println!("{}", serde_json::to_string_pretty(&job).unwrap());
    assert_eq!(job["status"], "succeeded", "{job}");
    let usage = &job["usage"];
    assert!(usage["tokens"].as_u64().unwrap() > 0, "{usage}");
    assert!(usage["backend_requests"].as_u64().unwrap() > 0, "{usage}");
    let result = &job["result"];
    let known: Vec<&Value> = result["basis"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| &b["pointer"])
        .collect();
    for index in 0..result["sales_angles"].as_array().unwrap().len() {
        assert!(
            known.contains(&&json!(format!("/sales_angles/{index}"))),
            "an angle without a basis survived: {result}"
        );
    }
    for basis in result["basis"].as_array().unwrap() {
        assert!(
            !basis["source_ids"].as_array().unwrap().is_empty(),
            "{basis}"
        );
    }
}
