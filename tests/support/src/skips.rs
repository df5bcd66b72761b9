//! How a test reports that it cannot run here, so that CI can reject the skip.

use std::io::Write as _;

/// Reports that a test did not run, on standard error and in the file that `GTM_TEST_SKIPS` names.
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
