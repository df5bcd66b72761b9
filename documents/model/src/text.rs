//! Text as runs: no markup, so nothing in it can be mistaken for an instruction to a renderer.

use serde::{Deserialize, Serialize};

/// A stretch of text with one look, one link and one set of sources.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The characters themselves. U+000A breaks the line.
    #[cfg_attr(feature = "schema", schema(max_length = 50000))]
    pub text: String,
    #[serde(default, skip_serializing_if = "is_false")]
    pub bold: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub italic: bool,
    /// Where a click leads: https or mailto, in ASCII.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schema(
            max_length = 2048,
            pattern = "^([Hh][Tt][Tt][Pp][Ss]://|[Mm][Aa][Ii][Ll][Tt][Oo]:)"
        )
    )]
    pub href: Option<String>,
    /// Ids of the sources that bear this out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 50))]
    pub cite: Vec<String>,
}

impl Run {
    /// Text with nothing special about it.
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }
}

/// The characters of the runs.
#[must_use]
pub fn plain_text(runs: &[Run]) -> String {
    runs.iter().map(|run| run.text.as_str()).collect()
}

pub(crate) fn is_false(flag: &bool) -> bool {
    !flag
}
