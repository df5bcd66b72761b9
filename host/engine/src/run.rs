//! One job under one lease: its clocks, its run, its end.
//!
//! While the job runs, its lease is renewed, its deadline is kept, and a request to cancel or a shutdown of
//! the node is noticed. Whatever ends the run, at most one end is written, and only under the lease.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use gtm_domain::Usage;
use gtm_domain::job::{Finish, Job};
use gtm_store::{ClaimedJob, Lease, StoreError, UnreadableJob};
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::config::EngineConfig;
use crate::ending::Ending;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::fail_points;
use crate::job_error;
use crate::job_types::{self, JobRun};
use crate::journal::open_steps;
use crate::journal::persist::{may_pass, persist};
use crate::journal::state::LeasedJob;
use crate::measures::{self, RunningJob};
use crate::pins::Pins;
use crate::stop::{Stop, StopReason};

/// Time between two checks for a request to cancel.
const CANCEL_POLL: Duration = Duration::from_millis(500);

/// Signals from a node to its running jobs.
#[derive(Debug, Clone, Default)]
pub(crate) struct NodeSignals {
    /// Start nothing new and hand jobs back.
    pub drain: CancellationToken,
    /// Time is up: cut off whatever still runs.
    pub cut: CancellationToken,
}

/// Runs a claimed job until it ends or its lease is lost.
pub(crate) async fn run_claimed(engine: &Engine, claimed: ClaimedJob, signals: NodeSignals) {
    let span = tracing::info_span!(
        "job",
        job = %claimed.job.id,
        project = %claimed.job.project,
        job_type = claimed.job.job_type.as_str(),
        attempt = claimed.job.attempts,
    );
    async move {
        let _running = RunningJob::begin();
        fail_points::pass(fail_points::CLAIM_AFTER);
        tracing::info!(resumed = claimed.resumed, "job claimed");
        let stop = Arc::new(Stop::default());
        if claimed.job.cancel_requested {
            stop.ask(StopReason::Canceled);
        }
        let ends_at = ends_at(engine, &claimed);
        let clocks = tokio::spawn(clocks(
            engine.clone(),
            claimed.lease.clone(),
            Arc::clone(&stop),
            signals,
            ends_at,
        ));
        let ran = AssertUnwindSafe(execute(engine, &claimed, &stop, ends_at))
            .catch_unwind()
            .await;
        let (ending, usage) = match ran {
            Ok(end) => end,
            Err(_) => (after_panic(engine, &claimed), Usage::default()),
        };
        let leased = LeasedJob {
            store: engine.store().clone(),
            lease: claimed.lease,
        };
        let (attempts, config) = (claimed.job.attempts, engine.config().clone());
        let hopeless = move |error: &StoreError| {
            attempts > config.max_claims || (attempts >= config.max_panics && !may_pass(error))
        };
        conclude(&leased, ending, usage, &hopeless).await;
        clocks.abort();
    }
    .instrument(span)
    .await;
}

/// Leaves a job whose row is unreadable alone until its lease expires: an operator may repair it in the
/// meantime, or another version of this program may be able to read it. A job that was claimed too often,
/// or is to be canceled, is given up.
pub(crate) async fn pass_over(engine: &Engine, job: UnreadableJob) {
    let UnreadableJob {
        lease,
        attempts,
        cancel_requested,
    } = job;
    if attempts <= engine.config().max_claims && !cancel_requested {
        tracing::error!(job = %lease.job(), attempts, "the job cannot be read; it is tried again when its lease runs out");
        return;
    }
    let span = tracing::info_span!("job", job = %lease.job(), project = %lease.project());
    let store = engine.store().clone();
    give_up(&LeasedJob { store, lease }).instrument(span).await;
}

/// When the job runs out of time, counted from its first start, on whichever node that was.
fn ends_at(engine: &Engine, claimed: &ClaimedJob) -> Instant {
    let used = engine.clock().now().since(claimed.started_at);
    Instant::now() + engine.config().job_deadline.saturating_sub(used)
}

