//! `deadline`: the time that is left to a connector.

use tokio::time::Instant;

use crate::guest::connector::ConnectorState;
use crate::sandbox::bindings::interfaces::deadline::Host;

impl Host for ConnectorState {
    fn time_left_ms(&mut self) -> wasmtime::Result<u64> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        Ok(u64::try_from(left.as_millis()).unwrap_or(u64::MAX))
    }
}
