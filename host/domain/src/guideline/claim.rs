//! A single value with its evidence (annex A1).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::evidence::{Basis, Confidence};

/// A value and its evidence. `confidence` and `basis` are null exactly when `value` is, and then there are
/// no sources either.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim<T> {
    /// The value; null when unknown.
    pub value: Option<T>,
    /// Computed by the host.
    pub confidence: Option<Confidence>,
    /// Where the value comes from.
    pub basis: Option<Basis>,
    /// Ids in `research.sources`; empty for a value that the caller provided.
    pub source_ids: Vec<String>,
    /// Ids of the excerpts that support it; not empty when the basis is `stated`.
    pub excerpt_ids: Vec<String>,
}

impl<T> Default for Claim<T> {
    fn default() -> Self {
        Self {
            value: None,
            confidence: None,
            basis: None,
            source_ids: Vec::new(),
            excerpt_ids: Vec::new(),
        }
    }
}

/// The evidence of a section as a whole: the lowest confidence of its known claims and the union of
/// their sources (annex A2, section rule).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(
    description = "The lowest confidence of the section's known values, and all of their sources."
)]
#[serde(deny_unknown_fields)]
pub struct SectionEvidence {
    /// Lowest confidence; null if nothing is known.
    #[schema(inline, required)]
    pub confidence: Option<Confidence>,
    /// Source ids, sorted.
    pub source_ids: Vec<String>,
}
