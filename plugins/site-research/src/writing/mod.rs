//! Letting a model write from numbered excerpts, and holding what it wrote against them.

pub mod check;
pub mod form;
pub mod prompt;
pub mod schema;

use serde_json::{Value, json};

use crate::failure::{Failure, FailureKind};
use crate::host::{Call, MODEL_COMPLETE};
use schema::Part;

/// How a model is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelUse {
    /// Characters of one call's messages, all together.
    pub context_chars: usize,
    /// Tokens that the model may write in one call.
    pub max_output_tokens: u64,
    /// Temperature; the provider's own choice if absent.
    pub temperature: Option<f64>,
}

/// The call that asks for these parts, citing excerpts 1 to `excerpts`. `name` names the answer's schema.
pub fn call(
    messages: &Value,
    parts: &[Part],
    excerpts: usize,
    name: &str,
    model: ModelUse,
) -> Call {
    let mut input = json!({
        "messages": messages,
        "max_output_tokens": model.max_output_tokens,
        "response_schema": schema::schema(parts, excerpts, model.max_output_tokens),
        "response_name": name,
    });
    if let (Some(temperature), Some(object)) = (model.temperature, input.as_object_mut()) {
        object.insert("temperature".to_owned(), json!(temperature));
    }
    Call {
        capability: MODEL_COMPLETE,
        input,
    }
}

/// The object that the model answered with. `what` is what it was to write.
///
/// # Errors
/// `backend_refused` when the model declined, `backend_invalid_response` when the answer is no JSON object.
pub fn read(answer: &Value, what: &str) -> Result<Value, Failure> {
    let reason = answer
        .get("finish_reason")
        .and_then(Value::as_str)
        .unwrap_or("other");
    if matches!(reason, "refusal" | "content_filter") {
        return Err(Failure::new(
            FailureKind::Upstream,
            "backend_refused",
            format!("The model declined to write this {what}."),
        ));
    }
    let object = answer
        .get("json")
        .filter(|json| json.is_object())
        .cloned()
        .or_else(|| {
            // A server without structured output answers in text.
            let content = answer.get("content").and_then(Value::as_str)?;
            let from = content.find('{')?;
            let to = content.rfind('}')?;
            serde_json::from_str::<Value>(content.get(from..=to)?)
                .ok()
                .filter(Value::is_object)
        });
    object.ok_or_else(|| {
        Failure::new(
            FailureKind::Upstream,
            "backend_invalid_response",
            format!("The model's answer is no JSON object (it ended with \"{reason}\")."),
        )
    })
}
