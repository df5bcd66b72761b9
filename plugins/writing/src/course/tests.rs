#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use super::*;
use crate::form::{Field, Form, Layout, Support, needed, plain};
use crate::found::Found;
use crate::scripted::{Scripted, answered, number_of, site};
use crate::task::ModelUse;
use gtm_site_research::claim::{Basis, Claim};
use gtm_site_research::evidence::{Evidence, collect};
use gtm_site_research::reading::Research;
use gtm_site_research::roles::Role;
use serde_json::json;

mod readings;

const TEXT: &[Field] = &[needed("text", Form::Text(900))];
const FACT: Unit = plain(TEXT, Support::Fact);
const ADVICE: Unit = plain(TEXT, Support::Advice);

const fn part(name: &'static str, layout: Layout) -> Part {
    Part {
        name,
        layout,
        instruction: "",
    }
}

const BRIEF: &[Part] = &[
    part("why_now", Layout::One(ADVICE)),
    part("gaps", Layout::Many(ADVICE, 4)),
    part("theses", Layout::Many(ADVICE, 3)),
];
const PARTS: &[Part] = &[
    part("summary", Layout::One(FACT)),
    part("signals", Layout::Many(FACT, 3)),
    part("offers", Layout::Many(FACT.not_from_job_offers(), 3)),
    part("answers", Layout::Many(ADVICE.also_from_caller(), 3)),
];

const STORES: &str = "Acme stores food for 210 producers.";
const HAND: &str = "Readings are copied by hand once a shift.";
const JOBS: &str = "We offer internships in marketing.";
const SELLER: &str = "The programme reads no drawings and no plans.";
const LOAN: &str = "A loan of 18 million pays for new pumps.";

fn acme() -> Research {
    site(&[
        (
            Role::Home,
            &[
                ("paragraph", STORES),
                ("paragraph", HAND),
                ("paragraph", LOAN),
            ],
        ),
        (Role::Careers, &[("paragraph", JOBS)]),
    ])
}

/// Writes with a model that gets few tokens, so that each part has a call of its own, or many.
fn written(host: &Scripted, found: Found, max_output_tokens: u64) -> Result<Written, Failure> {
    written_of(&acme(), host, found, max_output_tokens)
}

fn written_of(
    research: &Research,
    host: &Scripted,
    found: Found,
    tokens: u64,
) -> Result<Written, Failure> {
    let evidence = collect(research);
    write(host, task(research, &evidence, found, tokens))
}

fn task<'a>(
    research: &'a Research,
    evidence: &'a Evidence,
    found: Found,
    max_output_tokens: u64,
) -> Task<'a> {
    Task {
        what: "playbook",
        purpose: "You write.",
        style: "",
        context: "Target: Acme",
        brief: BRIEF,
        shown_of_brief: &["why_now", "gaps"],
        parts: PARTS,
        found,
        research,
        evidence,
        worth: &|_| 0,
        caller: SELLER,
        company: "Acme acme.example",
        language: "en",
        supported: Basis::Observed,
        reasons: true,
        model: ModelUse {
            context_chars: 60_000,
            max_output_tokens,
            temperature: None,
            critique: true,
        },
        progress: (0, 100),
    }
}

const MANY: u64 = 8_000;
const FEW: u64 = 900;

fn step(input: &Value) -> &str {
    let name = input["response_name"].as_str().unwrap();
    name.strip_prefix("playbook_").unwrap()
}

fn asks(input: &Value, part: &str) -> bool {
    input["response_schema"]["properties"].get(part).is_some()
}

fn unit(input: &Value, text: &str, excerpt: &str) -> Value {
    json!({"text": text, "citations": [number_of(input, excerpt)], "reason": ""})
}

/// The answer of a model that means well.
fn good(input: &Value) -> Value {
    match step(input) {
        "brief" => json!({"why_now": unit(input, "The loan is there to be spent.", LOAN)}),
        "part" => {
            json!({"summary": unit(input, "Acme keeps food for 210 producers.", STORES), "signals": [unit(input, "Acme borrows 18 million.", LOAN)],
                "offers": [], "answers": [], "derivations": [], "found": []})
        }
        _ => json!({"verdicts": []}),
    }
}

