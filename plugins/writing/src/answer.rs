//! Reads a model's answer, and saves what can be read of a broken one.

use gtm_site_research::failure::{Failure, FailureKind};
use serde_json::Value;

/// The object that the model answered with; of an answer that was cut off, as much as is complete. `what` names what it should
/// write.
///
/// # Errors
/// `backend_refused` when the model declined, `backend_invalid_response` when nothing of the answer is a JSON object.
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
        .or_else(|| salvaged(answer.get("content").and_then(Value::as_str)?));
    object.ok_or_else(|| {
        Failure::new(
            FailureKind::Upstream,
            "backend_invalid_response",
            format!("The model's answer is not a JSON object (it ended with \"{reason}\")."),
        )
    })
}

/// Most open brackets of an answer that is still read; the JSON parser has its own limit, a little above.
const DEEPEST: usize = 100;

/// The first JSON object in a text, with whatever is incomplete left out; `None` if nothing in it is complete.
///
/// Danger: a broken model may open brackets without end, and each comma below costs as much as there are open ones.
fn salvaged(text: &str) -> Option<Value> {
    let text = text.rsplit("</think>").next()?;
    let text = text.get(text.find('{')?..)?;
    let mut open: Vec<char> = Vec::new();
    let mut whole: Option<(usize, String)> = None;
    let (mut in_string, mut escaped) = (false, false);
    let closed = |open: &[char]| open.iter().rev().collect::<String>();
    for (at, c) in text.char_indices() {
        if in_string {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match c {
            '"' => in_string = true,
            '{' | '[' if open.len() >= DEEPEST => break,
            '{' => open.push('}'),
            '[' => open.push(']'),
            // What stands before a comma or ends with a bracket is complete.
            ',' => whole = Some((at, closed(&open))),
            '}' | ']' => {
                if open.pop() != Some(c) {
                    break;
                }
                whole = Some((at + 1, closed(&open)));
                if open.is_empty() {
                    break;
                }
            }
            _ => {}
        }
    }
    let (end, rest) = whole?;
    serde_json::from_str::<Value>(&format!("{}{rest}", text.get(..end)?))
        .ok()
        .filter(|value| value.as_object().is_some_and(|object| !object.is_empty()))
}

/// A citation: the number of an excerpt, however the model spells it (`7`, `"7"`, `"E7"`, `"[E7]"`).
#[must_use]
pub fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text
            .trim_matches(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | 'E' | 'e'))
            .parse()
            .ok(),
        _ => None,
    }
}

/// The text of an object's member on one line; empty if it has none.
#[must_use]
pub fn text_of(object: &Value, name: &str) -> String {
    object
        .get(name)
        .and_then(Value::as_str)
        .map(one_line)
        .unwrap_or_default()
}

/// The text with single spaces.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_complete_of_a_cut_answer_stays() {
        for (text, expected) in [
            ("{\"a\": {\"x\": 1}}", json!({"a": {"x": 1}})),
            ("Sure:\n```json\n{\"a\": [1]}\n```", json!({"a": [1]})),
            ("<think>{no}</think>{\"a\": 1}", json!({"a": 1})),
            (
                "{\"a\": [{\"text\": \"one, two\"}, {\"text\": \"thr",
                json!({"a": [{"text": "one, two"}]}),
            ),
            (
                "{\"a\": \"b\\\"}\", \"c\": {\"d\": [1, 2",
                json!({"a": "b\"}", "c": {"d": [1]}}),
            ),
        ] {
            assert_eq!(salvaged(text), Some(expected), "{text}");
        }
        for text in ["Sure! Here it is.", "{\"a\": \"half", "{}", "}{"] {
            assert_eq!(salvaged(text), None, "{text}");
        }
    }

    #[test]
    fn citations_are_read_in_many_spellings() {
        for value in [json!(7), json!("7"), json!("E7"), json!("[E7]")] {
            assert_eq!(number(&value), Some(7));
        }
        assert_eq!(number(&json!(null)), None);
        assert_eq!(number(&json!("seven")), None);
    }
}
