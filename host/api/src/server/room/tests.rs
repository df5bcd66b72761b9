#![allow(clippy::unwrap_used)]
use super::*;
use proptest::prelude::*;

mod awaited_bodies;

fn room(connections: usize, connections_per_address: usize) -> Arc<Room> {
    Arc::new(Room::new(&ServerLimits {
        connections,
        connections_per_address,
        trusted_proxies: vec!["10.0.0.0/8".parse().unwrap()].into(),
        ..ServerLimits::default()
    }))
}

/// Waits until the room's clock has advanced.
async fn a_moment() {
    tokio::time::sleep(Duration::from_millis(3)).await;
}

async fn enter(room: &Arc<Room>, peer: &str) -> Option<Seat> {
    room.enter(peer.parse().unwrap()).await
}

/// Enters while connections that must go are leaving, as the tasks of real connections do.
async fn enter_full(room: &Arc<Room>, peer: &str, others: &mut Vec<Seat>) -> Seat {
    let entering = enter(room, peer);
    let leaving = async {
        loop {
            tokio::task::yield_now().await;
            others.retain(|seat| !seat.occupant.shed.is_cancelled());
        }
    };
    tokio::select! {
        seat = entering => seat.unwrap(),
        () = leaving => unreachable!(),
    }
}

fn numbers(seats: &[Seat]) -> Vec<u64> {
    seats.iter().map(|seat| seat.number).collect()
}

#[tokio::test]
async fn an_address_at_its_bound_loses_the_connection_that_waited_longest() {
    let room = room(100, 3);
    let mut seats = Vec::new();
    for _ in 0..3 {
        seats.push(enter(&room, "192.0.2.1").await.unwrap());
    }
    seats[0].turn().work();
    a_moment().await;
    seats[1].turn().work();
    seats[1].turn().wait();
    let fourth = enter(&room, "192.0.2.1").await.unwrap();
    let shed: Vec<bool> = seats
        .iter()
        .map(|seat| seat.occupant.shed.is_cancelled())
        .collect();
    assert_eq!(shed, [false, false, true]);
    seats[1].turn().work();
    fourth.turn().work();
    assert!(
        enter(&room, "192.0.2.1").await.is_none(),
        "all of them are at work"
    );
    assert!(enter(&room, "192.0.2.2").await.is_some());
    drop(fourth);
    assert!(enter(&room, "192.0.2.1").await.is_some());
}

#[tokio::test]
async fn an_ipv6_network_is_one_address_and_a_trusted_proxy_has_no_bound() {
    let room = room(100, 1);
    let first = enter(&room, "2001:db8::1").await.unwrap();
    first.turn().work();
    assert!(enter(&room, "2001:db8::2").await.is_none());
    assert!(enter(&room, "2001:db8:0:1::2").await.is_some());
    let mut proxied = Vec::new();
    for _ in 0..20 {
        proxied.push(enter(&room, "10.0.0.1").await.unwrap());
    }
    assert!(proxied.iter().all(|s| !s.occupant.shed.is_cancelled()));
}

#[tokio::test]
async fn the_greediest_address_makes_room() {
    let room = room(8, 6);
    let proxied = [
        enter(&room, "10.0.0.1").await.unwrap(),
        enter(&room, "10.0.0.1").await.unwrap(),
        enter(&room, "10.0.0.1").await.unwrap(),
        enter(&room, "10.0.0.1").await.unwrap(),
    ];
    let single = enter(&room, "192.0.2.7").await.unwrap();
    let mut greedy = Vec::new();
    for _ in 0..3 {
        greedy.push(enter(&room, "192.0.2.1").await.unwrap());
    }
    greedy[0].turn().work();
    let kept = [greedy[0].number, greedy[2].number];
    let new = enter_full(&room, "192.0.2.8", &mut greedy).await;
    assert_eq!(numbers(&greedy), kept, "the one that waited longest went");
    greedy[1].turn().work();
    // Now two single connections wait besides the proxy's, and the older one goes.
    let mut rest = vec![single, new];
    let newest = enter_full(&room, "192.0.2.9", &mut rest).await;
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0].address.network.to_string(), "192.0.2.8");
    assert!(proxied.iter().all(|s| !s.occupant.shed.is_cancelled()));
    drop(newest);
}

