//! The operation `complete`: ask, fall back if the server does not support structured output, and repair
//! once if the model's JSON does not match its schema.

use gtm_sdk::http::Request;
use gtm_sdk::{Failure, Value, context, json, log};

use crate::answer::Answer;
use crate::error;
use crate::request::{self, Input, Message};
use crate::settings::{ResponseFormat, Settings};
use crate::structure;
use crate::usage::Usage;

/// Time limit for one exchange if the settings have none, in milliseconds.
const DEFAULT_TIMEOUT_MS: u32 = 120_000;
/// Limit on an answer, in bytes.
const MAX_ANSWER_BYTES: u64 = 8_000_000;
/// How many characters of a wrong answer are shown to the model again.
const MAX_QUOTED_CHARS: usize = 20_000;
/// How often a model is asked to repair its answer.
const MAX_REPAIRS: u32 = 1;

/// Performs the operation.
pub(crate) fn complete(input: Value) -> Result<Value, Failure> {
    let input: Input = json::read(input)?;
    let settings: Settings = context::settings()?;
    let mut format = settings.response_format;
    let mut turns = Vec::new();
    let mut usage = Usage::default();
    let mut repairs = 0;
    loop {
        let answer = ask(&input, &settings, &mut format, &turns)?;
        usage = usage.and(answer.usage);
        let Some(schema) = &input.response_schema else {
            return output(&settings, answer, Value::Null, repairs, usage);
        };
        // A model that declined has nothing to repair.
        if matches!(answer.finish_reason, "refusal" | "content_filter") {
            return output(&settings, answer, Value::Null, repairs, usage);
        }
        let faults = match answer.json() {
            Some(value) => {
                let faults = structure::faults(&value, schema);
                if faults.is_empty() {
                    return output(&settings, answer, value, repairs, usage);
                }
                faults
            }
            None => vec!["(top): is not JSON".to_owned()],
        };
        // An answer that was cut off would be cut off again.
        if repairs == MAX_REPAIRS || answer.finish_reason == "length" {
            return Err(invalid_output(&answer, &faults, repairs, usage));
        }
        repairs += 1;
        log::info("the model's answer does not match its schema; asking once more");
        turns.extend(repair(&answer, &faults));
    }
}

/// Sends the request, with weaker forms of structured output as long as the server refuses the requested
/// one.
fn ask(
    input: &Input,
    settings: &Settings,
    format: &mut ResponseFormat,
    turns: &[Message],
) -> Result<Answer, Failure> {
    loop {
        let mut request = Request::post(settings.endpoint())
            .header("accept", "application/json")
            .json(&request::body(input, settings, *format, turns))
            .timeout_ms(settings.timeout_ms.unwrap_or(DEFAULT_TIMEOUT_MS))
            .max_body_bytes(MAX_ANSWER_BYTES);
        if let Some(scheme) = settings.credential() {
            request = request.credential(scheme);
        }
        let answer = request.send()?;
        if answer.is_success() {
            return Answer::read(&answer);
        }
        let is_about_format = input.response_schema.is_some() && error::is_about_format(&answer);
        match format.weaker() {
            Some(weaker) if is_about_format => {
                log::info(format!("the server refused the response format {format:?}"));
                *format = weaker;
            }
            _ => return Err(error::from_response(&answer)),
        }
    }
}

fn repair(answer: &Answer, faults: &[String]) -> [Message; 2] {
    let content = answer.content.as_deref().unwrap_or("(nothing)");
    [
        Message {
            role: "assistant".to_owned(),
            content: content.chars().take(MAX_QUOTED_CHARS).collect(),
        },
        Message {
            role: "user".to_owned(),
            content: format!(
                "That answer does not fit the JSON Schema:\n{}\nAnswer again with the whole corrected JSON value and nothing else.",
                faults.join("\n")
            ),
        },
    ]
}

fn invalid_output(answer: &Answer, faults: &[String], repairs: u32, usage: Usage) -> Failure {
    let message = if answer.finish_reason == "length" {
        "The model's answer was cut off before it was complete."
    } else {
        "The model's answer does not match its schema."
    };
    Failure::upstream("invalid_model_output", message).with_detail(json::json!({
        "receipt_id": answer.receipt_id,
        "finish_reason": answer.finish_reason,
        "faults": faults.len(),
        "repairs": repairs,
        "usage": usage,
    }))
}

fn output(
    settings: &Settings,
    answer: Answer,
    value: Value,
    repairs: u32,
    usage: Usage,
) -> Result<Value, Failure> {
    Ok(json::json!({
        "receipt_id": answer.receipt_id,
        "model": answer.model.as_deref().unwrap_or(&settings.model),
        "content": answer.content,
        "json": value,
        "finish_reason": answer.finish_reason,
        "repairs": repairs,
        "usage": usage,
    }))
}
