//! From names to addresses. Nothing is judged here.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

/// Resolves names. The gate asks once per connection, judges every answer and connects to one of
/// the judged addresses, so an answer that changes later changes nothing.
#[async_trait]
pub trait Resolver: Send + Sync + 'static {
    /// All addresses of a name.
    ///
    /// # Errors
    /// If the name has none or the lookup fails.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The operating system's resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        Ok(tokio::net::lookup_host((name, 0))
            .await?
            .map(|address| address.ip())
            .collect())
    }
}

type Answers = BTreeMap<String, VecDeque<Vec<IpAddr>>>;

/// Fixed answers by name, for tests and for operators without DNS. A name with several answers gives
/// them in turn and stays with the last, which is how a rebinding name behaves.
#[derive(Debug, Default)]
pub struct FixedResolver {
    names: Mutex<Answers>,
}

impl FixedResolver {
    /// A resolver that knows no name.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// The same with a further answer for `name`.
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
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
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
