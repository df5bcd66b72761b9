//! What the engine needs of plug-ins: the seam between jobs and the runtime. The runtime implements
//! it in `runtime_plugins`; tests script it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use gtm_domain::dossier::ConnectorRevision;
use gtm_domain::{Digest, Timestamp};
use gtm_runtime::manifest::CredentialField;
use gtm_runtime::{
    Asset, BackendHost, BackendOutcome, CallLabels, CatalogedConnector, ConnectorCatalog,
    ConnectorOutcome, Credentials, EvaluateOutcome, PluginKind, RenderOutcome, VerificationMode,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// A plug-in down to its bytes, the manifest's included: they say where it may go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginIdentity {
    /// Key of the manifest.
    pub key: String,
    /// Version of the manifest.
    pub version: String,
    /// Digest of the component.
    pub digest: Digest,
    /// Digest of the manifest; none in what was pinned before manifests were.
    #[serde(default)]
    pub manifest_digest: Option<Digest>,
}

/// What a connector's manifest says about the operation that serves a capability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationFacts {
    /// Id of the operation.
    pub id: String,
    /// Whether a call in doubt may simply be repeated.
    pub replay_safe: bool,
    /// Whether the provider recognizes a repeated call by a key.
    pub takes_idempotency_key: bool,
    /// Whether the provider charges.
    pub billable: bool,
    /// Credential fields that are no secrets.
    pub public_fields: BTreeSet<String>,
}

/// What the catalog says of the connector behind a connection.
#[derive(Debug, Clone)]
pub struct ConnectorFacts {
    mode: VerificationMode,
    fields: Vec<CredentialField>,
}

impl ConnectorFacts {
    /// The facts of a connector of the catalog.
    #[must_use]
    pub fn of(connector: &CatalogedConnector<'_>) -> Self {
        Self::new(
            connector.verification_mode(),
            connector.manifest.credential_fields.clone(),
        )
    }

    /// The facts of a connector whose credentials are checked so and that has these fields.
    #[must_use]
    pub const fn new(mode: VerificationMode, fields: Vec<CredentialField>) -> Self {
        Self { mode, fields }
    }

    /// How the connector's credentials are checked.
    #[must_use]
    pub const fn verification_mode(&self) -> VerificationMode {
        self.mode
    }

    /// The credential fields that a connection with these settings needs and does not have.
    #[must_use]
    pub fn missing(&self, configured_fields: &[String], settings: &Value) -> Vec<&CredentialField> {
        self.fields
            .iter()
            .filter(|field| field.needed_with(settings) && !configured_fields.contains(&field.key))
            .collect()
    }
}

/// What a generation backend's manifest says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackendFacts {
    /// Which backend.
    pub identity: PluginIdentity,
    /// Capabilities that it invokes; true for those it works without.
    pub requires: Vec<(String, bool)>,
    /// Whether it asks for pages at addresses of its own making, and the operator lets it.
    pub free_urls: bool,
    /// Tasks whose input has a place for start URLs.
    pub takes_start_urls: BTreeSet<String>,
}

impl BackendFacts {
    /// Whether the manifest names the capability.
    #[must_use]
    pub fn declares(&self, capability: &str) -> bool {
        self.requires.iter().any(|(name, _)| name == capability)
    }
}

/// One call of a connector.
pub struct ConnectorRequest {
    /// Pinned connector.
    pub connector: PluginIdentity,
    /// Id of the operation.
    pub operation: String,
    /// Input.
    pub input: Value,
    /// Pinned settings.
    pub settings: Value,
    /// Credentials of the connection.
    pub credentials: Credentials,
    /// Id of the connection.
    pub connection: String,
    /// The step's key, if the provider takes one.
    pub idempotency_key: Option<String>,
    /// Time that is left.
    pub deadline: Duration,
    /// Ends the call at once.
    pub cancel: CancellationToken,
    /// What the call is for.
    pub labels: CallLabels,
}

