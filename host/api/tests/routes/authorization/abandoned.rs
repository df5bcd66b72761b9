//! Clients that disconnect before the answer. The work they started runs to its end: it counts as if they
//! had waited, and is not started again each time.

use std::future::poll_fn;
use std::task::Poll;

use gtm_domain::Digest;

use super::guesses::{assert_stopped, wrong};
use super::*;
use crate::counters::Counters;

fn lookups(counters: &Counters) -> u64 {
    counters.sum("gtm_api_key_lookups_total", None)
}

/// Waits until all look-ups in progress have ended.
async fn settled_lookups(counters: &Counters) -> u64 {
    let mut before = lookups(counters);
    loop {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let now = lookups(counters);
        if now == before {
            return now;
        }
        before = now;
    }
}

/// Polls the answer once, which starts the look-up, and then drops it like a client that disconnects.
/// Returns whether that was too late, because the database had already answered.
async fn give_up(asking: impl Future<Output = Answer>) -> bool {
    let mut asking = Box::pin(asking);
    poll_fn(|cx| Poll::Ready(asking.as_mut().poll(cx).is_ready())).await
}

const HERE: &str = "192.0.2.1";

#[tokio::test]
async fn a_look_up_that_nobody_waits_for_counts() {
    let counters = Counters::default();
    let _recording = metrics::set_default_local_recorder(&counters);
    let world = World::with(ApiConfig {
        failed_authentications_per_minute: 3,
        ..ApiConfig::default()
    })
    .await;
    for n in 0..3 {
        give_up(usage_with(&world, &wrong(n), HERE)).await;
    }
    settled_lookups(&counters).await;
    assert_stopped(&usage_with(&world, &wrong(9), HERE).await);
}

/// The result of the look-up is remembered although nobody waited for it.
#[tokio::test]
async fn one_wrong_key_is_not_looked_up_each_time() {
    let counters = Counters::default();
    let _recording = metrics::set_default_local_recorder(&counters);
    for pause in [Duration::ZERO, Duration::from_millis(1)] {
        let world = World::start().await;
        let before = lookups(&counters);
        let key = wrong(1);
        let mut was_late = false;
        for _ in 0..200 {
            was_late |= give_up(usage_with(&world, &key, HERE)).await;
            if !pause.is_zero() {
                tokio::time::sleep(pause).await;
            }
        }
        let made = settled_lookups(&counters).await - before;
        assert!((1..=2).contains(&made), "{made} look-ups, {pause:?}");
        let answer = usage_with(&world, &key, HERE).await;
        assert_eq!(answer.error(), (401, "invalid_api_key".to_owned()));
        assert_eq!(lookups(&counters) - before, made, "from memory");
        if pause.is_zero() && !was_late {
            // All others waited for a turn, and each held a connection meanwhile.
            assert_stopped(&usage_with(&world, &wrong(2), HERE).await);
        }
    }
}

/// A turn ends when the database has finished, not when the client disconnects.
#[tokio::test]
async fn a_turn_is_not_given_back_early() {
    let world = World::start().await;
    let turns = world.api.lookup_turns();
    let client = Some(HERE.parse().unwrap());
    let _held = turns.turn(client).await.unwrap();
    let mut late = 0;
    while give_up(usage_with(&world, &wrong(late), HERE)).await {
        late += 1;
        assert!(late < 30, "nobody was quick enough to go away");
    }
    let mut next = Box::pin(turns.turn(client));
    let looked = poll_fn(|cx| Poll::Ready(next.as_mut().poll(cx).is_ready())).await;
    assert!(!looked, "the key is still being looked up");
    assert!(next.await.is_ok());
}

/// A rate limit would be worthless if clients could avoid it by not waiting for their answers.
#[tokio::test]
async fn requests_of_a_right_key_count_in_its_window() {
    let counters = Counters::default();
    let _recording = metrics::set_default_local_recorder(&counters);
    let world = World::limited(5, ApiConfig::default()).await;
    let key = world.new_key("full", None).await;
    assert_eq!(usage_with(&world, &key, HERE).await.status, 200);
    for _ in 0..50 {
        give_up(usage_with(&world, &key, HERE)).await;
    }
    let made = settled_lookups(&counters).await;
    // At most five requests come too late, before the full window is known; then four that nobody waits
    // for, and two that have a turn.
    assert!((5..=12).contains(&made), "{made} look-ups");
    let over = usage_with(&world, &key, HERE).await;
    assert_eq!(over.error(), (429, "rate_limit_exceeded".to_owned()));
    assert_eq!(over.header("ratelimit-limit"), Some("5"));
}

/// A key that counts as known never waits for a turn. If it is revoked, that must stop even if nobody waits
/// for an answer.
#[tokio::test]
async fn a_revoked_key_does_not_stay_known() {
    let counters = Counters::default();
    let _recording = metrics::set_default_local_recorder(&counters);
    let world = World::start().await;
    let operator = world.store.operator();
    let failures = world.api.failed_authentications();
    for _ in 0..30 {
        let full = Permissions::parse("full").unwrap();
        let created = operator.create_key(world.project, "k", full, None).await;
        let (record, secret) = created.unwrap();
        let key = secret.reveal();
        assert_eq!(usage_with(&world, &key, HERE).await.status, 200);
        let known = || failures.is_known(&Digest::of(key.as_bytes()), world.api.elapsed());
        assert!(known());
        operator.revoke_key(record.id).await.unwrap();
        let before = lookups(&counters);
        if give_up(usage_with(&world, &key, HERE)).await {
            continue;
        }
        settled_lookups(&counters).await;
        assert!(!known());
        for _ in 0..50 {
            give_up(usage_with(&world, &key, HERE)).await;
        }
        let made = settled_lookups(&counters).await - before;
        assert_eq!(made, 1);
        let answer = usage_with(&world, &key, HERE).await;
        assert_eq!(answer.error(), (401, "invalid_api_key".to_owned()));
        return;
    }
}

/// A client that sends requests and never waits for the answers must be visible.
#[tokio::test]
async fn who_goes_away_is_in_the_metrics() {
    let counters = Counters::default();
    let _recording = metrics::set_default_local_recorder(&counters);
    let world = World::start().await;
    let mut late = 0;
    while give_up(usage_with(&world, &wrong(late), HERE)).await {
        late += 1;
        assert!(late < 30, "nobody was quick enough to go away");
    }
    let requests = |status| counters.sum("gtm_http_requests_total", Some(("status", status)));
    assert_eq!(requests("none"), 1);
    assert_eq!(requests("401"), u64::from(late));
}
