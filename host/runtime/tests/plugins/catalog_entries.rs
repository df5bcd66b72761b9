//! Catalog entries without a component, what the host says about connectors, and when the catalog's version
//! changes.

use std::fs;
use std::path::{Path, PathBuf};

use gtm_domain::Digest;
use gtm_runtime::manifest::{Confidence, parse_manifest};
use gtm_runtime::{
    Availability, ConnectorCatalog, Manifest, PluginKind, Runtime, RuntimeConfig, VerificationMode,
};
use serde_json::{Value, json};

use crate::fixtures::{NOW, catalog_dir, config, start};
use crate::workshop::Workshop;

/// The manifests of `connectors/catalog`, completed as the build completes them.
fn shipped() -> Vec<(PathBuf, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../connectors/catalog");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            manifest["provenance"]["repository"] = json!("https://git.example/gtm");
            manifest["provenance"]["commit"] = json!("0".repeat(40));
            (path, manifest)
        })
        .collect()
}

fn entry(key: &str) -> Value {
    let found = shipped().into_iter().find(|(_, m)| m["key"] == key);
    found.unwrap().1
}

fn write(root: &Path, manifest: &Value) -> PathBuf {
    let [key, version] =
        ["key", "manifest_version"].map(|member| manifest[member].as_str().unwrap());
    let folder = root.join("connector").join(key).join(version);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
    folder
}

/// A connector that runs: a copy of a fixture.
fn copy_fixture(root: &Path, change: impl FnOnce(&mut Value)) -> Digest {
    let from = catalog_dir().join("connector/misbehaving-connector/0.1.0");
    let mut manifest: Value =
        serde_json::from_slice(&fs::read(from.join("manifest.json")).unwrap()).unwrap();
    change(&mut manifest);
    let to = write(root, &manifest);
    fs::copy(from.join("component.wasm"), to.join("component.wasm")).unwrap();
    manifest["component"]["digest"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap()
}

fn unsigned(roots: &[&Path]) -> RuntimeConfig {
    let mut config = config(roots.iter().map(|root| root.to_path_buf()).collect());
    config.allow_unsigned = true;
    config
}

async fn load(roots: &[&Path]) -> Runtime {
    start(unsigned(roots)).await
}

async fn listing(roots: &[&Path]) -> ConnectorCatalog {
    load(roots).await.catalog().connector_catalog(NOW)
}

#[test]
fn the_shipped_entries_are_sound_and_say_how_they_are_known() {
    let shipped = shipped();
    assert!(shipped.len() >= 20, "{}", shipped.len());
    for (path, manifest) in shipped {
        let at = path.display();
        let (manifest, _): (Manifest, _) = parse_manifest(manifest.to_string().as_bytes())
            .unwrap_or_else(|error| panic!("{at}: {error}"));
        assert_eq!(
            path.file_stem().unwrap().to_str(),
            Some(manifest.key.as_str())
        );
        assert!(
            manifest.component.is_none() && manifest.operations.is_empty(),
            "{at}"
        );
        assert!(
            !manifest.facts.is_empty(),
            "{at} says nothing of where its facts are from"
        );
        for fact in &manifest.facts {
            assert!(
                fact.confidence != Confidence::Unconfirmed,
                "{at}: {}",
                fact.claim
            );
        }
        for field in &manifest.credential_fields {
            assert!(field.secret && field.required, "{at}: {}", field.key);
        }
    }
}

#[tokio::test]
async fn an_entry_is_listed_and_nothing_more() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &entry("tavily"));
    let runtime = load(&[root.path()]).await;
    let catalog = runtime.catalog();
    assert!(catalog.refused().is_empty(), "{:?}", catalog.refused());
    assert!(catalog.plugins().is_empty());
    assert!(
        catalog
            .find(PluginKind::Connector, "tavily", None)
            .is_none()
    );
    let shown = catalog.connector_catalog(NOW).connectors;
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0].availability, Availability::CatalogOnly);
    assert_eq!(shown[0].verification_mode, VerificationMode::Unavailable);
    assert_eq!(shown[0].capabilities, ["web.search"]);
    let members: Vec<String> = serde_json::to_value(&shown[0])
        .unwrap()
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    let mut specified = [
        "manifest_version",
        "key",
        "name",
        "category",
        "declared_integration_kinds",
        "availability",
        "verification_mode",
        "homepage_url",
        "docs_url",
        "key_acquisition_url",
        "capabilities",
        "credential_fields",
        "provenance",
    ];
    specified.sort_unstable();
    let mut members: Vec<&str> = members.iter().map(String::as_str).collect();
    members.sort_unstable();
    assert_eq!(members, specified);
}

