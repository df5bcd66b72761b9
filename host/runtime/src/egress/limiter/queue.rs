//! Who may send next to one account of a provider: the manifest's windows, the requests in flight, and
//! tenants that take turns. It has no clock and never waits, so that it can be tested on its own. Times are
//! spans since some fixed start.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use crate::manifest::{Rate, RateUnit};

/// Longest extension of a window: requests travel for different times, and the provider counts them when
/// they arrive.
const MAX_MARGIN: Duration = Duration::from_millis(100);

pub(super) type Ticket = u64;

/// Bit mask of the windows that a request counts in; a manifest has at most 16.
pub(super) type WindowMask = u16;

/// One rate policy and how much of it is used.
#[derive(Debug)]
struct Window {
    limit: u64,
    length: Duration,
    unit: RateUnit,
    /// How much was used when, oldest first.
    used: VecDeque<(Duration, u64)>,
    /// Total of `used`. A provider may report any amounts, so their sum needs more bits than each.
    sum: u128,
    /// Requests granted but not yet sent.
    granted: u64,
}

impl Window {
    fn forget(&mut self, now: Duration) {
        while let Some((at, amount)) = self.used.front().copied() {
            if now < at + self.length {
                break;
            }
            self.sum -= u128::from(amount);
            self.used.pop_front();
        }
    }

    fn has_room(&self) -> bool {
        match self.unit {
            RateUnit::Requests => self.sum + u128::from(self.granted) < self.limit(),
            // What a request costs is known only afterwards.
            RateUnit::Credits | RateUnit::Tokens => self.sum < self.limit(),
        }
    }

    fn use_up(&mut self, now: Duration, amount: u64) {
        // Threads may take the lock in another order than they read the clock.
        let now = self.used.back().map_or(now, |(last, _)| now.max(*last));
        self.used.push_back((now, amount));
        self.sum += u128::from(amount);
    }

    fn limit(&self) -> u128 {
        self.limit.into()
    }

    /// When the window has room again if `taken` more units are used.
    fn frees_at(&self, taken: u64) -> Option<Duration> {
        let mut left = self.sum + u128::from(taken);
        for (at, amount) in &self.used {
            left -= u128::from(*amount);
            if left < self.limit() {
                return Some(*at + self.length);
            }
        }
        None
    }
}

#[derive(Debug, Clone, Copy)]
struct Waiting {
    ticket: Ticket,
    concerned: WindowMask,
}

#[derive(Debug, Clone, Copy)]
struct Granted {
    concerned: WindowMask,
    sent: bool,
}

/// The queue of one account.
#[derive(Debug)]
pub(super) struct Queue {
    windows: Vec<Window>,
    max_concurrent: usize,
    /// Tenants in the order of their turns, each with its requests, oldest first. No tenant's queue is
    /// empty.
    waiting: VecDeque<(String, VecDeque<Waiting>)>,
    granted: HashMap<Ticket, Granted>,
    next: Ticket,
}

impl Queue {
    pub(super) fn new(rate: &Rate) -> Self {
        let windows = rate.policies.iter().map(|policy| {
            let length = Duration::from_millis(policy.window_ms);
            Window {
                limit: policy.limit,
                length: length + margin(length),
                unit: policy.unit,
                used: VecDeque::new(),
                sum: 0,
                granted: 0,
            }
        });
        Self {
            windows: windows.take(WindowMask::BITS as usize).collect(),
            max_concurrent: rate.max_concurrent.map_or(usize::MAX, |n| n as usize),
            waiting: VecDeque::new(),
            granted: HashMap::new(),
            next: 0,
        }
    }

    /// Adds a request to the queue.
    pub(super) fn join(&mut self, tenant: &str, concerned: WindowMask) -> Ticket {
        let ticket = self.next;
        self.next += 1;
        let waiting = Waiting { ticket, concerned };
        match self.waiting.iter_mut().find(|(name, _)| name == tenant) {
            Some((_, account_queue)) => account_queue.push_back(waiting),
            None => {
                let account_queue = VecDeque::from([waiting]);
                self.waiting.push_back((tenant.to_owned(), account_queue));
            }
        }
        ticket
    }

