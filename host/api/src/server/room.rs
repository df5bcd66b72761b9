//! Who is connected, and who goes when there is no room: the address with the most connections loses
//! those that have waited longest for it. A connection whose request is being worked on stays.

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
use crate::client_address;

/// To look at every connection for each one that comes would cost more than to serve it, so that one
/// look makes room for this share of all.
const SHED_AT_ONCE: usize = 64;
/// How soon room is looked for again if all connections were at work.
const AGAIN: Duration = Duration::from_millis(20);

/// What connections are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Address {
    /// A trusted proxy: it speaks for many and has no bound of its own.
    proxy: bool,
    network: IpAddr,
}

/// A connection as the room sees it.
#[derive(Debug)]
struct Occupant {
    /// Since when the peer is to act, in milliseconds after the room was opened; [`AT_WORK`] while a
    /// request is being worked on.
    waiting_since: AtomicU64,
    shed: CancellationToken,
}

const AT_WORK: u64 = u64::MAX;

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

    /// A place for a connection from `peer`; none if its address has its share and all of it is at work.
    /// Waits where every connection of every address is at work.
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
            waiting_since: AtomicU64::new(self.now()),
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
        let waiting = occupants.iter().filter_map(|(number, occupant)| {
            let since = occupant.waiting_since()?;
            Some((since, *number))
        });
        let Some((_, longest)) = waiting.min() else {
            return false;
        };
        if let Some(occupant) = remove(&mut addresses, address, longest) {
            occupant.leave("address");
        }
        true
    }

    /// Send away those who wait for their peers: of the addresses with most connections first, and of
    /// these who waited longest; of trusted proxies last.
    fn make_room(&self) {
        let mut addresses = self.addresses();
        let held: usize = addresses.values().map(HashMap::len).sum();
        if held < self.connections {
            // Somebody is on the way out already.
            return;
        }
        let mut waiting = Vec::new();
        for (address, occupants) in addresses.iter() {
            let share = if address.proxy { 0 } else { occupants.len() };
            waiting.extend(occupants.iter().filter_map(|(number, occupant)| {
                let since = occupant.waiting_since()?;
                Some((Reverse(share), since, *number, *address))
            }));
        }
        let going = self.shed_at_once.min(waiting.len());
        if going == 0 {
            return;
        }
        waiting.select_nth_unstable(going - 1);
        for (_, _, number, address) in waiting.into_iter().take(going) {
            if let Some(occupant) = remove(&mut addresses, address, number) {
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

    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(AT_WORK - 1)
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
    fn waiting_since(&self) -> Option<u64> {
        let since = self.waiting_since.load(Ordering::Relaxed);
        (since != AT_WORK).then_some(since)
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

    /// What the connection tells of whose turn it is.
    pub(super) fn turn(&self) -> Turn {
        Turn {
            room: Arc::clone(&self.room),
            occupant: Arc::clone(&self.occupant),
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        remove(&mut self.room.addresses(), self.address, self.number);
    }
}

/// Whose turn it is on a connection: the server's or the peer's.
#[derive(Debug, Clone)]
pub(super) struct Turn {
    room: Arc<Room>,
    occupant: Arc<Occupant>,
}

impl Turn {
    /// A request is being worked on.
    pub(super) fn work(&self) {
        self.occupant
            .waiting_since
            .store(AT_WORK, Ordering::Relaxed);
    }

    /// It is the peer's turn: to take the answer, or to send a request.
    pub(super) fn wait(&self) {
        let now = self.room.now();
        self.occupant.waiting_since.store(now, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
