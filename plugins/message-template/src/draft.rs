//! From a model's answer to a draft. Nothing is judged here: what is wrong is for the host to say, so that the next
//! round can mend it. Only spelling and what has one legal form are put right.

use gtm_site_research::failure::{Failure, FailureKind};
use gtm_writing::answer::one_line;
use serde_json::{Value, json};

use crate::fixed_blocks;
use crate::placeholders::{Placeholder, mended, names};

/// Most blocks and characters that go on to the host (`wit/results/message-draft.schema.json`). It refuses far shorter
/// ones and says why; what is longer than this is a model that went on for ever, and its end tells nothing new.
const BLOCKS: usize = 36;
const TEXT_CHARS: usize = 4_000;
const KIND_CHARS: usize = 40;

/// The draft that the answer holds, with the fixed blocks behind it.
///
/// # Errors
/// `backend_invalid_response` if the answer has neither a subject nor a block.
pub fn draft(answer: &Value, placeholders: &[Placeholder]) -> Result<Value, Failure> {
    // Small models like to wrap what they are asked for.
    let answer = answer.get("draft").unwrap_or(answer);
    let blocks = answer.get("blocks").and_then(Value::as_array);
    if blocks.is_none_or(Vec::is_empty) && !answer["subject"].is_string() {
        return Err(Failure::new(
            FailureKind::Upstream,
            "backend_invalid_response",
            "The model's answer has neither a subject nor a block.",
        ));
    }
    let text = |value: &Value| text(value, placeholders);
    let mut written: Vec<Value> = blocks
        .into_iter()
        .flatten()
        .filter(|block| !block["kind"].as_str().is_some_and(fixed_blocks::is_fixed))
        .take(BLOCKS)
        .map(|block| copy_block(block, placeholders))
        .collect();
    written.extend(fixed_blocks::blocks(placeholders));
    let preview = text(&answer["preview_text"]);
    Ok(json!({
        "subject": text(&answer["subject"]),
        "preview_text": given(preview),
        "blocks": written,
    }))
}

fn copy_block(block: &Value, placeholders: &[Placeholder]) -> Value {
    let kind: String = block["kind"]
        .as_str()
        .unwrap_or_default()
        .chars()
        .take(KIND_CHARS)
        .collect();
    let words = text(&block["text"], placeholders);
    let fallback = text(&block["fallback"], placeholders);
    // Without a fallback, such a block can only be left out, which an extra proof or opening may be.
    let may_go = matches!(kind.as_str(), "greeting" | "opening" | "proof");
    let must_go = may_go && fallback.is_empty() && has_unrequired(&words, placeholders);
    let optional = block["optional"].as_bool().unwrap_or(false) || must_go;
    json!({"kind": kind, "text": words, "optional": optional, "fallback": given(fallback)})
}

fn has_unrequired(text: &str, placeholders: &[Placeholder]) -> bool {
    names(text).any(|name| {
        placeholders
            .iter()
            .any(|known| known.name == name && !known.required)
    })
}

/// A member's text on one line; empty if it has none. A template has no line breaks.
fn text(value: &Value, placeholders: &[Placeholder]) -> String {
    let line = one_line(value.as_str().unwrap_or_default());
    let line: String = line.chars().take(TEXT_CHARS).collect();
    mended(&line, placeholders)
}

fn given(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

/// A draft of an earlier round as the model wrote it: without the fixed blocks. They stand last, so pointers to the others stay
/// true.
#[must_use]
pub fn as_written(draft: &Value) -> Value {
    let mut draft = draft.clone();
    if let Some(blocks) = draft.get_mut("blocks").and_then(Value::as_array_mut) {
        blocks.retain(|block| !block["kind"].as_str().is_some_and(fixed_blocks::is_fixed));
    }
    draft
}
