//! From a backend's draft to the texts of a document that evidence bears out.
//!
//! The rule: each number, date, amount, link, e-mail address and quotation of a text stands in what the caller and
//! its organization gave (brief, offer, guideline), or in the bytes of a source that the text cites. A sentence that
//! fails is left out, of a table the row, of a row of figures the figure; a chart is left out as a whole. So is what
//! the offer forbids to claim, or the guideline restricts.
//!
//! Lives here: reading a draft ([`draft`]), splitting texts ([`sentences`]), what bears a text out ([`evidence`]),
//! judging the blocks ([`blocks`], [`runs`]), and which text cites what ([`citations`]). Not here: the document's look
//! (domain) and its files (engine).

mod blocks;
pub mod citations;
pub mod draft;
mod evidence;
mod own_date;
mod printed_address;
mod runs;
mod sections;
pub(crate) mod sentences;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use gtm_document_model::Source;
use gtm_domain::document::DocumentInput;
use gtm_domain::offer::OfferContent;
use serde_json::Value;

use super::left_out::{self, LeftOut, Reason};
use super::library::{Library, Stored};
use super::stop_flag::StopFlag;
use super::verdict::Dropped;
use draft::{DocumentDraft, DraftMeta, DraftSource};
use evidence::Evidence;
use printed_address::printed_address;
use sections::{Judge, Taken};

/// What the check needs besides the draft.
pub struct CheckInput<'a> {
    /// The job's normalized input.
    pub input: &'a DocumentInput,
    /// The brand's guideline: the organization's own words.
    pub guideline: &'a Value,
    /// The offer that is sold, as far as texts may repeat it.
    pub offer: Option<&'a OfferContent>,
    /// Stored answers that the draft names.
    pub library: &'a Library,
    /// Name of the asset that an image may show, if there is one.
    pub image: Option<&'a str>,
    /// The year in which the document is written, which is no claim.
    pub year: &'a str,
    /// Ends the check early.
    pub stop: &'a StopFlag,
}

/// What is left of a draft.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    pub meta: DraftMeta,
    pub sections: Vec<gtm_document_model::Section>,
    /// The sources that were really fetched, in the draft's order.
    pub sources: Vec<CheckedSource>,
    /// Pointers into the draft of what was left out, with the reason.
    pub dropped: Vec<(String, Dropped)>,
    /// What backend and host left out, for the job's events.
    pub left_out: Vec<LeftOut>,
}

impl Checked {
    /// Whether anything is said besides titles.
    #[must_use]
    pub fn says_something(&self) -> bool {
        self.sections
            .iter()
            .any(|section| !section.blocks.is_empty())
    }
}

/// A source of the draft that this job fetched.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedSource {
    /// As the document lists it: with what was recorded, not with what the draft says.
    pub source: Source,
    /// The stored answer's id in the library.
    pub receipt_id: String,
    /// The excerpts of the draft that stand in its bytes.
    pub excerpts: Vec<String>,
}

/// The check was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the check was stopped")]
pub struct Stopped;

/// Checks a draft.
///
/// # Errors
/// If the check was stopped.
pub fn check(draft: DocumentDraft, by: &CheckInput<'_>) -> Result<Checked, Stopped> {
    let DocumentDraft {
        meta,
        sources,
        sections,
        left_out,
        ..
    } = draft;
    let evidence = Evidence::of(by, &sources, &meta.language);
    let mut judge = Judge::new(&evidence, by.image);
    let sections = judge.sections(sections);
    let meta = judge.meta(meta, by.input, &sections);
    let taken = judge.dropped;
    let mut dropped: Vec<(String, Dropped)> = taken
        .iter()
        .map(|taken| (taken.pointer.clone(), taken.reason))
        .collect();
    let sources = sources
        .iter()
        .enumerate()
        .filter_map(|(index, said)| checked_source(index, said, by, &mut dropped))
        .collect();
    if by.stop.is_raised() {
        return Err(Stopped);
    }
    let in_events: Vec<(String, Dropped)> = dropped
        .iter()
        .map(|(pointer, reason)| (place(pointer), *reason))
        .collect();
    let mut left_out = left_out::in_all(&left_out, &in_events);
    quote(&mut left_out, taken);
    Ok(Checked {
        meta,
        sections,
        sources,
        left_out,
        dropped,
    })
}

/// Gives each entry what was taken out there: whoever wrote the brief knows its words, and no pointer into a draft.
fn quote(left_out: &mut [LeftOut], taken: Vec<Taken>) {
    let mut said: BTreeMap<(String, Reason), Vec<String>> = BTreeMap::new();
    for taken in taken.into_iter().filter(|taken| !taken.said.is_empty()) {
        let key = (place(&taken.pointer), Reason::from(taken.reason));
        said.entry(key).or_default().push(taken.said);
    }
    for left in left_out {
        let key = (left.pointer.clone(), left.reason);
        left.said = said.remove(&key).unwrap_or_default();
    }
}

/// The place that events name: `/sections/3/text` for whatever is in it, so that one event tells of one section.
fn place(pointer: &str) -> String {
    let mut parts = pointer.split('/').skip(1);
    match (parts.next(), parts.next()) {
        (Some("sections"), Some(index)) => format!("/sections/{index}/text"),
        (Some(first), _) => format!("/{first}"),
        _ => "/".to_owned(),
    }
}

fn checked_source(
    index: usize,
    said: &DraftSource,
    by: &CheckInput<'_>,
    dropped: &mut Vec<(String, Dropped)>,
) -> Option<CheckedSource> {
    let pointer = format!("/sources/{index}");
    let Some(stored) = by.library.find(&said.receipt_id) else {
        dropped.push((pointer, Dropped::Unsupported));
        return None;
    };
    let mut excerpts = Vec::new();
    for (n, excerpt) in said.excerpts.iter().enumerate() {
        let text = gtm_page_text::normalize(excerpt);
        if !text.is_empty() && stored.find(&text).is_some() {
            excerpts.push(text);
        } else {
            dropped.push((format!("{pointer}/excerpts/{n}"), Dropped::Unsupported));
        }
    }
    let receipt = &stored.receipt;
    let known = |text: &Option<String>| line(text.as_deref()).filter(|t| is_known(stored, t));
    Some(CheckedSource {
        source: Source {
            id: said.id.clone(),
            title: known(&said.title).unwrap_or_else(|| receipt.host.clone()),
            url: printed_address(receipt, &by.input.template_urls),
            publisher: known(&said.publisher),
            retrieved_at: Some(receipt.at.to_string()),
            receipt_id: Some(receipt.id.to_string()),
        },
        receipt_id: said.receipt_id.clone(),
        excerpts,
    })
}

/// A text as a title of one line.
fn line(text: Option<&str>) -> Option<String> {
    let text = gtm_page_text::normalize(&gtm_document_model::cleaned(text?));
    let fits = !text.is_empty() && text.chars().count() <= gtm_document_model::bounds::LINE;
    fits.then_some(text)
}

/// Whether the connector read this from the answer, or the answer's text or host contains it.
fn is_known(stored: &Stored, text: &str) -> bool {
    stored.facts.contains(text)
        || stored.find(text).is_some()
        || super::origin::site_of(&stored.receipt.host) == text
        || stored.receipt.host == text
}
