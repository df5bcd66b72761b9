//! The outcome ledger: who must not be written to, by project and environment (annex A14). Append-only and
//! hash-chained; whom an entry names is kept as a keyed HMAC alone, so that an erasure can keep the entry.
//! Keys and storage are the store's.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each name says the same as its text")]
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
