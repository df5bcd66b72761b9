//! Calls of plug-ins and their outcomes: the types here, and one module per world that performs the call.

pub(crate) mod backend;
pub(crate) mod connector;
pub(crate) mod evaluator;
pub(crate) mod payload;
pub(crate) mod renderer;
pub(crate) mod shared;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use gtm_domain::{Failure, Timestamp};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::catalog::Plugin;
use crate::credentials::Credentials;
use crate::egress::{RepeatedGets, Sendings};
use crate::error::PluginError;
use crate::outcome::{Denial, Exchange, LogLine, Meters, Resources};
use crate::renderer_files::{Artifact, Asset};

/// What a call is for; appears in spans and logs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallLabels {
    pub job: Option<String>,
    pub step: Option<String>,
    pub project: Option<String>,
}

/// One call of a connector's operation.
pub struct ConnectorCall {
    pub plugin: Arc<Plugin>,
    pub operation: String,
    pub input: Value,
    /// Settings of the connection.
    pub settings: Value,
    /// Credentials of the connection.
    pub credentials: Credentials,
    /// Id of the connection whose rate limits apply; the connector's own if absent.
    pub connection: Option<String>,
    /// What the job's GET requests were answered so far; without it, or without a connection, each is sent.
    pub repeated_gets: Option<Arc<RepeatedGets>>,
    /// Key by which a provider recognizes a repeated call.
    pub idempotency_key: Option<String>,
    /// Time that the caller allows; manifest and host may shorten it.
    pub deadline: Duration,
    /// Ends the call at once.
    pub cancel: CancellationToken,
    /// What the call is for.
    pub span_fields: CallLabels,
}

/// The outcome of a connector call.
#[derive(Debug)]
pub struct ConnectorOutcome {
    /// Output of the operation, or why there is none.
    pub result: Result<Value, Failure>,
    /// HTTP exchanges in the order of the requests, a streamed one where its body ended; recorded for
    /// failed calls too.
    pub exchanges: Vec<Exchange>,
    /// What the provider says the call consumed.
    pub meters: Meters,
    /// What was sent to the provider, whether or not an exchange shows it.
    pub sendings: Sendings,
    /// What the guest used.
    pub resources: Resources,
    pub logs: Vec<LogLine>,
    /// What the host refused.
    pub denied: Vec<Denial>,
}

/// One run of a generation backend.
pub struct BackendCall {
    pub plugin: Arc<Plugin>,
    /// The id of an operation of the manifest (`playbooks`, …).
    pub task: String,
    pub input: Value,
    /// Settings of the binding.
    pub settings: Value,
    /// Start of the job: the only time that the guest sees.
    pub started_at: Timestamp,
    /// Seed of the guest's randomness, derived from the job id. Our own worlds import no random source yet;
    /// the call carries it for the compatibility tier.
    pub seed: [u8; 32],
    /// Time that the caller allows.
    pub deadline: Duration,
    /// Ends the call at once. To ask a backend to stop by itself, make [`crate::BackendHost::canceled`]
    /// return true.
    pub cancel: CancellationToken,
    /// What the call is for.
    pub span_fields: CallLabels,
}

/// The outcome of a backend call.
#[derive(Debug)]
pub struct BackendOutcome {
    /// Output of the task, or why there is none.
    pub result: Result<Value, PluginError>,
    /// What the guest used.
    pub resources: Resources,
    pub logs: Vec<LogLine>,
    /// What the host refused.
    pub denied: Vec<Denial>,
}

/// One run of a document renderer.
pub struct RenderCall {
    pub plugin: Arc<Plugin>,
    pub document: Value,
    /// Settings of the binding.
    pub settings: Value,
    /// Assets by name.
    pub assets: BTreeMap<String, Asset>,
    /// Start of the job: the only time that the guest sees.
    pub started_at: Timestamp,
    /// Time that the caller allows.
    pub deadline: Duration,
    /// Ends the call at once.
    pub cancel: CancellationToken,
    /// What the call is for.
    pub span_fields: CallLabels,
}

/// The outcome of a render call.
#[derive(Debug)]
pub struct RenderOutcome {
    /// The renderer's answer, or why there is none.
    pub result: Result<Value, PluginError>,
    /// In the order in which they were finished; empty if the call failed.
    pub artifacts: Vec<Artifact>,
    /// What the guest used.
    pub resources: Resources,
    pub logs: Vec<LogLine>,
}

/// One run of an evaluator.
pub struct EvaluateCall {
    pub plugin: Arc<Plugin>,
    pub input: Value,
    /// Time that the caller allows.
    pub deadline: Duration,
    /// Ends the call at once.
    pub cancel: CancellationToken,
    /// What the call is for.
    pub span_fields: CallLabels,
}

#[derive(Debug)]
pub struct EvaluateOutcome {
    /// The evaluator's answer, or why there is none.
    pub result: Result<Value, PluginError>,
    /// What the guest used.
    pub resources: Resources,
}
