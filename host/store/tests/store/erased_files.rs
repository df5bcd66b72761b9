//! What an erasure leaves in the files of the database: nothing of the person.

use gtm_domain::outcome_ledger::MailAddress;
use gtm_store::Unread;
use sqlx::Connection as _;

use crate::erasure::{ended, request, writing_of, written_to};
use crate::prospecting::{candidates, imported};
use crate::world::World;

on_both_engines!(
    no_file_of_the_database_holds_who_was_erased,
    a_reader_keeps_the_log_and_no_erasure_waits_for_it_for_long,
);

/// Files of the SQLite database in which the name stands.
fn files_with_sam(world: &World) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(world.dir.path()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("gtm.db") {
            let bytes = std::fs::read(entry.path()).unwrap();
            if bytes.windows(10).any(|bytes| bytes == b"Sam Okafor") {
                found.push(name);
            }
        }
    }
    found.sort();
    found
}

/// PostgreSQL vacuums by itself.
async fn no_file_of_the_database_holds_who_was_erased(world: World) {
    if world.is_postgres() {
        return;
    }
    let tenant = world.tenant().await;
    imported(&world, &tenant, &["sam@acme.example"]).await;
    // Part of it in the file, part of it in the log.
    world.number("PRAGMA wal_checkpoint(TRUNCATE)").await;
    let import = imported(&world, &tenant, &["sam@acme.example"]).await;
    let sam = candidates(&world, &tenant, import.id).await[0].id;
    let job = writing_of(&world, &tenant, request(sam)).await;
    ended(&world, &tenant, &job, written_to(sam)).await;
    assert_eq!(files_with_sam(&world), ["gtm.db", "gtm.db-wal"]);
    let address: MailAddress = "sam@acme.example".parse().unwrap();
    let operator = world.store.operator();
    let erased = operator.erase_prospects(&address, Unread::Keep).await;
    let erased = erased.unwrap();
    assert_eq!((erased.candidates, erased.log_held), (2, false));
    assert_eq!(files_with_sam(&world), Vec::<String>::new());
}

async fn a_reader_keeps_the_log_and_no_erasure_waits_for_it_for_long(world: World) {
    if world.is_postgres() {
        return;
    }
    let tenant = world.tenant().await;
    imported(&world, &tenant, &["sam@acme.example"]).await;
    let url = &world.config.database_url;
    let mut c = sqlx::SqliteConnection::connect(url).await.unwrap();
    let mut reader = c.begin().await.unwrap();
    let count = "SELECT COUNT(*) FROM prospects";
    let read: i64 = sqlx::query_scalar(count)
        .fetch_one(&mut *reader)
        .await
        .unwrap();
    assert_eq!(read, 1);
    let address: MailAddress = "sam@acme.example".parse().unwrap();
    let operator = world.store.operator();
    let begun = std::time::Instant::now();
    let erased = operator.erase_prospects(&address, Unread::Keep).await;
    let erased = erased.unwrap();
    assert_eq!((erased.candidates, erased.log_held), (1, true));
    assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
    assert!(!files_with_sam(&world).is_empty());
    // Nothing is kept from writing, and a sweep passes over the log as well.
    world.store.sweep().await.unwrap();
    imported(&world, &tenant, &["ada@acme.example"]).await;
    assert!(!files_with_sam(&world).is_empty());
    reader.rollback().await.unwrap();
    world.store.sweep().await.unwrap();
    erase_all(&world).await;
    assert_eq!(files_with_sam(&world), Vec::<String>::new());
}

/// Every person is called alike here.
async fn erase_all(world: &World) {
    let address: MailAddress = "ada@acme.example".parse().unwrap();
    let operator = world.store.operator();
    let erased = operator.erase_prospects(&address, Unread::Keep).await;
    assert_eq!(erased.unwrap().candidates, 1);
}
