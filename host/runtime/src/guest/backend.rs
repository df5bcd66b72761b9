//! A generation backend's run: the engine that serves it, and what it may still ask for.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::backend_host::BackendHost;
use crate::check_places::CheckPlaces;
use crate::sandbox::{GuestCore, GuestState};

/// What the store of a backend run holds.
pub struct BackendState {
    pub(crate) core: GuestCore,
    pub(crate) host: Arc<dyn BackendHost>,
    /// Where the inputs of its capability calls are checked.
    pub(crate) checks: CheckPlaces,
    /// Capabilities from the manifest's `requires`.
    pub(crate) declared: BTreeSet<String>,
    pub(crate) calls_left: u32,
    pub(crate) max_input_bytes: usize,
    /// Highest percentage reported so far.
    pub(crate) percent: u8,
    /// How many more stages and reports the engine is told of; it journals each.
    pub(crate) reports_left: u32,
}

impl GuestState for BackendState {
    fn core(&mut self) -> &mut GuestCore {
        &mut self.core
    }
}
