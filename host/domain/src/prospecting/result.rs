//! What a prospecting job answers: how many candidates it has. The candidates themselves are read apart.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::candidate::{Qualification, QualificationStatus};

/// How many candidates a job made. What is decided about them later is told by the candidates alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProspectingResult {
    /// All of them.
    pub candidates: u64,
    /// Those that a person accepted.
    pub accepted: u64,
    /// Those that a person rejected.
    pub rejected: u64,
    /// Those that nobody has decided on.
    pub pending: u64,
    /// Those that are made up, for tests and demonstrations.
    pub synthetic: u64,
}

impl ProspectingResult {
    /// Counts a candidate.
    pub const fn count(&mut self, qualification: &Qualification, synthetic: bool) {
        self.candidates += 1;
        match qualification.status {
            QualificationStatus::Accepted => self.accepted += 1,
            QualificationStatus::Rejected => self.rejected += 1,
            QualificationStatus::Pending => self.pending += 1,
        }
        if synthetic {
            self.synthetic += 1;
        }
    }
}
