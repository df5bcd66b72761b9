//! What the store of a call holds, one module per world. What a guest may ask for is implemented on these
//! in [`crate::interfaces`]; a call makes one and takes from it what was written down.

pub mod backend;
pub mod connector;
pub mod drafts;
pub mod evaluator;
pub mod renderer;
