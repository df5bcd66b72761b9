//! What a search for people answers as its job's result.

use serde::{Deserialize, Serialize};

use super::found::LeftOut;
use crate::prospecting::result::ProspectingResult;

/// What a search for people came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchResult {
    #[serde(flatten)]
    pub counts: ProspectingResult,
    /// People whom the connector returned.
    pub found: u64,
    /// Those of them who did not become candidates.
    pub left_out: LeftOut,
}
