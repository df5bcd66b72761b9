//! The engine's interface to plug-ins: the boundary between jobs and the runtime. `runtime_plugins`
//! implements it with the runtime; tests implement it with scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use gtm_domain::dossier::ConnectorRevision;
use gtm_domain::{Digest, Timestamp};
use gtm_runtime::egress::RepeatedGets;
use gtm_runtime::manifest::CredentialField;
use gtm_runtime::{
    Asset, BackendHost, BackendOutcome, CallLabels, CatalogedConnector, ConnectorCatalog,
    ConnectorOutcome, Credentials, EvaluateOutcome, PluginKind, RenderOutcome, VerificationMode,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// A plug-in identified down to its bytes, including the manifest's, which decide where it may connect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginIdentity {
    /// Key from the manifest.
    pub key: String,
    /// Version from the manifest.
    pub version: String,
    /// Digest of the component.
    pub digest: Digest,
    /// Digest of the manifest; `None` in pins older than pinned manifests.
    #[serde(default)]
    pub manifest_digest: Option<Digest>,
}

/// The manifest's facts about the connector operation that serves a capability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationFacts {
    /// Id of the operation.
    pub id: String,
    /// Whether a call in doubt may simply be repeated.
    pub replay_safe: bool,
    /// Whether the provider recognizes a repeated call by a key.
    pub takes_idempotency_key: bool,
    /// Whether the provider charges for it.
    pub billable: bool,
    /// Credential fields that are not secret.
    pub public_fields: BTreeSet<String>,
    /// Whether the connector makes up what it answers.
    pub synthetic: bool,
}

/// The catalog's facts about the connector behind a connection.
#[derive(Debug, Clone)]
pub struct ConnectorFacts {
    mode: VerificationMode,
    fields: Vec<CredentialField>,
}

impl ConnectorFacts {
    /// The facts of a connector from the catalog.
    #[must_use]
    pub fn of(connector: &CatalogedConnector<'_>) -> Self {
        Self::new(
            connector.verification_mode(),
            connector.manifest.credential_fields.clone(),
        )
    }

    /// The facts of a connector with this check of credentials and these fields.
    #[must_use]
    pub const fn new(mode: VerificationMode, fields: Vec<CredentialField>) -> Self {
        Self { mode, fields }
    }

    /// How the connector's credentials are checked.
    #[must_use]
    pub const fn verification_mode(&self) -> VerificationMode {
        self.mode
    }

    /// The credential fields that a connection with these settings needs but lacks.
    #[must_use]
    pub fn missing(&self, configured_fields: &[String], settings: &Value) -> Vec<&CredentialField> {
        self.fields
            .iter()
            .filter(|field| field.needed_with(settings) && !configured_fields.contains(&field.key))
            .collect()
    }
}

/// The manifest's facts about a generation backend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackendFacts {
    pub identity: PluginIdentity,
    /// Capabilities that it invokes, each with whether it is optional.
    pub requires: Vec<(String, bool)>,
    /// Whether it requests pages at addresses of its own making, and the operator allows that.
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

/// A call of a connector.
pub struct ConnectorRequest {
    /// Pinned connector.
    pub connector: PluginIdentity,
    /// Id of the operation.
    pub operation: String,
    pub input: Value,
    pub settings: Value,
    /// Credentials of the connection.
    pub credentials: Credentials,
    /// Id of the connection.
    pub connection: String,
    /// What the job's GET requests were answered so far, for calls that repeat one; `None` for a call that costs
    /// something each time.
    pub repeated_gets: Option<Arc<RepeatedGets>>,
    /// The step's key, if the provider takes one.
    pub idempotency_key: Option<String>,
    /// Time left for the call.
    pub deadline: Duration,
    /// Cancels the call.
    pub cancel: CancellationToken,
    /// Labels of the call: what it is for.
    pub labels: CallLabels,
}

