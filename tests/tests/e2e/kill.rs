//! Process death at any moment: SIGKILL at random times and aborts at named points of a playbook job, against
//! a provider that counts calls. Every job reaches a terminal state; no settled provider call is repeated,
//! and no in-doubt call unless it can be replayed; each job has one result and one charge.

use std::collections::BTreeMap;
use std::time::Duration;

use gtm_e2e::Database;
use gtm_e2e::fake_model::FakeModel;
use serde_json::{Value, json};

use crate::playbooks::write_from_schema;
use crate::{World, on_both_engines, request, sample_site};

/// Where a process dies.
#[derive(Debug, Clone)]
enum Death {
    /// At the n-th pass of a named point inside the host.
    At(&'static str, u32),
    /// By SIGKILL this many milliseconds after the job was accepted.
    After(u64),
}

/// The deaths to try; `GTM_KILL_POINTS` sets the number of random ones.
fn deaths() -> Vec<Death> {
    let mut deaths = Vec::new();
    for name in [
        "step.start.before",
        "step.start.after",
        "step.call.after",
        "step.settle.after",
    ] {
        for pass in [1, 2, 4, 7, 9, 11] {
            deaths.push(Death::At(name, pass));
        }
    }
    deaths.extend([
        Death::At("claim.after", 1),
        Death::At("finish.before", 1),
        Death::At("finish.after", 1),
    ]);
    let random: u64 = std::env::var("GTM_KILL_POINTS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(24);
    // A fixed low-discrepancy sequence covers the job's life evenly and is the same in every run.
    deaths.extend((0..random).map(|n| Death::After(n * 618 % 900)));
    deaths
}

/// How often this job sent each model request.
fn calls_by_body(model: &FakeModel, marker: &str) -> BTreeMap<String, usize> {
    let mut calls = BTreeMap::new();
    for body in model.requests() {
        let text = body.to_string();
        if text.contains(marker) {
            *calls.entry(text).or_default() += 1;
        }
    }
    calls
}

/// Paths whose exchange is settled; call this while no server runs.
fn settled_paths(world: &World, job: &str) -> Vec<String> {
    let receipts = world.gtm.cli(&["job", "receipts", job]);
    let list = receipts["receipts"]
        .as_array()
        .unwrap_or_else(|| panic!("{receipts}"));
    list.iter()
        .filter_map(|r| r["url"].as_str())
        .filter_map(|url| url.strip_prefix(world.site.url().trim_end_matches('/')))
        .map(|path| path.split('?').next().unwrap_or(path).to_owned())
        .filter(|path| path != "/robots.txt")
        .collect()
}

/// Paths of this list that were requested from the site since its record was cleared.
fn fetched_again(world: &World, settled: &[String]) -> Vec<String> {
    let mut paths = world.site.requests();
    paths.retain(|path| settled.contains(path));
    paths
}

/// A job whose process died, after the job's end.
struct Recovered {
    job: Value,
    /// Whether the process died at its named point.
    reached: bool,
    /// Whether a fetch was settled before the death, so that a repetition was possible.
    settled: bool,
}

async fn die_and_recover(
    world: &mut World,
    model: &FakeModel,
    number: usize,
    death: &Death,
) -> Recovered {
    let marker = format!("marker-{number}-end");
    let mut body = request();
    body["product_info"] = json!(format!("Planning software for busy teams ({marker})."));
    match death {
        Death::At(name, pass) => world
            .gtm
            .start_with(&[("GTM_FAIL_POINT", &format!("{name}:{pass}"))]),
        Death::After(_) => world.gtm.start(),
    };
    let client = world.tenant.client(&world.gtm);
    let job = client.create_playbook(&body).await;
    let id = job["id"].as_str().unwrap().to_owned();
    match death {
        // The job may end before its n-th pass of the point; that is fine.
        Death::At(..) => {
            for _ in 0..400 {
                tokio::time::sleep(Duration::from_millis(25)).await;
                if !world.gtm.alive() {
                    break;
                }
                let shown = client.http_get_quietly(&format!("/v1/jobs/{id}")).await;
                if shown.is_some_and(|j| j["status"] == "succeeded" || j["status"] == "failed") {
                    break;
                }
            }
        }
        Death::After(millis) => tokio::time::sleep(Duration::from_millis(*millis)).await,
    }
    let reached = matches!(death, Death::At(..)) && !world.gtm.alive();
    world.gtm.kill();
    let settled = settled_paths(world, &id);
    let calls_before = calls_by_body(model, &marker);
    world.site.forget();

    world.gtm.start();
    let client = world.tenant.client(&world.gtm);
    let job = client.wait(&id, Duration::from_secs(200)).await;
    let repeated = fetched_again(world, &settled);
    assert!(
        repeated.is_empty(),
        "{death:?}: settled fetches were repeated: {repeated:?}"
    );
    for (request, count) in calls_by_body(model, &marker) {
        assert_eq!(
            count, 1,
            "{death:?}: a model call was made twice (before the restart: {calls_before:?}): {request}"
        );
    }
    match job["status"].as_str().unwrap() {
        "succeeded" => assert!(job["result"]["sales_angles"].is_array(), "{job}"),
        "failed" => {
            assert_eq!(
                job["error"]["code"], "provider_outcome_unknown",
                "{death:?}: {job}"
            );
            assert_eq!(job["result"], Value::Null);
        }
        other => panic!("{death:?}: {other}"),
    }
    assert!(world.gtm.terminate(Duration::from_secs(30)));
    Recovered {
        job,
        reached,
        settled: !settled.is_empty(),
    }
}

/// Totals of the jobs of one world.
#[derive(Default)]
struct Tally {
    deaths: usize,
    /// Processes that died at their named point.
    points: usize,
    /// Deaths after which a settled fetch existed.
    fetches: usize,
    succeeded: u64,
    unknown: u64,
}

/// Runs these deaths, numbered across all worlds, one after another in one world.
async fn meet(kind: Database, test: &str, deaths: Vec<(usize, Death)>) -> Option<Tally> {
    let model = FakeModel::start().await;
    model.write_with(write_from_schema);
    model.set_latency(Duration::from_millis(120));
    model.report_usage(Some(json!({
        "prompt_tokens": 1000, "completion_tokens": 500, "total_tokens": 1500,
    })));
    let site = sample_site().await;
    site.set_latency(Duration::from_millis(40));
    let toml = "[engine]\nlease_seconds = 2\n";
    let started = World::start_with(kind, test, site, &[model.address.to_string()], toml).await;
    let mut world = started?;
    world.tenant.bind_model(&world.gtm, &model);
    assert!(world.gtm.terminate(Duration::from_secs(30)));

    let (mut tally, mut charged) = (Tally::default(), 0.0);
    for (number, death) in &deaths {
        let recovered = die_and_recover(&mut world, &model, *number, death).await;
        tally.deaths += 1;
        tally.points += usize::from(recovered.reached);
        tally.fetches += usize::from(recovered.settled);
        let job = recovered.job;
        if job["status"] == "succeeded" {
            tally.succeeded += 1;
        } else {
            tally.unknown += 1;
        }
        charged += job["usage"]["cost_usd"].as_f64().unwrap();
    }

    // One charge per job: the ledger balances and equals the sum that the jobs report.
    let ledger = world.gtm.cli(&["ledger", "verify"]);
    assert_eq!(ledger["balanced"], true, "{ledger}");
    let (awaiting, unknown) = (&ledger["awaiting_reconciliation"], tally.unknown);
    assert!(
        awaiting.as_u64().unwrap() >= unknown,
        "{awaiting} calls await reconciliation for {unknown} unknown outcomes"
    );
    let settled = ledger["settled_usd"]
        .as_f64()
        .unwrap_or_else(|| panic!("{ledger}"));
    assert!(
        (settled - charged).abs() < 1e-9,
        "ledger {settled}, jobs {charged}"
    );
    // The provider counts, too: every call that it was asked for is charged, except those in doubt, which
    // wait for an operator.
    let asked = model.requests().len() as f64;
    let in_doubt = awaiting.as_f64().unwrap();
    let calls = charged / COST_OF_A_CALL;
    assert!(
        (calls - calls.round()).abs() < 1e-6,
        "{calls} calls charged"
    );
    let calls = calls.round();
    assert!(
        calls > 0.0 && (asked - in_doubt..=asked).contains(&calls),
        "{calls} calls charged of {asked}, {in_doubt} in doubt"
    );
    Some(tally)
}

/// What the model's usage comes to at the prices of [`Tenant::bind_model`](gtm_e2e::tenant::Tenant).
const COST_OF_A_CALL: f64 = 1500.0 * 2.0 / 1_000_000.0;

/// Number of worlds that share the deaths. A recovery mostly waits for the dead process's lease to expire,
/// and meanwhile another world can use the processor.
const WORLDS: usize = 3;

async fn a_killed_job_resumes_without_repeating_a_call(kind: Database, test: &str) {
    let mut dealt = vec![Vec::new(); WORLDS];
    for (number, death) in deaths().into_iter().enumerate() {
        dealt[number % WORLDS].push((number, death));
    }
    let mut worlds = Vec::new();
    for deaths in dealt {
        let test = test.to_owned();
        // Each world needs its own runtime: it blocks while its process starts, and meanwhile the site and
        // model of another world must still answer.
        worlds.push(tokio::task::spawn_blocking(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(meet(kind, &test, deaths))
        }));
    }
    let mut all = Tally::default();
    for world in worlds {
        let Some(tally) = world.await.unwrap() else {
            return;
        };
        assert!(tally.deaths > 0, "each world has its share");
        all.deaths += tally.deaths;
        all.points += tally.points;
        all.fetches += tally.fetches;
        all.succeeded += tally.succeeded;
        all.unknown += tally.unknown;
    }
    let Tally {
        deaths: met,
        points,
        fetches,
        succeeded,
        unknown,
    } = all;
    println!(
        "{kind:?}: kill points tried: {met}, processes that died at a named point: {points}, \
         deaths after a settled fetch: {fetches}, jobs resumed to success: {succeeded}, outcomes unknown: {unknown}",
    );
    assert_eq!(met, deaths().len());
    assert!(points >= 20, "most named points must be reached: {points}");
    assert!(
        fetches >= 10,
        "most deaths must leave a settled fetch behind: {fetches}"
    );
    assert!(
        succeeded > 0 && unknown > 0,
        "both ends must have been met: {succeeded} and {unknown}"
    );
}

on_both_engines!(
    sigkill_at_many_points,
    super::a_killed_job_resumes_without_repeating_a_call
);

/// The control experiment: with the journal wiped between death and restart, the same detectors must find
/// repeated calls to the model and to the site. A test that cannot fail proves nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_detector_finds_a_repeated_call() {
    let model = FakeModel::start().await;
    model.write_with(write_from_schema);
    let site = sample_site().await;
    let toml = "[engine]\nlease_seconds = 2\n";
    let mut world = World::start_with(
        Database::Sqlite,
        "kill-control",
        site,
        &[model.address.to_string()],
        toml,
    )
    .await
    .unwrap();
    world.tenant.bind_model(&world.gtm, &model);
    assert!(world.gtm.terminate(Duration::from_secs(30)));
    world
        .gtm
        .start_with(&[("GTM_FAIL_POINT", "finish.before:1")]);
    let mut body = request();
    body["product_info"] = json!("Planning software (marker-control-end).");
    let job = world.tenant.client(&world.gtm).create_playbook(&body).await;
    assert!(
        world.gtm.wait_dead(Duration::from_secs(60)),
        "the fail point was not reached"
    );
    let settled = settled_paths(&world, job["id"].as_str().unwrap());
    assert!(!settled.is_empty(), "no fetch was settled before the death");
    world.site.forget();
    let wipe = [
        "DELETE FROM receipts",
        "DELETE FROM job_steps",
        "DELETE FROM cost_rows",
    ];
    crate::tamper(&world.gtm, &wipe).await;
    world.gtm.start();
    world
        .tenant
        .client(&world.gtm)
        .wait(job["id"].as_str().unwrap(), Duration::from_secs(60))
        .await;
    let calls = calls_by_body(&model, "marker-control-end");
    assert!(calls.values().any(|count| *count > 1), "{calls:?}");
    let mut repeated = fetched_again(&world, &settled);
    repeated.sort_unstable();
    repeated.dedup();
    let mut expected = settled;
    expected.sort_unstable();
    expected.dedup();
    assert_eq!(repeated, expected, "every settled fetch was wiped");
}
