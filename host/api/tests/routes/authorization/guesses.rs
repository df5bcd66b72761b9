//! Keys that are not accepted or cannot be looked up: whoever keeps presenting them is stopped, and nobody
//! else is.

use futures::stream::FuturesUnordered;
use futures::{FutureExt as _, StreamExt as _};
use gtm_domain::ApiKeySecret;

use super::*;

/// A well-formed key that was never issued.
pub(super) fn wrong(n: u8) -> String {
    ApiKeySecret::from_entropy(&[n; 9], &[n; 32]).reveal()
}

/// For an address that presented too many wrong keys, nothing is looked up, and right and wrong keys get
/// the same answer. Keys that were accepted recently still work.
#[tokio::test]
async fn an_address_that_guesses_keys_is_stopped() {
    let world = World::with(ApiConfig {
        failed_authentications_per_minute: 5,
        ..ApiConfig::default()
    })
    .await;
    let (guesser, other) = ("192.0.2.1", "192.0.2.2");
    let (used, unused) = (
        world.new_key("full", None).await,
        world.new_key("full", None).await,
    );
    assert_eq!(usage_with(&world, &used, other).await.status, 200);
    // Text that cannot be a key is never looked up, so it costs nothing and is always answered.
    for _ in 0..20 {
        let answer = usage_with(&world, "nonsense", guesser).await;
        assert_eq!(answer.error(), (401, "invalid_api_key".to_owned()));
    }
    for n in 0..5 {
        let answer = usage_with(&world, &wrong(n), guesser).await;
        assert_eq!(answer.error(), (401, "invalid_api_key".to_owned()));
    }
    let over = usage_with(&world, &wrong(9), guesser).await;
    let same = usage_with(&world, &unused, guesser).await;
    for answer in [&over, &same] {
        assert_eq!(answer.error(), (429, "rate_limit_exceeded".to_owned()));
        let wait: u32 = answer.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
        assert_eq!(answer.header("ratelimit-limit"), None, "no key's window");
        assert_eq!(answer.header("www-authenticate"), None);
    }
    let message = |answer: &Answer| answer.json()["error"]["message"].clone();
    let words = |answer: &Answer| {
        let text = message(answer).as_str().unwrap().to_owned();
        text.split("; wait").next().unwrap().to_owned()
    };
    assert_eq!(
        words(&over),
        words(&same),
        "right or wrong, nothing is told"
    );
    assert_eq!(usage_with(&world, &used, guesser).await.status, 200);
    assert_eq!(usage_with(&world, &unused, other).await.status, 200);
    let missing = ask(&world, "GET", "/v1/usage", None).await;
    assert_eq!(missing.error(), (401, "missing_api_key".to_owned()));
    let elsewhere = ask(&world, "GET", "/healthz", None).await;
    assert_eq!(elsewhere.status, 200);
}

/// One client that keeps using an expired key must not lock out others behind the same address.
#[tokio::test]
async fn an_old_key_that_is_repeated_counts_once() {
    let world = World::with(ApiConfig {
        failed_authentications_per_minute: 3,
        ..ApiConfig::default()
    })
    .await;
    let in_a_minute = world.clock_now().plus(Duration::from_secs(60));
    let expired = world.new_key("full", Some(in_a_minute)).await;
    world.clock.advance(Duration::from_secs(120));
    let operator = world.store.operator();
    let full = Permissions::parse("full").unwrap();
    let (record, revoked) = operator
        .create_key(world.project, "k", full, None)
        .await
        .unwrap();
    operator.revoke_key(record.id).await.unwrap();
    let office = "192.0.2.1";
    for (old, code) in [
        (revoked.reveal(), "invalid_api_key"),
        (expired, "expired_api_key"),
    ] {
        let mut first = None;
        for _ in 0..50 {
            let same_id = [("x-request-id", "again")];
            let answer = usage_from(&world, &old, office, &same_id).await;
            assert_eq!(answer.error(), (401, code.to_owned()));
            let same = (answer.headers, answer.body);
            assert_eq!(first.get_or_insert_with(|| same.clone()), &same);
        }
    }
    let unused = world.new_key("full", None).await;
    assert_eq!(usage_with(&world, &unused, office).await.status, 200);
    // The third key that is not accepted is the last one that is looked up.
    assert_eq!(usage_with(&world, &wrong(1), office).await.status, 401);
    assert_eq!(usage_with(&world, &wrong(2), office).await.status, 429);
}

