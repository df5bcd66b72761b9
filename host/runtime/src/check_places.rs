//! Places in which strangers' JSON is parsed and checked, away from the event loop.
//!
//! Danger: a plug-in's schema may take seconds for each answer. So every plug-in has a few places of its own,
//! whichever versions of it are installed, and cannot take those of others: when its places are in use, only
//! its own checks wait.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};

use crate::blocking_work::blocking_work;
use crate::error::PluginError;

/// How long a check may take once it has its place.
const CHECK_TIME: Duration = Duration::from_secs(20);
/// How long a check may wait for its place. It is long because an answer may have been paid for.
const WAIT: Duration = Duration::from_secs(300);
/// Maximum number of checks at once.
const PLACES: usize = 16;
/// Maximum number of checks at once for one plug-in.
const PLACES_OF_ONE: usize = 4;

static ALL: Semaphore = Semaphore::const_new(PLACES);

/// The places of one plug-in.
#[derive(Debug, Clone)]
pub struct CheckPlaces(Arc<Semaphore>);

impl Default for CheckPlaces {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(PLACES_OF_ONE)))
    }
}

impl CheckPlaces {
    /// Checks `what` in one of the places.
    ///
    /// # Errors
    /// If there is no place for a long time, or the check takes too long.
    pub async fn check<T: Send + 'static>(
        &self,
        what: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PluginError> {
        self.check_within(&ALL, WAIT, CHECK_TIME, what, work).await
    }

    /// Abandoned work runs on until it is done, and occupies its places until then.
    async fn check_within<T: Send + 'static>(
        &self,
        all: &'static Semaphore,
        wait: Duration,
        time: Duration,
        what: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PluginError> {
        let too_long = |doing: &str, time: Duration| PluginError::LimitExceeded {
            limit: "time",
            message: format!("{doing} {what} took longer than {} s", time.as_secs()),
        };
        let until = Instant::now() + wait;
        // First the plug-in's own place: whoever waits for that must not hold one of all.
        let own = timeout_at(until, Arc::clone(&self.0).acquire_owned()).await;
        let own = own.map_err(|_| too_long("waiting to check", wait))?;
        let one = timeout_at(until, all.acquire()).await;
        let one = one.map_err(|_| too_long("waiting to check", wait))?;
        let work = blocking_work(move || {
            let done = work();
            drop((own, one));
            done
        });
        match timeout(time, work).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(error)) => Err(PluginError::ContractViolation(format!(
                "{what} could not be checked: {error}"
            ))),
            Err(_) => Err(too_long("checking", time)),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// Longer than any of this takes.
    const FOR_EVER: Duration = Duration::from_secs(60);
    const NEXT_TO_NOTHING: Duration = Duration::from_millis(10);

    fn is_over_time<T>(outcome: &Result<T, PluginError>) -> bool {
        matches!(
            outcome,
            Err(PluginError::LimitExceeded { limit: "time", .. })
        )
    }

    /// Work that runs until it is told to end; returns whether it was told.
    fn until_told() -> (Sender<()>, impl FnOnce() -> bool + Send) {
        let (tell, told): (Sender<()>, Receiver<()>) = channel();
        (tell, move || told.recv_timeout(FOR_EVER).is_ok())
    }

    #[tokio::test(flavor = "current_thread")]
    async fn other_tasks_go_on_while_something_is_checked() {
        let (tell, work) = until_told();
        // The runtime has no thread but the one that waits for the check.
        let other = tokio::spawn(async move { tell.send(()) });
        let ended = CheckPlaces::default().check("it", work).await;
        assert!(ended.unwrap(), "nothing else ran meanwhile");
        other.await.unwrap().unwrap();
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_check_that_takes_too_long_is_given_up_and_keeps_its_place() {
        static ONE: Semaphore = Semaphore::const_new(1);
        let places = CheckPlaces::default();
        let (tell, work) = until_told();
        let endless = places.check_within(&ONE, FOR_EVER, NEXT_TO_NOTHING, "it", work);
        assert!(is_over_time(&endless.await));
        let next = places.check_within(&ONE, NEXT_TO_NOTHING, FOR_EVER, "it", || ());
        assert!(is_over_time(&next.await), "there was no place for it");
        tell.send(()).unwrap();
        let next = places.check_within(&ONE, FOR_EVER, FOR_EVER, "it", || ());
        next.await.unwrap();
    }

    #[tokio::test]
    async fn a_plug_in_cannot_take_the_places_of_others() {
        static ALL_OF_THEM: Semaphore = Semaphore::const_new(PLACES);
        let greedy = CheckPlaces::default();
        let (tells, running): (Vec<_>, Vec<_>) = (0..PLACES + 4)
            .map(|_| {
                let (tell, work) = until_told();
                let greedy = greedy.clone();
                let check = async move {
                    greedy
                        .check_within(&ALL_OF_THEM, FOR_EVER, FOR_EVER, "it", work)
                        .await
                };
                (tell, tokio::spawn(check))
            })
            .unzip();
        while ALL_OF_THEM.available_permits() > PLACES - PLACES_OF_ONE {
            tokio::task::yield_now().await;
        }
        let other = CheckPlaces::default();
        let checked = other.check_within(&ALL_OF_THEM, FOR_EVER, FOR_EVER, "it", || 1);
        assert_eq!(checked.await, Ok(1));
        assert_eq!(
            ALL_OF_THEM.available_permits(),
            PLACES - PLACES_OF_ONE,
            "the greedy one has four places, and the rest of its checks waits"
        );
        tells.iter().for_each(|tell| tell.send(()).unwrap());
        for check in running {
            assert_eq!(check.await.unwrap(), Ok(true));
        }
    }
}
