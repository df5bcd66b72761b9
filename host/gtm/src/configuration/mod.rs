//! The configuration of an installation: defaults, then a TOML file, then `GTM_*` variables, then
//! flags (architecture §11). [`sections`] holds the shape, [`settings`] the names, [`layers`] the
//! merging with the origin of each value.

pub mod explanations;
pub mod layers;
pub mod private_hosts;
pub mod publishers;
pub mod sections;
pub mod settings;
pub mod usage_tiers;
mod wrong_value;

pub use layers::{Effective, Flags};
