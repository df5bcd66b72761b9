//! What the store is given and what it hands out beside the entities of the domain: rows to be made,
//! secrets, leases, and which part of a list to read. Plain values, no SQL.

pub mod audit;
pub mod brand;
pub mod connection;
pub mod dossier;
pub mod job;
pub mod reconciliation;
pub mod retention;
pub mod step;
