//! Fixture plug-ins, run through the real catalog: every world, every fault that the sandbox and the
//! gate must survive, and packages that must be refused.
//!
//! The fixtures are built by `cargo xtask plugins --fixtures`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod catalog_entries;
mod faults;
mod fixtures;
mod full_pool;
mod loopback;
mod metering;
mod network;
mod oracle;
mod packages;
mod trust;
mod workshop;
mod worlds;
