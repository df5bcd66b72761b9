//! The texts of a page's links, looked for all at once: a long list beside many links takes long otherwise.

use aho_corasick::AhoCorasick;
use gtm_site_research::page::Page;

/// The texts of the links of one page.
pub struct LinkTexts(Option<AhoCorasick>);

impl LinkTexts {
    pub fn of(page: &Page) -> Self {
        let texts = page.links.iter().map(|link| link.text.as_str());
        // It fails only for more texts than a page may have.
        Self(AhoCorasick::new(texts.filter(|text| !text.is_empty())).ok())
    }

    /// Whether a text has one of them in it.
    pub fn any_in(&self, text: &str) -> bool {
        self.0.as_ref().is_none_or(|texts| texts.is_match(text))
    }
}
