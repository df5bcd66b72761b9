//! Measures how long a server took, apart from the delay that other load on the machine caused.

use std::time::{Duration, Instant};

/// A running stopwatch.
pub struct Stopwatch {
    server: u32,
    began: Instant,
    waited_before: Duration,
}

impl Stopwatch {
    /// Starts measuring this process and the server with this process ID.
    #[must_use]
    pub fn start(server: u32) -> Self {
        Self {
            server,
            began: Instant::now(),
            waited_before: waited(server),
        }
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// How long both processes were ready to run but waited for a processor.
    #[must_use]
    pub fn kept_waiting(&self) -> Duration {
        waited(self.server).saturating_sub(self.waited_before)
    }

    /// Asserts that the elapsed time stays within the bound on an otherwise idle machine; returns the elapsed
    /// time.
    pub fn assert_within(&self, bound: Duration, what: &str) -> Duration {
        let (took, machine) = (self.elapsed(), self.kept_waiting());
        // Blame at most twice the bound on the machine: threads also wait for others of their own process.
        assert!(
            took < bound + machine.min(bound * 2),
            "{what} took {took:?}, of which {machine:?} were the machine's"
        );
        took
    }
}

fn waited(server: u32) -> Duration {
    kept_waiting(&server.to_string()) + kept_waiting("self")
}

/// How long the threads of a process were ready to run but waited for a processor.
fn kept_waiting(process: &str) -> Duration {
    let threads = std::fs::read_dir(format!("/proc/{process}/task"));
    let waits = threads
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|thread| {
            let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split_whitespace().nth(1)?.parse::<u64>().ok()
        });
    Duration::from_nanos(waits.sum())
}
