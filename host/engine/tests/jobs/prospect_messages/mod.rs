//! Messages to prospects, end to end: drafted, refused for each kind of reason, resumed and replayed, on both engines.

mod world;

use std::sync::Arc;

use gtm_domain::message::prospect_message::{MessageOffer, MessagePurpose};
use gtm_domain::prospecting::Decision;
use gtm_domain::{Digest, JobId, JobStatus, OfferId, ProspectId, Usage};
use gtm_engine::{CreateError, EngineError, OfferProblem, ProspectMessageProblem as Problem};
use gtm_store::Unread;
use serde_json::{Value, json};
use uuid::Uuid;

use self::world::{ADDRESS, NOTICE, World, closed, policy, reasons, verdict};
use crate::harness::{Harness, Victim, code, until};
use crate::replays::reader;
use crate::scripted::{ScriptedConnectors, pages};
use crate::scripted_pure::ScriptedPure;

macro_rules! on_both_engines {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                let connectors = super::ScriptedConnectors::new(super::pages());
                super::$name(super::Harness::bare(connectors).await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                let test = concat!(module_path!(), "::", stringify!($name));
                let connectors = super::ScriptedConnectors::new(super::pages());
                if let Some(harness) = super::Harness::postgres(test, connectors).await {
                    super::$name(harness).await;
                }
            })*
        }
    };
}

on_both_engines!(
    a_message_is_drafted_without_asking_a_provider_and_replayed,
    whoever_objected_before_the_run_is_not_written_to,
    a_policy_that_is_not_allowed_is_not_run,
    made_up_prospects_are_shown_and_never_written_to,
    what_the_caller_cannot_mend_fails_the_job,
    what_names_nothing_is_refused_before_there_is_a_job,
    an_erased_prospect_is_gone_for_the_run_and_for_replays,
    a_resumed_job_asks_the_ledger_again,
    what_closes_while_the_policy_is_asked_closes_the_message,
);

async fn a_message_is_drafted_without_asking_a_provider_and_replayed(harness: Harness) {
    let world = World::new(harness).await;
    let pure = World::sound();
    let job = world.ran(pure.clone(), world.request()).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    let result = job.result.clone().unwrap();
    assert_eq!(result["status"], "DRAFT_READY", "{result:#}");
    assert_eq!(closed(&job), []);
    let body = result["body"].as_str().unwrap();
    assert!(
        body.starts_with("Hello Sam,") && body.ends_with(NOTICE),
        "{body}"
    );
    assert!(!result.to_string().contains(ADDRESS));
    assert_eq!(result["subject"], "Metering at Acme Estates");
    assert!(body.contains("Bristol, BS1 4DJ, United Kingdom"), "{body}");
    for hash in ["approval_hash", "message_hash", "template_hash"] {
        assert!(result[hash].as_str().unwrap().starts_with("sha256:"));
    }
    assert_eq!(pure.questions.borrow().len(), 1);

    // No provider was asked, nothing was reserved, and nothing is charged.
    let harness = &world.harness;
    assert_eq!(harness.connectors.total(), 0);
    let steps = harness.store.operator().job_steps(job.id).await.unwrap();
    assert_eq!(steps, []);
    assert_eq!(job.usage, Usage::default());
    assert!(!job.cost_cap.is_positive() || !job.reserved.is_positive());
    assert_eq!(job.pins["backend"], Value::Null);

    // What happens afterwards changes nothing of what was found.
    world.objected().await;
    harness
        .store
        .operator()
        .revoke_policy(policy())
        .await
        .unwrap();
    let engine = world.engine(World::sound());
    let report = engine.replay(job.clone(), reader(harness, &job)).await;
    assert!(report.unwrap().is_same());
    let mut other = verdict();
    other["basis"] = json!("not_met");
    let engine = world.engine(Arc::new(ScriptedPure::with_policy(other)));
    let report = engine.replay(job.clone(), reader(harness, &job)).await;
    assert!(
        !report.unwrap().is_same(),
        "another answer of the policy shows"
    );
}

