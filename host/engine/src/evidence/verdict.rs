//! The judgement over one claim: kept with its confidence, or dropped with a reason.

use std::collections::BTreeMap;

use gtm_domain::ReceiptId;
use gtm_domain::evidence::{Basis, Confidence, SourceKind, Support, confidence};
use gtm_domain::playbook::PlaybookInput;
use serde_json::Value;

use super::buckets;
use super::claims;
use super::draft::DraftBasis;
use super::library::{Library, Stored};
use super::literals::Literals;
use super::origin::site_of;

/// Longest reasoning that reaches a result, in characters.
const REASONING_CHARS: usize = 500;
/// Excerpts shorter than this prove nothing by standing somewhere: they must be part of the claim.
const SHORT_EXCERPT_CHARS: usize = 12;

/// What the caller gave: the only other place that a claim may come from.
#[derive(Debug, Clone)]
pub struct Given {
    texts: Vec<String>,
    literals: Literals,
}

impl Given {
    /// The caller's words of a playbook request.
    #[must_use]
    pub fn of(input: &PlaybookInput) -> Self {
        let texts: Vec<String> = [
            &input.target_company,
            &input.target_company_domain,
            &input.anchor_company,
            &input.product_info,
        ]
        .into_iter()
        .flatten()
        .map(|text| gtm_page_text::normalize(text).to_lowercase())
        .collect();
        let mut literals = Literals::default();
        texts.iter().for_each(|text| literals.add(text));
        Self { texts, literals }
    }
    /// Literals of the caller's words.
    #[must_use]
    pub const fn literals(&self) -> &Literals {
        &self.literals
    }
    /// Whether the words stand in what the caller gave, letter case aside.
    fn holds(&self, words: &str) -> bool {
        let words = gtm_page_text::normalize(words).to_lowercase();
        !words.is_empty() && self.texts.iter().any(|text| text.contains(&words))
    }
}

/// A claim that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Where it comes from.
    pub basis: Basis,
    /// Computed confidence.
    pub confidence: Confidence,
    /// The backend's reason, if it holds nothing made up.
    pub reasoning: Option<String>,
    /// Sources in the order of citation, without repetition.
    pub sources: Vec<ReceiptId>,
    /// Verified excerpts in the order of citation, without repetition.
    pub excerpts: Vec<Found>,
}

/// A verified excerpt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Source.
    pub receipt: ReceiptId,
    /// Normal form of the excerpt.
    pub text: String,
    /// Code points `[start, end)` of the source's extracted text.
    pub range: (usize, usize),
}

/// Why a claim was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dropped {
    /// No basis entry names it.
    NoBasis,
    /// No cited source of this job supports it.
    Unsupported,
    /// It is said to come from the caller, who did not say it.
    NotProvided,
    /// It holds a number, link or address that stands nowhere in its evidence.
    Invented,
}

impl Dropped {
    /// The reason as the end of a sentence for the reader of the result.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::NoBasis => "no evidence was given",
            Self::Unsupported => "the cited evidence could not be verified in the fetched sources",
            Self::NotProvided => "it was said to come from the request, which does not contain it",
            Self::Invented => "a number, link or address in it stands in none of its sources",
        }
    }
}

/// What claims are judged by.
pub struct Bench<'a> {
    /// Stored answers.
    pub library: &'a Library,
    /// The sort of each source, already confirmed.
    pub kinds: &'a BTreeMap<ReceiptId, SourceKind>,
    /// The caller's words.
    pub given: &'a Given,
}

