//! The cost of a schema, counted before it is compiled.
//!
//! Danger: a reference stands for a copy of its target, so a few lines can stand for 2^40 subschemas, and
//! checking a value would take time or stack that the schema's text does not show. So each reference is
//! counted as such a copy. References must be pointers into the schema itself and must never lead back to
//! their own place; what remains is a tree that can be counted in full.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{SchemaError, references};

/// Maximum number of subschemas and members, with each reference replaced by its target.
pub const MAX_EXPANDED: u64 = 100_000;
/// Deepest nesting, with each reference replaced by its target. Compiling and checking recurse.
const MAX_EXPANDED_DEPTH: usize = 128;

/// The draft that schemas are written in. In another, other keywords would apply.
const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Keywords that name or find a schema other than by a pointer: their target is known only when a value is
/// checked, or depends on names resolved elsewhere.
const REFUSED: [&str; 6] = [
    "$dynamicRef",
    "$dynamicAnchor",
    "$recursiveRef",
    "$recursiveAnchor",
    "$anchor",
    "$id",
];
/// Keywords that check the same value again, to find what the others left unevaluated.
pub const CHECKING_AGAIN: [&str; 2] = ["unevaluatedProperties", "unevaluatedItems"];
/// How many extra checks they cause at most.
pub const AGAIN: u64 = 3;

/// The size of a schema.
///
/// # Errors
/// If it exceeds the limits, refers to itself, or refers by other means than a pointer.
pub fn expanded(schema: &Value) -> Result<u64, SchemaError> {
    let mut count = Count {
        root: schema,
        known: BTreeMap::new(),
        open: BTreeSet::new(),
    };
    let measured = count.of(schema, 1)?;
    Ok(measured.width)
}

#[derive(Clone, Copy)]
struct Measured {
    width: u64,
    height: usize,
}

struct Count<'s> {
    root: &'s Value,
    /// By address: the schema is borrowed, so it does not move.
    known: BTreeMap<*const Value, Measured>,
    /// What is being counted now, to detect cycles.
    open: BTreeSet<*const Value>,
}

impl<'s> Count<'s> {
    fn of(&mut self, value: &'s Value, depth: usize) -> Result<Measured, SchemaError> {
        let address = std::ptr::from_ref(value);
        let measured = match self.known.get(&address) {
            Some(known) => *known,
            None => {
                if depth > MAX_EXPANDED_DEPTH {
                    return Err(SchemaError::TooDeepExpanded);
                }
                if !self.open.insert(address) {
                    return Err(SchemaError::Recursive);
                }
                let measured = self.inside(value, depth)?;
                self.open.remove(&address);
                self.known.insert(address, measured);
                measured
            }
        };
        if depth + measured.height > MAX_EXPANDED_DEPTH + 1 {
            return Err(SchemaError::TooDeepExpanded);
        }
        Ok(measured)
    }

    fn inside(&mut self, value: &'s Value, depth: usize) -> Result<Measured, SchemaError> {
        let mut sum = Measured {
            width: 1,
            height: 1,
        };
        let mut factor = 1;
        match value {
            Value::Array(items) => {
                for item in items {
                    self.add(&mut sum, item, depth)?;
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    self.add(&mut sum, member, depth)?;
                    // Under `properties`, these may be names of members whose values are schemas.
                    let Value::String(text) = member else {
                        if CHECKING_AGAIN.contains(&name.as_str()) {
                            factor = AGAIN;
                        }
                        continue;
                    };
                    if REFUSED.contains(&name.as_str()) {
                        return Err(SchemaError::Keyword(name.clone()));
                    }
                    if name == "$schema" && text.trim_end_matches('#') != DRAFT {
                        return Err(SchemaError::OtherDraft);
                    }
                    if name == "$ref" {
                        let target = references::target(self.root, text)?;
                        self.add(&mut sum, target, depth)?;
                    }
                }
            }
            _ => {}
        }
        sum.width = sum.width.saturating_mul(factor);
        if sum.width > MAX_EXPANDED {
            return Err(SchemaError::TooWide);
        }
        Ok(sum)
    }

