//! The API as a service over a real engine on SQLite; one module a route, as in `src/routes`. No
//! socket is opened and no plug-in is loaded: with nothing bound, jobs stay queued here.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod authorization;
mod connections;
mod jobs;
mod node;
mod playbooks;
mod rate_limit;
mod world;
