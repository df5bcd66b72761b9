//! Researches company sites as brands with the real server, and measures the guidelines.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::client::Client;
use crate::company_sites::CompanySite;
use crate::fake_site::FakeSite;
use crate::gtm_process::{Gtm, Options};
use crate::quality::{Judge, Score, metadata_reader};
use crate::tenant::Tenant;

/// A model server that speaks the OpenAI protocol, as started by the real-model lane.
pub struct Model {
    pub url: String,
    pub name: String,
    pub key: String,
}

impl Model {
    /// The model that `cargo xtask` started; `None` if it did not.
    pub fn from_environment() -> Option<Self> {
        let variable = |name| std::env::var(name).ok();
        Some(Self {
            url: variable("GTM_TEST_MODEL_URL")?,
            name: variable("GTM_TEST_MODEL")?,
            key: variable("GTM_TEST_MODEL_KEY")?,
        })
    }
}

/// The measurements of one site's research.
pub struct Measured {
    pub site: String,
    /// Whether the site was held out: nobody wrote the program with it in view.
    pub held_out: bool,
    /// `succeeded`, or the error's code.
    pub outcome: String,
    /// Whether this outcome is allowed for the site.
    pub expected_outcome: bool,
    pub score: Score,
    /// The score of a plain reader of the home page's metadata.
    pub metadata: Score,
    /// Distinct addresses requested from the site.
    pub pages: usize,
    pub seconds: f64,
    /// Bytes of answers kept in receipts.
    pub bytes_kept: u64,
    /// Fields of the guideline, and how many of them are known.
    pub fields: u64,
    pub known: u64,
    /// Violated rules of `expected.json` about requests.
    pub requests: Vec<String>,
    /// The guideline; null if the job made none.
    pub guideline: Value,
}

/// Researches these sites one after the other, evidence-only or with a model.
pub async fn measure(sites: &[CompanySite], model: Option<&Model>) -> Vec<Measured> {
    let mut served = Vec::new();
    for site in sites {
        served.push(site.serve().await);
    }
    let mut private_hosts: Vec<String> = served.iter().map(|s| s.address.to_string()).collect();
    private_hosts.extend(model.map(|m| m.url.split('/').nth(2).unwrap().to_owned()));
    let mut gtm = Gtm::prepare(Options {
        private_hosts,
        ..Options::default()
    });
    gtm.start();
    let tenant = Tenant::create(&gtm, "Acme");
    tenant.bind_web(&gtm);
    if let Some(model) = model {
        bind_model(&gtm, &tenant, model);
    }
    let pairs: Vec<_> = sites.iter().zip(&served).collect();
    bind_brand_backend(&gtm, &tenant, &pairs, &json!({}));
    let client = tenant.client(&gtm);
    let mut measured = Vec::new();
    for (site, server) in pairs {
        measured.push(research(&gtm, &client, site, server, model.is_some()).await);
    }
    measured
}

/// Binds the brand backend so that the sites' domains lead to their servers.
pub fn bind_brand_backend(
    gtm: &Gtm,
    tenant: &Tenant,
    sites: &[(&CompanySite, &FakeSite)],
    settings: &Value,
) {
    let start_urls: Map<String, Value> = sites
        .iter()
        .map(|(site, server)| (site.domain.clone(), json!(server.url())))
        .collect();
    let mut settings = settings.clone();
    settings["start_urls"] = Value::Object(start_urls);
    tenant.bind_backend_to(gtm, "brands", "brand", &settings);
}

