//! Receipts of a job's provider calls, as the job shows them.

use serde::Serialize;

use crate::money::ReconciliationState;
use crate::receipt::Receipt;
use crate::step::ConnectorRef;

/// A receipt with the step that caused it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JobReceipt {
    /// Position of the step in the journal.
    pub seq: u64,
    /// The exchange's position within the step.
    pub position: u64,
    pub receipt: Receipt,
    /// The connector that sent it.
    pub connector: Option<ConnectorRef>,
    /// Whether the provider must be asked what the call cost; `None` if the cost is known.
    pub reconciliation: Option<ReconciliationState>,
}
