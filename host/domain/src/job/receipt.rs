//! Receipts as the job shows them whose calls they prove.

use serde::Serialize;

use crate::money::ReconciliationState;
use crate::receipt::Receipt;
use crate::step::ConnectorRef;

/// A receipt with the step that caused it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JobReceipt {
    /// The step's position.
    pub seq: u64,
    /// The exchange's position within the step.
    pub position: u64,
    /// The exchange.
    pub receipt: Receipt,
    /// The connector that sent it.
    pub connector: Option<ConnectorRef>,
    /// Whether what its call cost has to be asked of the provider; none if that is known.
    pub reconciliation: Option<ReconciliationState>,
}
