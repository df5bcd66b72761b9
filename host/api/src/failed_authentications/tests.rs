#![allow(clippy::unwrap_used)]
use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn key(name: &str) -> Digest {
    Digest::of(name.as_bytes())
}

#[test]
fn an_address_that_guesses_is_stopped_and_known_keys_go_on() {
    let failed = FailedAuthentications::per_minute(3);
    let (guesser, other) = (Some([192, 0, 2, 1].into()), Some([192, 0, 2, 2].into()));
    failed.accepted(key("right"), guesser, SECOND);
    for second in 1..=3u32 {
        let (guess, now) = (key(&second.to_string()), SECOND * second);
        assert_eq!(failed.judge(&guess, guesser, now), KeyDecision::LookUp);
        failed.refused(&guess, guesser, Refusal::Invalid, now);
    }
    let now = SECOND * 4;
    assert_eq!(
        failed.judge(&key("new"), guesser, now),
        KeyDecision::Wait(57)
    );
    assert_eq!(
        failed.judge(&key("right"), guesser, now),
        KeyDecision::LookUp
    );
    assert_eq!(failed.judge(&key("new"), other, now), KeyDecision::LookUp);
    assert_eq!(failed.judge(&key("new"), None, now), KeyDecision::LookUp);
    // A key that is no longer right, for example revoked, is a guess like any other.
    failed.refused(&key("right"), other, Refusal::Invalid, now);
    assert_eq!(
        failed.judge(&key("right"), guesser, now),
        KeyDecision::Wait(57)
    );
    assert_eq!(
        failed.judge(&key("new"), guesser, SECOND * 61),
        KeyDecision::LookUp
    );
}

/// One client with an expired key leaves the look-ups of its address to others.
#[test]
fn a_key_that_is_repeated_is_answered_from_memory_and_counts_once_a_minute() {
    let failed = FailedAuthentications::per_minute(2);
    let (office, other) = (Some([192, 0, 2, 1].into()), Some([192, 0, 2, 2].into()));
    let old = key("old");
    let mut looked_up = 0;
    for tenth in 0..1200 {
        let now = SECOND * tenth / 10;
        match failed.judge(&old, office, now) {
            KeyDecision::LookUp => {
                looked_up += 1;
                failed.refused(&old, office, Refusal::Expired, now);
            }
            said => assert_eq!(said, KeyDecision::Refuse(Refusal::Expired)),
        }
        assert_eq!(failed.judge(&key("new"), office, now), KeyDecision::LookUp);
    }
    assert_eq!(
        looked_up, 12,
        "every ten seconds, so that what changes is seen"
    );
    let now = SECOND * 119;
    assert_eq!(
        failed.judge(&old, other, now),
        KeyDecision::LookUp,
        "nobody hears what was said to others"
    );
    failed.refused(&key("another"), office, Refusal::Invalid, now);
    assert_eq!(failed.judge(&key("new"), office, now), KeyDecision::Wait(1));
    assert_eq!(
        failed.judge(&old, office, now),
        KeyDecision::Refuse(Refusal::Expired),
        "nothing is looked up for it"
    );
}

#[test]
fn what_was_accepted_is_not_refused_from_memory() {
    let failed = FailedAuthentications::per_minute(2);
    failed.refused(&key("k"), None, Refusal::Invalid, SECOND);
    failed.accepted(key("k"), None, SECOND);
    assert_eq!(failed.judge(&key("k"), None, SECOND), KeyDecision::LookUp);
}

#[test]
fn a_key_that_was_right_long_ago_is_forgotten() {
    let failed = FailedAuthentications::per_minute(1);
    failed.accepted(key("right"), None, Duration::ZERO);
    failed.refused(&key("x"), None, Refusal::Invalid, REMEMBERED);
    let decision = failed.judge(&key("right"), None, REMEMBERED);
    assert!(matches!(decision, KeyDecision::Wait(_)));
    for n in 0..10_000u32 {
        failed.accepted(key(&n.to_string()), None, SECOND * n);
    }
    let kept = failed.known().keys.len();
    assert!(kept <= 2 * 3600, "{kept} keys");
    let last = SECOND * 9999;
    for n in 6400..10_000u32 {
        assert!(failed.is_known(&key(&n.to_string()), last), "{n}");
    }
}

