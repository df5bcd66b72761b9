//! Generated message templates that are not saved: below the threshold, in another language, or without what a writer
//! needs.

use std::sync::Arc;

use gtm_domain::{MicroUsd, Usage};
use serde_json::{Value, json};

use super::world::{self, *};
use crate::harness::{Harness, code};
use crate::replays::reader;
use crate::scripted_pure::ScriptedPure;

on_both_engines!(
    an_offer_in_another_language_ends_before_anything_is_written,
    nothing_below_the_threshold_is_saved,
    the_best_draft_says_why_a_job_failed,
    what_no_points_outweigh_has_a_code_of_its_own,
    a_value_that_rests_on_nothing_is_not_saved,
    missing_context_is_asked_for_before_anything_is_written,
    what_the_writer_misses_is_asked_for_too,
    without_a_writer_a_job_fails_whatever_else_is_missing,
);

async fn an_offer_in_another_language_ends_before_anything_is_written(mut harness: Harness) {
    bind(&mut harness).await;
    let (asked, judge) = (Asked::default(), judge());
    let engine = engine(&harness, writing(vec![good()], &asked), &judge);
    let mut request = input();
    request.offer_summary = Some(
        "Die Zähler sind schon vor der Übergabe eingebaut, und jede Wohnung bekommt vom ersten Tag an ihre eigene Rechnung."
            .into(),
    );
    let job = ran(&harness, &engine, request).await;
    let told = result(&job);
    assert_eq!(told["status"], "NEEDS_INPUT", "{told:#}");
    let reason = &told["reasons"][0];
    assert_eq!(
        (&reason["code"], &reason["pointer"]),
        (&json!("offer_language_differs"), &json!("/offer_summary"))
    );
    assert_eq!(asked.borrow().len(), 0, "no backend ran");
    assert_eq!(job.usage, Usage::default());
}

async fn nothing_below_the_threshold_is_saved(mut harness: Harness) {
    bind(&mut harness).await;
    let (asked, judge) = (Asked::default(), judge());
    let engine = engine(&harness, writing(vec![weak()], &asked), &judge);
    let job = ran(&harness, &engine, input()).await;
    assert_eq!(code(&job), "quality_threshold_not_met");
    let error = job.error.clone().unwrap();
    let details = error.details.unwrap();
    let total = details["total"].as_u64().unwrap();
    assert!(total < 80, "{details}");
    assert_eq!(details["threshold"], 80);
    let failing = details["failing_dimensions"].as_array().unwrap();
    assert!(failing.contains(&json!("relevance")), "{details}");
    assert_eq!(details["judged_floor"], 8, "{details}");
    assert!(details["judged_points"].as_u64().is_some(), "{details}");
    let lost = details["lost_checks"].as_array().unwrap();
    assert!(!lost.is_empty(), "{details}");
    for check in lost {
        assert!(check["points"].as_u64() < check["max"].as_u64(), "{check}");
        // What a judge writes is for the writer alone (decision 0055).
        assert_ne!(check["message"], "Name the handover.");
        assert!(check["message"].is_string(), "{check}");
    }
    assert_eq!(
        error.message,
        format!("The best draft has {total} of the 80 points that a template needs.")
    );
    assert_eq!(asked.borrow().len(), 3);
    assert_eq!(job.result, None);
    assert_eq!(revisions(&harness).await, []);
    // Three rounds were paid for.
    assert_eq!(harness.connectors.total(), 3);
    let cost = MicroUsd::from_micros(3 * ROUND.micros());
    assert_eq!((job.usage.cost, job.usage.backend_requests), (cost, 3));
    let report = harness.store.verify_ledger().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
    assert_eq!(report.charged, cost);
    // The number was not used up.
    let engine = world::engine(&harness, writing(vec![good()], &asked), &judge);
    let job = ran(&harness, &engine, input()).await;
    assert_eq!(result(&job)["revision"], 1);
}

