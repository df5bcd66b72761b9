//! What searching has cost on this thread. Tests count this instead of measuring time.

use std::cell::Cell;

thread_local! {
    static LOOKS: Cell<usize> = const { Cell::new(0) };
}

pub(super) fn add(looks: usize) {
    LOOKS.set(LOOKS.get() + looks);
}

/// The cost since the last call.
pub(in crate::egress) fn taken() -> usize {
    LOOKS.take()
}
