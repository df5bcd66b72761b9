//! The queue under an injected clock, for every order of events; then the waiting itself.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn rate(value: Value) -> Rate {
    serde_json::from_value(value).unwrap()
}

/// What can happen to a queue.
#[derive(Debug, Clone)]
enum Event {
    /// A tenant's request for an operation joins the queue.
    Join(u8, u8),
    /// Time passes, in milliseconds.
    Pass(u16),
    /// One of the granted requests, by number, is sent.
    Send(usize),
    /// One of all requests, by number, ends or is abandoned.
    Leave(usize),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => (0_u8..4, 0_u8..2).prop_map(|(tenant, operation)| Event::Join(tenant, operation)),
        3 => (0_u16..400).prop_map(Event::Pass),
        4 => any::<usize>().prop_map(Event::Send),
        3 => any::<usize>().prop_map(Event::Leave),
    ]
}

/// Whether more than `limit` of these times, in order, lie within a span shorter than `window`.
fn exceeds(times: &[Duration], limit: usize, window: Duration) -> bool {
    let pairs = times.iter().zip(times.iter().skip(limit));
    pairs
        .into_iter()
        .any(|(first, last)| *last - *first < window)
}

proptest! {
    /// Whatever cost a provider reports: the window is full until enough time has passed, and then admits
    /// the next request.
    #[test]
    fn no_amount_breaks_a_window(
        amounts in proptest::collection::vec(prop_oneof![Just(u64::MAX), 0_u64..20, any::<u64>()], 1..8),
    ) {
        let rate = rate(json!({"policies": [{"limit": 10, "window_ms": 1000, "unit": "tokens"}]}));
        let all = queue::concerned(&rate, "a");
        let mut queue = Queue::new(&rate);
        let mut now = Duration::ZERO;
        for amount in &amounts {
            queue.charge(all, RateUnit::Tokens, *amount, now);
            now += Duration::from_millis(1);
        }
        let ticket = queue.join("tenant", all);
        let sum: u128 = amounts.iter().map(|amount| u128::from(*amount)).sum();
        queue.advance(now);
        prop_assert_eq!(queue.is_granted(ticket), sum < 10);
        while !queue.is_granted(ticket) {
            let next = queue.next_change();
            prop_assert!(next.is_some_and(|at| at > now), "{:?}", queue);
            now = next.unwrap();
            queue.advance(now);
        }
        queue.leave(ticket);
        prop_assert!(queue.is_idle(now + Duration::from_secs(2)));
    }
}