/// The owner of an IPv6 site is stopped even though each of its networks guessed only a little.
#[tokio::test]
async fn a_site_that_guesses_from_many_networks_is_stopped() {
    let world = World::with(ApiConfig {
        failed_authentications_per_minute: 3,
        ..ApiConfig::default()
    })
    .await;
    let (used, unused) = (
        world.new_key("full", None).await,
        world.new_key("full", None).await,
    );
    let of = |site: u16, network: u16| format!("2001:db8:{site:x}:{network:x}::1");
    assert_eq!(usage_with(&world, &used, &of(2, 1)).await.status, 200);
    let mut statuses = Vec::new();
    for n in 0..40 {
        let answer = usage_with(&world, &wrong(n), &of(1, u16::from(n))).await;
        statuses.push(answer.status.as_u16());
    }
    assert_eq!(statuses, [[401; 30].as_slice(), &[429; 10]].concat());
    let fresh = of(1, 0xffff);
    let over = usage_with(&world, &unused, &fresh).await;
    assert_eq!(over.error(), (429, "rate_limit_exceeded".to_owned()));
    let wait: u32 = over.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(usage_with(&world, &used, &fresh).await.status, 200);
    assert_eq!(usage_with(&world, &unused, &of(2, 7)).await.status, 200);
}

/// If the database does not answer, guesses must not pile up there, and known keys must not wait behind
/// them.
#[tokio::test]
async fn so_many_keys_are_looked_up_at_once() {
    let world = World::start().await;
    let (used, unused) = (
        world.new_key("full", None).await,
        world.new_key("full", None).await,
    );
    let (guesser, other) = ("192.0.2.1", "192.0.2.2");
    assert_eq!(usage_with(&world, &used, other).await.status, 200);
    let turns = world.api.lookup_turns();
    let client = Some(guesser.parse().unwrap());
    let under_way = [turns.turn(client).await, turns.turn(client).await];
    assert!(under_way.iter().all(Result::is_ok));
    let over = usage_with(&world, &unused, guesser).await;
    assert_eq!(over.error(), (500, "internal_error".to_owned()));
    assert_eq!(over.header("retry-after"), None);
    assert_eq!(over.header("ratelimit-limit"), None, "no key's window");
    assert_eq!(usage_with(&world, &used, guesser).await.status, 200);
    assert_eq!(usage_with(&world, &unused, other).await.status, 200);
    drop(under_way);
    assert_eq!(usage_with(&world, &wrong(1), guesser).await.status, 401);
}

/// Waiting must hold few connections. If a site has many requests waiting, its next one is refused at once,
/// before any of them has waited in vain.
#[tokio::test]
async fn so_many_keys_wait_for_a_look_up() {
    let world = World::start().await;
    let unused = world.new_key("full", None).await;
    let turns = world.api.lookup_turns();
    let of = |network: u16| format!("2001:db8:1:{network:x}::1");
    let client = |network: u16| Some(of(network).parse().unwrap());
    let under_way = [turns.turn(client(1)).await, turns.turn(client(2)).await];
    assert!(under_way.iter().all(Result::is_ok));
    let keys: Vec<String> = (0..62).map(wrong).collect();
    let froms: Vec<String> = (3..65).map(of).collect();
    let mut waiting = FuturesUnordered::new();
    for (key, from) in keys.iter().zip(&froms) {
        waiting.push(usage_with(&world, key, from));
    }
    assert!(waiting.next().now_or_never().is_none(), "all of them wait");
    let fresh = of(99);
    let over = tokio::select! {
        over = usage_with(&world, &unused, &fresh) => over,
        _ = waiting.next() => panic!("it waited for longer than those who came before"),
    };
    assert_eq!(over.error(), (429, "rate_limit_exceeded".to_owned()));
    assert_eq!(over.header("retry-after"), Some("1"));
    let elsewhere = usage_with(&world, &unused, "2001:db8:2::1").await;
    assert_eq!(elsewhere.status, 200);
}

/// The address had too many failures. For mere crowding, the answer would ask it to wait one second.
pub(super) fn assert_stopped(answer: &Answer) {
    assert_eq!(answer.error(), (429, "rate_limit_exceeded".to_owned()));
    let wait: u32 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((2..=60).contains(&wait), "{wait}");
    let json = answer.json();
    let message = json["error"]["message"].as_str().unwrap();
    let words = "Too many API keys from this address were not accepted or could not be looked up";
    assert!(message.starts_with(words), "{message}");
}

/// A request counts if it waits for a turn in vain, or if its client disconnects meanwhile, because it has
/// held a connection. A request that may not even wait does not count.
#[tokio::test]
async fn who_waits_for_a_look_up_in_vain_is_counted() {
    let world = World::with(ApiConfig {
        failed_authentications_per_minute: 3,
        ..ApiConfig::default()
    })
    .await;
    let turns = world.api.lookup_turns();
    let here = "192.0.2.1";
    let client = Some(here.parse().unwrap());
    let under_way = [turns.turn(client).await, turns.turn(client).await];
    assert!(under_way.iter().all(Result::is_ok));
    let mut others = FuturesUnordered::new();
    for _ in 0..60 {
        others.push(turns.turn(client));
    }
    assert!(others.next().now_or_never().is_none(), "they wait");
    let keys = [wrong(1), wrong(2), wrong(3), wrong(4), wrong(5)];
    let given_up = usage_with(&world, &keys[0], here);
    assert!(given_up.now_or_never().is_none());
    let mut in_vain = [&keys[1], &keys[2]].map(|key| Box::pin(usage_with(&world, key, here)));
    for waits in &mut in_vain {
        assert!(waits.as_mut().now_or_never().is_none());
    }
    let crowded = usage_with(&world, &keys[3], here).await;
    assert_eq!(crowded.error(), (429, "rate_limit_exceeded".to_owned()));
    assert_eq!(crowded.header("retry-after"), Some("1"));
    for answer in futures::future::join_all(in_vain).await {
        assert_eq!(answer.error(), (500, "internal_error".to_owned()));
        assert_eq!(answer.header("retry-after"), None);
    }
    drop((others, under_way));
    assert_stopped(&usage_with(&world, &keys[4], here).await);
}

