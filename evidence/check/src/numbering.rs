//! Ids of sources and excerpts, and the list of sources that a result shows.

use std::collections::BTreeMap;

use gtm_domain::ReceiptId;
use gtm_domain::evidence::{Excerpt, Source, SourceKind};

use super::basis::DraftSource;
use super::library::{Library, Stored};
use super::verdict::{Found, VerifiedClaim};

/// Assigns `src_…` and `ex_…` ids in order of first citation.
#[derive(Debug, Default)]
pub struct Numbering {
    sources: Vec<ReceiptId>,
    excerpts: Vec<(String, Found)>,
}

impl Numbering {
    /// The id of a source, assigned on first use.
    pub fn source(&mut self, receipt: ReceiptId) -> String {
        let at = self
            .sources
            .iter()
            .position(|id| *id == receipt)
            .unwrap_or_else(|| {
                self.sources.push(receipt);
                self.sources.len() - 1
            });
        format!("src_{:02}", at + 1)
    }

    fn excerpt(&mut self, found: &Found) -> String {
        if let Some((id, _)) = self.excerpts.iter().find(|(_, known)| known == found) {
            return id.clone();
        }
        let id = format!("ex_{:02}", self.excerpts.len() + 1);
        self.excerpts.push((id.clone(), found.clone()));
        id
    }

    /// The ids of the sources that support a claim.
    pub fn source_ids(&mut self, kept: &VerifiedClaim) -> Vec<String> {
        kept.sources.iter().map(|id| self.source(*id)).collect()
    }

    /// The ids of the excerpts that support a claim.
    pub fn excerpt_ids(&mut self, kept: &VerifiedClaim) -> Vec<String> {
        let found = kept.excerpts.iter();
        found.map(|found| self.excerpt(found)).collect()
    }

    /// All sources that have an id, with the excerpts that have one.
    #[must_use]
    pub fn sources(
        &self,
        library: &Library,
        kinds: &BTreeMap<ReceiptId, SourceKind>,
        said: &BTreeMap<&str, &DraftSource>,
    ) -> Vec<Source> {
        let shown = |(index, id): (usize, &ReceiptId)| {
            let stored = library.find(&id.to_string())?;
            let said = said.get(id.to_string().as_str()).copied();
            let fact = |text: fn(&DraftSource) -> Option<&String>| {
                said.and_then(text)
                    .map(|t| gtm_page_text::normalize(t))
                    .filter(|t| known(stored, t))
            };
            Some(Source {
                id: format!("src_{:02}", index + 1),
                url: stored.receipt.url.clone(),
                final_url: stored.receipt.final_url.clone(),
                kind: kinds.get(id).copied().unwrap_or(SourceKind::Other),
                publisher: fact(|s| s.publisher.as_ref()),
                title: fact(|s| s.title.as_ref()),
                language: fact(|s| s.language.as_ref())
                    .and_then(|tag| gtm_page_text::canonical_tag(&tag)),
                retrieved_at: stored.receipt.at,
                published_at: fact(|s| s.published_at.as_ref()),
                content_type: stored.receipt.content_type.clone(),
                bytes: stored.receipt.response_bytes,
                content_digest: stored.digest()?,
                connector: stored.connector.clone(),
                receipt_id: *id,
                excerpts: self
                    .excerpts
                    .iter()
                    .filter(|(_, found)| found.receipt == *id)
                    .map(|(id, found)| Excerpt {
                        id: id.clone(),
                        text: found.text.clone(),
                        text_start: found.range.0 as u64,
                        text_end: found.range.1 as u64,
                        verified: true,
                    })
                    .collect(),
            })
        };
        self.sources.iter().enumerate().filter_map(shown).collect()
    }
}

/// Whether the connector read this from the answer, or the answer's text or host contains it.
pub(crate) fn known(stored: &Stored, text: &str) -> bool {
    !text.is_empty()
        && (stored.facts.contains(text)
            || stored.find(text).is_some()
            || super::origin::site_of(&stored.receipt.host) == text
            || stored.receipt.host == text)
}
