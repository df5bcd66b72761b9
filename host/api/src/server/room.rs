//! Decides which connections are closed when there are too many. Connections go first if their peers have
//! been silent, have kept the server waiting for a body, or have accepted nothing of an answer for a while;
//! among these, connections of the network that has the most. A connection stays while its request is being
//! worked on or its body is arriving.

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

/// Checking every connection for each new one would cost more than serving it. So each check closes this
/// share of all connections at once.
const SHED_AT_ONCE: usize = 64;
/// How soon the room checks again if all connections were busy.
const AGAIN: Duration = Duration::from_millis(20);
/// A peer that has been silent for less than this may be as quick as its network allows: its request may be
/// on its way.
const PROMPT: Moment = 250;
/// A peer that has accepted nothing of its answer for this long is not reading it. The system's buffers
/// drain in bursts, so even a slow reader is seen to accept something now and then.
const UNREAD: Moment = 5000;
/// How far a body may fall behind the minimum rate. This is long enough for a distant peer that first asks
/// whether to go on (`Expect: 100-continue`) or has to resend a packet.
const LAG: Moment = 2000;

/// How strong the claim of a connection to its place is, if it may be closed at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    /// Its peer has kept us waiting.
    Slow,
    /// Its peer may be as quick as its network allows. Nothing is lost by closing: the peer can connect
    /// again.
    Prompt,
    /// A request's body is expected. Closing the connection would lose the request.
    Expected,
}

/// The key by which connections are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Address {
    /// A trusted proxy: it acts for many clients and has no limit of its own.
    proxy: bool,
    network: IpAddr,
}

impl Address {
    /// The range over which connections are summed for the share. The owner of one IPv6 network of 64 bits
    /// often has 65 536 of them.
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

/// The order in which connections are closed: smaller values go first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Precedence {
    /// Proxies go last.
    proxy: bool,
    /// Compared before the share: a slow connection goes first, however few others its network has.
    claim: Claim,
    share: Reverse<usize>,
    /// Silent connections first, then those whose bodies are awaited, then those that are being answered;
    /// among equals, the one whose peer has been inactive longest.
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

    /// Gets a place for a connection from `peer`. Returns `None` if its address has its maximum and none of
    /// its connections may be closed. Waits if no connection of any address may be closed.
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

    /// Whether the address is below its limit, after closing one of its connections if necessary.
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

    /// Closes connections that may go, in order: several at once, but never together with one that has a
    /// stronger claim.
    fn make_room(&self) {
        let mut addresses = self.addresses();
        let held: usize = addresses.values().map(HashMap::len).sum();
        if held < self.connections {
            // A connection is being closed already.
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
        // No operation under this lock can leave the table half-changed.
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
    /// `None` if the connection must stay.
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
            // The body is arriving: this peer keeps nobody waiting.
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
            // Proxies act for many clients, so the number of their connections means nothing.
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

/// A connection's place in the room. Dropping it frees the place.
#[derive(Debug)]
pub(super) struct Seat {
    room: Arc<Room>,
    address: Address,
    number: u64,
    occupant: Arc<Occupant>,
    _place: OwnedSemaphorePermit,
}

impl Seat {
    /// Completes when the connection must make room for another.
    pub(super) async fn shed(&self) {
        self.occupant.shed.cancelled().await;
    }

    /// Which side the connection is waiting for.
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
