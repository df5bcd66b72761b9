//! Tests with real components in the real sandbox: `lying-backend` from the fixtures and the playbook
//! backend, both reading a loopback site through the web-fetch connector and the gate.
//!
//! Needs the output of `cargo xtask plugins` and `cargo xtask plugins --fixtures`. Without it, the tests
//! print that they are skipped; where `CI` is set, they fail.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use gtm_domain::JobStatus;
use gtm_domain::binding::{BindingScope, BindingTarget};
use gtm_domain::job::Job;
use gtm_domain::start_url::StartUrl;
use gtm_engine::{Engine, Workers};
use gtm_runtime::egress::{EgressPolicy, PrivateHost};
use gtm_runtime::{HostLimits, Runtime, RuntimeConfig};
use gtm_store::{NewConnection, StartUrlChange};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::harness::Harness;
use crate::scripted::{ScriptedConnectors, pages};

const HOME: &str = "<!doctype html><html lang=en><head><title>Acme Estates</title></head><body><main>\
    <h1>Acme Estates</h1>\
    <p>Acme Estates runs 14 build-to-rent blocks in northern England for private landlords.</p>\
    <p>We help landlords bill heat and water for each flat and cut disputes with tenants.</p>\
    <p>Our customers are housing associations and private landlords in Leeds and York.</p>\
    </main></body></html>";

pub fn catalogs() -> Option<Vec<PathBuf>> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"),
        PathBuf::from,
    );
    let dir = |variable: &str, name: &str| {
        std::env::var_os(variable).map_or_else(|| target.join(name), PathBuf::from)
    };
    let dirs = vec![
        dir("GTM_TEST_CATALOG", "catalog"),
        dir("GTM_TEST_FIXTURE_CATALOG", "fixture-catalog"),
    ];
    if dirs.iter().all(|dir| dir.is_dir()) {
        return Some(dirs);
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "no plug-in catalogs: run `cargo xtask plugins` with and without --fixtures"
    );
    eprintln!(
        "SKIPPED: no plug-in catalogs; run `cargo xtask plugins` and `cargo xtask plugins --fixtures`"
    );
    None
}

/// Serves a site of one page; returns its address.
async fn site() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = vec![0; 8192];
                let read = stream.read(&mut request).await.unwrap_or(0);
                let home = request[..read].starts_with(b"GET / ");
                let (status, body) = if home {
                    ("200 OK", HOME)
                } else {
                    ("404 Not Found", "")
                };
                let length = body.len();
                let answer = format!(
                    "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
                );
                let _ = stream.write_all(answer.as_bytes()).await;
            });
        }
    });
    base
}

/// A runtime with these catalogs, whose web-fetch may reach this machine.
pub async fn runtime(harness: &Harness, catalog_dirs: Vec<PathBuf>) -> Runtime {
    let config = RuntimeConfig {
        catalog_dirs,
        cache_dir: Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile-cache"),
        cache_key: [7; 32],
        trusted_publishers: Vec::new(),
        allow_unsigned: true,
        egress: EgressPolicy {
            private_hosts: vec![PrivateHost {
                host: "127.0.0.1".into(),
                port: None,
                connectors: ["web-fetch".into()].into(),
                open_web: true,
            }],
            open_web: ["web-fetch".to_owned()].into(),
            ..EgressPolicy::default()
        },
        limits: HostLimits {
            pool_size: 8,
            ..HostLimits::default()
        },
        records: gtm_runtime::CatalogRecords::default(),
        allow_changed_packages: false,
        blocked_digests: Vec::new(),
        compile_command: None,
    };
    Runtime::start(config, harness.clock.clone()).await.unwrap()
}

