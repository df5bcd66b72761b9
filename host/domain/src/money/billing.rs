//! How an organization pays.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// How an organization pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BillingMode {
    /// From credits granted in advance; without credit, nothing billable starts.
    Prepaid,
    /// In arrears: credit may fall below zero and never causes a refusal. Budgets and the tier's cap apply
    /// as for everyone.
    Postpaid,
}

impl BillingMode {
    /// The stored value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Prepaid => "prepaid",
            Self::Postpaid => "postpaid",
        }
    }
}

/// The text does not name a billing mode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected prepaid or postpaid, not {0:?}")]
pub struct UnknownBillingMode(pub String);

impl FromStr for BillingMode {
    type Err = UnknownBillingMode;
    fn from_str(text: &str) -> Result<Self, UnknownBillingMode> {
        [Self::Prepaid, Self::Postpaid]
            .into_iter()
            .find(|mode| mode.as_str() == text)
            .ok_or_else(|| UnknownBillingMode(text.to_owned()))
    }
}

impl fmt::Display for BillingMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
