//! Resolves names to addresses. Whether an address is allowed is decided elsewhere.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, ToSocketAddrs as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use async_trait::async_trait;
use tokio::sync::{Semaphore, oneshot};

/// Resolves names. The gate asks once per connection, checks every address and connects to one that it
/// checked, so a DNS answer that changes later has no effect.
#[async_trait]
pub trait Resolver: Send + Sync + 'static {
    /// All addresses of a name. `asker` is the project, or the host itself, on whose behalf the lookup
    /// runs.
    ///
    /// # Errors
    /// If the name has no address or the lookup fails.
    async fn resolve(&self, name: &str, asker: &str) -> io::Result<Vec<IpAddr>>;
}

/// The operating system's resolver: hosts file, `resolv.conf` and whatever else the machine uses, so that a
/// name means the same here as in every other program (decision 0034).
///
/// Danger: the system's resolver blocks its thread for as long as a name's servers keep silent, which is
/// longer than the gate waits. So lookups have threads of their own, apart from those for files and the
/// database, and a project that asks for many silent names uses up its own share of them, not its
/// neighbours'.
pub struct SystemResolver {
    lookup: fn(&str) -> io::Result<Vec<IpAddr>>,
    threads: Arc<Semaphore>,
    shares: Mutex<HashMap<String, Weak<Semaphore>>>,
}

/// Maximum number of concurrent lookups, including abandoned ones that still block their thread.
const THREADS: usize = 512;
/// How many of them one asker may have.
const SHARE: usize = 16;

impl Default for SystemResolver {
    fn default() -> Self {
        Self {
            lookup: |name| {
                let found = (name, 0).to_socket_addrs()?;
                Ok(found.map(|address| address.ip()).collect())
            },
            threads: Arc::new(Semaphore::new(THREADS)),
            shares: Mutex::default(),
        }
    }
}

impl SystemResolver {
    /// The asker's share of the threads. It is dropped with the last of its lookups.
    fn share(&self, asker: &str) -> Arc<Semaphore> {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(share) = shares.get(asker).and_then(Weak::upgrade) {
            return share;
        }
        shares.retain(|_, share| share.strong_count() > 0);
        let share = Arc::new(Semaphore::new(SHARE));
        shares.insert(asker.to_owned(), Arc::downgrade(&share));
        share
    }
}

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, name: &str, asker: &str) -> io::Result<Vec<IpAddr>> {
        let closed = |_| io::Error::other("the resolver is gone");
        // The asker's own share first, so that waiting for it holds up nobody else.
        let share = self.share(asker).acquire_owned().await.map_err(closed)?;
        let thread = self.threads.clone().acquire_owned().await.map_err(closed)?;
        let (tell, told) = oneshot::channel();
        let (lookup, name) = (self.lookup, name.to_owned());
        std::thread::Builder::new()
            .name("lookup".to_owned())
            .spawn(move || {
                let found = lookup(&name);
                drop((share, thread));
                // The gate may have stopped waiting by now.
                let _ = tell.send(found);
            })?;
        told.await.map_err(io::Error::other)?
    }
}

type Answers = BTreeMap<String, VecDeque<Vec<IpAddr>>>;

/// Fixed answers by name, for tests and for operators without DNS. A name with several answers returns them
/// in turn and stays with the last, as a rebinding name does.
#[derive(Debug, Default)]
pub struct FixedResolver {
    names: Mutex<Answers>,
}

impl FixedResolver {
    /// A resolver that knows no names.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// Adds an answer for `name`.
    #[must_use]
    pub fn with(self, name: &str, addresses: &[IpAddr]) -> Self {
        self.lock()
            .entry(name.to_owned())
            .or_default()
            .push_back(addresses.to_vec());
        self
    }
    fn lock(&self) -> MutexGuard<'_, Answers> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Resolver for FixedResolver {
    async fn resolve(&self, name: &str, _asker: &str) -> io::Result<Vec<IpAddr>> {
        let mut names = self.lock();
        let answers = names
            .get_mut(name)
            .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        let answer = if answers.len() > 1 {
            answers.pop_front()
        } else {
            answers.front().cloned()
        };
        answer.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::net::Ipv4Addr;
    use std::sync::Condvar;

    use super::*;

    /// Whether silent names are answered by now.
    static SPOKEN: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

    fn lookup(name: &str) -> io::Result<Vec<IpAddr>> {
        if name.starts_with("silent") {
            let mut spoken = SPOKEN.0.lock().unwrap();
            while !*spoken {
                spoken = SPOKEN.1.wait(spoken).unwrap();
            }
        }
        Ok(vec![Ipv4Addr::LOCALHOST.into()])
    }

    #[tokio::test]
    async fn silent_names_use_up_the_share_of_who_asks_for_them() {
        let resolver = Arc::new(SystemResolver {
            lookup,
            ..SystemResolver::default()
        });
        let silent: Vec<_> = (0..4 * SHARE)
            .map(|n| {
                let resolver = Arc::clone(&resolver);
                tokio::spawn(async move { resolver.resolve(&format!("silent{n}"), "one").await })
            })
            .collect();
        while resolver.threads.available_permits() > THREADS - SHARE {
            tokio::task::yield_now().await;
        }
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert_eq!(resolver.threads.available_permits(), THREADS - SHARE);
        // The gate has stopped waiting, but the system has not: the threads still belong to the asker.
        silent.iter().for_each(tokio::task::JoinHandle::abort);
        assert!(resolver.resolve("spoken", "another").await.is_ok());
        assert_eq!(resolver.threads.available_permits(), THREADS - SHARE);
        assert!(tokio::fs::metadata(".").await.is_ok());

        *SPOKEN.0.lock().unwrap() = true;
        SPOKEN.1.notify_all();
        assert!(resolver.resolve("silent again", "one").await.is_ok());
        while resolver.threads.available_permits() < THREADS {
            tokio::task::yield_now().await;
        }
        assert!(resolver.resolve("spoken", "third").await.is_ok());
        assert_eq!(
            resolver.shares.lock().unwrap().len(),
            1,
            "shares without lookups are forgotten"
        );
    }
}
