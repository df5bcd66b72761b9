//! Result of checking the audit log.

use std::fmt;

use serde::Serialize;

/// A position at which a chain is broken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditBreach {
    pub chain: String,
    /// The first faulty position.
    pub seq: u64,
    /// What is wrong at that position.
    pub fault: String,
}

impl fmt::Display for AuditBreach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} #{}: {}", self.chain, self.seq, self.fault)
    }
}

/// Result of checking the whole log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AuditReport {
    /// Chains checked.
    pub chains: u64,
    /// Valid entries.
    pub entries: u64,
    pub broken_chains: u64,
    /// The first breach of each broken chain, for at most the first hundred of them.
    pub breaches: Vec<AuditBreach>,
}

impl AuditReport {
    /// Whether every chain is valid.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        self.broken_chains == 0
    }

    /// Counts a broken chain.
    pub fn note(&mut self, breach: AuditBreach) {
        self.broken_chains += 1;
        if self.breaches.len() < 100 {
            self.breaches.push(breach);
        }
    }
}
