//! Whoever gives up in the middle of a read leaves no connection that only reads.

use std::time::Duration;

use crate::world::World;

on_postgres!(nobody_inherits_a_transaction_that_was_given_up);

async fn nobody_inherits_a_transaction_that_was_given_up(world: World) {
    let tenant = world.tenant().await;
    // A read takes some milliseconds; each is given up at another moment of it, also while its transaction begins.
    for step in 0..120_u64 {
        let read = world.store.templates_in_use(&tenant.scope);
        let _ = tokio::time::timeout(Duration::from_micros(step * 25), read).await;
        // It writes several rows, and fails on a connection that only reads.
        world.tenant().await;
    }
}
