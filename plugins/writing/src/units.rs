//! The units of an answer, and the sums that it declares.

use serde_json::Value;

use crate::answer;
use crate::form::{Layout, Part, Unit};
use crate::numbers::Derivation;

/// Whether an answer has the part, in a form that can be read.
pub fn is_answered(part: &Part, answer: &Value) -> bool {
    answer
        .get(part.name)
        .is_some_and(|value| value.is_array() || value.is_object())
}

/// What a part's value holds.
#[derive(Debug, Default)]
pub struct Units<'v> {
    /// The units, each with its path.
    pub units: Vec<(String, Unit, &'v Value)>,
    /// How many more a list has than it may hold, by path.
    pub surplus: Vec<(String, usize)>,
}

/// The units of a part's value. A list that the model wrote as a single unit is one of one.
pub fn units<'v>(part: &Part, value: &'v Value) -> Units<'v> {
    let mut found = Units::default();
    collect(part.name, part.layout, value, &mut found);
    found
}

fn collect<'v>(path: &str, layout: Layout, value: &'v Value, found: &mut Units<'v>) {
    match (layout, value) {
        (Layout::Many(unit, most), Value::Array(items)) => {
            if items.len() > most {
                found.surplus.push((path.to_owned(), items.len() - most));
            }
            found.units.extend(
                items
                    .iter()
                    .take(most)
                    .map(|item| (path.to_owned(), unit, item)),
            );
        }
        (Layout::One(unit), Value::Array(items)) => {
            let first = items.first();
            found
                .units
                .extend(first.map(|item| (path.to_owned(), unit, item)));
        }
        (Layout::One(unit) | Layout::Many(unit, _), Value::Object(_)) => {
            found.units.push((path.to_owned(), unit, value));
        }
        (Layout::Group(members), Value::Object(_)) => {
            for (name, layout) in members {
                if let Some(value) = value.get(*name) {
                    collect(&format!("{path}/{name}"), *layout, value, found);
                }
            }
        }
        _ => {}
    }
}

/// Most sums of one answer that are read.
const MOST_DERIVATIONS: usize = 50;

/// The sums that an answer declares and that are right.
pub fn derivations(answer: &Value) -> Vec<Derivation> {
    let declared = answer.get("derivations").and_then(Value::as_array);
    declared
        .into_iter()
        .flatten()
        .take(MOST_DERIVATIONS)
        .filter_map(|sum| {
            Derivation::read(
                &answer::text_of(sum, "formula"),
                &answer::text_of(sum, "result"),
            )
        })
        .collect()
}
