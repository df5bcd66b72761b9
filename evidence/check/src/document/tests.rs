//! Which texts of a document stand, and what is left of those that do not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bytes::Bytes;
use gtm_document_model::Document;
use gtm_domain::document::{DocumentFormat, DocumentInput};
use gtm_domain::evidence::ConnectorRef;
use gtm_domain::offer::{OfferContent, OfferInput};
use gtm_domain::{Digest, ReceiptId};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::citations::{bearings, keep_only};
use super::draft::{DocumentDraft, DocumentDraftError};
use super::*;
use crate::left_out::Reason;
use crate::library::{MAX_JOB_TEXT, Reported, Stored};
use crate::origin::tests::receipt;
use crate::stop_flag::StopFlag;

const PAGE: &str = "<html><title>Acme</title><body><p>Acme runs 14 blocks with 1,200 flats in Leeds.</p>\
    <p>“One bill per flat changed our year”, says Jo Reed, head of operations.</p>\
    <p>Costs: 2024 43 %, 2025 38 %.</p></body></html>";

fn input() -> DocumentInput {
    DocumentInput {
        brief: "A deck for Acme. Setup takes 3 days. Write to jo@northwind.example.".into(),
        document_type: None,
        format: None,
        target_domain: Some("acme.example".into()),
        brand: None,
        offer: None,
        template_urls: vec![],
        title: None,
        external_ref: None,
    }
}

fn offer() -> OfferContent {
    let written = json!({
        "name": "Handover meters",
        "proof_points": [{"key": "a", "text": "18,000 flats billed monthly"}],
        "allowed_link_hosts": ["northwind.example"],
        "forbidden_claims": ["guaranteed savings"],
    });
    OfferInput::read(&written).unwrap().content
}

fn id() -> String {
    ReceiptId::from_uuid(uuid::Uuid::from_u128(1)).to_string()
}

fn library() -> Library {
    let bytes = Bytes::from_static(PAGE.as_bytes());
    let connector = ConnectorRef {
        key: "web-fetch".into(),
        version: "1.0.0".into(),
        component_digest: Digest::of(b"wasm"),
    };
    let facts = Reported::of(&json!({"title": "Acme"}));
    let receipt = receipt(1, "https://www.acme.example/", &bytes);
    let mut library = Library::default();
    library.insert(Stored::of(receipt, &bytes, connector, facts, MAX_JOB_TEXT).unwrap());
    library
}

fn draft(blocks: Value) -> Value {
    json!({
        "format": "pptx", "document_type": "deck", "reason": "A talk.", "outline": ["A"],
        "meta": {"title": "Metering for Acme", "subtitle": null, "language": "en-GB", "direction": "ltr",
            "organization": null, "keywords": [], "classification": null},
        "sources": [{"id": "s1", "title": "Acme", "url": "https://evil.example/", "publisher": null,
            "retrieved_at": null, "receipt_id": id(), "excerpts": ["14 blocks with 1,200 flats", "no such words"]}],
        "sections": [{"id": "a", "title": "Why now", "blocks": blocks}],
        "left_out": [{"pointer": "/sections", "reason": "number", "count": 2}],
        "written_by": "model",
    })
}

fn read(draft: &Value) -> Result<DocumentDraft, DocumentDraftError> {
    DocumentDraft::read(draft, &input(), &DocumentFormat::ALL)
}

fn judged(draft: &Value) -> Checked {
    let (input, offer, library) = (input(), offer(), library());
    let restricted =
        json!({"value": {"text": "market leader", "reason": "Not proven."}, "source_ids": ["s1"]});
    let guideline = json!({"identity": {"domain": "northwind.example"},
        "messaging": {"claims_restricted": [restricted]}});
    let by = CheckInput {
        input: &input,
        guideline: &guideline,
        offer: Some(&offer),
        library: &library,
        image: None,
        year: "2026",
        stop: &StopFlag::default(),
    };
    check(read(draft).unwrap(), &by).unwrap()
}

