//! Names for people, as given on the command line.

const MAX_NAME_CHARS: usize = 200;

/// Parses a name for people, trimmed.
pub fn parse_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    if name.is_empty() {
        return Err("a name must not be blank".to_owned());
    }
    if name.chars().any(char::is_control) {
        return Err("a name must not contain control characters".to_owned());
    }
    if name.chars().count() > MAX_NAME_CHARS {
        return Err(format!("a name has at most {MAX_NAME_CHARS} characters"));
    }
    Ok(name.to_owned())
}
