//! Requests whose bodies are still arriving, among prompt peers.

use super::*;

/// A room old enough for every time span in these tests.
fn old_room(connections: usize, connections_per_address: usize) -> Arc<Room> {
    let mut room = Arc::into_inner(room(connections, connections_per_address)).unwrap();
    room.opened = room.opened.checked_sub(Duration::from_secs(60)).unwrap();
    Arc::new(room)
}

fn single(number: u8) -> String {
    format!("192.0.2.{number}")
}

/// However far away the uploading peer is, and however many prompt peers connect, its body is not cut off.
#[tokio::test]
async fn a_body_that_is_coming_is_not_lost_to_prompt_peers() {
    let room = old_room(4, 4);
    let uploading = enter(&room, &single(1)).await.unwrap();
    uploading.turn().receive(moment(room.opened) + 10_000);
    // The body was read, then more of it, and is now awaited again for longer than a peer may stay silent.
    a_while().await;
    let mut prompt = Vec::new();
    for number in 2..20 {
        let new = enter_full(&room, &single(number), &mut prompt).await;
        prompt.push(new);
    }
    assert!(!uploading.occupant.shed.is_cancelled());
    assert_eq!(prompt.len(), 3);
}

/// The first bytes of a body may be a round trip behind the head, and a lost packet another second.
#[tokio::test]
async fn a_body_that_has_not_begun_goes_after_prompt_peers_for_a_while() {
    let room = old_room(3, 3);
    let prompt = enter(&room, &single(2)).await.unwrap();
    let Standing::Silent { since: begun } = prompt.turn().standing() else {
        unreachable!()
    };
    let awaited = enter(&room, &single(1)).await.unwrap();
    awaited.turn().receive(begun);
    let reading = enter(&room, &single(3)).await.unwrap();
    reading.turn().deliver();
    let order = |now: Moment| {
        let mut all: Vec<Precedence> = [&awaited, &prompt, &reading]
            .into_iter()
            // The awaited body's network has more connections than the others.
            .zip([5, 1, 1])
            .filter_map(|(seat, share)| {
                let occupant = &seat.occupant;
                occupant.precedence(seat.address, share, seat.number, now)
            })
            .collect();
        all.sort_unstable();
        all.iter().map(|one| one.number).collect::<Vec<_>>()
    };
    let [awaited_, prompt_, reading_] = [awaited.number, prompt.number, reading.number];
    let last = [prompt_, reading_, awaited_];
    assert_eq!(order(begun), last);
    assert_eq!(order(begun + PROMPT), last, "idle ones go first");
    assert_eq!(order(begun + LAG - 1), last);
    let first = [awaited_, prompt_, reading_];
    assert_eq!(order(begun + LAG), first, "by its share again");
    awaited.turn().receive(begun + 1);
    assert_eq!(order(begun), [prompt_, reading_], "what is coming stays");
    assert_eq!(order(begun + 1), last);
}

/// A peer gains nothing by sending a byte now and then.
#[tokio::test]
async fn trickling_peers_go_first_however_many_they_are() {
    let room = old_room(1000, 64);
    let long_ago = moment(room.opened) - LAG;
    let mut trickling = Vec::new();
    for number in 0..997u16 {
        let [high, low] = number.to_be_bytes();
        let seat = enter(&room, &format!("198.18.{high}.{low}")).await.unwrap();
        seat.turn().receive(long_ago);
        trickling.push(seat);
    }
    let uploading = enter(&room, &single(1)).await.unwrap();
    uploading.turn().receive(Moment::MAX);
    let mut honest = vec![uploading];
    // Two from one network, so that it has the larger share.
    for _ in 0..2 {
        let seat = enter(&room, &single(2)).await.unwrap();
        seat.turn().deliver();
        honest.push(seat);
    }
    for number in 3..103 {
        let new = enter_full(&room, &single(number), &mut trickling).await;
        new.turn().deliver();
        honest.push(new);
    }
    assert!(honest.iter().all(|s| !s.occupant.shed.is_cancelled()));
    assert!(trickling.len() <= 897, "{} left", trickling.len());
}

/// An office that sends many bodies at once must not lose one of them to its own next connection.
#[tokio::test]
async fn an_address_with_nothing_but_bodies_that_are_coming_is_full() {
    let room = old_room(100, 3);
    let mut seats = Vec::new();
    for _ in 0..3 {
        let seat = enter(&room, &single(1)).await.unwrap();
        seat.turn().receive(Moment::MAX);
        seats.push(seat);
    }
    assert!(enter(&room, &single(1)).await.is_none());
    seats[1].turn().receive(moment(room.opened));
    assert!(enter(&room, &single(1)).await.is_some());
    assert!(seats[1].occupant.shed.is_cancelled());
}
