//! Waiting for a place in a provider's rate limit: a manifest's `rate.policies` and `rate.max_concurrent`
//! apply to each account, whoever uses it. `queue` decides, this module waits.
//!
//! An account is a connection. If a provider tells callers apart only by the host's address, because there
//! is nothing to authenticate with, the account is the connector. Nodes share windows of requests if they
//! have something to share them through ([`SharedWindows`]); requests in flight, credits and tokens are
//! counted by each node on its own, starting at zero after a restart.

mod queue;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use gtm_domain::{Failure, FailureKind};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use crate::manifest::{Rate, RatePolicy, RateUnit};
use queue::{Queue, Ticket, WindowMask};

/// Number of accounts at which idle ones are first swept; the next sweep is at each doubling.
const FIRST_SWEEP: usize = 256;

/// Who sends a request, and to which provider account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitKey {
    /// Whose rate limit the provider counts: the id of a connection, or the key of a connector.
    pub account: String,
    /// The project that shares the account fairly with others.
    pub tenant: String,
    /// Id of the operation.
    pub operation: String,
}

/// Rolling windows of requests that several nodes share.
#[async_trait]
pub trait SharedWindows: Send + Sync + fmt::Debug {
    /// Counts one request in the window of `key`: `None` if it may be sent, or else how long to wait before
    /// asking again. Also `None` if the shared count is unavailable; each node then counts on its own.
    async fn admit(&self, key: &str, limit: u32, window: Duration) -> Option<Duration>;
}

/// All queues of this node.
#[derive(Debug)]
pub(super) struct ProviderLimiter {
    started: Instant,
    shared: Option<Arc<dyn SharedWindows>>,
    accounts: Mutex<Accounts>,
}

#[derive(Debug)]
struct Accounts {
    queues: HashMap<String, Arc<AccountQueue>>,
    sweep_at: usize,
}

#[derive(Debug)]
struct AccountQueue {
    queue: Mutex<Queue>,
    changed: Notify,
}

impl AccountQueue {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Every change of a queue is complete before anything else can panic.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place in a queue, and later the right to have one request in flight. Returned when dropped.
#[derive(Debug)]
pub(super) struct RateSlot {
    account_queue: Arc<AccountQueue>,
    ticket: Ticket,
    started: Instant,
}

impl RateSlot {
    /// The request is sent now; from here on it counts.
    pub(super) fn sent(&self) {
        let now = self.started.elapsed();
        self.account_queue.queue().sent(self.ticket, now);
        // Waiting requests learn when the window frees.
        self.account_queue.changed.notify_waiters();
    }
}

impl Drop for RateSlot {
    fn drop(&mut self) {
        self.account_queue.queue().leave(self.ticket);
        self.account_queue.changed.notify_waiters();
    }
}

impl ProviderLimiter {
    pub(super) fn new(shared: Option<Arc<dyn SharedWindows>>) -> Self {
        Self {
            started: Instant::now(),
            shared,
            accounts: Mutex::new(Accounts {
                queues: HashMap::new(),
                sweep_at: FIRST_SWEEP,
            }),
        }
    }

    /// Waits until a request may be sent. `None` if the manifest sets no limits. Dropping the future gives
    /// up the place.
    ///
    /// # Errors
    /// `provider_rate_limit` if the slot would come after `deadline`; at once if that is certain.
    pub(super) async fn take(
        &self,
        key: &LimitKey,
        rate: &Rate,
        deadline: Instant,
    ) -> Result<Option<RateSlot>, Failure> {
        if rate.policies.is_empty() && rate.max_concurrent.is_none() {
            return Ok(None);
        }
        let concerned = queue::concerned(rate, &key.operation);
        let account_queue = self.account_queue(&key.account, rate);
        let ticket = account_queue.queue().join(&key.tenant, concerned);
        let slot = RateSlot {
            account_queue,
            ticket,
            started: self.started,
        };
        let waited = timeout_at(deadline, async {
            self.wait(&slot, concerned, deadline).await?;
            self.share(key, rate, concerned, deadline).await
        });
        match waited.await {
            Ok(Ok(())) => Ok(Some(slot)),
            Ok(Err(failure)) => Err(failure),
            Err(_) => Err(no_turn(None)),
        }
    }

