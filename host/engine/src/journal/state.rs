//! What one run of a job's backend has in common with the steps that it asks for: what the run is
//! made of, what its journal had, what it consumed, and why it ended.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gtm_domain::evidence::ConnectorRef;
use gtm_domain::job::JobError;
use gtm_domain::step::{Step, StepState};
use gtm_domain::{Clock, Failure, FailureKind, MicroUsd, Usage};
use gtm_runtime::{CallLabels, CapabilityCall, HostAbort};
use gtm_store::{Lease, Store, StoreError};
use serde_json::Value;
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use super::busy_time::{CallSpans, consumed};
use super::known_addresses::{self, KnownAddresses};
use super::reports::Reports;
use crate::job_error;
use crate::pins::Pins;
use crate::plugins::{BackendFacts, ConnectorCaller};
use crate::spend::{Budget, CapReached};
use crate::stop::Stop;

/// The capability that fetches pages.
pub(super) const WEB_FETCH: &str = "web.fetch";

/// Why the host ends a backend's run.
#[derive(Debug, Clone, PartialEq)]
pub enum StopCause {
    /// The job failed.
    Fail(JobError),
    /// The job failed because its cost cap would not have held a call. The error is written when the
    /// calls that were under way have ended: until then nobody knows what the job has spent.
    CapReached {
        /// Capability of the call that was not made.
        capability: String,
        /// The figures at that moment.
        reached: CapReached,
    },
    /// The job is to stop; [`Stop::reason`] says why.
    Stopped,
    /// The job cannot go on now, but it can later.
    Pause(String),
    /// The lease is lost.
    LeaseLost,
}

impl StopCause {
    /// What a failed write means for the job.
    pub(super) fn of_store(error: &StoreError) -> Self {
        match error {
            StoreError::LeaseLost => Self::LeaseLost,
            other => Self::Pause(other.to_string()),
        }
    }

    pub(super) fn abort(&self) -> HostAbort {
        let failed = |error: JobError| {
            HostAbort(Failure::new(
                FailureKind::Internal,
                error.code,
                error.message,
            ))
        };
        HostAbort(match self {
            Self::Fail(error) => return failed(error.clone()),
            Self::CapReached {
                capability,
                reached,
            } => return failed(job_error::cap_reached(capability, reached, reached.settled)),
            Self::Stopped | Self::Pause(_) | Self::LeaseLost => {
                Failure::new(FailureKind::Canceled, "canceled", "The host ended the run.")
            }
        })
    }
}

/// The right to write a job's journal.
#[derive(Clone)]
pub struct LeasedJob {
    /// Store.
    pub store: Store,
    /// Lease on the job.
    pub lease: Lease,
}

/// What a host is made of.
pub struct HostParts {
    /// The journal to write; none for a replay, which answers from `recorded` alone.
    pub leased: Option<LeasedJob>,
    /// Journal as it was when the run began.
    pub recorded: Vec<Step>,
    /// Addresses that input and settings tell the backend.
    pub known: KnownAddresses,
    /// Connectors.
    pub connectors: Arc<dyn ConnectorCaller>,
    /// The job's pins.
    pub pins: Pins,
    /// The pinned backend.
    pub backend: BackendFacts,
    /// Whether this backend may have pages fetched from addresses of its own making. Pinned: what the operator
    /// grants or takes back later changes nothing for the job.
    pub free_urls: bool,
    /// What the job's provider calls may cost together.
    pub cost_cap: MicroUsd,
    /// Clock.
    pub clock: Arc<dyn Clock>,
    /// Calls under way at once.
    pub call_concurrency: usize,
    /// Calls in all.
    pub max_calls: u64,
    /// When the job's time is up.
    pub ends_at: Instant,
    /// Stops the run.
    pub stop: Arc<Stop>,
    /// What the run is for.
    pub labels: CallLabels,
}

/// A settled call whose answer may serve as evidence.
#[derive(Debug, Clone)]
pub struct SettledCall {
    /// Capability.
    pub capability: String,
    /// Connector that served it.
    pub connector: Option<ConnectorRef>,
    /// Its output.
    pub output: Arc<Value>,
}

pub(super) struct Inner {
    pub(super) parts: HostParts,
    pub(super) recorded: BTreeMap<u64, Step>,
    pub(super) budget: Mutex<Budget>,
    /// What steps consumed, and when calls were under way.
    pub(super) consumed: Mutex<(Usage, CallSpans)>,
    pub(super) settled: Mutex<BTreeMap<u64, SettledCall>>,
    /// Addresses that the backend was told so far.
    pub(super) known: Mutex<KnownAddresses>,
    pub(super) next_seq: AtomicU64,
    pub(super) reports: AsyncMutex<Reports>,
    pub(super) verdict: Mutex<Option<StopCause>>,
    /// Steps under way. They outlive an `invoke` that was dropped, so that what a provider answered
    /// is settled even if the backend is gone.
    pub(super) steps: TaskTracker,
}

/// Lock a mutex. A holder that panicked is no reason to stop: none panics half-way through a change.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Inner {
    /// Goes on from what the journal has.
    pub(super) fn new(mut parts: HostParts) -> Self {
        let recorded: BTreeMap<u64, Step> = std::mem::take(&mut parts.recorded)
            .into_iter()
            .map(|row| (row.step.seq, row))
            .collect();
        let (usage, spans) = consumed(recorded.values());
        // Calls that are open may have been charged each time that they were begun.
        let held = recorded.values().map(|row| match row.state {
            StepState::Started => row.may_cost(),
            StepState::Settled | StepState::Failed => row.held,
        });
        let held = held.sum();
        Self {
            budget: Mutex::new(Budget::new(parts.cost_cap, usage.cost, held)),
            consumed: Mutex::new((usage, spans)),
            settled: Mutex::default(),
            known: Mutex::new(std::mem::take(&mut parts.known)),
            next_seq: AtomicU64::new(0),
            reports: AsyncMutex::default(),
            verdict: Mutex::new(None),
            steps: TaskTracker::new(),
            recorded,
            parts,
        }
    }
    /// Why the call at `seq` is not made, if its address is none that the backend may ask for. What the
    /// journal has was judged when it was begun, and is only counted.
    pub(super) fn refusal(&self, seq: u64, call: &CapabilityCall) -> Option<Failure> {
        if call.capability != WEB_FETCH
            || self.parts.free_urls
            || !self.parts.pins.connections.contains_key(WEB_FETCH)
        {
            return None;
        }
        let mut known = locked(&self.known);
        if self.recorded.contains_key(&seq) {
            known.recall(&call.input);
            return None;
        }
        let refusal = known.admit(&call.input).err()?;
        tracing::info!(seq, code = %refusal.code, "a backend asked for an address that it was not told");
        Some(refusal)
    }
    /// What a connector is handed of a call's input. The journal keeps the backend's own text, which a
    /// later run is compared with.
    pub(super) fn as_judged(&self, capability: &str, input: Value) -> Value {
        if capability != WEB_FETCH || self.parts.free_urls {
            return input;
        }
        known_addresses::as_judged(input)
    }
    /// Remember an answer that claims may cite.
    pub(super) fn remember(&self, seq: u64, call: SettledCall) {
        locked(&self.settled).insert(seq, call);
    }
    /// Whether some call of this run has ended the job already.
    pub(super) fn is_over(&self) -> bool {
        locked(&self.verdict).is_some()
    }
    /// Keep the first verdict.
    pub(super) fn judge(&self, verdict: &StopCause) {
        locked(&self.verdict).get_or_insert_with(|| verdict.clone());
    }
}
