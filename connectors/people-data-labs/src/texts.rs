//! Which texts of a record can be facts.

use gtm_sdk::Value;

/// A meaningful text within the contract's length. A longer one is dropped, because part of it would not be
/// the provider's statement.
pub(crate) fn text(value: &Value, max_chars: usize) -> Option<&str> {
    let text = value.as_str()?;
    let fits = !text.trim().is_empty() && text.chars().count() <= max_chars;
    fits.then_some(text)
}

/// The host of a website, which the provider usually gives without a scheme.
pub(crate) fn host_of(website: &str) -> &str {
    let rest = website.split_once("://").map_or(website, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_website_is_a_host() {
        for (website, host) in [
            ("acme.example", "acme.example"),
            ("https://www.acme.example/en?x", "www.acme.example"),
        ] {
            assert_eq!(host_of(website), host);
        }
    }
}
