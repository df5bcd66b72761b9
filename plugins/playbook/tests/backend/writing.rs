//! What a model is shown, and how much of a broken answer is saved.

use gtm_sdk::{Value, json::json};

use crate::run::{acme, answered, asked, basis, number_of, sample, shared, step};
use crate::web::Web;

/// The summary that a model writes, and what else its answer has.
fn summary(answer: impl Fn(&Value) -> Value + 'static) -> Value {
    sample()
        .only(&["business_summary", "next_steps", "risks"])
        .model(move |input| {
            Ok(answered(match step(input) {
                "part" => answer(input),
                _ => json!({}),
            }))
        })
        .draft()
}

/// The user message of the first call that writes sections.
fn prompt(job: crate::run::Job) -> String {
    let seen = shared(String::new());
    let record = seen.clone();
    let run = job
        .model(move |input| {
            if step(input) == "part" && record.borrow().is_empty() {
                *record.borrow_mut() = input["messages"][1]["content"].as_str().unwrap().to_owned();
            }
            Ok(answered(json!({})))
        })
        .run();
    assert!(run.output.is_ok());
    seen.borrow().clone()
}

#[test]
fn the_whole_site_is_shown_under_its_titles() {
    let prompt = prompt(sample());
    for line in [
        "] Managing Director",
        "] Head of Quality",
        "] Harrow and Finch Dairies",
        "] 14 October 2026",
        "Page 1 (home): ",
        "(job offers): ",
    ] {
        assert!(prompt.contains(line), "{line} in {prompt}");
    }
    let numbers = prompt.lines().filter(|line| line.starts_with("[E")).count();
    assert!(numbers > 120, "{numbers} excerpts");
}

#[test]
fn lists_tables_counters_and_footers_are_shown() {
    let web = Web::new().page(
        "https://acme.example/",
        "<html lang=en><head><title>Acme Rail</title></head><body><main><h1>Acme</h1><h2>Signals</h2><h3>In figures</h3><p>340</p><p>stations</p>\
         <p>Acme builds rail signals for regional lines.</p><ul><li>Northern Rail</li><li>Severn Line</li></ul>\
         <table><tr><td>Head office</td><td>Leeds</td></tr></table></main><footer><p>Acme Ltd, 4 Canal Street, Leeds LS1 4AA</p></footer></body></html>",
    );
    let prompt = prompt(acme(web));
    for line in [
        "Page 1 (home): Acme Rail | https://acme.example/",
        "] Acme\n[E2] Signals\n[E3] In figures\n[E4] ",
        "] 340",
        "] Northern Rail",
        "] Acme Ltd, 4 Canal Street, Leeds LS1 4AA",
    ] {
        assert!(prompt.contains(line), "{line} in {prompt}");
    }
    assert!(
        prompt
            .lines()
            .any(|line| line.contains("Head office") && line.contains("Leeds"))
    );
}

#[test]
fn scripts_without_spaces_are_shown() {
    let web = Web::new().page(
        "https://acme.example/",
        "<html lang=ja><body><main><h1>施設管理を、もっと簡単に</h1><p>アクメは施設管理のためのクラウドサービスを提供しています。</p>\
         <p>導入企業は120社です。</p></main></body></html>",
    );
    let prompt = prompt(acme(web));
    for line in ["] 施設管理を、もっと簡単に", "] 導入企業は120社です。"] {
        assert!(prompt.contains(line), "{line} in {prompt}");
    }
}

#[test]
fn a_number_of_another_excerpt_brings_that_excerpt() {
    let draft = summary(
        |input| json!({"business_summary": {"text": "Tarnbeck stores food with 340 people.", "citations": [number_of(input, "210 producers in")]}}),
    );
    let excerpts = basis(&draft, "/business_summary")["excerpts"].to_string();
    assert!(
        excerpts.contains("210 producers") && excerpts.contains("340 people"),
        "{excerpts}"
    );
}

#[test]
fn only_the_faulty_sentence_of_a_text_falls() {
    let draft = summary(|input| {
        json!({"business_summary": {"text": "Tarnbeck stores food for 210 producers. It earns 77 million. It keeps records, too.",
            "citations": [number_of(input, "210 producers in"), 9_999]}})
    });
    assert_eq!(
        draft["result"]["business_summary"],
        "Tarnbeck stores food for 210 producers. It keeps records, too."
    );
}

#[test]
fn a_sum_stands_if_its_formula_is_right() {
    let with = |formula: &'static str| {
        summary(move |input| {
            json!({"business_summary": {"text": "Tarnbeck has 68 people for each site.", "citations": [number_of(input, "340 people")], "reason": "A sum."},
                "derivations": [{"formula": formula, "result": "68"}]})
        })
    };
    // "five sites" is no number in digits, so the model may only use what is printed: 340 and 14,280.
    let wrong = with("340/6");
    assert_eq!(wrong["result"]["business_summary"], Value::Null);
    let invented = with("4 * 17");
    assert_eq!(invented["result"]["business_summary"], Value::Null);
    let right = summary(|input| {
        json!({"business_summary": {"text": "Tarnbeck has 550 people and producers.", "reason": "A sum.",
                "citations": [number_of(input, "340 people"), number_of(input, "210 producers in")]},
            "derivations": [{"formula": "340 + 210", "result": "550"}]})
    });
    assert_eq!(
        right["result"]["business_summary"],
        "Tarnbeck has 550 people and producers."
    );
    let reasoning = &basis(&right, "/business_summary")["reasoning"];
    assert_eq!(reasoning, "A sum. (340 + 210=550)");
}

