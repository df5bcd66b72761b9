//! Places where words without end may break.

use serde_json::Value;

/// Characters after which a word of that length may break.
const LONGEST: usize = 28;
const BREAK: char = '\u{200b}';

/// Lets long words break in the texts that people read. Links and names of files stay as they are.
pub fn soften(value: &mut Value) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(soften),
        Value::Object(members) => {
            for (name, member) in members {
                if !matches!(
                    name.as_str(),
                    "href" | "url" | "asset" | "id" | "code" | "language" | "alt"
                ) {
                    soften(member);
                }
            }
        }
        Value::String(text) => {
            if let Some(softened) = softened(text) {
                *text = softened;
            }
        }
        _ => {}
    }
}

pub fn softened(text: &str) -> Option<String> {
    let is_long = |word: &str| word.len() > LONGEST && word.chars().count() > LONGEST;
    if !text.split(char::is_whitespace).any(is_long) {
        return None;
    }
    let mut out = String::with_capacity(text.len() + text.len() / LONGEST * 3);
    let mut length = 0;
    for character in text.chars() {
        // Latin letters and digits only: other scripts break by their own rules, and marks belong to what they follow.
        let splits = character.is_ascii_alphanumeric();
        if length >= LONGEST && splits {
            out.push(BREAK);
            length = 0;
        }
        length = if character.is_whitespace() {
            0
        } else {
            length + 1
        };
        out.push(character);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_without_end_may_break() {
        assert_eq!(
            softened("Donaudampfschifffahrt and more of it in one line"),
            None
        );
        let long = "x".repeat(60);
        let soft = softened(&format!("a {long} b")).unwrap_or_default();
        assert_eq!(soft.matches(BREAK).count(), 2);
        assert_eq!(soft.replace(BREAK, ""), format!("a {long} b"));
        assert_eq!(
            softened(&"界".repeat(60)).map(|text| text.contains(BREAK)),
            Some(false)
        );
    }
}
