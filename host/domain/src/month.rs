//! A calendar month in UTC: the period of usage, budgets and quotas (specification, Limits).

use std::fmt;
use std::str::FromStr;

use crate::Timestamp;

/// A UTC month; its text is `YYYY-MM`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Month(Timestamp);

/// Why a text is not a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseMonthError {
    /// Not four digits, a hyphen and two digits.
    #[error("expected a month as YYYY-MM")]
    Malformed,
    /// Correct form, but the calendar has no such month.
    #[error("a month is 01 to 12 of a year from 0001")]
    OutOfRange,
}

impl Month {
    /// The month that contains an instant.
    #[must_use]
    pub fn of(at: Timestamp) -> Self {
        Self(at.month_start())
    }
    /// Its first instant.
    #[must_use]
    pub const fn start(self) -> Timestamp {
        self.0
    }
    /// The first instant after it.
    #[must_use]
    pub fn end(self) -> Timestamp {
        self.0.next_month_start()
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.month())
    }
}
impl FromStr for Month {
    type Err = ParseMonthError;
    fn from_str(text: &str) -> Result<Self, ParseMonthError> {
        let formed = text.len() == 7
            && text.bytes().enumerate().all(|(at, byte)| {
                if at == 4 {
                    byte == b'-'
                } else {
                    byte.is_ascii_digit()
                }
            });
        if !formed {
            return Err(ParseMonthError::Malformed);
        }
        let first = format!("{text}-01T00:00:00Z").parse().map(Self);
        // Instants begin with the year 1: what lies before it would become another month.
        first
            .ok()
            .filter(|month| month.to_string() == text)
            .ok_or(ParseMonthError::OutOfRange)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_month_has_a_first_instant_and_an_end() {
        let month: Month = "2026-12".parse().unwrap();
        assert_eq!(month.start().to_string(), "2026-12-01T00:00:00.000Z");
        assert_eq!(month.end().to_string(), "2027-01-01T00:00:00.000Z");
        assert_eq!(
            Month::of("2026-12-31T23:59:59.999Z".parse().unwrap()),
            month
        );
        assert_ne!(Month::of(month.end()), month);
    }

    #[test]
    fn what_is_no_month() {
        for text in [
            "",
            "2026",
            "2026-1",
            "2026-001",
            "26-01",
            "+026-01",
            "2026/01",
            "２０２６-01",
            "2026-01 ",
        ] {
            assert_eq!(
                text.parse::<Month>(),
                Err(ParseMonthError::Malformed),
                "{text}"
            );
        }
        for text in ["2026-00", "2026-13", "2026-99", "0000-01", "0000-12"] {
            assert_eq!(
                text.parse::<Month>(),
                Err(ParseMonthError::OutOfRange),
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn a_month_survives_its_text(year in 1u32..=9999, month in 1u32..=12) {
            let text = format!("{year:04}-{month:02}");
            let parsed: Month = text.parse().unwrap();
            prop_assert_eq!(parsed.to_string(), text);
            prop_assert_eq!(Month::of(parsed.start()), parsed);
        }

        #[test]
        fn months_follow_each_other(micros in 0i64..4_000_000_000_000_000) {
            let at = Timestamp::from_micros(micros);
            let month = Month::of(at);
            prop_assert!(month.start() <= at && at < month.end());
            prop_assert!(Month::of(month.end()) > month);
        }
    }
}
