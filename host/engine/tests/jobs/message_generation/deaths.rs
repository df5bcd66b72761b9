//! Jobs that generate a template, in a process that dies at a named point: between the rounds, and around the end of the
//! job. Another process resumes them.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use gtm_domain::{Clock as _, MicroUsd, Timestamp};
use gtm_engine::plugins::Plugins;
use gtm_engine::{Engine, EngineConfig, Workers, fail_points as points, job_types};
use serde_json::{Value, json};

use super::world::*;
use crate::harness::{Harness, TestClock, code, store_at};
use crate::scripted::{ScriptedBackend, ScriptedConnectors, answers, completion};

/// What the process that dies is told: where the store is, and what time it is.
const TOLD: &str = "GTM_TEST_GENERATION";
/// The name of the test that stands for that process.
const PROCESS: &str = "message_generation::deaths::the_process_that_dies";
/// How long it may live: far longer than a job takes.
const LIFE: Duration = Duration::from_secs(120);

fn log(dir: &str) -> PathBuf {
    Path::new(dir).join("calls-of-the-dead")
}

/// A writer whose first draft fails and whose second passes.
fn mending() -> Vec<Value> {
    vec![weak(), good()]
}

/// Works on the store of another process, if there is one, until it dies.
#[tokio::test(flavor = "multi_thread")]
async fn the_process_that_dies() {
    let Ok(told) = std::env::var(TOLD) else {
        return;
    };
    let (place, now): ((String, String), Timestamp) = serde_json::from_str(&told).unwrap();
    let log = log(&place.0);
    let connectors = ScriptedConnectors::new(answers(move |call| {
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&log)
            .unwrap();
        writeln!(file, "{}", call.input["url"].as_str().unwrap()).unwrap();
        async move { completion("x", 10, 1) }
    }));
    let clock = TestClock::at(now);
    let backend = ScriptedBackend {
        requires: vec![("model.complete".to_owned(), false)],
        free_urls: false,
        script: writing(mending(), &Asked::default()),
    };
    let engine = Engine::with_plugins(
        store_at(place, clock.clone()).await,
        Plugins {
            connectors,
            backends: Arc::new(backend),
            pure: judge(),
        },
        job_types::ALL,
        EngineConfig {
            workers: 1,
            lease: Duration::from_secs(2),
            poll_interval: Duration::from_millis(20),
            ..EngineConfig::default()
        },
        clock,
    );
    let _workers = Workers::start(&engine);
    tokio::time::sleep(LIFE).await;
    panic!("the point was not passed");
}

