//! What a generation backend sees of the host: capabilities answered by journal or provider,
//! progress reported once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use futures::StreamExt;
use gtm_domain::evidence::ConnectorRef;
use gtm_domain::job::JobError;
use gtm_domain::{Clock, Failure, FailureKind, MicroUsd, Usage};
use gtm_runtime::{BackendHost, CallLabels, CapabilityCall, HostAbort, StageStatus};
use gtm_store::{JobEventNew, Lease, StepRow, StepState, Store, StoreError};
use serde_json::Value;
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use super::known_addresses::{self, KnownAddresses};
use super::persist::persist;
use super::reports::Reports;
use super::runtime::{CallSpans, consumed};
use super::step;
use crate::job_error;
use crate::pins::Pins;
use crate::plugins::{BackendFacts, ConnectorCaller};
use crate::spend::{Budget, CapReached, MODEL_COMPLETE};
use crate::stop::{Stop, StopReason};

/// The capability that fetches pages.
const WEB_FETCH: &str = "web.fetch";

/// Why the host ends a backend's run.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
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

impl Verdict {
    /// What a failed write means for the job.
    pub(super) fn of_store(error: &StoreError) -> Self {
        match error {
            StoreError::LeaseLost => Self::LeaseLost,
            other => Self::Pause(other.to_string()),
        }
    }

