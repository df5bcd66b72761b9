//! The store's rows as the rest of the host sees them: plain values, no SQL.

pub mod binding;
pub mod connection;
pub mod event;
pub mod job;
pub mod ledger;
pub mod plugin;
pub mod retention;
pub mod step;
pub mod tenant;
