//! Whether the node can serve, asked of its database at most once a second however many ask the node.

use std::time::Duration;

use gtm_engine::Engine;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// How long the database may take to answer. Longer than that, and a load balancer has given up.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long an answer holds.
const HOLDS: Duration = Duration::from_secs(1);

/// What was found last, and when.
#[derive(Debug, Default)]
pub struct Readiness(Mutex<Option<(Instant, bool)>>);

impl Readiness {
    /// Whether the database answers. Those who ask while it is being asked get the same answer.
    pub async fn is_ready(&self, engine: &Engine) -> bool {
        let mut last = self.0.lock().await;
        if let Some((at, ready)) = *last
            && at.elapsed() < HOLDS
        {
            return ready;
        }
        let cause = match tokio::time::timeout(PATIENCE, engine.ready()).await {
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
}
