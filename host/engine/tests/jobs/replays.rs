//! Tests of replaying jobs from their journal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use gtm_domain::brand::{BoundGuideline, BrandBinding, StoredGuideline};
use gtm_domain::document::TemplateBinding;
use gtm_domain::job::{Job, JobReceipt};
use gtm_domain::message::TemplateRevision;
use gtm_domain::offer::{OfferBinding, OfferContent};
use gtm_domain::prospecting::Candidate;
use gtm_domain::receipt::Receipt;
use gtm_domain::{BrandId, JobId, JobStatus, MessageTemplateRevisionId, ProspectId, ReceiptId};
use gtm_engine::job_types::EvidenceReader;
use gtm_engine::{EngineError, StoreError, Workers};
use gtm_store::Store;

use crate::harness::{Harness, Victim, code};
use crate::scripted::{
    BODIES, Script, ScriptedConnectors, answers, ask, draft, facts, fetch, pages, script,
    small_draft,
};

const URL: &str = "https://acme.example/";

/// Receipts from the store, bodies from the pages that the test served.
pub struct Served(Store, JobId);

impl Served {
    pub const fn of(store: Store, job: JobId) -> Self {
        Self(store, job)
    }
}

#[async_trait]
impl EvidenceReader for Served {
    async fn receipts(&self) -> Result<Vec<JobReceipt>, StoreError> {
        self.0.operator().job_receipts(self.1).await
    }
    async fn bytes(&self, receipt: &Receipt) -> Result<Option<Bytes>, StoreError> {
        Ok(BODIES.lock().unwrap().get(&receipt.id).cloned())
    }
    async fn guideline(&self, bound: &BrandBinding) -> Result<Option<BoundGuideline>, StoreError> {
        let scope = self.0.operator().job_scope(self.1).await?.unwrap();
        self.0.bound_guideline(&scope, bound).await
    }
    async fn research_body(
        &self,
        job: JobId,
        receipt: ReceiptId,
    ) -> Result<Option<Bytes>, StoreError> {
        let scope = self.0.operator().job_scope(self.1).await?.unwrap();
        self.0.research_body(&scope, job, receipt).await
    }
    async fn offer(&self, bound: &OfferBinding) -> Result<Option<OfferContent>, StoreError> {
        let scope = self.0.operator().job_scope(self.1).await?.unwrap();
        self.0.bound_offer(&scope, bound).await
    }
    async fn template(&self, bound: &TemplateBinding) -> Result<Option<Bytes>, StoreError> {
        let scope = self.0.operator().job_scope(self.1).await?.unwrap();
        self.0.bound_template(&scope, bound).await
    }
    async fn guideline_before(
        &self,
        brand: BrandId,
        made: Option<u64>,
    ) -> Result<Option<StoredGuideline>, StoreError> {
        let scope = self.0.operator().job_scope(self.1).await?.unwrap();
        match made {
            Some(made) if made > 1 => self.0.guideline(&scope, brand, made - 1).await,
            _ => Ok(None),
        }
    }
    async fn template_revision(
        &self,
        id: MessageTemplateRevisionId,
    ) -> Result<Option<TemplateRevision>, StoreError> {
        let scope = self.0.operator().job_scope(self.1).await?.unwrap();
        self.0.get_message_template_revision(&scope, id).await
    }
    async fn candidate(&self, job: JobId, id: ProspectId) -> Result<Option<Candidate>, StoreError> {
        let scope = self.0.operator().job_scope(self.1).await?.unwrap();
        let found = self.0.prospect(&scope, job, id).await?;
        Ok(found.map(|found| found.candidate))
    }
}

pub fn reader(harness: &Harness, job: &Job) -> Arc<Served> {
    Arc::new(Served(harness.store.clone(), job.id))
}

fn backend(honest: Arc<AtomicBool>) -> Script {
    script(move |host, _| {
        let honest = honest.load(Ordering::SeqCst);
        async move {
            let answer = ask(&host, vec![fetch(URL)]).await?.remove(0).unwrap();
            let summary = if honest { "The page." } else { "Another page." };
            Ok(draft(summary, &answer["receipt_id"], "This is the page at"))
        }
    })
}

#[tokio::test]
async fn a_replay_makes_no_call_and_gives_the_same_result() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let honest = Arc::new(AtomicBool::new(true));
    let job = harness.run(backend(honest.clone())).await;
    assert_eq!(job.status, JobStatus::Succeeded);
    let engine = harness.engine(backend(honest.clone()));
    let report = engine
        .replay(job.clone(), reader(&harness, &job))
        .await
        .unwrap();
    assert!(report.is_same(), "{report:?}");
    assert_eq!(harness.connectors.total(), 1);
    assert_eq!(harness.job(job.id).await, job, "a replay changes nothing");

    honest.store(false, Ordering::SeqCst);
    let report = engine
        .replay(job.clone(), reader(&harness, &job))
        .await
        .unwrap();
    assert!(!report.is_same());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_ended_in_doubt_ends_so_again_and_calls_nobody() {
    let harness = Harness::new(ScriptedConnectors::new(answers(|_| std::future::pending()))).await;
    harness
        .connectors
        .facts
        .lock()
        .unwrap()
        .insert("web.fetch".into(), facts(false, false, false));
    let backend = backend(Arc::new(AtomicBool::new(true)));
    let engine = harness.engine(backend.clone());
    let id = harness.create(&engine).await;
    let victim = Victim::start(engine.clone());
    harness.connectors.asked(1).await;
    victim.kill();
    let workers = Workers::start(&engine);
    let job = harness.ended(id).await;
    workers.shutdown(std::time::Duration::from_secs(1)).await;
    assert_eq!(code(&job), "provider_outcome_unknown");
    assert!(
        engine
            .replay(job.clone(), reader(&harness, &job))
            .await
            .unwrap()
            .is_same()
    );
    assert_eq!(harness.connectors.total(), 1);
}

#[tokio::test]
async fn a_job_that_has_not_ended_is_not_replayed() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let engine = harness.engine(script(|_, _| async { Ok(small_draft()) }));
    let id = harness.create(&engine).await;
    let job = harness.job(id).await;
    let reader = reader(&harness, &job);
    assert!(matches!(
        engine.replay(job, reader).await,
        Err(EngineError::NotReplayable(_))
    ));
}
