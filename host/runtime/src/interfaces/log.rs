//! `log`: log lines of a guest.

use crate::outcome::LogLevel;
use crate::sandbox::GuestCore;
use crate::sandbox::bindings::interfaces::log::{Host, Level};

impl Host for GuestCore {
    fn write(&mut self, level: Level, message: String) -> wasmtime::Result<()> {
        let level = match level {
            Level::Debug => LogLevel::Debug,
            Level::Info => LogLevel::Info,
            Level::Warn => LogLevel::Warn,
            Level::Error => LogLevel::Error,
        };
        self.log.push(level, &message);
        Ok(())
    }
}
