//! Generated message templates, end to end: drafted, mended, refused for each kind of reason, resumed and replayed, on
//! both engines.

mod deaths;
mod world;

use std::sync::Arc;

use gtm_domain::binding::BindingTarget;
use gtm_domain::message::rubric::RubricKey;
use gtm_domain::message::{Placeholder, RevisionOrigin};
use gtm_domain::{Digest, JobStatus};
use serde_json::{Value, json};

use self::world::*;
use crate::harness::{Harness, code};
use crate::replays::reader;
use crate::scripted::identity;
use crate::scripted_pure::{ScriptedPure, newest_judge};

macro_rules! on_both_engines {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(super::Harness::bare(super::model()).await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                let test = concat!(module_path!(), "::", stringify!($name));
                if let Some(harness) = super::Harness::postgres(test, super::model()).await {
                    super::$name(harness).await;
                }
            })*
        }
    };
}

// Behind the macro, which it uses.
mod unwritten;

on_both_engines!(
    drafts_that_pass_become_the_revisions_of_a_template,
    a_draft_that_fails_is_told_its_faults_and_mended,
    a_draft_that_is_no_template_is_told_where,
    a_draft_in_another_language_is_told_so,
    the_bound_judge_is_asked_and_else_the_newest_of_the_catalog,
    only_the_offer_of_the_request_is_sold,
    a_replay_gives_the_same_but_for_the_number,
    a_judge_gives_no_more_than_there_is,
    the_setting_bounds_the_rounds,
);

async fn drafts_that_pass_become_the_revisions_of_a_template(mut harness: Harness) {
    bind(&mut harness).await;
    let (asked, judge) = (Asked::default(), judge());
    let engine = engine(&harness, writing(vec![good()], &asked), &judge);
    let job = ran(&harness, &engine, input()).await;
    let told = result(&job).clone();
    assert_eq!(told["status"], "DRAFT_READY", "{told:#}");
    assert_eq!(
        (&told["operation"], &told["reasons"]),
        (&json!("generate"), &json!([]))
    );
    assert_eq!(
        (&told["revision"], &told["template_key"]),
        (&json!(1), &json!("handover"))
    );
    assert_eq!(
        (&told["messages_enqueued"], &told["messages_sent"]),
        (&json!(0), &json!(0))
    );

    let stored = revisions(&harness).await;
    let [first] = &stored[..] else {
        panic!("{stored:?}")
    };
    assert_eq!(told["revision_id"], json!(first.id));
    assert_eq!(told["template_hash"], json!(first.template_hash));
    assert_eq!(told["rubric"], json!(first.rubric));
    assert_eq!((first.revision, first.previous_revision_id), (1, None));
    assert_eq!(first.origin, RevisionOrigin::Generated);
    assert_eq!(first.job_id, Some(job.id));
    assert!(first.review.is_none());
    let request = input();
    assert_eq!(Some(&first.audience), request.audience.as_ref());
    assert_eq!(Some(&first.objective), request.objective.as_ref());
    assert_eq!(
        Some(&first.desired_next_step),
        request.desired_next_step.as_ref()
    );
    assert_eq!(
        (&first.name, &first.language),
        (&request.name, &request.language)
    );
    assert_eq!(
        (&first.options, &first.reason),
        (&request.options, &request.reason)
    );
    let summary = Digest::of(SUMMARY.as_bytes());
    assert_eq!(
        json!(first.offer),
        json!({"offer_id": null, "summary": SUMMARY, "offer_hash": summary})
    );
    assert_eq!(
        first.structure.blocks.len(),
        good()["blocks"].as_array().unwrap().len()
    );
    let used: Vec<&str> = first.variables.iter().map(|it| it.name.as_str()).collect();
    assert!(used.contains(&"compliance.opt_out"), "{used:?}");

    let rubric = first.rubric.as_ref().unwrap();
    assert!(
        rubric.passed && rubric.total >= rubric.threshold,
        "{rubric:#?}"
    );
    assert_eq!((rubric.attempts, &rubric.hard_failures), (1, &Vec::new()));
    let judged = &rubric.checks[2];
    assert_eq!(
        (judged.key.as_str(), judged.points),
        ("relevance.serves_objective", 4)
    );
    assert_eq!(judged.message.as_deref(), Some("Name the handover."));

    // One call, and what it cost.
    assert_eq!(harness.connectors.total(), 1);
    assert_eq!((job.usage.cost, job.usage.backend_requests), (ROUND, 1));
    assert!(job.usage.backend_runtime_ms > 0);

    // What the writer and the judge are given.
    let question = asked.borrow()[0].clone();
    assert_eq!(question["input"], json!(request));
    assert_eq!(
        (&question["attempt"], &question["previous"]),
        (&json!(1), &Value::Null)
    );
    assert_eq!(
        (&question["faults"], &question["offer"]),
        (&json!([]), &Value::Null)
    );
    assert_eq!(
        question["placeholders"].as_array().unwrap().len(),
        Placeholder::ALL.len()
    );
    let (_, to_judge) = judge.judged.borrow()[0].clone();
    assert_eq!(
        (&to_judge["offer"], &to_judge["subject"]),
        (&json!([SUMMARY]), &good()["subject"])
    );
    assert_eq!(to_judge["blocks"][0]["text"], good()["blocks"][0]["text"]);

    let next = ran(&harness, &engine, input()).await;
    assert_eq!(result(&next)["revision"], 2);
    let stored = revisions(&harness).await;
    assert_eq!(stored.len(), 2);
    assert_eq!(
        (stored[0].revision, stored[0].previous_revision_id),
        (2, Some(stored[1].id))
    );
    assert_eq!(
        stored[0].template_hash, stored[1].template_hash,
        "the same text"
    );
    let mut other = input();
    other.template_key = "other".into();
    let other = ran(&harness, &engine, other).await;
    assert_eq!(
        result(&other)["revision"],
        1,
        "each template counts its own"
    );
}