fn blocks(given: Value) -> Value {
    let checked = judged(&draft(given));
    let first = checked.sections.first();
    first.map_or(Value::Null, |section| json!(section.blocks))
}

fn runs(text: &str, cite: &[&str]) -> Value {
    match cite {
        [] => json!([{"text": text}]),
        cite => json!([{"text": text, "cite": cite}]),
    }
}

fn paragraph(text: &str, cite: &[&str]) -> Value {
    json!({"type": "paragraph", "runs": runs(text, cite)})
}

/// What is left of a paragraph.
fn kept(text: &str, cite: &[&str]) -> Option<String> {
    let left = blocks(json!([paragraph(text, cite), paragraph("It stays.", &[])]));
    let first = left
        .pointer("/0/runs/0/text")
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned();
    (first != "It stays.").then_some(first)
}

#[test]
fn a_sentence_stands_by_what_was_given_or_what_it_cites() {
    for (text, cite, want) in [
        ("Setup takes 3 days.", &[][..], Some("Setup takes 3 days.")),
        ("They run 14 blocks.", &["s1"], Some("They run 14 blocks.")),
        ("They run 14 blocks.", &[], None),
        ("They run 14 blocks.", &["brief"], None),
        ("They run 15 blocks.", &["s1"], None),
        (
            "We bill 18,000 flats.",
            &["offer"],
            Some("We bill 18,000 flats."),
        ),
        ("In 2026 it begins.", &[], Some("In 2026 it begins.")),
        (
            "Good. They run 99 blocks. So be it.",
            &["s1"],
            Some("Good. So be it."),
        ),
        (
            "Write to jo@northwind.example.",
            &[],
            Some("Write to jo@northwind.example."),
        ),
        ("Write to jo@evil.example.", &[], None),
        ("See evil.example/x now.", &[], None),
        ("We promise Guaranteed  savings!", &[], None),
        (
            "“One bill per flat changed our year”.",
            &["s1"],
            Some("“One bill per flat changed our year”."),
        ),
        ("“One bill per flat changed our life”.", &["s1"], None),
        ("Twelve flats.", &[], None),
    ] {
        assert_eq!(kept(text, cite).as_deref(), want, "{text} {cite:?}");
    }
}

#[test]
fn a_sentence_over_several_runs_is_cut_out_of_them() {
    let given = json!([{"type": "paragraph", "runs": [
        {"text": "It is plain. They "}, {"text": "run 77", "bold": true}, {"text": " blocks. And well.", "italic": true},
    ]}]);
    assert_eq!(
        blocks(given),
        json!([{"type": "paragraph", "runs": [{"text": "It is plain. "}, {"text": "And well.", "italic": true}]}])
    );
}

