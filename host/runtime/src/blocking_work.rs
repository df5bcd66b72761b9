//! Work on a thread of its own, as long as the process lives.

use std::future::pending;

use tokio::task::{JoinError, JoinHandle, spawn_blocking};

/// Does work off the event loop.
///
/// DANGER: work that never began because the event loop shuts down has not failed. A caller that took it for a
/// failure could store that, in the moment before its own task is dropped, and the next worker would find a failed
/// job or call instead of one to go on with. So such a caller waits until it is dropped.
///
/// # Errors
/// The work panicked.
pub async fn blocking_work<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    unless_shut_down(spawn_blocking(work)).await
}

async fn unless_shut_down<T>(work: JoinHandle<T>) -> Result<T, JoinError> {
    match work.await {
        Err(error) if error.is_cancelled() => pending().await,
        done => done,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use futures::FutureExt as _;
    use tokio::runtime::Builder;

    use super::*;

    #[tokio::test]
    async fn work_that_never_began_has_not_failed() {
        let gone = Builder::new_current_thread().build().unwrap();
        let handle = gone.handle().clone();
        gone.shutdown_background();
        let refused = || handle.spawn_blocking(|| ());
        // What is refused is known at once, so this would be ready.
        assert!(matches!(refused().now_or_never(), Some(Err(_))));
        assert!(unless_shut_down(refused()).now_or_never().is_none());
    }

    #[tokio::test]
    async fn work_that_panicked_has_failed() {
        let error = blocking_work(|| panic!("a fault")).await.unwrap_err();
        assert!(error.is_panic());
        assert_eq!(blocking_work(|| 7).await.unwrap(), 7);
    }
}
