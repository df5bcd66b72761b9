//! What searching has cost on this thread, for tests: they count instead of measuring time.

use std::cell::Cell;

thread_local! {
    static LOOKS: Cell<usize> = const { Cell::new(0) };
}

/// So many more.
pub(super) fn add(looks: usize) {
    LOOKS.set(LOOKS.get() + looks);
}

/// Those since the last time.
pub(in crate::egress) fn taken() -> usize {
    LOOKS.take()
}
