//! Tests of jobs whose process dies: settled calls are not repeated, calls in doubt are repeated only where
//! allowed, and there is exactly one result.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use gtm_domain::JobStatus;
use gtm_engine::Workers;
use gtm_runtime::StageStatus;
use serde_json::json;

use crate::harness::{Harness, Victim, code};
use crate::scripted::{
    Script, ScriptedConnectors, aborted, answers, ask, completion, draft, facts, fetch, page,
    pages, script, small_draft,
};

const A: &str = "https://acme.example/a";
const B: &str = "https://acme.example/b";
const C: &str = "https://acme.example/c";

/// Serves pages, but the first call for `B` never ends.
fn b_hangs_once() -> Arc<ScriptedConnectors> {
    ScriptedConnectors::new(answers(|call| async move {
        let url = call.input["url"].as_str().unwrap().to_owned();
        if url == B && call.nth == 1 {
            std::future::pending::<()>().await;
        }
        page(
            &url,
            &format!("<p>This is the page at {url} and no other.</p>"),
        )
    }))
}

fn a_then_b() -> Script {
    script(|host, _| async move {
        aborted(host.stage("research", StageStatus::Started).await)?;
        let first = ask(&host, vec![fetch(A)]).await?.remove(0).unwrap();
        aborted(host.report(40, Some("Read the first page".into())).await)?;
        ask(&host, vec![fetch(B)]).await?.remove(0).unwrap();
        aborted(host.stage("research", StageStatus::Succeeded).await)?;
        Ok(draft(
            "The page.",
            &first["receipt_id"],
            "This is the page at https://acme.example/a",
        ))
    })
}

/// Runs until `B` hangs, kills the workers, and runs again to the end.
async fn killed_in_b(harness: &Harness, first: Script, second: Script) -> gtm_domain::job::Job {
    killed_in_b_after(harness, 0, first, second).await
}

/// As `killed_in_b`, but the workers die only when this many calls are settled. Calls of one list end in any order.
async fn killed_in_b_after(
    harness: &Harness,
    settled: usize,
    first: Script,
    second: Script,
) -> gtm_domain::job::Job {
    let engine = harness.engine(first);
    let id = harness.create(&engine).await;
    let victim = Victim::start(engine);
    let connectors = harness.connectors.clone();
    connectors.asked_for(B, 1).await;
    harness.settled(id, settled).await;
    victim.kill();
    let workers = Workers::start(&harness.engine(second));
    let job = harness.ended(id).await;
    workers.shutdown(std::time::Duration::from_secs(1)).await;
    job
}

