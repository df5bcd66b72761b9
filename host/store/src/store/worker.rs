//! The worker's side: claiming jobs and writing their journal, events and outcome. Every write is fenced by
//! the lease: [`StoreError::LeaseLost`] means that nothing was written.

use std::time::Duration;

use bytes::Bytes;
use gtm_domain::connection::Connection;
use gtm_domain::job::file::check_files;
use gtm_domain::job::{Finish, Job, JobError, JobEventNew, JobFile, NewFile, Product};
use gtm_domain::receipt::Receipt;
use gtm_domain::step::{NewStep, Step, StepOutcome, StepState};
use gtm_domain::{ConnectionId, MicroUsd, ReceiptId, Timestamp, Usage, WorkerId};
use serde_json::Value;

use super::{Store, on_database};
use crate::access::Access;
use crate::claim::Claim;
use crate::error::StoreError;
use crate::model::connection::ConnectionSecrets;
use crate::model::job::{Claims, LeaseState};
use crate::model::step::Settlement;
use crate::prepared_product::PreparedProduct;
use crate::scope::Lease;
use crate::secrets::{SealedField, open_field};
use crate::settlement::{PreparedSettlement, StoredStep};

/// How long a worker waits before it looks for work without being notified.
const POLL: Duration = Duration::from_millis(500);

impl Store {
    /// Claims up to `max` jobs for `lease`: queued ones, and running ones whose lease has expired. The
    /// order is fair between projects: those with the fewest running jobs come first and, among these,
    /// those served longest ago; no project gets more than `per_project_running` jobs at a time. A job
    /// whose row cannot be read must not keep other projects waiting: it is passed over for `lease`, and
    /// counts as running for its own project.
    ///
    /// # Errors
    /// If the database cannot be written; then nothing was claimed.
    pub async fn claim_jobs(
        &self,
        worker: WorkerId,
        max: usize,
        per_project_running: usize,
        lease: Duration,
    ) -> Result<Claims, StoreError> {
        let (claim, now) = (
            Claim {
                worker,
                max,
                per_project_running,
                lease,
            },
            self.now(),
        );
        on_database!(self, write, Access::All, |c, repo| repo::claims::claim(
            c, claim, now
        )
        .await)
    }

    /// Waits until a job may be claimable: one was created or handed back, or half a second passed (for
    /// leases that expired, and jobs created by another process on the same SQLite file).
    pub async fn job_available(&self) {
        // A timeout is as good a reason to look as a notification.
        let _ = tokio::time::timeout(POLL, self.inner.wake.notified()).await;
    }

    /// Extends the lease to `duration` from now.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`].
    pub async fn renew(&self, lease: &Lease, duration: Duration) -> Result<LeaseState, StoreError> {
        let (lease, until) = (lease.clone(), self.now().plus(duration));
        on_database!(self, write, Access::Project(lease.project), |c, repo| {
            repo::claims::renew(c, &lease, until).await
        })
    }

    /// Hands the job back: it stays `running` and can be claimed at once, also by other workers.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`].
    pub async fn release(&self, lease: &Lease) -> Result<(), StoreError> {
        let (lease, now) = (lease.clone(), self.now());
        on_database!(self, write, Access::Project(lease.project), |c, repo| {
            repo::claims::release(c, &lease, now).await
        })?;
        self.job_waits();
        Ok(())
    }

    /// Replaces the job's pins, with what its run has read of facts that change: whoever resumes or replays the job
    /// must see the same.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`].
    pub async fn record_pins(&self, lease: &Lease, pins: Value) -> Result<(), StoreError> {
        let lease = lease.clone();
        on_database!(self, write, Access::Project(lease.project), |c, repo| {
            repo::claims::record_pins(c, &lease, &pins).await
        })
    }

