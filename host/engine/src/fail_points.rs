//! Named points at which a test kills the process or makes it panic, so that a crash or a fault can be
//! tested at exactly that point.
//!
//! `GTM_FAIL_POINT=<name>` or `<name>:<n>` aborts the process at the first or n-th pass of the named point;
//! with the prefix `panic@`, the pass panics instead. Only builds with debug assertions have the points: in
//! a release build a pass costs nothing.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The environment variable that arms a point.
pub const VARIABLE: &str = "GTM_FAIL_POINT";
/// Whether this build has the points.
pub const ENABLED: bool = cfg!(debug_assertions);

/// Before a job and its idempotency record are written.
pub const CREATE_BEFORE: &str = "create.before";
/// After they are on disk, before the caller is answered.
pub const CREATE_AFTER: &str = "create.after";
/// After a job was claimed, before anything else is done with it.
pub const CLAIM_AFTER: &str = "claim.after";
/// Before the intent of a provider call is written.
pub const STEP_START_BEFORE: &str = "step.start.before";
/// After the intent is on disk, before the provider is contacted.
pub const STEP_START_AFTER: &str = "step.start.after";
/// After the provider answered, before the answer is settled.
pub const STEP_CALL_AFTER: &str = "step.call.after";
/// After the answer was settled.
pub const STEP_SETTLE_AFTER: &str = "step.settle.after";
/// Before the job's end is written.
pub const FINISH_BEFORE: &str = "finish.before";
/// After the job's end is on disk.
pub const FINISH_AFTER: &str = "finish.after";

pub const ALL: [&str; 9] = [
    CREATE_BEFORE,
    CREATE_AFTER,
    CLAIM_AFTER,
    STEP_START_BEFORE,
    STEP_START_AFTER,
    STEP_CALL_AFTER,
    STEP_SETTLE_AFTER,
    FINISH_BEFORE,
    FINISH_AFTER,
];

/// What happens at an armed point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Ends the process at once, like a crash.
    Abort,
    /// Panics in the task.
    Panic,
}

/// Parses a value of the variable: the fault, the point, and the pass at which it happens, counted from 1.
/// `None` if there is no such point or pass.
#[must_use]
pub fn parse(text: &str) -> Option<(Fault, &'static str, u64)> {
    let (fault, text) = match text.strip_prefix("panic@") {
        Some(rest) => (Fault::Panic, rest),
        None => (Fault::Abort, text),
    };
    let (name, pass) = match text.rsplit_once(':') {
        Some((name, pass)) => (name, pass.parse().ok().filter(|pass| *pass > 0)?),
        None => (text, 1),
    };
    let point = ALL.into_iter().find(|point| *point == name)?;
    Some((fault, point, pass))
}

/// Passes a point, and triggers its fault if it is armed. All builds compile the same source, so that none has to be made
/// only to see whether it compiles.
#[inline]
pub fn pass(name: &'static str) {
    if ENABLED {
        trigger(name);
    }
}

fn trigger(name: &'static str) {
    static ARMED: OnceLock<Option<(Fault, &'static str, u64)>> = OnceLock::new();
    static PASSES: AtomicU64 = AtomicU64::new(0);
    let armed = ARMED.get_or_init(|| parse(&std::env::var(VARIABLE).ok()?));
    if let Some((fault, point, count)) = armed
        && *point == name
        && PASSES.fetch_add(1, Ordering::SeqCst) + 1 == *count
    {
        match fault {
            Fault::Abort => std::process::abort(),
            #[expect(clippy::panic, reason = "a panic is what the test asks for")]
            Fault::Panic => panic!("the fail point {name} was passed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_points_are_armed() {
        for point in ALL {
            assert_eq!(parse(point), Some((Fault::Abort, point, 1)));
            assert_eq!(
                parse(&format!("panic@{point}:3")),
                Some((Fault::Panic, point, 3))
            );
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
