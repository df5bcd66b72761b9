//! Runs long searches for secrets off the event loop: as many at once as there are processors, and at most
//! half of those for one project.
//!
//! Danger: a project with much to search must not hold up the others. So a search runs in turns and waits
//! for a free thread before each; and it is canceled between two turns once nobody waits for its result.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use gtm_domain::{Failure, FailureKind};
use tokio::sync::Semaphore;

use super::grant::CallGrant;
use super::interruption::canceled;
use super::redact::{Findings, Texts};
use crate::blocking_work::blocking_work;

/// What a search may cost on the event loop's own threads, in looks: a few milliseconds.
pub(super) const SEARCHED_AT_ONCE: usize = 1 << 20;

/// The threads for long searches.
pub(super) struct Searches {
    threads: Arc<Semaphore>,
    /// How many of them one asker may use.
    share: usize,
    shares: Mutex<HashMap<String, Weak<Semaphore>>>,
}

impl Default for Searches {
    fn default() -> Self {
        Self::of(std::thread::available_parallelism().map_or(1, usize::from))
    }
}

impl Searches {
    /// One thread per processor, but at least two, so that nobody holds them all.
    pub(super) fn of(processors: usize) -> Self {
        let threads = processors.max(2);
        Self {
            threads: Arc::new(Semaphore::new(threads)),
            share: threads / 2,
            shares: Mutex::default(),
        }
    }

    pub(super) fn of_call(self: &Arc<Self>, grant: &CallGrant) -> Searcher {
        Searcher {
            searches: Arc::clone(self),
            asker: grant.asker().to_owned(),
            ended: Arc::clone(&grant.ended),
        }
    }

    /// Takes all threads.
    #[cfg(test)]
    pub(super) async fn all_taken(&self) -> tokio::sync::OwnedSemaphorePermit {
        let threads = Arc::clone(&self.threads);
        let all = u32::try_from(threads.available_permits()).unwrap_or(u32::MAX);
        // The semaphore is never closed.
        threads
            .acquire_many_owned(all)
            .await
            .unwrap_or_else(|_| unreachable!())
    }

    /// The asker's share of the threads. It is dropped with the last of its searches.
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

/// Runs searches on behalf of one call.
#[derive(Clone)]
pub(super) struct Searcher {
    searches: Arc<Searches>,
    asker: String,
    /// Why the call was ended early, if it was.
    ended: Arc<OnceLock<Failure>>,
}

/// Tells a search that nobody waits for it any more, or that its call has ended.
struct Stop {
    left: Arc<AtomicBool>,
    ended: Arc<OnceLock<Failure>>,
}

impl Stop {
    fn is_set(&self) -> bool {
        self.left.load(Ordering::Relaxed) || self.ended.get().is_some()
    }
}

/// Set once whoever waited is gone.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Searcher {
    /// Searches off the event loop, in turns: `turn` is called whenever a thread is free, until it returns
    /// a result.
    ///
    /// # Errors
    /// Why the call ended, `canceled`, or `<what>_not_searched` if the host could not search.
    pub(super) async fn run<T: Send + 'static, F: FnMut() -> Option<T> + Send + 'static>(
        &self,
        what: &str,
        mut turn: F,
    ) -> Result<T, Failure> {
        let waiting = Waiting(Arc::default());
        let share = self.searches.share(&self.asker);
        loop {
            // The asker's own share first, so that waiting for it holds up nobody else.
            let own = Arc::clone(&share).acquire_owned().await;
            let own = own.map_err(|error| not_searched(what, &error))?;
            let threads = Arc::clone(&self.searches.threads);
            let thread = threads.acquire_owned().await;
            let thread = thread.map_err(|error| not_searched(what, &error))?;
            let stop = Stop {
                left: Arc::clone(&waiting.0),
                ended: Arc::clone(&self.ended),
            };
            let searched = blocking_work(move || {
                let found = (!stop.is_set()).then(&mut turn);
                drop((own, thread));
                (turn, found)
            });
            let (next, found) = searched.await.map_err(|error| not_searched(what, &error))?;
            match found {
                None => return Err(self.ended.get().cloned().unwrap_or_else(canceled)),
                Some(Some(found)) => return Ok(found),
                Some(None) => turn = next,
            }
        }
    }

    /// Searches texts, on the event loop if that costs little. `stop` says which findings end the search.
    ///
    /// # Errors
    /// As [`Searcher::run`].
    pub(super) async fn texts(
        &self,
        what: &str,
        mut texts: Texts,
        stop: fn(Findings) -> bool,
    ) -> Result<Texts, Failure> {
        if texts.cost() <= SEARCHED_AT_ONCE {
            while texts.turn() && !stop(texts.found()) {}
            return Ok(texts);
        }
        let mut texts = Some(texts);
        let turn = move || {
            let more = texts.as_mut()?.turn();
            let over = texts.as_ref().is_some_and(|texts| stop(texts.found()));
            if more && !over { None } else { texts.take() }
        };
        self.run(what, turn).await
    }
}

fn not_searched(what: &str, error: &impl std::error::Error) -> Failure {
    tracing::error!(%error, what, "the search for credentials failed");
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
    use std::sync::atomic::AtomicUsize;

    use super::*;

    fn searcher(searches: &Arc<Searches>, asker: &str) -> Searcher {
        Searcher {
            searches: Arc::clone(searches),
            asker: asker.to_owned(),
            ended: Arc::default(),
        }
    }

    /// A search that runs until it is stopped.
    fn endless() -> Option<()> {
        None
    }

    /// A search that ends in its first turn.
    fn short() -> Option<()> {
        Some(())
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
                    let search = move || {
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
        assert_eq!(other.run("request", || Some(7)).await, Ok(7));

        *gate.0.lock().unwrap() = true;
        gate.1.notify_all();
        for one in many {
            assert_eq!(one.await.unwrap(), Ok(()));
        }
        free(&searches, 4).await;
        let third = searcher(&searches, "third");
        assert_eq!(third.run("request", short).await, Ok(()));
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
        assert_eq!(other.run("request", short).await, Ok(()));
        running.abort();
        free(&searches, 2).await;
    }

    #[tokio::test]
    async fn two_projects_that_search_without_end_keep_out_no_third_one() {
        let searches = Arc::new(Searches::of(2));
        let turns = Arc::new(AtomicUsize::new(0));
        let greedy = ["one", "two"].map(|asker| {
            let (one, turns) = (searcher(&searches, asker), Arc::clone(&turns));
            tokio::spawn(async move {
                let search = move || {
                    turns.fetch_add(1, Ordering::Relaxed);
                    None::<()>
                };
                one.run("request", search).await
            })
        });
        while turns.load(Ordering::Relaxed) < 10 {
            tokio::task::yield_now().await;
        }
        let mut left = 20;
        let search = move || {
            left -= 1;
            (left == 0).then_some(7)
        };
        let third = searcher(&searches, "third");
        assert_eq!(third.run("answer", search).await, Ok(7));
        let before = turns.load(Ordering::Relaxed);
        while turns.load(Ordering::Relaxed) < before + 10 {
            tokio::task::yield_now().await;
        }
        for one in greedy {
            assert!(!one.is_finished());
            one.abort();
        }
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