async fn a_draft_that_fails_is_told_its_faults_and_mended(mut harness: Harness) {
    bind(&mut harness).await;
    let pressing = saying("You get guaranteed savings, the best on the market.");
    let (asked, judge) = (Asked::default(), judge());
    let engine = engine(
        &harness,
        writing(vec![pressing.clone(), good()], &asked),
        &judge,
    );
    let job = ran(&harness, &engine, input()).await;
    let told = result(&job);
    assert_eq!(told["status"], "DRAFT_READY", "{told:#}");
    assert_eq!(told["rubric"]["attempts"], 2);
    assert_eq!(told["revision"], 1);
    let asked = asked.borrow().clone();
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[1]["attempt"], 2);
    assert_eq!(asked[1]["previous"], pressing);
    assert_eq!(asked[1]["input"], asked[0]["input"]);
    assert_eq!(
        asked[1]["now"], asked[0]["now"],
        "a resumed job asks the same"
    );
    let faults = asked[1]["faults"].as_array().unwrap();
    let first = &faults[0];
    assert_eq!(
        first["rule"], "forbidden_claim",
        "what is worst comes first"
    );
    assert_eq!(
        first["pointer"], "/blocks/2/text",
        "a pointer into the draft"
    );
    let said = pressing
        .pointer(first["pointer"].as_str().unwrap())
        .unwrap();
    assert!(said.as_str().unwrap().contains("guaranteed savings"));
    assert!(
        faults
            .iter()
            .any(|fault| fault["rule"] == "trust.honest_wording")
    );
    assert!(
        faults
            .iter()
            .any(|fault| fault["message"] == "Costs 1 of 5 points: Name the handover."),
        "the judge's"
    );
    assert!(
        first["message"]
            .as_str()
            .unwrap()
            .starts_with("Decides, whatever the points: "),
        "{first}"
    );
    for fault in faults {
        assert!(!fault["message"].as_str().unwrap().is_empty(), "{fault}");
        let pointer = fault["pointer"].as_str().unwrap();
        assert!(pressing.pointer(pointer).is_some(), "{pointer}");
    }
    assert_eq!(
        (job.usage.cost, job.usage.backend_requests),
        (ROUND + ROUND, 2)
    );
    assert_eq!(judge.judged.borrow().len(), 2);
    assert_eq!(revisions(&harness).await.len(), 1);
}

async fn a_draft_that_is_no_template_is_told_where(mut harness: Harness) {
    bind(&mut harness).await;
    // What cannot be read, and what can be read and breaks a rule of structures.
    let mut unread = saying("{{recipient.email}} is <b>yours</b>.");
    unread["preview_text"] = json!(3);
    let mut broken = good();
    broken["blocks"][0]["fallback"] = Value::Null;
    broken["blocks"][7]["text"] = json!("Bye.");
    let (asked, judge) = (Asked::default(), judge());
    let drafts = vec![unread.clone(), broken, good()];
    let engine = engine(&harness, writing(drafts, &asked), &judge);
    let job = ran(&harness, &engine, input()).await;
    assert_eq!(result(&job)["rubric"]["attempts"], 3, "{:#}", result(&job));
    let told = |round: usize| -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let asked = asked.borrow();
        let faults = asked[round]["faults"].as_array().unwrap().iter();
        faults
            .map(|fault| (text(&fault["pointer"]), text(&fault["rule"])))
            .collect()
    };
    let one = |pointer: &str, rule: &str| (pointer.to_owned(), rule.to_owned());
    assert_eq!(asked.borrow()[1]["previous"], unread);
    for fault in [
        one("/preview_text", "draft_shape"),
        one("/blocks/2/text", "placeholder_not_allowed"),
        one("/blocks/2/text", "markup_not_allowed"),
    ] {
        assert!(told(1).contains(&fault), "{fault:?} of {:?}", told(1));
    }
    for fault in [
        one("/blocks/0/text", "variable_without_fallback"),
        one("/blocks/7/text", "opt_out_content"),
    ] {
        assert!(told(2).contains(&fault), "{fault:?} of {:?}", told(2));
    }
    assert_eq!(
        judge.judged.borrow().len(),
        1,
        "what is no template is not judged"
    );
}

