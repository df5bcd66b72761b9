//! Alternatives to buying: none may be a rival that nobody named.

use gtm_lexicon::figures::JOINTS;
use gtm_page_text::primary_language;
use gtm_site_research::words;

use super::Ground;
use crate::names;

impl Ground<'_> {
    /// Whether an alternative names somebody whom neither a page nor the caller mentions. A generic word beside it excuses
    /// nothing: `spreadsheets or Salesforce`.
    pub(super) fn is_a_rival(&self, text: &str) -> bool {
        let shown = self.shown();
        if shown.holds(text) {
            return false;
        }
        let language = primary_language(self.language);
        if !names::candidates(text, language, shown).is_empty() {
            return true;
        }
        text.split([',', ';', '/'])
            .flat_map(split_at_joints)
            .any(|part| {
                names::is_only_a_name(&part)
                    && !names::is_a_compound(&part, language)
                    && !names::is_generic(&part)
                    && !names::is_known(&part, shown)
            })
    }
}

/// The parts of a text between words such as `or`.
fn split_at_joints(text: &str) -> Vec<String> {
    let mut parts = vec![Vec::new()];
    for word in text.split_whitespace() {
        if JOINTS.contains(&words::fold(word)) {
            parts.push(Vec::new());
        } else if let Some(last) = parts.last_mut() {
            last.push(word);
        }
    }
    parts.into_iter().map(|words| words.join(" ")).collect()
}
