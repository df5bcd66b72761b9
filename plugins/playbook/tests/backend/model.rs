//! With a model: good answers, and every kind of bad answer.

use gtm_sdk::{Failure, Value, json::json};

use crate::run::{answered, asked, basis, left_out, number_of, sample, shared, step};

const SELLER: &str = "Gridleaf gateways copy sensor readings into maintenance systems and cut manual entry by 80 percent.";

/// What a capable model would write about the sample company.
pub fn good(input: &Value) -> Value {
    let all = asked(input);
    let mut answer = json!({});
    let cite = |words: &str| json!([number_of(input, words)]);
    let by_hand = || cite("copied into the maintenance system by hand");
    for section in &all {
        answer[section] = match section.as_str() {
            "business_summary" => {
                json!({"text": "Tarnbeck stores food and medicines for 210 producers in temperature-controlled warehouses.",
                "citations": cite("stores food and medicines for 210")})
            }
            "priorities" => {
                json!([{"text": "Our goal is to cut the electricity used per pallet by 30 percent by 2028.", "citations": cite("30 percent by 2028")}])
            }
            "pain_points" => {
                json!([{"pain": "Readings are copied by hand once a shift.", "affected_roles": ["Head of Engineering"], "severity": "unknown", "citations": by_hand()}])
            }
            "buying_signals" => json!([]),
            "buying_committee" => json!([
                {"role": "Head of Engineering", "function": "Engineering", "cares_about": ["maintenance"], "stance": "champion", "citations": by_hand()},
                {"role": "Jane Miller", "function": "", "cares_about": [], "stance": "user", "citations": by_hand()}]),
            "sales_angles" => {
                json!([{"text": "Replace the manual copying of readings with a Gridleaf gateway, which cuts manual entry by 80 percent.", "citations": by_hand()}])
            }
            "value_map" => {
                json!([{"pain": "Manual copying of readings", "capability": "Gateways that copy readings", "outcome": "", "citations": by_hand()}])
            }
            "discovery_questions" => {
                json!([{"question": "Who copies the readings each shift today?", "purpose": "Find the effort of manual copying.", "citations": by_hand()}])
            }
            "objections" => {
                json!([{"objection": "Our sensors sit on a network of their own.", "response": "The gateway reads the wired network without joining the office network.",
                "citations": cite("kept apart from the office network")}])
            }
            "competitive_position" => {
                json!([{"alternative": "Siemens", "where_we_win": ["readings"], "where_they_win": [], "citations": by_hand()},
                {"alternative": "Manual copying", "where_we_win": ["no copying by hand"], "where_they_win": [], "citations": by_hand()}])
            }
            "talk_track" => {
                json!({"opening": {"text": "You copy sensor readings by hand once a shift.", "citations": by_hand()},
                "bridge": {"text": "Gridleaf copies the readings for you.", "citations": by_hand()}, "ask": {"text": "", "citations": []}})
            }
            "next_steps" => {
                json!([{"text": "Ask how the readings reach the maintenance system.", "citations": by_hand()}])
            }
            "risks" => {
                json!([{"text": "The sensor network is kept apart, so access to readings may need approval.", "kind": "compliance", "citations": cite("kept apart from the office network")}])
            }
            _ => json!([]),
        };
    }
    answer
}

pub fn with_model(
    answer: impl FnMut(&Value) -> Result<Value, Failure> + 'static,
) -> crate::run::Job {
    sample()
        .with("/product_info", json!(SELLER))
        .with("/anchor_company", json!("Gridleaf"))
        .model(answer)
}

/// Asks the model for the business summary; the model answers with this unit.
fn summary(unit: impl Fn(&Value) -> Value + 'static) -> Value {
    with_model(move |input| Ok(answered(json!({"business_summary": unit(input)}))))
        .only(&["business_summary", "risks"])
        .draft()
}

