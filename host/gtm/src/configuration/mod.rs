//! The configuration of an installation: defaults, then a TOML file, then `GTM_*` variables, then flags
//! (architecture §11). [`sections`] holds the structure, [`settings`] what each setting accepts and is for,
//! [`layers`] the merge with the origin of each value, [`reference`] the list of all settings.

mod dollars;
pub mod layers;
pub mod private_hosts;
pub mod publishers;
pub mod reference;
pub mod sections;
pub mod settings;
pub mod usage_tiers;
mod wrong_value;

pub use layers::{Effective, Flags};
