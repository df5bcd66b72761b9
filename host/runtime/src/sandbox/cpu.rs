//! CPU time of a guest: counted while the guest runs, not while the host works for it.
//!
//! A guest runs only inside polls of its call's future. So the thread's CPU clock is read around each poll,
//! and around each poll of a host function inside it, which is left out. Unlike wall-clock time, the
//! thread's clock does not charge a guest for a busy machine.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Counts the CPU time of one call.
#[derive(Debug, Default)]
pub struct CpuMeter {
    used_ns: AtomicU64,
    /// The thread's clock when the guest began to run; 0 while it does not run.
    since_ns: AtomicU64,
}

fn thread_ns() -> u64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    let nanos = u64::try_from(now.tv_nsec).unwrap_or(0);
    seconds
        .saturating_mul(1_000_000_000)
        .saturating_add(nanos)
        .max(1)
}

impl CpuMeter {
    fn resume(&self) {
        self.since_ns.store(thread_ns(), Ordering::Relaxed);
    }

    fn pause(&self) {
        let since = self.since_ns.swap(0, Ordering::Relaxed);
        if since != 0 {
            self.used_ns
                .fetch_add(thread_ns().saturating_sub(since), Ordering::Relaxed);
        }
    }

    /// CPU time so far. While the guest runs, only its own thread may ask.
    pub fn used(&self) -> Duration {
        let since = self.since_ns.load(Ordering::Relaxed);
        let running = if since == 0 {
            0
        } else {
            thread_ns().saturating_sub(since)
        };
        Duration::from_nanos(self.used_ns.load(Ordering::Relaxed).saturating_add(running))
    }

    /// Runs a guest's future and counts its time.
    pub async fn count<F: Future>(&self, guest: F) -> F::Output {
        let mut guest = pin!(guest);
        poll_fn(|cx| {
            self.resume();
            let polled = guest.as_mut().poll(cx);
            self.pause();
            polled
        })
        .await
    }

    /// Runs a host function's future inside a guest's and leaves its time out.
    pub async fn leave_out<F: Future>(&self, host: F) -> F::Output {
        let mut host = pin!(host);
        poll_fn(|cx| {
            self.pause();
            let polled = host.as_mut().poll(cx);
            self.resume();
            polled
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spin(span: Duration) {
        let start = thread_ns();
        while thread_ns() - start < u64::try_from(span.as_nanos()).unwrap_or(0) {
            std::hint::spin_loop();
        }
    }

    #[tokio::test]
    async fn host_work_and_waiting_are_left_out() {
        let meter = CpuMeter::default();
        meter
            .count(async {
                spin(Duration::from_millis(20));
                meter
                    .leave_out(async { spin(Duration::from_millis(200)) })
                    .await;
                tokio::time::sleep(Duration::from_millis(50)).await;
                spin(Duration::from_millis(20));
            })
            .await;
        let used = meter.used();
        assert!(
            used >= Duration::from_millis(40) && used < Duration::from_millis(150),
            "{used:?}"
        );
    }
}
