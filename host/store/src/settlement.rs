//! Steps and settlements as the repositories receive them: their bodies are already stored, in a row or as
//! blobs.

use gtm_domain::receipt::Receipt;
use gtm_domain::step::{NewStep, StepState};
use gtm_domain::{MicroUsd, Timestamp, Usage};

use crate::blobs::StoredBytes;

/// A step whose outcome may still have to be fetched from the blob store.
pub(crate) struct StoredStep {
    pub(crate) step: NewStep,
    pub(crate) state: StepState,
    pub(crate) outcome: Option<StoredBytes>,
    pub(crate) usage: Usage,
    pub(crate) attempts: u32,
    pub(crate) started_at: Timestamp,
    pub(crate) settled_at: Option<Timestamp>,
    pub(crate) held: MicroUsd,
}

/// A settlement whose blobs have been written.
pub(crate) struct PreparedSettlement {
    pub(crate) state: StepState,
    pub(crate) outcome: StoredBytes,
    pub(crate) exchanges: Vec<(Receipt, StoredBytes)>,
    pub(crate) usage: Usage,
    pub(crate) reported: Option<MicroUsd>,
    pub(crate) reconcile: bool,
    pub(crate) at_most: Option<MicroUsd>,
}
