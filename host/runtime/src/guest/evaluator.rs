//! An evaluation, which has no state of its own.

use crate::sandbox::{GuestCore, GuestState};

/// What the store of an evaluation holds.
pub struct EvaluatorState {
    pub(crate) core: GuestCore,
}

impl GuestState for EvaluatorState {
    fn core(&mut self) -> &mut GuestCore {
        &mut self.core
    }
}
