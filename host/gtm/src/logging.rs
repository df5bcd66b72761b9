//! The log: on standard error, as text for people or JSON for machines. Secrets and payloads are kept out
//! where lines are written, not here.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use crate::configuration::sections::{Log, LogFormat};
use crate::failure::Failure;

/// The filter for the configured level.
///
/// # Errors
/// If the level is not a filter.
pub fn filter(log: &Log) -> Result<EnvFilter, Failure> {
    EnvFilter::try_new(&log.level).map_err(|error| {
        Failure::new(format!("configuration: log.level: {error}"))
            .hint("for example info, or info,gtm_engine=debug")
    })
}

/// Starts logging as configured.
///
/// # Errors
/// If the level is not a filter.
pub fn start(log: &Log) -> Result<(), Failure> {
    let filter = filter(log)?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    // A second start, as in tests, keeps the first subscriber.
    let _ = match log.format {
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
