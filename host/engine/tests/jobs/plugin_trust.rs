//! Whatever publishers put into a catalog, what a connection, a binding or a job is pinned to never changes
//! without an operator's act, and a plug-in is never allowed more than the operator consented to.
//!
//! Random sequences of acts by publishers and operators run against real packages, signatures, sandbox and
//! store. A model runs alongside; it represents consent as one number for each plug-in: how much memory its
//! versions may request.
//!
//! Needs the output of `cargo xtask plugins --fixtures`, like [`crate::sandboxed`].

mod acts;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gtm_domain::binding::{BindingScope, BindingTarget};
use gtm_domain::plugin::PluginKey;
use gtm_domain::{BindingId, Clock, ConnectionId, Digest, JobType, ProjectId, canonical_json};
use gtm_engine::catalog;
use gtm_engine::pins::Pins;
use gtm_engine::plan::Plan;
use gtm_engine::plugins::{BackendRunner as _, ConnectorCaller as _};
use gtm_runtime::egress::EgressPolicy;
use gtm_runtime::{
    Catalog, CatalogRecords, HostLimits, ListedOnly, PluginKind, Runtime, RuntimeConfig,
    TrustedPublisher,
};
use gtm_store::{ConnectionChange, NewConnection, ProjectScope, Store};
use proptest::prelude::*;
use serde_json::{Value, json};

use self::acts::{Act, acts};
use crate::harness::{Harness, TestClock};
use crate::sandboxed::catalogs;
use crate::scripted::{ScriptedConnectors, pages};

/// The plug-ins: one pinned by connections, and one pinned by a binding.
const PLUGINS: [(PluginKind, &str); 2] = [
    (PluginKind::Connector, "misbehaving-connector"),
    (PluginKind::GenerationBackend, "echo-backend"),
];
/// The key of another plug-in, for packages with the same component.
const TWIN: &str = "twin";
/// Two publishers that the operator trusts for both plug-ins, and one trusted only for others.
const PUBLISHERS: [&str; 3] = ["com.first", "com.second", "com.foreign"];
const MEMORY: u64 = 16 * 1024 * 1024;
const MEBIBYTE: u64 = 1024 * 1024;

/// The identity of a version's bytes.
type Bytes = (String, Digest, Digest);

/// What must hold after the acts so far.
#[derive(Default)]
struct Model {
    /// The owner of each plug-in.
    owners: BTreeMap<usize, &'static str>,
    /// The widest limits that the operator consented to.
    consent: BTreeMap<usize, u8>,
    connections: BTreeMap<ConnectionId, Bytes>,
    bindings: BTreeMap<BindingId, Bytes>,
    jobs: Vec<(Pins, Bytes, Option<Bytes>)>,
}

struct World {
    root: tempfile::TempDir,
    originals: [(Value, Vec<u8>); 2],
    keys: Vec<Ed25519KeyPair>,
    store: Store,
    clock: Arc<dyn Clock>,
    project: ProjectId,
    scope: ProjectScope,
    runtime: Runtime,
    model: Model,
    _harness: Harness,
}

impl World {
    async fn new(fixtures: &Path) -> Self {
        let harness = Harness::bare(ScriptedConnectors::new(pages())).await;
        let originals = PLUGINS.map(|(kind, key)| {
            let package = fixtures.join(kind.key()).join(key).join("0.1.0");
            let manifest = fs::read(package.join("manifest.json")).unwrap();
            let component = fs::read(package.join("component.wasm")).unwrap();
            (serde_json::from_slice(&manifest).unwrap(), component)
        });
        let root = tempfile::tempdir().unwrap();
        let keys: Vec<_> = PUBLISHERS
            .iter()
            .map(|_| Ed25519KeyPair::generate().unwrap())
            .collect();
        let clock: Arc<dyn Clock> = TestClock::real();
        let runtime = load(&keys, root.path(), &harness.store, &clock).await;
        Self {
            root,
            originals,
            keys,
            clock,
            project: harness.project,
            scope: harness.scope.clone(),
            store: harness.store.clone(),
            runtime,
            model: Model::default(),
            _harness: harness,
        }
    }

    fn place(&self, plugin: usize, key: &str, version: u8) -> PathBuf {
        let kind = PLUGINS[plugin].0.key();
        self.root
            .path()
            .join(kind)
            .join(key)
            .join(format!("{version}.0.0"))
    }

