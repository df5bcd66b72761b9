//! Calls of plug-ins and what comes back: the shapes here, and one module per world that performs it.

pub(crate) mod backend;
pub(crate) mod connector;
pub(crate) mod evaluator;
pub(crate) mod payload;
pub(crate) mod renderer;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use gtm_domain::receipt::Receipt;
use gtm_domain::{Failure, Timestamp};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::catalog::Plugin;
use crate::credentials::Credentials;
use crate::egress::{KeptBody, Sendings};
use crate::error::PluginError;

/// What a call is for; goes into spans and logs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallLabels {
    /// Job id.
    pub job: Option<String>,
    /// Step of the job.
    pub step: Option<String>,
    /// Project id.
    pub project: Option<String>,
}

/// One call of a connector's operation.
pub struct ConnectorCall {
    /// Connector.
    pub plugin: Arc<Plugin>,
    /// Id of the operation.
    pub operation: String,
    /// Input of the operation.
    pub input: Value,
    /// Settings of the connection.
    pub settings: Value,
    /// Credentials of the connection.
    pub credentials: Credentials,
    /// Id of the connection: whose rate limits hold. The connector's own if absent.
    pub connection: Option<String>,
    /// Key under which a provider recognizes a repeated call.
    pub idempotency_key: Option<String>,
    /// Time that the caller leaves; manifest and host may cut it.
    pub deadline: Duration,
    /// Ends the call at once.
    pub cancel: CancellationToken,
    /// What the call is for.
    pub span_fields: CallLabels,
}

/// What came of a connector call.
#[derive(Debug)]
pub struct ConnectorOutcome {
    /// Output of the operation, or why there is none.
    pub result: Result<Value, Failure>,
    /// HTTP exchanges in the order of the requests, a streamed one where its body ended; also those of
    /// a call that failed.
    pub exchanges: Vec<Exchange>,
    /// What the provider says the call consumed.
    pub meters: Meters,
    /// What went out to the provider, whether or not an exchange tells of it.
    pub sendings: Sendings,
    /// What the guest used.
    pub resources: Resources,
    /// Log of the guest.
    pub logs: Vec<LogLine>,
    /// What the host refused.
    pub denied: Vec<Denial>,
}

/// One HTTP exchange with the bytes that evidence stands on.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// Receipt of the gate.
    pub receipt: Receipt,
    /// Decoded body as it was kept; `receipt.response_digest` is its digest.
    pub body: KeptBody,
}

/// What a provider says it counted, summed over the exchanges of a call. Token figures are the
/// provider's own, which may overlap (annex A6 makes them disjoint elsewhere).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Meters {
    /// Token counts, if any was declared and found.
    pub tokens: Option<RawTokens>,
    /// The provider's credits.
    pub credits: Option<f64>,
    /// Cost in US dollars.
    pub cost_usd: Option<f64>,
    /// HTTP exchanges that reached the provider, or the provider's own figure if the manifest maps one.
    pub requests: u64,
    /// Whether the provider gave a figure that is none, or that cannot be true. It counts as not given.
    pub implausible: bool,
    /// Whether an exchange that was answered with success lacks a required figure, so that the sums are not
    /// all that was used.
    pub partial: bool,
}

/// Token counts as the provider writes them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RawTokens {
    /// Input.
    pub input: Option<u64>,
    /// Input read from a cache.
    pub cached_input: Option<u64>,
    /// Input written to a cache.
    pub cache_write: Option<u64>,
    /// Output.
    pub output: Option<u64>,
    /// Reasoning.
    pub reasoning: Option<u64>,
    /// All.
    pub total: Option<u64>,
}

/// What a guest used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resources {
    /// Highest sum over the instance's memories.
    pub peak_memory_bytes: u64,
    /// Wall-clock time, waiting for an instance not included.
    pub wall_ms: u64,
    /// CPU time of the guest; the host's own work not included.
    pub cpu_ms: u64,
}

/// Level of a line of log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    /// For debugging.
    Debug,
    /// For information.
    Info,
    /// Needs a look.
    Warn,
    /// Went wrong.
    Error,
}

/// One line that a guest logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// Level.
    pub level: LogLevel,
    /// Text, cut at the host's bound, without control characters.
    pub message: String,
}

/// Something that the host refused during a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// Interface that refused, such as `http`.
    pub interface: &'static str,
    /// Code of the refusal.
    pub code: String,
    /// One sentence.
    pub message: String,
}

