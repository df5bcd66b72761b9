//! How a secret looks inside a text that is then encoded as a whole: the base64 of a query, a form or a
//! JSON text encodes the escapes in it.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use zeroize::Zeroizing;

/// Everything that RFC 3986 does not leave alone.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');
/// Everything that JavaScript's `encodeURIComponent` does not leave alone.
const COMPONENT: &AsciiSet = &UNRESERVED
    .remove(b'!')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

type Text = Zeroizing<String>;

/// The spellings of a secret in a URL, a form and JSON, as far as they differ from the secret. Most keys
/// consist of letters and digits and have none.
pub(super) fn escaped(secret: &str) -> Vec<Text> {
    let form = url::form_urlencoded::byte_serialize(secret.as_bytes());
    let mut all: Vec<Text> = [
        utf8_percent_encode(secret, UNRESERVED).collect(),
        utf8_percent_encode(secret, COMPONENT).collect(),
        form.collect(),
    ]
    .map(Zeroizing::new)
    .into();
    let in_small_letters: Vec<_> = all.iter().map(|text| small_percent(text)).collect();
    all.extend(in_small_letters);
    let json = json(secret);
    // .NET escapes these.
    let escaped_there = |c| matches!(c, '<' | '>' | '&' | '\'' | '+' | '`');
    all.push(unicode(&json, escaped_there, true));
    for text in [unicode(&json, |_| false, false), json] {
        all.push(Zeroizing::new(text.replace('/', "\\/")));
        all.push(text);
    }
    all.sort_unstable_by(|one, other| one.as_str().cmp(other));
    all.dedup();
    all.retain(|text| text.as_str() != secret);
    all
}

/// Percent-encodings in lower case.
fn small_percent(text: &str) -> Text {
    let mut out = Zeroizing::new(String::with_capacity(text.len()));
    let mut digits = 0;
    for c in text.chars() {
        let digit = digits > 0;
        out.push(if digit { c.to_ascii_lowercase() } else { c });
        digits = if c == '%' {
            2
        } else {
            digits - i32::from(digit)
        };
    }
    out
}

/// The content of a JSON string.
fn json(secret: &str) -> Text {
    let quoted = Zeroizing::new(serde_json::Value::from(secret).to_string());
    let inside = quoted.strip_prefix('"').and_then(|q| q.strip_suffix('"'));
    Zeroizing::new(inside.unwrap_or(secret).to_owned())
}

/// With escapes for characters outside ASCII, and for those that `also` accepts.
fn unicode(text: &str, also: impl Fn(char) -> bool, capitals: bool) -> Text {
    let mut out = Zeroizing::new(String::with_capacity(text.len()));
    for c in text.chars() {
        if c.is_ascii() && !also(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let digits = hex::encode(unit.to_be_bytes());
            out.push_str("\\u");
            out.push_str(&if capitals {
                digits.to_ascii_uppercase()
            } else {
                digits
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(secret: &str) -> Vec<String> {
        let all = escaped(secret);
        all.into_iter().map(|text| text.to_string()).collect()
    }

    #[test]
    fn most_keys_have_one_spelling() {
        for key in ["sk-live-0123456789abcdef", "tvly_dev.Abc9"] {
            assert_eq!(spelled(key), Vec::<String>::new());
        }
    }

    #[test]
    fn others_have_one_for_each_way_of_writing() {
        assert_eq!(
            spelled("a/b+=="),
            [
                "a%2Fb%2B%3D%3D",
                "a%2fb%2b%3d%3d",
                "a/b\\u002B==",
                "a\\/b+=="
            ]
        );
        assert_eq!(
            spelled("\"ü'\""),
            [
                "%22%C3%BC%27%22",
                "%22%C3%BC'%22",
                "%22%c3%bc%27%22",
                "%22%c3%bc'%22",
                "\\\"\\u00FC\\u0027\\\"",
                "\\\"\\u00fc'\\\"",
                "\\\"ü'\\\"",
            ]
        );
    }
}
