//! Implements the engine's plug-in interface with the runtime.

use std::sync::Arc;

use async_trait::async_trait;
use gtm_domain::dossier::ConnectorRevision;
use gtm_domain::{FailureKind, Timestamp};
use gtm_runtime::egress::Sendings;
use gtm_runtime::manifest::SideEffect;
use gtm_runtime::{
    BackendCall, BackendHost, BackendOutcome, ConnectorCall, ConnectorCatalog, ConnectorOutcome,
    EvaluateCall, EvaluateOutcome, Meters, Plugin, PluginError, PluginKind, RenderCall,
    RenderOutcome, Resources, Runtime,
};

use crate::connections::credentials::public_fields;
use crate::plugins::{
    BackendFacts, BackendRequest, BackendRunner, ConnectorCaller, ConnectorFacts, ConnectorRequest,
    EvaluateRequest, OperationFacts, PluginIdentity, PureRunner, RenderRequest,
};

/// The plug-in with this identity. Two packages may share a component, so key and version are compared too;
/// a package whose component or manifest has changed is not found.
fn pinned(runtime: &Runtime, kind: PluginKind, identity: &PluginIdentity) -> Option<Arc<Plugin>> {
    runtime
        .catalog()
        .find(kind, &identity.key, Some(&identity.version))
        .filter(|plugin| {
            let manifest = identity.manifest_digest;
            plugin.digest == identity.digest
                && manifest.is_none_or(|digest| digest == plugin.manifest_digest)
        })
}

fn identity(plugin: &Plugin) -> PluginIdentity {
    PluginIdentity {
        key: plugin.key.clone(),
        version: plugin.version.to_string(),
        digest: plugin.digest,
        manifest_digest: Some(plugin.manifest_digest),
    }
}

fn backend_facts(runtime: &Runtime, plugin: &Plugin) -> BackendFacts {
    let requires = plugin
        .manifest
        .requires
        .iter()
        .map(|r| (r.capability.clone(), r.optional))
        .collect();
    // A schema may forbid additional members, so only a backend whose schema has a place for start URLs
    // gets them.
    let takes_start_urls = plugin
        .manifest
        .operations
        .iter()
        .filter(|operation| {
            let place = operation.input_schema.pointer("/properties/start_urls");
            place.is_some()
        })
        .map(|operation| operation.id.clone())
        .collect();
    BackendFacts {
        identity: identity(plugin),
        requires,
        free_urls: runtime.grants_free_urls(plugin),
        takes_start_urls,
    }
}

#[async_trait]
impl ConnectorCaller for Runtime {
    fn find_connector(&self, key: &str, version: &str) -> Option<PluginIdentity> {
        self.catalog()
            .find(PluginKind::Connector, key, Some(version))
            .map(|plugin| identity(&plugin))
    }

    fn connector_facts(&self, key: &str, version: &str) -> Option<ConnectorFacts> {
        self.catalog()
            .connector(key, Some(version))
            .map(|connector| ConnectorFacts::of(&connector))
    }

    fn connector_revision(&self, key: &str, manifest_version: &str) -> Option<ConnectorRevision> {
        self.catalog()
            .connector(key, Some(manifest_version))
            .map(|connector| ConnectorRevision {
                connector_key: connector.manifest.key.clone(),
                manifest_version: connector.manifest.manifest_version.to_string(),
                manifest_digest: connector.manifest_digest,
                component_digest: connector.component,
            })
    }

    fn connector_catalog(&self, now: Timestamp) -> ConnectorCatalog {
        self.catalog().connector_catalog(now)
    }

    fn operation(&self, connector: &PluginIdentity, capability: &str) -> Option<OperationFacts> {
        let plugin = pinned(self, PluginKind::Connector, connector)?;
        let operation = plugin.manifest.operation_for(capability)?;
        Some(OperationFacts {
            id: operation.id.clone(),
            replay_safe: operation.replay_safe,
            takes_idempotency_key: operation.idempotency_header.is_some(),
            billable: operation.side_effect == SideEffect::BillableRead,
            public_fields: public_fields(&plugin.manifest),
            synthetic: plugin.manifest.synthetic,
        })
    }

