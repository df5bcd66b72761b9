//! Runs the backend on the SDK's scripted host.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

mod briefs;
mod confidences;
mod contract;
mod customers;
mod endings;
mod fresh;
mod hostile;
mod hurried;
mod languages_and_targets;
mod left_out;
mod letters;
mod model;
mod offers;
mod printed;
mod prose;
mod rules;
mod run;
mod running_prose;
mod sendable;
mod to_colleagues;

mod wishes;
// The small web of the playbook's tests, with the sample company's site.
#[path = "../../../playbook/tests/backend/web.rs"]
#[allow(dead_code, reason = "the playbook's tests use all of it")]
mod web;
