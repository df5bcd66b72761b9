//! The repositories: all SQL of the store, written once and compiled for each engine against the
//! `Conn` of the engine module that includes them. A function that touches tenant data takes the
//! tenant and filters by it.

use super::{Conn, FOR_UPDATE, SKIP_LOCKED, announce_job, bound_wait, serialize_claims};

pub(crate) mod bindings;
pub(crate) mod blob_references;
pub(crate) mod claims;
pub(crate) mod connections;
pub(crate) mod events;
pub(crate) mod idempotency;
pub(crate) mod jobs;
pub(crate) mod key_ring_checks;
pub(crate) mod keys;
pub(crate) mod ledger;
pub(crate) mod outcomes;
pub(crate) mod plugins;
pub(crate) mod retention;
pub(crate) mod steps;
pub(crate) mod tenants;
