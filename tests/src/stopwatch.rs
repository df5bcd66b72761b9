//! How long a server took, apart from what the machine had to do besides.

use std::time::{Duration, Instant};

/// Begins when it is made.
pub struct Stopwatch {
    server: u32,
    began: Instant,
    waited_before: Duration,
}

impl Stopwatch {
    /// For what the server of this process id, and this process, do from now on.
    #[must_use]
    pub fn start(server: u32) -> Self {
        Self {
            server,
            began: Instant::now(),
            waited_before: waited(server),
        }
    }

    /// How long it has run.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// How long both processes would have gone on and could not, because others ran.
    #[must_use]
    pub fn kept_waiting(&self) -> Duration {
        waited(self.server).saturating_sub(self.waited_before)
    }

    /// Require that no more time has passed than a machine that does nothing else may take, and tell how
    /// much it was.
    pub fn assert_within(&self, bound: Duration, what: &str) -> Duration {
        let (took, machine) = (self.elapsed(), self.kept_waiting());
        // At most twice the bound is the machine's: threads also wait for others of their own process.
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

/// How long the threads of a process have been ready to run and have not run, because others did.
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
