//! `context`: what was pinned when the job was created.

use crate::sandbox::GuestCore;
use crate::sandbox::bindings::interfaces::context::Host;

impl Host for GuestCore {
    fn settings(&mut self) -> wasmtime::Result<String> {
        Ok(self.settings.clone())
    }
    fn now_ms(&mut self) -> wasmtime::Result<u64> {
        Ok(self.now_ms)
    }
}
