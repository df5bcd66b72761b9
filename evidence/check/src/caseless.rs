//! Texts in the form in which words are looked for in them.

use gtm_lexicon::with_ascii_digits;

/// Normal form without letter case, with one form of digits. Letters keep their diacritics, unlike in
/// [`gtm_lexicon::fold`]: without them a claim could say another word than its excerpt.
pub(crate) fn caseless(text: &str) -> String {
    with_ascii_digits(&gtm_page_text::normalize(text).to_lowercase())
}
