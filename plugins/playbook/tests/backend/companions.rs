//! What comes along with a section (docs/decisions/0070): fit, why now, messages by persona, sums.

use gtm_sdk::{Value, json::json};

use crate::run::{COMPANIONS, Job, answered, basis, left_out, number_of, sample, step};

const SELLER: &str = "Gridleaf gateways copy sensor readings into maintenance systems. A gateway costs 29 euros a month.";

/// A model that fills all four, each with something right and something that must fall.
fn written() -> Job {
    sample()
        .with("/product_info", json!(SELLER))
        .model(|input| {
            let by_hand = |input: &Value| number_of(input, "copied into the maintenance system by hand");
            let unit = |mut value: Value, cited: u64| {
                value["citations"] = json!([cited]);
                value["reason"] = json!("");
                value
            };
            let answer = match step(input) {
                "brief" => json!({
                    "fit": {"verdict": unit(json!({"verdict": "good"}), by_hand(input)), "reasons": [
                        unit(json!({"text": "They copy readings by hand, which gateways end."}), by_hand(input)),
                        unit(json!({"text": "They have 77 sites."}), by_hand(input))]},
                    "why_now": [unit(json!({"text": "The fifth cold store opens: its readings need a place."}), number_of(input, "fifth cold store in Dundee"))],
                    "theses": [], "who": [], "gaps": [],
                }),
                "part" => {
                    let mut answer = json!({"derivations": [{"formula": "340*29", "result": "9860"}], "found": []});
                    for name in input["response_schema"]["required"].as_array().unwrap() {
                        let name = name.as_str().unwrap();
                        let people = || number_of(input, "340 people");
                        match name {
                            "messages_by_persona" => answer[name] = json!([
                                unit(json!({"role": "Head of Engineering", "message": "Your people copy readings by hand once a shift; a gateway does that. Shall we look at one store for 20 minutes?"}), by_hand(input)),
                                unit(json!({"role": "Jane Miller", "message": "Jane, you copy by hand."}), by_hand(input))]),
                            "business_case" => answer[name] = json!([
                                unit(json!({"text": "A gateway for each of 340 people is 9,860 euros a month.", "formula": "340*29=9860"}), people())]),
                            "derivations" | "found" => {}
                            _ => answer[name] = json!([]),
                        }
                    }
                    answer
                }
                _ => json!({}),
            };
            Ok(answered(answer))
        })
}

#[test]
fn a_model_says_what_to_tell_whom_and_what_it_is_worth() {
    let draft = written().draft();
    let result = &draft["result"];
    let messages = result["messages_by_persona"].as_array().unwrap();
    assert_eq!(messages.len(), 1, "never a named person: {messages:?}");
    assert_eq!(messages[0]["role"], "Head of Engineering");
    assert_eq!(left_out(&draft, "/messages_by_persona"), ["person"]);
    assert_eq!(
        result["business_case"],
        json!([{"text": "A gateway for each of 340 people is 9,860 euros a month.", "formula": "340*29=9860"}]),
        "{}",
        draft["left_out"]
    );
    for pointer in ["/messages_by_persona/0", "/business_case/0"] {
        let entry = basis(&draft, pointer);
        assert_eq!(entry["basis"], "inferred", "{entry}");
        assert!(!entry["excerpts"].as_array().unwrap().is_empty());
    }
}

#[test]
fn the_brief_s_verdict_and_moment_are_shown_with_their_evidence() {
    let draft = written().draft();
    let result = &draft["result"];
    assert_eq!(
        result["fit"],
        json!({"verdict": "good", "reasons": ["They copy readings by hand, which gateways end."]}),
        "{}",
        draft["left_out"]
    );
    assert_eq!(left_out(&draft, "/fit/reasons"), ["number"]);
    assert_eq!(
        result["why_now"],
        json!(["The fifth cold store opens: its readings need a place."])
    );
    let entry = basis(&draft, "/why_now/0");
    assert!(entry["excerpts"].to_string().contains("Dundee"), "{entry}");
    assert!(
        !basis(&draft, "/fit/reasons/0")["excerpts"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}

#[test]
fn without_their_sections_they_stay_empty() {
    let sections = ["business_summary", "company_profile", "next_steps"];
    let draft = written().only(&sections).draft();
    let result = &draft["result"];
    assert_eq!(result["fit"], json!({"verdict": null, "reasons": []}));
    let others = COMPANIONS
        .iter()
        .filter(|(of, name)| *name != "fit" && !sections.contains(of));
    for (_, name) in others {
        assert_eq!(result[name], json!([]), "{name}");
    }
    // The model wrote nothing of what pages say in their own words.
    assert_ne!(result["site_digest"], json!([]));
    assert!(
        left_out(&draft, "/fit/reasons").is_empty(),
        "nobody asked for it"
    );
}

#[test]
fn a_small_model_writes_no_brief_and_events_say_why_now() {
    let draft = written().set("model_context_chars", json!(12_000)).draft();
    let result = &draft["result"];
    assert_eq!(result["fit"], json!({"verdict": null, "reasons": []}));
    let signals = result["buying_signals"].as_array().unwrap();
    let events: Vec<&Value> = signals
        .iter()
        .filter(|signal| signal["observed_at"].is_string())
        .map(|signal| &signal["signal"])
        .take(3)
        .collect();
    assert!(!events.is_empty());
    assert_eq!(result["why_now"], json!(events));
}
