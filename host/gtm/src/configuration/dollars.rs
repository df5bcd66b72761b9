//! Amounts of money in the configuration.

use serde::{Deserialize, Serialize};

/// What a millionth of a dollar is: smaller amounts would count as none.
const SMALLEST: f64 = 1e-6;

/// A positive amount of US dollars.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Dollars(pub f64);

impl TryFrom<f64> for Dollars {
    type Error = &'static str;
    fn try_from(usd: f64) -> Result<Self, Self::Error> {
        if (SMALLEST..1e6).contains(&usd) {
            Ok(Self(usd))
        } else {
            Err("expected an amount of at least 0.000001 and below a million")
        }
    }
}
impl From<Dollars> for f64 {
    fn from(amount: Dollars) -> Self {
        amount.0
    }
}
