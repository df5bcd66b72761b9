//! Blocks: what a section is made of.

use serde::{Deserialize, Serialize};

use crate::chart::Chart;
use crate::table::{Align, Table};
use crate::text::{Run, is_false};

/// One block of a section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    Lead(Lead),
    Heading(Heading),
    Paragraph(Paragraph),
    Bullets(Bullets),
    Table(Table),
    Chart(Chart),
    Kpis(Kpis),
    Quote(Quote),
    Callout(Callout),
    Image(Image),
    Steps(Steps),
    Timeline(Timeline),
    Comparison(Comparison),
    Columns(Columns),
    Cta(Cta),
}

/// The sentence or two that a section opens with, set larger than its paragraphs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Lead {
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 1000))]
    pub runs: Vec<Run>,
}

/// A heading below the section's title, which is level 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Heading {
    #[cfg_attr(feature = "schema", schema(minimum = 2, maximum = 4))]
    pub level: u8,
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 1000))]
    pub runs: Vec<Run>,
}

/// A paragraph.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Paragraph {
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 1000))]
    pub runs: Vec<Run>,
    /// Where its lines stand; by default at their start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub align: Option<Align>,
}

impl Paragraph {
    /// A paragraph whose lines begin where lines do.
    #[must_use]
    pub const fn of(runs: Vec<Run>) -> Self {
        Self { runs, align: None }
    }
}

/// A list with bullets or numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Bullets {
    /// Whether the items are numbered.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ordered: bool,
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 500))]
    pub items: Vec<Item>,
}

/// An item of a list, and the list inside it. Lists nest at most three deep.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Item {
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 1000))]
    pub runs: Vec<Run>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(no_recursion, max_items = 500))]
    pub items: Vec<Item>,
}

/// A row of figures.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Kpis {
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 12))]
    pub items: Vec<Kpi>,
}

/// A figure as it is to be read, such as `38 %`, and what it counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Kpi {
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub value: String,
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub label: String,
    /// A line below, such as the change since last year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub detail: Option<String>,
    /// Ids of the sources of the figure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 50))]
    pub cite: Vec<String>,
}

/// What somebody said, word for word.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Quote {
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 1000))]
    pub runs: Vec<Run>,
    /// Who said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub attribution: Option<String>,
    /// Ids of the sources of the quotation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 50))]
    pub cite: Vec<String>,
}

/// A box beside the flow of the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Callout {
    pub tone: Tone,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 300))]
    pub title: Option<String>,
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 1000))]
    pub runs: Vec<Run>,
}

/// What a box is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    Info,
    Success,
    Warning,
    Note,
}

/// A picture. It has an alternative text, or says that it is decorative.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Image {
    /// Name of the asset.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub asset: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(max_length = 2000))]
    pub alt: Option<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub decorative: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 1000))]
    pub caption: Vec<Run>,
}

/// What to do, one after another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Steps {
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 100))]
    pub items: Vec<Step>,
}

/// One step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Step {
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub title: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 1000))]
    pub runs: Vec<Run>,
}

/// What happens when.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Timeline {
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 100))]
    pub events: Vec<Event>,
}

/// One event. `when` is as it is to be read: `Q2 2027`, `week 3`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Event {
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub when: String,
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub title: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 1000))]
    pub runs: Vec<Run>,
}

/// Things side by side, criterion by criterion.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// What is compared.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 6))]
    pub items: Vec<String>,
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 100))]
    pub criteria: Vec<Criterion>,
    /// Index of the item that the document argues for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(maximum = 5))]
    pub highlight: Option<usize>,
}

/// A criterion, and how each of the things meets it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub label: String,
    /// One for each thing that is compared.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 6))]
    pub cells: Vec<Vec<Run>>,
}

/// Two or three columns of blocks side by side; none of the blocks has columns itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Columns {
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 3))]
    pub columns: Vec<Column>,
}

/// One of the columns.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Column {
    #[cfg_attr(
        feature = "schema",
        schema(no_recursion, min_items = 1, max_items = 100)
    )]
    pub blocks: Vec<Block>,
}

/// What the reader should do next.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Cta {
    /// The words of the button.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub label: String,
    /// An https address.
    #[cfg_attr(
        feature = "schema",
        schema(max_length = 2048, pattern = "^[Hh][Tt][Tt][Pp][Ss]://")
    )]
    pub href: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 1000))]
    pub text: Vec<Run>,
    /// Whether the address is also shown as a QR code, for paper and for the screen of a room.
    #[serde(default, skip_serializing_if = "is_false")]
    pub qr: bool,
}
