//! The workers of one node: they claim jobs while there is room, run each in a task of its own, and hand
//! everything back at a shutdown.

use std::time::Duration;

use gtm_domain::WorkerId;
use gtm_store::Claims;
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;

use crate::engine::Engine;
use crate::run::{NodeSignals, pass_over, run_claimed};

/// How long jobs that were cut off may take to write what they know.
const AFTER_CUT: Duration = Duration::from_secs(6);

/// The running workers of a node. DANGER: dropping it stops nothing; call [`Workers::shutdown`].
pub struct Workers {
    signals: NodeSignals,
    jobs: TaskTracker,
    claims: JoinHandle<()>,
}

impl Workers {
    /// Starts claiming and running jobs on this node. Needs a running tokio runtime.
    #[must_use]
    pub fn start(engine: &Engine) -> Self {
        let signals = NodeSignals::default();
        let jobs = TaskTracker::new();
        let claims = tokio::spawn(claim_loop(engine.clone(), jobs.clone(), signals.clone()));
        Self {
            signals,
            jobs,
            claims,
        }
    }

    /// Stops: claims nothing more; lets each job end and settle its provider calls and hand back its lease;
    /// cuts off what is not done after `grace`. A job that was cut off keeps its lease until that expires,
    /// and is then resumed from its journal.
    pub async fn shutdown(self, grace: Duration) {
        self.signals.drain.cancel();
        // The loop ends by itself; wait for a claim under way, so that its jobs are handed back.
        let _ = self.claims.await;
        self.jobs.close();
        if tokio::time::timeout(grace, self.jobs.wait()).await.is_ok() {
            return;
        }
        tracing::warn!(
            jobs = self.jobs.len(),
            "jobs still run at the end of the shutdown's grace and are cut off"
        );
        self.signals.cut.cancel();
        if tokio::time::timeout(AFTER_CUT, self.jobs.wait())
            .await
            .is_err()
        {
            tracing::warn!(
                jobs = self.jobs.len(),
                "jobs did not end; their leases run out by themselves"
            );
        }
    }
}

async fn claim_loop(engine: Engine, jobs: TaskTracker, signals: NodeSignals) {
    let worker = WorkerId::from_uuid(gtm_store::uuid_v7(engine.clock().now()));
    let config = engine.config().clone();
    let room = std::sync::Arc::new(tokio::sync::Semaphore::new(config.workers));
    tracing::info!(%worker, jobs = config.workers, "workers started");
    while !signals.drain.is_cancelled() {
        let Some(first) = (tokio::select! {
            () = signals.drain.cancelled() => None,
            permit = std::sync::Arc::clone(&room).acquire_owned() => permit.ok(),
        }) else {
            break;
        };
        let mut permits = vec![first];
        while let Ok(more) = std::sync::Arc::clone(&room).try_acquire_owned() {
            permits.push(more);
        }
        let wanted = permits.len();
        let claimed = engine
            .store()
            .claim_jobs(worker, wanted, config.per_project_running, config.lease)
            .await
            .unwrap_or_else(|error| {
                tracing::warn!(%error, "claiming jobs failed; trying again");
                Claims::default()
            });
        for job in claimed.unreadable {
            let engine = engine.clone();
            jobs.spawn(async move { pass_over(&engine, job).await });
        }
        let found = claimed.jobs.len();
        for (job, permit) in claimed.jobs.into_iter().zip(permits) {
            let (engine, signals) = (engine.clone(), signals.clone());
            jobs.spawn(async move {
                run_claimed(&engine, job, signals).await;
                drop(permit);
            });
        }
        // A full claim may have left more jobs behind: look again at once.
        if found < wanted {
            tokio::select! {
                () = signals.drain.cancelled() => {}
                () = engine.store().job_available() => {}
                () = tokio::time::sleep(config.poll_interval) => {}
            }
        }
    }
}