fn texts(claims: Vec<Claim>) -> Vec<Value> {
    claims.into_iter().map(|claim| claim.value).collect()
}

/// The lines of claims in a critic's prompt: number and text.
fn read(input: &Value) -> Vec<(String, String)> {
    let prompt = input["messages"][1]["content"].as_str().unwrap();
    let line = |line: &str| {
        let (number, rest) = line.strip_prefix('C')?.split_once(" (")?;
        let (_, text) = rest.split_once(") ")?;
        Some((format!("C{number}"), text.to_owned()))
    };
    prompt.lines().filter_map(line).collect()
}

#[test]
fn each_call_decides_on_the_facts_of_its_parts() {
    let mut found = Found::default();
    found.add("signals", [Claim::quoted(LOAN, 0)]);
    found.add("elsewhere", [Claim::quoted(HAND, 0)]);
    let host = Scripted::new(|input| {
        let mut answer = good(input);
        answer["signals"] = json!([]);
        // Only the second call was shown the first fact.
        answer["found"] = match asks(input, "summary") {
            true => json!([{"fact": 1, "decision": "keep"}, {"fact": 2, "decision": "reject"}]),
            false => json!([{"fact": 1, "decision": "reject"}]),
        };
        Ok(answered(answer))
    });
    let mut written = written(&host, found, FEW).unwrap();
    let prompts: Vec<String> = (0..host.calls())
        .filter(|call| step(&host.call(*call)) == "part")
        .map(|call| host.prompt(call))
        .collect();
    assert_eq!(prompts.len(), 4, "a call for each part");
    assert!(prompts[0].contains("F2 (elsewhere;") && !prompts[0].contains("F1 ("));
    assert!(prompts[1].contains("F1 (signals;") && !prompts[1].contains("F2 ("));
    assert!(written.list("signals").is_empty());
    assert!(written.list("elsewhere").is_empty());
}

#[test]
fn the_brief_is_checked_and_kept() {
    let host = Scripted::new(|input| {
        let mut answer = good(input);
        if step(input) == "critique" {
            let claims = read(input);
            assert!(claims.iter().any(|(_, text)| text.contains("to be spent")));
        }
        answer["derivations"] = json!([]);
        Ok(answered(answer))
    });
    let mut kept = written(&host, Found::default(), MANY).unwrap();
    assert_eq!(
        kept.one("why_now").unwrap().value,
        "The loan is there to be spent."
    );
    assert!(host.prompt(1).contains("why_now: The loan"), "notes stay");
    let host = Scripted::new(|input| {
        let mut answer = good(input);
        if step(input) == "brief" {
            answer["why_now"] = unit(input, "They earn 77 million.", LOAN);
            // Nothing is cited for what nobody says.
            answer["gaps"] =
                json!([{"text": "Who signs is not told.", "citations": [], "reason": ""}]);
        }
        Ok(answered(answer))
    });
    let mut invented = written(&host, Found::default(), MANY).unwrap();
    assert_eq!(invented.one("why_now"), None);
    assert_eq!(invented.left_out(), [("why_now".to_owned(), "number", 1)]);
}

#[test]
fn a_call_that_fails_alone_costs_its_parts_only() {
    let failing = |wanted: fn(&Value) -> bool, failure: Failure, tokens: u64| {
        let host = Scripted::new(move |input| match wanted(input) {
            true => Err(failure.clone()),
            false => Ok(answered(good(input))),
        });
        written(&host, Found::default(), tokens)
    };
    let late = || Failure::timeout("timeout", "Late.");
    let mut without_brief = failing(|input| step(input) == "brief", late(), MANY).unwrap();
    assert_eq!(without_brief.failed, ["why_now", "gaps"]);
    assert!(without_brief.one("summary").is_some());
    let mut without_signals = failing(
        |input| step(input) == "part" && asks(input, "signals"),
        late(),
        FEW,
    )
    .unwrap();
    assert_eq!(without_signals.failed, ["signals"]);
    assert_eq!(
        without_signals.left_out(),
        [("signals".to_owned(), "no_answer", 1)]
    );
    assert!(without_signals.one("summary").is_some());
    let nothing = failing(|input| step(input) == "part", late(), FEW);
    assert_eq!(nothing.unwrap_err().code, "backend_timeout");
    for (failure, code) in [
        (Failure::quota("spent", "Spent."), "quota_exceeded"),
        (Failure::canceled("canceled", "Stop."), "canceled"),
        (
            Failure::unauthorized("http_401", "No."),
            "connector_credentials_rejected",
        ),
    ] {
        for wanted in [
            (|input| step(input) == "brief") as fn(&Value) -> bool,
            |input| step(input) == "part" && asks(input, "signals"),
        ] {
            let ended = failing(wanted, failure.clone(), FEW);
            assert_eq!(ended.unwrap_err().code, code);
        }
    }
}

