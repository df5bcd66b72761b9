//! Decides whether two values say the same.

use serde_json::Value;

/// Whether a found value is the wanted one. Ignores letter case, white space and a final period; compares
/// objects only by the wanted members.
pub(super) fn same(wanted: &Value, found: &Value, how: &str) -> bool {
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => wanted
            .iter()
            .all(|(name, wanted)| found.get(name).is_some_and(|f| same(wanted, f, how))),
        (Value::String(wanted), Value::String(found)) if how == "contains" => {
            fold(found).contains(&fold(wanted))
        }
        (Value::String(wanted), Value::String(found)) => fold(wanted) == fold(found),
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        _ => wanted == found,
    }
}

pub(super) fn fold_tag(tag: &Value) -> String {
    let tag = tag.as_str().unwrap_or_default();
    // A region may be present or absent.
    tag.split('-').next().unwrap().to_lowercase()
}

/// Normalizes a text for comparison.
pub(super) fn fold(text: &str) -> String {
    let text = gtm_page_text::normalize(text);
    let text: String = text
        .chars()
        .map(|c| match c {
            '‘' | '’' | '‚' => '\'',
            '“' | '”' | '„' | '«' | '»' => '"',
            '\u{a0}' | '\u{202f}' | '\n' => ' ',
            other => other,
        })
        .flat_map(char::to_lowercase)
        .collect();
    text.trim()
        .trim_end_matches(['.', ' '])
        .trim_matches('"')
        .trim_end_matches('.')
        .to_owned()
}

/// Shortens `#aabbcc` to `#abc` where both are equal.
pub(super) fn short_hex(hex: &str) -> String {
    let digits: Vec<char> = hex.chars().skip(1).collect();
    match digits.as_slice() {
        [a, b, c, d, e, f] if a == b && c == d && e == f => format!("#{a}{c}{e}"),
        _ => hex.to_owned(),
    }
}
