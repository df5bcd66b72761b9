//! What jobs make: one module a type. [`backend`] is what all types that ask a generation backend
//! have in common.

pub mod backend;
pub mod brands;
pub mod cited;
pub mod playbooks;

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use gtm_domain::brand::BrandBinding;
use gtm_domain::capability::ProductCapability;
use gtm_domain::receipt::Receipt;
use gtm_domain::{BrandId, MicroUsd, Timestamp};
use gtm_store::{BoundGuideline, JobReceipt, JobRow, StepRow, StoreError, StoredGuideline};
use tokio::time::Instant;

use crate::engine::Engine;
use crate::journal::host::Leased;
use crate::pins::Pins;
use crate::stop::Stop;

/// Whether this engine has a job type for the capability.
#[must_use]
pub const fn implements(capability: ProductCapability) -> bool {
    match capability {
        ProductCapability::Playbooks | ProductCapability::Brands => true,
        ProductCapability::Documents | ProductCapability::MessageTemplates => false,
    }
}

/// Everything that one run of a job works with.
pub struct JobRun {
    /// The engine.
    pub engine: Engine,
    /// The job.
    pub job: JobRow,
    /// What was pinned at create.
    pub pins: Pins,
    /// Seed of the deterministic random numbers.
    pub seed: [u8; 32],
    /// First start.
    pub started_at: Timestamp,
    /// What the provider calls may cost together.
    pub cost_cap: MicroUsd,
    /// Stored answers.
    pub reader: Arc<dyn EvidenceReader>,
    /// The right to write; none for a replay.
    pub leased: Option<Leased>,
    /// Journal as it was when the run began.
    pub recorded: Vec<StepRow>,
    /// Stops the run.
    pub stop: Arc<Stop>,
    /// When the job's time is up.
    pub ends_at: Instant,
}

/// Reads a job's stored answers.
#[async_trait]
pub trait EvidenceReader: Send + Sync {
    /// All receipts of the job.
    async fn receipts(&self) -> Result<Vec<JobReceipt>, StoreError>;
    /// The bytes behind one of them; none if they were not kept.
    async fn bytes(&self, receipt: &Receipt) -> Result<Option<Bytes>, StoreError>;
    /// The guideline that the job is bound to; none if that revision is gone.
    async fn guideline(&self, bound: &BrandBinding) -> Result<Option<BoundGuideline>, StoreError>;
    /// The revision that the job's own follows: before `made` if the job has made one already (a
    /// replay), else the brand's current one. None if there is none.
    async fn guideline_before(
        &self,
        brand: BrandId,
        made: Option<u64>,
    ) -> Result<Option<StoredGuideline>, StoreError>;
}

#[async_trait]
impl EvidenceReader for Leased {
    async fn receipts(&self) -> Result<Vec<JobReceipt>, StoreError> {
        let receipts = self
            .store
            .job_receipts(&self.lease.scope(), self.lease.job())
            .await?;
        Ok(receipts.unwrap_or_default())
    }
    async fn bytes(&self, receipt: &Receipt) -> Result<Option<Bytes>, StoreError> {
        let kept = self
            .store
            .read_receipt_body(&self.lease, receipt.id)
            .await?;
        Ok(kept.map(|(_, bytes)| bytes))
    }
    async fn guideline(&self, bound: &BrandBinding) -> Result<Option<BoundGuideline>, StoreError> {
        self.store.bound_guideline(&self.lease.scope(), bound).await
    }
    async fn guideline_before(
        &self,
        _brand: BrandId,
        _made: Option<u64>,
    ) -> Result<Option<StoredGuideline>, StoreError> {
        Ok(self.store.research_subject(&self.lease).await?.previous)
    }
}