async fn execute(
    engine: &Engine,
    claimed: &ClaimedJob,
    stop: &Arc<Stop>,
    ends_at: Instant,
) -> (Ending, Usage) {
    let job = claimed.job.id;
    if claimed.job.attempts > engine.config().max_claims {
        tracing::error!(
            attempts = claimed.job.attempts,
            "the job was claimed too often and is given up"
        );
        return (Ending::Failed(job_error::internal(job)), Usage::default());
    }
    // Already canceled or out of time; do not start the backend.
    if stop.reason() == Some(StopReason::Canceled) {
        return (Ending::Canceled, Usage::default());
    }
    if ends_at <= Instant::now() {
        let error = job_error::deadline_exceeded(engine.config().job_deadline.as_secs());
        return (Ending::Failed(error), Usage::default());
    }
    let leased = LeasedJob {
        store: engine.store().clone(),
        lease: claimed.lease.clone(),
    };
    let prepared = async {
        let recorded = leased.store.load_steps(&leased.lease).await?;
        let pins = Pins::from_value(&claimed.pins)?;
        Ok::<_, EngineError>((recorded, pins))
    };
    let (recorded, pins) = match prepared.await {
        Ok(prepared) => prepared,
        Err(EngineError::Store(StoreError::LeaseLost)) => {
            return (Ending::LeaseLost, Usage::default());
        }
        Err(EngineError::Store(error)) => {
            return (Ending::Pause(error.to_string()), Usage::default());
        }
        Err(error) => {
            tracing::error!(%error, "the job cannot be read");
            return (Ending::Failed(job_error::internal(job)), Usage::default());
        }
    };
    let run = JobRun {
        plugins: engine.plugins().clone(),
        config: engine.config().clone(),
        clock: Arc::clone(engine.clock()),
        job: claimed.job.clone(),
        pins,
        seed: claimed.seed,
        started_at: claimed.started_at,
        cost_cap: claimed.cost_cap,
        reader: Arc::new(leased.clone()),
        leased: Some(leased),
        recorded,
        stop: Arc::clone(stop),
        ends_at,
        pure_cpu_ms: Arc::default(),
    };
    job_types::perform(engine.job_types(), run).await
}

/// A panic is our own fault: the job is retried after a pause, and given up after a few attempts.
fn after_panic(engine: &Engine, claimed: &ClaimedJob) -> Ending {
    tracing::error!("the job's run panicked");
    if claimed.job.attempts >= engine.config().max_panics {
        Ending::Failed(job_error::internal(claimed.job.id))
    } else {
        Ending::Pause("the run panicked".to_owned())
    }
}

/// Writes the end of the job, once. If it cannot be written for a reason that is `hopeless`, gives the job
/// up.
async fn conclude(
    leased: &LeasedJob,
    ending: Ending,
    usage: Usage,
    hopeless: &(dyn Fn(&StoreError) -> bool + Sync),
) {
    let LeasedJob { store, lease } = leased;
    let finish = match ending {
        Ending::Succeeded { result, product } => Finish::Succeeded { result, product },
        Ending::Failed(error) => {
            tracing::info!(code = %error.code, "job failed");
            Finish::Failed { error }
        }
        Ending::Canceled => Finish::Canceled,
        Ending::HandBack(reason) => {
            tracing::info!(reason, "job handed back");
            if let Err(error) = store.release(lease).await {
                tracing::warn!(%error, "the lease was not handed back; it runs out by itself");
            }
            return;
        }
        Ending::Pause(problem) => {
            tracing::error!(
                problem,
                "the job cannot go on now; it is resumed when its lease runs out"
            );
            return;
        }
        Ending::LeaseLost => {
            tracing::warn!("the job's lease is not ours any more; nothing is written");
            return;
        }
    };
    fail_points::pass(fail_points::FINISH_BEFORE);
    match end(leased, finish, usage).await {
        Ok(row) => {
            fail_points::pass(fail_points::FINISH_AFTER);
            measures::job_ended(row.job_type, row.status);
            tracing::info!(status = row.status.as_str(), cost = %row.usage.cost, "job ended");
        }
        // The first attempt may have succeeded although its answer was lost: then the job has ended, and
        // the second attempt finds no lease.
        Err(StoreError::LeaseLost) => {
            tracing::warn!("the job's end was not ours to write, or is written already");
        }
        // The next run leaves the person out, or finds the gate closed. Whoever is claimed too often is given up before
        // it runs.
        Err(error @ (StoreError::NamedSince | StoreError::ClosedSince(_))) => {
            tracing::info!(%error, "job handed back");
            if let Err(error) = store.release(lease).await {
                tracing::warn!(%error, "the lease was not handed back; it runs out by itself");
            }
        }
        Err(error) if hopeless(&error) => {
            tracing::error!(%error, "the job's end could not be written again; the job is given up");
            give_up(leased).await;
        }
        Err(error) => {
            tracing::error!(%error, "the job's end could not be written; it is resumed when the lease runs out");
        }
    }
}

