//! The clock by which requests and failures are counted: the time since the API started, independent of the
//! wall clock.

use std::fmt::Debug;
use std::time::Duration;

use tokio::time::Instant;

/// Tells how much time has passed since a fixed moment; never decreases.
pub trait Uptime: Debug + Send + Sync + 'static {
    /// The time since then.
    fn elapsed(&self) -> Duration;
}

/// The time since its creation.
#[derive(Debug)]
pub struct SinceStart(Instant);

impl Default for SinceStart {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Uptime for SinceStart {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
