//! Briefs, offers and reference documents of people who mean no good, and of chance.

use std::collections::BTreeSet;

use gtm_lexicon::numbers::{self, InWords};
use gtm_sdk::json::json;
use gtm_test_support::growth;
use proptest::prelude::*;

use crate::briefs;
use crate::printed::print;
use crate::run::{Job, brand, job, offer, whole};

const TYPES: [&str; 6] = [
    "proposal",
    "playbook",
    "deck",
    "gtm_strategy",
    "report",
    "one_pager",
];

/// A valid draft, or a failure that says what is missing.
fn run(job: Job) {
    match job.run().output {
        Ok(draft) => {
            whole(&draft);
        }
        Err(failure) => assert_eq!(failure.code, "insufficient_content", "{failure:?}"),
    }
}

/// Long, deep and odd briefs, some as large as one may be.
fn enormous() -> Vec<String> {
    let briefs = [
        "a".repeat(200_000),
        "word ".repeat(10_000),
        "- item\n".repeat(7_000),
        "1. **Step**: do it\n".repeat(1_000),
        "# Heading\n\ntext\n\n".repeat(2_000),
        "> ".repeat(100_000),
        "- ".repeat(100_000),
        "*".repeat(200_000),
        "[".repeat(200_000),
        "[a](".repeat(10_000),
        "<b>".repeat(60_000),
        "`".repeat(199_999),
        format!(
            "|{}\n|{}\n|{}",
            "a|".repeat(3_000),
            "-|".repeat(3_000),
            "1|".repeat(3_000)
        ),
        format!("| a | b |\n|---|---|\n{}", "| 1 | 2 |\n".repeat(6_000)),
        (0..3_000)
            .map(|depth| format!("{}- a\n", " ".repeat(depth % 60)))
            .collect::<String>(),
        "\u{202e}\u{0}\u{b}\u{feff}x\r\n".repeat(4_000),
        "Write a proposal. ".repeat(2_000),
        "Audience: CFO\n".repeat(2_000),
        "👩\u{200d}💻 ".repeat(5_000),
        "**1** a\n\n".repeat(4_000),
    ];
    briefs.to_vec()
}

#[test]
fn enormous_and_nested_briefs_are_bounded() {
    // Generous, because the tests run without optimization.
    growth::takes_at_most(240, || {
        for brief in enormous() {
            for kind in ["deck", "report"] {
                run(job(&brief).with("/document_type", json!(kind)));
            }
        }
    });
}

#[test]
fn markup_look_alikes_stay_text() {
    let draft = job("# A & B\n\n## Signs\n\n<script>alert(1)</script> 5 < 6 &amp; **bold** `code` {{x}} #let $x$ [a](javascript:alert(1)) [b](https://coldwise.example/a) [c](https://user@evil.example/)\n\n## Table\n\n|a|b|\n|-|-|\n|<x>|</w:t>|\n")
        .with("/document_type", json!("report")).draft();
    let document = whole(&draft);
    let text = print(&document);
    assert!(
        !text.contains("alert(1)") && text.contains("5 < 6 & bold code {{x}} #let $x$"),
        "{text}"
    );
    let links: Vec<&str> = document
        .runs()
        .into_iter()
        .filter_map(|(_, run)| run.href.as_deref())
        .collect();
    assert_eq!(links, ["https://coldwise.example/a"]);
}

#[test]
fn odd_guidelines_and_offers_are_read_as_far_as_they_go() {
    for odd in [
        json!(null),
        json!([]),
        json!("x"),
        json!({"identity": 7, "positioning": {"value_propositions": [{"value": 3}, 4, null]}}),
        json!({"guideline": {"identity": {"brand_name": {"value": "\u{0}\u{202e}"}}}, "language": 5}),
    ] {
        let mut job = job(&briefs::sample());
        job.brand = odd.clone();
        job.offer = Some(odd);
        run(job);
    }
    let mut long = job(&briefs::sample());
    long.offer = Some(
        json!({"name": "x".repeat(5_000), "summary": "y ".repeat(5_000), "url": "https://evil.example/", "allowed_link_hosts": [],
        "facts": vec![json!({"key": "a", "text": "z".repeat(2_000)}); 100], "proof_points": [{"key": "p", "text": "9", "numeric_values": ["9", ""]}]}),
    );
    let draft = long.draft();
    assert!(!draft.to_string().contains("evil.example"));
}

/// Everything that a document may take a number from.
fn known(brief: &str) -> BTreeSet<String> {
    numbers::offered(&format!("{brief}\n{}\n{}", brand(), offer()))
}

