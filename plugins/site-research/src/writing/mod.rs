//! Has a model write from numbered excerpts, and checks what it wrote against them.

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
    /// Maximum characters of one call's messages in total.
    pub context_chars: usize,
    /// Maximum tokens that the model may write in one call.
    pub max_output_tokens: u64,
    /// Absent means the provider's default.
    pub temperature: Option<f64>,
}

/// The call that requests these parts, citing excerpts 1 to `excerpts`. `name` names the answer's schema.
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

/// The object that the model answered with. `what` names what it should write.
///
/// # Errors
/// `backend_refused` when the model declined, `backend_invalid_response` when the answer is not a JSON
/// object.
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
            // A server without structured output answers with text.
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
            format!("The model's answer is not a JSON object (it ended with \"{reason}\")."),
        )
    })
}
