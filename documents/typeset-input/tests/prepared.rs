//! Documents of the gallery as a template reads them: nothing in a drawing leaves it, and hostile documents are prepared.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_document_gallery::hostile::{self, Expected};
use gtm_document_gallery::{Asset, SAMPLES, THEMES};
use gtm_document_model::Document;
use gtm_document_model::color::Rgb;
use gtm_document_model::theme::TEXT_CONTRAST;
use gtm_ooxml::picture::Format;
use gtm_typeset_input::{Assets, Code, Diagnostics, Input};
use serde_json::Value;

struct Given(Vec<Asset>);

impl Assets for Given {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let found = self.0.iter().find(|asset| asset.name == name)?;
        Some(found.bytes.clone())
    }

    fn decodes(&self, _: &[u8], _: Format) -> bool {
        true
    }
}

fn prepared(document: &Value, assets: Vec<Asset>) -> (Input, Vec<Code>) {
    let document = Document::from_value(document.clone()).unwrap();
    let mut diagnostics = Diagnostics::default();
    let input = gtm_typeset_input::of(&document, &Given(assets), &mut diagnostics);
    let codes = diagnostics.into_list().into_iter().map(|told| told.code);
    (input, codes.collect())
}

/// Every object of a plot.
fn each(value: &Value, visit: &mut impl FnMut(&serde_json::Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            visit(members);
            members.values().for_each(|member| each(member, visit));
        }
        Value::Array(elements) => elements.iter().for_each(|element| each(element, visit)),
        _ => {}
    }
}

fn plots(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    each(value, &mut |members| {
        found.extend(members.get("plot").cloned())
    });
    found
}

/// Places and lengths are between 0 and 1, and a label in a bar can be read on it.
fn check(plot: &Value, name: &str) {
    each(plot, &mut |members| {
        for (member, value) in members {
            let is_length =
                ["x", "y", "at", "from", "to", "zero", "start", "width"].contains(&member.as_str());
            if let (true, Some(length)) = (is_length, value.as_f64()) {
                assert!(
                    (0.0..=1.000_001).contains(&length),
                    "{name} {member} {length}"
                );
            }
        }
        if let (Some(ink), Some(color)) = (members.get("ink"), members.get("color")) {
            let [ink, color]: [Rgb; 2] =
                [ink, color].map(|it| serde_json::from_value(it.clone()).unwrap());
            assert!(
                ink.contrast(color) >= TEXT_CONTRAST,
                "{name} {ink:?} on {color:?}"
            );
        }
    });
}

#[test]
fn each_chart_of_the_gallery_is_drawn_within_its_field_and_can_be_read() {
    let mut kinds = std::collections::BTreeSet::new();
    for sample in SAMPLES {
        for theme in THEMES {
            let (input, codes) = prepared(&sample.document(theme), sample.assets(theme));
            assert_eq!(codes, [], "{} {}", sample.name, theme.name);
            for plot in plots(&input.data) {
                check(&plot, sample.name);
                kinds.insert(plot["kind"].as_str().unwrap().to_owned());
            }
            assert!(
                !input.data.to_string().contains("\"notes\""),
                "{}",
                sample.name
            );
        }
    }
    assert!(kinds.len() >= 4, "{kinds:?}");
}

#[test]
fn hostile_documents_are_prepared() {
    for hostile in hostile::documents() {
        if matches!(hostile.expected, Expected::Refusal(_)) {
            continue;
        }
        let (input, codes) = prepared(&hostile.document, hostile.assets);
        for plot in plots(&input.data) {
            check(&plot, hostile.name);
        }
        let has_refused_pictures = codes.contains(&Code::ImageUnusable);
        assert_eq!(
            has_refused_pictures,
            hostile.name.starts_with("pictures-"),
            "{}",
            hostile.name
        );
    }
}

#[test]
fn a_heading_that_skips_a_level_is_lifted_and_a_code_is_drawn() {
    let mut document = SAMPLES[0].document(&THEMES[0]);
    document["sections"][0]["blocks"] = serde_json::json!([
        {"type": "heading", "level": 4, "runs": [{"text": "a"}]},
        {"type": "heading", "level": 4, "runs": [{"text": "b"}]},
        {"type": "cta", "label": "Go", "href": "https://a.example/", "qr": true},
    ]);
    let (input, _) = prepared(&document, Vec::new());
    let blocks = &input.data["document"]["sections"][0]["blocks"];
    assert_eq!(
        (&blocks[0]["level"], &blocks[1]["level"]),
        (&2.into(), &3.into())
    );
    let code = blocks[2]["code"].as_str().unwrap();
    assert!(input.files[code].starts_with(b"<svg"));
}

#[test]
fn the_template_is_told_what_stands_before_the_text() {
    let front = |name: &str| {
        let sample = SAMPLES.iter().find(|sample| sample.name == name).unwrap();
        let (input, _) = prepared(&sample.document(&THEMES[0]), Vec::new());
        input.data["front"].clone()
    };
    let told = |is_long: bool| serde_json::json!({"cover": is_long, "contents": is_long});
    assert_eq!(front("report-de"), told(true));
    assert_eq!(front("note-de"), told(false));
}

#[test]
fn a_letter_tells_who_sends_it_and_where_it_is_signed() {
    for (name, at, above) in [("letter-en", 8, 7), ("letter-ar", 6, 5)] {
        let sample = SAMPLES.iter().find(|sample| sample.name == name).unwrap();
        let (input, _) = prepared(&sample.document(&THEMES[0]), Vec::new());
        assert_eq!(input.data["letter"]["sender"].as_array().unwrap().len(), 3);
        let blocks = &input.data["document"]["sections"][1]["blocks"];
        assert_eq!(blocks[at]["signs"], true, "{name}: {blocks}");
        assert_eq!(blocks[above]["closes"], true, "{name}");
        let marked = blocks.as_array().unwrap().iter();
        assert_eq!(marked.filter(|it| !it["signs"].is_null()).count(), 1);
    }
}

#[test]
fn sources_are_told_in_words_of_the_document() {
    let sample = SAMPLES.iter().find(|sample| sample.name == "offer-en");
    let (input, _) = prepared(&sample.unwrap().document(&THEMES[0]), Vec::new());
    let source = &input.data["document"]["sources"][0];
    assert_eq!(source["day"], "20 November 2026");
    assert_eq!(source["address"], "landlords.example/gas-safety");
}

#[test]
fn titles_have_a_colour_that_can_be_read() {
    let mut document = SAMPLES[0].document(&THEMES[0]);
    let (input, _) = prepared(&document, Vec::new());
    assert_eq!(input.data["title"], "primary");
    document["theme"]["colors"]["primary"] = "#e4572e".into();
    let (input, _) = prepared(&document, Vec::new());
    assert_eq!(input.data["title"], "text");
}
