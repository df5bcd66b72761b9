//! What guests may ask of the host: one module per interface of `wit/plugin.wit`.
//!
//! A refusal is a failure that the guest can handle, never a trap. The only trap raised here is
//! [`crate::sandbox::Abort`], with which the engine ends a call.

pub mod artifacts;
pub mod assets;
pub mod capabilities;
pub mod context;
pub mod deadline;
pub mod failure;
pub mod http;
pub mod log;
pub mod progress;
pub mod text;
