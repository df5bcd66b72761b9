//! The windows of providers' rate limits in Redis, next to those of API keys. The egress gate asks for
//! shared windows, the API has them, and neither crate knows the other.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use gtm_api::rate_limit::RatePolicy;
use gtm_api::rate_limit::redis::RedisWindows;
use gtm_runtime::egress::SharedWindows;

/// Shortest pause before asking again, so that a window about to free is not polled in a tight loop.
const SHORTEST_PAUSE: Duration = Duration::from_millis(5);

/// Redis as the egress gate sees it.
#[derive(Debug)]
pub struct ProviderWindows(RedisWindows);

impl ProviderWindows {
    /// These windows, for the gate.
    pub fn shared(windows: &RedisWindows) -> Arc<dyn SharedWindows> {
        Arc::new(Self(windows.clone()))
    }
}

#[async_trait]
impl SharedWindows for ProviderWindows {
    async fn admit(&self, key: &str, limit: u32, window: Duration) -> Option<Duration> {
        let policy = RatePolicy { limit, window };
        // Without an answer, each node counts on its own.
        let wait = self.0.wait_for(key, policy).await?;
        (!wait.is_zero()).then(|| wait.max(SHORTEST_PAUSE))
    }
}

#[cfg(test)]
mod tests;
