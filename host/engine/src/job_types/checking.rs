//! Runs the evidence check of a job: off the event loop, and only for as long as the job may run.
//!
//! DANGER: a plug-in's author decides how much there is to check. Whoever waited for the check would run into
//! the job's deadline without noticing it, and a canceled job would go on.

use gtm_evidence_check::basis::DraftError;
use gtm_evidence_check::stop_flag::StopFlag;
use gtm_evidence_check::verdict::Dropped;
use gtm_runtime::blocking_work;

use super::JobRun;
use super::cited::fault;
use crate::ending::Ending;
use crate::job_error;
use crate::stop::StopReason;

/// Most dropped claims of a job that are logged one by one.
const MAX_LOGGED: usize = 50;

/// Does work on a thread of its own until it is done or the job has to stop. Then the flag is raised, and
/// nobody waits until the work has noticed.
///
/// # Errors
/// How the job ends if it has to stop, or if the work panicked.
pub async fn off_the_event_loop<T: Send + 'static>(
    run: &JobRun,
    work: impl FnOnce(&StopFlag) -> T + Send + 'static,
) -> Result<T, Ending> {
    let flag = StopFlag::default();
    // Also if the job's own task is dropped.
    let _raised = flag.raised_on_drop();
    let work = blocking_work(move || work(&flag));
    tokio::select! {
        biased;
        ending = stopped(run) => Err(ending),
        done = work => done.map_err(|error| fault(run, &error)),
    }
}

/// Waits until the job has to stop, and says how it ends. A node that shuts down lets the work go on until
/// its time is up.
async fn stopped(run: &JobRun) -> Ending {
    tokio::select! {
        () = run.stop.asked(StopReason::Canceled) => {}
        () = run.stop.token().cancelled() => {}
    }
    match run.stop.reason() {
        Some(StopReason::Canceled) => Ending::Canceled,
        Some(StopReason::Deadline) => Ending::Failed(job_error::deadline_exceeded(
            run.config.job_deadline.as_secs(),
        )),
        Some(StopReason::LeaseLost) => Ending::LeaseLost,
        Some(StopReason::Draining) | None => Ending::HandBack("the node shuts down".to_owned()),
    }
}

/// How a job ends whose backend's output is no draft that can be checked.
#[must_use]
pub fn refused(error: &DraftError) -> Ending {
    Ending::Failed(match error {
        DraftError::Contract(_) => job_error::bad_draft(&error.to_string()),
        DraftError::TooLarge { what, most } => job_error::oversized_draft(what, *most),
    })
}

/// Logs why claims were dropped: some of them, because a draft may have thousands.
pub fn log_dropped(dropped: &[(String, Dropped)]) {
    for (pointer, reason) in dropped.iter().take(MAX_LOGGED) {
        tracing::info!(pointer, ?reason, "a claim was dropped");
    }
    if dropped.len() > MAX_LOGGED {
        tracing::info!(claims = dropped.len(), "more claims were dropped");
    }
}
