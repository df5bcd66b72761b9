//! Job types: one module for each, and the table of them ([`ALL`]). [`backend`] is shared by all types that
//! run a generation backend, and [`pure`] runs renderers and evaluators.

pub mod backend;
pub mod bound;
pub mod brands;
pub mod checking;
pub mod cited;
pub mod derived_ids;
pub mod documents;
pub mod files;
pub mod message_templates;
mod observation;
pub mod playbooks;
pub mod prospecting;
pub mod pure;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use futures::future::BoxFuture;
use gtm_domain::brand::{BoundGuideline, BrandBinding, StoredGuideline};
use gtm_domain::document::TemplateBinding;
use gtm_domain::job::{Job, JobReceipt, ProductKind};
use gtm_domain::message::TemplateRevision;
use gtm_domain::offer::{OfferBinding, OfferContent};
use gtm_domain::prospecting::Candidate;
use gtm_domain::receipt::Receipt;
use gtm_domain::step::Step;
use gtm_domain::{
    BrandId, Clock, JobId, JobType, MessageTemplateRevisionId, MicroUsd, ProspectId, ReceiptId,
    Timestamp, Usage,
};
use gtm_runtime::CallLabels;
use gtm_store::StoreError;
use serde_json::Value;
use tokio::time::Instant;

use crate::config::EngineConfig;
use crate::ending::Ending;
use crate::job_error;
use crate::journal::state::LeasedJob;
use crate::pins::Pins;
use crate::plan::Plan;
use crate::plugins::Plugins;
use crate::stop::Stop;

/// A job type, as far as the engine knows it.
pub struct JobTypeEntry {
    pub job_type: JobType,
    /// What its jobs make besides their results. A job that ends without it has not succeeded.
    pub product: ProductKind,
    /// What a job with this normalized input will need.
    pub plan: fn(&Value) -> Plan,
    /// Runs one job to its end. Called again from the beginning whenever the job is resumed or replayed.
    pub run: fn(JobRun) -> BoxFuture<'static, (Ending, Usage)>,
    /// Parts of a result that may differ when the job is replayed: pointers, where `*` stands for every
    /// element of an array or member of an object. Everything else must come out the same.
    pub volatile: &'static [&'static str],
    /// Whether the result of a job with this normalized input follows from its journal, or why not.
    pub replayable: fn(&Value) -> Result<(), &'static str>,
}

/// The job types of this product.
pub const ALL: &[JobTypeEntry] = &[
    playbooks::ENTRY,
    brands::ENTRY,
    documents::ENTRY,
    message_templates::ENTRY,
    prospecting::ENTRY,
];

/// The entry for a job type.
#[must_use]
pub fn find(table: &'static [JobTypeEntry], job_type: JobType) -> Option<&'static JobTypeEntry> {
    table.iter().find(|entry| entry.job_type == job_type)
}

/// Whether this product can run jobs of the type.
#[must_use]
pub fn implements(job_type: JobType) -> bool {
    find(ALL, job_type).is_some()
}

/// Runs a job by the table's entry for its type. A job whose type has no entry fails like a job without a
/// backend.
pub(crate) async fn perform(table: &'static [JobTypeEntry], run: JobRun) -> (Ending, Usage) {
    let job_type = run.job.job_type;
    match find(table, job_type) {
        Some(entry) => {
            let (job, pure) = (run.job.id, Arc::clone(&run.pure_cpu_ms));
            let (ending, mut usage) = (entry.run)(run).await;
            let pure = pure.load(Ordering::Relaxed);
            usage.backend_runtime_ms = usage.backend_runtime_ms.saturating_add(pure);
            (with_its_product(entry, job, ending), usage)
        }
        None => {
            let error = job_error::backend_not_configured(job_type.as_str());
            (Ending::Failed(error), Usage::default())
        }
    }
}

/// Rejects a success without the product that the job type promises: it would be stored as a result whose
/// files or guideline nobody finds. Any other ending passes unchanged.
fn with_its_product(entry: &JobTypeEntry, job: JobId, ending: Ending) -> Ending {
    match &ending {
        Ending::Succeeded { product, .. } if !entry.product.is_met_by(product) => {
            tracing::error!(
                promised = ?entry.product,
                "the run succeeded without what a job of its type makes"
            );
            Ending::Failed(job_error::internal(job))
        }
        _ => ending,
    }
}

/// Everything that a single run of a job works with.
pub struct JobRun {
    pub plugins: Plugins,
    pub config: EngineConfig,
    pub clock: Arc<dyn Clock>,
    pub job: Job,
    /// What was pinned when the job was created.
    pub pins: Pins,
    /// Seed of the deterministic random numbers.
    pub seed: [u8; 32],
    /// When the job first started.
    pub started_at: Timestamp,
    /// Maximum total cost of its provider calls.
    pub cost_cap: MicroUsd,
    /// Reads stored answers.
    pub reader: Arc<dyn EvidenceReader>,
    /// The right to write; `None` for a replay.
    pub leased: Option<LeasedJob>,
    /// The journal as it was when the run began.
    pub recorded: Vec<Step>,
    /// Stops the run.
    pub stop: Arc<Stop>,
    /// When the job runs out of time.
    pub ends_at: Instant,
    /// Processor time of its renderers and evaluators in this run. [`perform`] adds it to the usage.
    pub pure_cpu_ms: Arc<AtomicU64>,
}

impl JobRun {
    /// Seconds from the job's first start until now.
    #[must_use]
    pub fn duration_seconds(&self) -> f64 {
        let took = self.clock.now().since(self.started_at);
        #[expect(
            clippy::cast_precision_loss,
            reason = "a job takes minutes, not millennia"
        )]
        let seconds = took.as_millis() as f64 / 1000.0;
        seconds
    }

    /// The labels of plug-in calls: what they are for.
    fn labels(&self) -> CallLabels {
        CallLabels {
            job: Some(self.job.id.to_string()),
            step: None,
            project: Some(self.job.project.to_string()),
        }
    }
}

