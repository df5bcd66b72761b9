//! Who is connected, and who goes when there is no room: those first whose peers have kept silent, have
//! let us wait for a body or have taken nothing of an answer for a while; of these, the connections of the
//! network that has most. A connection whose request is being worked on stays, and so does one whose body
//! is coming.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gtm_domain::CidrList;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::ServerLimits;
use super::turn::{Moment, Standing, Turn, moment};
use crate::client_address;

/// To look at every connection for each one that comes would cost more than to serve it, so that one
/// look makes room for this share of all.
const SHED_AT_ONCE: usize = 64;
/// How soon room is looked for again if all connections were at work.
const AGAIN: Duration = Duration::from_millis(20);
/// A peer that has been silent for less than this may be as quick as its network lets it: its request
/// may be on its way.
const PROMPT: Moment = 250;
/// A peer that has taken nothing of its answer for this long is not reading it. The system's buffers
/// empty in lumps, so that one who reads slowly is seen to take something only now and then.
const UNREAD: Moment = 5000;
/// How long a body may lag behind the pace at which it would be coming: long enough for a peer far away
/// that asks first whether to go on (`Expect: 100-continue`) or has to send a packet again.
const LAG: Moment = 2000;

/// How good a claim a connection that can go has to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    /// It has let us wait.
    Slow,
    /// Its peer may be as quick as its network lets it; a connection of which nothing is under way can
    /// be made again.
    Prompt,
    /// The body of a request is expected, which would be lost.
    Expected,
}

/// What connections are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Address {
    /// A trusted proxy: it speaks for many and has no bound of its own.
    proxy: bool,
    network: IpAddr,
}

impl Address {
    /// Whose greed it is. Who has one IPv6 network of 64 bits often has 65 536 of them.
    fn site(self) -> Self {
        Self {
            network: client_address::site(self.network),
            ..self
        }
    }
}

/// A connection as the room sees it.
#[derive(Debug)]
struct Occupant {
    turn: Turn,
    shed: CancellationToken,
}

/// When a connection's turn to go comes: of two, the lesser one goes first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Precedence {
    /// Proxies go last.
    proxy: bool,
    /// Comes before the share: who is slow goes first, however few others his network has.
    claim: Claim,
    share: Reverse<usize>,
    /// Of the silent, then of those whose bodies are awaited, and then of those that are being answered,
    /// who was heard of longest ago.
    standing: Standing,
    number: u64,
}

impl Precedence {
    const fn group(&self) -> (bool, Claim) {
        (self.proxy, self.claim)
    }
}

type Occupants = HashMap<u64, Arc<Occupant>>;

/// The connections of a listener.
#[derive(Debug)]
pub(super) struct Room {
    connections: usize,
    per_address: usize,
    shed_at_once: usize,
    proxies: CidrList,
    opened: Instant,
    places: Arc<Semaphore>,
    number: AtomicU64,
    addresses: Mutex<HashMap<Address, Occupants>>,
}

impl Room {
    pub(super) fn new(limits: &ServerLimits) -> Self {
        Self {
            connections: limits.connections,
            per_address: limits.connections_per_address,
            shed_at_once: (limits.connections / SHED_AT_ONCE).max(1),
            proxies: limits.trusted_proxies.clone(),
            opened: Instant::now(),
            places: Arc::new(Semaphore::new(limits.connections)),
            number: AtomicU64::new(0),
            addresses: Mutex::default(),
        }
    }

