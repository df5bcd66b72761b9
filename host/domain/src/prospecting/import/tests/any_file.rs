//! Whatever a file says, no reader panics, and no address is shown.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{file, sam, terms};
use crate::prospecting::import::read_json;

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "\\PC{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let name = "(synthetic|candidates|address|evidence|kind|person|company|qualification|[a-z/~]{0,4})";
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(name, inner, 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn no_file_panics(value in any_json()) {
        let _ = read_json(&value, &terms());
    }

    /// Whatever one member is replaced by, the address in clear stays out of what is shown.
    #[test]
    fn the_address_is_never_shown(at in 0usize..6, around in "[a-z ]{0,8}") {
        let pointers = ["/person/full_name", "/person/role", "/company/name", "/qualification/reason",
            "/evidence/0/excerpt", "/evidence/2/hook"];
        let mut candidate = sam();
        let text = format!("{around}SAM@acme-estates.example{around}");
        *candidate.pointer_mut(pointers[at]).unwrap() = json!(text);
        prop_assert!(read_json(&file(&candidate), &terms()).is_err());
    }
}
