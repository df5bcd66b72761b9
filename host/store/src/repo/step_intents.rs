//! Intents of provider calls: a call begins, begins again, or is taken back as if it had never begun. From
//! here until it is settled, what it may cost counts against every limit; a call without a key that its
//! provider recognizes counts once for each attempt.

use gtm_domain::step::{NewStep, may_cost};
use gtm_domain::{MicroUsd, TierTable, Timestamp};

use super::{Conn, claims, exposure, money};
use crate::columns::{Json, Text, Time, count, stored};
use crate::error::StoreError;
use crate::scope::Lease;

row! {
    /// A call that has begun and is not settled.
    #[derive(Clone, Copy, Default)]
    pub(super) struct OpenStep {
        ceiling: i64,
        keyed: bool,
        attempts: i64,
    }
}

impl OpenStep {
    /// The most that one attempt may cost. Pins fix the price, so it never changes.
    pub(super) const fn ceiling(&self) -> MicroUsd {
        MicroUsd::from_micros(self.ceiling)
    }
    fn attempts(&self) -> u32 {
        u32::try_from(count(self.attempts)).unwrap_or(u32::MAX)
    }
    /// The most that all attempts together may cost.
    pub(super) fn may_cost(&self) -> MicroUsd {
        may_cost(self.ceiling(), self.keyed, self.attempts())
    }
}

/// The call at this position, if it is open.
pub(super) async fn open(
    c: &mut Conn,
    lease: &Lease,
    seq: u64,
) -> Result<Option<OpenStep>, StoreError> {
    let sql = "SELECT ceiling, keyed, attempts FROM job_steps \
        WHERE job_id = $1 AND seq = $2 AND state = 'started'";
    let found = sqlx::query_as(sql)
        .bind(Text(lease.job))
        .bind(stored(seq))
        .fetch_optional(c)
        .await?;
    Ok(found)
}

pub(crate) async fn start(
    c: &mut Conn,
    lease: &Lease,
    step: &NewStep,
    tiers: &TierTable,
    now: Timestamp,
) -> Result<(), StoreError> {
    if step.ceiling.is_positive() {
        let balance = money::lock(c, lease.organization).await?;
        claims::owned(c, lease).await?;
        // A retry after a lost confirmation of this write: its first try is already counted, and the second
        // must not be refused on account of the first.
        if is_begun(c, lease, step).await? {
            return Err(begun(step));
        }
        let counted = MicroUsd::ZERO;
        money::allow_call(c, lease, step.ceiling, counted, tiers, balance, now).await?;
    } else {
        claims::owned(c, lease).await?;
    }
    let sql = "INSERT INTO job_steps (job_id, seq, project_id, capability, input_digest, connection_id, connector, \
        replay_safe, keyed, step_key, state, attempts, started_at, ceiling) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'started', 1, $11, $12) ON CONFLICT DO NOTHING";
    let done = sqlx::query(sql)
        .bind(Text(lease.job))
        .bind(stored(step.seq))
        .bind(Text(lease.project))
        .bind(&step.capability)
        .bind(Text(step.input_digest))
        .bind(step.connection.map(Text))
        .bind(step.connector.as_ref().map(Json))
        .bind(step.replay_safe)
        .bind(step.keyed)
        .bind(&step.step_key)
        .bind(Time(now))
        .bind(step.ceiling.micros())
        .execute(&mut *c)
        .await?;
    if done.rows_affected() == 0 {
        return Err(begun(step));
    }
    exposure::change(c, lease, step.ceiling).await
}

async fn is_begun(c: &mut Conn, lease: &Lease, step: &NewStep) -> Result<bool, StoreError> {
    let sql =
        "SELECT EXISTS (SELECT 1 FROM job_steps WHERE job_id = $1 AND (seq = $2 OR step_key = $3))";
    let query = sqlx::query_scalar(sql)
        .bind(Text(lease.job))
        .bind(stored(step.seq))
        .bind(&step.step_key);
    Ok(query.fetch_one(c).await?)
}

fn begun(step: &NewStep) -> StoreError {
    StoreError::Conflict(format!(
        "step {} or its key {} exists already",
        step.seq, step.step_key
    ))
}

/// Locks an open call that has begun `attempts` times, and the organization's money if the call may cost
/// something.
async fn hold(
    c: &mut Conn,
    lease: &Lease,
    seq: u64,
    attempts: u32,
) -> Result<(OpenStep, Option<MicroUsd>), StoreError> {
    let found = open(c, lease, seq).await?;
    let balance = if found.is_some_and(|step| step.ceiling().is_positive()) {
        Some(money::lock(c, lease.organization).await?)
    } else {
        None
    };
    claims::owned(c, lease).await?;
    // Read it again, now that nobody else can change it.
    let step = open(c, lease, seq).await?;
    let step = step.filter(|step| step.attempts() == attempts);
    let step = step.ok_or_else(|| {
        StoreError::Conflict(format!(
            "step {seq} is settled, or was not begun {attempts} times"
        ))
    })?;
    Ok((step, balance))
}

/// Begins a call again that has begun `attempts` times. Repeating this write after its confirmation was
/// lost is a conflict; otherwise the attempt would count twice.
pub(crate) async fn restart(
    c: &mut Conn,
    lease: &Lease,
    seq: u64,
    attempts: u32,
    tiers: &TierTable,
    now: Timestamp,
) -> Result<u32, StoreError> {
    let (step, balance) = hold(c, lease, seq, attempts).await?;
    let ceiling = step.ceiling();
    if let Some(balance) = balance {
        let counted = if step.keyed { ceiling } else { MicroUsd::ZERO };
        money::allow_call(c, lease, ceiling, counted, tiers, balance, now).await?;
    }
    let attempts = attempts.saturating_add(1);
    set_attempts(c, lease, seq, attempts).await?;
    let again = may_cost(ceiling, step.keyed, attempts) - step.may_cost();
    exposure::change(c, lease, again).await?;
    Ok(attempts)
}

/// Takes back the last of `attempts` attempts of a call, because nothing of that attempt was sent.
pub(crate) async fn unstart(
    c: &mut Conn,
    lease: &Lease,
    seq: u64,
    attempts: u32,
) -> Result<(), StoreError> {
    let (step, _) = hold(c, lease, seq, attempts).await?;
    let left = attempts.saturating_sub(1);
    let may_cost = if left == 0 {
        sqlx::query("DELETE FROM job_steps WHERE job_id = $1 AND seq = $2")
            .bind(Text(lease.job))
            .bind(stored(seq))
            .execute(&mut *c)
            .await?;
        MicroUsd::ZERO
    } else {
        set_attempts(c, lease, seq, left).await?;
        may_cost(step.ceiling(), step.keyed, left)
    };
    exposure::change(c, lease, may_cost - step.may_cost()).await
}

async fn set_attempts(
    c: &mut Conn,
    lease: &Lease,
    seq: u64,
    attempts: u32,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE job_steps SET attempts = $3 WHERE job_id = $1 AND seq = $2")
        .bind(Text(lease.job))
        .bind(stored(seq))
        .bind(i64::from(attempts))
        .execute(c)
        .await?;
    Ok(())
}
