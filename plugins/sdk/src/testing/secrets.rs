//! Refuses cassettes that contain something like a key.

/// Prefixes of providers' keys, each with the minimum number of characters that follow.
const MARKS: [(&str, usize); 16] = [
    ("sk-", 16),
    ("pk-", 16),
    ("rk_live_", 10),
    ("sk_live_", 10),
    ("gtm_k1_", 8),
    ("ghp_", 16),
    ("gho_", 16),
    ("github_pat_", 16),
    ("glpat-", 12),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("AKIA", 16),
    ("AIza", 30),
    ("hf_", 20),
    ("pat-", 20),
    ("eyJ", 30),
];

/// Header names that carry credentials.
const HEADERS: [&str; 8] = [
    "\"authorization\"",
    "\"proxy-authorization\"",
    "\"cookie\"",
    "\"set-cookie\"",
    "\"x-api-key\"",
    "\"api-key\"",
    "\"x-goog-api-key\"",
    "\"x-subscription-token\"",
];

/// Describes what in a text looks like a secret, without repeating it; `None` if nothing does.
pub fn find_secret(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    if let Some(header) = HEADERS.iter().find(|header| {
        // As a member name it is a header; in a string value the word is harmless.
        lower.match_indices(**header).any(|(at, found)| {
            lower
                .get(at + found.len()..)
                .is_some_and(|rest| rest.trim_start().starts_with(':'))
        })
    }) {
        return Some(format!("the header {header}"));
    }
    if lower.contains("-----begin") && lower.contains("private key-----") {
        return Some("a private key".to_owned());
    }
    for scheme in ["bearer ", "basic "] {
        for (at, _) in lower.match_indices(scheme) {
            let token = lower.get(at + scheme.len()..).unwrap_or_default();
            if token_length(token) >= 16
                && token
                    .get(..16)
                    .is_some_and(|t| t.bytes().any(|b| b.is_ascii_digit()))
            {
                return Some(format!("a token after {:?}", scheme.trim()));
            }
        }
    }
    text.split(|c: char| !is_token(c)).find_map(|word| {
        let (mark, _) = MARKS.iter().find(|(mark, least)| {
            word.strip_prefix(mark)
                .is_some_and(|rest| rest.len() >= *least)
        })?;
        Some(format!("a word that begins with {mark:?}"))
    })
}

fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

fn token_length(text: &str) -> usize {
    text.chars().take_while(|c| is_token(*c)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_like_strings_are_found() {
        let long = "a1b2c3d4e5f6a7b8c9d0";
        for text in [
            format!("{{\"x\":\"sk-{long}\"}}"),
            format!("Bearer {long}"),
            format!("gtm_k1_{long}"),
            "{\"headers\":{\"Authorization\": \"x\"}}".to_owned(),
            "-----BEGIN PRIVATE KEY-----".to_owned(),
        ] {
            assert!(find_secret(&text).is_some(), "{text}");
        }
    }

    #[test]
    fn ordinary_answers_are_not() {
        for text in [
            "{\"id\":\"chatcmpl-9XyZ0123456789abcdef\",\"note\":\"ask-me-anything-about-it\"}",
            "{\"error\":{\"message\":\"Incorrect API key provided: sk-…\"}}",
            "the \"authorization\" of the bearer shares of the basic model",
        ] {
            assert_eq!(find_secret(text), None, "{text}");
        }
    }
}