    fn add(
        &self,
        plugin: usize,
        version: u8,
        publisher: usize,
        wide: u8,
        component: u8,
        twin: bool,
    ) {
        let (original, code) = &self.originals[plugin];
        let key = if twin { TWIN } else { PLUGINS[plugin].1 };
        let mut code = code.clone();
        // A custom section, which changes only the bytes.
        code.extend([0, 2, 1, b'a' + component]);
        let mut manifest = original.clone();
        manifest["key"] = json!(key);
        manifest["publisher"] = json!(PUBLISHERS[publisher]);
        manifest["manifest_version"] = json!(format!("{version}.0.0"));
        manifest["limits"]["memory_bytes"] = json!(MEMORY + u64::from(wide) * MEBIBYTE);
        manifest["component"]["digest"] = json!(Digest::of(&code).to_string());
        manifest["component"]["size_bytes"] = json!(code.len());
        let signature = self.keys[publisher].sign(&canonical_json(&manifest).unwrap());
        let signature = json!({ "alg": "ed25519", "key_id": PUBLISHERS[publisher],
            "signature": STANDARD.encode(signature.as_ref()) });
        let place = self.place(plugin, key, version);
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("manifest.json"), manifest.to_string()).unwrap();
        fs::write(place.join("manifest.sig"), signature.to_string()).unwrap();
        fs::write(place.join("component.wasm"), code).unwrap();
    }

    async fn act(&mut self, act: Act) {
        let operator = self.store.operator();
        match act {
            Act::Add {
                plugin,
                version,
                publisher,
                wide,
                component,
                twin,
            } => self.add(plugin, version, publisher, wide, component, twin),
            Act::Remove { plugin, version } => {
                fs::remove_dir_all(self.place(plugin, PLUGINS[plugin].1, version)).ok();
            }
            Act::Restart => {
                self.runtime = load(&self.keys, self.root.path(), &self.store, &self.clock).await;
                self.observe();
            }
            Act::Approve { plugin, version } => {
                let (kind, key) = PLUGINS[plugin];
                let pending = self.runtime.catalog().listed().iter().find(|entry| {
                    entry.reason == ListedOnly::Pending
                        && (entry.kind, entry.key.as_str()) == (kind, key)
                        && entry.version.major == u64::from(version)
                });
                if let Some(entry) = pending {
                    let wide = wide_of(entry.manifest.limits.memory_bytes);
                    let consent = self.model.consent.entry(plugin).or_default();
                    *consent = wide.max(*consent);
                    let version = entry.version.to_string();
                    operator
                        .approve_plugin(&stored_key(plugin), &version)
                        .await
                        .unwrap();
                }
            }
            Act::Transfer { plugin, publisher } => {
                operator
                    .transfer_plugin(&stored_key(plugin), PUBLISHERS[publisher])
                    .await
                    .unwrap();
                self.model.owners.insert(plugin, PUBLISHERS[publisher]);
            }
            Act::Connect => {
                let Some(bytes) = newest(self.runtime.catalog(), 0) else {
                    return;
                };
                let new = NewConnection {
                    provider_key: PLUGINS[0].1.into(),
                    manifest_version: bytes.0.clone(),
                    name: "connection".into(),
                    settings: json!({}),
                    credentials: BTreeMap::new(),
                };
                let row = operator.create_connection(self.project, new).await.unwrap();
                operator
                    .set_binding(
                        BindingScope::Project(self.project),
                        "web.fetch",
                        BindingTarget::Connection { connection: row.id },
                        json!({}),
                    )
                    .await
                    .unwrap();
                self.model.connections.insert(row.id, bytes);
            }
            Act::MoveConnections => {
                let Some(bytes) = newest(self.runtime.catalog(), 0) else {
                    return;
                };
                for (id, pinned) in &mut self.model.connections {
                    let change = ConnectionChange {
                        manifest_version: Some(bytes.0.clone()),
                        ..ConnectionChange::default()
                    };
                    operator.update_connection(*id, change).await.unwrap();
                    *pinned = bytes.clone();
                }
            }
            Act::RenameConnections => {
                for id in self.model.connections.keys() {
                    let change = ConnectionChange {
                        name: Some("renamed".into()),
                        ..ConnectionChange::default()
                    };
                    operator.update_connection(*id, change).await.unwrap();
                }
            }
            Act::Bind => {
                let Some(bytes) = newest(self.runtime.catalog(), 1) else {
                    return;
                };
                let target = BindingTarget::Backend {
                    key: PLUGINS[1].1.into(),
                    version: Some(bytes.0.clone()),
                };
                let scope = BindingScope::Project(self.project);
                let row = operator
                    .set_binding(scope, "playbooks", target, json!({}))
                    .await
                    .unwrap();
                self.model.bindings.insert(row.id, bytes);
            }
            Act::CreateJob => self.create_job().await,
        }
    }

    /// Pins what a job created now would pin.
    async fn create_job(&mut self) {
        let bindings = self.store.resolve_bindings(&self.scope).await.unwrap();
        let pins = Pins::resolve(
            &Plan::written_by(JobType::Playbooks, None),
            &bindings,
            &self.runtime,
            &self.runtime,
            &self.runtime,
        );
        let Some(backend) = pins.writer().and_then(|p| p.identity()) else {
            return;
        };
        let connection = pins.connections.get("web.fetch").map(|pinned| {
            // A connection that nothing serves now is pinned without bytes and never runs.
            let digest = pinned.connector.digest?;
            let manifest = pinned.connector.manifest_digest?;
            Some((pinned.connector.version.clone()?, digest, manifest))
        });
        let backend = (
            backend.version,
            backend.digest,
            backend.manifest_digest.unwrap(),
        );
        // Jobs read their pins from the store.
        let pins = Pins::from_value(&pins.to_value().unwrap()).unwrap();
        self.model.jobs.push((pins, backend, connection.flatten()));
    }

    /// Records the owner of a plug-in at its first load, and the limits that the operator trusted the owner
    /// with.
    fn observe(&mut self) {
        for (index, (kind, key)) in PLUGINS.iter().enumerate() {
            let loaded = self.runtime.catalog().plugins().iter();
            let mut versions = loaded.filter(|p| (p.kind, p.key.as_str()) == (*kind, *key));
            let Some(first) = versions.next() else {
                continue;
            };
            let publisher = PUBLISHERS
                .into_iter()
                .find(|name| *name == first.manifest.publisher)
                .unwrap();
            self.model.owners.entry(index).or_insert(publisher);
            let wide = wide_of(first.manifest.limits.memory_bytes);
            self.model.consent.entry(index).or_insert(wide);
        }
    }

    async fn check(&self) -> Result<(), TestCaseError> {
        let catalog = self.runtime.catalog();
        let operator = self.store.operator();
        for (id, pinned) in &self.model.connections {
            let row = operator.show_connection(*id).await.unwrap().unwrap();
            prop_assert_eq!(&row.manifest_version, &pinned.0, "a connection was moved");
            same(catalog, 0, pinned)?;
        }
        for (id, pinned) in &self.model.bindings {
            let row = operator.show_binding(*id).await.unwrap().unwrap();
            let target = BindingTarget::Backend {
                key: PLUGINS[1].1.into(),
                version: Some(pinned.0.clone()),
            };
            prop_assert_eq!(row.target, target, "a binding was moved");
            same(catalog, 1, pinned)?;
        }
        for (pins, backend, connection) in &self.model.jobs {
            let identity = pins.writer().and_then(|p| p.identity()).unwrap();
            same(catalog, 1, backend)?;
            if let Some(found) = self.runtime.backend(&identity) {
                prop_assert_eq!(found.identity, identity, "a job got another backend");
            }
            let pinned = pins.connections.get("web.fetch");
            if let (Some(pinned), Some(bytes)) = (pinned, connection) {
                same(catalog, 0, bytes)?;
                let identity = pinned.connector.identity().unwrap();
                let found = self
                    .runtime
                    .find_connector(&identity.key, &identity.version);
                if self.runtime.operation(&identity, "test.fault").is_some() {
                    prop_assert_eq!(found, Some(identity), "a job got another connector");
                }
            }
        }
        for plugin in catalog.plugins() {
            let index = PLUGINS
                .iter()
                .position(|(kind, key)| (plugin.kind, plugin.key.as_str()) == (*kind, *key));
            prop_assert_ne!(plugin.manifest.publisher.as_str(), PUBLISHERS[2]);
            let Some(index) = index else { continue };
            let wide = wide_of(plugin.manifest.limits.memory_bytes);
            prop_assert!(
                wide <= self.model.consent[&index],
                "{:?} may do more than anybody consented to",
                plugin
            );
        }
        Ok(())
    }

    /// After a load, everything that runs belongs to its owner.
    fn check_owners(&self) -> Result<(), TestCaseError> {
        for plugin in self.runtime.catalog().plugins() {
            for (index, (kind, key)) in PLUGINS.iter().enumerate() {
                if (plugin.kind, plugin.key.as_str()) == (*kind, *key) {
                    prop_assert_eq!(
                        plugin.manifest.publisher.as_str(),
                        self.model.owners[&index],
                        "another publisher took {}",
                        key
                    );
                }
            }
        }
        Ok(())
    }
}

