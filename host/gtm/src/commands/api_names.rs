//! Rows of the store as JSON with the API's member names. The rows' own names must stay as they are:
//! digests of the audit log are taken over them.

use serde::Serialize;
use serde_json::{Map, Value};

/// Members whose names differ: the row's, then the API's.
const NAMES: [(&str, &str); 4] = [
    ("organization", "organization_id"),
    ("project", "project_id"),
    ("job", "job_id"),
    ("permissions", "scopes"),
];

/// A row as an object with the API's names, in the row's order.
pub fn with_api_names<T: Serialize>(row: &T) -> Value {
    // A row consists of strings, numbers and JSON values, so it always serializes.
    match serde_json::to_value(row) {
        Ok(Value::Object(members)) => {
            let renamed = members.into_iter().map(|(name, value)| {
                let other = NAMES.iter().find(|(row, _)| *row == name);
                (other.map_or(name, |(_, api)| (*api).to_owned()), value)
            });
            Value::Object(renamed.collect::<Map<_, _>>())
        }
        Ok(other) => other,
        Err(_) => Value::Null,
    }
}
