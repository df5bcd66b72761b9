//! The store's contract, on SQLite and on PostgreSQL from one body: each module lists its tests in
//! `on_both_engines!`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

/// Run each of these functions, which take a [`world::World`], on both engines.
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

#[path = "../../../../tests/src/postgres.rs"]
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
mod private_postgres;
mod world;

mod authentication;
mod bindings;
mod claims;
mod events;
mod idempotency;
mod journal;
mod outcomes;
mod retention;
mod secrets;
mod startup;
mod state_machine;
mod tenancy;
