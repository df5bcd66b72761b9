//! The blocks that end every template. Each has one legal form, so no model writes them.

use serde_json::{Value, json};

use crate::placeholders::Placeholder;

/// Kinds of the blocks that are added here.
#[must_use]
pub fn is_fixed(kind: &str) -> bool {
    matches!(
        kind,
        "signature" | "postal_identity" | "privacy_notice" | "opt_out"
    )
}

/// The blocks, of the placeholders that the host lists.
#[must_use]
pub fn blocks(placeholders: &[Placeholder]) -> Vec<Value> {
    let listed = |name: &&str| placeholders.iter().any(|known| known.name == *name);
    let signature: Vec<String> = ["sender.full_name", "sender.role", "sender.organization"]
        .iter()
        .filter(|name| listed(name))
        .map(|name| format!("{{{{{name}}}}}"))
        .collect();
    let mut found = Vec::new();
    if !signature.is_empty() {
        found.push(block("signature", &signature.join(", "), false));
    }
    // The privacy notice is optional: the policy decides for each recipient whether there is one.
    for (kind, name, optional) in [
        ("postal_identity", "compliance.postal_identity", false),
        ("privacy_notice", "compliance.privacy_notice", true),
        ("opt_out", "compliance.opt_out", false),
    ] {
        if listed(&name) {
            found.push(block(kind, &format!("{{{{{name}}}}}"), optional));
        }
    }
    found
}

fn block(kind: &str, text: &str, optional: bool) -> Value {
    json!({"kind": kind, "text": text, "optional": optional, "fallback": null})
}
