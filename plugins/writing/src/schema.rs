//! JSON Schema of a model's answer, within what structured-output dialects support: all properties required, none
//! additional, no alternatives, no bounds on the length of texts. An empty string or list means "not known".
//!
//! Danger: a bound that the schema states and the model oversteps costs the whole answer, which has to be paid for twice. So
//! lengths stand in descriptions, in words, and the check cuts what is longer. Not all providers know bounds in their strict modes,
//! either. Only for models with little room lists are bounded, because such a model would go on with one for ever; the bounds
//! shrink with the tokens that it may write.

use serde_json::{Map, Value, json};

use crate::form::{Form, Layout, Part, Unit};

/// Minimum number of characters of JSON per token, averaged over an answer.
const CHARS_A_TOKEN: usize = 3;
/// Lists are never cut below this percentage of the layout's length.
const LEAST_PERCENT: usize = 20;
/// Characters of a word with the space behind it, on average.
const CHARS_A_WORD: usize = 7;
/// About how long a reason is.
const REASON_CHARS: usize = 160;
/// About how many characters the citations of a unit take.
const CITATION_CHARS: usize = 45;

/// What an answer holds besides the parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extras {
    /// Whether each claim has a reason.
    pub reasons: bool,
    /// Whether the answer has the formulas of its sums, and bounds on lists are only told: for models with room.
    pub full: bool,
    /// Whether the answer decides on facts that were found without a model.
    pub found: bool,
}

impl Extras {
    /// Nothing besides the parts: for models with little room.
    pub const NONE: Self = Self {
        reasons: false,
        full: false,
        found: false,
    };
}

/// Decisions on a fact that was found without a model.
pub const DECISIONS: [&str; 3] = ["keep", "merge", "reject"];

/// Schema of an answer with these parts, which should fit into `max_output_tokens`.
#[must_use]
pub fn schema(parts: &[Part], extras: Extras, max_output_tokens: u64) -> Value {
    let scale = Scale::for_room(parts, extras, room(max_output_tokens));
    let mut members: Vec<(&str, Value)> = parts
        .iter()
        .map(|part| (part.name, scale.layout(part.layout)))
        .collect();
    if extras.full {
        let derivation = closed([
            (
                "formula",
                described(
                    "numbers of excerpts or of the seller context with + - * / and brackets: 46*29",
                ),
            ),
            ("result", described("the number that you write: 1334")),
        ]);
        members.push(("derivations", json!({"type": "array", "items": derivation})));
    }
    if extras.found {
        let decision = closed([
            ("fact", json!({"type": "integer"})),
            ("decision", json!({"type": "string", "enum": DECISIONS})),
        ]);
        members.push(("found", json!({"type": "array", "items": decision})));
    }
    closed(members)
}

/// Schema of an answer that has one unit for each name.
#[must_use]
pub fn units(named: &[(String, Unit)], reasons: bool) -> Value {
    let scale = Scale {
        percent: 100,
        reasons,
        full: true,
    };
    closed(
        named
            .iter()
            .map(|(name, unit)| (name.as_str(), scale.unit(*unit))),
    )
}

/// About how many characters the longest answer with this part has; `short`, if its lists and texts are cut as far as they may.
#[must_use]
pub fn longest(part: Part, extras: Extras, short: bool) -> usize {
    let scale = Scale {
        percent: if short { LEAST_PERCENT } else { 100 },
        reasons: extras.reasons,
        full: extras.full,
    };
    scale.longest(&[part])
}

/// How many characters these tokens hold.
#[must_use]
pub fn room(tokens: u64) -> usize {
    usize::try_from(tokens)
        .unwrap_or(usize::MAX)
        .saturating_mul(CHARS_A_TOKEN)
}

/// A closed object with all of these members required.
pub fn closed<'a>(members: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let mut map = Map::new();
    for (name, schema) in members {
        map.insert(name.to_owned(), schema);
    }
    let required: Vec<String> = map.keys().cloned().collect();
    json!({"type": "object", "additionalProperties": false, "required": required, "properties": map})
}

