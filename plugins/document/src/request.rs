//! What the caller asks for: a brief, and what the host has bound to the job.

use std::collections::BTreeMap;

use gtm_document_model::cleaned;
use gtm_document_model::document::DocumentType;
use gtm_site_research::failure::{Failure, FailureKind};
use serde::Deserialize;
use serde_json::Value;

use crate::format::Format;
use crate::sender::Sender;

/// Most characters of a brief that are read.
pub const MOST_BRIEF: usize = 200_000;
/// Most reference documents.
const MOST_REFERENCES: usize = 3;

/// The parsed request of the job.
#[derive(Debug, Clone)]
pub struct Request {
    /// The caller's words, in Markdown or none, without characters that no document has.
    pub brief: String,
    pub document_type: Option<DocumentType>,
    pub format: Option<Format>,
    /// Formats that a renderer is bound for.
    pub formats: Vec<Format>,
    /// Host name of the site of the company that the document is for.
    pub target_domain: Option<String>,
    /// Addresses of reference documents.
    pub references: Vec<String>,
    pub title: Option<String>,
    pub sender: Sender,
    /// Where research of a domain begins, for sites that are not at `https://<domain>/`.
    pub start_urls: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Envelope {
    input: Input,
    formats: Vec<Format>,
    brand: Value,
    #[serde(default)]
    offer: Option<Value>,
    #[serde(default)]
    start_urls: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Input {
    brief: String,
    #[serde(default)]
    document_type: Option<DocumentType>,
    #[serde(default)]
    format: Option<Format>,
    #[serde(default)]
    target_domain: Option<String>,
    #[serde(default)]
    template_urls: Option<Vec<String>>,
    #[serde(default)]
    title: Option<String>,
}

impl Request {
    /// Reads the backend's input.
    ///
    /// # Errors
    /// `invalid_request` when it does not have the expected form.
    pub fn read(input: Value) -> Result<Self, Failure> {
        let invalid =
            |message: String| Failure::new(FailureKind::InvalidInput, "invalid_request", message);
        let Envelope {
            input,
            mut formats,
            brand,
            offer,
            start_urls,
        } = serde_json::from_value(input).map_err(|error| {
            invalid(format!(
                "The document input has an unexpected form: {error}."
            ))
        })?;
        formats.sort_unstable();
        formats.dedup();
        if formats.is_empty() {
            return Err(invalid("No format has a renderer.".to_owned()));
        }
        if input
            .format
            .is_some_and(|format| !formats.contains(&format))
        {
            return Err(invalid(
                "The format that is asked for has no renderer.".to_owned(),
            ));
        }
        let brief: String = cleaned_brief(&input.brief)
            .chars()
            .take(MOST_BRIEF)
            .collect();
        let references = input.template_urls.unwrap_or_default();
        Ok(Self {
            brief,
            document_type: input.document_type,
            format: input.format,
            formats,
            target_domain: filled(input.target_domain)
                .map(|domain| domain.trim_end_matches('.').to_lowercase()),
            references: references.into_iter().take(MOST_REFERENCES).collect(),
            title: filled(input.title),
            sender: Sender::of(&brand, offer.as_ref()),
            start_urls,
        })
    }
}

/// The brief without what no document can hold. Tabs inside of a line stay: they part the columns of a table.
fn cleaned_brief(brief: &str) -> String {
    let mut clean = String::with_capacity(brief.len());
    for (index, part) in brief.split('\t').enumerate() {
        if index > 0 {
            let line = clean.rsplit('\n').next().unwrap_or_default();
            clean.push(if line.trim().is_empty() { ' ' } else { '\t' });
        }
        clean.push_str(&cleaned(part));
    }
    clean
}

/// The text on one line, if it says something.
fn filled(text: Option<String>) -> Option<String> {
    let text = cleaned(&text?).into_owned();
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty()).then_some(line)
}
