//! A structural check of a model's JSON: enough to tell a model what to repair.
//!
//! It knows the keywords that models get wrong (`type`, `required`, `properties`, `additionalProperties`,
//! `items`, `enum`, `const`, lengths, alternatives, local `$ref`s) and ignores all others. The host
//! validates the result against its own schema in full.

use gtm_sdk::Value;

/// Maximum number of faults reported; a model repairs no more at once.
const MOST_FAULTS: usize = 10;
/// Maximum depth of nesting that is checked.
const MOST_DEPTH: usize = 64;

/// How a value violates a schema, as `pointer: reason`. Empty if it matches.
pub(crate) fn faults(value: &Value, schema: &Value) -> Vec<String> {
    let mut check = Check {
        root: schema,
        faults: Vec::new(),
    };
    check.value(value, schema, "", 0);
    check.faults
}

/// The members of an object that are missing or don't match, if the object itself is right; `None` if the whole value is wrong.
pub(crate) fn faulty_members(value: &Value, schema: &Value) -> Option<Vec<String>> {
    let members = value.as_object()?;
    let properties = schema.get("properties").and_then(Value::as_object)?;
    let check = Check {
        root: schema,
        faults: Vec::new(),
    };
    let faulty: Vec<String> = properties
        .iter()
        .filter(|(name, inner)| match members.get(*name) {
            Some(member) => !check.fits(member, inner, 1),
            None => is_required(schema, name),
        })
        .map(|(name, _)| name.clone())
        .collect();
    (!faulty.is_empty() && faulty.len() < properties.len()).then_some(faulty)
}

/// Whether an object has at least one member that its schema knows.
pub(crate) fn holds_a_member(value: &Value, schema: &Value) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    match (value.as_object(), properties) {
        (Some(members), Some(properties)) => {
            members.keys().any(|name| properties.contains_key(name))
        }
        _ => false,
    }
}

fn is_required(schema: &Value, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|list| list.iter().any(|item| item == name))
}

struct Check<'a> {
    root: &'a Value,
    faults: Vec<String>,
}

impl Check<'_> {
    fn fault(&mut self, at: &str, reason: impl std::fmt::Display) {
        if self.faults.len() < MOST_FAULTS {
            let at = if at.is_empty() { "(top)" } else { at };
            self.faults.push(format!("{at}: {reason}"));
        }
    }

    fn fits(&self, value: &Value, schema: &Value, depth: usize) -> bool {
        let mut check = Check {
            root: self.root,
            faults: Vec::new(),
        };
        check.value(value, schema, "", depth);
        check.faults.is_empty()
    }

    fn value(&mut self, value: &Value, schema: &Value, at: &str, depth: usize) {
        if depth > MOST_DEPTH || self.faults.len() >= MOST_FAULTS {
            return;
        }
        if *schema == Value::Bool(false) {
            self.fault(at, "must be absent");
        }
        let Some(keywords) = schema.as_object() else {
            return;
        };
        if let Some(target) = keywords
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|reference| reference.strip_prefix('#'))
            .and_then(|pointer| self.root.pointer(pointer))
            .cloned()
        {
            self.value(value, &target, at, depth + 1);
        }
        if let Some(types) = keywords.get("type")
            && !has_type(value, types)
        {
            self.fault(at, format_args!("must be of type {types}"));
            return;
        }
        if let Some(allowed) = keywords.get("enum").and_then(Value::as_array)
            && !allowed.contains(value)
        {
            self.fault(
                at,
                format_args!("must be one of {}", Value::Array(allowed.clone())),
            );
        }
        if let Some(only) = keywords.get("const")
            && only != value
        {
            self.fault(at, format_args!("must be {only}"));
        }
        self.alternatives(value, keywords, at, depth);
        match value {
            Value::Object(members) => self.object(members, keywords, at, depth),
            Value::Array(items) => self.array(items, keywords, at, depth),
            Value::String(text) => {
                let length = text.chars().count();
                self.length(
                    length,
                    keywords,
                    ["minLength", "maxLength"],
                    "characters",
                    at,
                );
            }
            _ => {}
        }
    }

    fn alternatives(&mut self, value: &Value, keywords: &Keywords, at: &str, depth: usize) {
        let list = |name: &str| keywords.get(name).and_then(Value::as_array);
        for schema in list("allOf").into_iter().flatten() {
            self.value(value, schema, at, depth + 1);
        }
        for name in ["anyOf", "oneOf"] {
            if let Some(schemas) = list(name)
                && !schemas
                    .iter()
                    .any(|schema| self.fits(value, schema, depth + 1))
            {
                self.fault(at, "matches none of the alternatives");
            }
        }
    }

    fn object(&mut self, members: &Keywords, keywords: &Keywords, at: &str, depth: usize) {
        let required = keywords.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !members.contains_key(name) {
                self.fault(at, format_args!("lacks the member {name:?}"));
            }
        }
        let properties = keywords.get("properties").and_then(Value::as_object);
        for (name, member) in members {
            let inside = format!("{at}/{name}");
            match properties.and_then(|properties| properties.get(name)) {
                Some(schema) => self.value(member, schema, &inside, depth + 1),
                None if keywords.contains_key("patternProperties") => {}
                None => match keywords.get("additionalProperties") {
                    Some(Value::Bool(false)) => self.fault(&inside, "is not a known member"),
                    Some(schema) => self.value(member, schema, &inside, depth + 1),
                    None => {}
                },
            }
        }
    }

    fn array(&mut self, items: &[Value], keywords: &Keywords, at: &str, depth: usize) {
        self.length(items.len(), keywords, ["minItems", "maxItems"], "items", at);
        let first = keywords
            .get("prefixItems")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        if let Some(schema) = keywords.get("items") {
            for (index, item) in items.iter().enumerate().skip(first) {
                self.value(item, schema, &format!("{at}/{index}"), depth + 1);
            }
        }
    }

    fn length(
        &mut self,
        length: usize,
        keywords: &Keywords,
        names: [&str; 2],
        unit: &str,
        at: &str,
    ) {
        let bound = |name: &str| {
            let bound = keywords.get(name).and_then(Value::as_u64)?;
            usize::try_from(bound).ok()
        };
        let [least, most] = names;
        if let Some(least) = bound(least)
            && length < least
        {
            self.fault(at, format_args!("needs at least {least} {unit}"));
        }
        if let Some(most) = bound(most)
            && length > most
        {
            self.fault(at, format_args!("may have at most {most} {unit}"));
        }
    }
}

