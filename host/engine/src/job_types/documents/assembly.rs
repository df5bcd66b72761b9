//! The document: checked sections with the brand's theme, and what the host says about it.

use std::collections::BTreeMap;

use gtm_document_model::document::{Brand, Document, DocumentType, Meta, SchemaVersion};
use gtm_document_model::{Section, Theme, bounds, cleaned};
use gtm_domain::brand::BrandBinding;
use gtm_domain::guideline::Guideline;
use gtm_evidence_check::document::CheckedSource;
use gtm_evidence_check::document::citations::{bearings, keep_only};
use gtm_evidence_check::document::draft::DraftMeta;

/// What the host knows and no draft says.
pub(super) struct Facts<'a> {
    pub guideline: &'a Guideline,
    pub bound: Option<&'a BrandBinding>,
    /// With the logo whose bytes are at hand, if there is one.
    pub theme: Theme,
    pub document_type: DocumentType,
    /// The day on which it is made: `2026-11-23`.
    pub date: &'a str,
}

/// A document, and which of its texts cite what.
pub(super) struct Assembled {
    pub document: Document,
    /// Pointers by the id that is cited, reserved ids included.
    pub bearings: BTreeMap<String, Vec<String>>,
}

pub(super) fn document(
    meta: DraftMeta,
    sections: Vec<Section>,
    sources: &[CheckedSource],
    facts: Facts<'_>,
) -> Assembled {
    let identity = &facts.guideline.identity;
    let brand = one_line(identity.brand_name.value.as_deref());
    let legal = one_line(identity.legal_name.value.as_deref());
    let (organization, author) = senders(brand, legal);
    let title = one_line(Some(&meta.title)).unwrap_or(meta.title);
    // A letter without a subject has its sender's name for its head.
    let organization = organization.filter(|name| *name != title);
    let mut document = Document {
        schema: SchemaVersion::V1,
        meta: Meta {
            title,
            subtitle: meta.subtitle,
            language: meta.language,
            direction: meta.direction,
            author,
            organization,
            // Whoever dates a brief means the document.
            date: meta.date.unwrap_or_else(|| facts.date.to_owned()),
            date_words: meta.date_words,
            document_type: facts.document_type,
            slides: false,
            keywords: meta.keywords,
            classification: meta.classification,
        },
        brand: facts.bound.map(|bound| Brand {
            id: bound.brand_profile_id.to_string(),
            revision: bound.revision,
            hash: bound.guideline_hash.to_string(),
        }),
        theme: facts.theme,
        sources: Vec::new(),
        sections,
    };
    let bearings = bearings(&document);
    // Readers can look up a page, but no brief; what rests on one is in the evidence manifest.
    keep_only(&mut document, |id| {
        sources.iter().any(|source| source.source.id == id)
    });
    let listed = sources
        .iter()
        .filter(|source| bearings.contains_key(&source.source.id));
    document.sources = listed.map(|source| source.source.clone()).collect();
    Assembled { document, bearings }
}

/// A text as a title of one line.
fn one_line(text: Option<&str>) -> Option<String> {
    let text = cleaned(text?).replace('\n', " ");
    let text: String = text.trim().chars().take(bounds::LINE).collect();
    (!text.is_empty()).then_some(text)
}

/// The organization that sends the document, and its author where that is another name: covers show both, and `Harrow`
/// above `Harrow Ltd` is the same name twice.
fn senders(brand: Option<String>, legal: Option<String>) -> (Option<String>, Option<String>) {
    let organization = brand.or_else(|| legal.clone());
    let is_other = |legal: &String| {
        let name = organization.as_deref().unwrap_or_default();
        !legal.to_lowercase().starts_with(&name.to_lowercase())
    };
    let author = legal.filter(is_other);
    (organization, author)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shown_once() {
        for (brand, legal, organization, author) in [
            (Some("Harrow"), Some("HARROW Ltd"), Some("Harrow"), None),
            (
                Some("Harrow"),
                Some("Northern Ice Ltd"),
                Some("Harrow"),
                Some("Northern Ice Ltd"),
            ),
            (None, Some("Harrow Ltd"), Some("Harrow Ltd"), None),
            (Some("Harrow"), None, Some("Harrow"), None),
            (None, None, None, None),
        ] {
            let owned = |name: Option<&str>| name.map(str::to_owned);
            let shown = senders(owned(brand), owned(legal));
            assert_eq!(
                shown,
                (owned(organization), owned(author)),
                "{brand:?} {legal:?}"
            );
        }
    }
}
