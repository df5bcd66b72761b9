//! Limits how many possibly guessed keys are looked up at the same time (decision 0040).
//!
//! Danger: a database that hangs would have look-ups take every connection to it, and callers with known
//! keys could do nothing either. (One that answers finishes a look-up before anybody has to wait.)
//!
//! A request that waits for a turn holds a connection that counts as busy and is never closed to make room.
//! So only a few may wait.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::client_address;

/// Maximum number of look-ups in total: half of the store's default connections.
const AT_ONCE: usize = 4;
/// Maximum number for one site.
const AT_ONCE_PER_SITE: usize = 2;
/// How long a request waits for its turn. A database that answers handles hundreds in that time.
const PATIENCE: Duration = Duration::from_secs(3);

/// The part of the server's connections that may be held by requests with a turn or waiting for one. Half
/// of it is reserved for sites with hardly any other such requests.
const PART_OF_CONNECTIONS: usize = 8;
/// The part of that which one site may hold.
const PART_OF_SITE: usize = 4;
/// The maximum of that: the default number of connections per address.
const MOST_OF_SITE: usize = 64;

/// Tracks who looks a key up and who waits.
#[derive(Debug)]
pub struct LookupTurns {
    all: Arc<Semaphore>,
    present: Arc<Mutex<Present>>,
    most: usize,
    most_of_site: usize,
}

/// Why there is no turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoTurn {
    /// Too many are waiting already.
    Crowded,
    /// No turn came in time.
    InVain,
}

/// The requests that have a turn or wait for one.
#[derive(Debug, Default)]
struct Present {
    sites: HashMap<Option<IpAddr>, Site>,
    all: usize,
}

#[derive(Debug)]
struct Site {
    turns: Arc<Semaphore>,
    present: usize,
}

/// Permission to look a key up, until it is dropped.
#[derive(Debug)]
pub struct LookupTurn {
    _of_all: OwnedSemaphorePermit,
    _of_site: OwnedSemaphorePermit,
    _presence: Presence,
}

/// Keeps a site in memory while somebody needs it.
#[derive(Debug)]
struct Presence {
    present: Arc<Mutex<Present>>,
    site: Option<IpAddr>,
}

impl LookupTurns {
    /// Turns for a server with this many connections. However few they are, as many requests can get a turn
    /// as may look up at once.
    #[must_use]
    pub fn for_connections(connections: usize) -> Self {
        let most = (connections / PART_OF_CONNECTIONS).max(AT_ONCE);
        Self {
            all: Arc::new(Semaphore::new(AT_ONCE)),
            present: Arc::default(),
            most,
            most_of_site: (most / PART_OF_SITE).clamp(AT_ONCE_PER_SITE, MOST_OF_SITE),
        }
    }

    /// A turn for a client. Clients whose address is unknown count as one site.
    ///
    /// # Errors
    /// If too many are waiting already (at once), or if those with a turn do not finish in time.
    pub async fn turn(&self, client: Option<IpAddr>) -> Result<LookupTurn, NoTurn> {
        let site = client.map(client_address::site);
        let (presence, turns) = self.appear(site).ok_or(NoTurn::Crowded)?;
        let waiting = async {
            // In this order, so that a site that waits for itself does not make others wait.
            let of_site = turns.acquire_owned().await.ok()?;
            let of_all = Arc::clone(&self.all).acquire_owned().await.ok()?;
            Some((of_site, of_all))
        };
        let waited = tokio::time::timeout(PATIENCE, waiting).await;
        let (of_site, of_all) = waited.ok().flatten().ok_or(NoTurn::InVain)?;
        Ok(LookupTurn {
            _of_all: of_all,
            _of_site: of_site,
            _presence: presence,
        })
    }

    /// `None` if that would be one too many.
    fn appear(&self, site: Option<IpAddr>) -> Option<(Presence, Arc<Semaphore>)> {
        let mut present = locked(&self.present);
        let of_site = present.sites.get(&site).map_or(0, |site| site.present);
        // A few slow sites must not take the turns of all others.
        let most_of_site = if present.all < self.most / 2 {
            self.most_of_site
        } else {
            AT_ONCE_PER_SITE
        };
        if of_site >= most_of_site || present.all >= self.most {
            return None;
        }
        present.all += 1;
        let entry = present.sites.entry(site).or_insert_with(|| Site {
            turns: Arc::new(Semaphore::new(AT_ONCE_PER_SITE)),
            present: 0,
        });
        entry.present += 1;
        let turns = Arc::clone(&entry.turns);
        let presence = Presence {
            present: Arc::clone(&self.present),
            site,
        };
        Some((presence, turns))
    }
}

