//! Runs the generation backend pinned to a job.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gtm_domain::{JobType, Usage};
use gtm_runtime::{BackendHost, BackendOutcome, PluginError, Resources};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::JobRun;
use crate::ending::Ending;
use crate::journal::JournaledHost;
use crate::journal::known_addresses::KnownAddresses;
use crate::journal::state::{HostParts, StopCause};
use crate::plugins::{BackendFacts, BackendRequest};
use crate::stop::StopReason;
use crate::{backend_end, job_error};

/// Outcome of a backend's run.
pub struct Generated {
    /// Its output, or how the job ends without one.
    pub output: Result<Value, Ending>,
    /// The journal of the run; `None` if the backend did not run.
    pub host: Option<JournaledHost>,
    /// What the job has consumed so far, including earlier runs.
    pub usage: Usage,
}

impl Generated {
    fn without_run(ending: Ending) -> Self {
        Self {
            output: Err(ending),
            host: None,
            usage: Usage::default(),
        }
    }
}

/// Runs the backend that is pinned for `job_type` with `input`, adding the pinned start URLs if its
/// manifest has a place for them.
pub async fn generate(run: &mut JobRun, job_type: JobType, input: Value) -> Generated {
    let writer = match Writer::of(run, job_type, &input) {
        Ok(writer) => writer,
        Err(ending) => return Generated::without_run(ending),
    };
    let output = writer.write(run, input).await;
    let output = output.and_then(|output| writer.made_every_call().map(|()| output));
    writer.done(output)
}

/// The writer of a job with its journal. It may write several times in one job, each time told what was wrong
/// with its last draft; the journal numbers the calls of all its runs in one row.
pub struct Writer {
    job_type: JobType,
    facts: BackendFacts,
    settings: Value,
    host: JournaledHost,
    /// Processor time of its runs, in milliseconds.
    cpu_ms: AtomicU64,
}

impl Writer {
    /// The backend that is pinned for `job_type`, with the journal of the job. `input` is what its first run
    /// will be given.
    ///
    /// # Errors
    /// How the job ends if there is none, if it is gone, or if a connection that it needs is not bound.
    pub fn of(run: &mut JobRun, job_type: JobType, input: &Value) -> Result<Self, Ending> {
        let pinned =
            run.pins.writer().cloned().ok_or_else(|| {
                Ending::Failed(job_error::backend_not_configured(job_type.as_str()))
            })?;
        let facts = pinned
            .identity()
            .and_then(|identity| run.plugins.backends.backend(&identity))
            .ok_or_else(|| Ending::Failed(job_error::backend_gone()))?;
        let missing = facts
            .requires
            .iter()
            .find(|(name, optional)| !optional && !run.pins.connections.contains_key(name));
        if let Some((name, _)) = missing {
            let lacking = run.pins.lacking(name);
            let error = job_error::connector_not_configured(name, lacking);
            return Err(Ending::Failed(error));
        }
        let first = with_start_urls(run, &facts, job_type, input.clone());
        let declared = facts.requires.iter().map(|(name, _)| name.clone());
        let host = JournaledHost::new(HostParts {
            known: KnownAddresses::of_job(&first, &pinned.settings),
            free_urls: pinned.free_urls && facts.free_urls,
            ..host_parts(run, declared.collect())
        });
        Ok(Self {
            job_type,
            facts,
            settings: pinned.settings,
            host,
            cpu_ms: AtomicU64::new(0),
        })
    }

    /// Runs the backend once with `input`, to which the pinned start URLs are added if its manifest has a
    /// place for them.
    ///
    /// # Errors
    /// How the job ends without an output.
    pub async fn write(&self, run: &JobRun, input: Value) -> Result<Value, Ending> {
        let request = BackendRequest {
            backend: self.facts.identity.clone(),
            task: self.job_type.as_str().to_owned(),
            input: with_start_urls(run, &self.facts, self.job_type, input),
            settings: self.settings.clone(),
            started_at: run.started_at,
            seed: run.seed,
            deadline: run.ends_at.saturating_duration_since(Instant::now()),
            cancel: run.stop.free_token().clone(),
            labels: run.labels(),
        };
        let host = Arc::new(self.host.clone()) as Arc<dyn BackendHost>;
        let outcome = tokio::select! {
            outcome = run.plugins.backends.generate(request, host) => outcome,
            () = run.stop.cut_and_noticed() => BackendOutcome {
                result: Err(PluginError::Canceled),
                resources: Resources::default(),
                logs: Vec::new(),
                denied: Vec::new(),
            },
        };
        settled(run, &self.host).await;
        for line in &outcome.logs {
            tracing::debug!(level = ?line.level, message = %line.message, "backend log");
        }
        self.cpu_ms
            .fetch_add(outcome.resources.cpu_ms, Ordering::Relaxed);
        output(run, outcome.result, &self.host)
    }