    fn add(
        &mut self,
        sum: &mut Measured,
        part: &'s Value,
        depth: usize,
    ) -> Result<(), SchemaError> {
        let part = self.of(part, depth + 1)?;
        sum.width = sum.width.saturating_add(part.width);
        sum.height = sum.height.max(part.height + 1);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    /// `a0: allOf [a1, a1]`, `a1: allOf [a2, a2]`, …
    fn laughs(levels: usize) -> Value {
        let mut definitions = serde_json::Map::new();
        for level in 0..levels {
            let next = json!({ "$ref": format!("#/$defs/a{}", level + 1) });
            definitions.insert(format!("a{level}"), json!({ "allOf": [next, next] }));
        }
        definitions.insert(format!("a{levels}"), json!({ "type": "object" }));
        json!({ "$ref": "#/$defs/a0", "$defs": definitions })
    }

    #[test]
    fn references_count_as_copies_of_their_targets() {
        assert_eq!(expanded(&json!({ "type": "string" })), Ok(2));
        let twice = json!({
            "$defs": { "a": { "type": "string" } },
            "allOf": [{ "$ref": "#/$defs/a" }, { "$ref": "#/$defs/a" }]
        });
        // Root, `$defs` with `a`, `allOf` with two members, each with its reference and the copy.
        assert_eq!(expanded(&twice), Ok(1 + 3 + 1 + 2 * (1 + 1 + 2)));
        assert!(expanded(&laughs(8)).is_ok());
    }

    #[test]
    fn a_few_lines_cannot_stand_for_millions_of_schemas() {
        for levels in [16, 26, 44] {
            let refusal = expanded(&laughs(levels)).unwrap_err();
            let code = matches!(refusal, SchemaError::TooWide | SchemaError::TooDeepExpanded);
            assert!(code, "{levels}: {refusal}");
        }
    }

    #[test]
    fn chains_of_references_are_as_deep_as_what_they_stand_for() {
        let chain = |length: usize| {
            let mut definitions = serde_json::Map::new();
            for at in 0..length {
                let next = json!({ "$ref": format!("#/$defs/a{}", at + 1) });
                definitions.insert(format!("a{at}"), next);
            }
            definitions.insert(format!("a{length}"), json!(true));
            json!({ "$ref": "#/$defs/a0", "$defs": definitions })
        };
        assert!(expanded(&chain(50)).is_ok());
        assert_eq!(expanded(&chain(2_000)), Err(SchemaError::TooDeepExpanded));
    }

    #[test]
    fn checking_again_multiplies() {
        let mut schema = json!({ "type": "object" });
        for _ in 0..12 {
            schema = json!({ "allOf": [schema], "unevaluatedProperties": false });
        }
        assert_eq!(expanded(&schema), Err(SchemaError::TooWide));
    }

    #[test]
    fn a_schema_does_not_refer_to_itself_or_by_name() {
        for schema in [
            json!({ "properties": { "next": { "$ref": "#" } } }),
            json!({ "$defs": { "a": { "items": { "$ref": "#/$defs/b" } }, "b": { "$ref": "#/$defs/a" } },
                "$ref": "#/$defs/a" }),
            json!({ "$ref": "#" }),
        ] {
            assert_eq!(expanded(&schema), Err(SchemaError::Recursive), "{schema}");
        }
        for (schema, name) in [
            (json!({ "$dynamicRef": "#a" }), "$dynamicRef"),
            (json!({ "$id": "https://example.com/a" }), "$id"),
            (json!({ "$defs": { "a": { "$anchor": "a" } } }), "$anchor"),
        ] {
            assert_eq!(expanded(&schema), Err(SchemaError::Keyword(name.into())));
        }
        assert!(matches!(
            expanded(&json!({ "$ref": "#a" })),
            Err(SchemaError::DanglingReference(_))
        ));
        assert!(matches!(
            expanded(&json!({ "$ref": "other.json" })),
            Err(SchemaError::RemoteReference(_))
        ));
        let other = json!({ "items": { "$schema": "http://json-schema.org/draft-07/schema#" } });
        assert_eq!(expanded(&other), Err(SchemaError::OtherDraft));
        assert!(expanded(&json!({ "$schema": DRAFT })).is_ok());
        // Here these are names of members, not keywords.
        let named = json!({ "properties": { "$ref": { "type": "string" }, "$id": true, "unevaluatedItems": true } });
        assert!(expanded(&named).is_ok());
    }
}