proptest! {
    /// For any order of events: never more than a policy allows in any window, never too many in flight,
    /// first come first served within a tenant, nothing waits unnecessarily, and nothing is forgotten.
    #[test]
    fn no_order_of_events_breaks_a_limit(
        limits in (1_u64..5, 50_u64..700, 1_u64..4, 50_u64..700, 1_u32..5),
        events in proptest::collection::vec(event(), 1..160),
    ) {
        let (all, all_ms, one, one_ms, concurrent) = limits;
        let rate = rate(json!({
            "policies": [
                {"limit": all, "window_ms": all_ms},
                {"limit": one, "window_ms": one_ms, "operations": ["b"]},
            ],
            "max_concurrent": concurrent,
        }));
        let masks = [queue::concerned(&rate, "a"), queue::concerned(&rate, "b")];
        prop_assert_eq!(masks, [0b01, 0b11]);
        let mut queue = Queue::new(&rate);
        let mut now = Duration::ZERO;
        // Ticket → tenant, operation, sent.
        let mut live: BTreeMap<Ticket, (u8, u8, bool)> = BTreeMap::new();
        let mut sent: [Vec<Duration>; 2] = Default::default();
        for event in events {
            match event {
                Event::Join(tenant, operation) => {
                    let ticket = queue.join(&tenant.to_string(), masks[usize::from(operation)]);
                    live.insert(ticket, (tenant, operation, false));
                }
                Event::Pass(ms) => now += Duration::from_millis(ms.into()),
                Event::Send(n) => {
                    let ready: Vec<_> = live
                        .iter()
                        .filter(|(ticket, (.., sent))| !sent && queue.is_granted(**ticket))
                        .map(|(ticket, _)| *ticket)
                        .collect();
                    if let Some(ticket) = ready.get(n % ready.len().max(1)) {
                        queue.sent(*ticket, now);
                        let entry = live.get_mut(ticket).unwrap();
                        entry.2 = true;
                        sent[0].push(now);
                        if entry.1 == 1 {
                            sent[1].push(now);
                        }
                    }
                }
                Event::Leave(n) => {
                    let tickets: Vec<_> = live.keys().copied().collect();
                    if let Some(ticket) = tickets.get(n % tickets.len().max(1)) {
                        queue.leave(*ticket);
                        live.remove(ticket);
                    }
                }
            }
            queue.advance(now);
            let granted = live.keys().filter(|t| queue.is_granted(**t)).count();
            prop_assert!(granted <= concurrent as usize);
            prop_assert!(!exceeds(&sent[0], usize::try_from(all).unwrap(), Duration::from_millis(all_ms)));
            prop_assert!(!exceeds(&sent[1], usize::try_from(one).unwrap(), Duration::from_millis(one_ms)));
            for tenant in 0..4_u8 {
                let account_queue: Vec<bool> = live
                    .iter()
                    .filter(|(_, (of, ..))| *of == tenant)
                    .map(|(ticket, _)| queue.is_granted(*ticket))
                    .collect();
                prop_assert!(account_queue.is_sorted_by(|a, b| a >= b), "a later request went first");
            }
        }
        // With enough time and room, every request gets its turn.
        for _ in 0..live.len() * 4 {
            let first = live.keys().copied().find(|ticket| queue.is_granted(*ticket));
            match first {
                Some(ticket) => {
                    queue.sent(ticket, now);
                    queue.leave(ticket);
                    live.remove(&ticket);
                }
                None => match queue.next_change() {
                    Some(at) => now = now.max(at),
                    None => break,
                },
            }
            queue.advance(now);
        }
        prop_assert!(live.is_empty(), "{} wait for ever: {:?}", live.len(), queue);
        prop_assert!(queue.is_idle(now + Duration::from_secs(10)));
    }
}

#[test]
fn tenants_take_turns() {
    let rate = rate(json!({"max_concurrent": 1}));
    let mut queue = Queue::new(&rate);
    let many: Vec<_> = (0..50).map(|_| queue.join("greedy", 0)).collect();
    let modest = [queue.join("modest", 0), queue.join("modest", 0)];
    let mut order = Vec::new();
    for _ in 0..6 {
        queue.advance(Duration::ZERO);
        let of = |ticket: &&Ticket| queue.is_granted(**ticket);
        let (name, ticket) = match modest.iter().find(of) {
            Some(ticket) => ("modest", *ticket),
            None => ("greedy", *many.iter().find(of).unwrap()),
        };
        order.push(name);
        queue.leave(ticket);
    }
    assert_eq!(
        order,
        ["greedy", "modest", "greedy", "modest", "greedy", "greedy"]
    );
}

#[test]
fn what_is_not_sent_does_not_count() {
    let rate = rate(json!({"policies": [{"limit": 1, "window_ms": 1000}]}));
    let mut queue = Queue::new(&rate);
    let (first, second) = (queue.join("a", 1), queue.join("a", 1));
    queue.advance(Duration::ZERO);
    assert!(queue.is_granted(first) && !queue.is_granted(second));
    queue.leave(first);
    queue.advance(Duration::ZERO);
    assert!(queue.is_granted(second));
    queue.sent(second, Duration::ZERO);
    queue.leave(second);
    let third = queue.join("a", 1);
    queue.advance(Duration::from_millis(999));
    assert!(!queue.is_granted(third), "the window holds it still");
    let at = queue.next_change().unwrap();
    assert_eq!(queue.not_before(1), Some(at));
    queue.advance(at);
    assert!(queue.is_granted(third));
}

