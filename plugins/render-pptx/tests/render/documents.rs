//! Documents of the tests: files with real content, and others that are made to be difficult.

use std::path::PathBuf;

use gtm_document_model::Document;
use proptest::prelude::*;
use serde_json::{Value, json};

pub const EVIDENCE: &str = "{\"claims\":[\"a < b & c ]]>\"]}\n";

pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests")
}

pub fn asset(name: &str) -> Option<Vec<u8>> {
    if name == "evidence-manifest.json" {
        return Some(EVIDENCE.as_bytes().to_vec());
    }
    std::fs::read(folder().join("assets").join(name)).ok()
}

fn value(name: &str) -> Value {
    let path = folder().join(format!("documents/{name}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub fn read(name: &str) -> Document {
    Document::from_value(value(name)).unwrap()
}

/// A deck with these sections.
fn with_sections(sections: Value) -> Document {
    let mut document = value("deck");
    document["sections"] = sections;
    document["theme"].as_object_mut().unwrap().remove("logo");
    Document::from_value(document).unwrap()
}

pub fn with_blocks(blocks: Value) -> Document {
    with_sections(json!([{"id": "a", "title": "One section", "blocks": blocks}]))
}

fn table(rows: usize, columns: usize) -> Value {
    let labels: Vec<Value> = (0..columns)
        .map(|column| json!({"label": format!("Column {column}")}))
        .collect();
    let rows: Vec<Vec<Value>> = (0..rows)
        .map(|row| {
            let cells =
                (0..columns).map(|column| json!([{"text": format!("cell {row}/{column}")}]));
            cells.collect()
        })
        .collect();
    json!({"type": "table", "columns": labels, "rows": rows, "header_column": true})
}

pub fn with_table(rows: usize, columns: usize) -> Document {
    with_blocks(json!([table(rows, columns)]))
}

fn words(count: usize) -> String {
    let all: Vec<String> = (0..count).map(|number| format!("word{number}")).collect();
    all.join(" ")
}

/// So many words in paragraphs of two thousand.
pub fn with_words(count: usize) -> Document {
    let paragraphs: Vec<Value> = (0..count / 2_000)
        .map(|_| json!({"type": "paragraph", "runs": [{"text": words(2_000)}]}))
        .collect();
    with_blocks(json!(paragraphs))
}

/// So many steps of so many words each.
pub fn with_steps(count: usize, length: usize) -> Document {
    let step = json!({"title": "Step", "runs": [{"text": words(length)}]});
    with_blocks(json!([{"type": "steps", "items": vec![step; count]}]))
}

pub fn hostile() -> Document {
    let long = words(400);
    let line = "W".repeat(300);
    with_sections(json!([
        {"id": "a", "title": line, "blocks": [
            {"type": "callout", "tone": "warning", "title": line, "runs": [{"text": long}]},
            {"type": "quote", "runs": [{"text": long}], "attribution": line},
            {"type": "kpis", "items": vec![json!({"value": line, "label": line, "detail": line}); 12]},
            {"type": "steps", "items": vec![json!({"title": line, "runs": [{"text": long}]}); 3]},
            {"type": "timeline", "events": vec![json!({"when": line, "title": line}); 20]},
            {"type": "image", "asset": "nowhere.png", "alt": "</p:sp>&amp;<script>"},
            {"type": "cta", "label": line, "href": format!("https://a.example/{}", "x".repeat(1_900)), "qr": true},
            {"type": "comparison", "items": [line, line, line, line, line, line],
             "criteria": [{"label": line, "cells": vec![json!([{"text": long}]); 6]}]},
            {"type": "columns", "columns": [
                {"blocks": [{"type": "paragraph", "runs": [{"text": long}]}]},
                {"blocks": [table(40, 12)]}]},
            {"type": "table", "columns": [{"label": "A"}], "rows": [[[{"text": long}]]]},
        ]},
        {"id": "b", "title": "👩\u{200d}💻 e\u{301}\u{301} אבג ]]>", "blocks": [
            {"type": "paragraph", "runs": [{"text": "x".repeat(4_000)}]},
            {"type": "chart", "kind": "scatter", "alt": "Points",
             "series": [{"name": "p", "points": (0..2_000).map(|n| json!({"x": n, "y": n * 7 % 13})).collect::<Vec<_>>()}]},
        ]},
        {"id": "c", "title": "Divider", "layout": "divider", "blocks": [{"type": "paragraph", "runs": [{"text": long}]}]},
        {"id": "d", "title": "Closing", "layout": "closing", "blocks": [table(2, 2)]},
    ]))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z ,.]{1,80}",
        "[a-z ]{100,900}",
        "[漢字かな。、]{1,60}",
        "[ا-ي ]{1,80}",
        "\\PC{1,60}",
        "[<>&\"' \n]{1,30}",
    ]
    .prop_map(|text| {
        if text.trim().is_empty() {
            "x".to_owned()
        } else {
            text
        }
    })
}

