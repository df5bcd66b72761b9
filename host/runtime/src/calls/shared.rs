use std::sync::Arc;

use gtm_domain::{Clock, Timestamp};
use serde_json::Value;

use crate::catalog::Catalog;
use crate::config::HostLimits;
use crate::egress::EgressGate;
use crate::manifest::Manifest;
use crate::sandbox::{GuestCore, LogBuffer, Sandbox};

/// What the calls of every world need.
pub struct Shared {
    pub sandbox: Sandbox,
    pub gate: EgressGate,
    pub catalog: Catalog,
    pub clock: Arc<dyn Clock>,
    pub limits: HostLimits,
}

impl Shared {
    /// The shared part of a call's state, with the limits of manifest and host combined.
    pub fn core(&self, manifest: &Manifest, settings: &Value, now: Timestamp) -> GuestCore {
        let lines = manifest.limits.log_lines.min(self.limits.log_lines);
        let log = LogBuffer::new(
            usize::try_from(lines).unwrap_or(usize::MAX),
            self.limits.log_line_bytes,
        );
        let now_ms = u64::try_from(now.millis()).unwrap_or(0);
        GuestCore::new(
            manifest.limits.memory_bytes.min(self.limits.memory_bytes),
            log,
            settings,
            now_ms,
        )
    }
}
