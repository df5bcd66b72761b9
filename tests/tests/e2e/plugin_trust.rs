//! A running host and its publishers: connections and bindings keep their plug-in version, whatever enters
//! the catalog; a publisher's key is valid only for the plug-ins granted to it; a version that may do more
//! waits for the operator.

use std::path::{Path, PathBuf};
use std::time::Duration;

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gtm_domain::canonical_json;
use gtm_e2e::Database;
use gtm_e2e::gtm_process::{Gtm, Options, catalog};
use gtm_e2e::tenant::Tenant;
use serde_json::{Value, json};

use crate::catalog::{copy, package};
use crate::{World, backend_settings, database, on_both_engines, request, sample_site};

on_both_engines!(
    what_is_pinned_stays_until_the_operator_moves_it,
    super::what_is_pinned_stays
);
on_both_engines!(
    a_foreign_version_replaces_nobodys_plugin,
    super::a_foreign_version
);

const FIRST_PARTY: &str = "dev.gtm.first-party";

/// A host whose catalog a test may change, and the keys of two publishers: a second key of the product's own
/// publisher, and one of a vendor who was granted `connector/vendor-b-*`.
struct Changing {
    world: World,
    catalog: tempfile::TempDir,
    own: Ed25519KeyPair,
    vendor: Ed25519KeyPair,
}

impl Changing {
    async fn start(kind: Database, test: &str) -> Option<Self> {
        let (database_url, guard) = database(kind, test)?;
        let site = sample_site().await;
        let [own, vendor] = [(), ()].map(|()| Ed25519KeyPair::generate().unwrap());
        let trusted = |id: &str, publisher: &str, key: &Ed25519KeyPair, keys: &str| {
            let public_key = STANDARD.encode(key.public_key().as_ref());
            format!(
                "[[trusted_publishers]]\nid = {id:?}\npublisher = {publisher:?}\n\
                 public_key = {public_key:?}\nkeys = {keys}\n"
            )
        };
        let everything = r#"["connector/*", "generation_backend/*"]"#;
        let mut gtm = Gtm::prepare(Options {
            database_url,
            private_hosts: vec![site.address.to_string()],
            extra_toml: trusted("own-2", FIRST_PARTY, &own, everything)
                + &trusted(
                    "vendor-b",
                    "com.vendor-b",
                    &vendor,
                    r#"["connector/vendor-b-*"]"#,
                ),
            ..Options::default()
        });
        let changing = tempfile::tempdir().unwrap();
        copy(&catalog(), changing.path());
        let config = gtm.dir.path().join("gtm.toml");
        let text = std::fs::read_to_string(&config).unwrap();
        let (shipped, own_catalog) = (catalog(), changing.path().to_str().unwrap().to_owned());
        std::fs::write(
            &config,
            text.replace(shipped.to_str().unwrap(), &own_catalog),
        )
        .unwrap();
        gtm.start();
        let tenant = Tenant::create(&gtm, "Acme");
        tenant.bind_backend(&gtm, "playbook", &backend_settings(&site));
        let client = tenant.client(&gtm);
        let world = World {
            gtm,
            tenant,
            site,
            client,
            _database: guard,
        };
        Some(Self {
            world,
            catalog: changing,
            own,
            vendor,
        })
    }

    /// Adds another version of a shipped plug-in.
    fn put(
        &self,
        (kind, key, version): (&str, &str, &str),
        (key_id, signer): (&str, &Ed25519KeyPair),
        change: impl FnOnce(&mut Value),
    ) {
        let from = package(&catalog(), kind, key);
        let place = self.catalog.path().join(kind).join(key).join(version);
        copy(&from, &place);
        let mut manifest: Value =
            serde_json::from_slice(&std::fs::read(from.join("manifest.json")).unwrap()).unwrap();
        manifest["manifest_version"] = json!(version);
        change(&mut manifest);
        let signature = signer.sign(&canonical_json(&manifest).unwrap());
        let signature = json!({ "alg": "ed25519", "key_id": key_id,
            "signature": STANDARD.encode(signature.as_ref()) });
        write(&place, "manifest.json", &manifest);
        write(&place, "manifest.sig", &signature);
    }

    fn restart(&mut self) {
        let world = &mut self.world;
        assert!(world.gtm.terminate(Duration::from_secs(20)));
        world.gtm.start();
        world.client = world.tenant.client(&world.gtm);
    }

    fn playbook_binding(&self) -> Value {
        let list = self.world.gtm.cli(&["binding", "list"]);
        let bindings = list["bindings"].as_array().unwrap();
        let found = bindings.iter().find(|row| row["capability"] == "playbooks");
        found.unwrap().clone()
    }

    /// The version of web-fetch that read the pages of a new playbook.
    async fn version_in_use(&self) -> String {
        let job = self.world.client.playbook(&request()).await;
        let connector = &job["result"]["sources"][0]["connector"];
        assert_eq!(connector["key"], "web-fetch", "{job}");
        connector["version"].as_str().unwrap().to_owned()
    }
}

