#![allow(clippy::unwrap_used)]
use super::super::programs;
use super::*;
use serde_json::json;

/// The price of a value, however high.
fn price(schema: &Value, value: &Value) -> u64 {
    let mut programs = Programs::default();
    programs.count(schema).unwrap();
    let price = Prices::of(schema, &programs).unwrap();
    let mut count = Pricing {
        steps: 0,
        max: u64::MAX,
        visits_left: MAX_VISITS,
    };
    count.add(&price.0, value, 1);
    assert!(count.steps <= text_bytes(value) * price.0.anywhere);
    assert_eq!(price.steps(value, count.steps), count.steps);
    count.steps
}

#[test]
fn a_string_costs_its_length_times_what_applies_to_it() {
    let ten = json!("0123456789");
    assert_eq!(price(&json!({ "type": "string" }), &ten), 0);
    assert_eq!(price(&json!({ "maxLength": 20 }), &ten), 18);
    assert_eq!(price(&json!({ "format": "uri" }), &ten), 18 * FORMAT_STEPS);
    let once = price(&json!({ "pattern": "^[0-9]{10}$" }), &ten);
    assert!(once > 18, "{once}");
    for (schema, times) in [
        (
            json!({ "allOf": [{ "$ref": "#/$defs/a" }, { "$ref": "#/$defs/a" }] }),
            2,
        ),
        (json!({ "anyOf": [{ "$ref": "#/$defs/a" }, true] }), 1),
        (
            json!({ "if": { "$ref": "#/$defs/a" }, "then": { "$ref": "#/$defs/a" } }),
            2,
        ),
        (json!({ "not": { "not": { "$ref": "#/$defs/a" } } }), 1),
        (
            json!({ "$ref": "#/$defs/a", "unevaluatedProperties": false }),
            3,
        ),
    ] {
        let mut schema = schema;
        schema["$defs"] = json!({ "a": { "pattern": "^[0-9]{10}$" } });
        assert_eq!(price(&schema, &ten), times * once, "{schema}");
    }
}

#[test]
fn only_what_can_apply_to_a_text_counts() {
    let a = json!({ "pattern": "^[0-9]{10}$" });
    let once = price(&a, &json!("0123456789"));
    let value = json!({ "ten": "0123456789", "other": "0123456789", "list": ["0123456789", 1] });
    for (schema, times) in [
        (json!({ "properties": { "ten": a } }), 1),
        (json!({ "properties": { "absent": a } }), 0),
        (json!({ "additionalProperties": a }), 2),
        (json!({ "patternProperties": { "": a } }), 2),
        (json!({ "properties": { "list": { "items": a } } }), 1),
        (
            json!({ "properties": { "list": { "prefixItems": [a], "contains": a } } }),
            2,
        ),
        (
            json!({ "dependentSchemas": { "ten": { "properties": { "other": a } } } }),
            1,
        ),
        (json!({ "$defs": { "unused": a } }), 0),
    ] {
        let names = price(&json!({ "patternProperties": { "": true } }), &value);
        let names = if schema.get("patternProperties").is_some() {
            names
        } else {
            0
        };
        assert_eq!(price(&schema, &value), times * once + names, "{schema}");
    }
    let names = json!({ "propertyNames": { "maxLength": 100 } });
    assert_eq!(price(&names, &value), 3 + 5 + 4 + 3 * BEGINNING);
}

#[test]
fn divisions_and_comparisons_have_a_price() {
    let unique = json!({ "uniqueItems": true });
    let price = |value| {
        let prices = Prices::of(&unique, &Programs::default()).unwrap();
        prices.steps(&value, u64::MAX)
    };
    let list = |item: fn(usize) -> Value| Value::Array((0..100).map(item).collect());
    assert_eq!(price(list(|n| json!(n.to_string()))), 0);
    assert_eq!(price(list(|n| json!(n))), 100 * 100);
    assert_eq!(price(list(|_| json!([[], []]))), 100 * 300);
    let even = json!({ "items": { "allOf": [{ "multipleOf": 2 }, true] } });
    let prices = Prices::of(&even, &Programs::default()).unwrap();
    assert_eq!(
        prices.steps(&json!([1, "2", 3]), u64::MAX),
        2 * DIVISION_STEPS
    );
    let within = json!({ "properties": { "a": { "items": unique } } });
    let prices = Prices::of(&within, &Programs::default()).unwrap();
    let value = json!({ "a": [list(|n| json!(n))], "b": list(|n| json!(n)) });
    assert_eq!(prices.steps(&value, u64::MAX), 100 * 100);
}

#[test]
fn formats_whose_check_has_no_bound_are_refused() {
    for format in REFUSED_FORMATS {
        let refusal = Prices::of(&json!({ "format": format }), &Programs::default());
        assert_eq!(refusal.err(), Some(SchemaError::Format(format.into())));
    }
}

#[test]
fn only_what_applies_to_a_place_can_be_violated_there() {
    let most = |schema: &Value, value: &Value| {
        let mut programs = Programs::default();
        programs.count(schema).unwrap();
        let prices = Prices::of(schema, &programs).unwrap();
        let found = programs::library(programs::MAX_PROGRAM_BYTES);
        let found = found.build(schema).unwrap().iter_errors(value).count();
        let most = prices.violations(value, u64::MAX);
        assert!(u64::try_from(found).unwrap() <= most, "{schema} {value}");
        most
    };
    let wide: Map<String, Value> = (0..1000)
        .map(|n| (format!("m{n}"), json!({ "type": "string", "minLength": 2 })))
        .collect();
    let wide = json!({ "properties": wide });
    assert!(most(&wide, &json!({ "other": vec![1; 1000] })) < 10);
    assert!(most(&wide, &json!({ "m1": 1, "m2": 2 })) < 20);
    let list = json!({ "items": { "anyOf": [{ "type": "string" }, { "maximum": 3 }] } });
    assert!((10..100).contains(&most(&list, &json!(vec![4; 10]))));
    // One keyword, and a violation for each name.
    let names: Vec<String> = (0..50).map(|n| n.to_string()).collect();
    assert!(most(&json!({ "required": names }), &json!({})) >= 50);
    let members: Map<String, Value> = names.into_iter().map(|name| (name, json!(1))).collect();
    let of_names = json!({ "propertyNames": { "minLength": 9, "pattern": "^a" } });
    assert!(most(&of_names, &Value::Object(members)) >= 100);
    // Counting ends at the most.
    let prices = Prices::of(&list, &Programs::default()).unwrap();
    assert!(prices.violations(&json!(vec![4; 100_000]), 100) < 200);
}