/// A death: the point, how often it is passed until then, and how many rounds are then paid for.
type Death = (&'static str, u32, i64);

/// Nothing is in doubt: what was not asked is asked, and what was answered is not asked again.
const RESUMED: [Death; 7] = [
    (points::CLAIM_AFTER, 1, 0),
    (points::STEP_START_BEFORE, 1, 0),
    (points::STEP_SETTLE_AFTER, 1, 1),
    (points::STEP_START_BEFORE, 2, 1),
    (points::STEP_SETTLE_AFTER, 2, 2),
    (points::FINISH_BEFORE, 1, 2),
    (points::FINISH_AFTER, 1, 2),
];

/// A call is in doubt that must not be repeated.
const IN_DOUBT: [Death; 4] = [
    (points::STEP_START_AFTER, 1, 0),
    (points::STEP_CALL_AFTER, 1, 0),
    (points::STEP_START_AFTER, 2, 1),
    (points::STEP_CALL_AFTER, 2, 1),
];

/// How many processes die at the same time.
const AT_ONCE: usize = 3;

async fn meet(mut harness: Harness, (point, pass, paid): Death, in_doubt: bool) {
    let death = format!("{point}:{pass}");
    bind(&mut harness).await;
    let engine = engine(&harness, writing(mending(), &Asked::default()), &judge());
    let id = create(&harness, &engine, input()).await.unwrap();

    let place = harness.place();
    let told = json!([place, harness.clock.now()]).to_string();
    let mut process = Command::new(std::env::current_exe().unwrap());
    process
        .args([PROCESS, "--exact", "--nocapture"])
        .env(TOLD, told)
        .env(points::VARIABLE, &death);
    let died = tokio::task::spawn_blocking(move || process.output().unwrap());
    let died = died.await.unwrap();
    let said = String::from_utf8_lossy(&died.stderr);
    assert_eq!(
        died.status.code(),
        None,
        "{death}: it did not abort: {said}"
    );
    let before = std::fs::read_to_string(log(&place.0)).unwrap_or_default();
    let settled = harness.store.job_receipts(&harness.scope, id).await;
    let settled = i64::try_from(settled.unwrap().unwrap().len()).unwrap();
    assert_eq!(settled, paid, "{death}: where it died");

    let job = to_its_end(&harness, &engine, id).await;
    let calls = harness.connectors.calls.borrow().clone();
    let after = calls
        .iter()
        .map(|(_, input, _)| input["url"].as_str().unwrap());
    let mut asked: Vec<&str> = before.lines().chain(after).collect();
    asked.sort_unstable();
    let stored = revisions(&harness).await;
    let rounds = [prompt("handover", 1), prompt("handover", 2)];
    if in_doubt {
        assert_eq!(code(&job), "provider_outcome_unknown", "{death}");
        assert_eq!(stored, [], "{death}");
        let mut once = asked.clone();
        once.dedup();
        assert_eq!(asked, once, "{death}: a call was repeated");
        assert_eq!(job.usage.cost.micros(), paid * ROUND.micros(), "{death}");
    } else {
        let told = result(&job);
        assert_eq!(told["status"], "DRAFT_READY", "{death}");
        assert_eq!(told["rubric"]["attempts"], 2, "{death}");
        assert_eq!(asked, rounds, "{death}: each round asks once");
        let [revision] = &stored[..] else {
            panic!("{death}: {stored:?}")
        };
        assert_eq!(
            (revision.revision, revision.job_id),
            (1, Some(id)),
            "{death}"
        );
        assert_eq!(told["revision_id"], json!(revision.id), "{death}");
        assert_eq!(told["revision"], 1, "{death}");
        assert_eq!(job.usage.cost, ROUND + ROUND, "{death}");
        assert_eq!(job.usage.backend_requests, 2, "{death}");
        let runs = if point == points::FINISH_AFTER { 1 } else { 2 };
        assert_eq!(job.attempts, runs, "{death}");
        let next = ran(&harness, &engine, input()).await;
        assert_eq!(
            result(&next)["revision"],
            2,
            "{death}: no number is used up"
        );
    }
    let rest = if in_doubt {
        MicroUsd::ZERO
    } else {
        ROUND + ROUND
    };
    let report = harness.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{death}: {report:?}");
    assert_eq!(
        report.charged,
        job.usage.cost + rest,
        "{death}: charged once"
    );
}

async fn all_meet<F>(deaths: &[Death], in_doubt: bool, harness: impl Fn() -> F)
where
    F: Future<Output = Option<Harness>>,
{
    let deaths = deaths.iter().map(|death| {
        let harness = harness();
        async move {
            if let Some(harness) = harness.await {
                meet(harness, *death, in_doubt).await;
            }
        }
    });
    futures::stream::iter(deaths)
        .buffer_unordered(AT_ONCE)
        .collect::<Vec<()>>()
        .await;
}

mod sqlite {
    use super::*;

    async fn harness() -> Option<Harness> {
        Some(Harness::bare(model()).await)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_job_is_resumed_and_makes_one_revision() {
        all_meet(&RESUMED, false, harness).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_call_in_doubt_is_not_repeated_and_saves_nothing() {
        all_meet(&IN_DOUBT, true, harness).await;
    }
}

mod postgres {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_job_is_resumed_and_makes_one_revision() {
        let test = concat!(module_path!(), "::a_job_is_resumed_and_makes_one_revision");
        all_meet(&RESUMED, false, || Harness::postgres(test, model())).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_call_in_doubt_is_not_repeated_and_saves_nothing() {
        let test = concat!(
            module_path!(),
            "::a_call_in_doubt_is_not_repeated_and_saves_nothing"
        );
        all_meet(&IN_DOUBT, true, || Harness::postgres(test, model())).await;
    }
}