async fn the_best_draft_says_why_a_job_failed(mut harness: Harness) {
    bind(&mut harness).await;
    let asked = Asked::default();
    let broken = json!({"subject": "Hello"});
    let claiming = saying("You get guaranteed savings.");
    let mut totals = Vec::new();
    for drafts in [
        vec![less_weak()],
        vec![weak(), less_weak(), weak()],
        vec![less_weak(), broken.clone(), claiming],
    ] {
        let engine = engine(&harness, writing(drafts, &asked), &judge());
        let job = ran(&harness, &engine, input()).await;
        assert_eq!(code(&job), "quality_threshold_not_met");
        totals.push(job.error.unwrap().details.unwrap());
    }
    assert_eq!(totals[0], totals[1]);
    assert_eq!(totals[0], totals[2]);
    assert_eq!(totals[0]["hard_failures"], json!([]));

    let engine = engine(&harness, writing(vec![broken], &asked), &judge());
    let job = ran(&harness, &engine, input()).await;
    assert_eq!(code(&job), "backend_invalid_response");
    let details = job.error.unwrap().details.unwrap();
    let told = &details["violations"][0];
    assert_eq!(
        (&told["pointer"], &told["rule"]),
        (&json!("/blocks"), &json!("draft_shape"))
    );
    assert!(!told["message"].as_str().unwrap().is_empty(), "{told}");

    // All points of the host are not enough without the judge's.
    let mut none = judgement();
    for points in none["points"].as_object_mut().unwrap().values_mut() {
        *points = json!(0);
    }
    let stern = Arc::new(ScriptedPure::with_judge(none));
    let engine = world::engine(&harness, writing(vec![good()], &asked), &stern);
    let job = ran(&harness, &engine, input()).await;
    assert_eq!(code(&job), "quality_threshold_not_met");
    let error = job.error.unwrap();
    assert!(error.details.unwrap()["total"].as_u64().unwrap() >= 80);
    assert!(!error.message.contains("of the 80"), "{}", error.message);
    assert_eq!(revisions(&harness).await, []);
}

async fn what_no_points_outweigh_has_a_code_of_its_own(mut harness: Harness) {
    bind(&mut harness).await;
    let asked = Asked::default();
    let unlisted = saying("{{offer.value_proposition}} {{recipient.email}}");
    let mut both = unlisted.clone();
    both["blocks"][0]["kind"] = json!("hello");
    for (draft, expected, pointer) in [
        (unlisted, "placeholder_not_allowed", Some("/pointers/0")),
        (both, "backend_invalid_response", None),
        (
            saying("As a landlord you get guaranteed savings. {{offer.value_proposition}}"),
            "forbidden_claim",
            Some("/pointer"),
        ),
        (
            saying("As a landlord you bill 19,000 flats. {{offer.value_proposition}}"),
            "quality_threshold_not_met",
            None,
        ),
    ] {
        let engine = engine(&harness, writing(vec![draft], &asked), &judge());
        let job = ran(&harness, &engine, input()).await;
        assert_eq!(code(&job), expected);
        let details = job.error.unwrap().details.unwrap();
        if let Some(pointer) = pointer {
            let at = details.pointer(pointer).and_then(Value::as_str).unwrap();
            assert!(at.starts_with("/blocks/2/"), "{details}");
        }
        if expected == "quality_threshold_not_met" {
            assert_eq!(details["hard_failures"], json!(["unapproved_number"]));
        }
    }
    assert_eq!(revisions(&harness).await, []);
}

/// Everything else is sound, and the judge gives all that it has.
async fn a_value_that_rests_on_nothing_is_not_saved(mut harness: Harness) {
    bind(&mut harness).await;
    let (asked, judge) = (Asked::default(), judge());
    let unfounded = saying("As a landlord you get paid sooner, and our customers save whole days.");
    let engine = engine(&harness, writing(vec![unfounded], &asked), &judge);
    let job = ran(&harness, &engine, input()).await;
    assert_eq!(code(&job), "quality_threshold_not_met");
    let details = job.error.unwrap().details.unwrap();
    assert_eq!(
        details["failing_dimensions"],
        json!(["evidence"]),
        "{details}"
    );
    assert_eq!(details["hard_failures"], json!([]), "{details}");
    assert_eq!(revisions(&harness).await, []);
}

