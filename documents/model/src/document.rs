//! The document as a whole.

use serde::{Deserialize, Serialize};

use crate::block::Block;
use crate::text::{Run, is_false};
use crate::theme::Theme;

/// A document: what it says in sections, whom it quotes, and how it is to look.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Document {
    pub schema: SchemaVersion,
    pub meta: Meta,
    /// The guideline that the theme and the voice come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand: Option<Brand>,
    pub theme: Theme,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 2000))]
    pub sources: Vec<Source>,
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 200))]
    pub sections: Vec<Section>,
}

/// The version of this model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum SchemaVersion {
    #[default]
    #[serde(rename = "gtm.doc/1")]
    V1,
}

/// What the document is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Meta {
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub subtitle: Option<String>,
    /// BCP 47 tag.
    #[cfg_attr(feature = "schema", schema(min_length = 2, max_length = 64))]
    pub language: String,
    pub direction: Direction,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub author: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub organization: Option<String>,
    /// The document's date, `2026-11-23`.
    #[cfg_attr(feature = "schema", schema(format = Date, pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
    pub date: String,
    /// The date as the document writes it, such as `November 2026`; by default the day in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub date_words: Option<String>,
    pub document_type: DocumentType,
    /// Whether each section is a slide, whatever the type is: so of a copy of slides in a format of pages.
    #[serde(default, skip_serializing_if = "is_false")]
    pub slides: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 50))]
    pub keywords: Vec<String>,
    /// Who may read it, such as `Confidential`, in the document's language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub classification: Option<String>,
}

impl Meta {
    /// Whether each section is a slide.
    #[must_use]
    pub fn has_slides(&self) -> bool {
        self.slides || self.document_type == DocumentType::Deck
    }
}

/// The direction in which the document is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    #[default]
    Ltr,
    Rtl,
}

/// What the document is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum DocumentType {
    Proposal,
    Playbook,
    Deck,
    GtmStrategy,
    Report,
    OnePager,
}

/// A revision of a brand's guideline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Brand {
    #[cfg_attr(
        feature = "schema",
        schema(pattern = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")
    )]
    pub id: String,
    #[cfg_attr(feature = "schema", schema(minimum = 1))]
    pub revision: u64,
    /// SHA-256 of the guideline.
    #[cfg_attr(feature = "schema", schema(pattern = "^sha256:[0-9a-f]{64}$"))]
    pub hash: String,
}

/// Something that runs, charts, quotes and figures cite.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Source {
    #[cfg_attr(
        feature = "schema",
        schema(pattern = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")
    )]
    pub id: String,
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub title: String,
    /// Where it was read: http or https, in ASCII.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schema(max_length = 2048, pattern = "^[Hh][Tt][Tt][Pp][Ss]?://")
    )]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub publisher: Option<String>,
    /// When it was read (RFC 3339).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(format = DateTime, max_length = 64))]
    pub retrieved_at: Option<String>,
    /// The receipt of the request that read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schema(pattern = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")
    )]
    pub receipt_id: Option<String>,
}

/// A section of a text, or a slide of a deck.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Section {
    #[cfg_attr(
        feature = "schema",
        schema(pattern = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")
    )]
    pub id: String,
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<Layout>,
    /// What the speaker says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 1000))]
    pub notes: Vec<Run>,
    /// Empty for a title page or a divider.
    #[cfg_attr(feature = "schema", schema(max_items = 100))]
    pub blocks: Vec<Block>,
}

/// What a section is in the document; a hint that a renderer may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    Cover,
    Agenda,
    Divider,
    Content,
    Statement,
    Figures,
    Comparison,
    Closing,
    /// The head of a letter: who reads it. The day stands above, and the document's title below, as what it is about.
    Letter,
}
