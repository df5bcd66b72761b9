//! The totals of what the test suites report.

use std::fmt;

/// Numbers of tests over all suites.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Totals {
    suites: usize,
    passed: usize,
    failed: usize,
    ignored: usize,
    /// Programs that did not succeed: name, and which tests failed or how it ended.
    failures: Vec<String>,
}

impl Totals {
    /// Notes a program that did not succeed. One that ended without the result of its tests (killed, or
    /// crashed) counts no failed test, so without this line nothing would say what went wrong.
    pub fn add_failure(&mut self, program: &str, status: &str, output: &str) {
        let failed: Vec<&str> = output
            .lines()
            .filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"))
            .collect();
        let what = if failed.is_empty() {
            let started = output.lines().filter(|line| line.starts_with("test "));
            format!("{status} after {} tests", started.count())
        } else {
            failed.join(", ")
        };
        self.failures.push(format!("{program}: {what}"));
    }

    /// What [`add_failure`](Self::add_failure) noted.
    pub fn failures(&self) -> &[String] {
        &self.failures
    }

    /// Adds a line `test result: ok. 3 passed; 0 failed; 1 ignored; …`; ignores any other line.
    pub fn add(&mut self, line: &str) {
        let Some((_, result)) = line.split_once("test result: ") else {
            return;
        };
        let number = |name: &str| {
            result
                .split([';', '.'])
                .filter_map(|part| part.trim().strip_suffix(name)?.trim().parse().ok())
                .next()
                .unwrap_or(0)
        };
        self.suites += 1;
        self.passed += number("passed");
        self.failed += number("failed");
        self.ignored += number("ignored");
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            suites,
            passed,
            failed,
            ignored,
            failures: _,
        } = self;
        write!(
            out,
            "{passed} passed; {failed} failed; {ignored} ignored in {suites} suites"
        )
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn suites_are_added_up_with_and_without_colour() {
        let mut totals = Totals::default();
        totals.add("running 4 tests");
        totals.add(
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.10s",
        );
        totals.add(
            "test result: \u{1b}[31mFAILED\u{1b}(B\u{1b}[m. 5 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
        );
        assert_eq!(
            totals,
            Totals {
                suites: 2,
                passed: 8,
                failed: 2,
                ignored: 1,
                failures: Vec::new(),
            }
        );
    }

    #[test]
    fn a_failure_names_the_tests_or_says_how_the_program_ended() {
        let mut totals = Totals::default();
        totals.add_failure(
            "a",
            "exit status: 101",
            "test x ... ok\ntest y ... FAILED\n",
        );
        totals.add_failure(
            "b",
            "signal: 9 (SIGKILL)",
            "running 2 tests\ntest x ... ok\n",
        );
        assert_eq!(
            totals.failures(),
            ["a: y", "b: signal: 9 (SIGKILL) after 1 tests"]
        );
    }
}