#[test]
fn a_part_that_no_answer_has_is_said_to_be_missing() {
    let host = Scripted::new(|input| {
        let mut answer = good(input);
        answer.as_object_mut().unwrap().remove("signals");
        Ok(answered(answer))
    });
    let written = written(&host, Found::default(), MANY).unwrap();
    assert_eq!(written.failed, ["signals"]);
}

#[test]
fn only_the_contradicted_sentence_of_a_text_falls() {
    let host = Scripted::new(|input| {
        let mut answer = good(input);
        answer["summary"] = unit(
            input,
            "Acme keeps food for 210 producers. It owns all of its lorries. Readings are written down by people.",
            STORES,
        );
        answer["summary"]["reason"] = json!("They have lorries.");
        if step(input) == "critique" {
            let verdicts = read(input).into_iter().map(|(number, text)| {
                let word = if text.contains("lorries") {
                    "contradicted"
                } else {
                    "supported"
                };
                json!({"claim": number, "verdict": word, "faulty": ""})
            });
            answer = json!({"verdicts": verdicts.collect::<Vec<_>>()});
        }
        Ok(answered(answer))
    });
    let mut written = written(&host, Found::default(), MANY).unwrap();
    let claim = written.one("summary").unwrap();
    assert_eq!(
        claim.value,
        "Acme keeps food for 210 producers. Readings are written down by people."
    );
    assert_eq!(claim.basis, Basis::Observed);
    assert!(!claim.reasoning.unwrap().contains("lorries"));
    let logs = host.notes();
    assert!(
        logs.contains("left out of summary: sentence or member, contradicted (1)"),
        "{logs}"
    );
}

#[test]
fn a_wrong_rewriting_does_not_cost_the_sentences_that_stood() {
    let host = Scripted::new(|input| {
        let mut answer = good(input);
        answer["summary"] = unit(input, "Acme keeps food. It owns lorries.", STORES);
        match step(input) {
            "critique" => {
                let verdicts = read(input).into_iter().map(|(number, text)| {
                    let wrong = text.contains("lorries") || text.contains("ships");
                    json!({"claim": number, "verdict": if wrong { "contradicted" } else { "supported" }, "faulty": ""})
                });
                answer = json!({"verdicts": verdicts.collect::<Vec<_>>()});
            }
            "rewriting" => {
                let name = input["response_schema"]["required"][0].as_str().unwrap();
                answer = json!({});
                answer[name] = unit(input, "Acme ships food.", STORES);
            }
            _ => {}
        }
        Ok(answered(answer))
    });
    let mut written = written(&host, Found::default(), MANY).unwrap();
    assert_eq!(written.one("summary").unwrap().value, "Acme keeps food.");
}

#[test]
fn numbers_of_excerpts_reach_no_reader() {
    let host = Scripted::new(|input| {
        let mut answer = good(input);
        answer["summary"] = unit(
            input,
            "Acme keeps food [E1] for 210 producers (E1).",
            STORES,
        );
        answer["signals"] = json!([
            unit(input, "E3 speaks of a loan.", LOAN),
            unit(input, "There is a loan. E3 says so.", LOAN)
        ]);
        Ok(answered(answer))
    });
    let mut written = written(&host, Found::default(), MANY).unwrap();
    assert_eq!(
        written.one("summary").unwrap().value,
        "Acme keeps food for 210 producers."
    );
    assert_eq!(texts(written.list("signals")), ["There is a loan."]);
    assert_eq!(written.left_out(), [("signals".to_owned(), "number", 2)]);
}

