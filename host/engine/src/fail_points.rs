//! Named points at which a test kills the process, so that a crash can be tried exactly there.
//!
//! `GTM_FAIL_POINT=<name>` or `<name>:<n>` aborts the process at the first or n-th pass of that
//! point. Points abort only in builds with the feature `fail-points`; otherwise a pass costs nothing.

/// The variable that arms a point.
pub const VARIABLE: &str = "GTM_FAIL_POINT";
/// Whether this build has the points.
pub const ENABLED: bool = cfg!(feature = "fail-points");

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

/// All of them.
pub const ALL: [&str; 7] = [
    CLAIM_AFTER,
    STEP_START_BEFORE,
    STEP_START_AFTER,
    STEP_CALL_AFTER,
    STEP_SETTLE_AFTER,
    FINISH_BEFORE,
    FINISH_AFTER,
];

/// The point that a value of the variable names, and the pass that aborts, counted from 1. `None` if
/// there is no such point or pass.
#[must_use]
pub fn parse(text: &str) -> Option<(&'static str, u64)> {
    let (name, pass) = match text.rsplit_once(':') {
        Some((name, pass)) => (name, pass.parse().ok().filter(|pass| *pass > 0)?),
        None => (text, 1),
    };
    let point = ALL.into_iter().find(|point| *point == name)?;
    Some((point, pass))
}

/// Pass a point.
#[cfg(feature = "fail-points")]
pub fn pass(name: &'static str) {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    static ARMED: OnceLock<Option<(&'static str, u64)>> = OnceLock::new();
    static PASSES: AtomicU64 = AtomicU64::new(0);
    let armed = ARMED.get_or_init(|| parse(&std::env::var(VARIABLE).ok()?));
    if let Some((point, count)) = armed
        && *point == name
        && PASSES.fetch_add(1, Ordering::SeqCst) + 1 == *count
    {
        std::process::abort();
    }
}

/// Pass a point; does nothing in this build.
#[cfg(not(feature = "fail-points"))]
#[inline]
pub const fn pass(_name: &'static str) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_points_are_armed() {
        for point in ALL {
            assert_eq!(parse(point), Some((point, 1)));
            assert_eq!(parse(&format!("{point}:3")), Some((point, 3)));
        }
        for wrong in [
            "",
            "claim",
            "claim.after:0",
            "claim.after:x",
            "claim.after:",
            ":1",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
