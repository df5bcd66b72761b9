#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::schema::Schema;

fn widens(old: &Value, new: &Value) -> bool {
    let manifest = |schema: &Value| -> Manifest {
        let limits = json!({ "memory_bytes": 65536, "wall_ms": 1, "cpu_ms": 1, "egress_requests": 1,
            "egress_bytes_out": 1, "egress_bytes_in": 1 });
        serde_json::from_value(json!({
            "schema_version": "1", "kind": "connector", "key": "test", "publisher": "com.example",
            "manifest_version": "1.0.0", "name": "Test", "category": "other",
            "declared_integration_kinds": ["rest"], "capabilities": [], "stage": "ga",
            "license": "MIT", "egress": [{ "host": "${setting.url}" }], "auth": { "schemes": [] },
            "credential_fields": [], "limits": limits, "settings_schema": schema,
            "provenance": { "repository": null, "commit": null, "source_paths": ["x"] }
        }))
        .unwrap()
    };
    super::super::widens(&manifest(old), &manifest(new))
}

type Change = fn(&mut Value);

/// A change of a schema that both versions have.
fn change_widens(schema: &Value, change: Change) -> bool {
    let mut new = schema.clone();
    change(&mut new);
    assert_ne!(*schema, new, "nothing was changed");
    widens(schema, &new)
}

/// The schema speaks of the host in `url` in a definition, behind two references, and in a part of its own;
/// `units` is beside it everywhere.
fn schema() -> Value {
    json!({
        "type": "object",
        "$defs": {
            "host": { "$ref": "#/$defs/ours" },
            "ours": { "type": "string", "pattern": "^https://[a-z]+[.]example$" },
            "units": { "enum": ["c"] },
            "both": { "properties": { "url": { "maxLength": 50 }, "units": { "maxLength": 9 } } }
        },
        "properties": {
            "url": { "allOf": [{ "$ref": "#/$defs/host" }, { "minLength": 5 }] },
            "units": { "$ref": "#/$defs/units" }
        },
        "allOf": [
            { "properties": { "url": { "maxLength": 60 }, "units": { "type": "string" } } },
            { "patternProperties": { "^u": { "type": "string" } } },
            { "$ref": "#/$defs/both" }
        ],
        "additionalProperties": false
    })
}

#[test]
fn a_setting_that_names_a_host_is_compared_wherever_the_schema_speaks_of_it() {
    let changes: [Change; 11] = [
        |s| s["$defs"]["ours"]["pattern"] = json!("^https://"),
        |s| s["$defs"]["host"] = json!({ "type": "string" }),
        |s| s["$defs"]["host"] = json!(true),
        |s| s["properties"]["url"] = json!({ "$ref": "#/$defs/units" }),
        |s| s["properties"]["url"]["allOf"] = json!([{ "$ref": "#/$defs/host" }]),
        |s| s["allOf"][0]["properties"]["url"] = json!(true),
        |s| s["allOf"][1] = json!(true),
        |s| s["allOf"][1]["patternProperties"] = json!({ "^x": { "type": "string" } }),
        |s| s["$defs"]["both"]["properties"]["url"] = json!({ "maxLength": 500 }),
        |s| s["$defs"]["both"] = json!(true),
        // One setting may now decide about another.
        |s| s["if"] = json!({ "properties": { "units": { "const": "c" } } }),
    ];
    for (index, change) in changes.into_iter().enumerate() {
        assert!(change_widens(&schema(), change), "{index}");
    }
}

#[test]
fn what_is_said_of_other_settings_does_not_widen() {
    let changes: [Change; 8] = [
        |s| s["$defs"]["units"] = json!({ "enum": ["c", "f"] }),
        |s| s["properties"]["units"] = json!({ "type": "string" }),
        |s| s["properties"]["days"] = json!({ "type": "integer" }),
        |s| s["allOf"][0]["properties"]["units"] = json!(true),
        |s| s["$defs"]["both"]["properties"]["units"] = json!(true),
        |s| s["$defs"]["unused"] = json!({ "type": "null" }),
        |s| s["required"] = json!(["url"]),
        |s| s["title"] = json!("Settings"),
    ];
    for (index, change) in changes.into_iter().enumerate() {
        assert!(!change_widens(&schema(), change), "{index}");
    }
}

