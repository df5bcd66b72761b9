//! Each rule, broken once: the fault names the place and the kind.

use gtm_document_model::{Document, FaultCode};
use serde_json::{Value, json};

use crate::{faults, sample};

/// The sample with one value replaced, or with one added where the pointer ends in `/-` or in a new name.
fn with(pointer: &str, value: Value) -> Value {
    let mut document = sample();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Object(members) => {
            members.insert(name.to_owned(), value);
        }
        Value::Array(elements) if name == "-" => elements.push(value),
        Value::Array(elements) => elements[name.parse::<usize>().unwrap()] = value,
        other => panic!("{other}"),
    }
    document
}

/// Replaces a value of the sample and expects exactly this fault.
fn expect(pointer: &str, value: Value, at: &str, code: &str) {
    let found = faults(&with(pointer, value.clone()));
    assert_eq!(
        found,
        [(at.to_owned(), code.to_owned())],
        "{pointer} = {value}"
    );
}

/// Replaces a value of the sample and expects a fault at that very place.
fn expect_here(pointer: &str, value: Value, code: &str) {
    expect(pointer, value, pointer, code);
}

#[test]
fn metadata_has_one_form() {
    expect_here("/meta/title", json!(" "), "empty");
    expect_here("/meta/title", json!("two\nlines"), "line_break");
    expect_here("/meta/language", json!("english, please"), "language");
    for date in [
        "2026-02-30",
        "20261123",
        "2026-11-23T00:00:00",
        "yesterday",
        "",
    ] {
        expect_here("/meta/date", json!(date), "date");
    }
    expect_here("/meta/document_type", json!("poster"), "shape");
    expect_here("/meta/keywords/0", json!(""), "empty");
    expect_here("/schema", json!("gtm.doc/2"), "shape");
    expect_here("/brand/revision", json!(0), "out_of_range");
    expect_here("/brand/hash", json!("sha256:12"), "invalid_id");
    expect_here("/brand/id", json!("b r d"), "invalid_id");
}

#[test]
fn a_theme_has_colours_and_typefaces() {
    expect_here("/theme/colors/text", json!("red"), "shape");
    expect_here("/theme/chart/5", json!("#FFFFFF"), "shape");
    expect_here("/theme/fonts/body/family", json!(""), "empty");
    expect_here("/theme/logo/width", json!(0), "out_of_range");
    expect_here("/theme/logo/alt", json!(""), "empty");
}

#[test]
fn ids_are_unique_and_well_formed() {
    let third = json!({"id": "src_01", "title": "Brief"});
    expect("/sources/-", third, "/sources/2/id", "duplicate_id");
    expect_here("/sections/2/id", json!("why-now"), "duplicate_id");
    for id in ["", "-a", "a b", "ü", "a/b"] {
        expect_here("/sections/2/id", json!(id), "invalid_id");
    }
}

#[test]
fn citations_name_known_sources() {
    for place in [
        "/sections/1/notes/0",
        "/sections/1/blocks/0/runs/1",
        "/sections/1/blocks/3/items/0/items/0/items/0/runs/0",
        "/sections/1/blocks/4/rows/0/1/0",
        "/sections/1/blocks/4/caption/0",
        "/sections/1/blocks/5",
        "/sections/1/blocks/9/items/0",
        "/sections/2/blocks/0",
        "/sections/2/blocks/6/criteria/0/cells/1/0",
        "/sections/2/blocks/7/columns/1/blocks/0/runs/0",
    ] {
        let at = format!("{place}/cite/1");
        expect(
            &format!("{place}/cite"),
            json!(["src_01", "src_03"]),
            &at,
            "unknown_source",
        );
    }
}

#[test]
fn sources_say_when_and_where() {
    expect_here("/sources/0/url", json!("ftp://example.com/"), "link");
    expect_here("/sources/0/retrieved_at", json!("2026-11-22"), "date");
    expect_here("/sources/0/receipt_id", json!(""), "invalid_id");
    expect_here("/sources/0/title", json!(""), "empty");
}

