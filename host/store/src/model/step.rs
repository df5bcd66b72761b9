//! The end of a provider call on its way into the store, and where a reading of receipts goes on.

use std::fs::File;
use std::sync::Arc;

use bytes::Bytes;
use gtm_domain::receipt::Receipt;
use gtm_domain::step::StepOutcome;
use gtm_domain::{MicroUsd, Usage};

/// The bytes of an answer that are to be stored.
#[derive(Debug, Clone)]
pub enum AnswerBody {
    /// In memory.
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
    /// What the backend is told.
    pub outcome: StepOutcome,
    /// HTTP exchanges in order, each with the bytes of its answer as kept.
    pub exchanges: Vec<(Receipt, AnswerBody)>,
    /// What the call consumed; its cost becomes a cost row.
    pub usage: Usage,
    /// What the provider's figures came to where they are not what is charged; for operators alone.
    pub reported: Option<MicroUsd>,
    /// Whether the provider may charge something else than what is charged here: the cost row is marked
    /// for reconciliation.
    pub reconcile: bool,
    /// The most that the provider may charge in all, if it is marked; the call's ceiling if that is not said.
    /// More than the ceiling where requests of it were lost and made again.
    pub at_most: Option<MicroUsd>,
}

/// Where a receipt stands among those of its job: by step, then by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReceiptPlace {
    /// The step's position.
    pub seq: u64,
    /// The exchange's position within the step.
    pub position: u64,
}
