//! Whether the node can serve. The database is asked at most once a second, however many callers ask the
//! node, and whether or not they wait for the answer.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::Instant;

/// How long the database may take to answer. After that, a load balancer has given up.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long an answer stays valid.
const HOLDS: Duration = Duration::from_secs(1);

type Last = Option<(Instant, bool)>;

/// The last result and its time.
#[derive(Debug, Default)]
pub struct Readiness(Arc<Mutex<Last>>);

impl Readiness {
    /// Whether the database answers; `ask` asks it. Callers who come while it is being asked get the same
    /// answer. A caller who disconnects leaves the question running; otherwise the next one would ask
    /// again.
    pub async fn is_ready<E: Display + 'static>(
        &self,
        ask: impl Future<Output = Result<(), E>> + Send + 'static,
    ) -> bool {
        let last = Arc::clone(&self.0).lock_owned().await;
        if let Some((at, ready)) = *last
            && at.elapsed() < HOLDS
        {
            return ready;
        }
        match tokio::spawn(find_out(last, ask)).await {
            Ok(ready) => ready,
            Err(fault) => {
                tracing::error!(error = %fault, "asking whether the node is ready");
                false
            }
        }
    }
}

async fn find_out<E: Display>(
    mut last: OwnedMutexGuard<Last>,
    ask: impl Future<Output = Result<(), E>>,
) -> bool {
    let cause = match tokio::time::timeout(PATIENCE, ask).await {
        Ok(Ok(())) => None,
        Ok(Err(cause)) => Some(cause.to_string()),
        Err(_) => Some(format!("no answer within {} s", PATIENCE.as_secs())),
    };
    let ready = cause.is_none();
    *last = Some((Instant::now(), ready));
    if let Some(error) = cause {
        tracing::warn!(error, "not ready");
    }
    ready
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic)]
    use super::*;
    use std::future::poll_fn;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Poll;

    /// A slow database.
    async fn slow(asked: Arc<AtomicUsize>, ready: bool) -> Result<(), &'static str> {
        asked.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(20)).await;
        if ready { Ok(()) } else { Err("away") }
    }

    /// A caller who repeatedly asks and disconnects at once costs the database no more than one who waits.
    #[tokio::test]
    async fn askers_who_go_away_make_nobody_ask_again() {
        for ready in [true, false] {
            let readiness = Readiness::default();
            let asked = Arc::new(AtomicUsize::new(0));
            let began = Instant::now();
            for _ in 0..10 {
                let mut asking = Box::pin(readiness.is_ready(slow(Arc::clone(&asked), ready)));
                poll_fn(|cx| Poll::Ready(asking.as_mut().poll(cx).is_ready())).await;
                drop(asking);
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let answer = readiness.is_ready(slow(Arc::clone(&asked), ready)).await;
            assert_eq!(answer, ready);
            // If the machine stood still meanwhile, this shows nothing.
            if began.elapsed() < HOLDS {
                assert_eq!(asked.load(Ordering::SeqCst), 1);
            }
        }
    }

    /// A question that ends in a panic has no answer, but does not prevent the next one.
    #[tokio::test]
    async fn a_question_that_breaks_is_asked_again() {
        let readiness = Readiness::default();
        let broken = async { panic!("broken") as Result<(), String> };
        assert!(!readiness.is_ready(broken).await);
        assert!(readiness.is_ready(async { Ok::<(), String>(()) }).await);
    }
}