fn locked(present: &Mutex<Present>) -> MutexGuard<'_, Present> {
    // Nothing done under this lock can be left half-done.
    present.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut present = locked(&self.present);
        present.all -= 1;
        if let Some(site) = present.sites.get_mut(&self.site) {
            site.present -= 1;
            if site.present == 0 {
                present.sites.remove(&self.site);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::future::poll_fn;
    use std::pin::Pin;
    use std::task::Poll;

    /// The number of connections that the server has by default.
    const CONNECTIONS: usize = 4096;
    const MOST: usize = 512;

    fn address(text: &str) -> Option<IpAddr> {
        Some(text.parse().unwrap())
    }

    /// Whether a turn has to be waited for.
    async fn waits(turns: &LookupTurns, client: Option<IpAddr>) -> bool {
        let soon = Duration::from_millis(20);
        tokio::time::timeout(soon, turns.turn(client))
            .await
            .is_err()
    }

    fn is_empty(turns: &LookupTurns) -> bool {
        let present = locked(&turns.present);
        present.sites.is_empty() && present.all == 0
    }

    #[tokio::test]
    async fn a_site_has_two_turns_and_all_have_four() {
        let turns = LookupTurns::for_connections(CONNECTIONS);
        let first = turns.turn(address("2001:db8:1:1::1")).await.unwrap();
        let second = turns.turn(address("2001:db8:1:2::1")).await.unwrap();
        assert!(waits(&turns, address("2001:db8:1:3::1")).await);
        let other = turns.turn(address("2001:db8:2::1")).await.unwrap();
        let unknown = turns.turn(None).await.unwrap();
        assert!(waits(&turns, address("192.0.2.1")).await, "of all");
        drop(first);
        assert!(!waits(&turns, address("192.0.2.1")).await);
        let again = turns.turn(address("2001:db8:1:3::1")).await;
        assert!(again.is_ok());
        drop((again, second, other, unknown));
        assert!(is_empty(&turns));
        assert_eq!(turns.all.available_permits(), AT_ONCE);
    }

    /// A request that waits in vain, or gives up, leaves nothing behind; the next one waiting gets the
    /// turn.
    #[tokio::test]
    async fn who_waits_is_next() {
        let turns = LookupTurns::for_connections(CONNECTIONS);
        let here = address("192.0.2.1");
        let mut held = vec![
            turns.turn(here).await.unwrap(),
            turns.turn(here).await.unwrap(),
        ];
        assert_eq!(turns.turn(here).await.unwrap_err(), NoTurn::InVain);
        let next = turns.turn(here);
        tokio::pin!(next);
        let soon = Duration::from_millis(20);
        assert!(tokio::time::timeout(soon, &mut next).await.is_err());
        assert!(waits(&turns, here).await, "given up");
        held.pop();
        let next = next.await;
        assert!(next.is_ok());
        assert!(waits(&turns, here).await);
        drop((held, next));
        assert!(is_empty(&turns));
    }

    type Coming<'a> = Pin<Box<dyn Future<Output = Result<LookupTurn, NoTurn>> + 'a>>;

    /// True if the client gets a turn or may wait for one; it keeps its place until it is dropped.
    async fn comes<'a>(
        turns: &'a LookupTurns,
        client: Option<IpAddr>,
        there: &mut Vec<Coming<'a>>,
    ) -> bool {
        let mut coming = Box::pin(async move {
            let turn = turns.turn(client).await?;
            std::future::pending::<()>().await;
            Ok(turn)
        });
        let looked = poll_fn(|cx| Poll::Ready(coming.as_mut().poll(cx))).await;
        let refused = matches!(looked, Poll::Ready(Err(NoTurn::Crowded)));
        if !refused {
            there.push(coming);
        }
        !refused
    }

    /// If the limit on open files leaves few connections, waiting takes no more of them than its part.
    #[tokio::test]
    async fn of_few_connections_few_wait() {
        let of = |site: usize| address(&format!("2001:db8:{site:x}::1"));
        for (connections, of_one_site, in_all) in
            [(128, 4, 16), (64, 2, 8), (32, 2, 4), (8, 2, 4), (1, 2, 4)]
        {
            let turns = LookupTurns::for_connections(connections);
            let mut there = Vec::new();
            for _ in 0..of_one_site {
                assert!(comes(&turns, of(0), &mut there).await, "{connections}");
            }
            assert!(!comes(&turns, of(0), &mut there).await, "{connections}");
            for site in of_one_site..in_all {
                assert!(comes(&turns, of(site), &mut there).await, "{connections}");
            }
            assert!(!comes(&turns, of(999), &mut there).await, "{connections}");
        }
    }

    #[tokio::test]
    async fn so_many_wait_and_no_site_takes_all_of_that() {
        let turns = LookupTurns::for_connections(CONNECTIONS);
        let mut there = Vec::new();
        let of =
            |site: usize, network: usize| address(&format!("2001:db8:{site:x}:{network:x}::1"));
        for network in 0..MOST_OF_SITE {
            assert!(comes(&turns, of(0, network), &mut there).await);
        }
        assert!(!comes(&turns, of(0, 999), &mut there).await, "of the site");
        for site in 1..4 {
            for network in 0..MOST_OF_SITE {
                assert!(comes(&turns, of(site, network), &mut there).await);
            }
        }
        assert_eq!(there.len(), MOST / 2);
        for site in 4..132 {
            assert!(comes(&turns, of(site, 1), &mut there).await);
            assert!(comes(&turns, of(site, 2), &mut there).await);
            assert!(!comes(&turns, of(site, 3), &mut there).await, "it is late");
        }
        assert_eq!(there.len(), MOST);
        assert!(!comes(&turns, of(999, 1), &mut there).await, "of all");
        // One request gives up.
        there.pop();
        assert!(comes(&turns, of(999, 1), &mut there).await);
        drop(there);
        assert!(is_empty(&turns));
        assert!(turns.turn(of(0, 1)).await.is_ok());
    }
}
