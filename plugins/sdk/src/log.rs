//! Lines for the operator's log. The host limits their number and length.

use crate::host;

/// How important a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For the plug-in's author.
    Debug,
    /// Worth knowing.
    Info,
    /// Something went wrong that was handled.
    Warn,
    /// Something went wrong.
    Error,
}

/// Writes a line. Never log a secret or a person's data.
pub fn write(level: Level, message: &str) {
    host::log_write(level, message);
}

/// Writes a line at [`Level::Debug`].
pub fn debug(message: impl AsRef<str>) {
    write(Level::Debug, message.as_ref());
}

/// Writes a line at [`Level::Info`].
pub fn info(message: impl AsRef<str>) {
    write(Level::Info, message.as_ref());
}

/// Writes a line at [`Level::Warn`].
pub fn warn(message: impl AsRef<str>) {
    write(Level::Warn, message.as_ref());
}

/// Writes a line at [`Level::Error`].
pub fn error(message: impl AsRef<str>) {
    write(Level::Error, message.as_ref());
}