/// Binds the model to the tenant's project.
pub fn bind_model(gtm: &Gtm, tenant: &Tenant, model: &Model) {
    let settings =
        json!({"base_url": model.url, "model": model.name, "free": true, "timeout_ms": 600_000})
            .to_string();
    let arguments = [
        "connection",
        "create",
        "--project",
        &tenant.project,
        "--provider",
        "openai-compatible",
        "--settings-json",
        &settings,
        "--credential-env",
        "api_key=MODEL_KEY",
    ];
    let output = gtm.cli_output(&arguments, &[("MODEL_KEY", &model.key)]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let connection: Value = serde_json::from_slice(&output.stdout).unwrap();
    tenant.bind_connection(gtm, "model.complete", connection["id"].as_str().unwrap());
}

async fn research(
    gtm: &Gtm,
    client: &Client,
    site: &CompanySite,
    server: &FakeSite,
    with_model: bool,
) -> Measured {
    let started = Instant::now();
    let answer = client
        .post("/v1/brands", &site.expected["input"], None)
        .await;
    let accepted = answer.json();
    assert_eq!(answer.status, 202, "{}: {accepted}", site.name);
    let id = accepted["id"].as_str().unwrap().to_owned();
    let job = client.wait(&id, Duration::from_secs(900)).await;
    let seconds = started.elapsed().as_secs_f64();
    let outcome = match job["status"].as_str().unwrap() {
        "failed" => job["error"]["code"].as_str().unwrap().to_owned(),
        other => other.to_owned(),
    };
    let brand = accepted["input"]["brand_profile_id"].as_str().unwrap();
    let mut guideline = Value::Null;
    if outcome == "succeeded" {
        let answer = client.get(&format!("/v1/brands/{brand}/guideline")).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        guideline = answer.json();
    }
    let allowed = site.expected["outcomes"].as_array();
    let expected_outcome = allowed.map_or(outcome == "succeeded", |allowed| {
        allowed.iter().any(|o| *o == outcome)
    });
    let judge = Judge::new(site, &server.url());
    // A job that is allowed to end without a guideline is not scored if it does.
    let score = if guideline.is_null() && expected_outcome {
        Score::default()
    } else {
        judge.score(&guideline, with_model)
    };
    let coverage = guideline.pointer("/research/coverage");
    let coverage = coverage.and_then(Value::as_array);
    let total = |member: &str| -> u64 {
        let sections = coverage.into_iter().flatten();
        sections.filter_map(|s| s[member].as_u64()).sum()
    };
    let receipts = gtm.cli(&["job", "receipts", &id]);
    let requested = server.requests();
    Measured {
        site: site.name.clone(),
        held_out: site.held_out,
        outcome,
        expected_outcome,
        metadata: judge.score(&metadata_reader(site), with_model),
        score,
        pages: requested.iter().collect::<BTreeSet<_>>().len(),
        seconds,
        bytes_kept: bytes_kept(&receipts),
        fields: total("fields"),
        known: total("known"),
        requests: broken_rules(&site.expected["pages"], &requested),
        guideline,
    }
}

/// Bytes of all answers recorded in a job's receipts.
fn bytes_kept(receipts: &Value) -> u64 {
    let receipts = receipts["receipts"].as_array().unwrap();
    let exchanges = receipts
        .iter()
        .flat_map(|r| r["egress"].as_array().unwrap());
    exchanges
        .map(|e| e["response_bytes"].as_u64().unwrap())
        .sum()
}

/// The golden file's rules about requests that were violated.
fn broken_rules(rules: &Value, requested: &[String]) -> Vec<String> {
    let mut broken = Vec::new();
    let paths = |name: &str| -> Vec<&str> {
        let list = rules[name].as_array().into_iter().flatten();
        list.filter_map(Value::as_str).collect()
    };
    for path in paths("must_read") {
        if !requested.iter().any(|r| r == path) {
            broken.push(format!("{path} was not read"));
        }
    }
    for path in paths("must_not_request") {
        if requested.iter().any(|r| r.starts_with(path)) {
            broken.push(format!("{path} was requested"));
        }
    }
    for (prefix, most) in rules["at_most"].as_object().into_iter().flatten() {
        let below: BTreeSet<_> = requested.iter().filter(|r| r.starts_with(prefix)).collect();
        if below.len() as u64 > most.as_u64().unwrap() {
            broken.push(format!("{} pages below {prefix}", below.len()));
        }
    }
    broken
}

/// The sum of several sites' scores.
pub fn total<'m>(
    measured: impl IntoIterator<Item = &'m Measured>,
    of: impl Fn(&Measured) -> &Score,
) -> Score {
    let mut total = Score::default();
    for site in measured {
        total.add(of(site));
    }
    total
}