async fn a_draft_in_another_language_is_told_so(mut harness: Harness) {
    bind(&mut harness).await;
    let (asked, judge) = (Asked::default(), judge());
    let german = saying(
        "Ihre Zähler sind schon vor der Übergabe eingebaut, und jede Wohnung bekommt vom ersten Tag an ihre eigene Rechnung.",
    );
    let engine = engine(&harness, writing(vec![german, good()], &asked), &judge);
    let job = ran(&harness, &engine, input()).await;
    assert_eq!(result(&job)["rubric"]["attempts"], 2);
    let asked = asked.borrow().clone();
    assert_eq!(asked[1]["faults"][0]["rule"], "wrong_language");
    assert_eq!(judge.judged.borrow().len(), 1, "it is not judged");
}

async fn the_bound_judge_is_asked_and_else_the_newest_of_the_catalog(mut harness: Harness) {
    bind(&mut harness).await;
    let (asked, judge) = (Asked::default(), judge());
    let engine = engine(&harness, writing(vec![good()], &asked), &judge);
    let named = |identity: &gtm_engine::plugins::PluginIdentity| json!({"key": identity.key, "version": identity.version, "digest": identity.digest});
    let job = ran(&harness, &engine, input()).await;
    assert_eq!(result(&job)["rubric"]["judge"], named(&newest_judge()));
    assert_eq!(
        job.pins["plugins"]["judge.message_template"]["version"],
        "1.4.0"
    );
    // What cannot judge counts as nothing.
    harness
        .bind_backend_for("judge.message_template", "playbook")
        .await;
    let job = ran(&harness, &engine, input()).await;
    assert_eq!(result(&job)["rubric"]["judge"], named(&newest_judge()));
    let own = BindingTarget::Evaluator {
        key: "echo-evaluator".into(),
        version: Some("1.0.0".into()),
    };
    harness.bind("judge.message_template", own, json!({})).await;
    let job = ran(&harness, &engine, input()).await;
    let own = identity("echo-evaluator");
    assert_eq!(result(&job)["rubric"]["judge"], named(&own));
    let judged = judge.judged.borrow().clone();
    let judges: Vec<_> = judged.into_iter().map(|(judge, _)| judge).collect();
    assert_eq!(judges, [newest_judge(), newest_judge(), own]);
}

async fn only_the_offer_of_the_request_is_sold(mut harness: Harness) {
    bind(&mut harness).await;
    let named = offer(&harness, "named").await;
    // A binding of this capability has no offer that could be sold instead.
    let bound = bound_to(&harness, json!({}), Some(named)).await;
    assert!(bound.is_err());
    let (asked, judge) = (Asked::default(), judge());
    let engine = engine(&harness, writing(vec![good()], &asked), &judge);
    let job = ran(&harness, &engine, input()).await;
    assert_eq!(job.pins.get("offer"), None);
    let stored = revisions(&harness).await.remove(0);
    assert_eq!(stored.offer.offer_id, None);
    assert_eq!(asked.borrow()[0]["offer"], Value::Null);

    for name in ["named".to_owned(), named.to_string()] {
        let mut request = input();
        request.offer_summary = None;
        request.offer = Some(name.clone());
        let job = ran(&harness, &engine, request).await;
        assert_eq!(result(&job)["status"], "DRAFT_READY", "{:?}", job.error);
        let stored = revisions(&harness).await.remove(0);
        assert_eq!(
            (stored.offer.offer_id, stored.offer.summary),
            (Some(named), None)
        );
        assert_eq!(job.pins["offer"]["offer_id"], json!(named));
        assert_eq!(
            job.pins["offer"]["offer_hash"],
            json!(stored.offer.offer_hash)
        );
    }
    let given = asked.borrow().last().unwrap()["offer"].clone();
    assert_eq!(given["name"], "Handover meters");
    let (_, to_judge) = judge.judged.borrow().last().unwrap().clone();
    let texts = to_judge["offer"].as_array().unwrap();
    assert!(
        texts.contains(&json!("One bill per flat from day one.")),
        "{texts:?}"
    );

    // What the offer forbids is forbidden, without a word in the request.
    let claiming = saying("As a landlord you get no price increases. {{offer.value_proposition}}");
    let engine = world::engine(&harness, writing(vec![claiming], &asked), &judge);
    let mut request = input();
    request.offer_summary = None;
    request.offer = Some("named".into());
    let job = ran(&harness, &engine, request).await;
    assert_eq!(code(&job), "forbidden_claim");
}

