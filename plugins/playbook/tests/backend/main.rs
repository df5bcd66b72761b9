//! The whole backend against a scripted host: pages are real HTML, read as the page reader reads
//! them; the model says what a test tells it to.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod contract;
mod finding;
mod hostile;
mod model;
mod quotes;
mod run;
mod web;
