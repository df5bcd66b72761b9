//! Servers that tests start for themselves, reports of tests that cannot run, and checks of how work grows
//! with its input. The product uses nothing from here. Fakes of providers and the real `gtm` process are in
//! `gtm-e2e`.
#![forbid(unsafe_code)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

pub mod growth;
pub mod own_postgres;
pub mod postgres;
pub mod redis;
pub mod skips;
