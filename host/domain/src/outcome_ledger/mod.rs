//! The outcome ledger: who must not be written to, by project and environment (annex A14). Append-only and
//! hash-chained; whom an entry names is kept as a keyed HMAC alone, so that an erasure can keep the entry.
//! Keys and storage are the store's.

pub mod chain;
pub mod import;
pub mod mail_address;
mod names;
pub mod public_mail;
pub mod subject;
pub mod subject_fault;
pub mod subject_hmac;
mod told_names;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use chain::{LedgerBreach, LedgerEntry, LedgerOf, LedgerSubject, NewEntry};
pub use import::ReportedOutcome;
pub use mail_address::MailAddress;
pub use subject::{Person, Subject};
pub use subject_fault::SubjectFault;
pub use subject_hmac::SubjectHmac;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    Unsubscribe,
    Objection,
    Complaint,
    DoNotContact,
    /// The address does not exist.
    HardBounce,
    /// The mailbox could not take a message at that time.
    SoftBounce,
}

impl OutcomeKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::Unsubscribe,
        Self::Objection,
        Self::Complaint,
        Self::DoNotContact,
        Self::HardBounce,
        Self::SoftBounce,
    ];

    /// The value of `kind`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unsubscribe => "unsubscribe",
            Self::Objection => "objection",
            Self::Complaint => "complaint",
            Self::DoNotContact => "do_not_contact",
            Self::HardBounce => "hard_bounce",
            Self::SoftBounce => "soft_bounce",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == text)
    }

    /// Whether it speaks against writing.
    #[must_use]
    pub const fn suppresses(self) -> bool {
        !matches!(self, Self::SoftBounce)
    }
}

/// What an entry names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubjectType {
    /// An e-mail address.
    Address,
    /// A mail domain. Never a public one, which would silence strangers.
    Domain,
    /// A person, by name and company domain.
    Person,
}

/// What the ledger says against writing to somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppression {
    /// The last entry of the project's ledger; `None` if it has none.
    pub sequence: Option<u64>,
    /// Whether an entry, or the platform's list, speaks against it.
    pub matched: bool,
    /// The narrowest thing that is named.
    pub r#match: Option<SubjectType>,
}

impl SubjectType {
    /// All types, the narrowest first: a report names the narrowest that matches.
    pub const ALL: [Self; 3] = [Self::Address, Self::Domain, Self::Person];

    /// The value of `type`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Domain => "domain",
            Self::Person => "person",
        }
    }

    /// The type with this name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == text)
    }
}

/// The text names none of the values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {0}")]
pub struct ParseNameError(&'static str);

impl std::str::FromStr for OutcomeKind {
    type Err = ParseNameError;
    fn from_str(text: &str) -> Result<Self, ParseNameError> {
        Self::parse(text).ok_or(ParseNameError("kind of outcome"))
    }
}

impl std::str::FromStr for SubjectType {
    type Err = ParseNameError;
    fn from_str(text: &str) -> Result<Self, ParseNameError> {
        Self::parse(text).ok_or(ParseNameError("type of subject"))
    }
}