#[tokio::test(flavor = "multi_thread")]
async fn a_settled_call_is_not_repeated_and_a_replay_safe_one_is() {
    let harness = Harness::new(b_hangs_once()).await;
    let job = killed_in_b(&harness, a_then_b(), a_then_b()).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!(
        (harness.connectors.count(A), harness.connectors.count(B)),
        (1, 2)
    );
    assert_eq!(job.usage.connector_requests, 2);
    assert_eq!(job.attempts, 2);
    assert_eq!(
        job.result.unwrap()["basis"][0]["confidence"],
        "high",
        "the first run's bytes carry the claim"
    );
    let events = harness.events(job.id).await;
    let count = |kind: &str| events.iter().filter(|(k, _)| k == kind).count();
    assert_eq!(
        (
            count("stage.started"),
            count("milestone"),
            count("stage.finished")
        ),
        (1, 1, 1),
        "{events:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_in_doubt_that_must_not_be_repeated_ends_the_job() {
    let harness = Harness::new(b_hangs_once()).await;
    harness
        .connectors
        .facts
        .lock()
        .unwrap()
        .insert("web.fetch".into(), facts(false, false, false));
    let job = killed_in_b(&harness, a_then_b(), a_then_b()).await;
    assert_eq!(code(&job), "provider_outcome_unknown");
    assert_eq!(job.error.unwrap().details.unwrap()["step"], 1);
    assert_eq!(
        (harness.connectors.count(A), harness.connectors.count(B)),
        (1, 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_in_doubt_is_repeated_with_the_same_key_where_the_provider_takes_one() {
    let harness = Harness::new(b_hangs_once()).await;
    harness
        .connectors
        .facts
        .lock()
        .unwrap()
        .insert("web.fetch".into(), facts(false, true, false));
    let job = killed_in_b(&harness, a_then_b(), a_then_b()).await;
    assert_eq!(job.status, JobStatus::Succeeded);
    let calls = harness.connectors.calls.borrow().clone();
    let keys: Vec<_> = calls
        .iter()
        .filter(|(_, input, _)| input["url"] == B)
        .map(|(_, _, key)| key.clone())
        .collect();
    assert_eq!(keys.len(), 2);
    assert!(keys[0].is_some() && keys[0] == keys[1]);
    let first = calls
        .iter()
        .find(|(_, input, _)| input["url"] == A)
        .unwrap()
        .2
        .clone();
    assert_ne!(first, keys[0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backend_that_takes_another_way_is_found_out() {
    let harness = Harness::new(b_hangs_once()).await;
    let other = script(|host, _| async move {
        ask(&host, vec![fetch(C)]).await?;
        Ok(small_draft())
    });
    let job = killed_in_b(&harness, a_then_b(), other).await;
    assert_eq!(code(&job), "plugin_contract_violation");
    assert_eq!(harness.connectors.count(C), 0);

    let harness = Harness::new(b_hangs_once()).await;
    let shorter = script(|_, _| async { Ok(small_draft()) });
    assert_eq!(
        code(&killed_in_b(&harness, a_then_b(), shorter).await),
        "plugin_contract_violation"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn each_call_of_a_list_follows_its_own_rule() {
    let list = || {
        script(|host, _| async move {
            let answers = ask(&host, vec![fetch(A), fetch(B), fetch(C)]).await?;
            assert!(
                answers
                    .iter()
                    .zip([A, B, C])
                    .all(|(a, url)| a.as_ref().unwrap()["url"] == url),
                "order of the calls"
            );
            Ok(small_draft())
        })
    };
    let harness = Harness::new(b_hangs_once()).await;
    let job = killed_in_b_after(&harness, 2, list(), list()).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    let count = |url| harness.connectors.count(url);
    assert_eq!((count(A), count(B), count(C)), (1, 2, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_with_a_call_in_doubt_pays_no_other_provider() {
    let list = || {
        script(|host, _| async move {
            ask(&host, vec![fetch(A), fetch(B), fetch(C)]).await?;
            Ok(small_draft())
        })
    };
    let mut harness = Harness::new(b_hangs_once()).await;
    harness
        .connectors
        .facts
        .lock()
        .unwrap()
        .insert("web.fetch".into(), facts(false, false, false));
    // One call at a time: C has not begun when B hangs.
    harness.config.call_concurrency = 1;
    let job = killed_in_b(&harness, list(), list()).await;
    assert_eq!(code(&job), "provider_outcome_unknown");
    let count = |url| harness.connectors.count(url);
    assert_eq!((count(A), count(B), count(C)), (1, 1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backend_cut_off_between_calls_goes_on_from_its_journal() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = runs.clone();
    let backend = script(move |host, _| {
        let run = counted.fetch_add(1, Ordering::SeqCst);
        async move {
            ask(&host, vec![fetch(A)]).await?.remove(0).unwrap();
            if run == 0 {
                std::future::pending::<()>().await;
            }
            Ok(small_draft())
        }
    });
    let engine = harness.engine(backend.clone());
    let id = harness.create(&engine).await;
    let victim = Victim::start(engine);
    harness.settled(id, 1).await;
    victim.kill();
    let workers = Workers::start(&harness.engine(backend));
    assert_eq!(harness.ended(id).await.status, JobStatus::Succeeded);
    workers.shutdown(std::time::Duration::from_secs(1)).await;
    assert_eq!(
        (harness.connectors.count(A), runs.load(Ordering::SeqCst)),
        (1, 2)
    );
}

/// Kills at random points, again and again: there is one end, and no call happens more often than its rule
/// allows.
#[tokio::test(flavor = "multi_thread")]
async fn random_kills_lose_and_repeat_nothing() {
    // An answer comes some turns of the runtime later, so that kills find calls in every state.
    let slow = ScriptedConnectors::new(answers(|call| async move {
        for _ in 0..call.nth * 20 {
            tokio::task::yield_now().await;
        }
        if call.capability == "model.complete" {
            return completion("x", 10, 1);
        }
        page(call.input["url"].as_str().unwrap(), "<p>text</p>")
    }));
    let mut harness = Harness::new(slow.clone()).await;
    harness.config.lease = std::time::Duration::from_millis(150);
    harness.config.per_project_running = 4;
    harness
        .bind_connection(
            "model.complete",
            "model.complete",
            json!({"prices": {"input_per_million_usd": 100.0, "output_per_million_usd": 1000.0}}),
        )
        .await;
    let backend = || {
        script(|host, request| async move {
            let job = request.labels.job.unwrap();
            for round in 0..3 {
                let url = |n: u32| format!("https://acme.example/{job}/{round}/{n}");
                ask(&host, vec![fetch(&url(0)), fetch(&url(1))]).await?;
                ask(
                    &host,
                    vec![crate::scripted::complete(&format!("{job}/{round}"), 10)],
                )
                .await?;
                aborted(
                    host.report(round * 30, Some(format!("Round {round}")))
                        .await,
                )?;
            }
            Ok(small_draft())
        })
    };
    let mut jobs = Vec::new();
    for _ in 0..8 {
        jobs.push(harness.create(&harness.engine(backend())).await);
    }
    let mut noise: u64 = 0x9E37_79B9_7F4A_7C15;
    for _ in 0..12 {
        let before = slow.total();
        let victim = Victim::start(harness.engine(backend()));
        noise = noise
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        // Together they make half of the calls that the jobs need, so that each victim has something to do.
        let asked = slow.asked(before + 1 + ((noise >> 33) % 5) as usize);
        let all_ended = async {
            for id in &jobs {
                harness.ended(*id).await;
            }
        };
        tokio::select! {
            () = asked => victim.kill(),
            () = all_ended => break,
        }
    }
    // No more kills from here on; a busy machine must not lose a lease.
    harness.config.lease = std::time::Duration::from_secs(10);
    let workers = Workers::start(&harness.engine(backend()));
    let (mut succeeded, mut unknown, mut charged) = (0, 0, 0);
    for id in &jobs {
        let job = harness.ended(*id).await;
        charged += job.usage.cost.micros();
        match job.status {
            JobStatus::Succeeded => succeeded += 1,
            JobStatus::Failed if code(&job) == "provider_outcome_unknown" => unknown += 1,
            other => panic!("{other:?} {:?}", job.error),
        }
        let milestones = harness
            .events(*id)
            .await
            .iter()
            .filter(|(kind, _)| kind == "milestone")
            .count();
        assert!(milestones <= 3);
    }
    workers.shutdown(std::time::Duration::from_secs(1)).await;
    assert_eq!(succeeded + unknown, jobs.len());
    let models: Vec<_> = slow
        .calls
        .borrow()
        .iter()
        .filter(|(c, ..)| c == "model.complete")
        .map(|(_, i, _)| i["url"].clone())
        .collect();
    let mut distinct = models.clone();
    distinct.sort_by_key(ToString::to_string);
    distinct.dedup();
    assert_eq!(
        models.len(),
        distinct.len(),
        "a call that must not be repeated was repeated"
    );
    let report = harness.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
    assert_eq!(report.charged.micros(), charged);
    // Each model call costs 2,000 micro-dollars. A call in doubt is not charged, whether or not its request
    // was sent before the kill.
    let at_most = 2000 * i64::try_from(models.len()).unwrap();
    let in_doubt = 2000 * i64::try_from(unknown).unwrap();
    assert!(
        (at_most - in_doubt..=at_most).contains(&charged),
        "{charged} for {} calls, {unknown} in doubt",
        models.len()
    );
}
