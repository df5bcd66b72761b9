//! `/metrics` shows an operator what jobs, money and providers do, from the first scrape on, and reveals
//! nothing about a tenant.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use gtm_e2e::Database;
use gtm_e2e::client::http;
use gtm_e2e::fake_model::FakeModel;

use crate::{World, on_both_engines, request, sample_site};

async fn scrape(operators: SocketAddr) -> String {
    let url = format!("http://{operators}/metrics");
    let answer = http().get(url).send().await.unwrap();
    answer.text().await.unwrap()
}

/// The value of one series.
fn value(text: &str, series: &str) -> Option<f64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(series))?;
    rest.trim().parse().ok()
}

/// Scrapes until a series has a wanted value.
async fn until(operators: SocketAddr, series: &str, wanted: impl Fn(f64) -> bool) -> String {
    let started = Instant::now();
    loop {
        let text = scrape(operators).await;
        if value(&text, series).is_some_and(&wanted) {
            return text;
        }
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "{series}: {text}"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

on_both_engines!(
    jobs_money_and_providers_are_counted,
    crate::metrics::jobs_money_and_providers_are_counted_on
);
async fn jobs_money_and_providers_are_counted_on(kind: Database, test: &str) {
    let model = FakeModel::start().await;
    let operators = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let toml = format!("metrics_listen = \"{operators}\"\n");
    let hosts = [model.address.to_string()];
    let Some(world) = World::start_with(kind, test, sample_site().await, &hosts, &toml).await
    else {
        return;
    };

    // Before anything happened, all families exist, and counters whose series are known start at 0.
    let quiet = scrape(operators).await;
    for family in [
        "gtm_jobs_open gauge",
        "gtm_job_queue_depth gauge",
        "gtm_job_queue_oldest_age_seconds gauge",
        "gtm_calls_awaiting_reconciliation gauge",
        "gtm_jobs_running gauge",
        "gtm_jobs_ended_total counter",
        "gtm_spend_usd_total counter",
        "gtm_provider_calls_total counter",
        "gtm_provider_retries_total counter",
        "gtm_egress_denied_total counter",
        "gtm_plugin_instances_busy gauge",
        "gtm_compile_cache_lookups_total counter",
        "gtm_http_requests_total counter",
        "gtm_http_request_duration_seconds histogram",
    ] {
        assert!(quiet.contains(&format!("# TYPE {family}\n")), "{family}");
        let name = family.split(' ').next().unwrap();
        assert!(quiet.contains(&format!("# HELP {name} ")), "{name}");
    }
    let succeeded = "gtm_jobs_ended_total{type=\"playbooks\",status=\"succeeded\"}";
    let spend = "gtm_spend_usd_total{capability=\"model.complete\"}";
    let denied = "gtm_egress_denied_total{reason=\"private_address\"}";
    for series in [succeeded, spend, denied, "gtm_jobs_running"] {
        assert_eq!(value(&quiet, series), Some(0.0), "{series}: {quiet}");
    }

    // A job that costs nothing, and one with a model that charges and answers nonsense.
    let job = world.client.playbook(&request()).await;
    assert_eq!(job["status"], "succeeded", "{job}");
    world.tenant.bind_model(&world.gtm, &model);
    let job = world.client.playbook(&request()).await;
    assert_eq!(job["status"], "failed", "{job}");
    let failed = "gtm_jobs_ended_total{type=\"playbooks\",status=\"failed\"}";
    let text = until(operators, failed, |jobs| jobs == 1.0).await;
    assert_eq!(value(&text, succeeded), Some(1.0), "{text}");
    let cost = job["usage"]["cost_usd"].as_f64().unwrap();
    assert!(cost > 0.0, "{job}");
    let spent = value(&text, spend).unwrap();
    assert!((spent - cost).abs() < 1e-9, "{spent} of {cost}");
    for series in [
        "gtm_provider_calls_total{connector=\"web-fetch\",outcome=\"ok\"}",
        "gtm_provider_calls_total{connector=\"openai-compatible\",outcome=\"upstream\"}",
        "gtm_plugin_instances_limit",
    ] {
        assert!(
            value(&text, series).is_some_and(|n| n >= 1.0),
            "{series}: {text}"
        );
    }

    // The server reads the backlog from the database from time to time, not on each scrape.
    let read = "gtm_backlog_read_timestamp_seconds";
    let before = value(&text, read).unwrap();
    let text = until(operators, read, |at| at > before).await;
    for series in [
        "gtm_jobs_open{type=\"playbooks\",status=\"queued\"}",
        "gtm_jobs_open{type=\"brands\",status=\"running\"}",
        "gtm_job_queue_depth",
        "gtm_job_queue_oldest_age_seconds",
        "gtm_calls_awaiting_reconciliation",
        "gtm_backlog_read_failures_total",
    ] {
        assert_eq!(value(&text, series), Some(0.0), "{series}: {text}");
    }

    // Every series belongs to a described family, and none contains anything of the tenant.
    for line in text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        let name = line.split(['{', ' ']).next().unwrap();
        let base = name
            .trim_end_matches("_bucket")
            .trim_end_matches("_sum")
            .trim_end_matches("_count");
        assert!(text.contains(&format!("# HELP {base} ")), "{line}");
    }
    let id = job["id"].as_str().unwrap();
    for word in [
        world.tenant.organization.as_str(),
        &world.tenant.project,
        &world.tenant.key_id,
        id,
        crate::DOMAIN,
        "conn_",
    ] {
        assert!(!text.contains(word), "{word}: {text}");
    }
}
