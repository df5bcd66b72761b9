//! Instants in UTC with microsecond precision.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// An instant: microseconds since the Unix epoch. Its text is RFC 3339 in UTC with milliseconds and `Z`
/// (annex A0); all texts have the same length, so they sort chronologically.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Timestamp(i64);

/// The text is not an RFC 3339 instant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected an RFC 3339 instant, such as 2026-11-21T15:00:00Z")]
pub struct ParseTimestampError;

impl Timestamp {
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: Self = Self(0);

    /// Within the years of which RFC 3339 can write the date, 1 to 9999; what lies outside becomes the nearest of them.
    /// DANGER: an instant that has no text makes whatever shows it panic.
    const fn bounded(micros: i64) -> Self {
        if micros < Self::FIRST {
            Self(Self::FIRST)
        } else if micros > Self::LAST {
            Self(Self::LAST)
        } else {
            Self(micros)
        }
    }
    /// 0001-01-01T00:00:00Z.
    const FIRST: i64 = -62_135_596_800_000_000;
    /// 9999-12-30T22:00:00Z, the last that the library for dates knows in each time zone.
    const LAST: i64 = 253_402_207_200_000_000;

    /// From microseconds since the epoch; saturates at the years 1 and 9999.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self::bounded(micros)
    }
    /// From milliseconds since the epoch; saturates at the years 1 and 9999.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self::bounded(millis.saturating_mul(1000))
    }
    /// Microseconds since the epoch.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }
    /// Milliseconds since the epoch, rounded down.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0.div_euclid(1000)
    }
    /// `span` after this instant; saturates.
    #[must_use]
    pub fn plus(self, span: Duration) -> Self {
        Self::bounded(
            self.0
                .saturating_add(i64::try_from(span.as_micros()).unwrap_or(i64::MAX)),
        )
    }
    /// `span` before this instant; saturates.
    #[must_use]
    pub fn minus(self, span: Duration) -> Self {
        Self::bounded(
            self.0
                .saturating_sub(i64::try_from(span.as_micros()).unwrap_or(i64::MAX)),
        )
    }
    /// The span since `earlier`, or zero if `earlier` is later.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
    /// First instant of this instant's UTC month.
    #[must_use]
    pub fn month_start(self) -> Self {
        let date = self.zoned().date().first_of_month();
        Self::of_date(date)
    }
    /// First instant of the UTC month after this one, when monthly budgets and quotas reset.
    #[must_use]
    pub fn next_month_start(self) -> Self {
        let date = self.zoned().date().last_of_month();
        date.tomorrow().map_or(self, Self::of_date)
    }
    /// The UTC month as `YYYY-MM`.
    #[must_use]
    pub fn month(self) -> String {
        self.zoned().strftime("%Y-%m").to_string()
    }

    fn of_date(date: jiff::civil::Date) -> Self {
        date.to_zoned(jiff::tz::TimeZone::UTC)
            .map_or(Self::EPOCH, |z| {
                Self::bounded(z.timestamp().as_microsecond())
            })
    }
    fn zoned(self) -> jiff::Zoned {
        jiff::Timestamp::from_microsecond(self.0)
            .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
            .to_zoned(jiff::tz::TimeZone::UTC)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = jiff::Timestamp::from_millisecond(self.millis()).map_err(|_| fmt::Error)?;
        write!(f, "{millis:.3}")
    }
}
impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
impl FromStr for Timestamp {
    type Err = ParseTimestampError;
    fn from_str(text: &str) -> Result<Self, ParseTimestampError> {
        text.parse::<jiff::Timestamp>()
            .map(|t| Self::bounded(t.as_microsecond()))
            .map_err(|_| ParseTimestampError)
    }
}
impl From<Timestamp> for String {
    fn from(t: Timestamp) -> String {
        t.to_string()
    }
}
impl TryFrom<String> for Timestamp {
    type Error = ParseTimestampError;
    fn try_from(text: String) -> Result<Self, ParseTimestampError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn text_has_milliseconds_and_z() {
        let t: Timestamp = "2026-03-02T09:14:22.31Z".parse().unwrap();
        assert_eq!(t.to_string(), "2026-03-02T09:14:22.310Z");
        assert_eq!(Timestamp::EPOCH.to_string(), "1970-01-01T00:00:00.000Z");
    }

    #[test]
    fn each_instant_has_a_text() {
        let far = Duration::from_secs(u64::MAX);
        for instant in [
            Timestamp::from_micros(i64::MAX),
            Timestamp::from_millis(i64::MIN),
            Timestamp::EPOCH.plus(far),
            Timestamp::EPOCH.minus(far),
        ] {
            let text = instant.to_string();
            assert_eq!(text.parse::<Timestamp>().unwrap(), instant, "{text}");
            assert_eq!((text.len(), instant.month().len()), (24, 7), "{text}");
            assert!(instant.next_month_start() >= instant.month_start());
        }
    }

    #[test]
    fn months_turn_in_utc() {
        let t: Timestamp = "2026-12-31T23:59:59.999Z".parse().unwrap();
        assert_eq!(t.month(), "2026-12");
        assert_eq!(t.month_start().to_string(), "2026-12-01T00:00:00.000Z");
        assert_eq!(t.next_month_start().to_string(), "2027-01-01T00:00:00.000Z");
        let feb: Timestamp = "2028-02-29T12:00:00Z".parse().unwrap();
        assert_eq!(
            feb.next_month_start().to_string(),
            "2028-03-01T00:00:00.000Z"
        );
    }
}
