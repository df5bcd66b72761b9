//! Language tags (BCP 47) as pages write them.

use crate::normalize;

/// [`gtm_language_tag::canonical_tag`] of a text of a page, which may have blanks and invisible characters around it.
#[must_use]
pub fn canonical_tag(text: &str) -> Option<String> {
    gtm_language_tag::canonical_tag(&normalize(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_may_write_blanks_around_a_tag() {
        assert_eq!(canonical_tag(" DE\n").as_deref(), Some("de"));
        assert_eq!(canonical_tag("en_gb").as_deref(), Some("en-GB"));
        assert_eq!(canonical_tag("not a tag"), None);
    }
}
