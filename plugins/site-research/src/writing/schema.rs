//! JSON Schema of a model's answer.
//!
//! Danger: a model that is cut off in the middle of a JSON text has written nothing usable. So the schema's
//! limits shrink until the longest answer fits into the tokens that the model may write.
//!
//! It also stays within what structured-output dialects support: all properties required, none additional,
//! no alternatives. An empty string or list means "not known".

use serde_json::{Map, Value, json};

use super::form::{Form, Layout, Unit};

/// A part of an answer: its name and its layout.
pub type Part = (&'static str, Layout);

/// Minimum number of characters of JSON per token, averaged over an answer.
const CHARS_A_TOKEN: usize = 3;
/// Limits are never cut below this percentage of the layout's.
const LEAST_PERCENT: usize = 20;
/// Text limits are never cut below this many characters.
const LEAST_TEXT: usize = 40;
/// Maximum number of citations per unit.
const MOST_CITATIONS: usize = 4;

/// Schema of an answer with these parts that cites excerpts 1 to `excerpts` and fits into
/// `max_output_tokens`.
pub fn schema(parts: &[Part], excerpts: usize, max_output_tokens: u64) -> Value {
    let room = usize::try_from(max_output_tokens)
        .unwrap_or(usize::MAX)
        .saturating_mul(CHARS_A_TOKEN);
    let scale = (1..=10)
        .rev()
        .map(|tenths| Scale {
            percent: tenths * 10,
            excerpts,
        })
        .find(|scale| scale.longest(parts) <= room)
        .unwrap_or(Scale {
            percent: LEAST_PERCENT,
            excerpts,
        });
    closed(
        parts
            .iter()
            .map(|(name, layout)| (*name, scale.layout(*layout))),
    )
}

/// Whether the longest answer with these parts can be made to fit into `max_output_tokens`.
pub fn fits(parts: &[Part], excerpts: usize, max_output_tokens: u64) -> bool {
    let room = usize::try_from(max_output_tokens)
        .unwrap_or(usize::MAX)
        .saturating_mul(CHARS_A_TOKEN);
    Scale {
        percent: LEAST_PERCENT,
        excerpts,
    }
    .longest(parts)
        <= room
}

#[derive(Debug, Clone, Copy)]
struct Scale {
    percent: usize,
    excerpts: usize,
}

impl Scale {
    fn items(self, most: usize) -> usize {
        (most * self.percent.max(LEAST_PERCENT))
            .div_ceil(100)
            .max(1)
    }

    fn chars(self, most: usize) -> usize {
        // Half of the cut reduces the number of items, half their length.
        let percent = self.percent.max(LEAST_PERCENT).midpoint(100);
        (most * percent / 100).max(LEAST_TEXT.min(most))
    }

    /// Length of the longest answer, in characters.
    fn longest(self, parts: &[Part]) -> usize {
        parts
            .iter()
            .map(|(name, layout)| name.len() + 6 + self.longest_layout(*layout))
            .sum()
    }

    fn longest_layout(self, layout: Layout) -> usize {
        match layout {
            Layout::One(unit) => self.longest_unit(unit),
            Layout::Many(unit, most) => self.items(most) * (self.longest_unit(unit) + 2),
            Layout::Group(parts) => parts
                .iter()
                .map(|(name, layout)| name.len() + 6 + self.longest_layout(*layout))
                .sum(),
        }
    }

    fn longest_unit(self, unit: Unit) -> usize {
        let citations = 20 + MOST_CITATIONS * 4;
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
        fields + citations
    }

    fn layout(self, layout: Layout) -> Value {
        match layout {
            Layout::One(unit) => self.unit(unit),
            Layout::Many(unit, most) => {
                json!({"type": "array", "maxItems": self.items(most), "items": self.unit(unit)})
            }
            Layout::Group(parts) => closed(
                parts
                    .iter()
                    .map(|(name, layout)| (*name, self.layout(*layout))),
            ),
        }
    }

    fn unit(self, unit: Unit) -> Value {
        let mut number = json!({"type": "integer"});
        if let (Some(number), true) = (number.as_object_mut(), self.excerpts > 0) {
            number.insert("enum".to_owned(), (1..=self.excerpts).collect());
        }
        let citations = json!({"type": "array", "maxItems": MOST_CITATIONS, "items": number});
        closed(
            unit.fields
                .iter()
                .map(|field| (field.name, self.form(field.form)))
                .chain([("citations", citations)]),
        )
    }

    fn form(self, form: Form) -> Value {
        match form {
            Form::Text(most) => json!({"type": "string", "maxLength": self.chars(most)}),
            Form::Date => json!({"type": "string", "maxLength": 10}),
            Form::List(most, length) => json!({
                "type": "array",
                "maxItems": self.items(most),
                "items": {"type": "string", "maxLength": self.chars(length)},
            }),
            Form::Choice(words, _) => json!({"type": "string", "enum": words}),
        }
    }
}

fn closed<'a>(properties: impl Iterator<Item = (&'a str, Value)>) -> Value {
    let mut map = Map::new();
    for (name, schema) in properties {
        map.insert(name.to_owned(), schema);
    }
    let required: Vec<String> = map.keys().cloned().collect();
    json!({"type": "object", "additionalProperties": false, "required": required, "properties": map})
}

#[cfg(test)]
mod tests {
    use super::super::form::{Field, Support, needed, plain};
    use super::*;

    #[test]
    fn little_room_makes_short_lists_and_texts() {
        const LINE: &[Field] = &[needed("text", Form::Text(320))];
        let parts = [("angles", Layout::Many(plain(LINE, Support::Advice), 5))];
        let wide = schema(&parts, 3, 4_000);
        let tight = schema(&parts, 3, 200);
        let most = |schema: &Value| {
            schema
                .pointer("/properties/angles/maxItems")
                .and_then(Value::as_u64)
        };
        assert_eq!(most(&wide), Some(5));
        assert!(most(&tight) < most(&wide));
        assert_eq!(
            wide.pointer("/properties/angles/items/properties/citations/items/enum"),
            Some(&json!([1, 2, 3]))
        );
    }
}
