use std::sync::Arc;
use std::time::Duration;

use gtm_domain::{Clock, Timestamp};
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::payload;
use crate::catalog::{Catalog, Plugin};
use crate::config::HostLimits;
use crate::egress::EgressGate;
use crate::error::PluginError;
use crate::manifest::{Manifest, PluginKind};
use crate::sandbox::{GuestCore, LogBuffer, Room, RunLimits, Sandbox};

/// What the calls of every world need.
pub struct Shared {
    pub sandbox: Sandbox,
    pub gate: EgressGate,
    pub catalog: Catalog,
    pub clock: Arc<dyn Clock>,
    pub limits: HostLimits,
}

/// A call whose guest may start now.
pub struct Ready<'a> {
    /// The input's text, which matches the operation's schema.
    pub input: String,
    /// The free instance.
    pub room: Room<'a>,
    pub run: RunLimits,
    /// The longest answer.
    pub output_bytes: u64,
}

impl Shared {
    /// Checks the input, waits for a free instance, and combines the limits of caller, manifest and host.
    pub async fn prepare(
        &self,
        plugin: &Arc<Plugin>,
        operation: &str,
        input: Value,
        settings: &Value,
        deadline: Duration,
        cancel: &CancellationToken,
    ) -> Result<Ready<'_>, PluginError> {
        let until = Instant::now() + deadline;
        let input = payload::input_text(plugin, operation, input, settings, &self.limits)
            .await
            .map_err(PluginError::Failure)?;
        let room = self.sandbox.room(plugin.kind, until, cancel).await?;
        let limits = &plugin.manifest.limits;
        let longest = match plugin.kind {
            PluginKind::GenerationBackend => self.limits.backend_wall,
            _ => self.limits.wall,
        };
        // The plug-in's own time begins when it may run.
        let wall = Duration::from_millis(limits.wall_ms).min(longest);
        Ok(Ready {
            input,
            room,
            run: RunLimits {
                deadline: until.min(Instant::now() + wall),
                cpu: Duration::from_millis(limits.cpu_ms).min(self.limits.cpu),
                cancel: cancel.clone(),
            },
            output_bytes: limits.output_bytes.min(self.limits.output_of(plugin.kind)),
        })
    }

    /// The shared part of a call's state, with the limits of manifest and host combined.
    pub fn core(&self, manifest: &Manifest, settings: &Value, now: Timestamp) -> GuestCore {
        let lines = manifest.limits.log_lines.min(self.limits.log_lines);
        let log = LogBuffer::new(
            usize::try_from(lines).unwrap_or(usize::MAX),
            self.limits.log_line_bytes,
        );
        let now_ms = u64::try_from(now.millis()).unwrap_or(0);
        GuestCore::new(
            (manifest.limits.memory_bytes).min(self.limits.memory_of(manifest.kind)),
            log,
            settings,
            now_ms,
        )
    }
}
