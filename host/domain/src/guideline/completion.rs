//! Everything derived from a guideline's facts: evidence of sections, tokens, rules, coverage, freshness,
//! the change log and the hash.

use serde_json::Value;

use super::applications::{Contrast, applications};
use super::changes::changed_pointers;
use super::claim::SectionEvidence;
use super::fields::{FIELDS, Section};
use super::governance::{Change, Coverage, Freshness};
use super::tokens::design_tokens;
use super::{Guideline, guideline_hash};
use crate::evidence::Confidence;

/// Maximum number of change log entries; the oldest are dropped first.
pub(super) const MAX_CHANGES: usize = 100;

/// A guideline with everything derived from its facts.
#[derive(Debug, Clone, PartialEq)]
pub struct Completed {
    pub guideline: Guideline,
    /// Its document, as stored and served.
    pub document: Value,
    /// What it changed, as in the last entry of its change log.
    pub changed_pointers: Vec<String>,
}

impl Guideline {
    /// Derives everything that follows from the facts, including the change log against the `previous`
    /// document, and seals the document with its hash. Overwrites whatever those places held before.
    #[must_use]
    pub fn complete(mut self, previous: Option<&Value>, contrast: Contrast<'_>) -> Completed {
        self.visual.design_tokens = design_tokens(&self.visual);
        self.research.freshness = Freshness::of(&self.research.sources);
        let facts = self.document();
        let evidence = |section| section_evidence(&facts, section);
        self.identity.evidence = evidence(Section::Identity);
        self.foundations.evidence = evidence(Section::Foundations);
        self.audience.evidence = evidence(Section::Audience);
        self.positioning.evidence = evidence(Section::Positioning);
        self.voice.evidence = evidence(Section::Voice);
        self.messaging.evidence = evidence(Section::Messaging);
        self.visual.evidence = evidence(Section::Visual);
        self.research.coverage = coverage(&facts);
        self.applications = applications(&self, contrast);
        let changed_pointers = changed_pointers(previous.unwrap_or(&Value::Null), &facts);
        self.governance.change_log = previous.map(logged).unwrap_or_default();
        self.governance.change_log.push(Change {
            revision: self.revision,
            job_id: self.job_id,
            at: self.generated_at,
            changed_pointers: changed_pointers.clone(),
        });
        let excess = self.governance.change_log.len().saturating_sub(MAX_CHANGES);
        self.governance.change_log.drain(..excess);
        let mut document = self.document();
        self.guideline_hash = guideline_hash(&document);
        document["guideline_hash"] = Value::String(self.guideline_hash.to_string());
        Completed {
            guideline: self,
            document,
            changed_pointers,
        }
    }
}

/// The readable change log entries of an older document.
fn logged(document: &Value) -> Vec<Change> {
    let entries = document.pointer("/governance/change_log");
    let entries = entries.and_then(Value::as_array).into_iter().flatten();
    entries
        .filter_map(|entry| serde_json::from_value(entry.clone()).ok())
        .collect()
}

/// Lowest confidence and all sources of a section's known claims; sources in document order.
#[must_use]
pub fn section_evidence(document: &Value, section: Section) -> SectionEvidence {
    let mut lowest: Option<Confidence> = None;
    let mut cited = std::collections::HashSet::new();
    let fields = FIELDS.iter().filter(|field| field.section == section);
    for (_, claim) in fields.flat_map(|field| field.claims(document)) {
        let confidence = claim.get("confidence").cloned().unwrap_or_default();
        if let Ok(Some(confidence)) = serde_json::from_value::<Option<Confidence>>(confidence) {
            lowest = Some(lowest.map_or(confidence, |l| l.min(confidence)));
        }
        let ids = claim.get("source_ids").and_then(Value::as_array);
        cited.extend(ids.into_iter().flatten().filter_map(Value::as_str));
    }
    let sources = document
        .pointer("/research/sources")
        .and_then(Value::as_array);
    SectionEvidence {
        confidence: lowest,
        source_ids: sources
            .into_iter()
            .flatten()
            .filter_map(|source| source.get("id").and_then(Value::as_str))
            .filter(|id| cited.contains(id))
            .map(str::to_owned)
            .collect(),
    }
}

/// Number of fields and of known fields by section.
#[must_use]
pub fn coverage(document: &Value) -> Vec<Coverage> {
    let count = |section: Section| {
        let fields = || FIELDS.iter().filter(move |f| f.section == section);
        Coverage {
            section: section.key().to_owned(),
            fields: fields().count() as u64,
            known: fields().filter(|f| f.is_known(document)).count() as u64,
        }
    };
    Section::ALL.into_iter().map(count).collect()
}
