//! Character references in structured data: `Fish &amp; Sons`. JSON has none, but templates of pages write them there.

use html5gum::{Token, Tokenizer};
use serde_json::Value;

/// Most bytes between `&` and `;`.
const LONGEST: usize = 32;

/// The text with its references resolved. One without a semicolon may belong to an address: `?a=1&copy=2`.
pub(super) fn resolved(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, from) = rest.split_at(at);
        found.push_str(before);
        let end = from
            .bytes()
            .skip(1)
            .take(LONGEST)
            .position(|byte| !(byte.is_ascii_alphanumeric() || byte == b'#'));
        let end = end.map_or(0, |end| end + 1);
        let reference = from
            .get(..=end)
            .filter(|reference| end > 1 && reference.ends_with(';'));
        match reference {
            Some(reference) => found.push_str(&character(reference)),
            None => found.push('&'),
        }
        rest = from
            .get(reference.map_or(1, str::len)..)
            .unwrap_or_default();
    }
    found.push_str(rest);
    found
}

/// The same for every text of a value.
pub(super) fn resolve_in(value: &mut Value) {
    match value {
        Value::String(text) if text.contains('&') => *text = resolved(text),
        Value::Array(items) => items.iter_mut().for_each(resolve_in),
        Value::Object(members) => members.values_mut().for_each(resolve_in),
        _ => {}
    }
}

fn character(reference: &str) -> String {
    let mut found = Vec::new();
    for token in Tokenizer::new(reference) {
        if let Ok(Token::String(text)) = token {
            found.extend_from_slice(&text.value.0);
        }
    }
    String::from_utf8(found).unwrap_or_else(|_| reference.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_where_they_are_whole() {
        for (text, expected) in [
            ("Fish &amp; Sons", "Fish & Sons"),
            ("1987 &#8211; 2026 &#x2014;", "1987 – 2026 —"),
            ("M&uuml;ller &quot;Bau&quot;", "Müller \"Bau\""),
            ("Fish & Sons; nets", "Fish & Sons; nets"),
            (
                "https://x.example/?a=1&copy=2",
                "https://x.example/?a=1&copy=2",
            ),
            ("&nosuchthing; &; &", "&nosuchthing; &; &"),
            ("&ü;", "&ü;"),
        ] {
            assert_eq!(resolved(text), expected);
        }
    }

    #[test]
    fn many_signs_take_linear_work() {
        let text = "&".repeat(200_000);
        assert_eq!(resolved(&text), text);
    }
}
