//! Differences between two revisions.

use std::collections::{HashMap, VecDeque};

use serde_json::Value;

use super::fields::{FIELDS, Field, Form};

/// Values that are not fields but belong to the content of a revision.
const BESIDES: [&str; 3] = [
    "/language",
    "/governance/review",
    "/governance/accessibility",
];

/// RFC 6901 pointers into `new` of every value that `old` does not have in the same form, in document
/// order. Only values are compared: their sources, confidence and retrieval times change on every run. A
/// list element is compared with the one of the same identity ([`Field::identity`]), wherever that was; if
/// an element is gone, the result has the list's own pointer. If `old` is null, everything known is new.
#[must_use]
pub fn changed_pointers(old: &Value, new: &Value) -> Vec<String> {
    let mut changed = Vec::new();
    let besides = BESIDES
        .iter()
        .filter(|at| !old.is_null() && old.pointer(at) != new.pointer(at));
    changed.extend(besides.map(|at| (*at).to_owned()));
    for field in FIELDS.iter() {
        match field.form {
            Form::Claims => list(field, old, new, &mut changed),
            Form::Claim | Form::Plain | Form::Host => {
                if value(field, old) != value(field, new) {
                    changed.push(field.pointer.to_owned());
                }
            }
        }
    }
    changed
}

/// The plain value of a field that is not a list; null if it is unknown.
fn value<'d>(field: &Field, document: &'d Value) -> &'d Value {
    let place = document.pointer(field.pointer).unwrap_or(&Value::Null);
    match field.form {
        Form::Claim => place.get("value").unwrap_or(&Value::Null),
        Form::Claims | Form::Plain | Form::Host => place,
    }
}

fn list(field: &Field, old: &Value, new: &Value, changed: &mut Vec<String>) {
    let values = |document| -> Vec<(String, &Value)> {
        field
            .claims(document)
            .into_iter()
            .map(|(pointer, claim)| (pointer, claim.get("value").unwrap_or(&Value::Null)))
            .collect()
    };
    let identity = |value: &Value| value.pointer(field.identity).unwrap_or(value).to_string();
    let mut before: HashMap<String, VecDeque<&Value>> = HashMap::new();
    for (_, value) in values(old) {
        before.entry(identity(value)).or_default().push_back(value);
    }
    let mut different = Vec::new();
    for (pointer, value) in values(new) {
        let was = before
            .get_mut(&identity(value))
            .and_then(VecDeque::pop_front);
        if was != Some(value) {
            different.push(pointer);
        }
    }
    if before.values().any(|left| !left.is_empty()) {
        changed.push(field.pointer.to_owned());
    }
    changed.append(&mut different);
}
