//! The servers that tests start for themselves, how a test says that it cannot run, and how work grows with
//! its input. Nothing here is used by the product. Fakes of providers and the real `gtm` process are in `gtm-e2e`.
#![forbid(unsafe_code)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    missing_docs
)]

pub mod growth;
pub mod own_postgres;
pub mod postgres;
pub mod redis;
pub mod skips;
