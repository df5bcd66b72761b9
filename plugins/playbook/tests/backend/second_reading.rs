//! The critic: what it confirms, contradicts and has rewritten.

use gtm_sdk::{Value, json::json};

use crate::run::{Job, answered, asked, basis, claims, number_of, sample, shared, step};

const SELLER: &str = "Gridleaf gateways copy sensor readings into maintenance systems.";
const SUPPORTED: &str = "Food and medicines of 210 producers lie in its cold stores.";
const FAULTY: &str = "Our gateways only need read-only access, so nothing on your network changes.";

/// A model that writes a summary and two objections, is called by its own critic, and rewrites with `again`.
fn criticized(again: impl Fn(&Value) -> Value + 'static) -> Job {
    sample()
        .with("/product_info", json!(SELLER))
        .only(&["business_summary", "objections", "risks"])
        .model(move |input| {
            let answer = match step(input) {
                "part" => {
                    let apart = number_of(input, "kept apart from the office network");
                    json!({"business_summary": {"text": SUPPORTED, "citations": [number_of(input, "210 producers in")], "reason": "The home page says so."},
                        "objections": [
                            {"objection": "Nothing gets onto our sensor network.", "response": FAULTY, "citations": [apart], "reason": "The network is kept apart."},
                            {"objection": "We have no time.", "response": "A gateway copies readings by itself.", "citations": [apart], "reason": ""}],
                        "risks": [], "derivations": [], "found": []})
                }
                "critique" => {
                    let verdict = |(number, text): (u64, String)| {
                        let (verdict, faulty) = if text.contains("read-only") {
                            ("contradicted", "read-only access")
                        } else if text.contains("fact;") {
                            ("supported", "")
                        } else {
                            ("inferred", "")
                        };
                        json!({"claim": number, "verdict": verdict, "faulty": faulty})
                    };
                    json!({"verdicts": claims(input).into_iter().map(verdict).collect::<Vec<_>>()})
                }
                "rewriting" => {
                    let names = input["response_schema"]["required"].as_array().unwrap();
                    assert_eq!(names.len(), 1, "only what is contradicted is written again");
                    let mut answer = json!({});
                    answer[names[0].as_str().unwrap()] = again(input);
                    answer
                }
                _ => json!({}),
            };
            Ok(answered(answer))
        })
}

fn better(input: &Value) -> Value {
    json!({"objection": "Nothing gets onto our sensor network.", "response": "Our gateways copy readings; engineering sets the terms.",
        "citations": [number_of(input, "kept apart from the office network")], "reason": "The seller says what gateways do."})
}

#[test]
fn a_confirmed_fact_is_more_than_a_guess() {
    let draft = criticized(better).draft();
    let summary = basis(&draft, "/business_summary");
    assert_eq!(draft["result"]["business_summary"], SUPPORTED);
    assert_eq!(summary["basis"], "observed");
    assert_eq!(summary["reasoning"], "The home page says so.");
    assert_eq!(basis(&draft, "/objections/0")["basis"], "inferred");
}

#[test]
fn what_is_contradicted_is_written_again_once() {
    let draft = criticized(better).draft();
    let objections = &draft["result"]["objections"];
    assert_eq!(objections.as_array().unwrap().len(), 2);
    assert_eq!(
        objections[0]["response"],
        "Our gateways copy readings; engineering sets the terms."
    );
    assert!(!draft.to_string().contains("read-only"));
}

#[test]
fn what_stays_contradicted_is_left_out_and_said() {
    type Again = fn(&Value) -> Value;
    let again: [Again; 3] = [
        |_| json!({"objection": "", "response": "", "citations": [], "reason": ""}),
        |input| {
            let mut same = better(input);
            same["response"] = json!("It is read-only access and more.");
            same
        },
        |input| {
            let mut invented = better(input);
            invented["response"] = json!("Our gateways serve 47 cold stores.");
            invented
        },
    ];
    for again in again {
        let run = criticized(again).run();
        let draft = run.output.unwrap();
        let text = draft.to_string();
        assert!(
            !text.contains("read-only") && !text.contains("47 cold"),
            "{text}"
        );
        assert_eq!(draft["result"]["objections"].as_array().unwrap().len(), 1);
        assert!(
            crate::run::left_out(&draft, "/objections").contains(&"contradicted".to_owned()),
            "{}",
            draft["left_out"]
        );
        let logs = format!("{:?}", run.logs);
        assert!(
            logs.contains("left out of objections: claim, contradicted (1)"),
            "{logs}"
        );
    }
}

#[test]
fn without_a_critic_nothing_is_confirmed() {
    for job in [
        criticized(better).set("critique", json!(false)),
        criticized(better).set("model_context_chars", json!(15_000)),
    ] {
        let draft = job.draft();
        assert_eq!(basis(&draft, "/business_summary")["basis"], "inferred");
        assert_eq!(draft["result"]["objections"][0]["response"], FAULTY);
    }
}

#[test]
fn a_critic_that_fails_costs_confidence_and_no_claim() {
    let draft = sample()
        .only(&["business_summary"])
        .model(|input| match step(input) {
            "part" => Ok(answered(
                json!({"business_summary": {"text": SUPPORTED, "citations": [number_of(input, "210 producers in")]}}),
            )),
            "critique" => Err(gtm_sdk::Failure::timeout("timeout", "Slow.")),
            _ => Ok(answered(json!({}))),
        })
        .draft();
    assert_eq!(draft["result"]["business_summary"], SUPPORTED);
    assert_eq!(basis(&draft, "/business_summary")["basis"], "inferred");
}

#[test]
fn all_calls_begin_with_the_same_words() {
    let seen = shared(Vec::<Value>::new());
    let record = seen.clone();
    let run = criticized(better);
    let mut model = run.model.unwrap();
    let run = Job {
        model: Some(Box::new(move |input| {
            record.borrow_mut().push(input.clone());
            model(input)
        })),
        ..run
    };
    run.draft();
    let seen = seen.borrow();
    let steps: Vec<&str> = seen.iter().map(step).collect();
    assert_eq!(
        steps,
        ["brief", "part", "critique", "rewriting", "critique"]
    );
    let beginning = |input: &Value| {
        let user = input["messages"][1]["content"].as_str().unwrap();
        let end = user.find("\nEXCERPTS ").unwrap();
        (input["messages"][0].clone(), user[..end].to_owned())
    };
    let first = beginning(&seen[0]);
    assert!(first.1.starts_with("Today is 2026-11-21."));
    let (whole, few) = seen.split_at(3);
    assert!(whole.iter().all(|input| beginning(input) == first));
    // Those on a few claims show these claims' excerpts only, so the mark of their fence is another.
    let before_the_fence = |(system, user): (Value, String)| {
        let end = user.find("\n\nBetween the two lines").unwrap();
        (system, user[..end].to_owned())
    };
    let first = before_the_fence(first);
    assert!(
        few.iter()
            .all(|input| before_the_fence(beginning(input)) == first)
    );
    assert!(
        seen.iter()
            .all(|input| !input["response_schema"].to_string().contains("maxLength"))
    );
    assert!(asked(&seen[1]).contains(&"objections".to_owned()));
}
