//! Compares a draft with facts that were written down before its site was read.

use gtm_sdk::Value;

use crate::run::{at, proofs_of};

/// The facts of a site: pointers with their values, and words that proof points of a kind must have.
pub struct Facts {
    pub values: Vec<(&'static str, Value)>,
    /// Words that a text has.
    pub words: Vec<(&'static str, &'static str)>,
    /// Kind of a proof point, and words that one of them has.
    pub proofs: Vec<(&'static str, &'static str)>,
}

impl Facts {
    /// All that differs, told at once.
    pub fn differences(&self, draft: &Value) -> Vec<String> {
        let mut found = Vec::new();
        for (pointer, expected) in &self.values {
            let shown = at(draft, pointer);
            if shown != expected {
                found.push(format!("{pointer}: {shown} instead of {expected}"));
            }
        }
        for (pointer, words) in &self.words {
            let shown = at(draft, pointer).to_string();
            if !shown.contains(words) {
                found.push(format!("{pointer}: {shown} without {words}"));
            }
        }
        for (kind, words) in &self.proofs {
            let shown = proofs_of(draft, kind);
            if !shown.iter().any(|text| text.contains(words)) {
                found.push(format!("{kind}: {shown:?} without {words}"));
            }
        }
        let conflicts = draft["conflicts"].as_array().into_iter().flatten();
        found.extend(conflicts.map(|conflict| format!("conflict: {conflict}")));
        found
    }
}
