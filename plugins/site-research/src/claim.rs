//! Claims with their evidence, as drafts name them (annex A1).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::reading::Visited;
use crate::roles::Role;

/// How a claim is known (annex A1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// A source says it in these words.
    Stated,
    /// It can be computed from the bytes of sources.
    Observed,
    /// It follows from what sources say.
    Inferred,
    /// The caller or the brand said it.
    Provided,
}

impl Basis {
    /// The name in drafts.
    pub fn key(self) -> &'static str {
        match self {
            Self::Stated => "stated",
            Self::Observed => "observed",
            Self::Inferred => "inferred",
            Self::Provided => "provided",
        }
    }
}

/// What a second reader, who saw the claim beside its evidence, said of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondReading {
    /// Its evidence says it.
    Supported,
    /// It goes beyond its evidence and contradicts nothing.
    Inferred,
}

impl SecondReading {
    /// The name in drafts.
    pub fn key(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Inferred => "inferred",
        }
    }
}

/// Words quoted from a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// Index of the page in the research.
    pub page: usize,
    /// Verbatim.
    pub text: String,
}

/// A sum behind a number of a claim, which the host does again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derivation {
    /// For example `46*29`.
    pub formula: String,
    /// For example `1334`.
    pub result: String,
}

/// One claim unit: a value and its evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The value as it appears in the result.
    pub value: Value,
    /// How it is known.
    pub basis: Basis,
    /// Why it follows, where that is not obvious.
    pub reasoning: Option<String>,
    /// The words that support it.
    pub excerpts: Vec<Excerpt>,
    /// Receipts beyond those of the excerpts, in reading order.
    pub receipts: Vec<String>,
    /// The sums behind its numbers.
    pub derivations: Vec<Derivation>,
    /// What a second reader said of it; none if nobody read it.
    pub second_reading: Option<SecondReading>,
}

impl Claim {
    /// A claim that pages state in these words.
    pub fn stated(value: impl Into<Value>, excerpts: Vec<Excerpt>) -> Self {
        Self {
            value: value.into(),
            basis: Basis::Stated,
            reasoning: None,
            excerpts,
            receipts: Vec::new(),
            derivations: Vec::new(),
            second_reading: None,
        }
    }

    /// A claim that one sentence bears out by its words, without a label or a second place that agrees: the host
    /// calls it less sure than a stated one.
    pub fn told(value: impl Into<Value>, excerpt: Excerpt) -> Self {
        Self {
            basis: Basis::Observed,
            ..Self::stated(value, vec![excerpt])
        }
    }

    /// A claim whose value is text of a page, verbatim.
    pub fn quoted(text: &str, page: usize) -> Self {
        let excerpt = Excerpt {
            page,
            text: text.to_owned(),
        };
        Self::stated(text, vec![excerpt])
    }

    /// A claim computed from the bytes behind these receipts.
    pub fn observed(value: impl Into<Value>, receipts: Vec<String>) -> Self {
        Self {
            value: value.into(),
            basis: Basis::Observed,
            reasoning: None,
            excerpts: Vec::new(),
            receipts,
            derivations: Vec::new(),
            second_reading: None,
        }
    }

    /// A claim that follows from these words.
    pub fn inferred(value: impl Into<Value>, reasoning: &str, excerpts: Vec<Excerpt>) -> Self {
        Self {
            value: value.into(),
            basis: Basis::Inferred,
            reasoning: Some(reasoning.to_owned()),
            excerpts,
            receipts: Vec::new(),
            derivations: Vec::new(),
            second_reading: None,
        }
    }

    /// A claim that the caller made.
    pub fn provided(value: impl Into<Value>, reasoning: &str) -> Self {
        Self {
            value: value.into(),
            basis: Basis::Provided,
            reasoning: Some(reasoning.to_owned()),
            excerpts: Vec::new(),
            receipts: Vec::new(),
            derivations: Vec::new(),
            second_reading: None,
        }
    }

    /// The claim's basis entry in a draft.
    pub fn basis_entry(&self, pointer: &str, pages: &[Visited]) -> Value {
        let excerpts: Vec<Value> = self
            .excerpts
            .iter()
            .map(
                |excerpt| json!({"receipt_id": receipt(pages, excerpt.page), "text": excerpt.text}),
            )
            .collect();
        let cited: BTreeSet<usize> = self.excerpts.iter().map(|excerpt| excerpt.page).collect();
        let mut receipts: Vec<&str> = self.receipts.iter().map(String::as_str).collect();
        let of_excerpts: BTreeSet<&str> =
            cited.into_iter().map(|page| receipt(pages, page)).collect();
        for id in of_excerpts {
            if !receipts.contains(&id) {
                receipts.push(id);
            }
        }
        let mut entry = json!({
            "pointer": pointer,
            "basis": self.basis.key(),
            "reasoning": self.reasoning,
            "excerpts": excerpts,
            "receipt_ids": receipts,
        });
        if !self.derivations.is_empty()
            && let Some(members) = entry.as_object_mut()
        {
            let sums = self
                .derivations
                .iter()
                .map(|sum| json!({"formula": sum.formula, "result": sum.result}));
            members.insert("derivations".to_owned(), sums.collect());
        }
        if let Some(reading) = self.second_reading
            && let Some(members) = entry.as_object_mut()
        {
            members.insert("second_reading".to_owned(), json!(reading.key()));
        }
        entry
    }
}

fn receipt(pages: &[Visited], page: usize) -> &str {
    pages
        .get(page)
        .map_or("", |visited| visited.page.receipt_id.as_str())
}

/// The pages as a draft's sources.
pub fn sources(pages: &[Visited]) -> Value {
    pages.iter().map(source).collect()
}

/// One page as a source of a draft.
pub fn source(visited: &Visited) -> Value {
    let page = &visited.page;
    let kind = match visited.role {
        Role::External if page.published_at.is_some() => "news",
        Role::External => "other",
        _ => "first_party",
    };
    json!({
        "receipt_id": page.receipt_id,
        "kind": kind,
        "publisher": short(page.site_name.as_deref(), 200),
        "title": short(page.title.as_deref(), 300),
        "language": page.language.as_deref().and_then(gtm_page_text::canonical_tag),
        "published_at": short(page.published_at.as_deref(), 60),
    })
}

/// Danger: what a page says about itself was written by a stranger, so it is kept short.
fn short(text: Option<&str>, most: usize) -> Option<String> {
    let text: String = text?
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(most)
        .collect();
    (!text.is_empty()).then_some(text)
}
