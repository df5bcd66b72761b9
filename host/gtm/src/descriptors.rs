//! The limit on open files, which connections and everything else that the process opens count against.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Open files other than connections and provider calls: databases, the log, plug-in packages, blobs, the
/// operator port with its peers, and peers that are turned away.
const OTHER_FILES: u64 = 256;
/// A provider call holds a socket, and a file if its body is spooled.
const FILES_PER_CALL: u64 = 2;
/// What to assume if the system reports no limit.
const NO_LIMIT: u64 = u64::MAX;

/// Raises the limit to the highest value that this process may set, and returns it.
pub fn raise() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, "the limit on open files could not be raised");
    }
    getrlimit(Resource::Nofile).current.unwrap_or(NO_LIMIT)
}

/// How many connections may be open at once: the configured number, but leaving files for `calls` provider
/// calls at once and for everything else. If the limit is too low for that, half of it.
#[must_use]
pub fn connections(configured: usize, files: u64, calls: usize) -> usize {
    let calls = u64::try_from(calls).unwrap_or(u64::MAX);
    let elsewhere = OTHER_FILES.saturating_add(calls.saturating_mul(FILES_PER_CALL));
    let left = files.saturating_sub(elsewhere).max(files / 2).max(1);
    configured.min(usize::try_from(left).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_the_rest() {
        for (configured, files, calls, connections_) in [
            (4096, NO_LIMIT, 32, 4096),
            (4096, 20_000, 32, 4096),
            (4096, 4096, 32, 4096 - 256 - 64),
            (4096, 1024, 32, 1024 - 256 - 64),
            (4096, 256, 32, 128),
            (100, 1024, 32, 100),
            (4096, 1024, usize::MAX, 512),
            (4096, 1, 32, 1),
        ] {
            assert_eq!(
                connections(configured, files, calls),
                connections_,
                "{files}"
            );
        }
    }

    #[test]
    fn the_limit_is_raised_to_the_hard_one() {
        let files = raise();
        let limit = getrlimit(Resource::Nofile);
        assert_eq!(limit.current, limit.maximum);
        assert_eq!(files, limit.maximum.unwrap_or(NO_LIMIT));
    }
}
