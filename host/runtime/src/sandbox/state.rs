//! What every guest's store holds, whatever its world.

use std::sync::Arc;

use serde_json::Value;

use super::cpu::CpuMeter;
use super::log_buffer::LogBuffer;
use super::memory::MemoryLimiter;
use crate::outcome::Denial;

pub struct GuestCore {
    pub(crate) cpu: Arc<CpuMeter>,
    pub(crate) memory: MemoryLimiter,
    pub(crate) log: LogBuffer,
    /// Settings as JSON text.
    pub(crate) settings: String,
    /// The only time that the guest sees, in milliseconds since the Unix epoch.
    pub(crate) now_ms: u64,
    pub(crate) denied: Vec<Denial>,
}

impl GuestCore {
    pub(crate) fn new(memory_bytes: u64, log: LogBuffer, settings: &Value, now_ms: u64) -> Self {
        Self {
            cpu: Arc::new(CpuMeter::default()),
            memory: MemoryLimiter::new(usize::try_from(memory_bytes).unwrap_or(usize::MAX)),
            log,
            // A plug-in without settings still receives a JSON object.
            settings: if settings.is_null() {
                "{}".to_owned()
            } else {
                settings.to_string()
            },
            now_ms,
            denied: Vec::new(),
        }
    }
}

/// State of a call in any world.
pub trait GuestState: Send + 'static {
    fn core(&mut self) -> &mut GuestCore;
}