    async fn call(&self, request: ConnectorRequest) -> ConnectorOutcome {
        let Some(plugin) = pinned(self, PluginKind::Connector, &request.connector) else {
            return gone_connector();
        };
        self.call_connector(ConnectorCall {
            plugin,
            operation: request.operation,
            input: request.input,
            settings: request.settings,
            credentials: request.credentials,
            connection: Some(request.connection),
            repeated_gets: request.repeated_gets,
            idempotency_key: request.idempotency_key,
            deadline: request.deadline,
            cancel: request.cancel,
            span_fields: request.labels,
        })
        .await
    }
}

/// The outcome for a missing connector. The catalog does not change while the host runs, so this happens
/// only if a caller skipped [`ConnectorCaller::operation`].
fn gone_connector() -> ConnectorOutcome {
    let failure = gtm_domain::Failure::new(
        FailureKind::Internal,
        "plugin_unavailable",
        "The pinned connector is not in the catalog.",
    );
    ConnectorOutcome {
        result: Err(failure),
        exchanges: Vec::new(),
        meters: Meters::default(),
        sendings: Sendings::default(),
        resources: Resources::default(),
        logs: Vec::new(),
        denied: Vec::new(),
    }
}

#[async_trait]
impl BackendRunner for Runtime {
    fn find_backend(&self, key: &str, version: &str) -> Option<BackendFacts> {
        self.catalog()
            .find(PluginKind::GenerationBackend, key, Some(version))
            .map(|plugin| backend_facts(self, &plugin))
    }

    fn backend(&self, identity: &PluginIdentity) -> Option<BackendFacts> {
        pinned(self, PluginKind::GenerationBackend, identity)
            .map(|plugin| backend_facts(self, &plugin))
    }

    async fn generate(
        &self,
        request: BackendRequest,
        host: Arc<dyn BackendHost>,
    ) -> BackendOutcome {
        let Some(plugin) = pinned(self, PluginKind::GenerationBackend, &request.backend) else {
            return BackendOutcome {
                result: Err(gone("backend")),
                resources: Resources::default(),
                logs: Vec::new(),
                denied: Vec::new(),
            };
        };
        let call = BackendCall {
            plugin,
            task: request.task,
            input: request.input,
            settings: request.settings,
            started_at: request.started_at,
            seed: request.seed,
            deadline: request.deadline,
            cancel: request.cancel,
            span_fields: request.labels,
        };
        Self::generate(self, call, host).await
    }
}

#[async_trait]
impl PureRunner for Runtime {
    fn find_pure(&self, kind: PluginKind, key: &str, version: &str) -> Option<PluginIdentity> {
        self.catalog()
            .find(kind, key, Some(version))
            .map(|plugin| identity(&plugin))
    }

    fn newest_pure(&self, kind: PluginKind, key: &str) -> Option<PluginIdentity> {
        self.catalog()
            .find(kind, key, None)
            .map(|plugin| identity(&plugin))
    }

    async fn render(&self, request: RenderRequest) -> RenderOutcome {
        let Some(plugin) = pinned(self, PluginKind::DocumentRenderer, &request.renderer) else {
            return RenderOutcome {
                result: Err(gone("renderer")),
                artifacts: Vec::new(),
                resources: Resources::default(),
                logs: Vec::new(),
            };
        };
        let call = RenderCall {
            plugin,
            document: request.document,
            settings: request.settings,
            assets: request.assets,
            started_at: request.started_at,
            deadline: request.deadline,
            cancel: request.cancel,
            span_fields: request.labels,
        };
        Self::render(self, call).await
    }

    async fn evaluate(&self, request: EvaluateRequest) -> EvaluateOutcome {
        let Some(plugin) = pinned(self, PluginKind::Evaluator, &request.evaluator) else {
            return EvaluateOutcome {
                result: Err(gone("evaluator")),
                resources: Resources::default(),
            };
        };
        let call = EvaluateCall {
            plugin,
            input: request.input,
            deadline: request.deadline,
            cancel: request.cancel,
            span_fields: request.labels,
        };
        Self::evaluate(self, call).await
    }
}

fn gone(what: &str) -> PluginError {
    PluginError::Unavailable(format!("the pinned {what} is not in the catalog"))
}