/// Finds and calls connectors.
#[async_trait]
pub trait ConnectorCaller: Send + Sync + 'static {
    /// The connector with this key and version.
    fn find_connector(&self, key: &str, version: &str) -> Option<PluginIdentity>;
    /// What the catalog says of the connector with this key and version, whether it runs or not.
    fn connector_facts(&self, key: &str, version: &str) -> Option<ConnectorFacts>;
    /// The catalog's entry with this key and manifest version, whether it can be called or not.
    fn connector_revision(&self, key: &str, manifest_version: &str) -> Option<ConnectorRevision>;
    /// The public catalog of connectors at this time.
    fn connector_catalog(&self, now: Timestamp) -> ConnectorCatalog;
    /// What the pinned connector says about the operation that serves the capability; `None` if the
    /// connector with these very bytes is gone or has no such operation.
    fn operation(&self, connector: &PluginIdentity, capability: &str) -> Option<OperationFacts>;
    /// Perform a call. A failure of any sort is in the outcome.
    async fn call(&self, request: ConnectorRequest) -> ConnectorOutcome;
}

/// One run of a generation backend.
pub struct BackendRequest {
    /// Pinned backend.
    pub backend: PluginIdentity,
    /// Task.
    pub task: String,
    /// Input of the task.
    pub input: Value,
    /// Pinned settings.
    pub settings: Value,
    /// The job's first start.
    pub started_at: Timestamp,
    /// The job's seed.
    pub seed: [u8; 32],
    /// Time that is left.
    pub deadline: Duration,
    /// Ends the run at once.
    pub cancel: CancellationToken,
    /// What the run is for.
    pub labels: CallLabels,
}

/// Finds and runs generation backends.
#[async_trait]
pub trait BackendRunner: Send + Sync + 'static {
    /// The backend with this key and version.
    fn find_backend(&self, key: &str, version: &str) -> Option<BackendFacts>;
    /// The pinned backend, if it is there with the very same bytes.
    fn backend(&self, identity: &PluginIdentity) -> Option<BackendFacts>;
    /// Run it.
    async fn generate(&self, request: BackendRequest, host: Arc<dyn BackendHost>)
    -> BackendOutcome;
}

/// One run of a renderer.
pub struct RenderRequest {
    /// Pinned renderer.
    pub renderer: PluginIdentity,
    /// Document model.
    pub document: Value,
    /// Pinned settings.
    pub settings: Value,
    /// What the document shows besides text, by name.
    pub assets: BTreeMap<String, Asset>,
    /// The job's first start.
    pub started_at: Timestamp,
    /// Time that is left.
    pub deadline: Duration,
    /// Ends the run at once.
    pub cancel: CancellationToken,
    /// What the run is for.
    pub labels: CallLabels,
}

/// One run of an evaluator.
pub struct EvaluateRequest {
    /// Pinned evaluator.
    pub evaluator: PluginIdentity,
    /// Input.
    pub input: Value,
    /// Time that is left.
    pub deadline: Duration,
    /// Ends the run at once.
    pub cancel: CancellationToken,
    /// What the run is for.
    pub labels: CallLabels,
}

/// Finds and runs renderers and evaluators: plug-ins whose answer follows from their input, since nothing
/// else of the world is there for them. So they are not journaled: a resumed job or a replay runs them again
/// and gets the same.
#[async_trait]
pub trait PureRunner: Send + Sync + 'static {
    /// The renderer or evaluator with this key and version.
    fn find_pure(&self, kind: PluginKind, key: &str, version: &str) -> Option<PluginIdentity>;
    /// Run a renderer.
    async fn render(&self, request: RenderRequest) -> RenderOutcome;
    /// Run an evaluator.
    async fn evaluate(&self, request: EvaluateRequest) -> EvaluateOutcome;
}

/// The plug-ins of an engine.
#[derive(Clone)]
pub struct Plugins {
    /// Connectors.
    pub connectors: Arc<dyn ConnectorCaller>,
    /// Generation backends.
    pub backends: Arc<dyn BackendRunner>,
    /// Renderers and evaluators.
    pub pure: Arc<dyn PureRunner>,
}