async fn whoever_objected_before_the_run_is_not_written_to(harness: Harness) {
    let world = World::new(harness).await;
    let engine = world.engine(World::sound());
    let purposes = [MessagePurpose::RealRecipient, MessagePurpose::Demonstration];
    for (entries, purpose) in (1..).zip(purposes) {
        let mut request = world.request();
        request.purpose = purpose;
        let job = world.created(&engine, request).await.unwrap();
        world.objected().await;
        let job = world.run_to_its_end(&engine, &job).await;
        let result = job.result.clone().unwrap();
        assert_eq!(result["status"], "BLOCKED", "{result:#}");
        assert_eq!(reasons(&job), ["suppression_match"]);
        assert_eq!(result["body"], Value::Null);
        let suppression = &result["compliance_verification"]["suppression"];
        assert_eq!(suppression["match"], "address");
        assert_eq!(suppression["ledger_sequence"], entries);
    }
}

async fn a_policy_that_is_not_allowed_is_not_run(harness: Harness) {
    let world = World::new(harness).await;
    let pure = World::sound();
    let mut request = world.request();
    request.policy.policy_version = "2025-12".into();
    let job = world.ran(pure.clone(), request.clone()).await;
    assert_eq!(job.result.as_ref().unwrap()["status"], "NEEDS_INPUT");
    let told = closed(&job);
    let told: Vec<(&str, &str)> = told.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(
        told,
        [
            ("company_jurisdiction", "policy_not_loaded"),
            ("privacy_notice", "policy_not_loaded"),
            ("policy_allow_list", "not_allowed"),
            ("basis", "policy_not_loaded"),
            ("address_provenance", "policy_not_loaded"),
        ]
    );
    request.purpose = MessagePurpose::Demonstration;
    let preview = world.ran(pure.clone(), request).await;
    let result = preview.result.unwrap();
    assert_eq!(result["status"], "DEMONSTRATION_ONLY", "{result:#}");
    let report = &result["compliance_verification"];
    assert_eq!(report["opt_out"]["notice_id"], "host-demonstration-en");
    assert_eq!(report["policy"]["evaluator"], Value::Null);

    // Taken off the list between create and run.
    let engine = world.engine(pure.clone());
    let job = world.created(&engine, world.request()).await.unwrap();
    let operator = world.harness.store.operator();
    operator.revoke_policy(policy()).await.unwrap();
    let job = world.run_to_its_end(&engine, &job).await;
    let gate = ("policy_allow_list".to_owned(), "revoked".to_owned());
    assert!(closed(&job).contains(&gate));

    // Taken off the list before the request: the operator reads that, and not that there never was one.
    let job = world.ran(pure.clone(), world.request()).await;
    assert!(closed(&job).contains(&gate), "{:?}", closed(&job));
    assert!(pure.questions.borrow().is_empty(), "no component was asked");
}

async fn made_up_prospects_are_shown_and_never_written_to(harness: Harness) {
    let world = World::with(harness, |candidate| candidate.synthetic = true).await;
    let real = world.ran(World::sound(), world.request()).await;
    assert_eq!(real.result.as_ref().unwrap()["status"], "BLOCKED");
    assert_eq!(reasons(&real), ["synthetic_not_demonstration"]);
    let mut request = world.request();
    request.purpose = MessagePurpose::Demonstration;
    let preview = world.ran(World::sound(), request).await;
    let result = preview.result.clone().unwrap();
    assert_eq!(result["status"], "DEMONSTRATION_ONLY", "{result:#}");
    assert_eq!(
        result["subject"],
        "[Demonstration] Metering at Acme Estates"
    );
    let body = result["body"].as_str().unwrap();
    assert!(body.starts_with("[Demonstration]\r\n"), "{body}");
    assert!(body.ends_with(NOTICE));
    assert_eq!(result["approval_hash"], Value::Null);
    assert!(result["message_hash"].is_string());
    let engine = world.engine(World::sound());
    let read = reader(&world.harness, &preview);
    let report = engine.replay(preview, read).await.unwrap();
    assert!(report.is_same());
}

