//! The draft of a document as a generation backend returns it, read strictly.

use std::collections::BTreeSet;

use gtm_document_model::document::{Direction, Document, DocumentType, SchemaVersion};
use gtm_document_model::{Fault, Section, day};
use gtm_domain::document::{
    DocumentFormat, DocumentInput, LeftOutOfBrief, LeftOutReason, MAX_LEFT_OUT, SaidInBrief, theme,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::basis::DraftError;
use crate::left_out::{self, LeftOut};

/// Ids that texts may cite without an entry among the sources: what the caller and its organization gave.
pub const RESERVED: [&str; 3] = ["brief", "offer", "brand"];
/// Most excerpts of one source.
const MAX_EXCERPTS: usize = 200;
/// Longest excerpt in bytes.
const MAX_EXCERPT_BYTES: usize = 16_000;
/// Most titles of an outline.
const MAX_OUTLINE: usize = 200;
/// Longest reason in characters.
const REASON_CHARS: usize = 300;

#[derive(Debug, Clone, PartialEq)]
pub struct DocumentDraft {
    pub format: DocumentFormat,
    pub document_type: DocumentType,
    /// Why this type and format.
    pub reason: Option<String>,
    pub meta: DraftMeta,
    pub sources: Vec<DraftSource>,
    pub sections: Vec<Section>,
    /// What the backend's own check dropped.
    pub left_out: Vec<LeftOut>,
    /// What of the brief stands nowhere in the document.
    pub not_printed: Vec<LeftOutOfBrief>,
    pub written_by: WrittenBy,
}

/// What a backend says of a part of the brief that it left out.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct NotPrinted {
    reason: LeftOutReason,
    text: String,
}

/// What a backend says about the document as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftMeta {
    pub title: String,
    pub subtitle: Option<String>,
    pub language: String,
    pub direction: Direction,
    /// The day that the brief bears, as `2026-11-23`. Without one, the document has the day on which it is made.
    pub date: Option<String>,
    /// The date in the brief's own words: `November 2026`.
    pub date_words: Option<String>,
    pub keywords: Vec<String>,
    pub classification: Option<String>,
}

/// Who chose the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrittenBy {
    Model,
    Rules,
}

/// What a backend says about a source.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftSource {
    pub id: String,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub url: Option<String>,
    #[serde(default)]
    pub publisher: Option<String>,
    #[serde(default)]
    pub retrieved_at: Option<String>,
    pub receipt_id: String,
    #[serde(default)]
    pub excerpts: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    format: DocumentFormat,
    document_type: DocumentType,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    outline: Vec<String>,
    meta: Value,
    #[serde(default)]
    sources: Vec<DraftSource>,
    sections: Value,
    #[serde(default)]
    left_out: Vec<LeftOut>,
    #[serde(default)]
    not_printed: Vec<NotPrinted>,
    written_by: WrittenBy,
}

/// Why a backend's output is no draft.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DocumentDraftError {
    /// The draft around the document.
    #[error(transparent)]
    Draft(#[from] DraftError),
    /// The document in it, each fault with its pointer into the draft.
    #[error("the drafted document has faults, the first at {}: {}", .0.first().map_or("", |f| f.pointer.as_str()), .0.first().map_or("", |f| f.message.as_str()))]
    Faults(Vec<Fault>),
}

impl DocumentDraft {
    /// Reads a draft for a request, when renderers of these formats are bound.
    ///
    /// # Errors
    /// If it has another shape, cites unknown sources, or has another type or format than was asked for.
    pub fn read(
        output: &Value,
        input: &DocumentInput,
        formats: &[DocumentFormat],
    ) -> Result<Self, DocumentDraftError> {
        let envelope: Envelope = serde_path_to_error::deserialize(output)
            .map_err(|e| DraftError::new(format!("{}: {}", e.path(), e.inner())))?;
        if !formats.contains(&envelope.format) {
            return Err(fault("/format", "a format that was not offered").into());
        }
        let asked = input.document_type;
        if asked.is_some_and(|asked| asked != envelope.document_type) {
            return Err(fault("/document_type", "not the type that was asked for").into());
        }
        if envelope.outline.len() > MAX_OUTLINE {
            return Err(too_large("titles in the outline", MAX_OUTLINE).into());
        }
        left_out::within_bounds(&envelope.left_out)?;
        if envelope.not_printed.len() > MAX_LEFT_OUT {
            return Err(too_large("entries in not_printed", MAX_LEFT_OUT).into());
        }
        sources_are_sound(&envelope.sources)?;
        let document = read_document(&envelope)?;
        let said = SaidInBrief::of(&input.brief);
        let meta = document.meta;
        let reason = envelope.reason.as_deref().map(gtm_page_text::normalize);
        let known = ["/sections", "/meta", "/sources"];
        Ok(Self {
            format: envelope.format,
            document_type: envelope.document_type,
            reason: reason
                .map(|text| text.chars().take(REASON_CHARS).collect::<String>())
                .filter(|text| !text.is_empty()),
            meta: DraftMeta {
                title: meta.title,
                subtitle: meta.subtitle,
                language: meta.language,
                direction: meta.direction,
                date: drafted_date(&envelope.meta),
                date_words: meta.date_words,
                keywords: meta.keywords,
                classification: meta.classification,
            },
            sources: envelope.sources,
            sections: document.sections,
            left_out: envelope
                .left_out
                .into_iter()
                .filter(|left| known.iter().any(|place| left.is_of(place)))
                .collect(),
            not_printed: envelope
                .not_printed
                .iter()
                .filter_map(|left| said.left_out(left.reason, &left.text))
                .collect(),
            written_by: envelope.written_by,
        })
    }

