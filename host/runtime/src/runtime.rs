//! The runtime as its callers see it: started once, cheap to clone, one method per world.

use std::sync::Arc;

use gtm_domain::Clock;

use crate::backend_host::BackendHost;
use crate::calls::shared::Shared;
use crate::calls::{
    BackendCall, BackendOutcome, ConnectorCall, ConnectorOutcome, EvaluateCall, EvaluateOutcome,
    RenderCall, RenderOutcome, backend, connector, evaluator, renderer,
};
use crate::catalog::code::{CodeSource, Compilation};
use crate::catalog::{Catalog, Plugin, contracts, scan};
use crate::compile_cache::CompileCache;
use crate::config::{HostLimits, RuntimeConfig};
use crate::egress::EgressGate;
use crate::error::RuntimeError;
use crate::manifest::{Grant, read};
use crate::sandbox::Sandbox;

/// Runs plug-ins.
#[derive(Clone)]
pub struct Runtime(Arc<Shared>);

impl Runtime {
    /// Starts the sandbox and loads the catalog. A bad package does not fail the start; it is listed in
    /// [`Catalog::refused`].
    ///
    /// # Errors
    /// If the engine, the compile cache or the egress gate cannot be set up.
    pub async fn start(config: RuntimeConfig, clock: Arc<dyn Clock>) -> Result<Self, RuntimeError> {
        Self::begin(config, clock, Compilation::AtStart).await
    }

    /// The same without waiting for the compiler: for whoever reads the catalog, or calls few of its plug-ins. A
    /// component that is not compiled yet is compiled at its first call, which then fails if it cannot run.
    ///
    /// # Errors
    /// As [`Runtime::start`].
    pub async fn look(config: RuntimeConfig, clock: Arc<dyn Clock>) -> Result<Self, RuntimeError> {
        Self::begin(config, clock, Compilation::AtFirstCall).await
    }

    async fn begin(
        config: RuntimeConfig,
        clock: Arc<dyn Clock>,
        compilation: Compilation,
    ) -> Result<Self, RuntimeError> {
        read::check_embedded_schema().map_err(RuntimeError::Builtin)?;
        contracts::check_embedded_contracts().map_err(RuntimeError::Builtin)?;
        let gate = EgressGate::new(config.egress.clone(), Arc::clone(&clock))
            .map_err(|error| RuntimeError::Egress(error.to_string()))?;
        let sandbox = Sandbox::start(config.limits.clone())
            .map_err(|error| RuntimeError::Engine(format!("{error:#}")))?;
        let cache = CompileCache::open(&config.cache_dir, &config.cache_key, sandbox.engine())
            .map_err(|source| RuntimeError::Cache {
                path: config.cache_dir.display().to_string(),
                source,
            })?;
        let source = CodeSource::new(cache, &config);
        let catalog = scan::load(&config, &sandbox, &source, compilation, clock.now()).await;
        tracing::info!(
            plugins = catalog.plugins().len(),
            refused = catalog.refused().len(),
            version = %catalog.catalog_version(),
            "catalog loaded"
        );
        Ok(Self(Arc::new(Shared {
            sandbox,
            gate,
            catalog,
            clock,
            limits: config.limits,
        })))
    }

    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.0.catalog
    }
    /// The egress gate, for the host's own exchanges such as credential probes.
    #[must_use]
    pub fn gate(&self) -> &EgressGate {
        &self.0.gate
    }
    /// The limits above those of every manifest; they apply to the host's own exchanges too.
    #[must_use]
    pub fn limits(&self) -> &HostLimits {
        &self.0.limits
    }
    /// Whether a generation backend may have pages fetched from addresses that it makes up: its manifest
    /// asks for that and the operator grants it.
    #[must_use]
    pub fn grants_free_urls(&self, plugin: &Plugin) -> bool {
        plugin.manifest.asks_for(Grant::FreeUrls)
            && self.0.gate.policy().free_urls.contains(&plugin.key)
    }
    /// Calls an operation of a connector. Input and output are checked against the operation's schemas and
    /// the capability's contract. Any failure is in the outcome.
    pub async fn call_connector(&self, call: ConnectorCall) -> ConnectorOutcome {
        connector::perform(&self.0, call).await
    }
    /// Runs a generation backend, which asks `host` for capabilities.
    pub async fn generate(&self, call: BackendCall, host: Arc<dyn BackendHost>) -> BackendOutcome {
        backend::perform(&self.0, call, host).await
    }
    /// Runs a document renderer.
    pub async fn render(&self, call: RenderCall) -> RenderOutcome {
        renderer::perform(&self.0, call).await
    }
    /// Runs an evaluator.
    pub async fn evaluate(&self, call: EvaluateCall) -> EvaluateOutcome {
        evaluator::perform(&self.0, call).await
    }
}
