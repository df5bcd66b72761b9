//! Cursors: valid only if the store issued them, for the same project and list, for 7 days.

use std::time::Duration;

use gtm_domain::Digest;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::world::World;

on_both_engines!(a_cursor_opens_where_it_was_made, no_other_text_opens);

async fn a_cursor_opens_where_it_was_made(world: World) {
    let (a, b) = (world.tenant().await, world.tenant().await);
    let (jobs, brands) = (Digest::of(b"jobs"), Digest::of(b"brands"));
    let cursor = world.store.seal_cursor(&a.scope, &jobs, "job_1");
    let open = |scope, list| world.store.open_cursor(scope, list, &cursor);
    assert_eq!(open(&a.scope, &jobs).as_deref(), Some("job_1"));
    assert_eq!(open(&b.scope, &jobs), None, "another project");
    assert_eq!(open(&a.scope, &brands), None, "another list or filter");
    let other = World::sqlite().await;
    let foreign = other.tenant().await;
    let alien = other.store.seal_cursor(&foreign.scope, &jobs, "job_1");
    assert_eq!(world.store.open_cursor(&a.scope, &jobs, &alien), None);
    // Every node of the database accepts it.
    let node = world.another_node().await;
    assert_eq!(
        node.open_cursor(&a.scope, &jobs, &cursor).as_deref(),
        Some("job_1")
    );
    world.clock.advance(Duration::from_secs(7 * 24 * 3600));
    assert_eq!(open(&a.scope, &jobs).as_deref(), Some("job_1"));
    world.clock.advance(Duration::from_micros(1));
    assert_eq!(open(&a.scope, &jobs), None, "older than 7 days");
}

async fn no_other_text_opens(world: World) {
    let tenant = world.tenant().await;
    let list = Digest::of(b"jobs");
    let mut runner = TestRunner::new(Config::with_cases(2000));
    let flips = (".{0,40}", any::<prop::sample::Index>(), 1u8..=255);
    runner
        .run(&flips, |(key, at, change)| {
            let cursor = world.store.seal_cursor(&tenant.scope, &list, &key);
            let opened = world.store.open_cursor(&tenant.scope, &list, &cursor);
            prop_assert_eq!(opened, Some(key));
            let mut bytes = cursor.clone().into_bytes();
            let at = at.index(bytes.len());
            bytes[at] ^= change;
            if let Ok(text) = String::from_utf8(bytes) {
                prop_assert_eq!(world.store.open_cursor(&tenant.scope, &list, &text), None);
            }
            let cut = &cursor[..at];
            prop_assert_eq!(world.store.open_cursor(&tenant.scope, &list, cut), None);
            let longer = format!("{cursor}A");
            prop_assert_eq!(world.store.open_cursor(&tenant.scope, &list, &longer), None);
            Ok(())
        })
        .unwrap();
    runner
        .run(&"\\PC{0,200}", |text| {
            prop_assert_eq!(world.store.open_cursor(&tenant.scope, &list, &text), None);
            Ok(())
        })
        .unwrap();
}