async fn missing_context_is_asked_for_before_anything_is_written(mut harness: Harness) {
    bind(&mut harness).await;
    let (asked, judge) = (Asked::default(), judge());
    let engine = engine(&harness, writing(vec![good()], &asked), &judge);
    let mut request = input();
    request.audience = None;
    request.offer_summary = None;
    let job = ran(&harness, &engine, request).await;
    let told = result(&job);
    assert_eq!(
        (&told["status"], &told["template_key"]),
        (&json!("NEEDS_INPUT"), &json!("handover"))
    );
    let reasons = told["reasons"].as_array().unwrap().iter();
    let reasons: Vec<_> = reasons.map(|it| (&it["code"], &it["pointer"])).collect();
    assert_eq!(
        reasons,
        [
            (&json!("audience_missing"), &json!("/audience")),
            (&json!("offer_missing"), &json!("/offer_summary")),
        ]
    );
    for member in ["revision_id", "revision", "template_hash", "rubric"] {
        assert_eq!(told.get(member), Some(&Value::Null), "{member}");
    }
    assert_eq!(asked.borrow().len(), 0, "no backend ran");
    assert_eq!(
        (judge.judged.borrow().len(), harness.connectors.total()),
        (0, 0)
    );
    assert_eq!(job.usage, Usage::default());
    assert_eq!(revisions(&harness).await, []);
}

/// The host takes dashes for a text; a writer need not.
async fn what_the_writer_misses_is_asked_for_too(mut harness: Harness) {
    bind(&mut harness).await;
    let asked = Asked::default();
    let reason = |code: &str| json!({"code": code, "pointer": "/x", "message": "Send me money."});
    let output = json!({"needs_input": [reason("objective_missing"), reason("money_missing")]});
    let mut request = input();
    request.objective = Some("---".into());
    let writer = answering(vec![output], &asked);
    let engine = engine(&harness, writer, &judge());
    let job = ran(&harness, &engine, request.clone()).await;
    let told = result(&job);
    assert_eq!(told["status"], "NEEDS_INPUT", "{told:#}");
    request.objective = None;
    assert_eq!(
        told["reasons"],
        json!(request.missing()),
        "in the host's words"
    );
    assert_eq!((asked.borrow().len(), job.usage.cost), (1, ROUND));
    let report = engine.replay(job.clone(), reader(&harness, &job)).await;
    assert!(report.unwrap().is_same());
    assert_eq!(revisions(&harness).await, []);

    // What it may not ask for is no answer.
    let output = json!({"needs_input": [reason("money_missing")]});
    let engine = world::engine(&harness, answering(vec![output], &asked), &judge());
    let job = ran(&harness, &engine, input()).await;
    assert_eq!(code(&job), "backend_invalid_response");
}

async fn without_a_writer_a_job_fails_whatever_else_is_missing(harness: Harness) {
    let asked = Asked::default();
    let engine = engine(&harness, writing(vec![good()], &asked), &judge());
    for request in [
        input(),
        gtm_domain::message::generation::GenerateInput {
            audience: None,
            objective: None,
            offer_summary: None,
            desired_next_step: None,
            ..input()
        },
    ] {
        let job = ran(&harness, &engine, request).await;
        assert_eq!(code(&job), "backend_not_configured");
        assert_eq!(job.usage, Usage::default());
    }
    assert_eq!(revisions(&harness).await, []);
}

/// A catalog without a judge fails a job before it costs anything.
#[tokio::test(flavor = "multi_thread")]
async fn without_any_judge_nothing_is_written() {
    let mut harness = Harness::bare(model()).await;
    bind(&mut harness).await;
    let asked = Asked::default();
    let engine = engine(&harness, writing(vec![good()], &asked), &Arc::default());
    let job = ran(&harness, &engine, input()).await;
    assert_eq!(code(&job), "backend_not_configured");
    let details = job.error.unwrap().details.unwrap();
    assert_eq!(details["role"], "judge.message_template");
    assert_eq!((asked.borrow().len(), harness.connectors.total()), (0, 0));
}
