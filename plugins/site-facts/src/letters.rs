//! Texts by their letters, for comparing names.

use gtm_site_research::words;

/// The folded letters and digits of a text, for comparing names.
pub fn letters(text: &str) -> String {
    words::fold(text)
        .chars()
        .filter(|c| c.is_alphanumeric())
        .collect()
}
