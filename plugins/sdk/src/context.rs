//! What was pinned when the job was created.

use serde::de::DeserializeOwned;

use crate::{Failure, host};

/// The settings of the connection (for connectors) or of the binding, read as `T`. They hold no
/// secret. The host has checked them against the manifest's `settings_schema`.
pub fn settings<T: DeserializeOwned>() -> Result<T, Failure> {
    serde_json::from_str(&host::context_settings()).map_err(|error| {
        Failure::invalid_input(
            "invalid_settings",
            format!("The settings do not fit: {error}."),
        )
    })
}

/// Milliseconds since the Unix epoch: the current time for connectors, the job's start time for
/// all others, so that a resumed job computes the same.
pub fn now_ms() -> u64 {
    host::context_now_ms()
}
