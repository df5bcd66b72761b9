//! The time that is left. For connectors only, because it is not deterministic.

use crate::host;

/// Milliseconds until the host ends this call.
pub fn time_left_ms() -> u64 {
    host::deadline_time_left_ms()
}