/// A text with a description.
#[must_use]
pub fn described(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

#[derive(Debug, Clone, Copy)]
struct Scale {
    percent: usize,
    reasons: bool,
    full: bool,
}

impl Scale {
    fn for_room(parts: &[Part], extras: Extras, room: usize) -> Self {
        let of = |percent| Self {
            percent,
            reasons: extras.reasons,
            full: extras.full,
        };
        (1..=10)
            .rev()
            .map(|tenths| of(tenths * 10))
            .find(|scale| scale.longest(parts) <= room)
            .unwrap_or(of(LEAST_PERCENT))
    }

    fn items(self, most: usize) -> usize {
        (most * self.percent.max(LEAST_PERCENT))
            .div_ceil(100)
            .max(1)
    }

    fn chars(self, most: usize) -> usize {
        // Half of the cut reduces the number of items, half their length.
        most * self.percent.max(LEAST_PERCENT).midpoint(100) / 100
    }

    fn longest(self, parts: &[Part]) -> usize {
        parts
            .iter()
            .map(|part| part.name.len() + 6 + self.longest_layout(part.layout))
            .sum()
    }

    fn longest_layout(self, layout: Layout) -> usize {
        match layout {
            Layout::One(unit) => self.longest_unit(unit),
            Layout::Many(unit, most) => self.items(most) * (self.longest_unit(unit) + 2),
            Layout::Group(members) => members
                .iter()
                .map(|(name, layout)| name.len() + 6 + self.longest_layout(*layout))
                .sum(),
        }
    }

    fn longest_unit(self, unit: Unit) -> usize {
        let fields: usize = unit
            .fields
            .iter()
            .map(|field| {
                let value = match field.form {
                    Form::Text(most) => self.chars(most),
                    Form::Date => 10,
                    Form::List(most, length) => self.items(most) * (self.chars(length) + 4),
                    Form::Choice(words, _) => {
                        words.iter().map(|word| word.len()).max().unwrap_or(0)
                    }
                };
                field.name.len() + 8 + value
            })
            .sum();
        fields + CITATION_CHARS + if self.reasons { REASON_CHARS } else { 0 }
    }

    fn layout(self, layout: Layout) -> Value {
        match layout {
            Layout::One(unit) => self.unit(unit),
            Layout::Many(unit, most) => self.list(most, self.unit(unit)),
            Layout::Group(members) => closed(
                members
                    .iter()
                    .map(|(name, layout)| (*name, self.layout(*layout))),
            ),
        }
    }

    fn list(self, most: usize, items: Value) -> Value {
        let most = self.items(most);
        if self.full {
            return json!({"type": "array", "description": format!("at most {most}"), "items": items});
        }
        json!({"type": "array", "maxItems": most, "items": items})
    }

    fn unit(self, unit: Unit) -> Value {
        let mut members: Vec<(&str, Value)> = unit
            .fields
            .iter()
            .map(|field| (field.name, self.form(field.form)))
            .collect();
        members.push((
            "citations",
            json!({"type": "array", "items": {"type": "integer"}, "description": "numbers of the excerpts that carry it"}),
        ));
        if self.reasons {
            members.push((
                "reason",
                described("why the excerpts carry it, or why you advise it, in at most 25 words; empty where an excerpt says it in these words"),
            ));
        }
        closed(members)
    }

    fn form(self, form: Form) -> Value {
        match form {
            Form::Text(most) => described(&in_words(self.chars(most))),
            Form::Date => described("a date as 2026-03-12, or empty"),
            Form::List(most, length) => self.list(most, described(&in_words(self.chars(length)))),
            Form::Choice(words, _) => json!({"type": "string", "enum": words}),
        }
    }
}

fn in_words(chars: usize) -> String {
    format!("at most {} words", (chars / CHARS_A_WORD).max(3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{Field, Support, needed, plain};

    #[test]
    fn little_room_makes_short_lists_and_no_bound_on_texts() {
        const LINE: &[Field] = &[needed("text", Form::Text(320))];
        let parts = [Part {
            name: "angles",
            layout: Layout::Many(plain(LINE, Support::Advice), 5),
            instruction: "",
        }];
        let wide = schema(&parts, Extras::NONE, 4_000);
        let tight = schema(&parts, Extras::NONE, 200);
        let most = |schema: &Value| {
            schema
                .pointer("/properties/angles/maxItems")
                .and_then(Value::as_u64)
        };
        assert_eq!(most(&wide), Some(5));
        assert!(most(&tight) < most(&wide));
        assert!(!wide.to_string().contains("maxLength"));
        let reasoned = Extras {
            reasons: true,
            full: true,
            found: true,
        };
        let strict = schema(&parts, reasoned, 4_000).to_string();
        assert!(!strict.contains("maxItems") && strict.contains("at most 5\""));
        assert_eq!(
            wide.pointer("/properties/angles/items/properties/text/description"),
            Some(&json!("at most 45 words"))
        );
    }
}