/// The number of a proxy's connections says nothing about the clients for which it acts.
#[tokio::test]
async fn among_proxies_who_was_heard_of_longest_ago_goes() {
    let room = room(4, 4);
    let mut seats = vec![enter(&room, "10.0.0.1").await.unwrap()];
    a_moment().await;
    for _ in 0..3 {
        seats.push(enter(&room, "10.0.0.2").await.unwrap());
    }
    let new = enter_full(&room, "192.0.2.1", &mut seats).await;
    assert_eq!(numbers(&seats), [1, 2, 3]);
    drop(new);
}

/// Waits until a silent peer no longer counts as prompt.
async fn a_while() {
    tokio::time::sleep(Duration::from_millis(PROMPT + 5)).await;
}

#[tokio::test]
async fn silence_goes_before_answers_however_many_those_are() {
    let room = room(6, 6);
    let mut seats = Vec::new();
    for _ in 0..3 {
        seats.push(enter(&room, "192.0.2.7").await.unwrap());
        seats[seats.len() - 1].turn().deliver();
        a_moment().await;
    }
    for peer in ["192.0.2.1", "192.0.2.2", "192.0.2.3"] {
        seats.push(enter(&room, peer).await.unwrap());
    }
    a_while().await;
    let mut new = Vec::new();
    for left in [&[0, 1, 2, 4, 5][..], &[0, 1, 2, 5], &[0, 1, 2], &[1, 2]] {
        let seat = enter_full(&room, "192.0.2.9", &mut seats).await;
        seat.turn().work();
        new.push(seat);
        assert_eq!(numbers(&seats), left);
    }
}

#[tokio::test]
async fn within_an_address_silence_goes_before_answers() {
    let room = room(100, 3);
    let mut seats = Vec::new();
    for _ in 0..3 {
        seats.push(enter(&room, "192.0.2.1").await.unwrap());
    }
    seats[0].turn().deliver();
    seats[1].turn().deliver();
    a_moment().await;
    seats[2].turn().wait();
    let shed = |seats: &[Seat]| -> Vec<bool> {
        let one = |seat: &Seat| seat.occupant.shed.is_cancelled();
        seats.iter().map(one).collect()
    };
    seats.push(enter(&room, "192.0.2.1").await.unwrap());
    assert_eq!(shed(&seats), [false, false, true, false]);
    seats[3].turn().work();
    seats.push(enter(&room, "192.0.2.1").await.unwrap());
    assert_eq!(shed(&seats), [true, false, true, false, false]);
}

/// An owner of many networks of 64 bits gets no more of the room for it.
#[tokio::test]
async fn an_ipv6_site_is_ranked_as_one() {
    let room = room(8, 2);
    let mut seats = Vec::new();
    for peer in ["192.0.2.1", "192.0.2.1"] {
        seats.push(enter(&room, peer).await.unwrap());
    }
    for network in 0..6 {
        let peer = format!("2001:db8:1:{network}::1");
        seats.push(enter(&room, &peer).await.unwrap());
    }
    a_while().await;
    let mut kept = Vec::new();
    for left in [&[0, 1, 3, 4, 5, 6, 7][..], &[0, 1, 4, 5, 6, 7]] {
        let new = enter_full(&room, "192.0.2.9", &mut seats).await;
        assert_eq!(numbers(&seats), left);
        new.turn().work();
        kept.push(new);
    }
}

/// One check closes many connections, but never those whose peers keep nobody waiting.
#[tokio::test]
async fn those_who_are_prompt_do_not_go_along_with_the_others() {
    let room = room(256, 256);
    let mut seats = Vec::new();
    for _ in 0..2 {
        seats.push(enter(&room, "192.0.2.1").await.unwrap());
    }
    a_while().await;
    for _ in 0..254 {
        seats.push(enter(&room, "192.0.2.2").await.unwrap());
    }
    assert_eq!(room.shed_at_once, 4);
    let new = enter_full(&room, "192.0.2.3", &mut seats).await;
    assert_eq!(seats.len(), 254);
    assert!(seats.iter().all(|seat| seat.number >= 2));
    drop(new);
}

