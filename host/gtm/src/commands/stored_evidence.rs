//! What a replay reads instead of the network: the answers that the job kept.

use async_trait::async_trait;
use bytes::Bytes;
use gtm_domain::JobId;
use gtm_domain::receipt::Receipt;
use gtm_engine::job_types::EvidenceReader;
use gtm_store::{JobReceipt, ProjectScope, Store, StoreError};

/// One job's stored answers, read on behalf of its own project.
pub struct StoredEvidence {
    /// Where they are.
    pub store: Store,
    /// The job's project.
    pub scope: ProjectScope,
    /// The job.
    pub job: JobId,
}

#[async_trait]
impl EvidenceReader for StoredEvidence {
    async fn receipts(&self) -> Result<Vec<JobReceipt>, StoreError> {
        Ok(self
            .store
            .job_receipts(&self.scope, self.job)
            .await?
            .unwrap_or_default())
    }

    async fn bytes(&self, receipt: &Receipt) -> Result<Option<Bytes>, StoreError> {
        let kept = self
            .store
            .receipt_body(&self.scope, self.job, receipt.id)
            .await?;
        Ok(kept.map(|(_, bytes)| bytes))
    }
}