/// Ends a job without the parts that prevent its end from being written: its result is lost, and its
/// charges await an operator. If the store is entirely unavailable, the job is resumed like any other and
/// arrives here again.
async fn give_up(leased: &LeasedJob) {
    let LeasedJob { store, lease } = leased;
    let error = job_error::settlement_failed(lease.job());
    match persist(|| store.give_up(lease, error.clone()), || None).await {
        Ok(row) => {
            measures::job_ended(row.job_type, row.status);
            tracing::error!("the job was given up; its calls await `gtm ledger reconcile`");
        }
        Err(StoreError::LeaseLost) => {
            tracing::warn!("the job is not ours to give up, or has ended already");
        }
        Err(error) => {
            tracing::error!(%error, "the job could not be given up; it is resumed when the lease runs out");
        }
    }
}

async fn end(leased: &LeasedJob, finish: Finish, ran: Usage) -> Result<Job, StoreError> {
    let usage = if matches!(finish, Finish::Succeeded { .. }) {
        // The backend ran to its end, so no call is open.
        ran
    } else {
        // The usage of calls under way is known only to the journal, and that of the backend only to this
        // run.
        let journaled = open_steps::close(leased).await?;
        Usage {
            backend_runtime_ms: journaled.backend_runtime_ms.max(ran.backend_runtime_ms),
            ..journaled
        }
    };
    persist(
        || leased.store.finish(&leased.lease, finish.clone(), usage),
        || None,
    )
    .await
}

/// Watches for everything that may stop the job from outside.
async fn clocks(
    engine: Engine,
    lease: Lease,
    stop: Arc<Stop>,
    signals: NodeSignals,
    ends_at: Instant,
) {
    let renewals = renewals(&engine, &lease, &stop);
    let cancellation = cancellation(&stop, engine.config());
    let deadline = async {
        tokio::time::sleep_until(ends_at).await;
        stop.cut_off(StopReason::Deadline);
    };
    let drain = async {
        signals.drain.cancelled().await;
        stop.ask(StopReason::Draining);
    };
    let cut = async {
        signals.cut.cancelled().await;
        stop.cut_off(StopReason::Draining);
    };
    let wish = cancel_requests(&engine, &lease, &stop);
    tokio::join!(renewals, wish, cancellation, deadline, drain, cut);
}

/// Renews the lease three times per lease length. Renewing only saves work that could not be stored; the
/// fence on each write is what keeps a worker without a lease from writing.
async fn renewals(engine: &Engine, lease: &Lease, stop: &Stop) {
    let length = engine.config().lease;
    let mut ticks = tokio::time::interval((length / 3).max(Duration::from_millis(10)));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.tick().await;
    let mut held_since = Instant::now();
    loop {
        ticks.tick().await;
        let asked = Instant::now();
        match tokio::time::timeout(length / 3, engine.store().renew(lease, length)).await {
            Ok(Ok(state)) => {
                held_since = asked;
                if state.cancel_requested {
                    stop.ask(StopReason::Canceled);
                }
            }
            Ok(Err(StoreError::LeaseLost)) => {
                stop.cut_off(StopReason::LeaseLost);
                return;
            }
            Ok(Err(_)) | Err(_) if held_since.elapsed() >= length => {
                tracing::warn!("the lease ran out because it could not be renewed");
                stop.cut_off(StopReason::LeaseLost);
                return;
            }
            Ok(Err(error)) => tracing::warn!(%error, "the lease was not renewed; trying again"),
            Err(_) => tracing::warn!("renewing the lease takes too long; trying again"),
        }
    }
}

/// Notices a request to cancel within half a second; renewals are writes and come less often.
async fn cancel_requests(engine: &Engine, lease: &Lease, stop: &Stop) {
    let mut ticks = tokio::time::interval(CANCEL_POLL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        // A failed read is repeated; renewals deal with a store that stays away.
        if engine
            .store()
            .leased_job(lease)
            .await
            .is_ok_and(|job| job.cancel_requested)
        {
            return stop.ask(StopReason::Canceled);
        }
    }
}

/// Cuts off a canceled job that does not stop by itself: free calls soon, calls that a provider may charge
/// for later.
async fn cancellation(stop: &Stop, config: &EngineConfig) {
    stop.asked(StopReason::Canceled).await;
    tokio::time::sleep(config.cancel_grace).await;
    stop.cut_off_free(StopReason::Canceled);
    tokio::time::sleep(config.paid_call_grace).await;
    stop.cut_off(StopReason::Canceled);
}
