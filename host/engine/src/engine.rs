//! The engine as its callers see it: cheap to clone; creates jobs, reads them, runs workers.

use std::sync::Arc;

use gtm_domain::{Clock, JobId};
use gtm_runtime::Runtime;
use gtm_store::{JobEvent, JobFilter, JobReceipt, JobRow, ProjectScope, ReceiptPlace, Store};

use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::plugins::{BackendRunner, ConnectorCaller};
use crate::workers::Workers;

/// Jobs from creation to their end.
#[derive(Clone)]
pub struct Engine(Arc<Parts>);

struct Parts {
    store: Store,
    connectors: Arc<dyn ConnectorCaller>,
    backends: Arc<dyn BackendRunner>,
    config: EngineConfig,
    clock: Arc<dyn Clock>,
}

/// What became of a job's id.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "lives for one request and is mostly Found"
)]
pub enum JobLookup {
    /// The project has it.
    Found(JobRow),
    /// The project had it; its retention is over (410 `job_expired`).
    Expired,
    /// The project has no such job.
    Absent,
}

impl Engine {
    /// An engine over a store and a runtime.
    #[must_use]
    pub fn new(
        store: Store,
        runtime: Runtime,
        config: EngineConfig,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let runtime = Arc::new(runtime);
        Self::with_plugins(
            store,
            Arc::clone(&runtime) as Arc<dyn ConnectorCaller>,
            runtime,
            config,
            clock,
        )
    }

    /// An engine over a store and whatever serves as plug-ins.
    #[must_use]
    pub fn with_plugins(
        store: Store,
        connectors: Arc<dyn ConnectorCaller>,
        backends: Arc<dyn BackendRunner>,
        config: EngineConfig,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self(Arc::new(Parts {
            store,
            connectors,
            backends,
            config,
            clock,
        }))
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.0.store
    }
    /// The settings.
    #[must_use]
    pub fn config(&self) -> &EngineConfig {
        &self.0.config
    }
    pub(crate) fn connectors(&self) -> &Arc<dyn ConnectorCaller> {
        &self.0.connectors
    }
    pub(crate) fn backends(&self) -> &Arc<dyn BackendRunner> {
        &self.0.backends
    }
    pub(crate) fn clock(&self) -> &Arc<dyn Clock> {
        &self.0.clock
    }

    /// A job of the project.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn job(&self, scope: &ProjectScope, id: JobId) -> Result<JobLookup, EngineError> {
        Ok(match self.store().get_job(scope, id).await? {
            Some(row) if row.expired => JobLookup::Expired,
            Some(row) => JobLookup::Found(row),
            None => JobLookup::Absent,
        })
    }

    /// Events of a job after position `after`, oldest first; none if the project has no such job.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn job_events(
        &self,
        scope: &ProjectScope,
        id: JobId,
        after: u64,
        limit: u32,
    ) -> Result<Option<Vec<JobEvent>>, EngineError> {
        Ok(self.store().job_events(scope, id, after, limit).await?)
    }

    /// Jobs of the project that have not expired, newest first.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn jobs(
        &self,
        scope: &ProjectScope,
        filter: &JobFilter,
    ) -> Result<Vec<JobRow>, EngineError> {
        Ok(self.store().list_jobs(scope, filter).await?)
    }

    /// Receipts of a job after a place, in order; none if the project has no such job.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn job_receipts(
        &self,
        scope: &ProjectScope,
        id: JobId,
        after: Option<ReceiptPlace>,
        limit: u32,
    ) -> Result<Option<Vec<JobReceipt>>, EngineError> {
        Ok(self
            .store()
            .job_receipts_page(scope, id, after, limit)
            .await?)
    }

    /// Whether jobs can be created and run.
    ///
    /// # Errors
    /// If the store does not answer.
    pub async fn ready(&self) -> Result<(), EngineError> {
        Ok(self.store().ping().await?)
    }

    /// Begin to claim and run jobs on this node. Needs a running tokio runtime.
    #[must_use]
    pub fn start_workers(&self) -> Workers {
        Workers::start(self.clone())
    }
}
