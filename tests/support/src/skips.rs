//! How a test that cannot run here says so, so that CI can refuse it.

use std::io::Write as _;

/// Say loudly that a test did not run: on standard error and in the file that `GTM_TEST_SKIPS` names.
pub fn skip(test: &str, reason: &str) {
    eprintln!("SKIPPED {test}: {reason}");
    if let Some(path) = std::env::var_os("GTM_TEST_SKIPS") {
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .expect("GTM_TEST_SKIPS opens");
        writeln!(file, "{test}: {reason}").expect("GTM_TEST_SKIPS is writable");
    }
}
