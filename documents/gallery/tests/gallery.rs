//! The gallery shows all there is to show, and each of its documents is one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;

use gtm_document_gallery::hostile::{self, Expected};
use gtm_document_gallery::{SAMPLES, THEMES};
use gtm_document_model::Document;
use serde_json::Value;

#[test]
fn each_document_is_read_with_each_theme() {
    for sample in SAMPLES {
        for theme in THEMES {
            let json = sample.document(theme).to_string();
            let document = Document::read(&json)
                .unwrap_or_else(|faults| panic!("{} {}: {faults:?}", sample.name, theme.name));
            let kind = serde_json::to_value(document.meta.document_type).unwrap();
            assert_eq!(kind, sample.document_type, "{}", sample.name);
            for requirement in document.theme.requirements() {
                assert!(requirement.is_met(), "{} {requirement:?}", theme.name);
            }
        }
    }
}

#[test]
fn each_picture_that_a_document_names_is_there() {
    for sample in SAMPLES {
        for theme in THEMES {
            let assets = sample.assets(theme);
            let mut named = BTreeSet::new();
            each_object(&sample.document(theme), &mut |object| {
                named.extend(
                    object
                        .get("asset")
                        .and_then(Value::as_str)
                        .map(str::to_owned),
                );
            });
            assert!(named.contains("logo"), "{}", sample.name);
            for name in named {
                assert!(assets.iter().any(|asset| asset.name == name), "{name}");
            }
        }
    }
}

/// What the schema of the model lists must appear: a block or chart that nobody looks at is never mended.
#[test]
fn together_they_have_each_type_block_and_chart() {
    let schema = gtm_document_model::schema::schema();
    let mut wanted = BTreeSet::new();
    each_object(&schema, &mut |object| {
        let tag = object.get("type").and_then(|kind| kind.get("const"));
        wanted.extend(words(tag.unwrap_or(&Value::Null), "block"));
    });
    for (definition, role) in [
        ("ChartKind", "chart"),
        ("DocumentType", "type"),
        ("Layout", "layout"),
        ("Tone", "tone"),
        ("Direction", "direction"),
    ] {
        let listed = words(&schema["$defs"][definition]["enum"], role);
        assert!(!listed.is_empty(), "{definition} is not in the schema");
        wanted.extend(listed);
    }
    assert!(wanted.contains("block comparison"), "{wanted:?}");

    let mut seen = BTreeSet::new();
    for sample in SAMPLES {
        each_object(&sample.document(&THEMES[0]), &mut |object| {
            for (member, role) in [
                ("type", "block"),
                ("kind", "chart"),
                ("document_type", "type"),
                ("layout", "layout"),
                ("tone", "tone"),
                ("direction", "direction"),
            ] {
                seen.extend(words(object.get(member).unwrap_or(&Value::Null), role));
            }
        });
    }
    let missing: Vec<_> = wanted.difference(&seen).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let languages: BTreeSet<_> = (SAMPLES.iter())
        .map(|sample| sample.document(&THEMES[0])["meta"]["language"].to_string())
        .collect();
    assert!(languages.len() >= 4, "{languages:?}");
}

/// Both kinds of first page are looked at.
#[test]
fn short_texts_have_the_title_above_and_long_ones_cover_and_contents() {
    for sample in SAMPLES {
        let document = Document::from_value(sample.document(&THEMES[0])).unwrap();
        let front = document.front();
        let is_long = match sample.name {
            "proposal-en" | "playbook-en" | "gtm-strategy-ja" | "report-de" => true,
            "offer-en" | "note-de" | "one-pager-ar" | "deck-de" | "deck-ar" => false,
            "letter-ja" | "letter-en" | "letter-ar" => false,
            name => panic!("{name} is new"),
        };
        assert_eq!(front.has_cover, is_long, "{}", sample.name);
        assert_eq!(front.has_contents, is_long, "{}", sample.name);
    }
}

#[test]
fn hostile_documents_are_what_they_say() {
    let documents = hostile::documents();
    let names: BTreeSet<_> = documents.iter().map(|hostile| hostile.name).collect();
    assert_eq!(names.len(), documents.len(), "each name is used once");
    for hostile in &documents {
        let read = Document::from_value(hostile.document.clone());
        match hostile.expected {
            Expected::Refusal(_) => assert!(read.is_err(), "{}", hostile.name),
            // Read by the model: the format's renderer is who refuses.
            Expected::File | Expected::RefusalAs { .. } => {
                assert!(read.is_ok(), "{}: {:?}", hostile.name, read.err());
            }
        }
        for asset in &hostile.assets {
            assert!(
                asset.bytes.len() < 8 << 20,
                "{} {}",
                hostile.name,
                asset.name
            );
        }
    }
}

fn words(value: &Value, role: &str) -> Vec<String> {
    let list = match value {
        Value::Array(list) => list.clone(),
        Value::String(_) => vec![value.clone()],
        _ => Vec::new(),
    };
    (list.iter().filter_map(Value::as_str))
        .map(|word| format!("{role} {word}"))
        .collect()
}

fn each_object(value: &Value, seen: &mut impl FnMut(&serde_json::Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            seen(members);
            members.values().for_each(|value| each_object(value, seen));
        }
        Value::Array(list) => list.iter().for_each(|value| each_object(value, seen)),
        _ => {}
    }
}