async fn run(
    catalog_dirs: Vec<PathBuf>,
    backend: &str,
    settings: Value,
    start_url: Option<StartUrl>,
) -> Job {
    let harness = Harness::bare(ScriptedConnectors::new(pages())).await;
    let runtime = runtime(&harness, catalog_dirs).await;
    let operator = harness.store.operator();
    let scope = BindingScope::Project(harness.project);
    let connection = NewConnection {
        provider_key: "web-fetch".into(),
        manifest_version: "0.1.0".into(),
        name: "web".into(),
        settings: json!({}),
        credentials: Default::default(),
    };
    let connection = operator
        .create_connection(harness.project, connection)
        .await
        .unwrap()
        .id;
    operator
        .set_binding(
            scope,
            "web.fetch",
            BindingTarget::Connection { connection },
            json!({}),
        )
        .await
        .unwrap();
    let target = BindingTarget::Backend {
        key: backend.into(),
        version: Some("0.1.0".into()),
    };
    let bound = operator
        .set_binding(scope, "playbooks", target, settings)
        .await
        .unwrap();
    let start_urls = StartUrlChange::Add(start_url.into_iter().collect());
    operator
        .change_start_urls(bound.id, start_urls)
        .await
        .unwrap();

    let engine = Engine::new(
        harness.store.clone(),
        runtime,
        harness.config.clone(),
        Arc::clone(&harness.clock) as _,
    );
    let id = harness.create(&engine).await;
    let workers = Workers::start(&engine);
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    job
}

/// Where something was drafted and left out.
fn unverified(result: &Value) -> Vec<&str> {
    let unknowns = result["unknowns"].as_array().unwrap();
    unknowns
        .iter()
        .filter(|unknown| unknown["reason"] == "unverified")
        .map(|unknown| unknown["pointer"].as_str().unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backend_that_cites_what_no_page_says_is_corrected() {
    let Some(catalogs) = catalogs() else { return };
    let job = run(
        catalogs,
        "lying-backend",
        json!({"url": site().await}),
        None,
    )
    .await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    let result = job.result.unwrap();
    let truth =
        "Acme Estates runs 14 build-to-rent blocks in northern England for private landlords.";
    assert_eq!(result["business_summary"], truth);
    assert_eq!(result["sales_angles"], json!([truth]));
    assert_eq!(result["company_profile"]["industry"], json!(null));
    let lost = unverified(&result);
    for pointer in ["/sales_angles", "/company_profile/industry"] {
        assert!(lost.contains(&pointer), "{lost:?}");
    }
    assert_eq!(
        result["sources"][0]["kind"], "other",
        "the address is not the target's"
    );
    assert_eq!(result["sources"][0]["title"], "Acme Estates");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_playbook_backend_works_from_evidence_alone() {
    let Some(catalogs) = catalogs() else { return };
    let settings = json!({"allow_evidence_only": true});
    let start = StartUrl::new("acme.example", &site().await).unwrap();
    let job = run(catalogs, "playbook", settings, Some(start)).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    let result = job.result.unwrap();
    assert!(result["business_summary"].is_string(), "{result:#}");
    assert_eq!(result["sources"][0]["kind"], "first_party");
    assert!(
        result["basis"]
            .as_array()
            .unwrap()
            .iter()
            .any(|b| b["confidence"] == "medium")
    );
    let lost = unverified(&result);
    assert!(
        lost.is_empty(),
        "our own backend makes no claim that the host must drop: {lost:?}"
    );
    assert_eq!(job.progress, 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backend_that_carries_its_input_off_in_an_address_is_refused() {
    let Some(catalogs) = catalogs() else { return };
    let start = site().await;
    // Built from pieces, so that the settings do not contain the address.
    let long = "secret".repeat(60);
    for pieces in [
        ["http://", "elsewhere", ".example/?offer=secret"],
        ["http", &start[4..], &long],
    ] {
        let settings = json!({ "start": start, "pieces": pieces });
        let job = run(catalogs.clone(), "leaking-backend", settings, None).await;
        let error = serde_json::to_string(&job.error).unwrap();
        assert_eq!(job.status, JobStatus::Failed, "{error}");
        assert!(error.contains("url_not_allowed"), "{error}");
    }

    let short = ["http", &start[4..], "?page=2"];
    let settings = json!({ "start": start, "pieces": short });
    let job = run(catalogs, "leaking-backend", settings, None).await;
    assert!(
        !serde_json::to_string(&job.error)
            .unwrap()
            .contains("url_not_allowed")
    );
}
