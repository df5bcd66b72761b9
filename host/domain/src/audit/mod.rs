//! The audit log (annex A15): who did what to which resource. It holds no bodies and no secrets, only
//! hashes, chained so that a later change to an entry is detectable.

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