#[test]
fn what_cannot_be_decided_widens() {
    let plain = json!({ "properties": { "url": { "type": "string" }, "units": true } });
    let with = |keyword: &str, value: Value| {
        let mut schema = plain.clone();
        schema[keyword] = value;
        schema
    };
    let choice = json!([{ "properties": { "units": { "const": "c" }, "url": { "maxLength": 20 } } },
        { "properties": { "units": { "const": "f" } } }]);
    for keyword in ["oneOf", "anyOf", "x-unheard-of"] {
        let old = with(keyword, choice.clone());
        let mut new = old.clone();
        new["properties"]["units"] = json!({ "type": "string" });
        assert!(widens(&old, &new), "{keyword}");
        assert!(!widens(&old, &old), "{keyword}");
    }
    // References to nothing, out of the schema, in cycles, and more of them than anybody follows.
    let mut laughs = json!({ "a40": true });
    for level in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/a{}", level + 1) });
        laughs[format!("a{level}")] = json!({ "allOf": [next, next] });
    }
    for (reference, definitions) in [
        ("#/$defs/nothing", json!({})),
        ("https://example.com/x.json", json!({})),
        (
            "#/$defs/a",
            json!({ "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } }),
        ),
        ("#/$defs/a0", laughs),
    ] {
        let mut old = with("$ref", json!(reference));
        old["$defs"] = definitions;
        let mut new = old.clone();
        new["title"] = json!("Settings");
        assert!(widens(&old, &new), "{reference}");
    }
    // A text that only looks like a reference is compared as it is.
    let constant = |reference: &str| {
        let value = json!({ "$ref": reference });
        json!({ "$defs": { "a": 1, "b": 1 }, "properties": { "url": { "const": value } } })
    };
    assert!(widens(&constant("#/$defs/a"), &constant("#/$defs/b")));
}

/// Values that tell the random schemas apart; `null` means an absent setting.
const URLS: [&str; 3] = [
    "https://a.example",
    "https://b.example",
    "https://c.example",
];

fn values() -> impl Strategy<Value = Value> {
    prop::sample::subsequence(URLS.to_vec(), 0..=3).prop_map(|urls| json!({ "enum": urls }))
}

fn setting() -> impl Strategy<Value = Value> {
    let plain = prop_oneof![
        values(),
        prop::sample::select(vec!["#/$defs/a", "#/$defs/b"]).prop_map(|to| json!({ "$ref": to })),
    ];
    prop_oneof![
        3 => plain.clone(),
        1 => prop::collection::vec(plain, 1..3).prop_map(|parts| json!({ "allOf": parts })),
    ]
}

fn part() -> impl Strategy<Value = Value> {
    let keyword = prop_oneof![
        4 => (prop::sample::select(vec!["url", "other"]), setting())
            .prop_map(|(name, setting)| ("properties", json!({ name: setting }))),
        1 => (prop::sample::select(vec!["^u", "^o", "r"]), setting())
            .prop_map(|(pattern, setting)| ("patternProperties", json!({ pattern: setting }))),
        1 => setting().prop_map(|setting| ("additionalProperties", setting)),
        1 => Just(("unevaluatedProperties", json!(false))),
        1 => Just(("$ref", json!("#/$defs/part"))),
        1 => Just(("propertyNames", json!({ "maxLength": 3 }))),
        1 => (setting(), setting()).prop_map(|(one, two)| ("oneOf", json!([
            { "properties": { "other": one, "url": two } }, { "properties": { "other": two } },
        ]))),
    ];
    prop::collection::vec(keyword, 1..3).prop_map(|keywords| {
        Value::Object(
            keywords
                .into_iter()
                .map(|(k, v)| (k.to_owned(), v))
                .collect(),
        )
    })
}

fn whole() -> impl Strategy<Value = Value> {
    let definitions = (
        values(),
        values(),
        prop::sample::select(vec!["url", "other"]),
        setting(),
    );
    (part(), prop::collection::vec(part(), 0..2), definitions).prop_map(
        |(mut schema, parts, (a, b, name, setting))| {
            if !parts.is_empty() {
                schema["allOf"] = Value::Array(parts);
            }
            schema["$defs"] =
                json!({ "a": a, "b": b, "part": { "properties": { name: setting } } });
            schema
        },
    )
}

/// The values of `url` for which some settings are valid.
fn urls_that_fit(schema: &Value) -> BTreeSet<&'static str> {
    let schema = Schema::compile(schema).unwrap();
    let mut found = BTreeSet::new();
    for url in URLS {
        for other in URLS.map(Some).into_iter().chain([None]) {
            let mut settings = json!({ "url": url });
            if let Some(other) = other {
                settings["other"] = json!(other);
            }
            if schema.check(&settings).is_ok() {
                found.insert(url);
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn a_host_that_did_not_fit_before_is_a_widening(
        old in whole(),
        change in prop::sample::select(vec!["properties", "patternProperties", "allOf", "$defs", "oneOf", ""]),
        other in whole(),
    ) {
        // Mostly one keyword differs, so that much stays the same.
        let mut new = old.clone();
        match (change, other.get(change)) {
            ("", _) => new = other,
            (keyword, Some(value)) => new[keyword] = value.clone(),
            (keyword, None) => {
                new.as_object_mut().unwrap().remove(keyword);
            }
        }
        let (before, now) = (urls_that_fit(&old), urls_that_fit(&new));
        if !now.is_subset(&before) {
            prop_assert!(widens(&old, &new), "{before:?} {now:?}");
        }
    }
}