/// One run of a generation backend.
pub struct BackendCall {
    /// Backend.
    pub plugin: Arc<Plugin>,
    /// Task, which is the id of an operation of the manifest (`playbooks`, …).
    pub task: String,
    /// Input of the task.
    pub input: Value,
    /// Settings of the binding.
    pub settings: Value,
    /// Start of the job: the only time that the guest sees.
    pub started_at: Timestamp,
    /// Seed of the guest's randomness, made from the job id. Our own worlds import no random source
    /// yet; it is part of the call so that the compatibility tier has it.
    pub seed: [u8; 32],
    /// Time that the caller leaves.
    pub deadline: Duration,
    /// Ends the call at once. To ask a backend to stop by itself, let [`BackendHost::canceled`]
    /// answer true.
    pub cancel: CancellationToken,
    /// What the call is for.
    pub span_fields: CallLabels,
}

/// A capability that a backend asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct CapabilityCall {
    /// Name of the contract.
    pub capability: String,
    /// Input, already checked against the contract.
    pub input: Value,
}

/// A stage's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StageStatus {
    /// Begun.
    Started,
    /// Done.
    Succeeded,
    /// Went wrong.
    Failed,
    /// Not needed.
    Skipped,
}

/// Ends a backend call at once: the job lost its lease, determinism is broken, a step is in doubt.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the host ended the call: {0}")]
pub struct HostAbort(pub Failure);

/// What a generation backend may ask of the engine.
#[async_trait]
pub trait BackendHost: Send + Sync {
    /// Perform the calls; answers stand in their order. Journaling, concurrency and retries are the
    /// implementor's.
    async fn invoke(
        &self,
        calls: Vec<CapabilityCall>,
    ) -> Result<Vec<Result<Value, Failure>>, HostAbort>;
    /// Whether something serves this capability for this job.
    fn bound(&self, capability: &str) -> bool;
    /// The guest reports a stage.
    async fn stage(&self, key: &str, status: StageStatus) -> Result<(), HostAbort>;
    /// The guest reports a percentage (0 to 100) and, if any, a milestone.
    async fn report(&self, percent: u8, milestone: Option<String>) -> Result<(), HostAbort>;
    /// Whether the job was canceled.
    fn canceled(&self) -> bool;
}

/// What came of a backend call.
#[derive(Debug)]
pub struct BackendOutcome {
    /// Output of the task, or why there is none.
    pub result: Result<Value, PluginError>,
    /// What the guest used.
    pub resources: Resources,
    /// Log of the guest.
    pub logs: Vec<LogLine>,
    /// What the host refused.
    pub denied: Vec<Denial>,
}

/// An input of a renderer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// Media type.
    pub media_type: String,
    /// Bytes.
    pub bytes: Bytes,
}

/// One run of a document renderer.
pub struct RenderCall {
    /// Renderer.
    pub plugin: Arc<Plugin>,
    /// Document model.
    pub document: Value,
    /// Settings of the binding.
    pub settings: Value,
    /// Assets by name.
    pub assets: BTreeMap<String, Asset>,
    /// Start of the job: the only time that the guest sees.
    pub started_at: Timestamp,
    /// Time that the caller leaves.
    pub deadline: Duration,
    /// Ends the call at once.
    pub cancel: CancellationToken,
    /// What the call is for.
    pub span_fields: CallLabels,
}

/// A finished file of a renderer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// File name without any folder.
    pub filename: String,
    /// Media type.
    pub media_type: String,
    /// Bytes.
    pub bytes: Bytes,
}

/// What came of a render call.
#[derive(Debug)]
pub struct RenderOutcome {
    /// The renderer's answer, or why there is none.
    pub result: Result<Value, PluginError>,
    /// Finished files in the order in which they were finished; empty if the call failed.
    pub artifacts: Vec<Artifact>,
    /// What the guest used.
    pub resources: Resources,
    /// Log of the guest.
    pub logs: Vec<LogLine>,
}

/// One run of an evaluator.
pub struct EvaluateCall {
    /// Evaluator.
    pub plugin: Arc<Plugin>,
    /// Input.
    pub input: Value,
    /// Time that the caller leaves.
    pub deadline: Duration,
    /// Ends the call at once.
    pub cancel: CancellationToken,
    /// What the call is for.
    pub span_fields: CallLabels,
}

/// What came of an evaluation.
#[derive(Debug)]
pub struct EvaluateOutcome {
    /// The evaluator's answer, or why there is none.
    pub result: Result<Value, PluginError>,
    /// What the guest used.
    pub resources: Resources,
}
