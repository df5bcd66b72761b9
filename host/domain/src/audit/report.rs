//! What a check of the log found.

use std::fmt;

use serde::Serialize;

/// A place where a chain does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditBreach {
    /// The chain.
    pub chain: String,
    /// The first place that is wrong.
    pub seq: u64,
    /// What is wrong there.
    pub fault: String,
}

impl fmt::Display for AuditBreach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} #{}: {}", self.chain, self.seq, self.fault)
    }
}

/// What a check of the whole log found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AuditReport {
    /// Chains that were walked.
    pub chains: u64,
    /// Entries that hold.
    pub entries: u64,
    /// Chains that do not hold.
    pub broken_chains: u64,
    /// The first breach of each of them; of the first hundred, if there are more.
    pub breaches: Vec<AuditBreach>,
}

impl AuditReport {
    /// Whether every chain holds.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        self.broken_chains == 0
    }

    /// Count a chain that does not hold.
    pub fn note(&mut self, breach: AuditBreach) {
        self.broken_chains += 1;
        if self.breaches.len() < 100 {
            self.breaches.push(breach);
        }
    }
}
