//! Runs the generation backend pinned to a job.

use std::sync::Arc;

use gtm_domain::{JobType, Usage};
use gtm_runtime::{BackendHost, BackendOutcome, PluginError, Resources};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::JobRun;
use crate::ending::Ending;
use crate::journal::JournaledHost;
use crate::journal::known_addresses::KnownAddresses;
use crate::journal::state::{HostParts, StopCause};
use crate::plugins::BackendRequest;
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
pub async fn generate(run: &mut JobRun, job_type: JobType, mut input: Value) -> Generated {
    let Some(pinned) = run.pins.writer().cloned() else {
        return Generated::without_run(Ending::Failed(job_error::backend_not_configured(
            job_type.as_str(),
        )));
    };
    let backends = Arc::clone(&run.plugins.backends);
    let Some(facts) = pinned
        .identity()
        .and_then(|identity| backends.backend(&identity))
    else {
        return Generated::without_run(Ending::Failed(job_error::backend_gone()));
    };
    let missing = facts
        .requires
        .iter()
        .find(|(name, optional)| !optional && !run.pins.connections.contains_key(name));
    if let Some((name, _)) = missing {
        return Generated::without_run(Ending::Failed(job_error::connector_not_configured(name)));
    }
    if facts.takes_start_urls.contains(job_type.as_str()) {
        input["start_urls"] = json!(run.pins.start_urls());
    }
    let labels = run.labels();
    let host = JournaledHost::new(HostParts {
        known: KnownAddresses::of_job(&input, &pinned.settings),
        leased: run.leased.clone(),
        recorded: std::mem::take(&mut run.recorded),
        connectors: Arc::clone(&run.plugins.connectors),
        pins: run.pins.clone(),
        backend: facts.clone(),
        free_urls: pinned.free_urls && facts.free_urls,
        cost_cap: run.cost_cap,
        clock: Arc::clone(&run.clock),
        call_concurrency: run.config.call_concurrency,
        max_calls: run.config.max_calls,
        ends_at: run.ends_at,
        stop: Arc::clone(&run.stop),
        labels: labels.clone(),
    });
    let request = BackendRequest {
        backend: facts.identity,
        task: job_type.as_str().to_owned(),
        input,
        settings: pinned.settings,
        started_at: run.started_at,
        seed: run.seed,
        deadline: run.ends_at.saturating_duration_since(Instant::now()),
        cancel: run.stop.free_token().clone(),
        labels,
    };
    let outcome = tokio::select! {
        outcome = backends.generate(request, Arc::new(host.clone()) as Arc<dyn BackendHost>) => outcome,
        () = run.stop.cut_and_noticed() => BackendOutcome {
            result: Err(PluginError::Canceled),
            resources: Resources::default(),
            logs: Vec::new(),
            denied: Vec::new(),
        },
    };
    // Settle what providers answered in the meantime before the job ends.
    tokio::select! {
        () = host.quiet() => {}
        () = run.stop.cut_and_noticed() => tracing::warn!("a provider call did not end in time and stays in doubt"),
    }
    for line in &outcome.logs {
        tracing::debug!(level = ?line.level, message = %line.message, "backend log");
    }
    let mut usage = host.usage();
    usage.backend_runtime_ms = usage
        .backend_runtime_ms
        .saturating_add(outcome.resources.cpu_ms);
    let output = output(run, outcome.result, &host);
    Generated {
        output,
        host: Some(host),
        usage,
    }
}

/// The single outcome that follows from all circumstances.
fn output(
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
        (Ok(_), _) if host.left_calls_out() => Err(Ending::Failed(job_error::not_deterministic(0))),
        (Ok(value), _) => Ok(value),
        (Err(_), Some(StopReason::Deadline)) => Err(Ending::Failed(job_error::deadline_exceeded(
            run.config.job_deadline.as_secs(),
        ))),
        (Err(_), Some(StopReason::Draining)) => {
            Err(Ending::HandBack("the node shuts down".to_owned()))
        }
        (Err(error), _) => {
            tracing::info!(%error, "the backend ended without a result");
            Err(Ending::Failed(backend_end::meaning(error)))
        }
    }
}
