//! Long searches for secrets: off the event loop, so many at once as there are processors and half of those
//! for one project, and given up between two blocks when nobody waits for what they find.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use gtm_domain::{Failure, FailureKind};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::body::canceled;
use super::grant::CallGrant;

/// Bytes that are searched at once on the event loop's own threads: some milliseconds.
pub(super) const SEARCHED_AT_ONCE: usize = 64 * 1024;

/// Room for long searches.
pub(super) struct Searches {
    threads: Arc<Semaphore>,
    /// Of these, searches of one asker.
    share: usize,
    shares: Mutex<HashMap<String, Weak<Semaphore>>>,
}

impl Default for Searches {
    fn default() -> Self {
        Self::of(std::thread::available_parallelism().map_or(1, usize::from))
    }
}

impl Searches {
    /// Room for so many at once, but for two at least, so that nobody has all of it.
    pub(super) fn of(processors: usize) -> Self {
        let threads = processors.max(2);
        Self {
            threads: Arc::new(Semaphore::new(threads)),
            share: threads / 2,
            shares: Mutex::default(),
        }
    }

    /// Searches of this call.
    pub(super) fn of_call(self: &Arc<Self>, grant: &CallGrant) -> Searcher {
        Searcher {
            searches: Arc::clone(self),
            asker: grant.asker().to_owned(),
            ended: Arc::clone(&grant.ended),
        }
    }

    /// The asker's part of the room. It is forgotten when none of its searches is left.
    fn share(&self, asker: &str) -> Arc<Semaphore> {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(share) = shares.get(asker).and_then(Weak::upgrade) {
            return share;
        }
        shares.retain(|_, share| share.strong_count() > 0);
        let share = Arc::new(Semaphore::new(self.share));
        shares.insert(asker.to_owned(), Arc::downgrade(&share));
        share
    }
}

/// Searches on behalf of one call.
#[derive(Clone)]
pub(super) struct Searcher {
    searches: Arc<Searches>,
    asker: String,
    /// Why the call is over before its time, if it is.
    ended: Arc<OnceLock<Failure>>,
}

/// Says to a search that nobody waits for it any more, or that its call is over.
pub(super) struct Stop {
    left: Arc<AtomicBool>,
    ended: Arc<OnceLock<Failure>>,
}

impl Stop {
    pub(super) fn is_set(&self) -> bool {
        self.left.load(Ordering::Relaxed) || self.ended.get().is_some()
    }
}

/// Set when whoever waited is gone.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Searcher {
    /// Search off the event loop, when there is room. The search gives nothing if it was stopped.
    ///
    /// # Errors
    /// Why the call is over, `canceled`, or `<what>_not_searched` if the host could not.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        what: &str,
        search: impl FnOnce(&Stop) -> Option<T> + Send + 'static,
    ) -> Result<T, Failure> {
        // The asker's own first, so that who waits for that holds up nobody.
        let share = self.searches.share(&self.asker).acquire_owned().await;
        let share = share.map_err(|error| not_searched(what, &error))?;
        let threads = Arc::clone(&self.searches.threads);
        let thread = threads.acquire_owned().await;
        let thread = thread.map_err(|error| not_searched(what, &error))?;
        let waiting = Waiting(Arc::default());
        let stop = Stop {
            left: Arc::clone(&waiting.0),
            ended: Arc::clone(&self.ended),
        };
        let searched = spawn_blocking(move || {
            let found = search(&stop);
            drop((share, thread));
            found
        });
        let found = searched.await.map_err(|error| not_searched(what, &error))?;
        drop(waiting);
        found.ok_or_else(|| self.ended.get().cloned().unwrap_or_else(canceled))
    }
}

fn not_searched(what: &str, error: &impl std::error::Error) -> Failure {
    tracing::error!(%error, what, "there was no search for credentials");
    Failure::new(
        FailureKind::Internal,
        format!("{what}_not_searched"),
        format!("the host could not search the {what} for credentials"),
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Condvar;

    use super::*;

    fn searcher(searches: &Arc<Searches>, asker: &str) -> Searcher {
        Searcher {
            searches: Arc::clone(searches),
            asker: asker.to_owned(),
            ended: Arc::default(),
        }
    }

    /// A search that goes on until it is stopped.
    fn endless(stop: &Stop) -> Option<()> {
        while !stop.is_set() {
            std::thread::yield_now();
        }
        None
    }

    async fn free(searches: &Searches, threads: usize) {
        while searches.threads.available_permits() != threads {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn who_searches_much_uses_up_its_own_share() {
        let searches = Arc::new(Searches::of(4));
        let gate = Arc::new((Mutex::new(false), Condvar::new()));
        let many: Vec<_> = (0..10)
            .map(|_| {
                let (one, gate) = (searcher(&searches, "one"), Arc::clone(&gate));
                tokio::spawn(async move {
                    let search = move |_: &Stop| {
                        let mut open = gate.0.lock().unwrap();
                        while !*open {
                            open = gate.1.wait(open).unwrap();
                        }
                        Some(())
                    };
                    one.run("request", search).await
                })
            })
            .collect();
        free(&searches, 2).await;
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert_eq!(searches.threads.available_permits(), 2, "half of the room");
        let other = searcher(&searches, "other");
        assert_eq!(other.run("request", |_| Some(7)).await, Ok(7));

        *gate.0.lock().unwrap() = true;
        gate.1.notify_all();
        for one in many {
            assert_eq!(one.await.unwrap(), Ok(()));
        }
        free(&searches, 4).await;
        let third = searcher(&searches, "third");
        assert_eq!(third.run("request", |_| Some(())).await, Ok(()));
        let known = searches.shares.lock().unwrap().len();
        assert_eq!(known, 1, "shares without searches are forgotten");
    }

    #[tokio::test]
    async fn there_is_room_for_two_projects_on_one_processor() {
        let searches = Arc::new(Searches::of(1));
        let one = searcher(&searches, "one");
        let running = tokio::spawn(async move { one.run("request", endless).await });
        free(&searches, 1).await;
        let other = searcher(&searches, "other");
        assert_eq!(other.run("request", |_| Some(())).await, Ok(()));
        running.abort();
        free(&searches, 2).await;
    }

    #[tokio::test]
    async fn a_search_stops_when_nobody_waits_for_it_or_its_call_is_over() {
        let searches = Arc::new(Searches::of(2));
        let one = searcher(&searches, "one");
        let given_up = tokio::spawn(async move { one.run("answer", endless).await });
        free(&searches, 1).await;
        given_up.abort();
        free(&searches, 2).await;

        let two = searcher(&searches, "two");
        let ended = Arc::clone(&two.ended);
        let over = tokio::spawn(async move { two.run("answer", endless).await });
        free(&searches, 1).await;
        let failure = Failure::denied("credential_in_answer", "found elsewhere");
        ended.set(failure.clone()).unwrap();
        assert_eq!(over.await.unwrap(), Err(failure));
    }
}
