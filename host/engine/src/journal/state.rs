//! State that a run of a job's backend shares with its steps: the parts of the run, its journal, what it
//! consumed, and why it ended.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gtm_domain::evidence::ConnectorRef;
use gtm_domain::job::JobError;
use gtm_domain::step::{Step, StepState};
use gtm_domain::{Clock, Failure, FailureKind, MicroUsd, Usage};
use gtm_evidence_check::library::Reported;
use gtm_runtime::egress::RepeatedGets;
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
use crate::plugins::ConnectorCaller;
use crate::spend::{Budget, CapReached};
use crate::stop::Stop;

/// The capability that fetches pages.
pub(super) const WEB_FETCH: &str = "web.fetch";

/// Why the host ends a backend's run.
#[derive(Debug, Clone, PartialEq)]
pub enum StopCause {
    /// The job failed.
    Fail(JobError),
    /// The job failed because its cost cap had no room for a call. The error is written when the calls
    /// under way have ended: until then nobody knows what the job has spent.
    CapReached {
        /// Capability of the refused call.
        capability: String,
        /// The figures at the moment of the refusal.
        reached: CapReached,
    },
    /// The job is asked to stop; [`Stop::reason`] says why.
    Stopped,
    /// The job cannot go on now, but can later.
    Pause(String),
    LeaseLost,
}

impl StopCause {
    /// The consequence of a failed write for the job.
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
    pub store: Store,
    pub lease: Lease,
}

pub struct HostParts {
    /// The journal to write to; `None` for a replay, which answers from `recorded` alone.
    pub leased: Option<LeasedJob>,
    /// The journal as it was when the run began.
    pub recorded: Vec<Step>,
    /// Addresses that the backend knows from input and settings.
    pub known: KnownAddresses,
    pub connectors: Arc<dyn ConnectorCaller>,
    pub pins: Pins,
    /// The capabilities that the run may invoke: what the pinned backend's manifest names, or what the host itself
    /// asks for.
    pub declared: BTreeSet<String>,
    /// Whether this backend may fetch pages at addresses of its own making: it had the grant when the job was
    /// created, and still has it. A call that the journal has is not judged again.
    pub free_urls: bool,
    /// Maximum total cost of the job's provider calls.
    pub cost_cap: MicroUsd,
    pub clock: Arc<dyn Clock>,
    /// Maximum number of calls under way at the same time.
    pub call_concurrency: usize,
    /// Maximum number of calls in total.
    pub max_calls: u64,
    /// When the job runs out of time.
    pub ends_at: Instant,
    /// Stops the run.
    pub stop: Arc<Stop>,
    /// Labels of its calls: what the run is for.
    pub labels: CallLabels,
}

pub(super) struct Inner {
    pub(super) parts: HostParts,
    pub(super) recorded: BTreeMap<u64, Step>,
    pub(super) budget: Mutex<Budget>,
    /// What steps consumed, and when calls were under way.
    pub(super) consumed: Mutex<(Usage, CallSpans)>,
    /// Of each settled call whose answer claims may cite: the connector that served it, and what it reported.
    /// DANGER: the answers themselves are not kept, since a job has hundreds of them with megabytes each.
    pub(super) settled: Mutex<BTreeMap<u64, (ConnectorRef, Reported)>>,
    /// Addresses that the backend has been told of so far.
    pub(super) known: Mutex<KnownAddresses>,
    pub(super) next_seq: AtomicU64,
    pub(super) reports: AsyncMutex<Reports>,
    pub(super) verdict: Mutex<Option<StopCause>>,
    /// Steps under way. They outlive an `invoke` that was dropped, so that a provider's answer is settled
    /// even if the backend is gone.
    pub(super) steps: TaskTracker,
    /// Answers of this run's GET requests. A run that resumes the job asks again.
    pub(super) repeated_gets: Arc<RepeatedGets>,
}

/// Locks a mutex. Poisoning is ignored: no holder panics half-way through a change.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Inner {
    /// Continues from the journal's content.
    pub(super) fn new(mut parts: HostParts) -> Self {
        let recorded: BTreeMap<u64, Step> = std::mem::take(&mut parts.recorded)
            .into_iter()
            .map(|row| (row.step.seq, row))
            .collect();
        let (usage, spans) = consumed(recorded.values());
        // An open call may have been charged each time that it was begun.
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
            repeated_gets: Arc::default(),
            recorded,
            parts,
        }
    }
    /// Why the call at `seq` is not made, if the backend may not request its address. A call in the journal
    /// was judged when it was begun, and is only counted.
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
    /// A call's input as the connector receives it. The journal keeps the backend's own text, against which
    /// later runs are compared.
    pub(super) fn as_judged(&self, capability: &str, input: Value) -> Value {
        if capability != WEB_FETCH || self.parts.free_urls {
            return input;
        }
        known_addresses::as_judged(input)
    }
    /// Remembers what is needed of an answer that claims may cite.
    pub(super) fn remember(&self, seq: u64, connector: ConnectorRef, output: &Value) {
        locked(&self.settled).insert(seq, (connector, Reported::of(output)));
    }
    /// Whether a call of this run has already ended the job.
    pub(super) fn is_over(&self) -> bool {
        locked(&self.verdict).is_some()
    }
    /// Keeps the first verdict.
    pub(super) fn judge(&self, verdict: &StopCause) {
        locked(&self.verdict).get_or_insert_with(|| verdict.clone());
    }
}
