//! Tests of the whole document: strict reading, hash, derived parts, differences.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod properties;
mod rendering;

use serde_json::{Value, json};
use uuid::Uuid;

use super::fields::{FIELDS, Field, FieldRule, Form, Section};
use super::governance::FailingPair;
use super::*;
use crate::ReceiptId;
use crate::evidence::{Confidence, ConnectorRef, Source, SourceKind, Unknown, UnknownReason};

fn claim(value: Value, confidence: &str, sources: &[&str]) -> Value {
    json!({"value": value, "confidence": confidence, "basis": "stated", "source_ids": sources, "excerpt_ids": []})
}

fn source(number: u128) -> Source {
    Source {
        id: format!("src_{number:02}"),
        url: "https://acme.example/".into(),
        final_url: "https://acme.example/".into(),
        kind: SourceKind::FirstParty,
        publisher: None,
        title: Some("Acme | *home*".into()),
        language: None,
        retrieved_at: Timestamp::from_millis(1000 * i64::try_from(number).unwrap()),
        published_at: None,
        content_type: Some("text/html".into()),
        bytes: 10,
        content_digest: Digest::of(b"page"),
        connector: ConnectorRef {
            key: "web-fetch".into(),
            version: "1.0.0".into(),
            component_digest: Digest::of(b"wasm"),
        },
        receipt_id: ReceiptId::from_uuid(Uuid::from_u128(number)),
        excerpts: vec![],
    }
}

/// A guideline with two sources and nothing known.
fn blank() -> Guideline {
    Guideline {
        schema_version: GUIDELINE_SCHEMA_VERSION.into(),
        brand_profile_id: BrandId::from_uuid(Uuid::from_u128(1)),
        revision: 1,
        guideline_hash: Digest::of(b""),
        generated_at: Timestamp::from_millis(5000),
        language: "en-GB".into(),
        job_id: JobId::from_uuid(Uuid::from_u128(2)),
        identity: Identity::default(),
        foundations: Foundations::default(),
        audience: Audience::default(),
        positioning: Positioning::default(),
        voice: Voice::default(),
        messaging: Messaging::default(),
        visual: Visual::default(),
        applications: Applications::default(),
        governance: Governance::default(),
        research: Research {
            started_at: Timestamp::from_millis(0),
            finished_at: Timestamp::from_millis(5000),
            sources: vec![source(1), source(2)],
            unknowns: vec![Unknown {
                pointer: "/foundations/mission".into(),
                reason: UnknownReason::NotFound,
            }],
            conflicts: vec![],
            coverage: vec![],
            freshness: Default::default(),
        },
    }
}

/// A guideline with the values of `set`, placed by pointer.
fn with(set: &[(&str, Value)]) -> Guideline {
    let mut document = blank().document();
    for (pointer, value) in set {
        *document.pointer_mut(pointer).expect(pointer) = value.clone();
    }
    serde_json::from_value(document).unwrap()
}

fn ratio(a: &str, b: &str) -> Option<f64> {
    Some(if a == b { 1.0 } else { 7.25 })
}

fn rich() -> Guideline {
    with(&[
        (
            "/identity/brand_name",
            claim(json!("Acme_Ltd"), "high", &["src_02"]),
        ),
        (
            "/identity/founded_year",
            claim(json!(2014), "medium", &["src_01"]),
        ),
        ("/identity/domain", json!("acme.example")),
        (
            "/positioning/proof_points",
            json!([
                claim(
                    json!({"key": "pp-1", "kind": "metric", "text": "18,000 flats"}),
                    "high",
                    &["src_01"]
                ),
                claim(
                    json!({"key": "pp-2", "kind": "award", "text": "Best meter"}),
                    "low",
                    &["src_01"]
                ),
            ]),
        ),
        (
            "/visual/palette",
            json!([
                claim(
                    json!({"name": "Ink", "hex": "#10243e", "role": "primary"}),
                    "medium",
                    &["src_01"]
                ),
                claim(
                    json!({"name": null, "hex": "#ffffff", "role": "background"}),
                    "medium",
                    &["src_01"]
                ),
                claim(
                    json!({"name": null, "hex": "#204060", "role": "primary"}),
                    "medium",
                    &["src_01"]
                ),
            ]),
        ),
        (
            "/visual/typography",
            json!([claim(
                json!({"family": "Inter", "role": "body", "weights": [400, 600], "fallbacks": ["Arial"], "license": null}),
                "medium",
                &["src_01"]
            )]),
        ),
        ("/voice/style/emoji", json!(false)),
    ])
}

