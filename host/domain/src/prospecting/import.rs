//! Reads candidates with their evidence from a file that a person has reviewed, and says of everything that is wrong
//! where it stands. JSON and CSV hold the same; CSV has a line for each evidence record. Nothing of a file with a
//! fault is used.

mod clear_address;
mod evidence;
mod reader;
mod table;

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::candidate::{
    CandidateCompany, CandidatePerson, EvidenceKind, EvidenceRecord, Qualification,
};
use super::result::ProspectingResult;
use crate::domain_name::DomainName;
use crate::message::compliance::{AddressSourceClass, LawfulBasis};
use crate::outcome_ledger::{MailAddress, Subject};
use crate::{Digest, EvidenceId, Timestamp};
pub use clear_address::shows;
use reader::Reader;

/// Most faults that are told at once.
pub const MAX_FAULTS: usize = 50;
/// Most candidates of a file.
pub const MAX_CANDIDATES: usize = 1000;
/// Most evidence records of a candidate.
pub const MAX_EVIDENCE: usize = 20;

/// What holds for a whole file.
#[derive(Debug, Clone, Copy)]
pub struct ImportTerms {
    /// Whether its candidates are made up, if the importer says so. Without it, the file or each candidate must say
    /// so: nobody becomes a real person, or a made-up one, by a default.
    pub synthetic: Option<bool>,
    /// When it is imported.
    pub now: Timestamp,
    /// When candidates expire that do not say so themselves; at the latest when the job does.
    pub expires_at: Timestamp,
    /// When the job expires; no candidate outlives it.
    pub job_expires_at: Timestamp,
    /// Looks for an excerpt in the content that it is of. Reading pages and files is not done here.
    pub quotes: fn(content: &[u8], excerpt: &str) -> Quotation,
}

/// Whether an excerpt stands in a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quotation {
    /// Word for word.
    Stands,
    /// The content does not say it.
    Absent,
    /// The content is none whose text can be read.
    Unreadable,
}

/// Something that is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportFault {
    /// Where: an RFC 6901 pointer, or line and column of a CSV. Empty for the file as a whole.
    pub place: String,
    /// What is wrong, as the end of a sentence that begins with the place.
    pub message: String,
}

impl fmt::Display for ImportFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.as_str() {
            "" => write!(f, "the file {}", self.message),
            place => write!(f, "{place} {}", self.message),
        }
    }
}

/// An evidence record that has no id yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedEvidence {
    pub kind: EvidenceKind,
    pub url: Option<String>,
    pub source_label: Option<String>,
    pub retrieved_at: Timestamp,
    pub observed_on: Option<String>,
    pub content_digest: Digest,
    pub excerpt: String,
    pub hook: Option<String>,
    pub address_source_class: Option<AddressSourceClass>,
    pub lawful_basis: Option<LawfulBasis>,
    pub synthetic: bool,
}

impl ImportedEvidence {
    /// The record under its id.
    #[must_use]
    pub fn into_record(self, id: EvidenceId) -> EvidenceRecord {
        EvidenceRecord {
            id,
            kind: self.kind,
            url: self.url,
            source_label: self.source_label,
            retrieved_at: self.retrieved_at,
            observed_on: self.observed_on,
            content_digest: self.content_digest,
            excerpt: self.excerpt,
            hook: self.hook,
            address_source_class: self.address_source_class,
            lawful_basis: self.lawful_basis,
            synthetic: self.synthetic,
        }
    }
}

/// A candidate that has no id yet, with the address in clear.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedCandidate {
    pub synthetic: bool,
    pub qualification: Qualification,
    pub person: CandidatePerson,
    pub company: CandidateCompany,
    pub address: MailAddress,
    /// Among them at least one of kind `address_provenance`.
    pub evidence: Vec<ImportedEvidence>,
    pub expires_at: Timestamp,
}

impl ImportedCandidate {
    /// All whose entries in the outcome ledger speak against writing to the candidate.
    #[must_use]
    pub fn subjects(&self) -> Vec<Subject> {
        let company = self.company.domain.as_deref();
        // An imported domain is a valid one.
        let company = company.and_then(|domain| domain.parse::<DomainName>().ok());
        let name = self.person.full_name.as_deref();
        Subject::against(&self.address, name, company.as_ref())
    }
}

/// How many candidates there are.
#[must_use]
pub fn counted(candidates: &[ImportedCandidate]) -> ProspectingResult {
    let mut result = ProspectingResult::default();
    for candidate in candidates {
        result.count(&candidate.qualification, candidate.synthetic);
    }
    result
}

/// Reads a JSON file: `{"synthetic": …, "candidates": […]}`.
///
/// # Errors
/// What is wrong with it, at most [`MAX_FAULTS`].
pub fn read_json(
    file: &Value,
    terms: &ImportTerms,
) -> Result<Vec<ImportedCandidate>, Vec<ImportFault>> {
    read(file, terms, &BTreeMap::new())
}

/// Reads a CSV file: a line for each evidence record, with the candidate that it belongs to. Commas, semicolons or tabs
/// separate its fields.
///
/// # Errors
/// What is wrong with it, at most [`MAX_FAULTS`].
pub fn read_csv(
    file: &[u8],
    terms: &ImportTerms,
) -> Result<Vec<ImportedCandidate>, Vec<ImportFault>> {
    let (value, places) = table::read(file)?;
    read(&value, terms, &places)
}

/// Whether anybody's address stands in a text that is shown in clear.
pub(crate) fn shows_an_address(text: &str) -> bool {
    !clear_address::addresses(text).is_empty()
}

/// Names of the columns of a CSV file.
pub fn csv_columns() -> impl Iterator<Item = &'static str> {
    table::COLUMNS.iter().map(|column| column.name)
}

fn read(
    file: &Value,
    terms: &ImportTerms,
    places: &BTreeMap<String, String>,
) -> Result<Vec<ImportedCandidate>, Vec<ImportFault>> {
    let mut reader = Reader::new(*terms);
    let candidates = reader.file(file);
    let mut faults = reader.into_faults();
    if faults.is_empty() {
        return Ok(candidates);
    }
    faults.truncate(MAX_FAULTS);
    for fault in &mut faults {
        if let Some(place) = nearest(places, &fault.place) {
            fault.place = place;
        }
    }
    Err(faults)
}

/// Where a pointer's value stands in the file that it was read from: its own place, or that of the nearest thing
/// around it with the column that should hold the value.
fn nearest(places: &BTreeMap<String, String>, pointer: &str) -> Option<String> {
    if let Some(place) = places.get(pointer) {
        return Some(place.clone());
    }
    let mut around = pointer;
    loop {
        around = around.rsplit_once('/')?.0;
        if let Some(place) = places.get(around) {
            return Some(match table::column_of(pointer) {
                Some(column) => format!("{place}, column {column},"),
                None => place.clone(),
            });
        }
    }
}

#[cfg(test)]
mod tests;
