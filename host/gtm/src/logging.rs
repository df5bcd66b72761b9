//! The log: to standard error, as text for people or JSON for machines. Secrets and payloads are kept
//! out of it where it is written, not here.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use crate::configuration::sections::{Log, LogFormat};
use crate::failure::Failure;

/// The filter that the configured level means.
///
/// # Errors
/// If it is no filter.
pub fn filter(log: &Log) -> Result<EnvFilter, Failure> {
    EnvFilter::try_new(&log.level).map_err(|error| {
        Failure::new(format!("configuration: log.level: {error}"))
            .hint("for example info, or info,gtm_engine=debug")
    })
}

/// Start logging as configured.
///
/// # Errors
/// If the level is no filter.
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
