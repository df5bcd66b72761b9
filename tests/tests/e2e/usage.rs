//! A project's usage is exactly the sum of what its jobs report.

use gtm_e2e::Database;
use gtm_e2e::fake_model::FakeModel;
use gtm_e2e::tenant::Tenant;
use serde_json::{Value, json};

use crate::playbooks::write_from_schema;
use crate::{World, on_both_engines, request, sample_site};

const ALL: &str = "/v1/usage?group_by=capability,key,connector";

/// An integer of a JSON value.
fn whole(value: &Value) -> u64 {
    value
        .as_u64()
        .unwrap_or_else(|| panic!("no count: {value}"))
}

/// Micro-dollars of a JSON number, which must have at most six decimals.
fn micros(value: &Value) -> i64 {
    let micros = value
        .as_f64()
        .unwrap_or_else(|| panic!("no number: {value}"))
        * 1e6;
    assert!((micros - micros.round()).abs() < 1e-3, "{value}");
    micros.round() as i64
}

fn sum(lines: &Value, member: &str) -> u64 {
    lines
        .as_array()
        .unwrap()
        .iter()
        .map(|line| whole(&line[member]))
        .sum()
}

fn cost(lines: &Value) -> i64 {
    lines
        .as_array()
        .unwrap()
        .iter()
        .map(|line| micros(&line["cost_usd"]))
        .sum()
}

async fn every_number(kind: Database, test: &str) {
    let model = FakeModel::start().await;
    model.write_with(write_from_schema);
    let hosts = [model.address.to_string()];
    let started = World::start_with(kind, test, sample_site().await, &hosts, "").await;
    let Some(world) = started else {
        return;
    };
    world.tenant.bind_model(&world.gtm, &model);
    world
        .gtm
        .cli(&["credit", "grant", &world.tenant.organization, "50"]);
    let before = world.client.get(ALL).await.json();
    let jobs = [
        world.client.playbook(&request()).await,
        world
            .client
            .playbook(&json!({"target_company": "Somebody Unknown"}))
            .await,
        world.client.playbook(&request()).await,
    ];
    let count = |status: &str| jobs.iter().filter(|job| job["status"] == status).count();
    assert_eq!((count("succeeded"), count("failed")), (2, 1), "{jobs:?}");

    let usage = world.client.get(ALL).await.json();
    let totals = &usage["totals"];
    assert_eq!(
        totals["jobs"],
        json!({"created": 3, "succeeded": 2, "failed": 1, "canceled": 0, "active": 0})
    );
    for member in ["tokens", "backend_requests", "backend_runtime_ms"] {
        let of_jobs: u64 = jobs.iter().map(|job| whole(&job["usage"][member])).sum();
        assert_eq!(whole(&totals[member]), of_jobs, "{member}: {usage}");
    }
    assert!(
        whole(&totals["tokens"]) > 0 && whole(&totals["backend_requests"]) > 0,
        "{usage}"
    );
    for kind in [
        "input",
        "cached_input",
        "cache_write",
        "output",
        "reasoning",
        "total",
    ] {
        let of_jobs: u64 = jobs
            .iter()
            .map(|job| whole(&job["usage"]["token_details"][kind]))
            .sum();
        assert_eq!(
            whole(&totals["token_details"][kind]),
            of_jobs,
            "{kind}: {usage}"
        );
    }
    let of_jobs: i64 = jobs
        .iter()
        .map(|job| micros(&job["usage"]["cost_usd"]))
        .sum();
    assert!(of_jobs > 0);
    assert_eq!(micros(&totals["cost_usd"]), of_jobs, "{usage}");

    // The connectors' totals equal what the receipts say.
    let (mut requests, mut bytes) = (0, 0);
    for job in &jobs {
        let path = format!(
            "/v1/jobs/{}/receipts?limit=100",
            job["id"].as_str().unwrap()
        );
        for receipt in world.client.get(&path).await.json()["receipts"]
            .as_array()
            .unwrap()
        {
            let sent = receipt["egress"].as_array().unwrap().iter();
            for exchange in sent.filter(|e| e["decision"] == "allowed") {
                requests += 1;
                bytes += whole(&exchange["response_bytes"]);
            }
        }
    }
    assert!(requests > 0);
    assert_eq!(
        (
            whole(&totals["connector_requests"]),
            whole(&totals["connector_bytes"])
        ),
        (requests, bytes)
    );

    // Each breakdown adds up to the totals.
    for breakdown in ["by_capability", "by_key"] {
        let lines = &usage[breakdown];
        assert_eq!(lines.as_array().unwrap().len(), 1, "{usage}");
        assert_eq!(sum(lines, "jobs"), 3);
        assert_eq!(sum(lines, "tokens"), whole(&totals["tokens"]));
        assert_eq!(
            sum(lines, "backend_requests"),
            whole(&totals["backend_requests"])
        );
        assert_eq!(cost(lines), of_jobs);
    }
    assert_eq!(usage["by_capability"][0]["capability"], "playbooks");
    assert_eq!(usage["by_key"][0]["key_id"], world.tenant.key_id.as_str());
    let connectors = &usage["by_connector"];
    let named: Vec<&str> = connectors
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["connector"].as_str().unwrap())
        .collect();
    assert_eq!(named, ["openai-compatible", "web-fetch"]);
    assert_eq!(sum(connectors, "connector_requests"), requests);
    assert_eq!(sum(connectors, "connector_bytes"), bytes);
    assert_eq!(sum(connectors, "tokens"), whole(&totals["tokens"]));
    assert_eq!(cost(connectors), of_jobs);

    // The money agrees: everything that was charged belongs to this project.
    let budget = usage["budgets"]
        .as_array()
        .unwrap()
        .iter()
        .find(|b| b["scope"] == "usage_tier")
        .unwrap();
    assert_eq!(
        (
            micros(&budget["settled_usd"]),
            micros(&budget["reserved_usd"])
        ),
        (of_jobs, 0),
        "{usage}"
    );
    let spent =
        micros(&before["credits"]["balance_usd"]) - micros(&usage["credits"]["balance_usd"]);
    assert_eq!(
        (spent, micros(&usage["credits"]["reserved_usd"])),
        (of_jobs, 0),
        "{usage}"
    );

    // Neither another tenant of the same server nor another month shows any of it.
    let stranger = Tenant::create(&world.gtm, "Other").client(&world.gtm);
    for (client, path) in [
        (&stranger, ALL.to_owned()),
        (&world.client, format!("{ALL}&month=2020-02")),
    ] {
        let none = client.get(&path).await.json();
        assert_eq!(
            (
                whole(&none["totals"]["jobs"]["created"]),
                micros(&none["totals"]["cost_usd"])
            ),
            (0, 0)
        );
        for breakdown in ["by_capability", "by_key", "by_connector"] {
            assert_eq!(none[breakdown], json!([]), "{path}");
        }
    }
}
on_both_engines!(usage_equals_the_jobs_own, super::every_number);
