//! Playbooks.

pub(super) mod create;
pub(super) mod input;
pub(super) mod job;