/// Finds and calls connectors.
#[async_trait]
pub trait ConnectorCaller: Send + Sync + 'static {
    /// The connector with this key and version.
    fn find_connector(&self, key: &str, version: &str) -> Option<PluginIdentity>;
    /// The catalog's facts about the connector with this key and version, whether it can run or not.
    fn connector_facts(&self, key: &str, version: &str) -> Option<ConnectorFacts>;
    /// The catalog's entry with this key and manifest version, whether it can be called or not.
    fn connector_revision(&self, key: &str, manifest_version: &str) -> Option<ConnectorRevision>;
    /// The public catalog of connectors at this time.
    fn connector_catalog(&self, now: Timestamp) -> ConnectorCatalog;
    /// The facts of the operation of the pinned connector that serves the capability; `None` if the
    /// connector with exactly these bytes is gone or has no such operation.
    fn operation(&self, connector: &PluginIdentity, capability: &str) -> Option<OperationFacts>;
    /// Performs a call. Any failure is part of the outcome.
    async fn call(&self, request: ConnectorRequest) -> ConnectorOutcome;
}

/// A run of a generation backend.
pub struct BackendRequest {
    pub backend: PluginIdentity,
    pub task: String,
    pub input: Value,
    pub settings: Value,
    /// When the job first started.
    pub started_at: Timestamp,
    /// The job's seed.
    pub seed: [u8; 32],
    /// Time left for the run.
    pub deadline: Duration,
    /// Cancels the run.
    pub cancel: CancellationToken,
    /// Labels of the run: what it is for.
    pub labels: CallLabels,
}

/// Finds and runs generation backends.
#[async_trait]
pub trait BackendRunner: Send + Sync + 'static {
    /// The backend with this key and version.
    fn find_backend(&self, key: &str, version: &str) -> Option<BackendFacts>;
    /// The pinned backend, if the catalog has it with exactly the same bytes.
    fn backend(&self, identity: &PluginIdentity) -> Option<BackendFacts>;
    /// Runs the backend.
    async fn generate(&self, request: BackendRequest, host: Arc<dyn BackendHost>)
    -> BackendOutcome;
}

/// A run of a renderer.
pub struct RenderRequest {
    pub renderer: PluginIdentity,
    /// Document model.
    pub document: Value,
    pub settings: Value,
    /// Assets that the document shows besides text, by name.
    pub assets: BTreeMap<String, Asset>,
    /// When the job first started.
    pub started_at: Timestamp,
    /// Time left for the run.
    pub deadline: Duration,
    /// Cancels the run.
    pub cancel: CancellationToken,
    /// Labels of the run: what it is for.
    pub labels: CallLabels,
}

/// A run of an evaluator.
pub struct EvaluateRequest {
    pub evaluator: PluginIdentity,
    pub input: Value,
    /// Time left for the run.
    pub deadline: Duration,
    /// Cancels the run.
    pub cancel: CancellationToken,
    /// Labels of the run: what it is for.
    pub labels: CallLabels,
}

/// Finds and runs renderers and evaluators: plug-ins whose answer follows from their input, because they
/// can reach nothing else. So they are not journaled: a resumed job or a replay runs them again and gets
/// the same answer.
#[async_trait]
pub trait PureRunner: Send + Sync + 'static {
    /// The renderer or evaluator with this key and version.
    fn find_pure(&self, kind: PluginKind, key: &str, version: &str) -> Option<PluginIdentity>;
    /// The newest version of the renderer or evaluator with this key.
    fn newest_pure(&self, kind: PluginKind, key: &str) -> Option<PluginIdentity>;
    /// Runs a renderer.
    async fn render(&self, request: RenderRequest) -> RenderOutcome;
    /// Runs an evaluator.
    async fn evaluate(&self, request: EvaluateRequest) -> EvaluateOutcome;
}

/// The plug-ins of an engine.
#[derive(Clone)]
pub struct Plugins {
    pub connectors: Arc<dyn ConnectorCaller>,
    pub backends: Arc<dyn BackendRunner>,
    /// Renderers and evaluators.
    pub pure: Arc<dyn PureRunner>,
}
