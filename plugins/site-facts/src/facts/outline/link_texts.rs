//! The texts of a page's links, looked for all at once: a long list beside many links takes long otherwise.

use std::collections::BTreeSet;

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

/// Whether a line is nothing but the texts of several links, as a menu without markup of its own is.
pub(super) fn is_menu(page: &Page, text: &str) -> bool {
    let texts: BTreeSet<&str> = page
        .links
        .iter()
        .map(|link| link.text.trim())
        .filter(|link| !link.is_empty() && link.len() < text.len() && text.contains(link))
        .collect();
    let length: usize = texts.iter().map(|link| link.chars().count()).sum();
    texts.len() > 1 && length + texts.len() > text.chars().count()
}
