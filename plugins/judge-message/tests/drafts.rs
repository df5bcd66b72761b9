//! The judge on drafts written by hand, in four languages: good ones get the points that a draft needs, bland
//! and pushy ones don't.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use gtm_judge_message::JudgeMessage;
use gtm_sdk::{Evaluator, FailureKind, Value, json::json};
use jsonschema::Validator;
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Table {
    about: BTreeMap<String, About>,
    draft: Vec<Draft>,
}

#[derive(Deserialize)]
struct About {
    language: String,
    audience: String,
    objective: String,
    next: String,
    offer: Vec<String>,
}

#[derive(Deserialize)]
struct Draft {
    name: String,
    about: String,
    points: [u64; 2],
    subject: String,
    blocks: Vec<[String; 2]>,
}

fn table() -> Table {
    toml::from_str(include_str!("drafts.toml")).unwrap()
}

fn schema(name: &str) -> Validator {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../wit/results/{name}.schema.json"));
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn question(about: &About, draft: &Draft) -> Value {
    let blocks: Vec<Value> = draft
        .blocks
        .iter()
        .map(|[kind, text]| json!({"kind": kind, "text": text}))
        .collect();
    json!({
        "rubric_version": "1", "language": about.language, "audience": about.audience,
        "objective": about.objective, "desired_next_step": about.next, "offer": about.offer,
        "subject": draft.subject, "blocks": blocks,
    })
}

fn total(judgement: &Value) -> u64 {
    let points = judgement["points"].as_object().unwrap().values();
    points.map(|points| points.as_u64().unwrap()).sum()
}

#[test]
fn drafts_get_the_points_that_they_should() {
    let (asked, answered) = (
        schema("message-judge-question"),
        schema("message-judgement"),
    );
    let Table { about, draft } = table();
    let mut misses = Vec::new();
    for draft in &draft {
        let question = question(&about[&draft.about], draft);
        assert!(asked.is_valid(&question), "{}", draft.name);
        let judgement = JudgeMessage::evaluate(question).unwrap();
        assert!(answered.is_valid(&judgement), "{judgement}");
        let [least, most] = draft.points;
        let total = total(&judgement);
        if !(least..=most).contains(&total) {
            let points = &judgement["points"];
            misses.push(format!(
                "{}: {total}, not {least} to {most}: {points}",
                draft.name
            ));
        }
    }
    assert!(draft.len() >= 24);
    assert!(misses.is_empty(), "\n{}", misses.join("\n"));
}

#[test]
fn a_note_stands_where_points_are_missing() {
    let Table { about, draft } = table();
    for draft in &draft {
        let judgement = JudgeMessage::evaluate(question(&about[&draft.about], draft)).unwrap();
        for (key, max) in [
            ("relevance.serves_objective", 5),
            ("evidence.faithful_paraphrase", 4),
            ("clarity.one_idea", 4),
            ("recipient_value.concrete_outcome", 6),
        ] {
            let full = judgement["points"][key] == max;
            assert_eq!(
                judgement["notes"][key].is_null(),
                full,
                "{}: {key}",
                draft.name
            );
        }
    }
}

#[test]
fn nothing_gets_nothing() {
    let mut empty = json!({
        "rubric_version": "1", "language": "en", "audience": "", "objective": "", "desired_next_step": "",
        "offer": [], "subject": "", "blocks": [],
    });
    assert_eq!(total(&JudgeMessage::evaluate(empty.clone()).unwrap()), 0);
    // Only what carries the message counts.
    empty["objective"] = json!("Talk about metering");
    empty["blocks"] = json!([{"kind": "opt_out", "text": "Metering saves your time."}]);
    assert_eq!(total(&JudgeMessage::evaluate(empty).unwrap()), 0);
}

#[test]
fn another_rubric_is_not_judged() {
    let Table { about, draft } = table();
    let mut question = question(&about["en"], &draft[0]);
    question["rubric_version"] = json!("2");
    let failure = JudgeMessage::evaluate(question).unwrap_err();
    assert!(failure.is(FailureKind::InvalidInput, "rubric_version_unknown"));
    let failure = JudgeMessage::evaluate(json!({"rubric_version": "1"})).unwrap_err();
    assert!(failure.is(FailureKind::InvalidInput, "invalid_input"));
}

/// Pieces out of which a hostile or broken draft may be made.
fn text() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        Just("{{offer.value_proposition}}".to_owned()),
        Just("{{".to_owned()),
        Just("}}".to_owned()),
        Just("[label](".to_owned()),
        Just(")".to_owned()),
        Just(". ".to_owned()),
        "\\PC{0,12}",
    ];
    proptest::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// No text breaks the judge, and the points never leave their bounds.
    #[test]
    fn any_draft_is_judged(
        subject in text(),
        blocks in proptest::collection::vec(text(), 0..5),
        objective in text(),
        offer in proptest::collection::vec(text(), 0..3),
    ) {
        let blocks: Vec<Value> = blocks.iter().map(|text| json!({"kind": "value", "text": text})).collect();
        let question = json!({
            "rubric_version": "1", "language": "de", "audience": "", "objective": objective,
            "desired_next_step": objective, "offer": offer, "subject": subject, "blocks": blocks,
        });
        let first = JudgeMessage::evaluate(question.clone()).unwrap();
        prop_assert!(schema("message-judgement").is_valid(&first));
        prop_assert_eq!(JudgeMessage::evaluate(question).unwrap(), first);
    }
}
