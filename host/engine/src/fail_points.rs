//! Named points at which a test kills the process, so that a crash can be tried exactly there.
//!
//! `GTM_FAIL_POINT=<name>` or `<name>:<n>` aborts the process at the first or n-th pass of that
//! point. Compiled only with the feature `fail-points`; otherwise a pass costs nothing.

/// After a job was claimed, before anything else of it.
pub const CLAIM_AFTER: &str = "claim.after";
/// Before the intent of a provider call is written.
pub const STEP_START_BEFORE: &str = "step.start.before";
/// After the intent is on disk, before the provider is contacted.
pub const STEP_START_AFTER: &str = "step.start.after";
/// After the provider answered, before the answer is settled.
pub const STEP_CALL_AFTER: &str = "step.call.after";
/// After the answer is settled.
pub const STEP_SETTLE_AFTER: &str = "step.settle.after";
/// Before the job's end is written.
pub const FINISH_BEFORE: &str = "finish.before";
/// After the job's end is on disk.
pub const FINISH_AFTER: &str = "finish.after";

/// All of them, for tests that try each.
pub const ALL: [&str; 7] = [
    CLAIM_AFTER,
    STEP_START_BEFORE,
    STEP_START_AFTER,
    STEP_CALL_AFTER,
    STEP_SETTLE_AFTER,
    FINISH_BEFORE,
    FINISH_AFTER,
];

/// Pass a point.
#[cfg(feature = "fail-points")]
pub fn pass(name: &'static str) {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    static ARMED: OnceLock<Option<(String, u64)>> = OnceLock::new();
    static PASSES: AtomicU64 = AtomicU64::new(0);
    let armed = ARMED.get_or_init(|| {
        let text = std::env::var("GTM_FAIL_POINT").ok()?;
        Some(match text.rsplit_once(':') {
            Some((point, count)) => (point.to_owned(), count.parse().unwrap_or(1)),
            None => (text, 1),
        })
    });
    if let Some((point, count)) = armed
        && point == name
        && PASSES.fetch_add(1, Ordering::SeqCst) + 1 == *count
    {
        std::process::abort();
    }
}

/// Pass a point; does nothing in this build.
#[cfg(not(feature = "fail-points"))]
#[inline]
pub const fn pass(_name: &'static str) {}
