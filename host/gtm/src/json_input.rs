//! JSON that an operator hands over: a file that somebody reviewed, or the text of a flag.

use gtm_api::strict_json;
use serde_json::Value;

/// The value, with or without a byte order mark before it.
///
/// # Errors
/// What is wrong with the text, and where. DANGER: of two members with one name a reviewer reads the first, and a parser
/// takes the last, so a text with both is refused.
pub fn parse(text: &[u8]) -> Result<Value, String> {
    let text = std::str::from_utf8(text).map_err(|_| "it is not in UTF-8".to_owned())?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    strict_json::parse_file(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_member_that_stands_twice_is_refused() {
        let value = parse("\u{feff}{\"a\": [{\"b\": 1}, {\"b\": 2}]}".as_bytes()).unwrap();
        assert_eq!(value["a"][1]["b"], 2);
        let told = parse(b"{\"a\": [{\"b\": 1,\n\"b\": 2}]}").unwrap_err();
        assert!(told.contains("twice") && told.contains("line 2"), "{told}");
        assert!(parse(b"{\"a\" 1}").unwrap_err().contains("line 1"));
        assert!(parse(b"\xff").unwrap_err().contains("UTF-8"));
    }

    #[test]
    fn a_long_list_is_read() {
        let list = format!("[{}1]", "1,".repeat(2 * strict_json::MAX_VALUES));
        assert!(parse(list.as_bytes()).is_ok());
    }
}