/// Reads a job's stored answers.
#[async_trait]
pub trait EvidenceReader: Send + Sync {
    /// All receipts of the job.
    async fn receipts(&self) -> Result<Vec<JobReceipt>, StoreError>;
    /// The bytes behind one of the receipts; `None` if they were not kept.
    async fn bytes(&self, receipt: &Receipt) -> Result<Option<Bytes>, StoreError>;
    /// The guideline that the job is bound to; `None` if that revision is gone.
    async fn guideline(&self, bound: &BrandBinding) -> Result<Option<BoundGuideline>, StoreError>;
    /// What the research of a brand received, as long as it is kept; `None` if it is gone.
    async fn research_body(
        &self,
        job: JobId,
        receipt: ReceiptId,
    ) -> Result<Option<Bytes>, StoreError>;
    /// What the offer revision that the job is bound to says; `None` if it is gone.
    async fn offer(&self, bound: &OfferBinding) -> Result<Option<OfferContent>, StoreError>;
    /// The file of the template that the job is bound to; `None` if it is gone.
    async fn template(&self, bound: &TemplateBinding) -> Result<Option<Bytes>, StoreError>;
    /// The revision that the job's own revision follows: the one before `made` if the job has already made
    /// one (a replay), else the brand's current one. `None` if there is none.
    async fn guideline_before(
        &self,
        brand: BrandId,
        made: Option<u64>,
    ) -> Result<Option<StoredGuideline>, StoreError>;
    /// A revision of a message template; `None` if the project has no such revision.
    async fn template_revision(
        &self,
        id: MessageTemplateRevisionId,
    ) -> Result<Option<TemplateRevision>, StoreError>;
    /// A candidate of a prospecting job with its evidence; `None` if it is no longer retained.
    async fn candidate(&self, job: JobId, id: ProspectId) -> Result<Option<Candidate>, StoreError>;
}

#[async_trait]
impl EvidenceReader for LeasedJob {
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
    async fn research_body(
        &self,
        job: JobId,
        receipt: ReceiptId,
    ) -> Result<Option<Bytes>, StoreError> {
        let scope = self.lease.scope();
        self.store.research_body(&scope, job, receipt).await
    }
    async fn offer(&self, bound: &OfferBinding) -> Result<Option<OfferContent>, StoreError> {
        self.store.bound_offer(&self.lease.scope(), bound).await
    }
    async fn template(&self, bound: &TemplateBinding) -> Result<Option<Bytes>, StoreError> {
        self.store.bound_template(&self.lease.scope(), bound).await
    }
    async fn guideline_before(
        &self,
        _brand: BrandId,
        _made: Option<u64>,
    ) -> Result<Option<StoredGuideline>, StoreError> {
        Ok(self.store.research_subject(&self.lease).await?.previous)
    }
    async fn template_revision(
        &self,
        id: MessageTemplateRevisionId,
    ) -> Result<Option<TemplateRevision>, StoreError> {
        let scope = self.lease.scope();
        self.store.get_message_template_revision(&scope, id).await
    }
    async fn candidate(&self, job: JobId, id: ProspectId) -> Result<Option<Candidate>, StoreError> {
        let found = self.store.prospect(&self.lease.scope(), job, id).await?;
        Ok(found.map(|found| found.candidate))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    #[test]
    fn no_type_stands_in_the_table_twice() {
        for entry in ALL {
            let same = ALL.iter().filter(|e| e.job_type == entry.job_type);
            assert_eq!(same.count(), 1, "{}", entry.job_type.as_str());
            assert!(implements(entry.job_type));
        }
    }

    #[test]
    fn the_domain_is_that_of_the_request() {
        let of = |job_type, input| {
            let plan = (find(ALL, job_type).unwrap().plan)(&input);
            plan.domain.map(|d| d.to_string())
        };
        let playbook = json!({"target_company": "Acme", "target_company_domain": "acme.example"});
        assert_eq!(of(JobType::Playbooks, playbook).unwrap(), "acme.example");
        let brand = json!({"company_name": null, "website_url": "https://www.acme.example/de"});
        assert_eq!(of(JobType::Brands, brand).unwrap(), "www.acme.example");
        let name = json!({"company_name": "Acme", "website_url": null});
        assert_eq!(of(JobType::Brands, name), None);
        let document = json!({"brief": "A deck.", "target_domain": "acme.example"});
        assert_eq!(of(JobType::Documents, document).unwrap(), "acme.example");
    }
}
