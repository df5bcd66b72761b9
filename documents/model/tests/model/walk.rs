//! The walk passes nothing over: what JSON shows as text or citation, it visits.

use std::collections::BTreeSet;

use gtm_document_model::{Document, Run, TextRole, Visitor, plain_text};
use proptest::prelude::*;
use serde_json::Value;

use crate::arbitrary;

/// Members that hold a text which is no text to read: ids, names of assets, words of closed lists, links.
const NOT_TEXT: [&str; 20] = [
    "schema",
    "language",
    "direction",
    "date",
    "document_type",
    "id",
    "url",
    "retrieved_at",
    "receipt_id",
    "layout",
    "type",
    "href",
    "kind",
    "align",
    "tone",
    "asset",
    "hash",
    "mode",
    "class",
    "cite",
];

#[derive(Default)]
struct Visited<'d> {
    lines: BTreeSet<(String, &'d str)>,
    cites: BTreeSet<(String, &'d str)>,
}

impl<'d> Visitor<'d> for Visited<'d> {
    fn runs(&mut self, pointer: &str, _: TextRole, runs: &'d [Run]) {
        for (index, run) in runs.iter().enumerate() {
            self.lines
                .insert((format!("{pointer}/{index}/text"), &run.text));
        }
    }
    fn line(&mut self, pointer: &str, _: TextRole, line: &'d str) {
        self.lines.insert((pointer.to_owned(), line));
    }
    fn cites(&mut self, pointer: &str, ids: &'d [String]) {
        for (index, id) in ids.iter().enumerate() {
            self.cites.insert((format!("{pointer}/{index}"), id));
        }
    }
}

/// All texts below the value, by pointer: those to read, and citations.
fn collect<'v>(value: &'v Value, at: &str, name: &str, texts: &mut Visited<'v>) {
    match value {
        Value::String(text) if name == "cite" => {
            texts.cites.insert((at.to_owned(), text));
        }
        Value::String(text) if !NOT_TEXT.contains(&name) => {
            texts.lines.insert((at.to_owned(), text));
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                collect(element, &format!("{at}/{index}"), name, texts);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                collect(member, &format!("{at}/{name}"), name, texts);
            }
        }
        _ => {}
    }
}

fn assert_complete(document: &Document) {
    let mut json = serde_json::to_value(document).unwrap();
    // The theme and the brand say nothing to the reader of a document.
    json.as_object_mut().unwrap().shift_remove("theme");
    json.as_object_mut().unwrap().shift_remove("brand");
    let mut expected = Visited::default();
    collect(&json, "", "", &mut expected);
    let mut visited = Visited::default();
    document.walk(&mut visited);
    assert_eq!(visited.lines, expected.lines);
    assert_eq!(visited.cites, expected.cites);
    let cites: BTreeSet<_> = document.cites().into_iter().collect();
    assert_eq!(cites, expected.cites);
    for (pointer, run) in document.runs() {
        assert_eq!(json.pointer(&pointer).unwrap()["text"], run.text);
    }
}

#[test]
fn the_walk_of_the_sample_is_complete() {
    let document = Document::read(&crate::sample().to_string()).unwrap();
    assert_complete(&document);
    assert!(document.runs().len() > 25);
}

#[test]
fn plain_text_joins_runs() {
    assert_eq!(
        plain_text(&[Run::plain("Vans drove "), Run::plain("far.")]),
        "Vans drove far."
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn the_walk_of_any_document_is_complete(document in arbitrary::document()) {
        assert_complete(&document);
    }
}
