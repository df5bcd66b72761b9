//! Support for the end-to-end tests: the real `gtm` process, and fakes of the outside world that speak its
//! real wire formats. The product uses nothing from here.
#![forbid(unsafe_code)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

pub mod brand_lane;
pub mod client;
pub mod company_sites;
pub mod compiled_plugins;
pub mod fake_model;
pub mod fake_search;
pub mod fake_site;
pub mod gtm_process;
pub mod patience;
pub mod quality;
pub mod real_sites;
pub mod stalling_proxy;
pub mod tenant;

/// The database on which a test runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Database {
    Sqlite,
    Postgres,
}