#[test]
fn a_good_answer_becomes_claims_with_the_excerpts_it_cites() {
    let draft = with_model(|input| Ok(answered(good(input)))).draft();
    let result = &draft["result"];
    assert!(
        result["business_summary"]
            .as_str()
            .unwrap()
            .starts_with("Tarnbeck stores food")
    );
    assert_eq!(basis(&draft, "/business_summary")["basis"], "inferred");
    assert!(
        basis(&draft, "/business_summary")["excerpts"][0]["text"]
            .as_str()
            .unwrap()
            .contains("210 producers")
    );
    assert!(
        !basis(&draft, "/business_summary")["receipt_ids"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    assert_eq!(
        basis(&draft, "/priorities/0")["basis"],
        "stated",
        "word for word is stated"
    );
    assert_eq!(result["pain_points"][0]["severity"], Value::Null);
    assert_eq!(
        result["company_profile"]["headquarters"], "Lancaster, England",
        "facts are quoted, model or not"
    );
    assert_eq!(result["buying_signals"][0]["kind"], "expansion");
    let committee = result["buying_committee"].as_array().unwrap();
    let roles: Vec<&Value> = committee.iter().map(|member| &member["role"]).collect();
    assert_eq!(
        roles,
        [
            "Head of Engineering",
            "Managing Director",
            "Head of Operations",
            "Head of Quality"
        ],
        "no persons, and the roles that the site names stay"
    );
    assert_eq!(committee[0]["stance"], "champion");
    assert_eq!(
        result["competitive_position"].as_array().unwrap().len(),
        1,
        "no invented rivals: {}",
        result["competitive_position"]
    );
    assert!(
        result["sales_angles"][0]
            .as_str()
            .unwrap()
            .contains("80 percent"),
        "the seller's own number may be used"
    );
    assert_eq!(result["talk_track"]["ask"], Value::Null);
    let kinds: Vec<&str> = result["risks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|risk| risk["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["compliance"], "what is missing is no risk");
    assert_eq!(left_out(&draft, "/buying_committee"), ["person"]);
    assert_eq!(left_out(&draft, "/competitive_position"), ["rival"]);
}

#[test]
fn uncited_wrongly_cited_and_invented_is_dropped() {
    type Unit = Box<dyn Fn(&Value) -> Value>;
    let units: Vec<(&str, Unit)> = vec![
        (
            "no citation",
            Box::new(|_| json!({"text": "Tarnbeck stores food and medicines.", "citations": []})),
        ),
        (
            "citations missing",
            Box::new(|_| json!({"text": "Tarnbeck stores food and medicines."})),
        ),
        (
            "a citation that isn't there",
            Box::new(|_| json!({"text": "Tarnbeck stores food.", "citations": [999]})),
        ),
        (
            "citation zero",
            Box::new(|_| json!({"text": "Tarnbeck stores food.", "citations": [0]})),
        ),
        (
            "an invented number",
            Box::new(
                |i| json!({"text": "Tarnbeck stores food for 500 producers.", "citations": [number_of(i, "210 producers in")]}),
            ),
        ),
        (
            "an invented address",
            Box::new(
                |i| json!({"text": "Tarnbeck stores food, see tarnbeck-cold.example.", "citations": [number_of(i, "210 producers in")]}),
            ),
        ),
        (
            "an invented name",
            Box::new(
                |i| json!({"text": "Tarnbeck stores food and medicines for Nestor Holdings.", "citations": [number_of(i, "210 producers in")]}),
            ),
        ),
        (
            "an invented e-mail address",
            Box::new(
                |i| json!({"text": "Tarnbeck stores food, write to sales@tarnbeck-cold.example.", "citations": [number_of(i, "210 producers in")]}),
            ),
        ),
        (
            "an invented quotation",
            Box::new(
                |i| json!({"text": "Tarnbeck calls itself \u{201c}the coldest company of them all\u{201d}.", "citations": [number_of(i, "210 producers in")]}),
            ),
        ),
        (
            "a sum that is wrong",
            Box::new(
                |i| json!({"text": "Tarnbeck has 69 people for each site.", "citations": [number_of(i, "340 people")]}),
            ),
        ),
    ];
    for (what, unit) in units {
        let draft = summary(unit);
        assert_eq!(draft["result"]["business_summary"], Value::Null, "{what}");
        assert_eq!(
            left_out(&draft, "/business_summary").len(),
            1,
            "{what}: {}",
            draft["left_out"]
        );
        assert_eq!(draft["result"]["risks"], json!([]), "{what}");
    }
}

#[test]
fn of_a_claim_only_what_is_wrong_falls() {
    let draft = with_model(|input| {
        let cited = number_of(input, "copied into the maintenance system by hand");
        Ok(answered(json!({
            "pain_points": [{"pain": "Readings are copied by hand.", "affected_roles": ["Shift engineers", "Jane Miller"], "severity": "urgent", "citations": ["E1", cited]}],
            "buying_committee": [{"role": "Pilote de projet", "function": "", "cares_about": ["47 savings", "less copying"], "stance": "champion", "citations": [cited]}],
            "competitive_position": [{"alternative": "Status quo: copying by hand", "where_we_win": ["no copying"], "where_they_win": [], "citations": [cited]}],
        })))
    })
    .draft();
    let result = &draft["result"];
    assert_eq!(
        result["pain_points"],
        json!([{"pain": "Readings are copied by hand.", "affected_roles": ["Shift engineers"], "severity": null}])
    );
    assert_eq!(result["buying_committee"][0]["role"], "Pilote de projet");
    assert_eq!(
        result["buying_committee"][0]["cares_about"],
        json!(["less copying"])
    );
    assert_eq!(
        result["competitive_position"][0]["alternative"],
        "Status quo: copying by hand"
    );
}

#[test]
fn an_empty_answer_is_an_unknown() {
    let draft = summary(|_| json!({"text": "", "citations": []}));
    assert_eq!(draft["result"]["business_summary"], Value::Null);
    assert!(left_out(&draft, "/business_summary").is_empty());
}

fn code(answer: impl Fn() -> Result<Value, Failure> + 'static) -> String {
    with_model(move |_| answer()).failure().code
}

fn ended(content: Value, json: Value, reason: &str) -> Value {
    let mut answer = answered(json!({}));
    answer["content"] = content;
    answer["json"] = json;
    answer["finish_reason"] = json!(reason);
    answer
}

#[test]
fn broken_answers_end_the_job() {
    assert_eq!(
        code(|| Ok(ended(
            json!("{\"business_summary\": {\"te"),
            Value::Null,
            "length"
        ))),
        "backend_invalid_response"
    );
    assert_eq!(
        code(|| Ok(ended(json!("Sure! Here it is."), Value::Null, "stop"))),
        "backend_invalid_response"
    );
    assert_eq!(
        code(|| Ok(ended(Value::Null, json!([1]), "stop"))),
        "backend_invalid_response"
    );
    assert_eq!(
        code(|| Ok(ended(Value::Null, Value::Null, "refusal"))),
        "backend_refused"
    );
    assert_eq!(
        code(|| Err(Failure::upstream("invalid_model_output", "Half a JSON."))),
        "backend_invalid_response"
    );
    assert_eq!(
        code(|| Err(Failure::unauthorized("http_401", "Wrong key."))),
        "connector_credentials_rejected"
    );
    assert_eq!(
        code(|| Err(Failure::quota("insufficient_quota", "Empty."))),
        "quota_exceeded"
    );
    assert_eq!(
        code(|| Err(Failure::rate_limited("http_429", "Slower."))),
        "backend_unavailable"
    );
    assert_eq!(
        code(|| Err(Failure::upstream("http_500", "Oops."))),
        "backend_unavailable"
    );
    assert_eq!(
        code(|| Err(Failure::timeout("timeout", "Late."))),
        "backend_timeout"
    );
}

#[test]
fn wrong_shapes_leave_gaps_and_no_panic() {
    for shape in [
        json!({}),
        json!({"business_summary": 3, "sales_angles": {}, "talk_track": []}),
        json!({"sales_angles": [null, 1, "x", {"text": 5}]}),
    ] {
        let draft = with_model(move |_| Ok(answered(shape.clone()))).draft();
        assert_eq!(draft["result"]["business_summary"], Value::Null);
        assert_eq!(draft["result"]["sales_angles"], json!([]));
    }
}

#[test]
fn one_broken_part_of_several_leaves_a_gap() {
    let draft = with_model(|input| {
        if asked(input).contains(&"business_summary".to_owned()) {
            Ok(answered(good(input)))
        } else {
            Err(Failure::upstream("invalid_model_output", "Half."))
        }
    })
    .draft();
    assert!(draft["result"]["business_summary"].is_string());
    assert_eq!(draft["result"]["next_steps"], json!([]));
    assert_eq!(left_out(&draft, "/next_steps"), ["no_answer"]);
}

#[test]
fn text_around_the_json_is_forgiven() {
    let draft = with_model(|input| {
        let content = format!("```json\n{}\n```", good(input));
        Ok(ended(json!(content), Value::Null, "stop"))
    })
    .draft();
    assert!(draft["result"]["business_summary"].is_string());
}

#[test]
fn prompts_stay_within_the_budget() {
    for budget in [3_000usize, 6_000, 12_000] {
        let seen = shared(Vec::<usize>::new());
        let record = seen.clone();
        let run = with_model(move |input| {
            let messages = input["messages"].as_array().unwrap();
            let size = messages
                .iter()
                .map(|message| message["content"].as_str().unwrap().chars().count())
                .sum();
            assert!(
                messages[1]["content"].as_str().unwrap().contains("[E2]"),
                "a few excerpts fit"
            );
            record.borrow_mut().push(size);
            Ok(answered(json!({})))
        })
        .set("model_context_chars", json!(budget))
        .run();
        assert!(run.output.is_ok());
        let sizes = seen.borrow();
        assert!(
            sizes.iter().all(|size| *size <= budget),
            "{budget}: {sizes:?}"
        );
        assert!(sizes.len() >= if budget < 5_000 { 8 } else { 3 });
    }
}

/// A model that fills everything as far as it may: brief, sections, and a critic that contradicts all of it.
#[test]
fn every_step_stays_within_the_budget() {
    for budget in [16_000usize, 24_000, 60_000] {
        let seen = shared(Vec::<(String, usize)>::new());
        let record = seen.clone();
        let run = with_model(move |input| {
            let messages = input["messages"].as_array().unwrap();
            let size = messages
                .iter()
                .map(|message| message["content"].as_str().unwrap().chars().count())
                .sum();
            record.borrow_mut().push((step(input).to_owned(), size));
            let long = "Readings are copied by hand into the maintenance system once a shift. ";
            let unit = json!({"text": long.repeat(4), "pain": long.repeat(3), "objection": long, "response": long.repeat(4), "capability": long,
                "question": long, "purpose": long, "why": long.repeat(9), "role": "Head of Engineering", "verdict": "good", "message": long, "formula": "46*29=1334", "stance": "user", "citations": [1], "reason": long});
            let many = json!(vec![unit.clone(); 6]);
            let mut answer = json!({});
            for name in input["response_schema"]["required"].as_array().unwrap() {
                let name = name.as_str().unwrap();
                answer[name] = match name {
                    "business_summary" => unit.clone(),
                    "fit" => json!({"verdict": unit.clone(), "reasons": many.clone()}),
                    "verdicts" => crate::run::claims(input)
                        .into_iter()
                        .map(|(claim, _)| json!({"claim": claim, "verdict": "contradicted", "faulty": long}))
                        .collect(),
                    _ => many.clone(),
                };
            }
            Ok(answered(answer))
        })
        .set("model_context_chars", json!(budget))
        .run();
        assert!(run.output.is_ok());
        let seen = seen.borrow();
        for wanted in ["brief", "part", "critique", "rewriting"] {
            assert!(seen.iter().any(|(step, _)| step == wanted), "{wanted}");
        }
        assert!(
            seen.iter().all(|(_, size)| *size <= budget),
            "{budget}: {seen:?}"
        );
    }
}

#[test]
fn tone_sections_and_seller_reach_the_prompt() {
    let seen = shared(Vec::<Value>::new());
    let record = seen.clone();
    let run = with_model(move |input| {
        record.borrow_mut().push(input.clone());
        Ok(answered(json!({})))
    })
    .with("/tone", json!("technical"))
    .only(&["sales_angles", "objections"])
    .set("max_output_tokens", json!(700))
    .run();
    assert!(run.output.is_ok());
    let seen = seen.borrow();
    assert_eq!(step(&seen[0]), "brief");
    let written: Vec<String> = seen[1..].iter().flat_map(asked).collect();
    assert_eq!(written, ["sales_angles", "objections"]);
    assert_eq!(seen[0]["max_output_tokens"], 700);
    assert!(
        seen[0]["messages"][0]["content"]
            .as_str()
            .unwrap()
            .contains("technical readers")
    );
    let user = seen[0]["messages"][1]["content"].as_str().unwrap();
    assert!(
        seen[1]["messages"][0]["content"]
            .as_str()
            .unwrap()
            .contains("in the language en-GB")
    );
    let seller = user.find("Gridleaf gateways").unwrap();
    assert!(
        seller < user.find("<<<EXCERPTS").unwrap(),
        "the seller's words stand outside of the fence"
    );
}