#[test]
fn credits_and_tokens_count_once_they_are_known() {
    let rate = rate(json!({"policies": [
        {"limit": 10, "window_ms": 1000, "unit": "credits"},
        {"limit": 500, "window_ms": 2000, "unit": "tokens"},
    ]}));
    let mut queue = Queue::new(&rate);
    let pass = |queue: &mut Queue, ms: u64| {
        let ticket = queue.join("a", 0b11);
        queue.advance(Duration::from_millis(ms));
        let granted = queue.is_granted(ticket);
        queue.sent(ticket, Duration::from_millis(ms));
        queue.leave(ticket);
        granted
    };
    assert!(pass(&mut queue, 0));
    queue.charge(0b11, RateUnit::Credits, 9, Duration::ZERO);
    assert!(pass(&mut queue, 10), "there is one credit left");
    queue.charge(0b11, RateUnit::Credits, 9, Duration::from_millis(10));
    assert!(!pass(&mut queue, 20));
    assert!(
        pass(&mut queue, 1_100),
        "the first credits have left the window"
    );
    queue.charge(0b11, RateUnit::Tokens, 500, Duration::from_millis(1_100));
    assert!(!pass(&mut queue, 3_000));
    assert!(pass(&mut queue, 3_300));
}

fn key(tenant: &str) -> LimitKey {
    LimitKey {
        account: "conn_1".to_owned(),
        tenant: tenant.to_owned(),
        operation: "a".to_owned(),
    }
}

#[tokio::test]
async fn many_callers_wait_for_their_turns() {
    let window = Duration::from_millis(200);
    let rate = rate(json!({
        "policies": [{"limit": 5, "window_ms": 200}], "max_concurrent": 3,
    }));
    let (limiter, in_flight, most) = (
        ProviderLimiter::new(None),
        AtomicUsize::new(0),
        AtomicUsize::new(0),
    );
    let started = Instant::now();
    let sent = Mutex::new(Vec::new());
    let calls = (0..24_u64).map(|n| {
        let (limiter, in_flight, most, rate, sent) = (&limiter, &in_flight, &most, &rate, &sent);
        async move {
            let key = key(&(n % 3).to_string());
            let deadline = started + Duration::from_secs(60);
            let slot = limiter.take(&key, rate, deadline).await.unwrap().unwrap();
            sent.lock().unwrap().push(started.elapsed());
            slot.sent();
            let now = in_flight.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(now, Ordering::SeqCst);
            sleep(Duration::from_millis(5 + n * 7 % 20)).await;
            in_flight.fetch_sub(1, Ordering::SeqCst);
        }
    });
    futures::future::join_all(calls).await;
    assert_eq!(most.load(Ordering::SeqCst), 3);
    let sent = sent.into_inner().unwrap();
    assert_eq!(sent.len(), 24);
    assert!(!exceeds(&sent, 5, window), "{sent:?}");
}

#[tokio::test]
async fn a_turn_that_cannot_come_in_time_is_refused_at_once() {
    let rate = rate(json!({"policies": [{"limit": 1, "window_ms": 600_000}]}));
    let limiter = ProviderLimiter::new(None);
    let in_a_minute = Instant::now() + Duration::from_secs(60);
    let first = limiter.take(&key("a"), &rate, in_a_minute).await;
    first.unwrap().unwrap().sent();
    let asked = Instant::now();
    let refused = limiter.take(&key("a"), &rate, in_a_minute).await;
    let refused = refused.unwrap_err();
    assert!(asked.elapsed() < Duration::from_secs(10));
    assert_eq!(
        (refused.kind, refused.code.as_str()),
        (FailureKind::RateLimited, "provider_rate_limit")
    );
    assert!(refused.retry_after_ms.unwrap() > 500_000);
}

#[tokio::test]
async fn a_wait_that_is_given_up_gives_up_its_place() {
    let rate = rate(json!({"max_concurrent": 1}));
    let limiter = ProviderLimiter::new(None);
    let deadline = Instant::now() + Duration::from_secs(60);
    let held = limiter.take(&key("a"), &rate, deadline).await.unwrap();
    let other = key("b");
    let waiting = limiter.take(&other, &rate, deadline);
    let given_up = tokio::time::timeout(Duration::from_millis(50), waiting).await;
    assert!(given_up.is_err());
    drop(held);
    assert!(
        limiter
            .take(&key("c"), &rate, deadline)
            .await
            .unwrap()
            .is_some()
    );
    let account_queue = limiter.account_queue("conn_1", &rate);
    assert!(
        account_queue.queue().is_idle(Duration::ZERO),
        "nobody waits any more"
    );
}

