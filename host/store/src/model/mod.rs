//! The store's inputs and outputs other than domain entities: rows to create, secrets, leases, and pages of
//! lists. Plain values, no SQL.

pub mod audit;
pub mod brand;
pub mod connection;
pub mod dossier;
pub mod job;
pub mod message_template;
pub mod offer;
pub mod prospecting;
pub mod reconciliation;
pub mod retention;
pub mod step;