#[test]
fn the_length_of_a_meeting_may_be_proposed_and_no_other_number() {
    let draft = summary(|input| {
        let cited = number_of(input, "copied into the maintenance system by hand");
        json!({"next_steps": [
            {"text": "Ask for 20 minutes with the engineering team.", "citations": [cited]},
            {"text": "Mention the 20 percent that others save.", "citations": [cited]}]})
    });
    assert_eq!(
        draft["result"]["next_steps"],
        json!(["Ask for 20 minutes with the engineering team."])
    );
}

#[test]
fn what_a_site_hires_for_is_not_what_it_sells() {
    let web = Web::new()
        .text(
            "https://acme.example/",
            "<p>Acme builds rail signals for regional lines in 9 countries.</p><a href=/jobs>Jobs</a>",
        )
        .text("https://acme.example/jobs", "<h1>Jobs</h1><p>We offer an internship in marketing for students.</p>");
    let draft = acme(web)
        .only(&["company_profile", "risks"])
        .model(|input| {
            Ok(answered(match step(input) {
                "part" => json!({"company_profile": {"offerings": [
                    {"text": "Rail signals", "citations": [number_of(input, "builds rail signals")]},
                    {"text": "Internships in marketing", "citations": [number_of(input, "an internship")]}]}}),
                _ => json!({}),
            }))
        })
        .draft();
    let offerings = draft["result"]["company_profile"]["offerings"].to_string();
    assert!(
        offerings.contains("Rail signals") && !offerings.contains("nternship"),
        "{offerings}"
    );
}

#[test]
fn a_cut_answer_is_saved_and_its_rest_asked_for_once() {
    let seen = shared(Vec::<Vec<String>>::new());
    let record = seen.clone();
    let draft = sample()
        .only(&["business_summary", "sales_angles", "next_steps"])
        .model(move |input| {
            if step(input) != "part" {
                return Ok(answered(json!({})));
            }
            record.borrow_mut().push(asked(input));
            let cited = number_of(input, "copied into the maintenance system by hand");
            let unit = |text: &str| json!({"text": text, "citations": [cited], "reason": ""});
            if record.borrow().len() == 1 {
                let mut cut = answered(json!({}));
                cut["json"] = Value::Null;
                cut["finish_reason"] = json!("length");
                cut["content"] = json!(format!(
                    "{{\"business_summary\": {}, \"sales_angles\": [{}, {{\"text\": \"Half an ang",
                    unit("Readings are copied by hand."),
                    unit("Stop the copying by hand.")
                ));
                return Ok(cut);
            }
            Ok(answered(
                json!({"next_steps": [unit("Ask who copies the readings.")]}),
            ))
        })
        .draft();
    assert_eq!(
        draft["result"]["business_summary"],
        "Readings are copied by hand."
    );
    assert_eq!(
        draft["result"]["sales_angles"],
        json!(["Stop the copying by hand."])
    );
    assert_eq!(
        draft["result"]["next_steps"],
        json!(["Ask who copies the readings."])
    );
    assert_eq!(seen.borrow().last().unwrap(), &["next_steps"]);
}

#[test]
fn the_model_decides_on_what_rules_found() {
    let deciding = |decision: &'static str| {
        sample()
            .only(&["buying_signals", "company_profile"])
            .model(move |input| {
                // The profile is missing in the answer, and asked for once more without the facts.
                if step(input) != "part" || !asked(input).contains(&"buying_signals".to_owned()) {
                    return Ok(answered(json!({})));
                }
                let prompt = input["messages"][1]["content"].as_str().unwrap();
                let decisions: Vec<Value> = prompt
                    .lines()
                    .filter_map(|line| line.strip_prefix('F')?.split_once(" (")?.0.parse::<u64>().ok())
                    .map(|fact| json!({"fact": fact, "decision": decision}))
                    .collect();
                assert!(decisions.len() > 5, "{prompt}");
                let loan = number_of(input, "raises £18 million");
                Ok(answered(json!({"found": decisions, "buying_signals": [
                    {"signal": "£18 million for new refrigeration", "kind": "funding", "observed_at": "2026-06-18", "citations": [loan]}]})))
            })
            .draft()
    };
    let loans = |draft: &Value| {
        let signals = draft["result"]["buying_signals"].as_array().unwrap();
        signals
            .iter()
            .filter(|signal| signal["signal"].to_string().contains("£18 million"))
            .cloned()
            .collect::<Vec<_>>()
    };
    let merged = deciding("merge");
    assert_eq!(loans(&merged).len(), 1);
    assert_eq!(loans(&merged)[0]["observed_at"], "2026-06-18");
    assert!(merged["result"]["buying_signals"].as_array().unwrap().len() > 1);
    let kept = deciding("keep");
    assert_eq!(loans(&kept).len(), 1);
    assert_ne!(loans(&kept)[0]["signal"], loans(&merged)[0]["signal"]);
    let rejected = deciding("reject");
    assert_eq!(
        rejected["result"]["buying_signals"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        rejected["result"]["company_profile"]["headquarters"],
        Value::Null
    );
}