#[test]
fn every_field_has_its_place_and_every_place_its_field() {
    let document = blank().document();
    for field in FIELDS.iter() {
        let place = document.pointer(field.pointer).expect(field.pointer);
        assert_eq!(
            place.is_array(),
            field.form == Form::Claims,
            "{}",
            field.pointer
        );
        assert!(
            field
                .pointer
                .starts_with(&format!("/{}/", field.section.key()))
        );
        assert!(!field.is_known(&document) && Field::at(field.pointer).is_some());
        // A value that cannot state a basis on the wire counts only if the host measures the same.
        assert_eq!(
            field.form == Form::Plain,
            field.rule == FieldRule::Measured,
            "{}",
            field.pointer
        );
    }
    let mut found = Vec::new();
    fn claims(value: &Value, at: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(members) if members.contains_key("excerpt_ids") => found.push(at.into()),
            Value::Object(members) => {
                members
                    .iter()
                    .for_each(|(key, v)| claims(v, &format!("{at}/{key}"), found));
            }
            Value::Array(_) if !at.contains("evidence") => found.push(at.into()),
            _ => {}
        }
    }
    for section in Section::ALL
        .into_iter()
        .filter(|s| *s != Section::Governance)
    {
        claims(
            &document[section.key()],
            &format!("/{}", section.key()),
            &mut found,
        );
    }
    for pointer in found {
        assert!(Field::at(&pointer).is_some(), "{pointer} is in no table");
    }
}

#[test]
fn a_sealed_document_reads_back_and_nothing_else_does() {
    let Completed {
        guideline,
        document,
        ..
    } = rich().complete(None, &ratio);
    assert_eq!(Guideline::read(&document).unwrap(), guideline);
    let change = |pointer: &str, value: Value| {
        let mut other = document.clone();
        *other.pointer_mut(pointer).unwrap() = value;
        Guideline::read(&other)
    };
    assert!(matches!(
        change("/revision", json!(2)),
        Err(ReadError::Hash)
    ));
    assert!(matches!(
        change("/schema_version", json!("2.0")),
        Err(ReadError::Version(_))
    ));
    assert!(matches!(
        change("/governance/authority/publish", json!(true)),
        Err(ReadError::Shape(_))
    ));
    assert!(matches!(
        change("/voice/formality", claim(json!(6), "high", &[])),
        Err(ReadError::Shape(_))
    ));
    let mut more = document.clone();
    more["identity"]["ceo"] = json!("x");
    assert!(matches!(Guideline::read(&more), Err(ReadError::Shape(_))));
    let mut less = document.clone();
    less["identity"].as_object_mut().unwrap().remove("domain");
    assert!(matches!(Guideline::read(&less), Err(ReadError::Form)));
}

#[test]
fn sections_say_their_lowest_confidence_and_all_their_sources() {
    let guideline = rich().complete(None, &ratio).guideline;
    let identity = &guideline.identity.evidence;
    assert_eq!(identity.confidence, Some(Confidence::Medium));
    assert_eq!(identity.source_ids, ["src_01", "src_02"]);
    assert_eq!(
        guideline.positioning.evidence.confidence,
        Some(Confidence::Low)
    );
    assert_eq!(guideline.foundations.evidence, SectionEvidence::default());
    let coverage = |key: &str| {
        guideline
            .research
            .coverage
            .iter()
            .find(|c| c.section == key)
            .unwrap()
            .clone()
    };
    // Fifteen identity fields, as in annex A2's example.
    assert_eq!(
        (coverage("identity").fields, coverage("identity").known),
        (15, 3)
    );
    assert_eq!(coverage("voice").known, 1);
    let freshness = &guideline.research.freshness;
    assert_eq!(
        freshness.oldest_retrieved_at,
        Some(Timestamp::from_millis(1000))
    );
    assert_eq!(
        freshness.newest_retrieved_at,
        Some(Timestamp::from_millis(2000))
    );
}

#[test]
fn tokens_are_of_the_format_module() {
    let guideline = rich().complete(None, &ratio).guideline;
    assert_eq!(
        Value::Object(guideline.visual.design_tokens),
        json!({
            "color": {
                "primary": {"$type": "color", "$description": "Ink", "$value": {"colorSpace": "srgb", "components": [0.0627, 0.1412, 0.2431], "hex": "#10243e"}},
                "background": {"$type": "color", "$value": {"colorSpace": "srgb", "components": [1.0, 1.0, 1.0], "hex": "#ffffff"}},
                "primary-2": {"$type": "color", "$value": {"colorSpace": "srgb", "components": [0.1255, 0.251, 0.3765], "hex": "#204060"}},
            },
            "typography": {"body": {
                "family": {"$type": "fontFamily", "$value": ["Inter", "Arial"]},
                "weight": {"400": {"$type": "fontWeight", "$value": 400}, "600": {"$type": "fontWeight", "$value": 600}},
            }},
        })
    );
    assert!(
        blank()
            .complete(None, &ratio)
            .guideline
            .visual
            .design_tokens
            .is_empty()
    );
}

