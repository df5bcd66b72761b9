//! Money as integer micro-dollars; floating point only on the wire.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};

use serde::{Deserialize, Serialize};

/// An amount of US dollars in millionths. Arithmetic saturates; it never wraps.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MicroUsd(i64);

impl MicroUsd {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// From micro-dollars.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }
    /// From a dollar amount of a settings file, rounded to the nearest millionth. `None` for
    /// amounts that are not finite or beyond ±9 trillion dollars.
    #[must_use]
    pub fn from_usd(usd: f64) -> Option<Self> {
        let micros = (usd * 1e6).round();
        // A cast of a float saturates, so a value out of range is never undefined, only discarded.
        (micros.is_finite() && micros.abs() < 9e18).then_some(Self(micros as i64))
    }
    /// Micro-dollars.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }
    /// Dollars as the JSON number of the API (`cost_usd`, at most six decimals).
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "exact below a billion dollars")]
    pub fn usd(self) -> f64 {
        self.0 as f64 / 1e6
    }
    /// True for amounts over zero.
    #[must_use]
    pub const fn is_positive(self) -> bool {
        self.0 > 0
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
        fn a_sum_never_wraps(values in proptest::collection::vec(any::<i64>(), 0..20)) {
            let sum: MicroUsd = values.iter().map(|v| MicroUsd::from_micros(*v)).sum();
            if values.iter().all(|v| *v >= 0) { prop_assert!(sum >= MicroUsd::ZERO); }
        }
    }

    #[test]
    fn shown_with_six_decimals() {
        assert_eq!(MicroUsd::from_micros(-1_050_000).to_string(), "-$1.050000");
        assert_eq!(MicroUsd::from_usd(f64::NAN), None);
    }
}
