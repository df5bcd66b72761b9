//! Paper as a language's countries have it.

/// Countries that print on Letter.
#[must_use]
pub fn uses_letter(language: &str) -> bool {
    let lower = language.to_ascii_lowercase();
    let mut parts = lower.split('-');
    let primary = parts.next().unwrap_or_default();
    let region = parts.find(|part| part.len() == 2);
    match region {
        Some(region) => matches!(region, "us" | "ca" | "mx" | "ph" | "co" | "cl"),
        None => primary == "en",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_its_paper() {
        assert!(uses_letter("en-US") && !uses_letter("en-GB") && !uses_letter("de"));
    }
}