    /// Whether the runs have repeated every call that the journal holds. To be asked after the last run.
    ///
    /// # Errors
    /// How the job ends if calls were left out: the backend is not deterministic.
    pub fn made_every_call(&self) -> Result<(), Ending> {
        made_every_call(&self.host)
    }

    /// The outcome of all its runs.
    pub fn done(self, output: Result<Value, Ending>) -> Generated {
        let mut usage = self.host.usage();
        usage.backend_runtime_ms = usage
            .backend_runtime_ms
            .saturating_add(self.cpu_ms.into_inner());
        Generated {
            output,
            host: Some(self.host),
            usage,
        }
    }
}

/// The parts of a host whose run may invoke these capabilities and no pages of its own making.
pub(super) fn host_parts(run: &mut JobRun, declared: BTreeSet<String>) -> HostParts {
    HostParts {
        known: KnownAddresses::default(),
        leased: run.leased.clone(),
        recorded: std::mem::take(&mut run.recorded),
        connectors: Arc::clone(&run.plugins.connectors),
        pins: run.pins.clone(),
        declared,
        free_urls: false,
        cost_cap: run.cost_cap,
        clock: Arc::clone(&run.clock),
        call_concurrency: run.config.call_concurrency,
        max_calls: run.config.max_calls,
        ends_at: run.ends_at,
        stop: Arc::clone(&run.stop),
        labels: run.labels(),
    }
}

/// Settles what providers answered in the meantime, before the job ends.
pub(super) async fn settled(run: &JobRun, host: &JournaledHost) {
    tokio::select! {
        () = host.quiet() => {}
        () = run.stop.cut_and_noticed() => tracing::warn!("a provider call did not end in time and stays in doubt"),
    }
}

/// Whether the runs have repeated every call that the journal holds. To be asked after the last of them.
///
/// # Errors
/// How the job ends if calls were left out: what asked for them is not deterministic.
pub(super) fn made_every_call(host: &JournaledHost) -> Result<(), Ending> {
    if host.left_calls_out() {
        return Err(Ending::Failed(job_error::not_deterministic(0)));
    }
    Ok(())
}

fn with_start_urls(
    run: &JobRun,
    facts: &BackendFacts,
    job_type: JobType,
    mut input: Value,
) -> Value {
    if facts.takes_start_urls.contains(job_type.as_str()) {
        input["start_urls"] = json!(run.pins.start_urls());
    }
    input
}

/// The single outcome that follows from all circumstances.
pub(super) fn output(
    run: &JobRun,
    result: Result<Value, PluginError>,
    host: &JournaledHost,
) -> Result<Value, Ending> {
    let verdict = host.verdict();
    let reason = run.stop.reason();
    if reason == Some(StopReason::LeaseLost) || verdict == Some(StopCause::LeaseLost) {
        return Err(Ending::LeaseLost);
    }
    if reason == Some(StopReason::Canceled) {
        return Err(Ending::Canceled);
    }
    match verdict {
        Some(StopCause::Fail(error)) => return Err(Ending::Failed(error)),
        Some(StopCause::CapReached {
            capability,
            reached,
        }) => {
            let charged = host.usage().cost;
            let error = job_error::cap_reached(&capability, &reached, charged);
            return Err(Ending::Failed(error));
        }
        Some(StopCause::Pause(problem)) => return Err(Ending::Pause(problem)),
        Some(StopCause::Stopped | StopCause::LeaseLost) | None => {}
    }
    // The backend's time may end a moment before the job's clock is seen to.
    let over = run.ends_at <= Instant::now();
    match (result, reason.or(over.then_some(StopReason::Deadline))) {
        (Ok(value), _) => Ok(value),
        (Err(_), Some(StopReason::Deadline)) => Err(Ending::Failed(job_error::deadline_exceeded(
            run.config.job_deadline.as_secs(),
        ))),
        (Err(_), Some(StopReason::Draining)) => {
            Err(Ending::HandBack("the node shuts down".to_owned()))
        }
        (Err(error), _) => {
            tracing::info!(%error, "the plug-in ended without a result");
            Err(Ending::Failed(backend_end::meaning(error)))
        }
    }
}
