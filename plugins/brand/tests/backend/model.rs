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

/// A model that writes what the site says of the company, decides on what rules found and confirms it all.
fn thorough(input: &Value) -> Value {
    let prompt = input["messages"][1]["content"].as_str().unwrap();
    if input["response_name"] == "guideline_critique" {
        let verdicts = prompt.lines().filter_map(|line| {
            let (number, _) = line.strip_prefix('C')?.split_once(" (")?;
            Some(json!({"claim": format!("C{number}"), "verdict": "supported", "faulty": ""}))
        });
        return json!({"verdicts": verdicts.collect::<Vec<_>>()});
    }
    let at = |words: &str| number_of(input, words).unwrap_or(0);
    let mut answer = json!({});
    for part in asked(input) {
        answer[&part] = match part.as_str() {
            "category" => {
                json!({"text": "maker of scales for dairies", "citations": [at("is a weighing instrument maker")], "reason": ""})
            }
            "tagline" => {
                json!({"text": "We weigh for the small ones", "citations": [at("Know what every churn weighs")], "reason": ""})
            }
            "industries" => {
                json!([{"label": "Weighing instruments", "citations": [at("is a weighing instrument maker")], "reason": ""}])
            }
            "names_of_products" => {
                json!([{"text": "Churnline 40", "citations": [at("Churnline 40 weighs")], "reason": ""}])
            }
            "founded_year" => panic!("rules found it"),
            "values" => {
                json!([{"name": "Long repair", "description": "They mend before they sell.", "citations": [at("We mend before we sell")], "reason": ""}])
            }
            "proof_points" => json!([
                {"text": "Nine scales took 11 hours a month from Fellside Creamery.", "kind": "case_study", "citations": [at("reduced its bookkeeping")], "reason": ""},
                {"text": "Scales for 77 creameries.", "kind": "metric", "citations": [at("reduced its bookkeeping")], "reason": ""}]),
            "objections" => {
                json!([{"objection": "Are parts kept?", "response": "Each part is kept for fifteen years.", "citations": [at("every part for fifteen")], "reason": ""}])
            }
            "found" => {
                // It says itself what rules found, but for the slogan; the mission is none.
                let facts = prompt.lines().filter_map(|line| {
                    let (number, rest) = line.strip_prefix('F')?.split_once(" (")?;
                    let decision = match rest.split_once(';')?.0 {
                        "mission" => "reject",
                        "tagline" => "keep",
                        _ => "merge",
                    };
                    Some(json!({"fact": number.parse::<u64>().ok()?, "decision": decision}))
                });
                facts.collect()
            }
            _ => json!([]),
        };
    }
    answer
}

#[test]
fn a_model_writes_what_the_site_says_of_the_company_too() {
    let calls = shared(0);
    let count = calls.clone();
    let without = harrow().draft();
    let draft = harrow()
        .model(move |input| {
            *count.borrow_mut() += usize::from(input["response_name"] == "guideline_part");
            Ok(answered(thorough(input)))
        })
        .draft();
    assert!(*calls.borrow() <= 2, "{} calls", calls.borrow());
    assert_eq!(
        at(&draft, "/positioning/category"),
        "maker of scales for dairies"
    );
    assert_eq!(basis(&draft, "/positioning/category")["basis"], "observed");
    // No page prints the slogan that it writes.
    assert_eq!(
        at(&draft, "/identity/tagline"),
        at(&without, "/identity/tagline")
    );
    let industries = at(&draft, "/identity/industries").as_array().unwrap();
    let written = json!({"scheme": "free_text", "code": null, "label": "Weighing instruments"});
    assert!(industries.contains(&written), "{industries:?}");
    let names = at(&draft, "/voice/vocabulary/preferred").to_string();
    assert!(names.contains("Churnline 40"), "{names}");
    let values = at(&draft, "/foundations/values").to_string();
    assert!(values.contains("They mend before they sell."), "{values}");
    let proofs = at(&draft, "/positioning/proof_points").to_string();
    assert!(
        proofs.contains("took 11 hours a month") && !proofs.contains("77"),
        "{proofs}"
    );
    assert_eq!(
        at(&draft, "/messaging/objections")[0]["response"],
        "Each part is kept for fifteen years."
    );
    assert!(at(&without, "/foundations/mission").is_string());
    assert!(at(&draft, "/foundations/mission").is_null());
    let schema = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../wit/results/brand-draft.schema.json");
    let schema: Value = std::fs::read_to_string(schema).unwrap().parse().unwrap();
    assert!(jsonschema::is_valid(&schema, &draft));
}

#[test]
fn what_rules_did_not_find_is_asked_for_in_the_page_s_own_words() {
    let written = |vision: &'static str| {
        harrow()
            .model(move |input| {
                let mut answer = thorough(input);
                let asked = asked(input);
                assert!(
                    !asked.iter().any(|part| part == "mission"),
                    "rules found it"
                );
                if asked.iter().any(|part| part == "vision") {
                    let cited = number_of(input, "We mend before we sell").unwrap_or(0);
                    answer["vision"] = json!({"text": vision, "citations": [cited]});
                }
                Ok(answered(answer))
            })
            .draft()
    };
    let printed = written("We mend before we sell");
    assert_eq!(
        at(&printed, "/foundations/vision"),
        "We mend before we sell"
    );
    let retold = written("To mend all scales of the world");
    assert!(at(&retold, "/foundations/vision").is_null());
}