/// Each time a connection was held, whatever the key.
#[tokio::test]
async fn who_waits_in_vain_with_one_key_is_counted_each_time() {
    let world = World::with(ApiConfig {
        failed_authentications_per_minute: 3,
        ..ApiConfig::default()
    })
    .await;
    let turns = world.api.lookup_turns();
    let here = "192.0.2.1";
    let client = Some(here.parse().unwrap());
    let under_way = [turns.turn(client).await, turns.turn(client).await];
    assert!(under_way.iter().all(Result::is_ok));
    let key = wrong(1);
    for _ in 0..2 {
        assert!(usage_with(&world, &key, here).now_or_never().is_none());
    }
    let in_vain = usage_with(&world, &key, here).await;
    assert_eq!(in_vain.error(), (500, "internal_error".to_owned()));
    drop(under_way);
    assert_stopped(&usage_with(&world, &wrong(2), here).await);
}

/// A request that waited for its turn is checked again, because others from its address may have failed
/// meanwhile.
#[tokio::test]
async fn too_many_failures_stop_those_who_wait_as_well() {
    let world = World::with(ApiConfig {
        failed_authentications_per_minute: 2,
        ..ApiConfig::default()
    })
    .await;
    let turns = world.api.lookup_turns();
    let here = "192.0.2.1";
    let client = Some(here.parse().unwrap());
    let _held = turns.turn(client).await.unwrap();
    let released = turns.turn(client).await.unwrap();
    let keys = [wrong(1), wrong(2), wrong(3)];
    let mut waiting = keys
        .each_ref()
        .map(|key| Box::pin(usage_with(&world, key, here)));
    for waits in &mut waiting {
        assert!(waits.as_mut().now_or_never().is_none());
    }
    // From here on one at a time, in order of arrival.
    drop(released);
    let [first, second, third] = futures::future::join_all(waiting)
        .await
        .try_into()
        .ok()
        .unwrap();
    for answer in [&first, &second] {
        assert_eq!(answer.error(), (401, "invalid_api_key".to_owned()));
    }
    assert_stopped(&third);
}

/// If a key is found right while another request with it waits, that request's key is known when its turn
/// comes, and nothing counts.
#[tokio::test]
async fn a_key_that_becomes_known_while_it_waits_counts_for_nothing() {
    let world = World::with(ApiConfig {
        failed_authentications_per_minute: 1,
        ..ApiConfig::default()
    })
    .await;
    let right = world.new_key("full", None).await;
    let turns = world.api.lookup_turns();
    let (here, other) = ("192.0.2.1", "192.0.2.2");
    let client = Some(here.parse().unwrap());
    let held = [turns.turn(client).await, turns.turn(client).await];
    assert!(held.iter().all(Result::is_ok));
    let mut waiting = Box::pin(usage_with(&world, &right, here));
    assert!(waiting.as_mut().now_or_never().is_none());
    assert_eq!(usage_with(&world, &right, other).await.status, 200);
    world.store.close().await;
    drop(held);
    let answer = waiting.await;
    assert_eq!(answer.error(), (500, "internal_error".to_owned()));
    let wrong_one = usage_with(&world, &wrong(1), here).await;
    assert_eq!(wrong_one.status, 500, "no failure has been counted so far");
    assert_stopped(&usage_with(&world, &wrong(2), here).await);
}

/// A look-up that the database does not answer costs as much as one that finds nothing.
#[tokio::test]
async fn a_look_up_that_fails_counts_once_for_each_key() {
    let world = World::with(ApiConfig {
        failed_authentications_per_minute: 3,
        ..ApiConfig::default()
    })
    .await;
    let used = world.new_key("full", None).await;
    let here = "192.0.2.1";
    assert_eq!(usage_with(&world, &used, here).await.status, 200);
    world.store.close().await;
    for (n, status) in [(1, 500), (1, 500), (1, 500), (2, 500), (3, 500), (4, 429)] {
        let answer = usage_with(&world, &wrong(n), here).await;
        assert_eq!(answer.status, status, "{n}");
        if status == 429 {
            assert_stopped(&answer);
        }
    }
    for _ in 0..5 {
        assert_eq!(usage_with(&world, &used, here).await.status, 500);
    }
}
