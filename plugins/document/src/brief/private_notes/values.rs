//! Labels that are values: where one part is `external`, `internal` says of another what it is, and nothing in confidence.

use gtm_lexicon::documents::NOT_PRIVATE;
use gtm_lexicon::{fold, split};

use super::labels::{is_label, is_long_label, is_no_letter};

/// Whether the opposite of a private label stands in one of several texts where a label may stand.
#[derive(Debug, Clone, Copy, Default)]
pub struct Values(bool);

impl Values {
    pub fn of(texts: impl Iterator<Item = String>) -> Self {
        let mut values = texts.map(|text| value_of(&text).to_owned());
        Self(values.any(|value| {
            let folded = fold(&value);
            NOT_PRIVATE.are(&split(&folded))
        }))
    }

    /// Whether what a text says is one of such values.
    pub fn has(self, text: &str) -> bool {
        let value = value_of(text);
        self.0 && is_label(value) && !is_long_label(value)
    }
}

/// `internal` of `Training: internal`.
fn value_of(text: &str) -> &str {
    let value = text
        .rsplit_once([':', '：'])
        .map_or(text, |(_, value)| value);
    value.trim_matches(is_no_letter)
}