fn write(place: &Path, name: &str, value: &Value) {
    let path: PathBuf = place.join(name);
    std::fs::write(path, value.to_string()).unwrap();
}

async fn what_is_pinned_stays(kind: Database, test: &str) {
    let Some(mut host) = Changing::start(kind, test).await else {
        return;
    };
    let connection = host.world.tenant.bind_web(&host.world.gtm);
    let shipped = host.version_in_use().await;
    let bound = host.playbook_binding();
    assert_eq!(bound["target"]["version"], json!(shipped), "{bound}");
    let own = |host: &Changing, plugin, change: fn(&mut Value)| {
        host.put(plugin, ("own-2", &host.own), change);
    };
    own(&host, ("connector", "web-fetch", "0.9.0"), |_| {});
    own(&host, ("generation_backend", "playbook", "0.9.0"), |_| {});
    own(&host, ("connector", "web-fetch", "0.9.1"), |manifest| {
        manifest["egress"] = json!([{ "host": "evil.example" }]);
    });
    host.restart();
    assert_eq!(host.version_in_use().await, shipped);
    let update = |host: &Changing, options: &[&str]| {
        let arguments = [&["connection", "update", &connection], options].concat();
        host.world.gtm.cli(&arguments)["manifest_version"].clone()
    };
    assert_eq!(update(&host, &["--name", "renamed"]), json!(shipped));
    assert_eq!(host.version_in_use().await, shipped);
    let tenant = &host.world.tenant;
    let settings = backend_settings(&host.world.site);
    tenant.bind_backend(&host.world.gtm, "playbook", &settings);
    assert_eq!(host.playbook_binding()["target"]["version"], json!(shipped));

    // The operator now updates explicitly.
    assert_eq!(update(&host, &["--newest-version"]), "0.9.0");
    assert_eq!(host.version_in_use().await, "0.9.0");
    let list = host.world.gtm.cli(&["plugin", "list"]);
    let listed = list["listed"].as_array().unwrap();
    let pending: Vec<_> = listed.iter().filter(|e| e["reason"] == "pending").collect();
    assert_eq!(pending.len(), 1, "{list}");
    assert_eq!(pending[0]["version"], "0.9.1");
    let approve = ["plugin", "approve", "connector/web-fetch", "0.9.1", "--yes"];
    let approved = host.world.gtm.cli(&approve);
    assert!(approved["differences"].to_string().contains("evil.example"));
    assert_eq!(update(&host, &["--name", "again"]), "0.9.0");
    assert_eq!(update(&host, &["--newest-version"]), "0.9.1");
    host.world.gtm.cli(&[
        "binding",
        "create",
        "--project",
        &host.world.tenant.project,
        "--capability",
        "playbooks",
        "--backend",
        "playbook",
        "--newest-version",
        "--settings-json",
        r#"{"max_pages":8,"allow_evidence_only":true}"#,
    ]);
    assert_eq!(host.playbook_binding()["target"]["version"], "0.9.0");
    host.restart();
    assert_eq!(host.version_in_use().await, "0.9.1");
}

async fn a_foreign_version(kind: Database, test: &str) {
    let Some(mut host) = Changing::start(kind, test).await else {
        return;
    };
    let connection = host.world.tenant.bind_web(&host.world.gtm);
    let plugin = ("connector", "web-fetch", "9.9.9");
    let vendor = |manifest: &mut Value| manifest["publisher"] = json!("com.vendor-b");
    let refusal = |host: &Changing| {
        let list = host.world.gtm.cli(&["plugin", "list"]);
        let refused = list["refused"].as_array().unwrap();
        let found = refused.iter().find(|package| package["version"] == "9.9.9");
        found.unwrap_or_else(|| panic!("{list}"))["code"].clone()
    };
    host.put(plugin, ("vendor-b", &host.vendor), |_| {});
    assert_eq!(refusal(&host), "publisher_differs");
    host.put(plugin, ("vendor-b", &host.vendor), vendor);
    assert_eq!(refusal(&host), "plugin_not_granted");
    // Even if the operator grants the vendor too much, the vendor cannot take over another publisher's
    // plug-in.
    let config = host.world.gtm.dir.path().join("gtm.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("connector/vendor-b-*", "connector/*")).unwrap();
    assert_eq!(refusal(&host), "other_publisher");
    host.restart();
    let update = ["connection", "update", &connection, "--newest-version"];
    let kept = host.world.gtm.cli(&update)["manifest_version"].clone();
    assert_ne!(kept, "9.9.9");
    assert_eq!(json!(host.version_in_use().await), kept);
    let log = host.world.gtm.log();
    assert!(log.contains("other_publisher"), "the host says so as well");
}
