//! The audit log (annex A15): who did what to which resource. No bodies and no secrets, only hashes,
//! chained so that a change of what was written shows.

pub mod action;
pub mod chain;
pub mod connection;
pub mod entry;
pub mod event;
pub mod job;
pub mod report;

pub use action::AuditAction;
pub use entry::{AuditEntry, AuditHead, Party};
pub use event::{AuditActor, AuditEvent, AuditResource};
pub use report::{AuditBreach, AuditReport};
