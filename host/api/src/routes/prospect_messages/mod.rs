//! Messages to prospects (annex A7): a request becomes a job that writes a message to one prospect, or says why there
//! is none. Nothing here sends anything.

pub(super) mod create;
mod input;
pub(super) mod job;
