//! Amounts of money in the configuration.

use serde::{Deserialize, Serialize};

/// A positive amount of US dollars.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Dollars(pub f64);

impl TryFrom<f64> for Dollars {
    type Error = &'static str;
    fn try_from(usd: f64) -> Result<Self, Self::Error> {
        if usd.is_finite() && usd > 0.0 && usd < 1e6 {
            Ok(Self(usd))
        } else {
            Err("expected an amount above 0 and below a million")
        }
    }
}
impl From<Dollars> for f64 {
    fn from(amount: Dollars) -> Self {
        amount.0
    }
}
