//! The end of a provider call to store, and a position in the list of receipts.

use std::fs::File;
use std::sync::Arc;

use bytes::Bytes;
use gtm_domain::receipt::Receipt;
use gtm_domain::step::StepOutcome;
use gtm_domain::{MicroUsd, Usage};

/// The bytes of an answer to store.
#[derive(Debug, Clone)]
pub enum AnswerBody {
    Bytes(Bytes),
    /// All bytes of a file. They are in memory only while they are written, one answer at a time.
    File(Arc<File>),
}

impl From<Bytes> for AnswerBody {
    fn from(bytes: Bytes) -> Self {
        Self::Bytes(bytes)
    }
}

/// The end of a provider call, settled in one transaction.
#[derive(Debug, Clone)]
pub struct Settlement {
    /// The outcome as reported to the backend.
    pub outcome: StepOutcome,
    /// HTTP exchanges in order, each with the bytes of its answer to store.
    pub exchanges: Vec<(Receipt, AnswerBody)>,
    /// What the call consumed; its cost becomes a cost row.
    pub usage: Usage,
    /// The cost by the provider's figures if it differs from what is charged; shown to operators only.
    pub reported: Option<MicroUsd>,
    /// Whether the provider may charge another amount than is charged here: the cost row is then marked for
    /// reconciliation.
    pub reconcile: bool,
    /// For a marked call, the most that the provider may charge in all; `None` means the call's ceiling. It
    /// exceeds the ceiling if requests of the call were lost and sent again.
    pub at_most: Option<MicroUsd>,
}

/// A receipt's position among those of its job: by step, then by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReceiptPlace {
    /// The step's position.
    pub seq: u64,
    /// The exchange's position within the step.
    pub position: u64,
}
