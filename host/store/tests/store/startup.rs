//! Opening a store: from nothing, again, from the future, and several at once.

use gtm_store::{KeyRing, Store, StoreConfig, StoreError};

use crate::world::World;

on_both_engines!(
    it_opens_from_nothing_and_again,
    a_database_from_the_future_is_refused,
    many_nodes_may_start_at_once,
    a_closed_store_says_so,
);

async fn it_opens_from_nothing_and_again(world: World) {
    let mut world = world;
    world.store.ping().await.unwrap();
    let tenant = world.tenant().await;
    world.reopen().await;
    assert_eq!(
        world
            .store
            .authenticate(&tenant.secret)
            .await
            .unwrap()
            .project(),
        tenant.project
    );
    assert_eq!(
        world
            .store
            .operator()
            .list_projects(None)
            .await
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        world
            .store
            .operator()
            .list_organizations()
            .await
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        world
            .store
            .operator()
            .list_keys(Some(tenant.project))
            .await
            .unwrap()
            .len(),
        1
    );
}

async fn a_database_from_the_future_is_refused(world: World) {
    let insert = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
        SELECT 9999, 'later', success, checksum, 0 FROM _sqlx_migrations WHERE version = 1";
    world.raw(insert).await.unwrap();
    let keys = KeyRing::from_dir(world.dir.path()).unwrap();
    let refused = Store::connect(&world.config, keys, world.clock.clone()).await;
    let message = refused.as_ref().unwrap_err().to_string();
    assert!(
        matches!(refused, Err(StoreError::DatabaseTooNew(9999))),
        "{message}"
    );
    assert!(message.contains("newer version"), "{message}");
}

async fn many_nodes_may_start_at_once(world: World) {
    let dir = tempfile::tempdir().unwrap();
    let mut config = StoreConfig::in_data_dir(dir.path());
    if world.is_postgres() {
        config.database_url = world.config.database_url.clone();
        world.store.close().await;
        world.raw("DROP OWNED BY CURRENT_USER").await.unwrap();
        world
            .raw("CREATE SCHEMA IF NOT EXISTS public")
            .await
            .unwrap();
    }
    let mut tasks = Vec::new();
    for _ in 0..4 {
        let (config, clock, dir) = (config.clone(), world.clock.clone(), dir.path().to_owned());
        tasks.push(tokio::spawn(async move {
            let keys = KeyRing::from_dir(&dir).unwrap();
            Store::connect(&config, keys, clock).await.unwrap()
        }));
    }
    let mut stores = Vec::new();
    for task in tasks {
        stores.push(task.await.unwrap());
    }
    let organization = stores[0]
        .operator()
        .create_organization("Acme")
        .await
        .unwrap();
    for store in &stores {
        assert_eq!(
            store
                .operator()
                .show_organization(organization.id)
                .await
                .unwrap(),
            Some(organization.clone())
        );
    }
}

async fn a_closed_store_says_so(world: World) {
    world.store.close().await;
    let write = world.store.operator().create_organization("late").await;
    assert!(matches!(write, Err(StoreError::Closed)), "{write:?}");
    assert!(matches!(world.store.ping().await, Err(StoreError::Closed)));
    world.store.close().await;
}

#[cfg(unix)]
#[test]
fn the_key_ring_file_is_private_and_stays() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let first = format!("{:?}", KeyRing::from_dir(dir.path()).unwrap());
    let path = dir.path().join("master.key");
    assert_eq!(
        std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(
        format!("{:?}", KeyRing::from_dir(dir.path()).unwrap()),
        first
    );
    assert_eq!(
        std::fs::read_dir(dir.path()).unwrap().count(),
        1,
        "nothing temporary stays"
    );
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(
        KeyRing::from_dir(dir.path())
            .unwrap_err()
            .to_string()
            .contains("chmod 600")
    );
}

#[tokio::test]
async fn other_urls_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    for url in ["", "mysql://x", "gtm.db", "postgres://[::bad"] {
        let config = StoreConfig {
            database_url: url.to_owned(),
            ..StoreConfig::in_data_dir(dir.path())
        };
        let keys = KeyRing::from_dir(dir.path()).unwrap();
        let clock = std::sync::Arc::new(gtm_domain::clock::ManualClock::at(
            gtm_domain::Timestamp::EPOCH,
        ));
        assert!(
            matches!(
                Store::connect(&config, keys, clock).await,
                Err(StoreError::Url(_))
            ),
            "{url}"
        );
    }
}
