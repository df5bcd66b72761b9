//! What the store records of plug-ins: rows that never change, approvals, and publishers.

use gtm_domain::Digest;
use gtm_domain::plugin::{PluginKey, PluginPackage, PluginVersion};
use gtm_store::{KeyRing, Store};
use serde_json::{Value, json};
use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

use crate::upgrade::old_database;
use crate::world::World;

on_both_engines!(
    plugins_are_remembered,
    a_pending_version_is_used_after_the_operator_approved_it,
    a_plugin_goes_to_another_publisher_only_by_the_operator,
    what_an_earlier_gtm_knew_is_kept,
);

fn package(version: &str, component: &[u8], manifest: &Value, publisher: &str) -> PluginPackage {
    PluginPackage {
        content: PluginVersion {
            plugin: PluginKey {
                kind: "connector".to_owned(),
                key: "web-fetch".to_owned(),
            },
            version: version.to_owned(),
            component_digest: Some(Digest::of(component)),
            manifest_digest: gtm_domain::canonical_digest(manifest).unwrap(),
            manifest: manifest.clone(),
        },
        publisher: Some(publisher.to_owned()),
        approved: true,
    }
}

async fn plugins_are_remembered(world: World) {
    let operator = world.store.operator();
    let note = async |package: &PluginPackage| {
        let packages = std::slice::from_ref(package);
        operator.record_plugins(packages).await.unwrap()
    };
    let one = package(
        "0.1.0",
        b"component",
        &json!({"key": "web-fetch"}),
        "com.acme",
    );
    assert_eq!(note(&one).await, []);
    let first = world.now();
    world.clock.advance(std::time::Duration::from_secs(60));
    assert_eq!(note(&one).await, []);
    let known = operator.plugin_records().await.unwrap();
    assert_eq!(known.packages.len(), 1);
    let seen = &known.packages[0];
    assert_eq!(
        (seen.first_seen_at, seen.last_seen_at),
        (first, world.now())
    );
    assert_eq!(
        (&seen.content, seen.approved_at),
        (&one.content, Some(first))
    );
    assert_eq!(known.publishers[0].publisher, "com.acme");

    // A contradiction is reported and changes nothing.
    let other_component = package("0.1.0", b"other", &one.content.manifest, "com.acme");
    let other_manifest = package("0.1.0", b"component", &json!({"key": 2}), "com.acme");
    let other_publisher = package("0.2.0", b"component", &json!({}), "com.other");
    let pending = PluginPackage {
        approved: false,
        ..one.clone()
    };
    for other in [other_component, other_manifest, other_publisher, pending] {
        assert_eq!(note(&other).await, [other]);
        assert_eq!(operator.plugin_records().await.unwrap(), known);
    }
    // Two versions may share a component.
    let twin = package(
        "0.2.0",
        b"component",
        &json!({"key": "web-fetch", "x": 1}),
        "com.acme",
    );
    assert_eq!(note(&twin).await, []);
    let records = operator.plugin_records().await.unwrap().packages;
    assert_eq!(records.len(), 2);
    assert_eq!(records[0], known.packages[0]);
    for sql in [
        "UPDATE plugins SET manifest = '{}'",
        "UPDATE plugins SET version = '9.9.9' WHERE version = '0.1.0'",
        "UPDATE plugins SET component_digest = NULL",
        "UPDATE plugins SET manifest_digest = NULL",
        "DELETE FROM plugins",
    ] {
        let error = world.raw(sql).await.unwrap_err().to_string();
        assert!(error.contains("one package for ever"), "{sql}: {error}");
    }
}

async fn a_pending_version_is_used_after_the_operator_approved_it(world: World) {
    let operator = world.store.operator();
    let pending = PluginPackage {
        approved: false,
        ..package("2.0.0", b"component", &json!({}), "com.acme")
    };
    let plugin = pending.content.plugin.clone();
    assert!(operator.approve_plugin(&plugin, "2.0.0").await.is_err());
    operator.record_plugins(&[pending]).await.unwrap();
    let records = operator.plugin_records().await.unwrap();
    assert_eq!(records.packages[0].approved_at, None);
    let (known, new) = operator.approve_plugin(&plugin, "2.0.0").await.unwrap();
    assert_eq!((known.approved_at, new), (Some(world.now()), true));
    let (again, new) = operator.approve_plugin(&plugin, "2.0.0").await.unwrap();
    assert_eq!((again, new), (known, false));
}