impl Bench<'_> {
    /// Judge the claim at `pointer`.
    ///
    /// # Errors
    /// The reason for dropping it.
    pub fn judge(
        &self,
        pointer: &str,
        claim: &Value,
        basis: Option<&DraftBasis>,
    ) -> Result<Kept, Dropped> {
        let basis = basis.ok_or(Dropped::NoBasis)?;
        if basis.basis == Basis::Provided {
            return self.provided(claim, basis);
        }
        let mut excerpts: Vec<Found> = Vec::new();
        for cited in &basis.excerpts {
            let found = self
                .library
                .find(&cited.receipt_id)
                .and_then(|stored| find(stored, &cited.text, claim));
            if let Some(found) = found
                && !excerpts.contains(&found)
            {
                excerpts.push(found);
            }
        }
        let mut sources: Vec<ReceiptId> = excerpts.iter().map(|e| e.receipt).collect();
        sources.extend(
            basis
                .receipt_ids
                .iter()
                .filter_map(|id| self.library.find(id))
                .map(|s| s.receipt.id),
        );
        let mut seen = std::collections::BTreeSet::new();
        sources.retain(|id| seen.insert(*id));

        let cited: Vec<&Stored> = sources
            .iter()
            .filter_map(|id| self.library.find(&id.to_string()))
            .collect();
        let support: Vec<Support<'_>> = cited
            .iter()
            .map(|stored| Support {
                kind: self
                    .kinds
                    .get(&stored.receipt.id)
                    .copied()
                    .unwrap_or(SourceKind::Other),
                domain: site_of(&stored.receipt.host),
                excerpt: excerpts.iter().any(|e| e.receipt == stored.receipt.id),
            })
            .collect();
        let confidence = confidence(basis.basis, &support).ok_or(Dropped::Unsupported)?;
        let mut evidence: Vec<&Literals> = cited.iter().map(|stored| &stored.literals).collect();
        evidence.push(self.given.literals());
        if !literals_stand(pointer, claim, &evidence) {
            return Err(Dropped::Invented);
        }
        let reasoning = reasoning(basis, &evidence);
        Ok(Kept {
            basis: basis.basis,
            confidence,
            reasoning,
            sources,
            excerpts,
        })
    }

    fn provided(&self, claim: &Value, basis: &DraftBasis) -> Result<Kept, Dropped> {
        let texts = claims::texts(claim);
        if !texts
            .iter()
            .filter(|t| !t.is_empty())
            .all(|text| self.given.holds(text))
        {
            return Err(Dropped::NotProvided);
        }
        let confidence = confidence(Basis::Provided, &[]).ok_or(Dropped::NotProvided)?;
        let reasoning = reasoning(basis, &[self.given.literals()]);
        Ok(Kept {
            basis: Basis::Provided,
            confidence,
            reasoning,
            sources: Vec::new(),
            excerpts: Vec::new(),
        })
    }
}

/// Whether every number, link and address of the claim stands in its evidence.
fn literals_stand(pointer: &str, claim: &Value, evidence: &[&Literals]) -> bool {
    if pointer == "/company_profile/employee_range"
        && let Some((low, high)) = claim.as_str().and_then(buckets::bounds)
    {
        return evidence
            .iter()
            .any(|e| e.integers().any(|n| (low..=high).contains(&n)));
    }
    claims::texts(claim)
        .iter()
        .all(|text| Literals::first_missing(text, evidence).is_none())
}

fn find(stored: &Stored, excerpt: &str, claim: &Value) -> Option<Found> {
    let text = gtm_page_text::normalize(excerpt);
    if text.chars().count() < SHORT_EXCERPT_CHARS {
        let needle = text.to_lowercase();
        let part_of_claim = claims::texts(claim)
            .iter()
            .any(|t| t.to_lowercase().contains(&needle));
        if !part_of_claim {
            return None;
        }
    }
    let range = gtm_page_text::find_excerpt(&stored.text, &text)?;
    Some(Found {
        receipt: stored.receipt.id,
        text,
        range,
    })
}

fn reasoning(basis: &DraftBasis, evidence: &[&Literals]) -> Option<String> {
    let text = gtm_page_text::normalize(basis.reasoning.as_deref()?);
    let text: String = text.chars().take(REASONING_CHARS).collect();
    (!text.is_empty() && Literals::first_missing(&text, evidence).is_none()).then_some(text)
}
