//! What a node says about itself, without a key.

pub(super) mod description;
mod error_reference;
pub(super) mod healthz;
pub(super) mod readyz;
pub(super) mod reference;
mod status;