#[test]
fn job_offers_carry_signals_and_no_offers() {
    let host = Scripted::new(|input| {
        let mut answer = good(input);
        let mut internship = unit(input, "Internships in marketing", JOBS);
        answer["signals"] = json!([internship]);
        internship["citations"] = json!([number_of(input, STORES), number_of(input, JOBS)]);
        answer["offers"] = json!([internship]);
        Ok(answered(answer))
    });
    let mut written = written(&host, Found::default(), MANY).unwrap();
    assert_eq!(written.list("signals").len(), 1);
    assert!(written.list("offers").is_empty());
    assert_eq!(written.left_out(), [("offers".to_owned(), "job_offer", 1)]);
}

#[test]
fn lists_hold_what_they_may_and_say_what_they_could_not() {
    let mut found = Found::default();
    found.add("signals", [Claim::quoted(HAND, 0)]);
    let host = Scripted::new(|input| {
        let mut answer = good(input);
        let lines = [
            "Acme borrows.",
            "Acme has a loan.",
            "Acme buys pumps.",
            "Acme spends.",
        ];
        answer["signals"] = lines.iter().map(|line| unit(input, line, LOAN)).collect();
        Ok(answered(answer))
    });
    let mut written = written(&host, found, MANY).unwrap();
    assert_eq!(
        texts(written.list("signals")),
        ["Acme borrows.", "Acme has a loan.", "Acme buys pumps."]
    );
    assert_eq!(written.left_out(), [("signals".to_owned(), "too_many", 2)]);
}

#[test]
fn what_the_caller_alone_says_may_be_written_again() {
    let host = Scripted::new(|input| {
        let mut answer = good(input);
        let line = |text: &str| json!([{"text": text, "citations": [0], "reason": ""}]);
        let system = input["messages"][0]["content"].as_str().unwrap();
        assert!(system.contains("0 alone is enough in answers where"));
        match step(input) {
            "part" => answer["answers"] = line("No: it reads plans of any age."),
            "critique" => {
                let verdicts = read(input).into_iter().map(|(number, text)| {
                    let wrong = text.contains("any age");
                    json!({"claim": number, "verdict": if wrong { "contradicted" } else { "supported" }, "faulty": if wrong { "reads plans of any age" } else { "" }})
                });
                answer = json!({"verdicts": verdicts.collect::<Vec<_>>()});
            }
            "rewriting" => {
                let name = input["response_schema"]["required"][0].as_str().unwrap();
                answer = json!({});
                answer[name] = line("No: the programme reads no drawings.")[0].clone();
            }
            _ => {}
        }
        Ok(answered(answer))
    });
    let mut written = written(&host, Found::default(), MANY).unwrap();
    let claim = written.one("answers").unwrap();
    assert_eq!(claim.value, "No: the programme reads no drawings.");
    assert_eq!(claim.basis, Basis::Provided);
}

#[test]
fn notes_that_no_result_shows_are_not_read() {
    let host = Scripted::new(|input| {
        let mut answer = good(input);
        if step(input) == "brief" {
            answer["theses"] = json!([unit(input, "They write by hand.", HAND)]);
        }
        if step(input) == "critique" {
            assert!(
                read(input)
                    .iter()
                    .all(|(_, text)| !text.contains("by hand"))
            );
        }
        Ok(answered(answer))
    });
    written(&host, Found::default(), MANY).unwrap();
    assert!(host.prompt(1).contains("theses: They write by hand."));
}

#[test]
fn what_the_model_keeps_stands_beside_all_that_it_writes() {
    let mut found = Found::default();
    found.add("signals", [Claim::quoted(HAND, 0)]);
    let host = Scripted::new(|input| {
        let mut answer = good(input);
        let lines = ["Acme borrows.", "Acme has a loan.", "Acme buys pumps."];
        answer["signals"] = lines.iter().map(|line| unit(input, line, LOAN)).collect();
        answer["found"] = json!([{"fact": 1, "decision": "keep"}]);
        Ok(answered(answer))
    });
    let mut written = written(&host, found, MANY).unwrap();
    assert_eq!(written.list("signals").len(), 4);
    assert!(written.left_out().is_empty());
}
