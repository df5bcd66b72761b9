//! Ctrl-C and SIGTERM, turned into a flag that quickstart checks between its steps.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

/// Whether the user wants to stop. While this value exists, the signals do not end the process by themselves,
/// so that the server always stops cleanly.
#[derive(Clone)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Takes over Ctrl-C and SIGTERM.
    pub fn install() -> Result<Self> {
        let flag = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&flag);
        ctrlc::set_handler(move || seen.store(true, Ordering::SeqCst))
            .context("cannot take over Ctrl-C")?;
        Ok(Self(flag))
    }

    /// Whether the user wants to stop.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Fails if the user wants to stop.
    pub fn check(&self) -> Result<()> {
        if self.requested() {
            bail!("interrupted");
        }
        Ok(())
    }

    /// Sleeps, but fails at once when the user wants to stop.
    pub fn sleep(&self, time: Duration) -> Result<()> {
        const STEP: Duration = Duration::from_millis(50);
        let mut left = time;
        while left > Duration::ZERO {
            self.check()?;
            std::thread::sleep(left.min(STEP));
            left = left.saturating_sub(STEP);
        }
        self.check()
    }
}
