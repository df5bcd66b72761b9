//! The totals of what the test suites report.

use std::fmt;

/// Numbers of tests over all suites.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Totals {
    suites: usize,
    passed: usize,
    failed: usize,
    ignored: usize,
}

impl Totals {
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
                ignored: 1
            }
        );
    }
}
