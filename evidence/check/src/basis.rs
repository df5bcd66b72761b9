//! What every draft has in common: the basis of a claim, its quotations, and the sources.

use std::collections::BTreeSet;

use gtm_domain::evidence::{Basis, SourceKind};
use serde::Deserialize;

/// The evidence behind one claim.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftBasis {
    /// RFC 6901 pointer of the claim inside the drafted document.
    pub pointer: String,
    /// The kind of evidence the claim rests on.
    pub basis: Basis,
    /// The backend's reason, in one sentence.
    #[serde(default)]
    pub reasoning: Option<String>,
    /// Quotations that support a stated claim.
    #[serde(default)]
    pub excerpts: Vec<DraftExcerpt>,
    /// Receipts of the answers from which an observed or inferred claim was drawn.
    #[serde(default)]
    pub receipt_ids: Vec<String>,
    /// Sums behind the claim's numbers, which the host does again.
    #[serde(default)]
    pub derivations: Vec<DraftDerivation>,
    /// What a second reader said of the claim; none if nobody read it.
    #[serde(default)]
    pub second_reading: Option<SecondReading>,
}

/// What a second reader, who saw a claim beside its evidence, said of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecondReading {
    /// Its evidence says it.
    Supported,
    /// It goes beyond its evidence and contradicts nothing.
    Inferred,
}

/// A formula and its result, for example `46*29` and `1334`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftDerivation {
    pub formula: String,
    pub result: String,
}

/// A quotation and the receipt of the bytes that contain it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftExcerpt {
    pub receipt_id: String,
    /// The quotation, verbatim.
    pub text: String,
}

/// What the backend says about a source.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftSource {
    pub receipt_id: String,
    pub kind: SourceKind,
    #[serde(default)]
    pub publisher: Option<String>,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub language: Option<String>,
    #[serde(default)]
    pub published_at: Option<String>,
}

/// Why a backend's output is not a draft that the host checks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    /// It has the wrong shape; the text says where and how.
    #[error("the backend's draft breaks its contract: {0}")]
    Contract(String),
    /// It has more than the host checks.
    #[error("the backend's draft is too large: it may have at most {most} {what}")]
    TooLarge {
        /// What it has too much of.
        what: &'static str,
        /// How much it may have.
        most: usize,
    },
}

impl DraftError {
    /// `problem` says what is wrong; it reads as part of a sentence.
    pub(crate) fn new(problem: impl Into<String>) -> Self {
        Self::Contract(problem.into())
    }
}

/// Refuses a second basis entry for the same pointer.
pub(crate) fn one_basis_each(basis: &[DraftBasis]) -> Result<(), DraftError> {
    let mut pointers: Vec<&str> = basis.iter().map(|b| b.pointer.as_str()).collect();
    pointers.sort_unstable();
    match pointers.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(DraftError::new(format!(
            "two basis entries name {}",
            pair[0]
        ))),
        None => Ok(()),
    }
}

/// The receipts that a draft names, without duplicates, in order of first mention.
pub(crate) fn named_receipts<'d>(
    basis: impl IntoIterator<Item = &'d DraftBasis>,
    sources: &'d [DraftSource],
) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let cited = basis.into_iter().flat_map(|b| {
        b.excerpts
            .iter()
            .map(|e| &e.receipt_id)
            .chain(&b.receipt_ids)
    });
    cited
        .chain(sources.iter().map(|s| &s.receipt_id))
        .filter(|id| seen.insert(id.as_str()))
        .cloned()
        .collect()
}