#[test]
fn links_lead_only_to_known_places() {
    let linked = |href: &str| {
        let given = json!([{"type": "paragraph", "runs": [{"text": "Here", "href": href, "cite": ["s1"]}]}]);
        blocks(given)[0]["runs"][0]["href"]
            .as_str()
            .map(str::to_owned)
    };
    for href in [
        "https://www.acme.example/",
        "https://northwind.example/any/page",
        "mailto:jo@northwind.example?subject=Hi",
    ] {
        assert_eq!(linked(href).as_deref(), Some(href));
    }
    for href in [
        "https://evil.example/",
        "https://northwind.example.evil.example/",
        "mailto:jo@evil.example",
    ] {
        assert_eq!(linked(href), None, "{href}");
    }
    let cta =
        |href: &str| json!([paragraph("A", &[]), {"type": "cta", "label": "Meet", "href": href}]);
    assert_eq!(
        blocks(cta("https://northwind.example/meet"))
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(
        blocks(cta("https://evil.example/meet"))
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn of_tables_rows_go_and_of_figures_the_figure() {
    let row = |name: &str, value: &str, cite: &[&str]| json!([runs(name, &[]), runs(value, cite)]);
    let table = json!([{"type": "table", "columns": [{"label": "Year"}, {"label": "Cost"}], "rows": [
        row("2024", "43 %", &["s1"]), row("2025", "37 %", &["s1"]), row("Setup", "3 days", &[]),
    ]}]);
    let left = blocks(table);
    let names: Vec<&str> = (left[0]["rows"].as_array().unwrap().iter())
        .map(|row| row[0][0]["text"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["2024", "Setup"]);
    let kpis = json!([{"type": "kpis", "items": [
        {"value": "1,200", "label": "flats", "cite": ["s1"]},
        {"value": "1,300", "label": "flats", "cite": ["s1"]},
        {"value": "1,200", "label": "flats"},
    ]}]);
    assert_eq!(blocks(kpis)[0]["items"].as_array().unwrap().len(), 1);
}

#[test]
fn a_chart_stands_or_falls_as_a_whole() {
    let chart = |values: Value, cite: Value| {
        json!([paragraph("A", &[]), {"type": "chart", "kind": "bar", "categories": ["2024", "2025"],
            "series": [{"name": "Cost", "values": values}], "unit": "%", "alt": "Cost by year", "cite": cite}])
    };
    let count = |given: Value| blocks(given).as_array().unwrap().len();
    assert_eq!(count(chart(json!([43.0, 38.0]), json!(["s1"]))), 2);
    assert_eq!(count(chart(json!([43.0, null]), json!(["s1"]))), 2);
    assert_eq!(count(chart(json!([43.0, 39.0]), json!(["s1"]))), 1);
    assert_eq!(count(chart(json!([43.0, 38.0]), json!([]))), 1);
}

#[test]
fn quotations_are_word_for_word_and_of_the_one_who_made_them() {
    let quote = |words: &str, by: &str| {
        blocks(
            json!([paragraph("A", &[]), {"type": "quote", "runs": runs(words, &[]), "attribution": by, "cite": ["s1"]}]),
        )
    };
    let left = quote(
        "One bill per flat changed our year",
        "Jo Reed, head of operations",
    );
    assert_eq!(left[1]["attribution"], "Jo Reed, head of operations");
    let left = quote("One bill per flat changed our year", "Ada Lovelace");
    assert_eq!(
        (&left[1]["type"], &left[1]["attribution"]),
        (&json!("quote"), &Value::Null)
    );
    assert_eq!(
        quote("One bill per flat saved us", "Jo Reed")[1],
        Value::Null
    );
}

#[test]
fn lists_count_themselves_and_steps_are_numbered() {
    let step = |title: &str| json!({"title": title});
    let given = json!([
        paragraph("Three steps lead there.", &[]),
        {"type": "steps", "items": [step("Phase 1: Survey"), step("Phase 2: Meters"), step("Phase 3: Bills")]},
    ]);
    let left = blocks(given);
    assert_eq!(left[0]["runs"][0]["text"], "Three steps lead there.");
    assert_eq!(left[1]["items"].as_array().unwrap().len(), 3);
    let given = json!([{"type": "steps", "items": [step("Phase 1"), step("Win 40 deals"), step("Phase 7")]}]);
    assert_eq!(blocks(given)[0]["items"].as_array().unwrap().len(), 1);
}

#[test]
fn a_heading_goes_with_what_stood_below_it() {
    let heading = |text: &str| json!({"type": "heading", "level": 2, "runs": runs(text, &[])});
    let given = json!([
        heading("Numbers"),
        paragraph("99 blocks", &[]),
        heading("Words"),
        paragraph("Good", &[])
    ]);
    assert_eq!(
        blocks(given),
        json!([heading("Words"), paragraph("Good", &[])])
    );
}

#[test]
fn columns_of_which_one_is_left_are_no_columns() {
    let column = |text: &str| json!({"blocks": [paragraph(text, &[])]});
    let given = json!([{"type": "columns", "columns": [column("99 blocks"), column("Good")]}]);
    assert_eq!(blocks(given), json!([paragraph("Good", &[])]));
}

#[test]
fn a_title_that_does_not_stand_is_made_of_what_does() {
    let mut given = draft(json!([paragraph(
        "They run 14 blocks. More follows.",
        &["s1"]
    )]));
    given["sections"][0]["title"] = json!("99 blocks");
    given["meta"]["title"] = json!("Save 99 %");
    given["meta"]["subtitle"] = json!("In 14 blocks");
    let checked = judged(&given);
    assert_eq!(checked.sections[0].title, "They run 14 blocks");
    assert_eq!(checked.meta.title, "They run 14 blocks");
    assert_eq!(checked.meta.subtitle.as_deref(), Some("In 14 blocks"));
}

#[test]
fn nothing_is_left_of_what_is_made_up() {
    let checked = judged(&draft(json!([paragraph("99 blocks", &["s1"])])));
    assert!(!checked.says_something());
    let told: Vec<String> = checked
        .left_out
        .iter()
        .map(|left| left.in_words())
        .collect();
    assert!(
        told.iter()
            .any(|told| told.starts_with("Left out: “99 blocks”, because")),
        "{told:?}"
    );
    let reasons: Vec<Reason> = checked.left_out.iter().map(|left| left.reason).collect();
    assert!(reasons.contains(&Reason::Invented), "{reasons:?}");
    assert!(
        reasons.contains(&Reason::Number),
        "the backend's own: {reasons:?}"
    );
}

#[test]
fn a_source_is_what_was_fetched() {
    let mut given = draft(json!([paragraph("Good", &["s1", "s2", "brief"])]));
    let mut other = given["sources"][0].clone();
    other["id"] = json!("s2");
    other["receipt_id"] = json!(ReceiptId::from_uuid(uuid::Uuid::from_u128(2)).to_string());
    given["sources"].as_array_mut().unwrap().push(other);
    let checked = judged(&given);
    let [source] = &checked.sources[..] else {
        panic!("{:?}", checked.sources)
    };
    assert_eq!(
        source.source.url.as_deref(),
        Some("https://www.acme.example/")
    );
    assert_eq!(source.excerpts, ["14 blocks with 1,200 flats"]);
    let cited = json!(checked.sections[0].blocks);
    assert_eq!(cited[0]["runs"][0]["cite"], json!(["s1", "brief"]));
    assert!(
        checked
            .dropped
            .contains(&("/sources/1".to_owned(), Dropped::Unsupported))
    );
}

#[test]
fn what_is_no_draft_is_refused_with_pointers() {
    let with = |pointer: &str, value: Value| {
        let mut given = draft(json!([paragraph("A", &["s1"])]));
        *given.pointer_mut(pointer).unwrap() = value;
        read(&given).unwrap_err()
    };
    let faults = |error: DocumentDraftError| match error {
        DocumentDraftError::Faults(faults) => faults
            .into_iter()
            .map(|fault| fault.pointer)
            .collect::<Vec<_>>(),
        DocumentDraftError::Draft(error) => panic!("{error}"),
    };
    let unknown = with("/sections/0/blocks/0/runs/0/cite/0", json!("s9"));
    assert_eq!(faults(unknown), ["/sections/0/blocks/0/runs/0/cite/0"]);
    let poem = with("/sections/0/blocks/0/type", json!("poem"));
    assert_eq!(faults(poem), ["/sections/0/blocks/0/type"]);
    assert_eq!(
        faults(with("/meta/language", json!("not a tag!"))),
        ["/meta/language"]
    );
    for (pointer, value) in [
        ("/format", json!("odt")),
        ("/sources/0/id", json!("brief")),
        ("/written_by", json!("me")),
        ("/meta", json!("x")),
        ("/left_out/0/pointer", json!("buy now")),
    ] {
        assert!(
            matches!(with(pointer, value), DocumentDraftError::Draft(_)),
            "{pointer}"
        );
    }
    let given = draft(json!([]));
    let refused = |input: &DocumentInput, formats: &[DocumentFormat]| {
        DocumentDraft::read(&given, input, formats)
            .unwrap_err()
            .to_string()
    };
    assert!(refused(&input(), &[DocumentFormat::Pdf]).contains("/format"));
    let asked = DocumentInput {
        document_type: Some(gtm_domain::document::DocumentType::Report),
        ..input()
    };
    assert!(refused(&asked, &DocumentFormat::ALL).contains("/document_type"));
}

#[test]
fn citations_are_found_and_taken_out() {
    let mut given = draft(
        json!([paragraph("A", &["s1", "brief"]), {"type": "kpis", "items": [
            {"value": "x", "label": "y", "cite": ["offer"]},
        ]}]),
    );
    given["sections"][0]["notes"] = runs("Say it", &["brief"]);
    let read = read(&given).unwrap();
    let mut document = Document::from_value(json!({
        "schema": "gtm.doc/1",
        "meta": {"title": "A", "language": "en", "direction": "ltr", "date": "2026-11-23", "document_type": "deck"},
        "theme": gtm_domain::document::theme::neutral(),
        "sections": [{"id": "x", "title": "A", "blocks": []}],
    }))
    .unwrap();
    document.sections = read.sections;
    let found = bearings(&document);
    assert_eq!(found["s1"], ["/sections/0/blocks/0/runs/0"]);
    assert_eq!(found["offer"], ["/sections/0/blocks/1/items/0"]);
    assert_eq!(
        found["brief"],
        ["/sections/0/blocks/0/runs/0", "/sections/0/notes/0"]
    );
    keep_only(&mut document, |id| id == "s1");
    assert_eq!(bearings(&document).keys().collect::<Vec<_>>(), ["s1"]);
}

#[test]
fn what_the_guideline_restricts_is_left_out_as_what_the_offer_forbids_is() {
    for claim in ["guaranteed savings", "Market  Leader"] {
        let text = format!("Acme runs 14 blocks. We are known for {claim}. Setup takes 3 days.");
        let left = blocks(json!([{"type": "paragraph", "runs": runs(&text, &["s1"])}]));
        let left = left[0]["runs"][0]["text"].as_str().unwrap().to_owned();
        assert_eq!(left, "Acme runs 14 blocks. Setup takes 3 days.");
    }
    let checked = judged(&draft(json!([
        {"type": "paragraph", "runs": runs("We are the market leader.", &[])},
        {"type": "paragraph", "runs": runs("Setup takes 3 days.", &[])},
    ])));
    assert!(
        checked
            .dropped
            .iter()
            .any(|(_, why)| *why == Dropped::Forbidden)
    );
    let text = "Ask whoever leads the market of Leeds.";
    let other = blocks(json!([{"type": "paragraph", "runs": runs(text, &[])}]));
    assert_eq!(other[0]["runs"][0]["text"], text, "another word");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_left_is_a_document_and_says_nothing_new(texts in proptest::collection::vec("[A-Za-z0-9 .!?“”%]{1,60}|\\PC{1,40}", 1..6)) {
        let given: Vec<Value> = texts.iter().map(|text| paragraph(text, &["s1"])).collect();
        let given = draft(json!(given));
        if let Ok(draft) = read(&given) {
            let before: String = draft.sections.iter().flat_map(|s| &s.blocks).map(|block| match block {
                gtm_document_model::Block::Paragraph(p) => gtm_document_model::plain_text(&p.runs),
                _ => String::new(),
            }).collect();
            let checked = judged(&given);
            for block in checked.sections.iter().flat_map(|section| &section.blocks) {
                let gtm_document_model::Block::Paragraph(left) = block else { panic!("{block:?}") };
                let words = gtm_document_model::plain_text(&left.runs);
                prop_assert!(!words.is_empty());
                // Nothing is added, and nothing moves.
                let mut rest = before.chars();
                prop_assert!(words.chars().all(|c| rest.any(|other| other == c)), "{words:?} of {before:?}");
            }
        }
    }
}
