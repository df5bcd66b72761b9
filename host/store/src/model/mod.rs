//! The store's rows as the rest of the host sees them: plain values, no SQL.

pub mod audit;
pub mod audit_action;
pub mod backlog;
pub mod binding;
pub mod brand;
pub mod connection;
pub mod connection_verification;
pub mod create;
pub mod dossier;
pub mod event;
pub mod job;
pub(crate) mod job_audit;
pub(crate) mod job_settlement;
pub mod ledger;
pub mod limit;
pub mod money;
pub mod plugin;
pub mod reconciliation;
pub mod research_job;
pub mod retention;
pub mod step;
pub mod tenant;
pub mod usage;
