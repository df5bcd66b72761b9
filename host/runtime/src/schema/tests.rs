#![allow(clippy::unwrap_used)]
use super::*;
use serde_json::json;

#[test]
fn violations_name_the_place_and_hide_the_value() {
    let schema = Schema::compile(&json!({"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":false})).unwrap();
    assert!(schema.check(&json!({"a": 1})).is_ok());
    let violations = schema.check(&json!({"a": "hunter2"})).unwrap_err();
    assert_eq!(violations[0].pointer, "/a");
    assert!(!describe(&violations).contains("hunter2"));
}

#[test]
fn a_schema_stays_within_itself_and_its_bounds() {
    assert!(matches!(
        Schema::compile(&json!({"$ref": "https://example.com/x.json"})),
        Err(SchemaError::RemoteReference(_))
    ));
    assert!(
        Schema::compile(&json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}})).is_ok()
    );
    let mut deep = json!(true);
    for _ in 0..40 {
        deep = json!({"not": deep});
    }
    assert!(matches!(Schema::compile(&deep), Err(SchemaError::TooDeep)));
    assert!(matches!(
        Schema::compile(&json!({"type": 5})),
        Err(SchemaError::Invalid(_))
    ));
    assert!(matches!(
        Schema::compile(&json!({"description": "x".repeat(70_000)})),
        Err(SchemaError::TooLong)
    ));
    assert_eq!(
        Schema::compile(&json!({"$dynamicRef": "#a"})).err(),
        Some(SchemaError::Keyword("$dynamicRef".into()))
    );
    // Backtracking patterns do not compile, so no pattern can take exponential time.
    assert!(Schema::compile(&json!({"pattern": "(a)\\1"})).is_err());
}

#[test]
fn the_nodes_of_a_text_are_never_fewer_than_those_of_its_value() {
    for (text, least) in [
        ("1", 1),
        ("[]", 1),
        ("[1,[2,3],{}]", 6),
        (r#"{"a,[{": "\",[\\", "b": [null]}"#, 4),
    ] {
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(nodes(&value), least, "{text}");
        assert!((least..=least + 3).contains(&nodes_of_text(text)), "{text}");
    }
}

#[test]
fn a_flood_of_violations_is_not_made_before_it_is_cut() {
    let many = |count: usize| Value::Array(vec![json!(1); count]);
    let schema = Schema::compile(&json!({"items": {"type": "string"}})).unwrap();
    assert_eq!(schema.check(&many(100)).unwrap_err().len(), 20);
    let one = schema.check(&many(150_000)).unwrap_err();
    assert_eq!((one.len(), one[0].pointer.as_str()), (1, "/0"));
    let either = json!({"anyOf": [{"items": {"type": "string"}}, {"items": {"type": "null"}}]});
    let one = Schema::compile(&either).unwrap().check(&many(150_000));
    assert!(describe(&one.unwrap_err()).contains("too large to say where"));
}

#[test]
fn a_check_that_would_take_too_long_is_not_begun() {
    let wide: Vec<Value> = (0..200).map(|n| json!({"not": {"const": n}})).collect();
    let often = vec![json!({"$ref": "#/$defs/wide"}); 60];
    let schema = json!({"$defs": {"wide": {"allOf": wide}}, "items": {"allOf": often}});
    let schema = Schema::compile(&schema).unwrap();
    let value = Value::Array(vec![json!(-1); 190_000]);
    assert!(describe(&schema.check(&value).unwrap_err()).contains("too large to be checked"));
    assert!(schema.check(&Value::Array(vec![json!(-1); 10])).is_ok());
}

#[test]
fn a_text_is_not_run_through_a_program_for_hours() {
    // Each `a` begins a run through the whole program, and the pattern is applied 500 times.
    let often = |name: &str| vec![json!({ "$ref": format!("#/$defs/{name}") }); 500];
    let schema = json!({
        "$defs": {
            "slow": { "pattern": "[ab]*a[ab]{250}c" },
            "format": { "format": "email" },
            "length": { "minLength": 1, "maxLength": 10_000_000 },
        },
        "properties": {
            "slow": { "allOf": often("slow") },
            "format": { "allOf": often("format") },
            "length": { "allOf": often("length") },
        },
        "patternProperties": { "[ab]*a[ab]{250}c": true },
    });
    let schema = Schema::compile(&schema).unwrap();
    let text = "ab".repeat(1 << 22);
    for value in [
        json!({ "slow": &text }),
        json!({ "format": &text }),
        json!({ "length": &text }),
        json!({ &text: 1 }),
    ] {
        let refusal = describe(&schema.check(&value).unwrap_err());
        let wanted = "has too much text";
        assert!(refusal.contains(wanted), "{refusal}");
    }
    // Nothing applies to this member.
    assert!(schema.check(&json!({ "page": &text })).is_ok());
}

#[test]
fn long_texts_beside_a_pattern_are_checked() {
    let schema = json!({
        "properties": {
            "url": { "type": "string", "pattern": "^https?://", "format": "uri", "maxLength": 2048 },
            "text": { "type": "string", "maxLength": 8_000_000 },
        },
        "additionalProperties": false,
    });
    let schema = Schema::compile(&schema).unwrap();
    let value = json!({ "url": "https://example.com/", "text": "a".repeat(7_000_000) });
    assert_eq!(schema.check(&value), Ok(()));
}

#[test]
fn items_of_one_hash_are_not_compared_for_hours() {
    // Lists of empty lists, all different: the digits of a number as nesting.
    let item = |n: usize| {
        (0..10).fold(json!([]), |list, bit| match n >> bit & 1 {
            0 => json!([list]),
            _ => json!([[], list]),
        })
    };
    let items = |count: usize| Value::Array((0..count).map(item).collect());
    let often = vec![json!({ "$ref": "#/$defs/unique" }); 1000];
    let schema = json!({ "$defs": { "unique": { "uniqueItems": true } }, "allOf": often });
    let schema = Schema::compile(&schema).unwrap();
    let refusal = describe(&schema.check(&items(1000)).unwrap_err());
    assert!(refusal.contains("unique items"), "{refusal}");
    assert_eq!(schema.check(&items(20)), Ok(()));
}

#[test]
fn a_small_violation_of_a_wide_schema_is_told_with_its_place() {
    let member = |n: usize| {
        (
            format!("m{n}"),
            json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }),
        )
    };
    let wide: serde_json::Map<String, Value> = (0..2000).map(member).collect();
    let schema = json!({ "properties": { "wide": { "properties": wide }, "list": { "items": { "type": "integer" } } } });
    let schema = Schema::compile_trusted(&schema).unwrap();
    let mut value = json!({ "wide": { "m7": "a" }, "list": vec![1; 5000] });
    assert!(schema.check(&value).is_ok());
    value["wide"]["m7"] = json!(3);
    value["list"][4000] = json!("b");
    let found = schema.check(&value).unwrap_err();
    let mut places: Vec<&str> = found.iter().map(|one| one.pointer.as_str()).collect();
    places.sort_unstable();
    assert_eq!(places, ["/list/4000", "/wide/m7"]);
}