    /// The job's current row.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn leased_job(&self, lease: &Lease) -> Result<Job, StoreError> {
        self.get_job(&lease.scope(), lease.job)
            .await?
            .ok_or_else(|| StoreError::absent("job", lease.job))
    }

    /// The journal in order, with outcomes.
    ///
    /// # Errors
    /// If database or blobs cannot be read, or a blob is damaged.
    pub async fn load_steps(&self, lease: &Lease) -> Result<Vec<Step>, StoreError> {
        let job = lease.job;
        let stored = on_database!(self, read, Access::Project(lease.project), |c, repo| {
            repo::steps::list(c, job).await
        })?;
        self.with_outcomes(stored).await
    }

    /// Records the intent of a provider call. It is on disk when this returns.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`]; [`StoreError::Conflict`] if the position or the step key is taken;
    /// [`StoreError::Refused`] if the call may cost more than limits and credit allow at this moment.
    pub async fn start_step(&self, lease: &Lease, step: NewStep) -> Result<(), StoreError> {
        let (store, lease, now) = (self.clone(), lease.clone(), self.now());
        on_database!(self, write, Access::Project(lease.project), |c, repo| {
            repo::step_intents::start(c, &lease, &step, store.tiers(), now).await
        })
    }

    /// Records another attempt of an in-doubt step that has begun `attempts` times. Returns the number of
    /// attempts including this one. Without a key the provider may charge each attempt, so each one counts.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`]; [`StoreError::Conflict`] if the step is not in doubt, or has begun
    /// another number of times; [`StoreError::Refused`] as for [`Self::start_step`].
    pub async fn restart_step(
        &self,
        lease: &Lease,
        seq: u64,
        attempts: u32,
    ) -> Result<u32, StoreError> {
        let (store, lease, now) = (self.clone(), lease.clone(), self.now());
        on_database!(self, write, Access::Project(lease.project), |c, repo| {
            repo::step_intents::restart(c, &lease, seq, attempts, store.tiers(), now).await
        })
    }

    /// Takes back the last of `attempts` attempts of a step, because nothing of that attempt was sent: the
    /// step has then never begun, or is in doubt as before.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`]; [`StoreError::Conflict`] if the step is not in doubt, or has begun
    /// another number of times.
    pub async fn unstart_step(
        &self,
        lease: &Lease,
        seq: u64,
        attempts: u32,
    ) -> Result<(), StoreError> {
        let lease = lease.clone();
        on_database!(self, write, Access::Project(lease.project), |c, repo| {
            repo::step_intents::unstart(c, &lease, seq, attempts).await
        })
    }

    /// Settles a provider call: writes its blobs first, then in one transaction the step's outcome, its
    /// receipts, its usage and its cost row.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`]; [`StoreError::Conflict`] if the step is not started or is settled
    /// already; a failure of disk or database. In every case the step stays unchanged.
    pub async fn settle_step(
        &self,
        lease: &Lease,
        seq: u64,
        settlement: Settlement,
    ) -> Result<(), StoreError> {
        let (lease, now) = (lease.clone(), self.now());
        let _writing = self.inner.blobs.writing().await?;
        let prepared = self.prepare(settlement).await?;
        on_database!(self, write, Access::Project(lease.project), |c, repo| {
            repo::steps::settle(c, &lease, seq, &prepared, now).await
        })
    }

    async fn prepare(&self, settlement: Settlement) -> Result<PreparedSettlement, StoreError> {
        let text = serde_json::to_vec(&settlement.outcome)
            .map_err(|e| StoreError::Conflict(format!("outcome: {e}")))?;
        let mut exchanges = Vec::with_capacity(settlement.exchanges.len());
        for (receipt, body) in settlement.exchanges {
            exchanges.push((receipt, self.inner.blobs.keep_answer(body).await?));
        }
        Ok(PreparedSettlement {
            state: if settlement.outcome.is_ok() {
                StepState::Settled
            } else {
                StepState::Failed
            },
            outcome: self.inner.blobs.keep(text.into()).await?,
            exchanges,
            usage: settlement.usage,
            reported: settlement.reported,
            reconcile: settlement.reconcile,
            at_most: settlement.at_most,
        })
    }

    /// Fetches the outcomes that are stored as blobs.
    pub(super) async fn with_outcomes(
        &self,
        stored: Vec<StoredStep>,
    ) -> Result<Vec<Step>, StoreError> {
        let mut steps = Vec::with_capacity(stored.len());
        for step in stored {
            let outcome: Option<StepOutcome> = match step.outcome {
                None => None,
                Some(kept) => {
                    let bytes = self.inner.blobs.fetch(kept).await?;
                    let corrupt =
                        |e| StoreError::Corrupt(format!("outcome of step {}: {e}", step.step.seq));
                    Some(serde_json::from_slice(&bytes).map_err(corrupt)?)
                }
            };
            steps.push(Step {
                step: step.step,
                state: step.state,
                outcome,
                usage: step.usage,
                attempts: step.attempts,
                started_at: step.started_at,
                settled_at: step.settled_at,
                held: step.held,
            });
        }
        Ok(steps)
    }

    /// Records an event, once for each ordinal. Returns whether it was new.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`].
    pub async fn emit(&self, lease: &Lease, event: JobEventNew) -> Result<bool, StoreError> {
        let (lease, now) = (lease.clone(), self.now());
        on_database!(self, write, Access::Project(lease.project), |c, repo| {
            repo::events::emit(c, &lease, &event, now).await
        })
    }

    /// Ends the job in one transaction: result or error, usage, settlement on the ledger, status. The cost
    /// that is charged and shown is the sum of the job's cost rows, whatever `usage` says; the rest of
    /// `usage` is used as given. A success whose cost exceeds the prepaid credit ends the job as failed,
    /// `insufficient_credits`, and is charged.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`], also when the job has ended already. [`StoreError::NamedSince`] if a search found
    /// somebody whom it [must not store](Self::must_not_store). [`StoreError::ClosedSince`] if a message must not be
    /// drafted any more.
    pub async fn finish(
        &self,
        lease: &Lease,
        finish: Finish,
        usage: Usage,
    ) -> Result<Job, StoreError> {
        let (lease, now) = (lease.clone(), self.now());
        let files = match &finish {
            Finish::Succeeded {
                product: Product::Files(files),
                ..
            } => &files[..],
            _ => &[],
        };
        check_files(files).map_err(StoreError::conflict)?;
        // A sweep between blobs and rows would remove the blobs, so none may run until both are written.
        let _writing = match files {
            [] => None,
            _ => Some(self.inner.blobs.writing().await?),
        };
        let mut written = Vec::with_capacity(files.len());
        for file in files {
            written.push(self.write_file(&lease, file, now).await?);
        }
        let prospects = match &finish {
            Finish::Succeeded {
                product: Product::Candidates(candidates),
                ..
            } => self.with_ids(lease.job, lease.project, candidates.clone(), now)?,
            _ => Vec::new(),
        };
        on_database!(self, write, Access::Project(lease.project), |c, repo| {
            let prepared = PreparedProduct {
                files: &written,
                prospects: &prospects,
            };
            repo::outcomes::finish(c, &lease, &finish, prepared, usage, now).await
        })
    }

    /// Writes a file's content and returns what its row will contain. The content is hashed here, outside
    /// of the transaction, because that one holds the organization's money.
    async fn write_file(
        &self,
        lease: &Lease,
        file: &NewFile,
        now: Timestamp,
    ) -> Result<JobFile, StoreError> {
        Ok(JobFile {
            id: file.id,
            job: lease.job,
            name: file.name.clone(),
            media_type: file.media_type.clone(),
            digest: self.inner.blobs.put(file.bytes.clone()).await?,
            size_bytes: file.bytes.len() as u64,
            created_at: now,
        })
    }

    /// Ends a job as failed if its end could not be written otherwise. It is charged nothing; every call
    /// that may have cost something is marked for reconciliation, so that an operator settles it by what
    /// the provider says. Its usage is not reported.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`], also when the job has ended already.
    pub async fn give_up(&self, lease: &Lease, error: JobError) -> Result<Job, StoreError> {
        let (lease, now) = (lease.clone(), self.now());
        on_database!(self, write, Access::Project(lease.project), |c, repo| {
            repo::outcomes::give_up(c, &lease, &error, now).await
        })
    }

    /// A receipt of this job with its bytes; `None` if the job has no such receipt.
    ///
    /// # Errors
    /// If database or blob cannot be read, or the blob is damaged.
    pub async fn read_receipt_body(
        &self,
        lease: &Lease,
        id: ReceiptId,
    ) -> Result<Option<(Receipt, Bytes)>, StoreError> {
        self.receipt_body(&lease.scope(), lease.job, id).await
    }

    /// What the job's settled steps cost.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn job_spend(&self, lease: &Lease) -> Result<MicroUsd, StoreError> {
        let job = lease.job;
        on_database!(self, read, Access::Project(lease.project), |c, repo| {
            repo::steps::spend(c, job).await
        })
    }

    /// A connection with its opened secrets: the project's own, or one named by a binding of its
    /// organization or of the platform. `None` if the job may use no such connection. The caller must check
    /// its status.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] if a secret does not open; other connections are not affected.
    pub async fn connection_for_job(
        &self,
        lease: &Lease,
        id: ConnectionId,
    ) -> Result<Option<ConnectionSecrets>, StoreError> {
        let (project, organization) = (lease.project, lease.organization);
        let found = on_database!(self, snapshot, Access::All, |c, repo| {
            let Some(connection) = repo::connections::usable(c, id, project, organization).await?
            else {
                return Ok(None);
            };
            let sealed = repo::connections::secrets(c, &connection).await?;
            Ok(Some((connection, sealed)))
        })?;
        found
            .map(|(connection, sealed)| self.opened(connection, &sealed))
            .transpose()
    }

    /// A connection with its secrets opened.
    pub(super) fn opened(
        &self,
        connection: Connection,
        sealed: &[SealedField],
    ) -> Result<ConnectionSecrets, StoreError> {
        let open = |field: &SealedField| {
            open_field(&self.inner.keys, field).map(|value| (field.field.clone(), value))
        };
        let credentials = sealed.iter().map(open).collect::<Result<_, _>>()?;
        Ok(ConnectionSecrets {
            connection,
            credentials,
        })
    }
}
