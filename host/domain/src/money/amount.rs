//! Money as integer micro-dollars; floating point appears only on the wire.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An amount of US dollars in millionths. Arithmetic saturates; it never wraps.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MicroUsd(i64);

impl MicroUsd {
    pub const ZERO: Self = Self(0);

    /// From micro-dollars.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }
    /// From a dollar amount in a settings file, rounded to the nearest millionth. `None` for amounts that
    /// are not finite or beyond ±9 trillion dollars.
    #[must_use]
    pub fn from_usd(usd: f64) -> Option<Self> {
        let micros = (usd * 1e6).round();
        // Casting a float saturates, so a value out of range is never undefined behaviour; it is only
        // discarded.
        (micros.is_finite() && micros.abs() < 9e18).then_some(Self(micros as i64))
    }
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }
    /// The amount `count` times; saturates at the largest amount.
    #[must_use]
    pub fn times(self, count: u64) -> Self {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        Self(self.0.saturating_mul(count))
    }
    /// Dollars as the JSON number of the API (`cost_usd`, at most six decimals).
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "exact below a billion dollars")]
    pub fn usd(self) -> f64 {
        self.0 as f64 / 1e6
    }
    /// True for amounts above zero.
    #[must_use]
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }
}

/// The text is not an amount of dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected an amount in US dollars, such as 25 or 0.50: at most six decimals, at most a billion, no sign"
)]
pub struct ParseUsdError;

/// Largest amount that a text may give, in dollars: far above any real one, yet sums of many stay in range.
const LARGEST_DOLLARS: i64 = 1_000_000_000;

/// Parses decimal dollars exactly, never through a float.
impl FromStr for MicroUsd {
    type Err = ParseUsdError;
    fn from_str(text: &str) -> Result<Self, ParseUsdError> {
        let (whole, decimals) = match text.split_once('.') {
            Some((whole, decimals)) if (1..=6).contains(&decimals.len()) => (whole, decimals),
            Some(_) => return Err(ParseUsdError),
            None => (text, ""),
        };
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(decimals) {
            return Err(ParseUsdError);
        }
        let dollars: i64 = whole.parse().map_err(|_| ParseUsdError)?;
        let micros: i64 = format!("{decimals:0<6}")
            .parse()
            .map_err(|_| ParseUsdError)?;
        let amount = Self::from_micros(dollars.saturating_mul(1_000_000).saturating_add(micros));
        (amount <= Self::from_micros(LARGEST_DOLLARS * 1_000_000))
            .then_some(amount)
            .ok_or(ParseUsdError)
    }
}

impl Add for MicroUsd {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}
impl AddAssign for MicroUsd {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
impl Sub for MicroUsd {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}
impl Neg for MicroUsd {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}
impl std::iter::Sum for MicroUsd {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}
impl fmt::Display for MicroUsd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let abs = self.0.unsigned_abs();
        write!(f, "{sign}${}.{:06}", abs / 1_000_000, abs % 1_000_000)
    }
}
impl fmt::Debug for MicroUsd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn dollars_survive_the_wire(micros in -1_000_000_000_000_000i64..1_000_000_000_000_000) {
            let m = MicroUsd::from_micros(micros);
            let text = serde_json::to_string(&m.usd()).unwrap();
            prop_assert_eq!(MicroUsd::from_usd(text.parse().unwrap()).unwrap(), m);
        }

        #[test]
        fn dollars_are_read_exactly(micros in 0i64..1_000_000_000_000_000) {
            let m = MicroUsd::from_micros(micros);
            let text = m.to_string();
            let text = text.trim_start_matches('$');
            prop_assert_eq!(text.parse(), Ok(m));
            let shorter = text.trim_end_matches('0').trim_end_matches('.');
            let shorter = if shorter.is_empty() { "0" } else { shorter };
            prop_assert_eq!(shorter.parse(), Ok(m));
            prop_assert_eq!(format!("000{shorter}").parse(), Ok(m));
        }

        #[test]
        fn no_text_panics_and_what_is_read_is_an_amount(text in "[-+$ .,_e0-9\\PC]{0,24}") {
            if let Ok(amount) = text.parse::<MicroUsd>() {
                let (whole, decimals) = text.split_once('.').unwrap_or((&text, "0"));
                let micros = whole.parse::<i128>().unwrap() * 1_000_000
                    + decimals.parse::<i128>().unwrap() * 10i128.pow(6 - u32::try_from(decimals.len()).unwrap());
                prop_assert_eq!(i128::from(amount.micros()), micros);
            }
        }

        #[test]
        fn a_sum_never_wraps(values in proptest::collection::vec(any::<i64>(), 0..20)) {
            let sum: MicroUsd = values.iter().map(|v| MicroUsd::from_micros(*v)).sum();
            if values.iter().all(|v| *v >= 0) { prop_assert!(sum >= MicroUsd::ZERO); }
        }
    }

    #[test]
    fn what_is_no_amount() {
        for bad in [
            "",
            ".",
            "1.",
            ".5",
            "-1",
            "+1",
            "1e3",
            "1,000",
            "$1",
            " 1",
            "1.0000000",
            "1_0",
            "nan",
            "1000000000.000001",
            "99999999999999999999",
            "١",
        ] {
            assert_eq!(bad.parse::<MicroUsd>(), Err(ParseUsdError), "{bad:?}");
        }
        assert_eq!("0.1".parse(), Ok(MicroUsd::from_micros(100_000)));
        assert_eq!(
            "1000000000".parse(),
            Ok(MicroUsd::from_micros(1_000_000_000_000_000))
        );
    }

    #[test]
    fn shown_with_six_decimals() {
        assert_eq!(MicroUsd::from_micros(-1_050_000).to_string(), "-$1.050000");
        assert_eq!(MicroUsd::from_usd(f64::NAN), None);
    }
}
