//! Check digits of registration and tax numbers, for telling a number from a mistake. The host judges
//! numbers by the same rules.

pub use gtm_site_signals::identifiers::{digits, lei, luhn, vat};
