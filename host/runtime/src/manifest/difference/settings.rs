//! What changes in the settings of connections and bindings. A setting that names a host is a part of
//! where the plug-in may go: which values fit it is compared wherever the schema says so.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{Effect, Found, keys, names};
use crate::manifest::{Egress, Manifest, template};
use crate::schema::{bounds, references, without_own_address};

/// Keywords that let no value fit a setting or not, whatever they say of the others. `required` only
/// asks for a setting, and what references lead to is looked at where they stand.
const SAY_NOTHING: [&str; 7] = [
    "$comment",
    "$defs",
    "definitions",
    "description",
    "examples",
    "required",
    "title",
];
/// Keywords that hold for each setting by itself, or for the object as such.
const HOLD_FOR_EACH: [&str; 6] = [
    "$schema",
    "maxProperties",
    "minProperties",
    "patternProperties",
    "propertyNames",
    "type",
];

impl Found {
    pub(super) fn settings(&mut self, old: &Manifest, egress: &[Egress], new: Option<&Value>) {
        let before = old.settings_schema.as_ref();
        if before == new {
            return;
        }
        let hosts: BTreeSet<String> = egress
            .iter()
            .filter_map(|rule| template::whole_setting(&rule.host))
            .collect();
        for key in hosts {
            let fitting = |schema: Option<&Value>| Fitting::of(schema?, &key);
            // What cannot be told apart from other settings counts as changed.
            if fitting(before).is_none_or(|held| fitting(new) != Some(held)) {
                let text = format!("other values may fit the setting {key}, which names a host");
                self.add(Effect::Widens, "settings_schema", text);
            }
        }
        for name in names(new, "required").difference(&names(before, "required")) {
            let text = format!("the setting {name} must be given");
            self.add(Effect::Breaks, "settings_schema", text);
        }
        for name in keys(before, "properties").difference(&keys(new, "properties")) {
            let text = format!("there is no setting {name} any more");
            self.add(Effect::Breaks, "settings_schema", text);
        }
        let text = "other settings fit".to_owned();
        self.add(Effect::Changes, "settings_schema", text);
    }
}

/// Everything in a schema that says which values fit one setting. Where two are equal, the same values fit.
#[derive(Debug, PartialEq, Eq)]
struct Fitting {
    /// The schema without what it says of other settings.
    parts: Value,
    /// By reference: what the references in `parts` lead to, and the references in there.
    targets: BTreeMap<String, Value>,
}

impl Fitting {
    /// None if that cannot be told apart from what the schema says of other settings: under `oneOf`,
    /// `if` and their like, the value of one setting may decide about another's.
    fn of(schema: &Value, key: &str) -> Option<Self> {
        let schema = without_own_address(schema);
        let schema = schema.as_ref();
        // What an earlier host stored need not keep today's bounds.
        bounds::expanded(schema).ok()?;
        let parts = about(schema, schema, key)?;
        let mut targets = BTreeMap::new();
        let mut stack = vec![&parts];
        while let Some(part) = stack.pop() {
            match part {
                Value::Array(items) => stack.extend(items),
                Value::Object(members) => {
                    stack.extend(members.values());
                    // Also what only looks like a reference, in an example: then it must stay as it is.
                    if let Some(Value::String(reference)) = members.get("$ref")
                        && !targets.contains_key(reference)
                    {
                        let target = references::target(schema, reference).ok()?;
                        targets.insert(reference.clone(), target.clone());
                        stack.push(target);
                    }
                }
                _ => {}
            }
        }
        Some(Self { parts, targets })
    }
}

/// A schema of the whole settings without what it says of settings other than `key`. References are
/// bounded, so that following them ends.
fn about(root: &Value, schema: &Value, key: &str) -> Option<Value> {
    let Value::Object(members) = schema else {
        return Some(schema.clone());
    };
    let own = members.get("properties").and_then(|all| all.get(key));
    let mut kept = Map::new();
    for (keyword, member) in members {
        let part = match keyword.as_str() {
            "properties" => match own {
                Some(own) => Value::Object(Map::from_iter([(key.to_owned(), own.clone())])),
                None => continue,
            },
            // They are about settings that `properties` beside them does not name.
            "additionalProperties" | "unevaluatedProperties" if own.is_some() => continue,
            "additionalProperties" | "unevaluatedProperties" => member.clone(),
            "allOf" => {
                let all = member.as_array()?.iter();
                all.map(|part| about(root, part, key))
                    .collect::<Option<_>>()?
            }
            "$ref" => {
                let target = references::target(root, member.as_str()?).ok()?;
                about(root, target, key)?
            }
            keyword if SAY_NOTHING.contains(&keyword) => continue,
            keyword if HOLD_FOR_EACH.contains(&keyword) => member.clone(),
            _ => return None,
        };
        kept.insert(keyword.clone(), part);
    }
    Some(Value::Object(kept))
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
