//! Differences in the settings of connections and bindings. A setting that names a host decides where the
//! plug-in may go, so every part of the schema that speaks of it is compared.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{Effect, Found, keys, names};
use crate::manifest::{Egress, Manifest, template};
use crate::schema::{bounds, references, without_own_address};

/// Keywords that do not decide which values a setting may have. `required` only requires a setting, and the
/// targets of references are compared where they are used.
const SAY_NOTHING: [&str; 7] = [
    "$comment",
    "$defs",
    "definitions",
    "description",
    "examples",
    "required",
    "title",
];
/// Keywords that apply to each setting on its own, or to the object as such.
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
            // If the schema ties the setting to others, it counts as changed.
            if fitting(before).is_none_or(|held| fitting(new) != Some(held)) {
                let text =
                    format!("the setting {key}, which names a host, may accept other values");
                self.add(Effect::Widens, "settings_schema", text);
            }
        }
        for name in names(new, "required").difference(&names(before, "required")) {
            let text = format!("the setting {name} must be given");
            self.add(Effect::Breaks, "settings_schema", text);
        }
        for name in keys(before, "properties").difference(&keys(new, "properties")) {
            let text = format!("the setting {name} is gone");
            self.add(Effect::Breaks, "settings_schema", text);
        }
        let text = "other settings are accepted".to_owned();
        self.add(Effect::Changes, "settings_schema", text);
    }
}

/// Everything in a schema that decides which values one setting accepts. Where two of these are equal, the
/// same values are accepted.
#[derive(Debug, PartialEq, Eq)]
struct Fitting {
    /// The schema without what it says about other settings.
    parts: Value,
    /// The targets of the references in `parts`, by reference, and of the references inside those.
    targets: BTreeMap<String, Value>,
}

impl Fitting {
    /// `None` if the schema ties the setting to others: under `oneOf`, `if` and the like, the value of one
    /// setting may decide what another accepts.
    fn of(schema: &Value, key: &str) -> Option<Self> {
        let schema = without_own_address(schema);
        let schema = schema.as_ref();
        // A schema that an earlier host stored may exceed today's limits.
        bounds::expanded(schema).ok()?;
        let parts = about(schema, schema, key)?;
        let mut targets = BTreeMap::new();
        let mut stack = vec![&parts];
        while let Some(part) = stack.pop() {
            match part {
                Value::Array(items) => stack.extend(items),
                Value::Object(members) => {
                    stack.extend(members.values());
                    // Includes text that only looks like a reference, in an example: it must then stay as
                    // it is.
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

/// A schema of all settings without what it says about settings other than `key`. References are bounded,
/// so following them ends.
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
            // These apply to settings that `properties` does not name.
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
