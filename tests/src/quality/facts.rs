//! The facts of a guideline and the texts in them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::comparison::{fold, same};
use super::list;

/// The guideline without what is derived from its facts or describes its making.
pub(super) fn facts(guideline: &Value) -> Value {
    let sections = [
        "identity",
        "foundations",
        "audience",
        "positioning",
        "voice",
        "messaging",
        "visual",
    ];
    let mut facts: Map<String, Value> = sections
        .iter()
        .map(|s| ((*s).to_owned(), guideline[s].clone()))
        .collect();
    for list in [
        "required_legal_lines",
        "trademark_usage",
        "restricted_topics",
    ] {
        facts.insert(list.to_owned(), guideline["governance"][list].clone());
    }
    facts.insert("excerpts".to_owned(), Value::Object(excerpts(guideline)));
    Value::Object(facts)
}

/// Pointers to the texts that contain this word.
pub(super) fn places_of(value: &Value, pointer: &str, word: &str) -> Vec<String> {
    match value {
        Value::String(text) if fold(text).contains(word) => vec![format!("{pointer} {text:?}")],
        Value::Array(items) => items
            .iter()
            .enumerate()
            .flat_map(|(n, item)| places_of(item, &format!("{pointer}/{n}"), word))
            .collect(),
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, member)| places_of(member, &format!("{pointer}/{name}"), word))
            .collect(),
        _ => Vec::new(),
    }
}

/// Texts of the excerpts that support claims, each under its ID and the pointers to those claims.
fn excerpts(guideline: &Value) -> Map<String, Value> {
    let mut carried: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    carriers(guideline, "", &mut carried);
    list(&guideline["research"], "sources")
        .iter()
        .flat_map(|source| list(source, "excerpts"))
        .map(|excerpt| {
            let id = excerpt["id"].as_str().unwrap();
            let of = carried.remove(id).unwrap_or_default().join(", ");
            (format!("{id} of {of}"), excerpt["text"].clone())
        })
        .collect()
}

/// The pointers to the claims that cite each excerpt.
fn carriers<'g>(value: &'g Value, at: &str, found: &mut BTreeMap<&'g str, Vec<String>>) {
    match value {
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                carriers(item, &format!("{at}/{n}"), found);
            }
        }
        Value::Object(members) => {
            for id in list(value, "excerpt_ids").iter().filter_map(Value::as_str) {
                found.entry(id).or_default().push(at.to_owned());
            }
            for (name, member) in members {
                carriers(member, &format!("{at}/{name}"), found);
            }
        }
        _ => {}
    }
}

pub(super) fn conflict_found(guideline: &Value, pointer: &str, values: &[Value]) -> bool {
    list(&guideline["research"], "conflicts")
        .iter()
        .any(|conflict| {
            conflict["pointer"] == pointer
                && values.iter().all(|wanted| {
                    list(conflict, "candidates")
                        .iter()
                        .any(|candidate| same(wanted, &candidate["value"], "contains"))
                })
        })
}