fn every_number_stands(brief: &str, kind: &str) {
    let Ok(draft) = job(brief).with("/document_type", json!(kind)).run().output else {
        return;
    };
    let document = whole(&draft);
    // Markdown's marks may stand inside of a number, and an entity may be one.
    let bare = |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).collect() };
    let known = bare(&format!("{brief}\n{}\n{}", brand(), offer()));
    if brief.contains("&#") {
        return;
    }
    for (pointer, text) in texts(&document) {
        for digits in text
            .split(|c: char| !c.is_ascii_digit())
            .filter(|digits| !digits.is_empty())
        {
            assert!(known.contains(digits), "{digits} at {pointer} in {text:?}");
        }
    }
}

fn texts(document: &gtm_document_model::Document) -> Vec<(String, String)> {
    struct Texts(Vec<(String, String)>);
    impl<'d> gtm_document_model::Visitor<'d> for Texts {
        fn runs(
            &mut self,
            pointer: &str,
            _: gtm_document_model::TextRole,
            runs: &'d [gtm_document_model::Run],
        ) {
            self.0
                .push((pointer.to_owned(), gtm_document_model::plain_text(runs)));
        }
        fn line(&mut self, pointer: &str, _: gtm_document_model::TextRole, line: &'d str) {
            self.0.push((pointer.to_owned(), line.to_owned()));
        }
    }
    let mut texts = Texts(Vec::new());
    document.walk(&mut texts);
    texts.0
}

#[test]
fn no_number_comes_from_nowhere() {
    for kind in TYPES {
        for brief in [
            briefs::sample(),
            briefs::GERMAN.to_owned(),
            briefs::FRENCH.to_owned(),
            briefs::JAPANESE.to_owned(),
        ] {
            let draft = job(&brief).with("/document_type", json!(kind)).draft();
            let known = known(&brief);
            for (pointer, text) in texts(&whole(&draft)) {
                for number in numbers::read(&text, InWords::Ignored) {
                    assert!(
                        number.stands_in(&[&known]),
                        "{} at {pointer} in {text:?}",
                        number.form()
                    );
                }
            }
        }
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let inline = prop_oneof![
        "[a-zA-Z0-9 .,:;!?%€$<>&'\"*_`|\\[\\]()#-]{0,60}",
        "\\PC{0,30}",
        Just("Write a proposal for Tarnbeck.".to_owned()),
        Just("**38 %** fewer alarms".to_owned()),
        Just("Notes: say this aloud.".to_owned()),
    ];
    let block = (inline.clone(), 0..12_u8).prop_map(|(text, kind)| match kind {
        0 => format!("# {text}\n\n"),
        1 => format!("## {text}\n\n"),
        2 => format!("### {text}\n"),
        3 => format!("- {text}\n"),
        4 => format!("  1. {text}\n"),
        5 => format!("> {text}\n"),
        6 => format!("| a | {text} |\n|---|---|\n| 2024 | 12 % |\n| {text} | 5 |\n\n"),
        7 => format!("```\n{text}\n```\n"),
        8 => format!("![{text}](x.png)\n"),
        9 => format!("Week {text}: begin\n"),
        10 => format!("[{text}](https://a.example/b)\n"),
        _ => format!("{text}\n\n"),
    });
    prop::collection::vec(block, 0..24).prop_map(|blocks| blocks.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_brief_becomes_a_valid_draft_or_a_clear_failure(brief in pieces(), kind in 0..6_usize, with_offer in any::<bool>()) {
        let mut job = job(&brief).with("/document_type", json!(TYPES[kind]));
        if !with_offer {
            job = job.alone();
        }
        run(job);
    }

    #[test]
    fn any_brief_brings_its_own_numbers_only(brief in pieces(), kind in 0..6_usize) {
        every_number_stands(&brief, TYPES[kind]);
    }

    #[test]
    fn any_answer_of_a_model_becomes_a_valid_draft_or_a_clear_failure(text in "\\PC{0,80}", kind in 0..6_usize, piece in 0..12_usize) {
        let kinds = ["lead", "paragraph", "bullet", "figure", "quote", "callout", "step", "event", "columns", "row", "heading", "?"];
        let answer = json!({"title": text, "sections": [{"title": text, "kind": "facts"}, {"title": "Next", "kind": "next_steps"}],
            "s01": [{"text": text, "kind": kinds[piece], "label": text, "cells": [text, "1"], "citations": [1, 2]},
                {"text": "Cold stores", "kind": kinds[(piece + 1) % 12], "label": "", "cells": ["a", "b"], "citations": [1]}],
            "s02": {"blocks": [{"text": text, "kind": kinds[piece], "citations": [1]}], "notes": {"text": text, "citations": [1]}},
            "derivations": [{"formula": "40*5", "result": "200"}]});
        let answer = json!({"json": answer, "content": "", "finish_reason": "stop"});
        match job(&briefs::sample()).with("/document_type", json!(TYPES[kind])).model(move |_| Ok(answer.clone())).run().output {
            Ok(draft) => { whole(&draft); }
            Err(failure) => prop_assert_eq!(failure.code, "backend_invalid_response"),
        }
    }
}