#[tokio::test]
async fn an_answer_of_which_nothing_is_taken_is_silence() {
    let room = room(8, 8);
    let (unread, silent) = (
        enter(&room, "192.0.2.1").await.unwrap(),
        enter(&room, "192.0.2.2").await.unwrap(),
    );
    unread.turn().deliver();
    a_moment().await;
    silent.turn().wait();
    let last = |seat: &Seat| match seat.turn().standing() {
        Standing::Silent { since } | Standing::Delivering { since } => since,
        Standing::Receiving { .. } | Standing::AtWork => unreachable!(),
    };
    let first_at = |now: Moment| {
        let of = |seat: &Seat, share| {
            let precedence = seat
                .occupant
                .precedence(seat.address, share, seat.number, now);
            precedence.unwrap()
        };
        // The address of `unread` has more connections.
        let (unread_first, silent_first) = (of(&unread, 5), of(&silent, 1));
        if unread_first < silent_first {
            "unread"
        } else {
            "silent"
        }
    };
    // Both are prompt, so the address with more connections loses one.
    assert_eq!(first_at(last(&silent)), "unread");
    assert_eq!(first_at(last(&silent) + PROMPT), "silent");
    assert_eq!(first_at(last(&unread) + UNREAD - 1), "silent");
    assert_eq!(first_at(last(&unread) + UNREAD), "unread");
}

#[tokio::test]
async fn who_comes_while_all_are_at_work_waits_for_a_place() {
    let room = room(1, 1);
    let only = enter(&room, "192.0.2.1").await.unwrap();
    only.turn().work();
    let waiting = tokio::spawn({
        let room = Arc::clone(&room);
        async move { room.enter("192.0.2.2".parse().unwrap()).await.is_some() }
    });
    tokio::time::sleep(AGAIN * 5).await;
    assert!(!waiting.is_finished() && !only.occupant.shed.is_cancelled());
    only.turn().wait();
    only.shed().await;
    drop(only);
    assert!(waiting.await.unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the sequence of connecting, leaving, working and waiting: only a proxy's address exceeds
    /// its limit, there are never more connections than places, no busy connection is closed, and the table
    /// is empty once all have gone.
    #[test]
    fn the_bounds_hold(steps in proptest::collection::vec((0u8..6, 0u8..6), 1..120)) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let room = room(12, 4);
            let mut seats: Vec<(Seat, bool)> = Vec::new();
            for (what, who) in steps {
                match what {
                    0 | 1 => {
                        let peer: IpAddr = if who == 0 { [10, 0, 0, 1] } else { [192, 0, 2, who] }.into();
                        let entering = room.enter(peer);
                        let leaving = async {
                            loop {
                                tokio::task::yield_now().await;
                                seats.retain(|(seat, _)| !seat.occupant.shed.is_cancelled());
                            }
                        };
                        let entered = tokio::select! {
                            entered = entering => entered,
                            () = leaving => None,
                            () = tokio::time::sleep(Duration::from_millis(5)) => None,
                        };
                        seats.extend(entered.map(|seat| (seat, false)));
                    }
                    2 => if let Some((seat, at_work)) = seats.get_mut(usize::from(who)) {
                        *at_work = !*at_work;
                        if *at_work { seat.turn().work() } else { seat.turn().wait() }
                    },
                    3 => if let Some((seat, at_work)) = seats.get_mut(usize::from(who)) {
                        *at_work = false;
                        seat.turn().deliver();
                    },
                    4 => if let Some((seat, at_work)) = seats.get_mut(usize::from(who)) {
                        // A body that is arriving protects its connection like a request in progress.
                        *at_work = true;
                        seat.turn().receive(Moment::MAX);
                    },
                    _ => if usize::from(who) < seats.len() { drop(seats.swap_remove(usize::from(who))) },
                }
                for (seat, at_work) in &seats {
                    assert!(!(*at_work && seat.occupant.shed.is_cancelled()), "sent away from work");
                }
                seats.retain(|(seat, _)| !seat.occupant.shed.is_cancelled());
                assert!(seats.len() <= 12);
                for (address, occupants) in room.addresses().iter() {
                    assert!(address.proxy || occupants.len() <= 4);
                    assert!(!occupants.is_empty());
                }
            }
            drop(seats);
            assert!(room.addresses().is_empty());
            assert_eq!(room.places.available_permits(), 12);
        });
    }
}
