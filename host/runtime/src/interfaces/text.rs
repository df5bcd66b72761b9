//! Text from guests, made fit to be shown and logged.

/// The text without control characters, cut at `max_bytes` between two characters.
pub fn one_line(text: &str, max_bytes: usize) -> String {
    let mut line = String::with_capacity(text.len().min(max_bytes));
    for c in text.chars() {
        let c = if c.is_control() { ' ' } else { c };
        if line.len() + c.len_utf8() > max_bytes {
            break;
        }
        line.push(c);
    }
    line
}

/// Whether a text is a code in snake_case of at most 64 characters.
pub fn is_code(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_lines() {
        assert_eq!(one_line("a\nb\u{1b}[31m", 100), "a b [31m");
        assert_eq!(one_line("äää", 5), "ää");
        assert!(is_code("http_404") && !is_code("4xx") && !is_code("Bad") && !is_code(""));
    }
}