async fn a_replay_gives_the_same_but_for_the_number(mut harness: Harness) {
    bind(&mut harness).await;
    let (asked, judge) = (Asked::default(), judge());
    let engine = engine(&harness, writing(vec![weak(), good()], &asked), &judge);
    let job = ran(&harness, &engine, input()).await;
    let made = result(&job).clone();
    assert_eq!(made["revision"], 1);
    let report = engine.replay(job.clone(), reader(&harness, &job)).await;
    let report = report.unwrap();
    assert!(report.is_same(), "{report:?}");
    let mut same = made.clone();
    same["revision"] = Value::Null;
    assert_eq!(report.end, Ok(same));
    assert_eq!(
        revisions(&harness).await.len(),
        1,
        "a replay stores nothing"
    );
    assert_eq!(harness.connectors.total(), 2, "and asks nobody");
    assert_eq!(
        asked.borrow()[..2],
        asked.borrow()[2..],
        "the rounds are the same"
    );

    let other = world::engine(&harness, writing(vec![weak(), less_weak()], &asked), &judge);
    let report = other.replay(job.clone(), reader(&harness, &job)).await;
    assert!(!report.is_ok_and(|report| report.is_same()));
    let failed = world::engine(&harness, writing(vec![weak()], &asked), &judge);
    let job = ran(&harness, &failed, input()).await;
    let report = failed.replay(job.clone(), reader(&harness, &job)).await;
    assert!(report.unwrap().is_same());
}

async fn a_judge_gives_no_more_than_there_is(mut harness: Harness) {
    bind(&mut harness).await;
    let asked = Asked::default();
    let mut totals = Vec::new();
    let full = json!({"points": {
        "relevance.serves_objective": 5, "evidence.faithful_paraphrase": 4,
        "clarity.one_idea": 4, "recipient_value.concrete_outcome": 6,
    }});
    let generous = json!({
        "points": {
            "relevance.serves_objective": 500, "evidence.faithful_paraphrase": u64::MAX,
            "clarity.one_idea": 4, "recipient_value.concrete_outcome": 7,
            "relevance.charm": 40, "cta.single_ask": 6, "trust.honest_wording": 6,
        },
        "notes": {"cta.single_ask": "Splendid."}, "passed": true, "total": 100,
    });
    for judgement in [full, generous] {
        let judge = Arc::new(ScriptedPure::with_judge(judgement));
        let engine = engine(&harness, writing(vec![less_weak(), good()], &asked), &judge);
        let job = ran(&harness, &engine, input()).await;
        let rubric = result(&job)["rubric"].clone();
        assert_eq!(rubric["attempts"], 2, "{rubric:#}");
        assert_eq!(
            rubric["checks"].as_array().unwrap().len(),
            RubricKey::ALL.len()
        );
        totals.push((rubric["total"].clone(), rubric["checks"].clone()));
    }
    assert_eq!(totals[0], totals[1]);
    // Points that are none are no points.
    let nonsense = json!({"points": {"relevance.serves_objective": -5, "clarity.one_idea": "4"}});
    for judgement in [nonsense, json!({"points": [5]}), json!({})] {
        let judge = Arc::new(ScriptedPure::with_judge(judgement));
        let engine = engine(&harness, writing(vec![good()], &asked), &judge);
        let job = ran(&harness, &engine, input()).await;
        assert_eq!(code(&job), "quality_threshold_not_met");
    }
}

async fn the_setting_bounds_the_rounds(mut harness: Harness) {
    let asked = Asked::default();
    for (setting, rounds) in [
        (json!(1), 1),
        (json!(0), 1),
        (json!(50), 5),
        (json!("2"), 3),
    ] {
        bind_with(&mut harness, json!({"attempts": setting})).await;
        asked.send_replace(Vec::new());
        let engine = engine(&harness, writing(vec![weak()], &asked), &judge());
        let job = ran(&harness, &engine, input()).await;
        assert_eq!(job.status, JobStatus::Failed);
        assert_eq!(asked.borrow().len(), rounds, "{setting}");
    }
}