#[tokio::test]
async fn a_manifest_without_a_component_cannot_claim_what_only_one_has() {
    let running: Value = serde_json::from_slice(
        &fs::read(catalog_dir().join("connector/misbehaving-connector/0.1.0/manifest.json"))
            .unwrap(),
    )
    .unwrap();
    for member in ["operations", "limits"] {
        let root = tempfile::tempdir().unwrap();
        let mut manifest = entry("tavily");
        manifest[member] = running[member].clone();
        write(root.path(), &manifest);
        let runtime = load(&[root.path()]).await;
        assert_eq!(
            runtime.catalog().refused()[0].code,
            "manifest_schema",
            "{member}"
        );
        assert!(runtime.catalog().connector("tavily", None).is_none());
    }
    let root = tempfile::tempdir().unwrap();
    let mut manifest = entry("tavily");
    manifest["kind"] = json!("evaluator");
    let folder = root.path().join("evaluator/tavily/0.1.0");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
    assert_eq!(
        load(&[root.path()]).await.catalog().refused()[0].code,
        "manifest_schema"
    );
}

#[tokio::test]
async fn an_unsigned_entry_is_refused_like_any_package() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &entry("tavily"));
    let runtime = start(config(vec![root.path().to_path_buf()])).await;
    assert_eq!(runtime.catalog().refused()[0].code, "signature_missing");
    assert!(runtime.catalog().listed().is_empty());
}

#[tokio::test]
async fn the_version_changes_with_the_content_and_with_nothing_else() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for key in ["tavily", "hubspot"] {
        write(one.path(), &entry(key));
    }
    copy_fixture(two.path(), |_| {});
    let roots = [one.path(), two.path()];
    let first = listing(&roots).await;
    assert_eq!(first, listing(&roots).await, "loading again");
    assert_eq!(
        first,
        listing(&[two.path(), one.path()]).await,
        "another order"
    );
    let tavily = one.path().join("connector/tavily/0.1.0/manifest.json");
    fs::write(&tavily, format!("{:#}", entry("tavily"))).unwrap();
    assert_eq!(
        first,
        listing(&roots).await,
        "another layout of the same JSON"
    );
    let keys: Vec<&str> = first.connectors.iter().map(|c| c.key.as_str()).collect();
    assert!(keys.is_sorted() && keys.len() == 3, "{keys:?}");

    // For any two readings, the versions are equal exactly if everything else is.
    let mut seen = vec![first];
    let mut manifest = entry("tavily");
    manifest["facts"][0]["claim"] = json!("Something else.");
    write(one.path(), &manifest);
    seen.push(listing(&roots).await);
    assert_eq!(seen[0], seen[1], "a fact that is not shown");
    copy_fixture(two.path(), |m| m["manifest_version"] = json!("0.0.9"));
    seen.push(listing(&roots).await);
    assert_eq!(seen[0], seen[2], "a lower version behind the one shown");
    seen.push(listing(&[one.path()]).await);
    manifest["name"] = json!("Tavily Search");
    write(one.path(), &manifest);
    seen.push(listing(&roots).await);
    let mut blocked = unsigned(&roots);
    blocked.blocked_digests = vec![copy_fixture(two.path(), |_| {})];
    seen.push(start(blocked).await.catalog().connector_catalog(NOW));
    copy_fixture(two.path(), |m| {
        m["manifest_version"] = json!("0.2.0");
        m["stage"] = json!("deprecated");
        m["sunset_at"] = json!("2026-12-24");
    });
    let deprecated = load(&roots).await;
    for day in ["2026-12-23", "2026-12-24", "2026-12-25", "2027-01-01"] {
        let now = format!("{day}T23:59:59.999Z").parse().unwrap();
        seen.push(deprecated.catalog().connector_catalog(now));
    }
    for a in &seen {
        for b in &seen {
            assert_eq!(
                a.catalog_version == b.catalog_version,
                a.connectors == b.connectors,
                "{a:?} {b:?}"
            );
        }
    }
    let [.., before, last_day, after, later] = seen.as_slice() else {
        panic!("four days were read")
    };
    assert_eq!((before, after), (last_day, later));
    assert_ne!(last_day, after, "the day after the last one");
}

