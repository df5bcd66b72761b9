//! What was pinned when the job was created.

use serde::de::DeserializeOwned;

use crate::{Failure, host};

/// The settings of the connection (for connectors) or of the binding, read as `T`. They hold no
/// secret. The host has checked them against the manifest's `settings_schema`.
pub fn settings<T: DeserializeOwned>() -> Result<T, Failure> {
    serde_json::from_str(&host::context_settings()).map_err(|error| {
        Failure::invalid_input(
            "invalid_settings",
            format!("The settings have an unexpected form: {error}."),
        )
    })
}

/// Milliseconds since the Unix epoch. Connectors get the current time; all others get the job's start, so
/// that a resumed job computes the same result.
pub fn now_ms() -> u64 {
    host::context_now_ms()
}