    /// A place for a connection from `peer`; none if its address has its share and none of it can go.
    /// Waits where no connection of any address can.
    pub(super) async fn enter(self: &Arc<Self>, peer: IpAddr) -> Option<Seat> {
        let address = self.address(peer);
        if !address.proxy && !self.make_room_within(address) {
            return None;
        }
        let place = loop {
            if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
                break place;
            }
            self.make_room();
            let place = Arc::clone(&self.places).acquire_owned();
            if let Ok(Ok(place)) = tokio::time::timeout(AGAIN, place).await {
                break place;
            }
        };
        let occupant = Arc::new(Occupant {
            turn: Turn::new(self.opened),
            shed: CancellationToken::new(),
        });
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let mut addresses = self.addresses();
        let occupants = addresses.entry(address).or_default();
        occupants.insert(number, Arc::clone(&occupant));
        drop(addresses);
        Some(Seat {
            room: Arc::clone(self),
            address,
            number,
            occupant,
            _place: place,
        })
    }

    /// Whether the address is, or now is, below its bound.
    fn make_room_within(&self, address: Address) -> bool {
        let mut addresses = self.addresses();
        let Some(occupants) = addresses.get(&address) else {
            return true;
        };
        if occupants.len() < self.per_address {
            return true;
        }
        let now = moment(self.opened);
        // They all have the same share.
        let going = occupants
            .iter()
            .filter_map(|(number, occupant)| occupant.precedence(address, 0, *number, now))
            .min();
        let Some(Precedence { number, .. }) = going else {
            return false;
        };
        if let Some(occupant) = remove(&mut addresses, address, number) {
            occupant.leave("address");
        }
        true
    }

    /// Send away those who can go, in their order: some at once, but nobody together with those who have
    /// a lesser claim.
    fn make_room(&self) {
        let mut addresses = self.addresses();
        let held: usize = addresses.values().map(HashMap::len).sum();
        if held < self.connections {
            // Somebody is on the way out already.
            return;
        }
        let mut shares: HashMap<Address, usize> = HashMap::new();
        for (address, occupants) in addresses.iter() {
            *shares.entry(address.site()).or_default() += occupants.len();
        }
        let now = moment(self.opened);
        let mut can_go = Vec::new();
        for (address, occupants) in addresses.iter() {
            let share = shares.get(&address.site()).copied().unwrap_or_default();
            can_go.extend(occupants.iter().filter_map(|(number, occupant)| {
                let precedence = occupant.precedence(*address, share, *number, now)?;
                Some((precedence, *address))
            }));
        }
        let going = self.shed_at_once.min(can_go.len());
        if going == 0 {
            return;
        }
        can_go.select_nth_unstable(going - 1);
        can_go.truncate(going);
        let first = can_go
            .iter()
            .map(|(precedence, _)| precedence.group())
            .min();
        for (precedence, address) in can_go {
            if Some(precedence.group()) == first
                && let Some(occupant) = remove(&mut addresses, address, precedence.number)
            {
                occupant.leave("room");
            }
        }
    }

    fn address(&self, peer: IpAddr) -> Address {
        let peer = peer.to_canonical();
        if self.proxies.contains(peer) {
            Address {
                proxy: true,
                network: peer,
            }
        } else {
            Address {
                proxy: false,
                network: client_address::network(peer),
            }
        }
    }

    fn addresses(&self) -> MutexGuard<'_, HashMap<Address, Occupants>> {
        // Nothing that is done under the lock leaves the table half-changed.
        self.addresses
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn remove(
    addresses: &mut HashMap<Address, Occupants>,
    address: Address,
    number: u64,
) -> Option<Arc<Occupant>> {
    let occupants = addresses.get_mut(&address)?;
    let gone = occupants.remove(&number);
    if occupants.is_empty() {
        addresses.remove(&address);
    }
    gone
}

impl Occupant {
    /// None where it must stay.
    fn precedence(
        &self,
        address: Address,
        share: usize,
        number: u64,
        now: Moment,
    ) -> Option<Precedence> {
        let standing = self.turn.standing();
        let claim = match standing {
            Standing::Silent { since } if now.saturating_sub(since) < PROMPT => Claim::Prompt,
            Standing::Delivering { since } if now.saturating_sub(since) < UNREAD => Claim::Prompt,
            // It is coming: who sends it is not the one who lets others wait.
            Standing::Receiving { paid_until } if now < paid_until => return None,
            Standing::Receiving { paid_until } if now.saturating_sub(paid_until) < LAG => {
                Claim::Expected
            }
            Standing::AtWork => return None,
            Standing::Silent { .. } | Standing::Delivering { .. } | Standing::Receiving { .. } => {
                Claim::Slow
            }
        };
        Some(Precedence {
            proxy: address.proxy,
            claim,
            // Proxies speak for many: the number of their connections says nothing.
            share: Reverse(if address.proxy { 0 } else { share }),
            standing,
            number,
        })
    }

    fn leave(&self, for_want_of: &'static str) {
        self.shed.cancel();
        metrics::counter!("gtm_http_connections_shed_total", "full" => for_want_of).increment(1);
    }
}

/// A connection's place in the room, which is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    room: Arc<Room>,
    address: Address,
    number: u64,
    occupant: Arc<Occupant>,
    _place: OwnedSemaphorePermit,
}

impl Seat {
    /// Ends when the connection must make room for another.
    pub(super) async fn shed(&self) {
        self.occupant.shed.cancelled().await;
    }

    /// Whose turn it is on the connection, for the conversation to tell.
    pub(super) fn turn(&self) -> Turn {
        self.occupant.turn.clone()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        remove(&mut self.room.addresses(), self.address, self.number);
    }
}

#[cfg(test)]
mod tests;
