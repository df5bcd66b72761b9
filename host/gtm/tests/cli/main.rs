//! The built binary as operators use it: without plug-ins, on SQLite in a temporary directory.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod administration;
mod bindings;
mod brands;
mod configuration;
mod connections;
mod help;
mod job_files;
mod listing;
mod money;
mod offers;
mod organizations;
mod plugin_versions;
mod plugins;
mod policies;
mod process;
mod prospecting;
mod reconciliation;
mod render;
mod serving;
mod start_urls;
mod starting;
mod suppression;
mod templates;
mod worker_side;