    /// Grants what can be granted: each tenant in turn, within a tenant the oldest first. Returns whether
    /// anything was granted.
    pub(super) fn advance(&mut self, now: Duration) -> bool {
        for window in &mut self.windows {
            window.forget(now);
        }
        let before = self.granted.len();
        while self.granted.len() < self.max_concurrent {
            let ready = self.waiting.iter().position(|(_, account_queue)| {
                account_queue
                    .front()
                    .is_some_and(|waiting| self.has_room(waiting.concerned))
            });
            let Some((tenant, mut account_queue)) =
                ready.and_then(|index| self.waiting.remove(index))
            else {
                break;
            };
            if let Some(Waiting { ticket, concerned }) = account_queue.pop_front() {
                for window in concerned_of(&mut self.windows, concerned) {
                    window.granted += 1;
                }
                let sent = false;
                self.granted.insert(ticket, Granted { concerned, sent });
            }
            if !account_queue.is_empty() {
                self.waiting.push_back((tenant, account_queue));
            }
        }
        self.granted.len() > before
    }

    /// Whether a ticket's turn has come.
    pub(super) fn is_granted(&self, ticket: Ticket) -> bool {
        self.granted.contains_key(&ticket)
    }

    /// The request is sent now.
    pub(super) fn sent(&mut self, ticket: Ticket, now: Duration) {
        let Some(granted) = self.granted.get_mut(&ticket).filter(|g| !g.sent) else {
            return;
        };
        granted.sent = true;
        for window in concerned_of(&mut self.windows, granted.concerned) {
            window.granted -= 1;
            if window.unit == RateUnit::Requests {
                window.use_up(now, 1);
            }
        }
    }

    /// The answer arrived, or the request was abandoned. A slot that was not used is returned.
    pub(super) fn leave(&mut self, ticket: Ticket) {
        if let Some(granted) = self.granted.remove(&ticket) {
            if !granted.sent {
                for window in concerned_of(&mut self.windows, granted.concerned) {
                    window.granted -= 1;
                }
            }
            return;
        }
        for (_, account_queue) in &mut self.waiting {
            account_queue.retain(|waiting| waiting.ticket != ticket);
        }
        self.waiting
            .retain(|(_, account_queue)| !account_queue.is_empty());
    }

    /// Records what requests turned out to cost.
    pub(super) fn charge(
        &mut self,
        concerned: WindowMask,
        unit: RateUnit,
        amount: u64,
        now: Duration,
    ) {
        for window in concerned_of(&mut self.windows, concerned) {
            if window.unit == unit && amount > 0 {
                window.use_up(now, amount);
            }
        }
    }

    /// The earliest time at which a window may let a request through, as far as is known now.
    pub(super) fn next_change(&self) -> Option<Duration> {
        let full = self.windows.iter().filter(|window| !window.has_room());
        full.filter_map(|window| match window.unit {
            RateUnit::Requests => window.frees_at(window.granted),
            RateUnit::Credits | RateUnit::Tokens => window.frees_at(0),
        })
        .min()
    }

    /// A time before which the request cannot be sent, whatever others do.
    pub(super) fn not_before(&self, concerned: WindowMask) -> Option<Duration> {
        let mine = self.windows.iter().enumerate();
        let mine = mine.filter(|(index, _)| concerned & (1 << index) != 0);
        let full = mine
            .map(|(_, window)| window)
            .filter(|w| w.sum >= w.limit());
        full.filter_map(|window| window.frees_at(0)).max()
    }

    /// Whether the queue can be dropped without losing anything.
    pub(super) fn is_idle(&mut self, now: Duration) -> bool {
        for window in &mut self.windows {
            window.forget(now);
        }
        self.granted.is_empty()
            && self.waiting.is_empty()
            && self.windows.iter().all(|window| window.used.is_empty())
    }

    fn has_room(&self, concerned: WindowMask) -> bool {
        let mine = self.windows.iter().enumerate();
        mine.filter(|(index, _)| concerned & (1 << index) != 0)
            .all(|(_, window)| window.has_room())
    }
}

/// How much longer a window is than its policy says.
pub(super) fn margin(length: Duration) -> Duration {
    (length / 20).min(MAX_MARGIN)
}

/// The windows that an operation counts in, according to the operations that each rate policy lists.
pub(super) fn concerned(rate: &Rate, operation: &str) -> WindowMask {
    let policies = rate.policies.iter().take(WindowMask::BITS as usize);
    policies.enumerate().fold(0, |mask, (index, policy)| {
        let named = |names: &Vec<String>| names.iter().any(|name| name == operation);
        match policy.operations.as_ref().is_none_or(named) {
            true => mask | 1 << index,
            false => mask,
        }
    })
}

fn concerned_of(windows: &mut [Window], mask: WindowMask) -> impl Iterator<Item = &mut Window> {
    let all = windows.iter_mut().enumerate();
    all.filter(move |(index, _)| mask & (1 << index) != 0)
        .map(|(_, window)| window)
}
