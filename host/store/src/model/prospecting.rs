//! Candidates to store and to read, and what the outcome ledger answers to operators.

use gtm_domain::message::compliance::Environment;
use gtm_domain::outcome_ledger::{
    LedgerBreach, LedgerSubject, OutcomeKind, SubjectHmac, SubjectType,
};
use gtm_domain::prospecting::{Candidate, ImportedCandidate};
use gtm_domain::{Digest, JobId, ProjectId, ProspectId, Timestamp};
use serde::Serialize;

/// A reviewed file of candidates.
#[derive(Debug, Clone)]
pub struct ProspectImport {
    pub candidates: Vec<ImportedCandidate>,
    /// `json` or `csv`.
    pub format: &'static str,
    /// Hash of the file's bytes.
    pub file: Digest,
}

/// A candidate, and whom the outcome ledger may name to speak against writing to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prospect {
    pub candidate: Candidate,
    /// HMACs of its address, of its domains and of the person.
    pub subjects: Vec<LedgerSubject>,
}

/// A page of a job's candidates, in the order of the file.
#[derive(Debug, Clone, Copy, Default)]
pub struct CandidatePage {
    /// Only candidates after this one (cursor).
    pub after: Option<ProspectId>,
    /// At most this many.
    pub limit: u32,
}

/// What an erasure does with searches whose answers cannot be read, so that nobody can say whether the person is in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    /// They stay, and are counted.
    Keep,
    /// Their answers go as well.
    Erase,
}

/// What an erasure of a person took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Erased {
    /// Candidates with their evidence.
    pub candidates: u64,
    /// Messages to the person whose words went, also those to candidates that retention had taken before. What was only
    /// asked for, or ended without a text, is cleaned as well and not counted.
    pub messages: u64,
    /// Answers of providers that searches had kept.
    pub answers: u64,
    /// Searches that have not ended. None of them stores the person, and each loses what it received when it ends, unless
    /// the erasure has read that and not found the person in it.
    pub searches_under_way: u64,
    /// Searches that have ended, with an answer that could not be read: the person may be in it, and it is still there.
    pub searches_unread: u64,
    /// Searches that ended again and again while the erasure looked into others, until it left them for later: the person
    /// may be in what they received, and it is still there. The next sweep takes it, unless the erasure has read all of
    /// it; another erasure of the same person reads it at once.
    pub searches_pending: u64,
    /// Whether a log of the database may still hold what was erased, because a reader kept it from being emptied. The next
    /// sweep tries again. Of SQLite alone.
    pub log_held: bool,
}

/// A search for people.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Search {
    pub(crate) id: JobId,
    /// Whether it receives nothing more.
    pub(crate) ended: bool,
}

/// What came of entering outcomes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct OutcomesRecorded {
    /// New entries.
    pub added: u64,
    /// Outcomes that the ledger had already.
    pub already_known: u64,
    /// The ledger's last entry; null if it has none.
    pub sequence: Option<u64>,
}

/// Something that speaks against writing to an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SuppressionMatch {
    /// Whose ledger says so; null for the platform's list.
    pub project_id: Option<ProjectId>,
    pub environment: Option<Environment>,
    pub sequence: Option<u64>,
    pub kind: OutcomeKind,
    /// What the entry names.
    pub r#match: SubjectType,
    pub occurred_at: Timestamp,
    pub source: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LedgerCheck {
    pub project_id: ProjectId,
    pub environment: Environment,
    /// Entries that hold, from the first.
    pub entries: u64,
    /// The first place at which it does not hold.
    pub breach: Option<LedgerBreach>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlatformListCheck {
    /// Entries of the list.
    pub entries: u64,
    /// What is wrong with it.
    pub fault: Option<String>,
}

/// Whom nobody on the platform writes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DoNotContact {
    #[serde(rename = "type")]
    pub subject_type: SubjectType,
    pub hmac: SubjectHmac,
    pub source: String,
    pub added_by: String,
    pub added_at: Timestamp,
}