    async fn wait(
        &self,
        slot: &RateSlot,
        concerned: WindowMask,
        deadline: Instant,
    ) -> Result<(), Failure> {
        loop {
            // Listen before looking, so that no change in between is missed.
            let changed = slot.account_queue.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            let now = self.started.elapsed();
            let (granted, moved, not_before, next) = {
                let mut queue = slot.account_queue.queue();
                let moved = queue.advance(now);
                let granted = queue.is_granted(slot.ticket);
                (
                    granted,
                    moved,
                    queue.not_before(concerned),
                    queue.next_change(),
                )
            };
            if moved {
                slot.account_queue.changed.notify_waiters();
            }
            if granted {
                return Ok(());
            }
            if let Some(at) = not_before.filter(|at| self.started + *at >= deadline) {
                return Err(no_turn(Some(at.saturating_sub(now))));
            }
            match next {
                Some(at) => tokio::select! {
                    () = changed => {}
                    () = sleep_until(self.started + at) => {}
                },
                None => changed.await,
            }
        }
    }

    /// Takes a place in the windows that all nodes share.
    async fn share(
        &self,
        key: &LimitKey,
        rate: &Rate,
        concerned: WindowMask,
        deadline: Instant,
    ) -> Result<(), Failure> {
        let Some(shared) = &self.shared else {
            return Ok(());
        };
        for (index, policy) in rate.policies.iter().enumerate() {
            let counts = u32::try_from(index)
                .ok()
                .and_then(|index| 1_u16.checked_shl(index))
                .is_some_and(|bit| concerned & bit != 0);
            if !counts || policy.unit != RateUnit::Requests {
                continue;
            }
            let length = Duration::from_millis(policy.window_ms);
            let window = length + queue::margin(length);
            let limit = u32::try_from(policy.limit).unwrap_or(u32::MAX);
            // The key holds the window's length: versions of a connector with other windows may serve the
            // account at the same time, and a shorter window would forget what a longer one must count.
            // Windows of one length are numbered, because versions may list theirs in another order.
            let alike = |other: &&RatePolicy| {
                other.unit == RateUnit::Requests && other.window_ms == policy.window_ms
            };
            let number = rate.policies.iter().take(index).filter(alike).count();
            let key = format!("provider:{}:{}:{number}", key.account, policy.window_ms);
            while let Some(pause) = shared.admit(&key, limit, window).await {
                if Instant::now() + pause >= deadline {
                    return Err(no_turn(Some(pause)));
                }
                sleep(pause).await;
            }
        }
        Ok(())
    }

    /// Records what a call turned out to cost.
    pub(super) fn charge(&self, key: &LimitKey, rate: &Rate, credits: u64, tokens: u64) {
        if rate.policies.iter().all(|p| p.unit == RateUnit::Requests) {
            return;
        }
        let concerned = queue::concerned(rate, &key.operation);
        let account_queue = self.account_queue(&key.account, rate);
        let now = self.started.elapsed();
        let mut queue = account_queue.queue();
        queue.charge(concerned, RateUnit::Credits, credits, now);
        queue.charge(concerned, RateUnit::Tokens, tokens, now);
    }

    fn account_queue(&self, account: &str, rate: &Rate) -> Arc<AccountQueue> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(account_queue) = accounts.queues.get(account) {
            return Arc::clone(account_queue);
        }
        if accounts.queues.len() >= accounts.sweep_at {
            let now = self.started.elapsed();
            // A queue that somebody holds is about to be joined.
            accounts.queues.retain(|_, account_queue| {
                Arc::strong_count(account_queue) > 1 || !account_queue.queue().is_idle(now)
            });
            accounts.sweep_at = (accounts.queues.len() * 2).max(FIRST_SWEEP);
        }
        let account_queue = Arc::new(AccountQueue {
            queue: Mutex::new(Queue::new(rate)),
            changed: Notify::new(),
        });
        accounts
            .queues
            .insert(account.to_owned(), Arc::clone(&account_queue));
        account_queue
    }
}

fn no_turn(wait: Option<Duration>) -> Failure {
    let failure = Failure::new(
        FailureKind::RateLimited,
        "provider_rate_limit",
        "the provider's rate limit leaves no room for this request before the call has to end",
    );
    match wait.and_then(|wait| u64::try_from(wait.as_millis()).ok()) {
        Some(ms) => failure.with_retry_after_ms(ms),
        None => failure,
    }
}
