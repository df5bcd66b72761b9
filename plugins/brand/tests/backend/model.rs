//! With a model: its answers are checked, and parts with unusable answers stay empty.

use gtm_sdk::{Failure, Value, json::json};

use crate::run::{Job, answered, asked, at, basis, number_of, shared, site};
use crate::sites;

fn harrow() -> Job {
    site(sites::harrow(), "https://harrowgate.example/")
}

fn honest(input: &Value) -> Value {
    let scales = number_of(input, "log each churn by itself");
    let mut answer = json!({});
    for part in asked(input) {
        let Some(cited) = scales else { continue };
        answer[&part] = match part.as_str() {
            "statement" => {
                json!({"for": "small dairies", "who": "keep books of churns", "product": "Churnline", "is_a": "scale", "that": "logs each churn by itself", "unlike": "", "because": "", "citations": [cited]})
            }
            "segments" => {
                json!([{"name": "Small dairies", "description": "A dairy of two people", "needs": ["honest books"], "pains": [], "triggers": [], "citations": [cited]}])
            }
            "personas" => {
                json!([{"role": "Owner of a dairy", "seniority": "unknown", "goals": ["honest books"], "objections": [], "citations": [cited]}])
            }
            "voice" => {
                json!({"text": "Plain sentences about scales and honest books.", "citations": [cited]})
            }
            "core_message" => {
                json!({"text": "We build scales that log each churn by itself, so that a dairy of two people keeps honest books.", "citations": [cited]})
            }
            "pillars" => {
                json!([{"title": "Honest books", "message": "Scales that log each churn keep a dairy's books honest.", "citations": [cited]}])
            }
            _ => json!([]),
        };
    }
    answer
}

#[test]
fn what_the_excerpts_bear_out_stands() {
    let draft = harrow().model(|input| Ok(answered(honest(input)))).draft();
    assert_eq!(at(&draft, "/positioning/statement")["is_a"], "scale");
    assert_eq!(at(&draft, "/positioning/statement")["unlike"], Value::Null);
    assert_eq!(at(&draft, "/audience/segments")[0]["key"], "small-dairies");
    assert_eq!(
        at(&draft, "/audience/personas")[0]["seniority"],
        Value::Null
    );
    assert_eq!(
        at(&draft, "/messaging/pillars")[0]["proof_point_keys"],
        json!([])
    );
    assert_eq!(basis(&draft, "/voice/summary")["basis"], "inferred");
    // Text that repeats its source word for word counts as stated.
    assert_eq!(basis(&draft, "/messaging/core_message")["basis"], "stated");
    let schema = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../wit/results/brand-draft.schema.json");
    let schema: Value = std::fs::read_to_string(schema).unwrap().parse().unwrap();
    assert!(jsonschema::is_valid(&schema, &draft));
}

#[test]
fn small_models_are_asked_for_little_at_once() {
    let seen = shared(Vec::<(usize, usize)>::new());
    let record = seen.clone();
    harrow()
        .set("model_context_chars", json!(3_000))
        .set("max_output_tokens", json!(400))
        .model(move |input| {
            let length = input["messages"]
                .as_array()
                .unwrap()
                .iter()
                .map(|message| message["content"].as_str().unwrap().chars().count())
                .sum();
            record.borrow_mut().push((asked(input).len(), length));
            Ok(answered(json!({})))
        })
        .draft();
    let seen = seen.borrow();
    assert!(seen.len() >= 6);
    assert!(
        seen.iter()
            .all(|(parts, length)| *parts <= 2 && *length <= 3_000),
        "{seen:?}"
    );
}

#[test]
fn an_answer_that_cannot_be_used_leaves_its_parts_empty() {
    let draft = harrow()
        .model(|_| Ok(json!({"content": "no json", "json": null, "finish_reason": "stop"})))
        .draft();
    assert!(at(&draft, "/positioning/statement").is_null());
    assert_eq!(at(&draft, "/identity/founded_year"), 1987);
}

#[test]
fn a_barred_way_to_the_model_ends_the_job() {
    for (failure, code) in [
        (
            Failure::unauthorized("http_401", "No."),
            "connector_credentials_rejected",
        ),
        (Failure::timeout("timeout", "Slow."), "backend_timeout"),
        (
            Failure::quota("budget_exceeded", "Spent."),
            "budget_exceeded",
        ),
    ] {
        assert_eq!(
            harrow().model(move |_| Err(failure.clone())).failure().code,
            code
        );
    }
}

#[test]
fn the_binding_chooses_the_language_and_the_draft_says_what_was_left_out() {
    let draft = harrow()
        .set("language", json!("fr-CA"))
        .model(|input| {
            let system = input["messages"][0]["content"].as_str().unwrap();
            assert!(system.contains("in the language fr-CA"), "{system}");
            let mut answer = honest(input);
            let cited = number_of(input, "log each churn by itself");
            answer["personas"] = json!([{"role": "Owner of a dairy", "seniority": "unknown", "goals": [], "objections": [], "citations": []}]);
            answer["voice"] = json!({"text": "Plain sentences about 417 scales.", "citations": [cited]});
            Ok(answered(answer))
        })
        .draft();
    let left_out = draft["left_out"].as_array().unwrap();
    for (pointer, reason) in [
        ("/audience/personas", "no_citation"),
        ("/voice/summary", "number"),
    ] {
        let entry = json!({"pointer": pointer, "reason": reason, "count": 1});
        assert!(left_out.contains(&entry), "{entry} in {left_out:?}");
    }
    let reasoning = &basis(&draft, "/positioning/statement")["reasoning"];
    assert_eq!(
        reasoning,
        "Rédigé par le modèle à partir des extraits cités."
    );
}
