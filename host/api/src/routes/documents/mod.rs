//! Documents: creating a job that makes one, and downloading its files.

pub(super) mod create;
pub(super) mod file;
pub(super) mod input;
pub(super) mod job;
pub(super) mod published;
mod refused;
