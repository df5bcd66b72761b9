//! Builds the body of a request.

use gtm_sdk::{Value, json::json};
use serde::Deserialize;

use crate::settings::{ResponseFormat, Settings};

/// The input of `model.complete`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    pub(crate) messages: Vec<Message>,
    max_output_tokens: Option<u64>,
    /// Kept exactly as written.
    temperature: Option<serde_json::Number>,
    pub(crate) response_schema: Option<Value>,
    response_name: Option<String>,
}

/// A turn of the conversation.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Message {
    pub(crate) role: String,
    pub(crate) content: String,
}

/// Builds the body for a form of structured output; `more` are turns that a repair adds.
pub(crate) fn body(
    input: &Input,
    settings: &Settings,
    format: ResponseFormat,
    more: &[Message],
) -> Value {
    let mut messages: Vec<Message> = input.messages.iter().chain(more).cloned().collect();
    let mut body = json!({"model": settings.model});
    if let Some(schema) = &input.response_schema {
        match format {
            ResponseFormat::JsonSchema => {
                body["response_format"] = json!({
                    "type": "json_schema",
                    "json_schema": {
                        "name": input.response_name.as_deref().unwrap_or("answer"),
                        "strict": is_strict(schema),
                        "schema": schema,
                    },
                });
            }
            ResponseFormat::JsonObject => {
                body["response_format"] = json!({"type": "json_object"});
                instruct(&mut messages, schema);
            }
            ResponseFormat::None => instruct(&mut messages, schema),
        }
    }
    body["messages"] = messages
        .iter()
        .map(|message| json!({"role": message.role, "content": message.content}))
        .collect();
    if let Some(limit) = input.max_output_tokens.or(settings.max_output_tokens) {
        body[settings.max_tokens_field()] = limit.into();
    }
    if let Some(temperature) = &input.temperature {
        body["temperature"] = Value::Number(temperature.clone());
    }
    body
}

/// Puts the schema into the prompt. Chat templates often allow only one system message, at the start, so an
/// existing one is extended.
fn instruct(messages: &mut Vec<Message>, schema: &Value) {
    let instruction = format!(
        "Answer with one JSON value and nothing else: no explanation, no code fence. It must fit this JSON Schema:\n{schema}"
    );
    match messages.first_mut() {
        Some(first) if first.role == "system" => {
            first.content.push_str("\n\n");
            first.content.push_str(&instruction);
        }
        _ => messages.insert(
            0,
            Message {
                role: "system".to_owned(),
                content: instruction,
            },
        ),
    }
}

/// Keywords that strict mode has not always supported. A schema with one of them is sent without `strict`:
/// servers that enforce it still do, and the others answer instead of refusing.
const BOUNDS: [&str; 9] = [
    "maxLength",
    "minLength",
    "maxItems",
    "minItems",
    "uniqueItems",
    "pattern",
    "format",
    "minimum",
    "maximum",
];

/// Whether a schema keeps the rules of OpenAI's strict mode: every object is closed, all its members are
/// required, and no keyword goes beyond what the mode supports. Requesting strict mode with any other
/// schema is an error there.
fn is_strict(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => {
            let closed = match members.get("properties").and_then(Value::as_object) {
                Some(properties) => {
                    let required = members.get("required").and_then(Value::as_array);
                    members.get("additionalProperties") == Some(&Value::Bool(false))
                        && properties.keys().all(|name| {
                            required.is_some_and(|list| list.iter().any(|item| item == name))
                        })
                }
                None => members.get("type") != Some(&Value::from("object")),
            };
            closed
                && !members.keys().any(|key| BOUNDS.contains(&key.as_str()))
                && members.iter().all(|(key, value)| match key.as_str() {
                    // The author names the members of these, not the standard.
                    "properties" | "$defs" => value
                        .as_object()
                        .is_some_and(|named| named.values().all(is_strict)),
                    "enum" | "const" | "default" | "examples" => true,
                    _ => is_strict(value),
                })
        }
        Value::Array(items) => items.iter().all(is_strict),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_mode_needs_closed_objects() {
        let closed = json!({"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "required": ["a"], "additionalProperties": false});
        assert!(is_strict(&closed));
        let mut optional = closed.clone();
        optional["required"] = json!([]);
        assert!(!is_strict(&optional));
        let nested = json!({"type": "array", "items": {"type": "object", "properties": {}}});
        assert!(!is_strict(&nested));
        let named = json!({"type": "object", "properties": {"properties": closed}, "required": ["properties"], "additionalProperties": false});
        assert!(is_strict(&named));
        assert!(!is_strict(&json!({"type": "object"})));
        let mut bounded = closed_with_text_bound();
        assert!(!is_strict(&bounded));
        bounded["properties"]["a"] = json!({"type": "string"});
        assert!(is_strict(&bounded));
    }

    fn closed_with_text_bound() -> Value {
        json!({"type": "object", "properties": {"a": {"type": "string", "maxLength": 5}}, "required": ["a"], "additionalProperties": false})
    }
}
