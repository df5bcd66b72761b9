//! JSON Schema of the model's answer, within what strict modes of providers support: all properties required, none
//! additional, no bounds (`gtm-writing`'s `schema` says why). An empty text means that there is none.

use serde_json::{Value, json};

/// Name of the form, for providers that want one.
pub const NAME: &str = "message_template_draft";

#[must_use]
pub fn schema() -> Value {
    let text = |says: &str| json!({"type": "string", "description": says});
    let block = json!({
        "type": "object",
        "properties": {
            "kind": {
                "type": "string",
                "enum": ["greeting", "opening", "evidence_hook", "value", "proof", "cta", "sign_off"],
            },
            "text": text("one line of plain text with placeholders"),
            "optional": {"type": "boolean", "description": "whether the block is left out when a placeholder of it has no value"},
            "fallback": text("what stands there instead when a placeholder has no value; empty if there is none"),
        },
        "required": ["kind", "text", "optional", "fallback"],
        "additionalProperties": false,
    });
    json!({
        "type": "object",
        "properties": {
            "subject": text("subject line"),
            "preview_text": text("what a mailbox shows beside the subject; may be empty"),
            "blocks": {"type": "array", "items": block},
        },
        "required": ["subject", "preview_text", "blocks"],
        "additionalProperties": false,
    })
}
