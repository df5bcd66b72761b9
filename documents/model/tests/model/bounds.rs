//! Each bound: as much is read by the reader and valid for the schema, one more is refused by both.

use gtm_document_model::bounds::*;
use gtm_document_model::{Document, FaultCode};
use serde_json::{Value, json};

use crate::schema::validator;
use crate::{faults, sample};

/// The sample with this many copies of the value in the list.
fn copies(list: &str, value: &Value, count: usize) -> Value {
    let mut document = sample();
    *document.pointer_mut(list).unwrap() = vec![value.clone(); count].into();
    document
}

#[test]
fn lists_end_where_schema_and_reader_say() {
    let validator = validator();
    let run = json!({"text": "x"});
    let item = json!({"runs": [run]});
    let paragraph = json!({"type": "paragraph", "runs": [run]});
    let block = |number: usize, list: &str| format!("/sections/1/blocks/{number}/{list}");
    for (list, value, most) in [
        ("/meta/keywords".to_owned(), json!("x"), KEYWORDS),
        ("/theme/fonts/body/fallbacks".to_owned(), json!("x"), 20),
        (block(0, "runs"), run.clone(), RUNS),
        (block(0, "runs/1/cite"), json!("src_01"), CITES),
        (block(3, "items"), item, ITEMS),
        (block(4, "rows"), json!([[], [], []]), TABLE_ROWS),
        (block(9, "items"), json!({"value": "1", "label": "x"}), KPIS),
        ("/sections/1/blocks".to_owned(), paragraph, BLOCKS),
        (
            "/sections/2/blocks/4/items".to_owned(),
            json!({"title": "x"}),
            ENTRIES,
        ),
        (
            "/sections/2/blocks/5/events".to_owned(),
            json!({"when": "x", "title": "x"}),
            ENTRIES,
        ),
        (
            "/sections/2/blocks/6/criteria".to_owned(),
            json!({"label": "x", "cells": [[], []]}),
            ENTRIES,
        ),
        (
            block(6, "series"),
            json!({"name": "x", "values": [1.0, 2.0]}),
            SERIES,
        ),
        (
            block(7, "series/0/points"),
            json!({"x": 1.0, "y": 1.0}),
            POINTS,
        ),
    ] {
        let mut full = sample();
        // Lists have members of their own in the sample, which may not be there.
        if full.pointer(&list).is_none() {
            let (parent, name) = list.rsplit_once('/').unwrap();
            full.pointer_mut(parent).unwrap()[name] = json!([]);
        }
        *full.pointer_mut(&list).unwrap() = vec![value.clone(); most].into();
        assert_eq!(faults(&full), [], "{list}");
        assert!(validator.is_valid(&full), "{list}");
        full.pointer_mut(&list)
            .unwrap()
            .as_array_mut()
            .unwrap()
            .push(value);
        let found = faults(&full);
        assert_eq!(found.len(), 1, "{list}: {found:?}");
        assert_eq!(found[0].1, "too_many", "{list}");
        assert!(!validator.is_valid(&full), "{list}");
    }
}

#[test]
fn sources_and_sections_end_there_too() {
    let validator = validator();
    for (list, element, most) in [
        ("/sources", json!({"title": "x"}), SOURCES),
        ("/sections", json!({"title": "x", "blocks": []}), SECTIONS),
    ] {
        // What cites nothing, so that the sources may have other names.
        let mut document = copies(
            "/sections",
            &json!({"id": "a", "title": "x", "blocks": []}),
            1,
        );
        let numbered = |count: usize| -> Value {
            (0..count)
                .map(|index| {
                    let mut element = element.clone();
                    element["id"] = json!(format!("id-{index}"));
                    element
                })
                .collect()
        };
        *document.pointer_mut(list).unwrap() = numbered(most);
        assert_eq!(faults(&document), [], "{list}");
        assert!(validator.is_valid(&document), "{list}");
        *document.pointer_mut(list).unwrap() = numbered(most + 1);
        assert_eq!(
            faults(&document),
            [(list.to_owned(), "too_many".to_owned())]
        );
        assert!(!validator.is_valid(&document), "{list}");
    }
}

#[test]
fn texts_end_where_schema_and_reader_say() {
    let validator = validator();
    for (place, most) in [
        ("/meta/title", LINE),
        ("/meta/classification", LINE),
        ("/sources/0/publisher", LINE),
        ("/sections/1/title", LINE),
        ("/sections/1/blocks/0/runs/0/text", TEXT),
        ("/sections/1/blocks/4/columns/1/label", LINE),
        ("/sections/1/blocks/5/alt", ALT),
        ("/sections/1/blocks/5/unit", LINE),
        ("/sections/1/blocks/9/items/0/detail", LINE),
        ("/sections/2/blocks/2/alt", ALT),
    ] {
        let mut document = sample();
        // Characters, not bytes. The other runs of the text count too.
        let others = if most == TEXT {
            "410,000 km last year.".chars().count()
        } else {
            0
        };
        let text = |count: usize| Value::from("ä".repeat(count));
        *document.pointer_mut(place).unwrap() = text(most - others);
        assert_eq!(faults(&document), [], "{place}");
        assert!(validator.is_valid(&document), "{place}");
        *document.pointer_mut(place).unwrap() = text(most + 1);
        assert_eq!(faults(&document)[0].1, "too_long", "{place}");
        assert!(!validator.is_valid(&document), "{place}");
    }
}

#[test]
fn a_wide_table_is_read_and_a_wider_one_refused() {
    let validator = validator();
    for (columns, is_read) in [(TABLE_COLUMNS, true), (TABLE_COLUMNS + 1, false)] {
        let mut document = sample();
        let table = &mut document["sections"][1]["blocks"][4];
        table["columns"] = vec![json!({"label": "x"}); columns].into();
        table["rows"] = json!([vec![json!([]); columns]]);
        assert_eq!(faults(&document).is_empty(), is_read);
        assert_eq!(validator.is_valid(&document), is_read);
    }
}

#[test]
fn blocks_inside_columns_count() {
    let mut document = sample();
    let paragraph = json!({"type": "paragraph", "runs": [{"text": "x"}]});
    let column = json!({"blocks": vec![paragraph; 60]});
    document["sections"][2]["blocks"][7]["columns"] = json!([column, column]);
    assert_eq!(
        faults(&document),
        [("/sections/2/blocks".to_owned(), "too_many".to_owned())]
    );
}

#[test]
fn a_document_has_a_size() {
    let mut json = sample().to_string();
    json.push_str(&" ".repeat(DOCUMENT_BYTES - json.len()));
    assert!(Document::read(&json).is_ok());
    json.push(' ');
    assert_eq!(
        Document::read(&json).unwrap_err()[0].code,
        FaultCode::TooLarge
    );
}

#[test]
fn a_refusal_ends_somewhere() {
    let document = copies("/sections/1/blocks/4/rows", &json!([]), 5_000);
    assert_eq!(faults(&document).len(), FAULTS);
}
