//! Numbers of sources, in the order in which the document cites them first.

use std::collections::BTreeMap;

use gtm_document_model::{Document, Source};

/// The sources that are cited, with their numbers.
#[derive(Debug, Default)]
pub struct Citations<'d> {
    numbers: BTreeMap<&'d str, usize>,
    /// Each cited source; the first one has number 1.
    pub sources: Vec<&'d Source>,
}

impl<'d> Citations<'d> {
    pub fn of(document: &'d Document) -> Self {
        let by_id: BTreeMap<&str, &Source> = document
            .sources
            .iter()
            .map(|source| (source.id.as_str(), source))
            .collect();
        let mut citations = Self::default();
        for (_, id) in document.cites() {
            if let Some(source) = by_id.get(id)
                && !citations.numbers.contains_key(id)
            {
                citations.sources.push(source);
                citations.numbers.insert(id, citations.sources.len());
            }
        }
        citations
    }

    /// The reference to these sources, such as `[1, 3]`; empty for none.
    pub fn reference(&self, ids: &[String]) -> String {
        let mut numbers: Vec<usize> = ids
            .iter()
            .filter_map(|id| self.numbers.get(id.as_str()).copied())
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.is_empty() {
            return String::new();
        }
        let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
        format!("[{}]", numbers.join(", "))
    }
}
