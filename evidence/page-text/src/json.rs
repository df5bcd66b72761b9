//! Blocks of JSON: every string and number, in document order.
//!
//! This scans tokens instead of parsing values: it keeps numbers as written, reads what there is of a
//! truncated document, and has no nesting depth to exhaust.

use crate::{Block, BlockKind};

/// One block per string or number that is a value; member names are not content.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        rest = rest.get(start..).unwrap_or_default();
        if let Some(inner) = rest.strip_prefix('"') {
            let (literal, after) = string_literal(inner);
            rest = after;
            if !after.trim_start().starts_with(':') {
                blocks.extend(Block::new(BlockKind::Other, &unescape(literal)));
            }
        } else {
            let end = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.')))
                .unwrap_or(rest.len());
            let (number, after) = rest.split_at(end);
            rest = after;
            blocks.extend(Block::new(BlockKind::Other, number));
        }
    }
    blocks
}

/// Splits after the closing quote of a string whose opening quote has been read. If the document was
/// truncated and has no closing quote, the string is all that is left.
fn string_literal(inner: &str) -> (&str, &str) {
    let mut escaped = false;
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => {
                let literal = inner.get(..at).unwrap_or_default();
                return (literal, inner.get(at + 1..).unwrap_or_default());
            }
            _ => {}
        }
    }
    (inner, "")
}

/// Resolves the escapes of a string; keeps invalid ones as written.
fn unescape(literal: &str) -> String {
    if !literal.contains('\\') {
        return literal.to_owned();
    }
    serde_json::from_str(&format!("\"{literal}\"")).unwrap_or_else(|_| literal.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(json: &str) -> Vec<String> {
        blocks(json).into_iter().map(|block| block.text).collect()
    }

    #[test]
    fn scalars_come_in_document_order_without_names() {
        let json =
            r#"{"name" : "N\u00fcrn \"x\"", "n": [1.50, -2e3, true, null], "o": {"k": "v"}}"#;
        assert_eq!(texts(json), ["Nürn \"x\"", "1.50", "-2e3", "v"]);
    }

    #[test]
    fn a_cut_document_gives_what_is_there() {
        assert_eq!(texts(r#"{"a": "whole", "b": "hal"#), ["whole", "hal"]);
        assert_eq!(texts("\"ends in \\"), ["ends in \\"]);
    }

    #[test]
    fn depth_does_not_matter() {
        let json = format!("{}7{}", "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(texts(&json), ["7"]);
    }
}
