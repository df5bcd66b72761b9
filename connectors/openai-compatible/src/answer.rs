//! Reads an answer.

use gtm_sdk::http::Response;
use gtm_sdk::{Failure, Value};

use crate::error;
use crate::usage::Usage;

/// What a model answered.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) receipt_id: String,
    pub(crate) model: Option<String>,
    pub(crate) content: Option<String>,
    /// One of the contract's finish reasons.
    pub(crate) finish_reason: &'static str,
    pub(crate) usage: Usage,
}

impl Answer {
    /// Reads a 2xx answer.
    pub(crate) fn read(answer: &Response) -> Result<Self, Failure> {
        let body: Value = answer.json()?;
        if let Some(failure) = error::from_body(answer, &body) {
            return Err(failure);
        }
        let Some(choice) = body["choices"]
            .as_array()
            .and_then(|choices| choices.first())
        else {
            return Err(invalid("no choice"));
        };
        let message = &choice["message"];
        if !message.is_object() {
            return Err(invalid("no message"));
        }
        let refusal = message["refusal"].as_str().filter(|text| !text.is_empty());
        Ok(Self {
            receipt_id: answer.receipt_id.clone(),
            model: body["model"]
                .as_str()
                .filter(|model| !model.is_empty())
                .map(str::to_owned),
            content: text_of(&message["content"])?,
            finish_reason: if refusal.is_some() {
                "refusal"
            } else {
                finish_reason(&choice["finish_reason"])
            },
            usage: Usage::read(&body)?,
        })
    }

    /// The answer as JSON, if it is JSON.
    pub(crate) fn json(&self) -> Option<Value> {
        let text = self.content.as_deref()?.trim();
        serde_json::from_str(text)
            .ok()
            .or_else(|| serde_json::from_str(unwrapped(text)?).ok())
    }
}

fn invalid(what: &str) -> Failure {
    Failure::upstream(
        "invalid_provider_response",
        format!("The provider's answer holds {what}."),
    )
}

/// A message is a string or, with some servers, a list of parts.
fn text_of(content: &Value) -> Result<Option<String>, Failure> {
    let text = match content {
        Value::Null => return Ok(None),
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect(),
        _ => return Err(invalid("a message that is not text")),
    };
    Ok((!text.trim().is_empty()).then_some(text))
}

fn finish_reason(reason: &Value) -> &'static str {
    match reason.as_str().unwrap_or_default() {
        "stop" | "eos" | "end_turn" => "stop",
        "length" | "max_tokens" => "length",
        "refusal" => "refusal",
        "content_filter" => "content_filter",
        _ => "other",
    }
}

/// The JSON inside whatever models put around it: thoughts, a code fence, a sentence.
fn unwrapped(text: &str) -> Option<&str> {
    let text = text.rsplit("</think>").next()?;
    let start = text.find(['{', '['])?;
    let end = text.rfind(['}', ']'])? + 1;
    text.get(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gtm_sdk::json::json;

    fn parsed(content: &str) -> Option<Value> {
        Answer {
            receipt_id: String::new(),
            model: None,
            content: Some(content.to_owned()),
            finish_reason: "stop",
            usage: Usage::default(),
        }
        .json()
    }

    #[test]
    fn wrapped_json_is_found() {
        for content in [
            "{\"a\":1}",
            "```json\n{\"a\":1}\n```",
            "Here it is: {\"a\":1}. Anything else?",
            "<think>maybe {b}</think>{\"a\":1}",
        ] {
            assert_eq!(parsed(content), Some(json!({"a": 1})), "{content}");
        }
        for content in ["no", "{\"a\":", "} {", ""] {
            assert_eq!(parsed(content), None, "{content}");
        }
    }
}
