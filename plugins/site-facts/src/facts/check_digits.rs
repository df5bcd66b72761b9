//! Check digits of registration and tax numbers, to tell real numbers from mistakes. The host uses the same
//! rules.

pub use gtm_site_signals::identifiers::{digits, lei, luhn, vat};
