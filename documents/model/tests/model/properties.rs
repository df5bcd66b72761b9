//! What holds for all documents, and for everything that is none.

use gtm_document_model::Document;
use proptest::prelude::*;
use serde_json::Value;

use crate::arbitrary;
use crate::schema::validator;

/// Any JSON, of the names and words of documents among others.
fn any_json() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        proptest::sample::select(vec![
            "type",
            "columns",
            "blocks",
            "paragraph",
            "chart",
            "runs",
            "sections",
            "cite"
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, move |inside| {
        prop_oneof![
            proptest::collection::vec(inside.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((word.clone(), inside), 0..4)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

/// Pointers of all values.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                places(element, &format!("{at}/{index}"), found);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                places(member, &format!("{at}/{name}"), found);
            }
        }
        _ => {}
    }
}

/// Reads, and checks that every fault names a place of the JSON, or a member that is missing there.
fn read(value: &Value) -> Option<Document> {
    match Document::read(&value.to_string()) {
        Ok(document) => Some(document),
        Err(faults) => {
            assert!(!faults.is_empty() && faults.len() <= 100);
            for fault in faults {
                let parent = fault
                    .pointer
                    .rsplit_once('/')
                    .map_or("", |(parent, _)| parent);
                assert!(value.pointer(parent).is_some(), "{fault:?}");
            }
            None
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_valid_document_reads_back_as_it_is(document in arbitrary::document()) {
        let json = serde_json::to_string(&document).unwrap();
        prop_assert_eq!(Document::read(&json), Ok(document));
    }

    #[test]
    fn a_valid_document_is_valid_for_the_schema(documents in proptest::collection::vec(arbitrary::document(), 2)) {
        let validator = validator();
        for document in documents {
            prop_assert!(validator.is_valid(&serde_json::to_value(document).unwrap()));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        prop_assert!(Document::read(&text).is_err());
    }

    #[test]
    fn any_json_is_read_or_refused(value in any_json()) {
        prop_assert!(read(&value).is_none());
    }

    /// One value of a document becomes another: what is still read is what the schema allows too.
    #[test]
    fn a_document_with_something_else_in_it_is_read_or_refused(
        document in arbitrary::document(),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any_json()), 8),
    ) {
        let validator = validator();
        let document = serde_json::to_value(document).unwrap();
        let mut all = Vec::new();
        places(&document, "", &mut all);
        for (index, value) in changes {
            let mut changed = document.clone();
            *changed.pointer_mut(index.get(all.as_slice()).as_str()).unwrap() = value;
            if let Some(read) = read(&changed) {
                prop_assert!(validator.is_valid(&serde_json::to_value(read).unwrap()));
            }
        }
    }

    #[test]
    fn no_hidden_character_survives_reading(
        document in arbitrary::document(),
        hidden in "[\u{0}-\u{8}\u{e}-\u{1f}\u{7f}-\u{84}\u{86}-\u{9f}\u{202a}-\u{202e}\u{feff}\u{fffe}]{1,3}",
    ) {
        let mut disguised = document.clone();
        disguised.meta.title.push_str(&hidden);
        for source in &mut disguised.sources {
            source.title.insert_str(0, &hidden);
        }
        let json = serde_json::to_string(&disguised).unwrap();
        prop_assert_eq!(Document::read(&json), Ok(document));
    }
}
