//! Opening a store: a new one, an existing one, one of a newer version, and several at once.

use gtm_store::{KeyRing, Store, StoreConfig, StoreError};

use crate::world::World;

on_both_engines!(
    it_opens_from_nothing_and_again,
    a_database_from_the_future_is_refused,
    many_nodes_may_start_at_once,
    a_closed_store_says_so,
    a_lost_key_ring_is_not_replaced,
);

async fn it_opens_from_nothing_and_again(world: World) {
    let mut world = world;
    world.store.ping().await.unwrap();
    let tenant = world.tenant().await;
    world.reopen().await;
    assert_eq!(
        world
            .store
            .authenticate(&tenant.secret, None)
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
#[tokio::test]
async fn blobs_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let data = tempfile::tempdir().unwrap();
    let config = StoreConfig::in_data_dir(data.path());
    let open = async || {
        let ring = KeyRing::from_dir(data.path()).unwrap();
        let clock = std::sync::Arc::new(gtm_domain::clock::ManualClock::at(
            gtm_domain::Timestamp::EPOCH,
        ));
        Store::connect(&config, ring, clock)
            .await
            .unwrap()
            .close()
            .await;
        let dir = config.blob_dir.join("blobs");
        std::fs::metadata(dir).unwrap().permissions().mode() & 0o777
    };
    assert_eq!(open().await, 0o700);
    let everybodys = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(config.blob_dir.join("blobs"), everybodys).unwrap();
    assert_eq!(open().await, 0o700, "one of an earlier version is changed");
}

#[cfg(unix)]
#[tokio::test]
async fn the_key_ring_file_is_private_and_stays() {
    use std::os::unix::fs::PermissionsExt;
    let (dir, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = dir.path().join("master.key");
    let ring = KeyRing::from_dir(dir.path()).unwrap();
    assert!(
        !path.exists(),
        "written once the database is known to be new"
    );
    let first = format!("{ring:?}");
    let clock = std::sync::Arc::new(gtm_domain::clock::ManualClock::at(
        gtm_domain::Timestamp::EPOCH,
    ));
    let config = StoreConfig::in_data_dir(data.path());
    let store = Store::connect(&config, ring, clock).await.unwrap();
    store.close().await;
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

async fn a_lost_key_ring_is_not_replaced(world: World) {
    world.store.close().await;
    let path = world.dir.path().join("master.key");
    let kept = world.dir.path().join("copy");
    std::fs::rename(&path, &kept).unwrap();
    let ring = KeyRing::from_dir(world.dir.path()).unwrap();
    let refused = Store::connect(&world.config, ring, world.clock.clone()).await;
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("master.key is missing"), "{message}");
    assert!(!path.exists(), "nothing takes the lost one's place");
    std::fs::rename(&kept, &path).unwrap();
    world.another_node().await.ping().await.unwrap();
}

#[tokio::test]
async fn a_role_that_row_level_security_does_not_hold_for_is_refused() {
    let Some(database) = crate::private_postgres::database("startup::unrestricted_role") else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let clock = std::sync::Arc::new(gtm_domain::clock::ManualClock::at(
        gtm_domain::Timestamp::EPOCH,
    ));
    let mut config = StoreConfig {
        database_url: database.url().replace("gtm@", "postgres@"),
        ..StoreConfig::in_data_dir(dir.path())
    };
    let keys = || KeyRing::from_dir(dir.path()).unwrap();
    let refused = Store::connect(&config, keys(), clock.clone()).await;
    let message = refused.as_ref().unwrap_err().to_string();
    assert!(
        matches!(refused, Err(StoreError::UnrestrictedRole(role)) if role == "postgres"),
        "{message}"
    );
    assert!(
        message.contains("NOSUPERUSER NOBYPASSRLS"),
        "the way out is told: {message}"
    );
    assert!(
        !dir.path().join("master.key").exists(),
        "nothing was written"
    );

    config.allow_unrestricted_role = true;
    let store = Store::connect(&config, keys(), clock).await.unwrap();
    store.ping().await.unwrap();
    store.close().await;
}

#[tokio::test]
async fn a_postgres_that_cannot_be_had_is_told_soon_and_why() {
    // Bound but never answering, like a server that hangs.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent_address = silent.local_addr().unwrap();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let refusing = free.local_addr().unwrap();
    drop(free);
    let mut cases = vec![
        (format!("postgres://gtm:hunter2@{refusing}/gtm"), "refused"),
        (
            "postgres://gtm:hunter2@no-such-host.invalid/gtm".to_owned(),
            "host name",
        ),
        (
            format!("postgres://gtm:hunter2@{silent_address}/gtm"),
            "did not answer",
        ),
    ];
    if let Some(database) = crate::private_postgres::database("startup::refusals") {
        let (server, _) = database.url().rsplit_once('/').unwrap();
        cases.push((format!("{server}/no_such_database"), "make the database"));
        let stranger = server.replace("gtm@", "nobody_here:hunter2@");
        cases.push((format!("{stranger}/postgres"), "nobody_here"));
    }
    for (url, expected) in cases {
        let dir = tempfile::tempdir().unwrap();
        let config = StoreConfig {
            database_url: url.clone(),
            ..StoreConfig::in_data_dir(dir.path())
        };
        let keys = KeyRing::from_dir(dir.path()).unwrap();
        let clock = std::sync::Arc::new(gtm_domain::clock::ManualClock::at(
            gtm_domain::Timestamp::EPOCH,
        ));
        let began = std::time::Instant::now();
        let error = Store::connect(&config, keys, clock).await.unwrap_err();
        let StoreError::Unreachable { cause, advice } = &error else {
            panic!("{url}: {error:?}");
        };
        let told = format!("{cause}; {advice}");
        assert!(
            told.contains(expected) && !told.contains("hunter2"),
            "{url}: {told}"
        );
        assert!(began.elapsed() < std::time::Duration::from_secs(8), "{url}");
    }
    drop(silent);
}
