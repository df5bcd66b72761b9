//! What the store of a call holds, one module per world. [`crate::interfaces`] implements on these what a
//! guest may ask for; a call creates one and takes from it what was recorded.

pub mod backend;
pub mod connector;
pub mod drafts;
pub mod evaluator;
pub mod renderer;
