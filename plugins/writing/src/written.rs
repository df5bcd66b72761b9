//! What a backend gets back.

use std::collections::BTreeMap;

use gtm_site_research::claim::Claim;

use crate::fault::Fault;
use crate::found::Found;

/// Something that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The path that it belonged to: `talk_track/ask`.
    pub path: String,
    /// Why.
    pub fault: Fault,
    /// Whether it was a claim, not just a sentence or an optional member of one.
    pub whole: bool,
}

/// What was written.
#[derive(Debug, Clone, Default)]
pub struct Written {
    pub(crate) claims: BTreeMap<String, Vec<Claim>>,
    /// What was left out, and why.
    pub losses: Vec<Loss>,
    /// Parts whose answer could not be used at all.
    pub failed: Vec<&'static str>,
    /// Whether a critic read the claims.
    pub criticized: bool,
    pub(crate) found: Found,
}

impl Written {
    /// The claims of a list, with the facts that stay beside them.
    pub fn list(&mut self, path: &str) -> Vec<Claim> {
        let claims = self.claims.remove(path).unwrap_or_default();
        self.found.beside(path, claims)
    }

    /// The claim of a path that has only one.
    pub fn one(&mut self, path: &str) -> Option<Claim> {
        let claim = self
            .claims
            .remove(path)
            .and_then(|claims| claims.into_iter().next());
        self.found.or(path, claim)
    }

    /// Why claims of a part were left out, each reason once.
    #[must_use]
    pub fn faults(&self, part: &str) -> Vec<Fault> {
        let mut faults: Vec<Fault> = self
            .losses
            .iter()
            .filter(|loss| loss.whole && part_of(&loss.path) == part)
            .map(|loss| loss.fault)
            .collect();
        faults.sort_unstable();
        faults.dedup();
        faults
    }
}

/// The part that a path begins with.
#[must_use]
pub fn part_of(path: &str) -> &str {
    path.split('/').next().unwrap_or(path)
}
