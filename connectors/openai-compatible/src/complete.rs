//! The operation `complete`: ask, fall back if the server does not support structured output, and have the model repair what does
//! not match its schema, once.
//!
//! What a model wrote is paid for. So an answer that was cut off, or that still does not match, is no failure if it holds anything:
//! the caller gets its text without `json`, and may use what it can read.

use gtm_sdk::http::Request;
use gtm_sdk::{Failure, Value, context, json, log};

use crate::answer::Answer;
use crate::error;
use crate::request::{self, Input, Message};
use crate::settings::{ResponseFormat, Settings};
use crate::structure;
use crate::usage::Usage;

/// Time limit for one exchange if the settings have none, in milliseconds: reasoning models think for minutes.
const DEFAULT_TIMEOUT_MS: u32 = 300_000;
/// Limit on an answer, in bytes.
const MAX_ANSWER_BYTES: u64 = 8_000_000;
/// How many characters of a wrong answer are shown to the model again.
const MAX_QUOTED_CHARS: usize = 20_000;

/// Performs the operation.
pub(crate) fn complete(input: Value) -> Result<Value, Failure> {
    let input: Input = json::read(input)?;
    let settings: Settings = context::settings()?;
    let mut format = settings.response_format;
    let first = ask(&input, &settings, &mut format, &[])?;
    let mut usage = Usage::default().and(first.usage);
    let Some(schema) = &input.response_schema else {
        return output(&settings, first, Value::Null, 0, usage);
    };
    // A model that declined has nothing to repair.
    if matches!(first.finish_reason, "refusal" | "content_filter") {
        return output(&settings, first, Value::Null, 0, usage);
    }
    let written = first.json();
    let faults = match &written {
        Some(value) => structure::faults(value, schema),
        None => vec!["(top): is not JSON".to_owned()],
    };
    if let (true, Some(value)) = (faults.is_empty(), &written) {
        let value = value.clone();
        return output(&settings, first, value, 0, usage);
    }
    // An answer that was cut off would be cut off again.
    if first.finish_reason == "length" {
        return unfit(&settings, first, written, schema, &faults, 0, usage);
    }
    log::info("the model's answer does not match its schema; asking once more");
    let repair = Repair::of(&first, written.clone(), schema, &faults);
    let second = ask(&input, &settings, &mut format, &repair.turns);
    let mut second = match second {
        Ok(second) if !matches!(second.finish_reason, "refusal" | "content_filter") => second,
        // The first answer is paid for, and what can be read of it is better than nothing.
        Ok(second) => {
            usage = usage.and(second.usage);
            return unfit(&settings, first, written, schema, &faults, 1, usage);
        }
        Err(failure) => {
            let holds_something =
                written.is_some_and(|value| structure::holds_a_member(&value, schema));
            if !holds_something {
                return Err(failure);
            }
            log::info(
                "asking once more failed; the first answer's text is returned without `json`",
            );
            return output(&settings, first, Value::Null, 1, usage);
        }
    };
    usage = usage.and(second.usage);
    let repaired = repair.applied(second.json());
    let faults = match &repaired {
        Some(value) => structure::faults(value, schema),
        None => vec!["(top): is not JSON".to_owned()],
    };
    match repaired {
        Some(value) if faults.is_empty() => output(&settings, second, value, 1, usage),
        repaired => {
            // What of both answers is best stands in the text.
            if let Some(value) = &repaired {
                second.content = Some(value.to_string());
            }
            unfit(&settings, second, repaired, schema, &faults, 1, usage)
        }
    }
}

/// A second question about the parts of an answer that do not match.
struct Repair {
    turns: [Message; 2],
    /// The first answer, if the second one only brings some of its members.
    first: Option<Value>,
    /// Those members.
    members: Vec<String>,
}

impl Repair {
    fn of(answer: &Answer, written: Option<Value>, schema: &Value, faults: &[String]) -> Self {
        let members = written
            .as_ref()
            .and_then(|value| structure::faulty_members(value, schema));
        let ask = match &members {
            Some(members) => format!(
                "Answer again with a JSON object that has only these members, corrected, and nothing else: {}.",
                members.join(", ")
            ),
            None => "Answer again with the whole corrected JSON value and nothing else.".to_owned(),
        };
        let content = answer.content.as_deref().unwrap_or("(nothing)");
        let turns = [
            Message {
                role: "assistant".to_owned(),
                content: content.chars().take(MAX_QUOTED_CHARS).collect(),
            },
            Message {
                role: "user".to_owned(),
                content: format!(
                    "That answer does not fit the JSON Schema:\n{}\n{ask}",
                    faults.join("\n")
                ),
            },
        ];
        Self {
            turns,
            first: written.filter(|_| members.is_some()),
            members: members.unwrap_or_default(),
        }
    }

    /// The first answer with the members of the second one.
    fn applied(self, second: Option<Value>) -> Option<Value> {
        match (self.first, second) {
            (Some(Value::Object(mut first)), Some(Value::Object(second))) => {
                let asked = |member: &String| self.members.contains(member);
                first.extend(second.into_iter().filter(|(member, _)| asked(member)));
                Some(Value::Object(first))
            }
            // A bare value is none of the members that were asked for.
            (Some(first), _) => Some(first),
            (None, second) => second,
        }
    }
}

/// An answer that does not match its schema: its text, if anything in it can be read.
fn unfit(
    settings: &Settings,
    answer: Answer,
    written: Option<Value>,
    schema: &Value,
    faults: &[String],
    repairs: u32,
    usage: Usage,
) -> Result<Value, Failure> {
    let cut = answer.finish_reason == "length" && answer.content.is_some();
    let holds_something = written.is_some_and(|value| structure::holds_a_member(&value, schema));
    if cut || holds_something {
        log::info(
            "the model's answer does not match its schema; its text is returned without `json`",
        );
        return output(settings, answer, Value::Null, repairs, usage);
    }
    Err(invalid_output(&answer, faults, repairs, usage))
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
