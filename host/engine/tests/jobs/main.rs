//! Jobs end to end through the engine on a real SQLite store, with scripted plug-ins in place of
//! the sandbox: creation, journal, crashes, money, evidence, leases.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod harness;
mod scripted;
mod scripted_pure;

mod brand_bindings;
mod crashes;
mod creation;
mod documents;
mod endings;
mod evidence;
mod fixture_job_type;
mod guidelines;
mod layering;
mod leases;
mod lost_answers;
mod message_generation;
mod money;
mod offer_bindings;
mod people_search;
mod plugin_trust;
mod prospect_messages;
mod replays;
mod sandboxed;
mod start_urls;
mod told_addresses;
mod unsettled;
mod usage;
mod what_is_held;