    /// The receipts that the draft names, without duplicates, in order of first mention.
    #[must_use]
    pub fn receipts(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let named = self.sources.iter().map(|source| &source.receipt_id);
        named
            .filter(|id| seen.insert(id.as_str()))
            .cloned()
            .collect()
    }
}

fn fault(pointer: &str, problem: &str) -> DraftError {
    DraftError::new(format!("{pointer}: {problem}"))
}

const fn too_large(what: &'static str, most: usize) -> DraftError {
    DraftError::TooLarge { what, most }
}

fn sources_are_sound(sources: &[DraftSource]) -> Result<(), DraftError> {
    for (index, source) in sources.iter().enumerate() {
        if RESERVED.contains(&source.id.as_str()) {
            let pointer = format!("/sources/{index}/id");
            return Err(fault(&pointer, "a reserved id has no entry of its own"));
        }
        if source.excerpts.len() > MAX_EXCERPTS {
            return Err(too_large("excerpts of one source", MAX_EXCERPTS));
        }
        if source.excerpts.iter().any(|e| e.len() > MAX_EXCERPT_BYTES) {
            return Err(too_large("bytes in one excerpt", MAX_EXCERPT_BYTES));
        }
    }
    Ok(())
}

/// The day that a draft's metadata name. It is read apart, because only a brief that says so makes it the document's.
fn drafted_date(meta: &Value) -> Option<String> {
    let date = meta.get("date")?.as_str()?;
    day::year_month_day(date).map(|_| date.to_owned())
}

/// Reads metadata and sections as the document that they are to become, so that one reader decides what a document
/// is. Pointers into it are pointers into the draft.
fn read_document(envelope: &Envelope) -> Result<Document, DocumentDraftError> {
    let Value::Object(mut meta) = envelope.meta.clone() else {
        return Err(fault("/meta", "must be an object").into());
    };
    // The host's own, whatever a draft says. What it says of the date is read apart.
    for member in ["author", "organization", "date", "document_type"] {
        meta.remove(member);
    }
    meta.retain(|_, member| !member.is_null());
    meta.insert("date".to_owned(), json!("2000-01-01"));
    meta.insert("document_type".to_owned(), json!(envelope.document_type));
    // What else a draft says of a source is not believed, so its form does not matter.
    let listed = envelope.sources.iter();
    let listed = listed.map(|source| json!({"id": source.id, "title": "a source"}));
    let reserved = RESERVED.map(|id| json!({"id": id, "title": id}));
    let document = json!({
        "schema": SchemaVersion::V1,
        "meta": meta,
        "theme": theme::neutral(),
        "sources": listed.chain(reserved).collect::<Vec<_>>(),
        "sections": without_nulls(envelope.sections.clone(), 0),
    });
    Document::from_value(document).map_err(DocumentDraftError::Faults)
}

/// Deepest nesting of a document that has any meaning; deeper values are left for the reader to refuse.
const DEEPEST: usize = 64;

/// The value without members that are null: a backend may write out what it leaves open. Values in a list stay, since
/// null is how a series says that a number is not known.
fn without_nulls(value: Value, depth: usize) -> Value {
    match value {
        _ if depth > DEEPEST => value,
        Value::Object(members) => members
            .into_iter()
            .filter(|(_, member)| !member.is_null())
            .map(|(name, member)| (name, without_nulls(member, depth + 1)))
            .collect(),
        Value::Array(elements) => elements
            .into_iter()
            .map(|element| without_nulls(element, depth + 1))
            .collect(),
        other => other,
    }
}