/// Scanning everything remembered for each request would cost more than remembering it.
#[test]
fn what_is_old_is_cleared_away_only_where_there_is_much() {
    let failed = FailedAuthentications::per_minute(1000);
    let refused = |n: usize, at| failed.refused(&key(&n.to_string()), None, Refusal::Invalid, at);
    for n in 0..FIRST_SWEEP - 1 {
        failed.accepted(key(&n.to_string()), None, Duration::ZERO);
    }
    failed.accepted(key("a"), None, REMEMBERED);
    assert_eq!(failed.known().keys.len(), FIRST_SWEEP);
    failed.accepted(key("b"), None, REMEMBERED);
    assert_eq!(failed.known().keys.len(), 2);
    for n in 0..FIRST_SWEEP - 1 {
        refused(n, SECOND);
    }
    refused(1000, SECOND * 61);
    assert_eq!(failed.refusals().keys.len(), FIRST_SWEEP);
    refused(1001, SECOND * 61);
    assert_eq!(failed.refusals().keys.len(), 2);
}

/// Memory is cleared whenever it grows; only a full one waits between clearings.
#[test]
fn what_is_old_is_cleared_away_twice_in_a_second() {
    let failed = FailedAuthentications::per_minute(1000);
    let half = FIRST_SWEEP / 2;
    let all = |names: std::ops::Range<usize>, at: Duration| {
        for n in names {
            failed.refused(&key(&n.to_string()), None, Refusal::Invalid, at);
        }
    };
    let early = Duration::from_millis(500);
    all(0..half, early);
    all(half..2 * half, early * 2);
    all(1000..1000 + half, SECOND * 60 + early);
    assert_eq!(
        failed.refusals().keys.len(),
        2 * half,
        "the first half has gone"
    );
    all(2000..2001, SECOND * 61);
    assert_eq!(failed.refusals().keys.len(), half + 1, "and the second");
}

#[test]
fn refusals_are_forgotten_and_never_too_many() {
    let failed = FailedAuthentications::per_minute(3);
    let address = |n: u32| Some(std::net::Ipv4Addr::from_bits(n).into());
    for n in 0..100_000u32 {
        failed.refused(&key("x"), address(n), Refusal::Invalid, SECOND);
    }
    assert_eq!(failed.refusals().keys.len(), MOST_REFUSALS);
    // Refusals that find no room are still counted.
    for n in 0..3 {
        let guess = key(&n.to_string());
        assert_eq!(failed.judge(&guess, None, SECOND), KeyDecision::LookUp);
        failed.refused(&guess, None, Refusal::Invalid, SECOND);
    }
    assert_eq!(failed.judge(&key("x"), None, SECOND), KeyDecision::Wait(60));
    let later = SECOND * 61;
    failed.refused(&key("x"), None, Refusal::Invalid, later);
    assert_eq!(failed.refusals().keys.len(), 1);
}

/// Whoever has a whole site guesses no faster than from ten of its networks, and does not affect other
/// sites.
#[test]
fn a_site_has_ten_times_what_one_of_its_networks_has() {
    let failed = FailedAuthentications::per_minute(3);
    let of = |site: u16, network: u16| {
        Some(std::net::Ipv6Addr::new(0x2001, 0xdb8, site, network, 0, 0, 0, 1).into())
    };
    failed.accepted(key("right"), of(2, 1), SECOND);
    let mut looked_up = 0;
    for network in 0..1000 {
        for n in 0..4 {
            let guess = key(&format!("{network} {n}"));
            if failed.judge(&guess, of(1, network), SECOND) == KeyDecision::LookUp {
                looked_up += 1;
                failed.refused(&guess, of(1, network), Refusal::Invalid, SECOND);
            }
        }
    }
    assert_eq!(looked_up, 30);
    let fresh = of(1, 2000);
    let decision = failed.judge(&key("new"), fresh, SECOND * 2);
    assert_eq!(decision, KeyDecision::Wait(59));
    let known = failed.judge(&key("right"), fresh, SECOND * 2);
    assert_eq!(known, KeyDecision::LookUp, "from anywhere");
    let elsewhere = failed.judge(&key("new"), of(2, 2000), SECOND * 2);
    assert_eq!(elsewhere, KeyDecision::LookUp);
    let later = failed.judge(&key("new"), fresh, SECOND * 61);
    assert_eq!(later, KeyDecision::LookUp);
}

