//! The host as a generation backend sees it: capabilities answered by the journal or a provider, and
//! progress reported once.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use futures::StreamExt;
use gtm_domain::evidence::ConnectorRef;
use gtm_domain::job::JobEventNew;
use gtm_domain::{Failure, Usage};
use gtm_evidence_check::left_out::LeftOut;
use gtm_evidence_check::library::Reported;
use gtm_runtime::{BackendHost, CapabilityCall, HostAbort, StageStatus};
use serde_json::Value;

use super::persist::persist;
use super::reports::ToldMilestone;
use super::state::{HostParts, Inner, StopCause, WEB_FETCH, locked};
use super::step;
use crate::job_error;
use crate::spend::MODEL_COMPLETE;
use crate::stop::StopReason;

/// The journal acting as a backend's host.
#[derive(Clone)]
pub struct JournaledHost(Arc<Inner>);

impl JournaledHost {
    /// A host that continues from the journal's content.
    #[must_use]
    pub fn new(parts: HostParts) -> Self {
        Self(Arc::new(Inner::new(parts)))
    }

    /// Waits until no step is under way; everything that they settled is then on disk.
    pub async fn quiet(&self) {
        self.0.steps.close();
        self.0.steps.wait().await;
    }
    /// Why the host ended the run; `None` if it did not.
    #[must_use]
    pub fn verdict(&self) -> Option<StopCause> {
        locked(&self.0.verdict).clone()
    }
    /// What the job's steps consumed, including earlier runs; the time is that in which at least one call
    /// was under way.
    #[must_use]
    pub fn usage(&self) -> Usage {
        let consumed = locked(&self.0.consumed);
        Usage {
            backend_runtime_ms: consumed.1.busy_ms(),
            ..consumed.0
        }
    }
    /// The connector that served the call at a position of the journal and what it reported, if claims may
    /// cite its answer.
    #[must_use]
    pub fn cited(&self, seq: u64) -> Option<(ConnectorRef, Reported)> {
        locked(&self.0.settled).get(&seq).cloned()
    }
    /// Whether the journal has calls that this run did not request: the backend then behaved differently
    /// than before.
    #[must_use]
    pub fn left_calls_out(&self) -> bool {
        let asked = self.0.next_seq.load(Ordering::SeqCst);
        self.0
            .recorded
            .keys()
            .next_back()
            .is_some_and(|last| *last >= asked)
    }

    /// Keeps the first verdict and tells the backend that the run is over.
    fn end(&self, verdict: StopCause) -> HostAbort {
        if verdict == StopCause::LeaseLost {
            self.0.parts.stop.cut_off(StopReason::LeaseLost);
        }
        let mut kept = locked(&self.0.verdict);
        kept.get_or_insert(verdict).abort()
    }

    /// Tells in the job's events what was left out of the result. A lease that was lost meanwhile is noticed when the
    /// job ends.
    pub async fn tell_left_out(&self, left_out: &[LeftOut]) {
        let mut reports = self.0.reports.lock().await;
        for left in left_out {
            let event = reports.left_out(left);
            if self.emit(event).await.is_err() {
                return;
            }
        }
    }

    /// Tells a milestone of the host's own. A lease that was lost meanwhile is noticed when the job ends.
    pub async fn tell(&self, percent: u8, code: &str, message: &str) {
        let mut reports = self.0.reports.lock().await;
        let event = reports.milestone(percent, code, message);
        let _ = self.emit(event).await;
    }

    /// The milestones that were told in this run, in order.
    pub async fn milestones(&self) -> Vec<ToldMilestone> {
        self.0.reports.lock().await.milestones().to_vec()
    }

    async fn emit(&self, event: Option<JobEventNew>) -> Result<(), HostAbort> {
        let (Some(event), Some(leased)) = (event, &self.0.parts.leased) else {
            return Ok(());
        };
        let write = || leased.store.emit(&leased.lease, event.clone());
        match persist(write, || Some(false)).await {
            Ok(_) => Ok(()),
            Err(error) => Err(self.end(StopCause::of_store(&error))),
        }
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
            return Err(self.end(StopCause::Fail(job_error::too_many_calls(
                inner.parts.max_calls,
            ))));
        }
        // A call that ends the job comes first: pay no other provider for a job that is over.
        for (call, seq) in calls.iter().zip(first..) {
            if step::ends_the_job(inner, seq, call)
                && let Err(verdict) = step::perform(Arc::clone(inner), seq, call.clone()).await
            {
                return Err(self.end(verdict));
            }
        }
        // Judge by what the backend knew before this list, because answers within the list arrive in any
        // order.
        let refusals: Vec<Option<Failure>> = calls
            .iter()
            .zip(first..)
            .map(|(call, seq)| inner.refusal(seq, call))
            .collect();
        let capabilities: Vec<String> = calls.iter().map(|call| call.capability.clone()).collect();
        // Positions follow the order of the list, whatever the order of the answers.
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
                        Err(StopCause::Pause(format!("a step ended abnormally: {join}")))
                    })
                }
            });
        let answers: Vec<_> = futures::stream::iter(tasks)
            .buffered(inner.parts.call_concurrency.max(1))
            .collect()
            .await;
        let answers = answers
            .into_iter()
            .collect::<Result<Vec<_>, StopCause>>()
            .map_err(|verdict| self.end(verdict))?;
        let mut known = locked(&inner.known);
        for (answer, capability) in answers.iter().zip(&capabilities) {
            match (answer, capability.as_str()) {
                // A model writes whatever it is asked to write, so its answer makes no address known.
                (Err(_), _) | (Ok(_), MODEL_COMPLETE) => {}
                (Ok(page), WEB_FETCH) => known.learn_page(page),
                (Ok(output), _) => known.learn(output),
            }
        }
        drop(known);
        Ok(answers)
    }

    fn bound(&self, capability: &str) -> bool {
        self.0.parts.declared.contains(capability)
            && self.0.parts.pins.connections.contains_key(capability)
    }

    async fn stage(&self, key: &str, status: StageStatus) -> Result<(), HostAbort> {
        // Hold the lock while the event is written, so that events reach the store in order.
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
        // Do not report a shutdown: the job continues elsewhere and must behave the same there.
        matches!(
            self.0.parts.stop.reason(),
            Some(StopReason::Canceled | StopReason::Deadline | StopReason::LeaseLost)
        )
    }
}
