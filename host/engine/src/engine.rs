//! The public face of the engine: cheap to clone; creates jobs and reads them.

use std::sync::Arc;

use gtm_domain::job::Job;
use gtm_domain::{Clock, JobId};
use gtm_runtime::Runtime;
use gtm_store::{ProjectScope, Store};

use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::job_types::{self, JobTypeEntry};
use crate::plugins::{BackendRunner, ConnectorCaller, Plugins, PureRunner};

/// Runs jobs from creation to their end.
#[derive(Clone)]
pub struct Engine(Arc<Parts>);

struct Parts {
    store: Store,
    plugins: Plugins,
    job_types: &'static [JobTypeEntry],
    config: EngineConfig,
    clock: Arc<dyn Clock>,
}

/// Outcome of looking up a job by its id.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "lives for one request and is mostly Found"
)]
pub enum JobLookup {
    /// The project has the job.
    Found(Job),
    /// The project had the job; its retention period is over.
    Expired,
    /// The project has no such job.
    Absent,
}

impl Engine {
    /// Creates an engine on a store and a runtime, with this product's job types.
    #[must_use]
    pub fn new(
        store: Store,
        runtime: Runtime,
        config: EngineConfig,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let runtime = Arc::new(runtime);
        let plugins = Plugins {
            connectors: Arc::clone(&runtime) as Arc<dyn ConnectorCaller>,
            backends: Arc::clone(&runtime) as Arc<dyn BackendRunner>,
            pure: runtime,
        };
        Self::with_plugins(store, plugins, job_types::ALL, config, clock)
    }

    /// Creates an engine on a store, any implementation of plug-ins, and these job types.
    #[must_use]
    pub fn with_plugins(
        store: Store,
        plugins: Plugins,
        job_types: &'static [JobTypeEntry],
        config: EngineConfig,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self(Arc::new(Parts {
            store,
            plugins,
            job_types,
            config,
            clock,
        }))
    }

    #[must_use]
    pub fn store(&self) -> &Store {
        &self.0.store
    }
    #[must_use]
    pub fn config(&self) -> &EngineConfig {
        &self.0.config
    }
    pub(crate) fn connectors(&self) -> &Arc<dyn ConnectorCaller> {
        &self.0.plugins.connectors
    }
    pub(crate) fn backends(&self) -> &Arc<dyn BackendRunner> {
        &self.0.plugins.backends
    }
    pub(crate) fn pure(&self) -> &Arc<dyn PureRunner> {
        &self.0.plugins.pure
    }
    pub(crate) fn plugins(&self) -> &Plugins {
        &self.0.plugins
    }
    pub(crate) fn job_types(&self) -> &'static [JobTypeEntry] {
        self.0.job_types
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
}