    fn abort(&self) -> HostAbort {
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
pub struct Leased {
    /// Store.
    pub store: Store,
    /// Lease on the job.
    pub lease: Lease,
}

/// What a host is made of.
pub struct HostParts {
    /// The journal to write; none for a replay, which answers from `recorded` alone.
    pub leased: Option<Leased>,
    /// Journal as it was when the run began.
    pub recorded: Vec<StepRow>,
    /// Addresses that input and settings tell the backend.
    pub known: KnownAddresses,
    /// Connectors.
    pub connectors: Arc<dyn ConnectorCaller>,
    /// The job's pins.
    pub pins: Pins,
    /// The pinned backend.
    pub backend: BackendFacts,
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

/// The journal as a backend's host.
#[derive(Clone)]
pub struct JournaledHost(Arc<Inner>);

pub(super) struct Inner {
    pub(super) parts: HostParts,
    pub(super) recorded: BTreeMap<u64, StepRow>,
    pub(super) budget: Mutex<Budget>,
    /// What steps consumed, and when calls were under way.
    pub(super) consumed: Mutex<(Usage, CallSpans)>,
    settled: Mutex<BTreeMap<u64, SettledCall>>,
    /// Addresses that the backend was told so far.
    known: Mutex<KnownAddresses>,
    next_seq: AtomicU64,
    reports: AsyncMutex<Reports>,
    verdict: Mutex<Option<Verdict>>,
    /// Steps under way. They outlive an `invoke` that was dropped, so that what a provider answered
    /// is settled even if the backend is gone.
    steps: TaskTracker,
}

/// A mutex whose holders never panic half-way through a change.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl JournaledHost {
    /// A host that goes on from what the journal has.
    #[must_use]
    pub fn new(mut parts: HostParts) -> Self {
        let recorded: BTreeMap<u64, StepRow> = std::mem::take(&mut parts.recorded)
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
        Self(Arc::new(Inner {
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
        }))
    }

    /// Wait until no step is under way any more: what they settled is on disk then.
    pub async fn quiet(&self) {
        self.0.steps.close();
        self.0.steps.wait().await;
    }
    /// Why the host ended the run, if it did.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        locked(&self.0.verdict).clone()
    }
    /// What the job's steps consumed, earlier runs included; its time is that in which at least one
    /// call was under way.
    #[must_use]
    pub fn usage(&self) -> Usage {
        let consumed = locked(&self.0.consumed);
        Usage {
            backend_runtime_ms: consumed.1.busy_ms(),
            ..consumed.0
        }
    }
    /// The settled call at a position of the journal.
    #[must_use]
    pub fn settled(&self, seq: u64) -> Option<SettledCall> {
        locked(&self.0.settled).get(&seq).cloned()
    }
    /// Whether the journal has calls that this run did not ask for: then the backend took another
    /// way than before.
    #[must_use]
    pub fn left_calls_out(&self) -> bool {
        let asked = self.0.next_seq.load(Ordering::SeqCst);
        self.0
            .recorded
            .keys()
            .next_back()
            .is_some_and(|last| *last >= asked)
    }

    /// Keep the first verdict and tell the backend that it is over.
    fn end(&self, verdict: Verdict) -> HostAbort {
        if verdict == Verdict::LeaseLost {
            self.0.parts.stop.cut_off(StopReason::LeaseLost);
        }
        let mut kept = locked(&self.0.verdict);
        kept.get_or_insert(verdict).abort()
    }

    async fn emit(&self, event: Option<JobEventNew>) -> Result<(), HostAbort> {
        let (Some(event), Some(leased)) = (event, &self.0.parts.leased) else {
            return Ok(());
        };
        let write = || leased.store.emit(&leased.lease, event.clone());
        match persist(write, || Some(false)).await {
            Ok(_) => Ok(()),
            Err(error) => Err(self.end(Verdict::of_store(&error))),
        }
    }
}

impl Inner {
    /// Why the call at `seq` is not made, if its address is none that the backend may ask for. What the
    /// journal has was judged when it was begun, and is only counted.
    fn refusal(&self, seq: u64, call: &CapabilityCall) -> Option<Failure> {
        let pins = &self.parts.pins;
        if call.capability != WEB_FETCH
            || pins.free_urls
            || !pins.connections.contains_key(WEB_FETCH)
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
        if capability != WEB_FETCH || self.parts.pins.free_urls {
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
    pub(super) fn judge(&self, verdict: &Verdict) {
        locked(&self.verdict).get_or_insert_with(|| verdict.clone());
    }
}

#[async_trait]
impl BackendHost for JournaledHost {
    async fn invoke(
        &self,
        calls: Vec<CapabilityCall>,
    ) -> Result<Vec<Result<Value, Failure>>, HostAbort> {
        let inner = &self.0;
        if let Some(verdict) = self.verdict() {
            return Err(verdict.abort());
        }
        let count = calls.len() as u64;
        let first = inner.next_seq.fetch_add(count, Ordering::SeqCst);
        if first.saturating_add(count) > inner.parts.max_calls {
            return Err(self.end(Verdict::Fail(job_error::too_many_calls(
                inner.parts.max_calls,
            ))));
        }
        // A call that ends the job is met first: no other provider is paid for a job that is over.
        for (call, seq) in calls.iter().zip(first..) {
            if step::ends_the_job(inner, seq, call)
                && let Err(verdict) = step::perform(Arc::clone(inner), seq, call.clone()).await
            {
                return Err(self.end(verdict));
            }
        }
        // Judged by what was told before this list, since answers within it come in any order.
        let refusals: Vec<Option<Failure>> = calls
            .iter()
            .zip(first..)
            .map(|(call, seq)| inner.refusal(seq, call))
            .collect();
        let capabilities: Vec<String> = calls.iter().map(|call| call.capability.clone()).collect();
        // Positions follow the order of the list, whatever order the answers come in.
        let tasks = calls
            .into_iter()
            .zip(refusals)
            .zip(first..)
            .map(|((call, refusal), seq)| {
                let inner = Arc::clone(inner);
                async move {
                    if let Some(refusal) = refusal {
                        return Ok(Err(refusal));
                    }
                    let task = inner
                        .steps
                        .spawn(step::perform(Arc::clone(&inner), seq, call));
                    task.await.unwrap_or_else(|join| {
                        Err(Verdict::Pause(format!("a step ended abnormally: {join}")))
                    })
                }
            });
        let answers: Vec<_> = futures::stream::iter(tasks)
            .buffered(inner.parts.call_concurrency.max(1))
            .collect()
            .await;
        let answers = answers
            .into_iter()
            .collect::<Result<Vec<_>, Verdict>>()
            .map_err(|verdict| self.end(verdict))?;
        let mut known = locked(&inner.known);
        for (answer, capability) in answers.iter().zip(&capabilities) {
            match (answer, capability.as_str()) {
                // A model writes what it is asked to write: it tells a backend of nothing new.
                (Err(_), _) | (Ok(_), MODEL_COMPLETE) => {}
                (Ok(page), WEB_FETCH) => known.learn_page(page),
                (Ok(output), _) => known.learn(output),
            }
        }
        drop(known);
        Ok(answers)
    }

    fn bound(&self, capability: &str) -> bool {
        self.0.parts.backend.declares(capability)
            && self.0.parts.pins.connections.contains_key(capability)
    }

    async fn stage(&self, key: &str, status: StageStatus) -> Result<(), HostAbort> {
        // The lock is held while the event is written, so events reach the store in order.
        let mut reports = self.0.reports.lock().await;
        let event = reports.stage(key, status);
        self.emit(event).await
    }

    async fn report(&self, percent: u8, milestone: Option<String>) -> Result<(), HostAbort> {
        let mut reports = self.0.reports.lock().await;
        let event = reports.progress(percent, milestone.as_deref());
        self.emit(event).await
    }

    fn canceled(&self) -> bool {
        // A shutdown is not told: the job goes on elsewhere and must take the same way there.
        matches!(
            self.0.parts.stop.reason(),
            Some(StopReason::Canceled | StopReason::Deadline | StopReason::LeaseLost)
        )
    }
}
