//! How a check is told to end early.
//!
//! A draft and its evidence are bounded, but a check may still take long, and nobody can interrupt its
//! thread. So it looks at a flag between any two steps of bounded work. Once the flag is raised, whatever
//! the steps that follow find is thrown away.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that stays raised. Clones are the same flag.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Tells the check to end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
    /// Whether the check has to end.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
    /// Raises the flag when the guard is dropped.
    #[must_use]
    pub fn raised_on_drop(&self) -> RaisedOnDrop {
        RaisedOnDrop(self.clone())
    }
}

/// See [`StopFlag::raised_on_drop`].
#[derive(Debug)]
pub struct RaisedOnDrop(StopFlag);

impl Drop for RaisedOnDrop {
    fn drop(&mut self) {
        self.0.raise();
    }
}