#[tokio::test]
async fn accounts_do_not_wait_for_each_other_and_are_forgotten() {
    let rate = rate(json!({"max_concurrent": 1}));
    let limiter = ProviderLimiter::new(None);
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut held = Vec::new();
    for n in 0..FIRST_SWEEP * 4 {
        let key = LimitKey {
            account: n.to_string(),
            ..key("a")
        };
        held.push(limiter.take(&key, &rate, deadline).await.unwrap().unwrap());
    }
    drop(held);
    for n in 0..FIRST_SWEEP * 8 {
        let key = LimitKey {
            account: format!("later {n}"),
            ..key("a")
        };
        limiter.take(&key, &rate, deadline).await.unwrap().unwrap();
    }
    let known = limiter.accounts.lock().unwrap().queues.len();
    assert!(known <= FIRST_SWEEP * 8, "{known} accounts are kept");
}

/// Windows that return scripted answers.
#[derive(Debug, Default)]
struct Told {
    asked: Mutex<Vec<(String, u32, Duration)>>,
    refusals: AtomicUsize,
}

#[async_trait]
impl SharedWindows for Told {
    async fn admit(&self, key: &str, limit: u32, window: Duration) -> Option<Duration> {
        self.asked
            .lock()
            .unwrap()
            .push((key.to_owned(), limit, window));
        let left = self.refusals.load(Ordering::SeqCst);
        self.refusals
            .store(left.saturating_sub(1), Ordering::SeqCst);
        (left > 0).then_some(Duration::from_millis(300))
    }
}

#[tokio::test]
async fn shared_windows_are_asked_too() {
    let shared = Arc::new(Told::default());
    let limiter = ProviderLimiter::new(Some(shared.clone()));
    let rate = rate(json!({"policies": [
        {"limit": 9, "window_ms": 1000},
        {"limit": 9, "window_ms": 1000, "operations": ["b"]},
        {"limit": 9, "window_ms": 1000, "unit": "tokens"},
    ]}));
    shared.refusals.store(2, Ordering::SeqCst);
    let started = Instant::now();
    let deadline = started + Duration::from_secs(60);
    assert!(
        limiter
            .take(&key("a"), &rate, deadline)
            .await
            .unwrap()
            .is_some()
    );
    assert!(started.elapsed() >= Duration::from_millis(600));
    let asked = std::mem::take(&mut *shared.asked.lock().unwrap());
    assert_eq!(asked.len(), 3);
    assert!(
        asked
            .iter()
            .all(|(key, limit, _)| key == "provider:conn_1:1000:0" && *limit == 9)
    );
    shared.refusals.store(usize::MAX, Ordering::SeqCst);
    let deadline = Instant::now() + Duration::from_secs(1);
    let refused = limiter.take(&key("a"), &rate, deadline).await.unwrap_err();
    assert_eq!(refused.code, "provider_rate_limit");
    assert!(Instant::now() < deadline);
}

/// Two versions of a connector may serve one connection for a while. A shared window forgets whatever is
/// older than itself, so a shorter one under the same key would forget what the longer one must count.
#[tokio::test]
async fn windows_of_different_lengths_do_not_share_a_key() {
    let shared = Arc::new(Told::default());
    let deadline = Instant::now() + Duration::from_secs(60);
    for policies in [
        json!([{"limit": 9, "window_ms": 60_000}, {"limit": 2, "window_ms": 1000}]),
        json!([{"limit": 2, "window_ms": 1000}, {"limit": 9, "window_ms": 60_000}]),
        json!([{"limit": 5, "window_ms": 60_000}]),
    ] {
        // One node for each version; they share only the windows.
        let limiter = ProviderLimiter::new(Some(shared.clone()));
        let rate = rate(json!({ "policies": policies }));
        let slot = limiter.take(&key("a"), &rate, deadline).await.unwrap();
        assert!(slot.is_some());
    }
    let asked = std::mem::take(&mut *shared.asked.lock().unwrap());
    assert_eq!(asked.len(), 5);
    let mut lengths = BTreeMap::new();
    for (key, _, window) in &asked {
        assert_eq!(lengths.entry(key).or_insert(window), &window, "{key}");
    }
    assert_eq!(
        asked[0].0, asked[4].0,
        "a limit that changed is still one window"
    );
}
