//! Start, stop, and concurrent jobs.

use std::time::Duration;

use gtm_e2e::Database;
use gtm_e2e::tenant::Tenant;
use serde_json::{Value, json};

use crate::{World, on_both_engines, request, sample_site};

async fn a_stop_hands_leases_back(kind: Database, test: &str) {
    let site = sample_site().await;
    site.set_latency(Duration::from_millis(400));
    let toml = "[engine]\nlease_seconds = 300\n";
    let Some(mut world) = World::start_with(kind, test, site, &[], toml).await else {
        return;
    };
    let job = world.client.create_playbook(&request()).await;
    let id = job["id"].as_str().unwrap().to_owned();
    let mut status = job["status"].clone();
    for _ in 0..1200 {
        status = world.client.get(&format!("/v1/jobs/{id}")).await.json()["status"].clone();
        if status != "queued" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(status, "running", "the stop must meet a running job");
    assert!(
        world.gtm.terminate(Duration::from_secs(20)),
        "SIGTERM must end in a clean exit:\n{}",
        world.gtm.log()
    );
    world.site.set_latency(Duration::ZERO);
    let restarted = std::time::Instant::now();
    world.gtm.start();
    let job = world
        .tenant
        .client(&world.gtm)
        .wait(&id, Duration::from_secs(200))
        .await;
    assert_eq!(job["status"], "succeeded", "{job}");
    // The lease lasts 300 s: if the stopped server had not released it, the job would have waited that long.
    assert!(
        restarted.elapsed() < Duration::from_secs(200),
        "{:?}",
        restarted.elapsed()
    );
}
on_both_engines!(graceful_stop, super::a_stop_hands_leases_back);

async fn a_crowd_does_not_delay_a_newcomer(kind: Database, test: &str) {
    let site = sample_site().await;
    // So slow that the crowd is far from done when the newcomer is set up.
    site.set_latency(Duration::from_secs(3));
    let Some(world) = World::start(kind, test, site).await else {
        return;
    };
    let mut crowd = Vec::new();
    for _ in 0..30 {
        crowd.push(world.client.create_playbook(&request()).await);
    }
    let newcomer = Tenant::create(&world.gtm, "Newcomer");
    newcomer.bind_web(&world.gtm);
    newcomer.bind_backend(
        &world.gtm,
        "playbook",
        &crate::backend_settings(&world.site),
    );
    world.site.set_latency(Duration::from_millis(300));
    let job = newcomer.client(&world.gtm).playbook(&request()).await;
    assert_eq!(job["status"], "succeeded");
    let last = world
        .client
        .get(&format!("/v1/jobs/{}", crowd[29]["id"].as_str().unwrap()))
        .await
        .json();
    assert_ne!(
        last["status"], "succeeded",
        "the newcomer's only job waited for the crowd's thirty"
    );
}
on_both_engines!(fair_scheduling, super::a_crowd_does_not_delay_a_newcomer);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_rises_and_events_tell_a_story() {
    let site = sample_site().await;
    site.set_latency(Duration::from_millis(100));
    let world = World::start(Database::Sqlite, "progress", site)
        .await
        .unwrap();
    let job = world.client.create_playbook(&request()).await;
    let id = job["id"].as_str().unwrap();
    let mut seen = vec![0];
    loop {
        let job = world.client.get(&format!("/v1/jobs/{id}")).await.json();
        let progress = job["progress"].as_i64().unwrap();
        assert!(
            progress >= *seen.last().unwrap(),
            "progress fell: {seen:?} then {progress}"
        );
        seen.push(progress);
        if job["status"] == "succeeded" {
            assert_eq!(progress, 100);
            break;
        }
        assert_ne!(job["status"], "failed", "{job}");
        tokio::time::sleep(Duration::from_millis(600)).await;
    }
    let events = world
        .client
        .get(&format!("/v1/jobs/{id}/events?limit=100"))
        .await
        .json();
    let events = events["events"].as_array().unwrap();
    let kinds: Vec<&str> = events.iter().map(|e| e["type"].as_str().unwrap()).collect();
    for kind in [
        "job.queued",
        "job.started",
        "stage.started",
        "stage.finished",
        "milestone",
        "job.succeeded",
    ] {
        assert!(kinds.contains(&kind), "{kind} is missing in {kinds:?}");
    }
    let numbers: Vec<i64> = events
        .iter()
        .map(|e| e["sequence"].as_i64().unwrap())
        .collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_can_cancel() {
    let site = sample_site().await;
    site.set_latency(Duration::from_secs(2));
    let world = World::start(Database::Sqlite, "cancel", site)
        .await
        .unwrap();
    let job = world.client.create_playbook(&request()).await;
    let id = job["id"].as_str().unwrap();
    tokio::time::sleep(Duration::from_millis(900)).await;
    world.gtm.cli(&["job", "cancel", id]);
    let job = world.client.wait(id, Duration::from_secs(200)).await;
    assert_eq!(
        (job["status"].as_str(), &job["error"], &job["result"]),
        (Some("canceled"), &Value::Null, &json!(null))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_openapi_document_is_served_and_printed_alike() {
    let world = World::start(Database::Sqlite, "openapi", sample_site().await)
        .await
        .unwrap();
    let served = world
        .client
        .send(world.client.request("GET", "/openapi.json"))
        .await;
    assert_eq!(served.status, 200);
    let printed = world.gtm.cli(&["openapi"]);
    assert_eq!(served.json(), printed);
    assert_eq!(printed["openapi"].as_str().unwrap()[..3], *"3.1");
    assert_eq!(printed["info"]["version"], "0.2.0");
    assert_eq!(
        printed["paths"]["/v1/playbooks"]["post"]["operationId"],
        "create_playbook_v1_playbooks_post"
    );
    assert_eq!(
        printed["paths"]["/v1/jobs/{job_id}"]["get"]["operationId"],
        "get_job_v1_jobs__job_id__get"
    );
}
