//! What every draft has in common: the basis of a claim, its quotations, and the sources.

use std::collections::BTreeSet;

use gtm_domain::evidence::{Basis, SourceKind};
use serde::Deserialize;

/// What one claim rests on.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftBasis {
    /// RFC 6901 pointer of the claim inside the drafted document.
    pub pointer: String,
    /// Where the claim comes from.
    pub basis: Basis,
    /// Why, in a sentence.
    #[serde(default)]
    pub reasoning: Option<String>,
    /// Quotations that carry a stated claim.
    #[serde(default)]
    pub excerpts: Vec<DraftExcerpt>,
    /// Receipts of what an observed or inferred claim was drawn from.
    #[serde(default)]
    pub receipt_ids: Vec<String>,
}

/// A quotation and the receipt of the bytes in which it stands.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftExcerpt {
    /// Receipt id.
    pub receipt_id: String,
    /// Verbatim text.
    pub text: String,
}

/// What the backend says about a source.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A1)")]
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

/// Why a backend's output is no draft. The job fails `plugin_contract_violation` with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the backend's draft breaks its contract: {0}")]
pub struct DraftError(String);

impl DraftError {
    /// With what is wrong, as part of a sentence.
    pub(crate) fn new(problem: impl Into<String>) -> Self {
        Self(problem.into())
    }
}

/// At most one basis entry may name a pointer.
pub(crate) fn one_basis_each(basis: &[DraftBasis]) -> Result<(), DraftError> {
    let mut pointers: Vec<&str> = basis.iter().map(|b| b.pointer.as_str()).collect();
    pointers.sort_unstable();
    match pointers.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(DraftError(format!("two basis entries name {}", pair[0]))),
        None => Ok(()),
    }
}

/// The receipts that a draft names, in the order of their first mention, without repetition.
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