#[test]
fn rules_follow_from_facts_alone() {
    assert_eq!(
        blank().complete(None, &ratio).guideline.applications,
        Applications::default()
    );
    let mut guideline = rich();
    guideline.governance.accessibility.failing_pairs = vec![FailingPair {
        foreground: "#aaaaaa".into(),
        background: "#ffffff".into(),
        ratio: 2.32,
    }];
    let Completed {
        guideline,
        document,
        ..
    } = guideline.complete(None, &ratio);
    let rule = |key: &str| {
        guideline
            .applications
            .rules
            .iter()
            .find(|r| r.key == key)
            .expect(key)
            .clone()
    };
    assert_eq!(
        rule("pptx-title-color").rule,
        "Titles may be set in #10243e (Ink) on #ffffff (contrast 7.25:1)."
    );
    assert_eq!(
        rule("pptx-title-color").derived_from,
        ["/visual/palette/0", "/visual/palette/1"]
    );
    assert!(rule("web-contrast-1").rule.contains("2.32:1"));
    assert!(
        rule("pdf-embedding-1")
            .rule
            .contains("only once its licence is cleared")
    );
    assert_eq!(rule("email-emoji").rule, "Use no emoji.");
    let mut keys: Vec<_> = guideline
        .applications
        .rules
        .iter()
        .map(|r| &r.key)
        .collect();
    keys.sort();
    assert!(keys.windows(2).all(|pair| pair[0] != pair[1]));
    for rule in &guideline.applications.rules {
        assert!(!rule.derived_from.is_empty());
        for pointer in &rule.derived_from {
            assert!(
                document.pointer(pointer).is_some_and(|v| !v.is_null()),
                "{pointer}"
            );
        }
    }
    let unreadable = rich()
        .complete(None, &|_, _| Some(1.5))
        .guideline
        .applications
        .rules;
    let title = unreadable
        .iter()
        .find(|r| r.key == "pptx-title-color")
        .unwrap();
    assert!(title.rule.contains("not for titles"), "{}", title.rule);
}

#[test]
fn a_rule_says_what_to_do() {
    let rules = |facts: &[(&str, Value)], ratio: f64| {
        let done = with(facts).complete(None, &move |_, _| Some(ratio));
        let rules = done.guideline.applications.rules;
        rules.into_iter().map(|rule| rule.rule).collect::<Vec<_>>()
    };
    let written = |language: &str, formality: u8| {
        let facts = [
            (
                "/voice/formality",
                claim(json!(formality), "medium", &["src_01"]),
            ),
            ("/language", json!(language)),
        ];
        rules(&facts, 7.0)
    };
    let formally = "Address readers formally, as the site's own texts do.";
    assert_eq!(written("de-AT", 4), [formally, formally]);
    assert!(written("fr", 2)[0].contains("familiarly"));
    // Neither a form of address in between nor an English one tells anybody what to write.
    assert!(written("nl", 3).is_empty() && written("en-GB", 4).is_empty());
    let swatch = |hex: &str, role: &str| {
        let value = json!({"name": null, "hex": hex, "role": role});
        claim(value, "medium", &["src_01"])
    };
    let colors = [(
        "/visual/palette",
        json!([swatch("#8d6a1d", "accent"), swatch("#ffffff", "background")]),
    )];
    let accent = "Use #8d6a1d for highlights and chart series";
    assert_eq!(
        rules(&colors, 4.9),
        [format!("{accent}."), format!("{accent}.")]
    );
    assert!(rules(&colors, 2.1)[0].contains("not for text on #ffffff: their contrast is 2.10:1"));
}

#[test]
fn changes_are_named_where_they_are() {
    let old = rich().complete(None, &ratio);
    let mut next = rich();
    next.revision = 2;
    next.job_id = JobId::from_uuid(Uuid::from_u128(9));
    next.generated_at = Timestamp::from_millis(99_000);
    next.research.sources.swap(0, 1);
    next.visual.palette.reverse();
    let same = next.clone().complete(Some(&old.document), &ratio);
    assert_eq!(same.changed_pointers, Vec::<String>::new());
    assert_eq!(same.guideline.governance.change_log.len(), 2);
    assert_ne!(same.guideline.guideline_hash, old.guideline.guideline_hash);

    next.positioning.proof_points.remove(0);
    next.positioning.proof_points[0]
        .value
        .as_mut()
        .unwrap()
        .text = "Better meter".into();
    next.identity.founded_year = Claim::default();
    next.voice.style.emoji = Some(true);
    next.foundations.commitments = vec![Claim {
        value: Some("x".into()),
        ..Claim::default()
    }];
    let other = next.complete(Some(&old.document), &ratio);
    assert_eq!(
        other.changed_pointers,
        [
            "/identity/founded_year",
            "/foundations/commitments/0",
            "/positioning/proof_points",
            "/positioning/proof_points/0",
            "/voice/style/emoji",
        ]
    );
    let log = other.guideline.governance.change_log;
    assert_eq!(log[1].changed_pointers, other.changed_pointers);
    assert_eq!(log[0].revision, 1);
    assert!(
        log[0]
            .changed_pointers
            .contains(&"/identity/brand_name".to_owned())
    );
}