/// IPv4 neighbours are unrelated.
#[test]
fn an_ipv4_address_is_a_site_of_its_own() {
    let failed = FailedAuthentications::per_minute(3);
    for last in 0..=254u8 {
        let address = Some([192, 0, 2, last].into());
        for n in 0..3 {
            let guess = key(&format!("{last} {n}"));
            assert_eq!(failed.judge(&guess, address, SECOND), KeyDecision::LookUp);
            failed.refused(&guess, address, Refusal::Invalid, SECOND);
        }
    }
    let neighbour = Some([192, 0, 2, 255].into());
    let decision = failed.judge(&key("new"), neighbour, SECOND);
    assert_eq!(decision, KeyDecision::LookUp);
}

/// A failed look-up counts, once a minute for each key; but nothing is known about the key.
#[test]
fn what_was_not_answered_counts_and_is_looked_up_again() {
    let failed = FailedAuthentications::per_minute(2);
    failed.accepted(key("right"), None, SECOND);
    for second in 1..5 {
        let now = SECOND * second;
        assert_eq!(failed.judge(&key("a"), None, now), KeyDecision::LookUp);
        failed.unanswered(&key("a"), None, now);
    }
    failed.unanswered(&key("b"), None, SECOND * 5);
    let decision = failed.judge(&key("c"), None, SECOND * 6);
    assert_eq!(decision, KeyDecision::Wait(55));
    let right = failed.judge(&key("right"), None, SECOND * 6);
    assert_eq!(right, KeyDecision::LookUp, "it is still known");
    // A later result is repeated for the usual time, whatever fails after it.
    failed.refused(&key("a"), None, Refusal::Expired, SECOND * 6);
    failed.unanswered(&key("a"), None, Duration::from_millis(6_100));
    for second in 7..16 {
        let refused = failed.judge(&key("a"), None, SECOND * second);
        assert_eq!(refused, KeyDecision::Refuse(Refusal::Expired), "{second}");
        failed.unanswered(&key("a"), None, SECOND * second);
    }
    let decision = failed.judge(&key("a"), None, SECOND * 16);
    assert_eq!(decision, KeyDecision::Wait(45));
    failed.unanswered(&key("a"), None, SECOND * 17);
    let decision = failed.judge(&key("a"), None, SECOND * 18);
    assert_eq!(decision, KeyDecision::Wait(43));
}

/// Each wait holds a connection, whatever key it is for.
#[test]
fn to_wait_in_vain_counts_each_time() {
    let failed = FailedAuthentications::per_minute(3);
    let of =
        |network: u16| Some(std::net::Ipv6Addr::new(0x2001, 0xdb8, 1, network, 0, 0, 0, 1).into());
    for n in 1..=3 {
        let decision = failed.judge(&key("a"), of(1), SECOND * n);
        assert_eq!(decision, KeyDecision::LookUp, "{n}");
        failed.waited_in_vain(of(1), SECOND * n);
    }
    let decision = failed.judge(&key("a"), of(1), SECOND * 4);
    assert_eq!(decision, KeyDecision::Wait(57));
    let elsewhere = failed.judge(&key("a"), of(2), SECOND * 4);
    assert_eq!(elsewhere, KeyDecision::LookUp);
    for network in 2..=10 {
        for _ in 0..3 {
            failed.waited_in_vain(of(network), SECOND * 4);
        }
    }
    let of_site = failed.judge(&key("a"), of(99), SECOND * 4);
    assert_eq!(of_site, KeyDecision::Wait(57));
}
