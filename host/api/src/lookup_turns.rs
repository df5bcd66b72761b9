//! How many keys are looked up at the same time that may be guesses. A database that answers has looked
//! a key up before anybody waits for it; of one that hangs, look-ups would take every connection, and
//! those whose keys are known could do nothing either (decision 0040).

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use crate::client_address;

/// Look-ups under way in all: half of the connections that the store has by default.
const AT_ONCE: usize = 4;
/// Of one site.
const AT_ONCE_PER_SITE: usize = 2;
/// How long a request waits for its turn. A database that answers lets hundreds by in that time.
const PATIENCE: Duration = Duration::from_secs(3);

/// Who looks up, and who waits for it.
#[derive(Debug)]
pub struct LookupTurns {
    all: Semaphore,
    sites: Mutex<HashMap<Option<IpAddr>, Site>>,
}

#[derive(Debug)]
struct Site {
    turns: Arc<Semaphore>,
    /// How many have a turn or wait for one.
    present: usize,
}

/// Leave to look a key up, until it is dropped.
#[derive(Debug)]
pub struct LookupTurn<'a> {
    _of_all: SemaphorePermit<'a>,
    _of_site: OwnedSemaphorePermit,
    _presence: Presence<'a>,
}

/// That a site is remembered for somebody.
#[derive(Debug)]
struct Presence<'a> {
    turns: &'a LookupTurns,
    site: Option<IpAddr>,
}

impl LookupTurns {
    /// A turn for a client; none if others of its site, or of all sites, do not come to an end in time.
    /// Clients whose address is not known are one site.
    pub async fn turn(&self, client: Option<IpAddr>) -> Option<LookupTurn<'_>> {
        let (presence, turns) = self.appear(client.map(client_address::site));
        let waiting = async {
            // In this order, so that a site that waits for itself keeps nobody else waiting.
            let of_site = turns.acquire_owned().await.ok()?;
            Some((of_site, self.all.acquire().await.ok()?))
        };
        let (of_site, of_all) = tokio::time::timeout(PATIENCE, waiting).await.ok()??;
        Some(LookupTurn {
            _of_all: of_all,
            _of_site: of_site,
            _presence: presence,
        })
    }

    fn appear(&self, site: Option<IpAddr>) -> (Presence<'_>, Arc<Semaphore>) {
        let mut sites = self.sites();
        let entry = sites.entry(site).or_insert_with(|| Site {
            turns: Arc::new(Semaphore::new(AT_ONCE_PER_SITE)),
            present: 0,
        });
        entry.present += 1;
        let turns = Arc::clone(&entry.turns);
        (Presence { turns: self, site }, turns)
    }

    fn sites(&self) -> MutexGuard<'_, HashMap<Option<IpAddr>, Site>> {
        // Nothing that is done under the lock can leave it half-done.
        self.sites.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for LookupTurns {
    fn default() -> Self {
        Self {
            all: Semaphore::new(AT_ONCE),
            sites: Mutex::default(),
        }
    }
}

impl Drop for Presence<'_> {
    fn drop(&mut self) {
        let mut sites = self.turns.sites();
        if let Some(site) = sites.get_mut(&self.site) {
            site.present -= 1;
            if site.present == 0 {
                sites.remove(&self.site);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

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

    #[tokio::test]
    async fn a_site_has_two_turns_and_all_have_four() {
        let turns = LookupTurns::default();
        let first = turns.turn(address("2001:db8:1:1::1")).await.unwrap();
        let second = turns.turn(address("2001:db8:1:2::1")).await.unwrap();
        assert!(waits(&turns, address("2001:db8:1:3::1")).await);
        let other = turns.turn(address("2001:db8:2::1")).await.unwrap();
        let unknown = turns.turn(None).await.unwrap();
        assert!(waits(&turns, address("192.0.2.1")).await, "of all");
        drop(first);
        assert!(!waits(&turns, address("192.0.2.1")).await);
        let again = turns.turn(address("2001:db8:1:3::1")).await;
        assert!(again.is_some());
        drop((again, second, other, unknown));
        assert!(turns.sites().is_empty());
        assert_eq!(turns.all.available_permits(), AT_ONCE);
    }

    /// Who waits in vain, or gives up, leaves nothing behind; who waits gets the next turn.
    #[tokio::test]
    async fn who_waits_is_next() {
        let turns = LookupTurns::default();
        let here = address("192.0.2.1");
        let mut held = vec![
            turns.turn(here).await.unwrap(),
            turns.turn(here).await.unwrap(),
        ];
        assert!(turns.turn(here).await.is_none(), "in vain");
        let next = turns.turn(here);
        tokio::pin!(next);
        let soon = Duration::from_millis(20);
        assert!(tokio::time::timeout(soon, &mut next).await.is_err());
        assert!(waits(&turns, here).await, "given up");
        held.pop();
        let next = next.await;
        assert!(next.is_some());
        assert!(waits(&turns, here).await);
        drop((held, next));
        assert!(turns.sites().is_empty());
    }
}