#[test]
fn links_open_pages_or_letters() {
    expect_here(
        "/sections/1/blocks/2/runs/1/href",
        json!("javascript:alert(1)"),
        "link",
    );
    expect_here(
        "/sections/1/blocks/2/runs/1/href",
        json!("http://example.com"),
        "link",
    );
    expect_here(
        "/sections/2/blocks/8/href",
        json!("mailto:a@example.com"),
        "link",
    );
}

#[test]
fn texts_say_something() {
    expect_here(
        "/sections/1/blocks/0/runs",
        json!([{"text": "\n "}]),
        "empty",
    );
    expect_here("/sections/1/blocks/2/runs", json!([]), "empty");
    expect_here("/sections/1/blocks/9/items/0/value", json!(""), "empty");
    expect_here(
        "/sections/2/blocks/4/items/1/title",
        json!("\u{202e}"),
        "empty",
    );
    expect_here("/sections/1/blocks/5/alt", json!(""), "empty");
    expect_here("/sections/1/title", json!("x".repeat(301)), "too_long");
}

#[test]
fn headings_have_levels_below_the_title() {
    expect_here("/sections/1/blocks/1/level", json!(1), "out_of_range");
    expect_here("/sections/1/blocks/1/level", json!(5), "out_of_range");
}

#[test]
fn lists_nest_three_deep() {
    let deeper = "/sections/1/blocks/3/items/0/items/0/items/0/items";
    expect_here(deeper, json!([{"runs": [{"text": "x"}]}]), "nesting");
    expect_here("/sections/1/blocks/3/items", json!([]), "empty");
}

#[test]
fn tables_are_rectangles() {
    expect_here(
        "/sections/1/blocks/4/rows/1",
        json!([[{"text": "Wages"}]]),
        "length_mismatch",
    );
    expect_here("/sections/1/blocks/4/columns/1/label", json!(""), "empty");
    expect(
        "/sections/1/blocks/4/header_column",
        json!(false),
        "/sections/1/blocks/4/columns/0/label",
        "empty",
    );
}

#[test]
fn charts_have_the_numbers_of_their_kind() {
    let chart = |number: usize, rest: &str| format!("/sections/1/blocks/{number}/{rest}");
    expect_here(
        &chart(6, "series/0/values"),
        json!([1.0]),
        "length_mismatch",
    );
    expect_here(&chart(6, "series/0/values"), json!([null, null]), "empty");
    expect_here(
        &chart(6, "series/0/points"),
        json!([{"x": 1, "y": 1}]),
        "not_of_this_kind",
    );
    expect_here(&chart(6, "totals"), json!([0]), "not_of_this_kind");
    expect_here(&chart(6, "decimals"), json!(7), "out_of_range");
    expect(
        &chart(6, "kind"),
        json!("bar"),
        &chart(6, "series"),
        "not_of_this_kind",
    );
    expect_here(&chart(7, "categories"), json!(["a"]), "not_of_this_kind");
    expect_here(
        &chart(7, "series/0/values"),
        json!([1.0]),
        "not_of_this_kind",
    );
    expect_here(&chart(7, "series/0/points"), json!([]), "empty");
    expect_here(&chart(8, "series/0/values/0"), json!(-1.0), "out_of_range");
    expect_here(&chart(8, "series/0/values/0"), json!(null), "out_of_range");
    expect_here(
        &chart(8, "series/0/values"),
        json!([0.0, 0.0]),
        "out_of_range",
    );
    expect_here(&chart(6, "series"), json!([]), "empty");
}

#[test]
fn the_totals_of_a_waterfall_add_up() {
    let values = "/sections/1/blocks/5/series/0/values";
    expect_here(&format!("{values}/3"), json!(2.0), "total_mismatch");
    expect_here(&format!("{values}/1"), json!(null), "out_of_range");
    expect_here("/sections/1/blocks/5/totals", json!([0, 4]), "out_of_range");
    expect_here("/sections/1/blocks/5/totals", json!([3, 0]), "out_of_range");
    // Each number was rounded to a tenth on its own.
    assert_eq!(faults(&with(&format!("{values}/3"), json!(1.1))), []);
}