#[tokio::test]
async fn the_host_says_whether_a_connector_can_be_used() {
    type Change = fn(&mut Value);
    let cases: [(Change, Availability, VerificationMode); 4] = [
        (
            // Its author calls it stable, but no trusted publisher signed it.
            |m| m["stage"] = json!("ga"),
            Availability::Preview,
            VerificationMode::Unavailable,
        ),
        (
            |m| {
                m["stage"] = json!("deprecated");
                m["sunset_at"] = json!("2999-01-01");
            },
            Availability::Deprecated,
            VerificationMode::Unavailable,
        ),
        (
            |m| {
                m["stage"] = json!("deprecated");
                m["sunset_at"] = json!("1999-01-01");
            },
            Availability::Retired,
            VerificationMode::Unavailable,
        ),
        (
            |m| {
                m["credential_fields"] = json!([{ "key": "k", "label": "k", "description": "k",
                    "environment_aliases": [], "required": true, "secret": true }]);
            },
            Availability::Preview,
            VerificationMode::Format,
        ),
    ];
    for (change, availability, mode) in cases {
        let root = tempfile::tempdir().unwrap();
        copy_fixture(root.path(), |manifest| {
            manifest["credential_fields"] = json!([]);
            manifest["auth"] = json!({ "schemes": [{ "type": "none" }] });
            manifest.as_object_mut().unwrap().remove("verification");
            change(manifest);
        });
        let runtime = load(&[root.path()]).await;
        assert!(
            runtime.catalog().refused().is_empty(),
            "{:?}",
            runtime.catalog().refused()
        );
        let shown = &runtime.catalog().connector_catalog(NOW).connectors[0];
        assert_eq!(
            (shown.availability, shown.verification_mode),
            (availability, mode)
        );
    }
}

#[tokio::test]
async fn what_runs_is_shown_before_what_does_not() {
    let root = tempfile::tempdir().unwrap();
    let digest = copy_fixture(root.path(), |_| {});
    let mut newer = entry("tavily");
    newer["key"] = json!("misbehaving-connector");
    newer["credential_fields"][0]["environment_aliases"] = json!([]);
    newer["manifest_version"] = json!("7.0.0");
    // It asks for no more than the running version; otherwise it would wait for consent.
    newer["egress"] = json!([{ "host": "api.fixture.example" }]);
    newer["auth"] = json!({ "schemes": [{ "type": "none" }] });
    newer["credential_fields"] = json!([]);
    newer["publisher"] = json!("dev.gtm.fixtures");
    write(root.path(), &newer);
    let shown = listing(&[root.path()]).await.connectors;
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0].manifest_version, "0.1.0");
    let mut config = unsigned(&[root.path()]);
    config.blocked_digests = vec![digest];
    let runtime = start(config).await;
    let catalog = runtime.catalog();
    assert!(catalog.plugins().is_empty());
    let versions = ["0.1.0", "7.0.0"].map(|version| {
        let connector = catalog
            .connector("misbehaving-connector", Some(version))
            .unwrap();
        (connector.availability(NOW), connector.verification_mode())
    });
    assert_eq!(
        versions,
        [
            (Availability::Blocked, VerificationMode::Unavailable),
            (Availability::CatalogOnly, VerificationMode::Unavailable)
        ]
    );
}

#[tokio::test]
async fn a_link_to_a_package_is_told_and_not_followed() {
    let workshop = Workshop::connector();
    let outside = workshop.root.path().join(".outside");
    fs::rename(&workshop.package, &outside).unwrap();
    std::os::unix::fs::symlink(&outside, &workshop.package).unwrap();
    let runtime = workshop.start().await;
    let refused = runtime.catalog().refused();
    assert_eq!(refused.len(), 1, "{refused:#?}");
    assert_eq!(refused[0].code, "not_a_package");
    assert!(refused[0].reason.contains("symbolic link"));
    assert!(runtime.catalog().plugins().is_empty());
}
