//! The store's contract, tested on SQLite and on PostgreSQL from one source: each module lists its tests in
//! `on_both_engines!`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

/// Runs each of these functions, which take a [`world::World`], on both engines.
macro_rules! on_both_engines {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name(crate::world::World::sqlite().await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                if let Some(world) = crate::world::World::postgres(concat!(module_path!(), "::", stringify!($name))).await {
                    super::$name(world).await;
                }
            })*
        }
    };
}

/// Runs each of these functions on PostgreSQL only: what they test is none of SQLite's.
macro_rules! on_postgres {
    ($($name:ident),* $(,)?) => {
        mod postgres_only {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                if let Some(world) = crate::world::World::postgres(concat!(module_path!(), "::", stringify!($name))).await {
                    super::$name(world).await;
                }
            })*
        }
    };
}

#[path = "../../src/repo/job_list_sql.rs"]
#[allow(dead_code, reason = "the store's own text, to be explained here")]
mod job_list_sql;
use gtm_test_support::postgres as private_postgres;
mod world;

mod abandoned_reads;
mod access;
mod audit_lists;
mod audit_log;
mod audit_tampering;
mod authentication;
mod backlog;
mod bindings;
mod brand_guidelines;
mod brand_research;
mod brands;
mod claims;
mod cursors;
mod damaged_jobs;
mod default_brands;
mod document_templates;
mod dossiers;
mod endings;
mod erased_files;
mod erasure;
mod events;
mod expiry;
mod extremes;
mod idempotency;
mod job_products;
mod journal;
mod ledger_violations;
mod lists;
mod message_standing;
mod message_templates;
mod missing_ends;
mod money;
mod money_acts;
mod money_in_doubt;
mod money_model;
mod money_parallel;
mod money_property;
mod money_spending;
mod offers;
mod operator_lists;
mod outcome_ledger;
mod outcomes;
mod pending_erasures;
mod plugins;
mod policies;
mod prospect_decisions;
mod prospecting;
mod reconciliation;
mod refused_rows;
mod repeated_calls;
mod retention;
mod searches;
mod secrets;
mod start_urls;
mod startup;
mod state_machine;
mod tenancy;
mod upgrade;
mod upgrade_defaults;
mod usage;
mod usage_recount;
mod verifications;
