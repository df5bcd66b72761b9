//! What a replay reads instead of the network: the stored answers of the job.

use async_trait::async_trait;
use bytes::Bytes;
use gtm_domain::brand::{BoundGuideline, BrandBinding, StoredGuideline};
use gtm_domain::document::TemplateBinding;
use gtm_domain::job::JobReceipt;
use gtm_domain::message::TemplateRevision;
use gtm_domain::offer::{OfferBinding, OfferContent};
use gtm_domain::prospecting::Candidate;
use gtm_domain::receipt::Receipt;
use gtm_domain::{BrandId, JobId, MessageTemplateRevisionId, ProspectId, ReceiptId};
use gtm_engine::job_types::EvidenceReader;
use gtm_store::{ProjectScope, Store, StoreError};

/// The stored answers of one job, read on behalf of its own project.
pub struct StoredEvidence {
    pub store: Store,
    pub scope: ProjectScope,
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

    async fn guideline(&self, bound: &BrandBinding) -> Result<Option<BoundGuideline>, StoreError> {
        self.store.bound_guideline(&self.scope, bound).await
    }

    async fn research_body(
        &self,
        job: JobId,
        receipt: ReceiptId,
    ) -> Result<Option<Bytes>, StoreError> {
        self.store.research_body(&self.scope, job, receipt).await
    }

    async fn offer(&self, bound: &OfferBinding) -> Result<Option<OfferContent>, StoreError> {
        self.store.bound_offer(&self.scope, bound).await
    }

    async fn template(&self, bound: &TemplateBinding) -> Result<Option<Bytes>, StoreError> {
        self.store.bound_template(&self.scope, bound).await
    }

    async fn guideline_before(
        &self,
        brand: BrandId,
        made: Option<u64>,
    ) -> Result<Option<StoredGuideline>, StoreError> {
        match made {
            Some(made) if made > 1 => self.store.guideline(&self.scope, brand, made - 1).await,
            _ => Ok(None),
        }
    }

    async fn template_revision(
        &self,
        id: MessageTemplateRevisionId,
    ) -> Result<Option<TemplateRevision>, StoreError> {
        self.store
            .get_message_template_revision(&self.scope, id)
            .await
    }

    async fn candidate(&self, job: JobId, id: ProspectId) -> Result<Option<Candidate>, StoreError> {
        let found = self.store.prospect(&self.scope, job, id).await?;
        Ok(found.map(|found| found.candidate))
    }
}
