//! What a generation backend may ask of the engine while it runs.

use async_trait::async_trait;
use gtm_domain::Failure;
use serde_json::Value;

/// A capability that a backend asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct CapabilityCall {
    /// Name of the contract.
    pub capability: String,
    /// Already checked against the contract.
    pub input: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StageStatus {
    Started,
    Succeeded,
    Failed,
    Skipped,
}

/// Ends a backend call at once: the job lost its lease, determinism is broken, or a step is in doubt.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the host ended the call: {0}")]
pub struct HostAbort(pub Failure);

/// What a generation backend may ask of the engine.
#[async_trait]
pub trait BackendHost: Send + Sync {
    /// Performs the calls; returns the answers in the order of the calls. Journaling, concurrency and
    /// retries are up to the implementor.
    async fn invoke(
        &self,
        calls: Vec<CapabilityCall>,
    ) -> Result<Vec<Result<Value, Failure>>, HostAbort>;
    /// Whether something serves this capability for this job.
    fn bound(&self, capability: &str) -> bool;
    /// The guest reports a stage.
    async fn stage(&self, key: &str, status: StageStatus) -> Result<(), HostAbort>;
    /// The guest reports a percentage (0 to 100) and, if it reached one, a milestone.
    async fn report(&self, percent: u8, milestone: Option<String>) -> Result<(), HostAbort>;
    /// Whether the job was canceled.
    fn canceled(&self) -> bool;
}
