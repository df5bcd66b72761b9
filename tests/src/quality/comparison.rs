//! When two values say the same.

use serde_json::Value;

/// Whether a found value is the wanted one: letter case, white space and a last full stop aside;
/// objects by the members that are wanted.
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
    // The region may be left out or be there.
    tag.split('-').next().unwrap().to_lowercase()
}

/// A text as it is compared.
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

/// `#aabbcc` as `#abc`, where that is the same.
pub(super) fn short_hex(hex: &str) -> String {
    let digits: Vec<char> = hex.chars().skip(1).collect();
    match digits.as_slice() {
        [a, b, c, d, e, f] if a == b && c == d && e == f => format!("#{a}{c}{e}"),
        _ => hex.to_owned(),
    }
}