async fn a_plugin_goes_to_another_publisher_only_by_the_operator(world: World) {
    let operator = world.store.operator();
    let theirs = package("2.0.0", b"component", &json!({}), "com.other");
    operator
        .record_plugins(&[package("1.0.0", b"component", &json!({}), "com.acme")])
        .await
        .unwrap();
    let note = || operator.record_plugins(std::slice::from_ref(&theirs));
    assert_eq!(note().await.unwrap().len(), 1);
    let (owner, new) = operator
        .transfer_plugin(&theirs.content.plugin, "com.other")
        .await
        .unwrap();
    assert_eq!((owner.publisher.as_str(), new), ("com.other", true));
    assert_eq!(note().await.unwrap(), []);
}

macro_rules! before_versions {
    ($engine:literal: $($version:literal $file:literal,)*) => {
        Migrator::with_migrations(vec![$({
            let sql = include_str!(concat!("../../../../migrations/", $engine, "/", $file, ".sql"));
            let name = $file.split_once('_').unwrap().1;
            Migration::new($version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
        }),*])
    };
    ($engine:literal) => {
        before_versions!($engine:
            1 "0001_foundation",
            2 "0002_standing",
            3 "0003_money",
            4 "0004_usage",
            5 "0005_access",
            6 "0006_connections",
            7 "0007_dossier_specifications",
            9 "0009_ended_jobs",
            10 "0010_key_addresses",
            11 "0011_chains_and_reconciliation",
            12 "0012_brands",
            13 "0013_reviewed_guidelines",
        )
    };
}

async fn what_an_earlier_gtm_knew_is_kept(mut world: World) {
    let sqlite = before_versions!("sqlite");
    let postgres = before_versions!("postgres");
    let _old = old_database(&mut world, sqlite, postgres).await;
    let time = |minute: u8| {
        let text = format!("2026-10-31T10:{minute:02}:00Z");
        let at: gtm_domain::Timestamp = text.parse().unwrap();
        if world.is_postgres() {
            format!("'{text}'")
        } else {
            at.micros().to_string()
        }
    };
    let digest = |text: &str| Digest::of(text.as_bytes());
    let manifest = |publisher: Option<&str>| match publisher {
        Some(publisher) => json!({"b": 1, "publisher": publisher, "a": [1.5, "é"]}),
        None => json!({"a": 1}),
    };
    let rows = [
        ("one", "web-fetch", "0.1.0", Some("com.acme"), (0, 9)),
        ("two", "web-fetch", "0.2.0", Some("com.acme"), (5, 9)),
        // During development, one version has several components.
        ("old", "playbook", "0.1.0", Some("com.first"), (0, 3)),
        ("new", "playbook", "0.1.0", Some("com.second"), (2, 9)),
        ("bare", "silent", "0.1.0", None, (0, 9)),
    ];
    for (component, key, version, publisher, (first, last)) in rows {
        let sql = format!(
            "INSERT INTO plugins (digest, kind, key, version, manifest, first_seen_at, last_seen_at) VALUES \
             ('{}', 'connector', '{key}', '{version}', '{}', {}, {})",
            digest(component),
            manifest(publisher),
            time(first),
            time(last)
        );
        world.raw(&sql).await.unwrap();
    }
    let keys = KeyRing::from_dir(world.dir.path()).unwrap();
    world.store = Store::connect(&world.config, keys, world.clock.clone())
        .await
        .unwrap();
    let records = world.store.operator().plugin_records().await.unwrap();
    let known: Vec<_> = records
        .packages
        .iter()
        .map(|known| {
            assert!(known.approved_at.is_some(), "all of them were in use");
            let digest = gtm_domain::canonical_digest(&known.content.manifest).unwrap();
            assert_eq!(known.content.manifest_digest, digest);
            let content = &known.content;
            let key = content.plugin.key.as_str();
            (key, content.version.as_str(), content.component_digest)
        })
        .collect();
    assert_eq!(
        known,
        [
            ("playbook", "0.1.0", Some(digest("new"))),
            ("silent", "0.1.0", Some(digest("bare"))),
            ("web-fetch", "0.1.0", Some(digest("one"))),
            ("web-fetch", "0.2.0", Some(digest("two"))),
        ]
    );
    let publishers: Vec<_> = records
        .publishers
        .iter()
        .map(|known| (known.plugin.key.as_str(), known.publisher.as_str()))
        .collect();
    assert_eq!(
        publishers,
        [("playbook", "com.second"), ("web-fetch", "com.acme")]
    );
    let left = "SELECT COUNT(*) FROM plugins_by_component";
    assert_eq!(
        world.number(left).await,
        1,
        "the component that was replaced"
    );
    let stored = "SELECT COUNT(*) FROM plugins WHERE manifest_digest IS NULL";
    assert_eq!(world.number(stored).await, 0);
}