#[test]
fn numbers_are_finite() {
    let json = sample().to_string().replace("[3.3,", "[1e999,");
    let found = Document::read(&json).unwrap_err();
    assert_eq!(found[0].code, FaultCode::NotJson);
    // A program can put a number there that JSON cannot.
    let mut document = Document::read(&sample().to_string()).unwrap();
    document.theme.repairs[0].ratio_after = f64::NAN;
    let found = document.faults();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].pointer, "/theme/repairs/0/ratio_after");
    assert_eq!(found[0].code, FaultCode::NotFinite);
}

#[test]
fn pictures_are_described_or_decorative() {
    expect(
        "/sections/2/blocks/3/decorative",
        json!(false),
        "/sections/2/blocks/3",
        "alt",
    );
    expect(
        "/sections/2/blocks/2/decorative",
        json!(true),
        "/sections/2/blocks/2",
        "alt",
    );
    expect_here("/sections/2/blocks/2/alt", json!(""), "empty");
    expect_here("/sections/2/blocks/2/asset", json!(""), "empty");
}

#[test]
fn comparisons_have_a_cell_for_each_thing() {
    let cells = "/sections/2/blocks/6/criteria/0/cells";
    expect_here(cells, json!([[], [], []]), "length_mismatch");
    expect_here("/sections/2/blocks/6/highlight", json!(2), "out_of_range");
}

#[test]
fn columns_stand_side_by_side_and_not_inside_each_other() {
    let columns = sample().pointer("/sections/2/blocks/7").unwrap().clone();
    expect_here(
        "/sections/2/blocks/7/columns/1/blocks/0",
        columns,
        "nesting",
    );
    let one = sample()
        .pointer("/sections/2/blocks/7/columns/0")
        .unwrap()
        .clone();
    expect_here("/sections/2/blocks/7/columns", json!([one]), "out_of_range");
    expect_here("/sections/2/blocks/7/columns/0/blocks", json!([]), "empty");
}

#[test]
fn a_block_has_a_known_type() {
    expect(
        "/sections/2/blocks/0/type",
        json!("poem"),
        "/sections/2/blocks/0/type",
        "unknown_block",
    );
    expect(
        "/sections/2/blocks/0/type",
        json!(1),
        "/sections/2/blocks/0",
        "shape",
    );
    expect_here("/sections/2/blocks/0", json!("text"), "shape");
    expect(
        "/sections/2/blocks/1/tone",
        json!("angry"),
        "/sections/2/blocks/1/tone",
        "shape",
    );
    expect(
        "/sections/1/blocks/4/rows/0/1/0/bold",
        json!("yes"),
        "/sections/1/blocks/4/rows/0/1/0/bold",
        "shape",
    );
}

#[test]
fn one_refusal_lists_the_faults_of_all_blocks() {
    let mut document = with("/sections/1/blocks/0/runs", json!("text"));
    document["sections"][2]["blocks"][7]["columns"][0]["blocks"][0]["runs"][0]["text"] = json!(7);
    document["meta"]["date"] = json!(7);
    let places: Vec<String> = faults(&document)
        .into_iter()
        .map(|(pointer, _)| pointer)
        .collect();
    assert_eq!(
        places,
        [
            "/meta/date",
            "/sections/1/blocks/0/runs",
            "/sections/2/blocks/7/columns/0/blocks/0/runs/0/text"
        ]
    );
}

#[test]
fn what_is_no_document_is_refused() {
    for (json, code) in [
        ("", FaultCode::NotJson),
        ("{", FaultCode::NotJson),
        ("\"\\ud800\"", FaultCode::NotJson),
        ("null", FaultCode::Shape),
        ("[]", FaultCode::Shape),
        ("{}", FaultCode::Shape),
    ] {
        let found = Document::read(json).unwrap_err();
        assert_eq!(
            (found[0].pointer.as_str(), found[0].code),
            ("", code),
            "{json}"
        );
    }
    let deep = "[".repeat(100_000);
    assert_eq!(
        Document::read(&deep).unwrap_err()[0].code,
        FaultCode::NotJson
    );
}