/// What the catalog offers under a pinned version is what was pinned.
fn same(catalog: &Catalog, plugin: usize, pinned: &Bytes) -> Result<(), TestCaseError> {
    let (kind, key) = PLUGINS[plugin];
    if let Some(found) = catalog.find(kind, key, Some(&pinned.0)) {
        let bytes = (pinned.0.clone(), found.digest, found.manifest_digest);
        prop_assert_eq!(&bytes, pinned, "a pinned version means other bytes");
    }
    Ok(())
}

/// What a new connection or binding would be pinned to.
fn newest(catalog: &Catalog, plugin: usize) -> Option<Bytes> {
    let (kind, key) = PLUGINS[plugin];
    let found = catalog.find(kind, key, None)?;
    Some((
        found.version.to_string(),
        found.digest,
        found.manifest_digest,
    ))
}

fn stored_key(plugin: usize) -> PluginKey {
    PluginKey {
        kind: PLUGINS[plugin].0.key().into(),
        key: PLUGINS[plugin].1.into(),
    }
}

fn wide_of(memory_bytes: u64) -> u8 {
    u8::try_from((memory_bytes - MEMORY) / MEBIBYTE).unwrap()
}

async fn load(
    keys: &[Ed25519KeyPair],
    root: &Path,
    store: &Store,
    clock: &Arc<dyn Clock>,
) -> Runtime {
    let trusted = PUBLISHERS.iter().zip(keys).map(|(publisher, key)| {
        let granted: &[&str] = match *publisher {
            "com.foreign" => &["connector/foreign-*"],
            _ => &["connector/*", "generation_backend/echo-*"],
        };
        TrustedPublisher {
            id: (*publisher).into(),
            publisher: (*publisher).into(),
            public_key: key.public_key().as_ref().try_into().unwrap(),
            keys: granted.iter().map(|text| text.parse().unwrap()).collect(),
            not_before: None,
            not_after: None,
        }
    });
    let config = RuntimeConfig {
        catalog_dirs: vec![root.into()],
        cache_dir: Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile-cache"),
        cache_key: [7; 32],
        trusted_publishers: trusted.collect(),
        allow_unsigned: false,
        egress: EgressPolicy::default(),
        limits: HostLimits {
            pool_size: 1,
            compile_time: Duration::from_secs(600),
            ..HostLimits::default()
        },
        records: CatalogRecords::default(),
        allow_changed_packages: false,
        blocked_digests: Vec::new(),
        compile_command: None,
    };
    catalog::start(config, &store.operator(), clock)
        .await
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_was_pinned_never_changes_without_an_operators_act(acts in acts()) {
        let Some(dirs) = catalogs() else { return Ok(()) };
        let host = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        host.block_on(async {
            let mut world = World::new(&dirs[1]).await;
            // There is something that can be attacked.
            for plugin in 0..PLUGINS.len() {
                world.add(plugin, 1, 0, 1, 0, false);
            }
            for act in [Act::Restart, Act::Connect, Act::Bind, Act::CreateJob].into_iter().chain(acts) {
                let loaded = matches!(act, Act::Restart);
                world.act(act).await;
                world.check().await?;
                if loaded {
                    world.check_owners()?;
                }
            }
            world.act(Act::Restart).await;
            world.check().await?;
            world.check_owners()
        })?;
    }
}
