//! The log: on standard error, as text for people or JSON for machines. Secrets and payloads are kept out
//! where lines are written, not here.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use crate::configuration::sections::LogFormat;
use crate::failure::Failure;

/// Starts logging what `level` lets through.
///
/// # Errors
/// If the level is not a filter.
pub fn start(format: LogFormat, level: &str) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(level)
        .map_err(|error| Failure::new(format!("configuration: log.level: {error}")))?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    // A second start, as in tests, keeps the first subscriber.
    let _ = match format {
        LogFormat::Text => builder
            .with_ansi(std::io::stderr().is_terminal())
            .try_init(),
        LogFormat::Json => builder
            .json()
            .flatten_event(true)
            .with_current_span(true)
            .try_init(),
    };
    Ok(())
}
