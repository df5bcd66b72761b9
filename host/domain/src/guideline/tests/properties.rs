//! What holds for any guideline: its hash ignores the order of members, and it does not differ from itself.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z]{1,6}", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(
            members
                .iter()
                .rev()
                .map(|(k, v)| (k.clone(), reversed(v)))
                .collect(),
        ),
        Value::Array(items) => Value::Array(items.iter().map(reversed).collect()),
        other => other.clone(),
    }
}

proptest! {
    #[test]
    fn the_hash_does_not_depend_on_the_order_of_members(value in json_value()) {
        prop_assert_eq!(guideline_hash(&value), guideline_hash(&reversed(&value)));
    }

    #[test]
    fn nothing_changed_from_a_document_to_itself(name in "\\PC{0,20}", key in "[a-z]{1,8}", weight in 1u16..1000) {
        let guideline = with(&[
            ("/identity/brand_name", claim(json!(name), "high", &["src_01"])),
            ("/positioning/value_propositions", json!([claim(json!({"key": key, "statement": name, "benefit": null}), "high", &["src_01"])])),
            ("/visual/typography", json!([claim(json!({"family": name, "role": "body", "weights": [weight], "fallbacks": [], "license": null}), "medium", &["src_01"])])),
        ]);
        let first = guideline.clone().complete(None, &ratio);
        prop_assert_eq!(changed_pointers(&first.document, &first.document), Vec::<String>::new());
        prop_assert_eq!(Guideline::read(&first.document).unwrap(), first.guideline);
        // Stored as text and read back, it is the same document.
        let stored: Value = serde_json::from_slice(&crate::canonical_json(&first.document).unwrap()).unwrap();
        prop_assert!(Guideline::read(&stored).is_ok());
    }
}