async fn what_the_caller_cannot_mend_fails_the_job(harness: Harness) {
    let world = World::new(harness).await;
    let trapping = Arc::new(ScriptedPure::with_trapping_evaluator());
    let trapped = world.ran(trapping, world.request()).await;
    assert_eq!(code(&trapped), "plugin_trapped");
    let mut silent = verdict();
    silent["opt_out"]["text"] = json!(" ");
    let mut wordless = verdict();
    wordless["opt_out"]["text"] = json!("...");
    for answer in [json!({"basis": "met"}), silent, wordless] {
        let pure = Arc::new(ScriptedPure::with_policy(answer));
        let broken = world.ran(pure, world.request()).await;
        assert_eq!(code(&broken), "plugin_contract_violation");
    }
}

async fn what_names_nothing_is_refused_before_there_is_a_job(harness: Harness) {
    let world = World::new(harness).await;
    let engine = world.engine(World::sound());
    let id = Uuid::from_u128(99);
    let refused = async |change: &dyn Fn(
        &mut gtm_domain::message::prospect_message::ProspectMessageInput,
    )| {
        let mut request = world.request();
        change(&mut request);
        world.created(&engine, request).await.unwrap_err()
    };
    let problem = |error| match error {
        CreateError::ProspectMessage(problem) => problem,
        other => panic!("{other}"),
    };
    let error =
        refused(&|it| it.revision_id = gtm_domain::MessageTemplateRevisionId::from_uuid(id)).await;
    assert_eq!(problem(error), Problem::UnknownRevision);
    let error = refused(&|it| it.expected_template_hash = Some(Digest::of(b"other"))).await;
    assert_eq!(problem(error), Problem::TemplateHashMismatch);
    let error = refused(&|it| it.prospecting_job_id = JobId::from_uuid(id)).await;
    assert_eq!(problem(error), Problem::UnknownProspect);
    let error = refused(&|it| it.prospect_id = ProspectId::from_uuid(id)).await;
    assert_eq!(problem(error), Problem::UnknownProspect);
    let unknown = |it: &mut gtm_domain::message::prospect_message::ProspectMessageInput| {
        it.offer = MessageOffer::Offer {
            offer_id: OfferId::from_uuid(id),
        };
    };
    let error = refused(&unknown).await;
    assert!(
        matches!(error, CreateError::Offer(OfferProblem::Unknown)),
        "{error}"
    );
    // A job of another type has no prospects.
    let other = world.created(&engine, world.request()).await.unwrap().id;
    let error = refused(&|it| it.prospecting_job_id = other).await;
    assert_eq!(problem(error), Problem::UnknownProspect);
}

async fn an_erased_prospect_is_gone_for_the_run_and_for_replays(harness: Harness) {
    let world = World::new(harness).await;
    let engine = world.engine(World::sound());
    let written = world.ran(World::sound(), world.request()).await;
    let mut lacking = world.request();
    lacking.policy.policy_version = "2025-12".into();
    let lacking = world.ran(World::sound(), lacking).await;
    assert_eq!(lacking.result.as_ref().unwrap()["status"], "NEEDS_INPUT");
    let waiting = world.created(&engine, world.request()).await.unwrap();
    let operator = world.harness.store.operator();
    let erased = operator
        .erase_prospects(&ADDRESS.parse().unwrap(), Unread::Keep)
        .await;
    let erased = erased.unwrap();
    assert_eq!(
        (erased.candidates, erased.messages),
        (1, 1),
        "a job that waits has no text yet, and one that lacked something never had"
    );
    // What had been written is gone too; that it was, and why it was allowed to be, stays.
    let scope = &world.harness.scope;
    let read = world.harness.store.get_job(scope, written.id).await;
    let left = read.unwrap().unwrap().result.unwrap();
    assert_eq!(left["status"], "DRAFT_READY");
    assert!(
        left["body"].is_null() && left["erased_at"].is_string(),
        "{left:#}"
    );
    assert!(left["message_hash"].is_null() && left["approval_hash"].is_null());
    let job = world.run_to_its_end(&engine, &waiting).await;
    assert_eq!(job.result.as_ref().unwrap()["status"], "NEEDS_INPUT");
    let gate = ("prospect_freshness".to_owned(), "prospect_gone".to_owned());
    assert!(closed(&job).contains(&gate));
    let read = reader(&world.harness, &written);
    let replay = engine.replay(written, read).await;
    assert!(
        matches!(replay, Err(EngineError::NotReplayable(_))),
        "{replay:?}"
    );
}