fn line() -> impl Strategy<Value = String> {
    text().prop_map(|text| {
        // The model reads separators of lines and paragraphs as line breaks.
        let is_break = |c: &char| matches!(c, '\n' | '\u{2028}' | '\u{2029}');
        let line: String = text.chars().filter(|c| !is_break(c)).take(120).collect();
        if line.trim().is_empty() {
            "x".to_owned()
        } else {
            line
        }
    })
}

fn runs() -> impl Strategy<Value = Value> {
    prop::collection::vec(
        (text(), prop::bool::ANY, prop::bool::ANY, prop::bool::ANY),
        1..4,
    )
    .prop_map(|runs| {
        let run = |(text, bold, cite, link): (String, bool, bool, bool)| {
            let mut run = json!({"text": text, "bold": bold});
            if cite {
                run["cite"] = json!(["s1"]);
            }
            if link {
                run["href"] = json!("https://a.example/?a=1&b=2");
            }
            run
        };
        runs.into_iter().map(run).collect()
    })
}

fn block() -> impl Strategy<Value = Value> {
    prop_oneof![
        runs().prop_map(|runs| json!({"type": "lead", "runs": runs})),
        runs().prop_map(|runs| json!({"type": "paragraph", "runs": runs})),
        (runs(), 2u8..5).prop_map(|(runs, level)| json!({"type": "heading", "level": level, "runs": runs})),
        (prop::collection::vec(runs(), 1..20), prop::bool::ANY).prop_map(|(items, ordered)| {
            let items: Vec<Value> = items.into_iter().map(|runs| json!({"runs": runs})).collect();
            json!({"type": "bullets", "ordered": ordered, "items": items})
        }),
        (1usize..30, 1usize..14).prop_map(|(rows, columns)| table(rows, columns)),
        prop::collection::vec((line(), line()), 1..9).prop_map(|items| {
            let item = |(value, label)| json!({"value": value, "label": label, "cite": ["s2"]});
            json!({"type": "kpis", "items": items.into_iter().map(item).collect::<Vec<_>>()})
        }),
        (runs(), line()).prop_map(|(runs, name)| json!({"type": "quote", "runs": runs, "attribution": name})),
        (runs(), line()).prop_map(|(runs, title)| json!({"type": "callout", "tone": "note", "title": title, "runs": runs})),
        prop::collection::vec((line(), runs()), 1..9).prop_map(|items| {
            let item = |(title, runs)| json!({"title": title, "runs": runs});
            json!({"type": "steps", "items": items.into_iter().map(item).collect::<Vec<_>>()})
        }),
        prop::collection::vec((line(), line(), runs()), 1..9).prop_map(|items| {
            let item = |(when, title, runs)| json!({"when": when, "title": title, "runs": runs});
            json!({"type": "timeline", "events": items.into_iter().map(item).collect::<Vec<_>>()})
        }),
        (line(), runs(), prop::bool::ANY).prop_map(|(label, text, qr)| {
            json!({"type": "cta", "label": label, "href": "https://a.example/", "text": text, "qr": qr})
        }),
        prop::sample::select(vec!["depot.svg", "nothing.png"])
            .prop_map(|name| json!({"type": "image", "asset": name, "alt": "Seen"})),
        prop::collection::vec(-1e6..1e6f64, 1..12).prop_map(|values| {
            let categories: Vec<String> = (0..values.len()).map(|n| format!("c{n}")).collect();
            json!({"type": "chart", "kind": "bar", "categories": categories,
                   "series": [{"name": "s", "values": values}], "alt": "Bars"})
        }),
    ]
}

/// Title, layout, blocks and notes.
type SectionParts = (String, Option<&'static str>, Vec<Value>, Option<Value>);

/// Documents of every type and both directions.
pub fn any() -> impl Strategy<Value = Document> {
    let layouts = [
        "cover",
        "agenda",
        "divider",
        "content",
        "statement",
        "figures",
        "comparison",
        "closing",
    ];
    let types = [
        "deck",
        "proposal",
        "playbook",
        "gtm_strategy",
        "report",
        "one_pager",
    ];
    let section = (
        line(),
        prop::option::of(prop::sample::select(layouts.to_vec())),
        prop::collection::vec(block(), 0..6),
        prop::option::of(runs()),
    );
    let sections = prop::collection::vec(section, 1..5);
    let direction = prop::sample::select(vec![("en", "ltr"), ("he", "rtl"), ("ja", "ltr")]);
    (
        sections,
        prop::sample::select(types.to_vec()),
        direction,
        line(),
    )
        .prop_map(|(sections, document_type, (language, direction), title)| {
            let mut document = value("deck");
            let meta = &mut document["meta"];
            meta["title"] = json!(title);
            meta["document_type"] = json!(document_type);
            meta["language"] = json!(language);
            meta["direction"] = json!(direction);
            let section = |(number, (title, layout, blocks, notes)): (usize, SectionParts)| {
                let mut section =
                    json!({"id": format!("s{number}"), "title": title, "blocks": blocks});
                if let Some(layout) = layout {
                    section["layout"] = json!(layout);
                }
                if let Some(notes) = notes {
                    section["notes"] = notes;
                }
                section
            };
            let sections: Vec<Value> = sections.into_iter().enumerate().map(section).collect();
            document["sections"] = json!(sections);
            Document::from_value(document).unwrap()
        })
}
