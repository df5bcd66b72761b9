//! A process that dies while it makes a document: at each point between a page that is fetched, a component that is
//! called and a file that is kept. The job resumes, fetches no page twice, and has the files it would have had.

use std::collections::BTreeSet;
use std::time::Duration;

use gtm_domain::Digest;
use gtm_e2e::Database;
use serde_json::{Value, json};

use crate::documents_by_plugins::{BRIEF, prepare};
use crate::{DOMAIN, World, on_both_engines, sample_site};

/// Where the process dies. The backend's stages and renderers are asked again after a death, without a step of the
/// journal (docs/decisions/0057), so besides the named points it is killed at times within those.
const POINTS: [&str; 7] = [
    "claim.after:1",
    "step.start.after:2",
    "step.call.after:1",
    "step.settle.after:1",
    "step.settle.after:3",
    "finish.before:1",
    "finish.after:1",
];
/// Milliseconds after the job was accepted.
const TIMES: [u64; 4] = [150, 700, 1500, 2600];

async fn a_killed_document_is_made_once(kind: Database, test: &str) {
    let site = sample_site().await;
    site.set_latency(Duration::from_millis(40));
    let toml = "[engine]\nlease_seconds = 2\n";
    let Some(mut world) = World::start_with(kind, test, site, &[], toml).await else {
        return;
    };
    prepare(&world, &["pptx", "docx"]).await;
    assert!(world.gtm.terminate(Duration::from_secs(30)));

    let deaths: Vec<(Option<&str>, u64)> = (POINTS.iter().map(|point| (Some(*point), 0)))
        .chain(TIMES.iter().map(|millis| (None, *millis)))
        .collect();
    let (mut died_at_points, mut fetched, mut texts) = (0, 0, BTreeSet::new());
    for (number, (point, millis)) in deaths.into_iter().enumerate() {
        let armed: Vec<_> = point
            .map(|point| ("GTM_FAIL_POINT", point))
            .into_iter()
            .collect();
        world.gtm.start_with(&armed);
        let client = world.tenant.client(&world.gtm);
        // The same document each time; the key makes it another job.
        let input = json!({
            "brief": BRIEF, "format": "docx", "document_type": "proposal", "target_domain": DOMAIN,
        });
        let key = format!("killed-{number}");
        let created = client.post("/v1/documents", &input, Some(&key)).await;
        assert_eq!(created.status, 202, "{}", created.json());
        let id = created.json()["id"].as_str().unwrap().to_owned();
        if point.is_some() {
            died_at_points += u32::from(world.gtm.wait_dead(Duration::from_secs(60)));
        } else {
            tokio::time::sleep(Duration::from_millis(millis)).await;
        }
        world.gtm.kill();
        let settled = fetched_pages(&world, &id);
        fetched += usize::from(!settled.is_empty());
        world.site.forget();

        world.gtm.start();
        let client = world.tenant.client(&world.gtm);
        let job = client.wait(&id, Duration::from_secs(200)).await;
        assert_eq!(job["status"], "succeeded", "{point:?} {millis}: {job}");
        let again: Vec<String> = (world.site.requests().into_iter())
            .filter(|path| settled.contains(path))
            .collect();
        assert!(
            again.is_empty(),
            "{point:?} {millis}: fetched twice: {again:?}"
        );
        let stages = job["stages"].as_array().unwrap();
        assert!(
            stages.iter().all(|stage| stage["status"] == "succeeded"),
            "{job}"
        );
        texts.insert(checked_file(&client, &job).await);
        assert!(world.gtm.terminate(Duration::from_secs(30)));
    }
    assert!(
        died_at_points >= 6,
        "named points must be reached: {died_at_points}"
    );
    assert!(
        fetched >= 4,
        "most deaths must leave a fetched page behind: {fetched}"
    );
    assert_eq!(
        texts.len(),
        1,
        "a death must not change what a document says"
    );
    let ledger = world.gtm.cli(&["ledger", "verify"]);
    assert_eq!(ledger["balanced"], true, "{ledger}");
    assert_eq!(ledger["awaiting_reconciliation"], 0, "{ledger}");
}

on_both_engines!(killed_at_many_points, super::a_killed_document_is_made_once);

/// Paths whose exchange is settled, while no server runs. robots.txt is asked for by the host itself.
fn fetched_pages(world: &World, job: &str) -> Vec<String> {
    let receipts = world.gtm.cli(&["job", "receipts", job]);
    let site = world.site.url();
    let of_site = |url: &str| {
        let path = url.strip_prefix(site.trim_end_matches('/'))?;
        Some(path.split('?').next().unwrap_or(path).to_owned())
    };
    (receipts["receipts"].as_array().unwrap().iter())
        .filter_map(|receipt| of_site(receipt["url"].as_str()?))
        .filter(|path| path != "/robots.txt")
        .collect()
}

/// The text of the job's only file, whose bytes are those that its digest names.
async fn checked_file(client: &gtm_e2e::client::Client, job: &Value) -> String {
    let files = job["result"]["files"].as_array().unwrap();
    assert_eq!(files.len(), 1, "{job}");
    let path = format!(
        "/v1/documents/{}/files/{}",
        job["id"].as_str().unwrap(),
        files[0]["file_id"].as_str().unwrap()
    );
    let answer = client.get(&path).await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        Digest::of(&answer.bytes).to_string(),
        files[0]["content_digest"]
    );
    let read = gtm_file_text::read(
        Some("application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        &answer.bytes,
    );
    read.unwrap().unwrap().into_page_text().text()
}