async fn a_resumed_job_asks_the_ledger_again(harness: Harness) {
    let world = World::new(harness).await;
    let hanging = Arc::new(ScriptedPure::with_hanging_policy());
    let job = {
        let engine = world.engine(hanging.clone());
        world.created(&engine, world.request()).await.unwrap()
    };
    let victim = Victim::start_reconnected(&world.harness, |store| {
        let script = crate::scripted::script(|_, _| async move { panic!("unasked") });
        let table = gtm_engine::job_types::ALL;
        world
            .harness
            .engine_over(store, script, table, hanging.clone())
    })
    .await;
    until("the policy is asked", &hanging.questions, |asked| {
        !asked.is_empty()
    })
    .await;
    victim.kill();
    // The record says that nobody had objected when it was read, and somebody has since.
    world.objected().await;
    let engine = world.engine(World::sound());
    let resumed = world.run_to_its_end(&engine, &job).await;
    let result = resumed.result.clone().unwrap();
    assert_eq!(result["status"], "BLOCKED", "{result:#}");
    assert_eq!(reasons(&resumed), ["suppression_match"]);
    let report = &result["compliance_verification"];
    assert_eq!(report["suppression"]["ledger_sequence"], 1);
    // A replay has the record alone, and the record says what was found.
    let read = reader(&world.harness, &resumed);
    let report = engine.replay(resumed, read).await.unwrap();
    assert!(report.is_same());
}

/// A policy may wait long for its turn.
async fn what_closes_while_the_policy_is_asked_closes_the_message(harness: Harness) {
    let world = World::new(harness).await;
    let operator = world.harness.store.operator();
    for closes in ["decision", "policy", "ledger"] {
        let waiting = Arc::new(ScriptedPure::with_waiting_policy(verdict()));
        let engine = world.engine(waiting.clone());
        let job = world.created(&engine, world.request()).await.unwrap();
        let closed_meanwhile = async {
            until("the policy is asked", &waiting.questions, |asked| {
                asked.len() == 1
            })
            .await;
            match closes {
                "decision" => world.decided(Decision::Rejected).await,
                "policy" => drop(operator.revoke_policy(policy()).await.unwrap()),
                _ => world.objected().await,
            }
            // Once for what was read first, and once for what has been read since.
            waiting.answer();
            waiting.answer();
        };
        let (job, ()) = tokio::join!(world.run_to_its_end(&engine, &job), closed_meanwhile);
        let result = job.result.clone().unwrap();
        let (status, gate, why) = match closes {
            "decision" => ("BLOCKED", "qualification", "rejected"),
            "policy" => ("NEEDS_INPUT", "policy_allow_list", "revoked"),
            _ => ("BLOCKED", "suppression", "suppressed"),
        };
        assert_eq!(result["status"], status, "{closes}: {result:#}");
        assert_eq!(result["body"], Value::Null);
        assert!(closed(&job).contains(&(gate.to_owned(), why.to_owned())));
        let read = reader(&world.harness, &job);
        let sound = world.engine(World::sound());
        assert!(sound.replay(job, read).await.unwrap().is_same(), "{closes}");
        match closes {
            "decision" => world.decided(Decision::Accepted).await,
            "policy" => world.allowed().await,
            _ => {}
        }
    }
}