type Keywords = serde_json::Map<String, Value>;

fn has_type(value: &Value, types: &Value) -> bool {
    match types {
        Value::String(name) => match name.as_str() {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "number" => value.is_number(),
            // 1.0 is an integer in JSON Schema.
            "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            _ => true,
        },
        Value::Array(names) => names.iter().any(|name| has_type(value, name)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gtm_sdk::json::json;

    #[test]
    fn what_fits_has_no_faults() {
        let schema = json!({"type": "object", "required": ["a"], "additionalProperties": false, "$defs": {"s": {"type": "string"}},
            "properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/s"}, "maxItems": 2}, "n": {"type": ["integer", "null"]},
                "k": {"enum": ["x", "y"]}, "o": {"oneOf": [{"type": "string"}, {"type": "null"}]}}});
        for value in [
            json!({"a": []}),
            json!({"a": ["x"], "n": 1.0, "k": "x", "o": null}),
            json!({"a": [], "n": null}),
        ] {
            assert_eq!(faults(&value, &schema), Vec::<String>::new(), "{value}");
        }
        for (value, fault) in [
            (json!([]), "(top): must be of type \"object\""),
            (json!({}), "(top): lacks the member \"a\""),
            (json!({"a": [1]}), "/a/0: must be of type \"string\""),
            (json!({"a": ["", "", ""]}), "/a: may have at most 2 items"),
            (
                json!({"a": [], "n": 1.5}),
                "/n: must be of type [\"integer\",\"null\"]",
            ),
            (
                json!({"a": [], "k": "z"}),
                "/k: must be one of [\"x\",\"y\"]",
            ),
            (
                json!({"a": [], "o": 1}),
                "/o: matches none of the alternatives",
            ),
            (json!({"a": [], "z": 1}), "/z: is not a known member"),
        ] {
            assert_eq!(faults(&value, &schema), [fault], "{value}");
        }
    }

    #[test]
    fn only_what_does_not_fit_is_repaired() {
        let schema = json!({"type": "object", "required": ["a", "b"], "additionalProperties": false,
            "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}});
        let faulty = |value: Value| faulty_members(&value, &schema);
        assert_eq!(
            faulty(json!({"a": "x", "b": "y"})),
            Some(vec!["b".to_owned()])
        );
        assert_eq!(faulty(json!({"a": "x"})), Some(vec!["b".to_owned()]));
        assert_eq!(faulty(json!({"a": 1})), None, "all of it is wrong");
        assert_eq!(faulty(json!([1])), None);
        assert!(holds_a_member(&json!({"a": 1}), &schema));
        assert!(!holds_a_member(&json!({"poem": 1}), &schema));
    }

    #[test]
    fn endless_schemas_end() {
        let schema = json!({"$ref": "#"});
        assert_eq!(faults(&json!(1), &schema), Vec::<String>::new());
        let schema = json!({"anyOf": [{"$ref": "#"}]});
        let _ = faults(&json!(1), &schema);
    }
}
