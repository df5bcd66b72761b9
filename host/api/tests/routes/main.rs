//! The API as a service over a real engine on SQLite, with one module per route, as in `src/routes`. No
//! socket is opened and no plug-in is loaded. Nothing is bound, so jobs stay queued.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_test_support::redis as private_redis;

mod audit_log;
mod authorization;
mod brand_guidelines;
mod brands;
mod catalog;
mod connections;
mod counters;
mod description;
mod documents;
mod dossiers;
mod jobs;
mod known_keys;
mod lists;
mod message_generation;
mod message_templates;
mod money;
mod node;
mod offers;
mod playbooks;
mod promises;
mod prospect_messages;
mod rate_limit;
mod reference;
mod usage;
mod world;
