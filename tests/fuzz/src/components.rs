//! Random components, taken through everything that happens to a plug-in: compiled in a child process,
//! linked to its world, called under limits. Whatever they do, this process survives and each call ends.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gtm_domain::clock::ManualClock;
use gtm_domain::{Digest, Timestamp};
use gtm_runtime::catalog::imports::imports_of;
use gtm_runtime::egress::EgressPolicy;
use gtm_runtime::{CallLabels, CatalogRecords, EvaluateCall, HostLimits, Runtime, RuntimeConfig};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// Time limit of one call.
const WALL: Duration = Duration::from_millis(500);
/// If a call takes longer, the host hangs; no load on the machine explains that much.
const HANG: Duration = Duration::from_secs(60);

/// Loads every `*.wasm` of a folder as an evaluator, and calls each one that loads twice. Returns a
/// summary.
///
/// # Panics
/// If a call does not end, or if a component is neither loaded nor refused.
#[must_use]
pub fn load_and_call(folder: &Path) -> String {
    let catalog = tempfile::tempdir().expect("a folder can be made");
    let components = package(folder, catalog.path());
    let asynchronous = tokio::runtime::Runtime::new().expect("a runtime starts");
    let told = asynchronous.block_on(async {
        let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_767_225_600_000)));
        let runtime = Runtime::start(config(catalog.path()), clock)
            .await
            .expect("a runtime starts");
        let loaded = runtime.catalog().plugins().len();
        let refused = runtime.catalog().refused();
        assert_eq!(loaded + refused.len(), components, "each is judged");
        let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
        for package in refused {
            *codes.entry(package.code).or_default() += 1;
            eprintln!("{}: {}", package.code, package.reason);
        }
        let (mut calls, mut answers) = (0, 0);
        let plugins: Vec<_> = runtime.catalog().plugins().to_vec();
        for plugin in plugins {
            for input in [json!({}), json!({"text": "x".repeat(5000)})] {
                let call = EvaluateCall {
                    plugin: Arc::clone(&plugin),
                    input,
                    deadline: WALL,
                    cancel: CancellationToken::new(),
                    span_fields: CallLabels::default(),
                };
                let outcome = tokio::time::timeout(HANG, runtime.evaluate(call))
                    .await
                    .unwrap_or_else(|_| panic!("a call of {} does not end", plugin.key));
                calls += 1;
                answers += u32::from(outcome.result.is_ok());
            }
        }
        format!(
            "components: {components} made, {loaded} loaded, {calls} calls, {answers} answers, refused: {codes:?}"
        )
    });
    asynchronous.shutdown_background();
    told
}

fn config(catalog: &Path) -> RuntimeConfig {
    let this = std::env::current_exe().expect("this program has a path");
    RuntimeConfig {
        catalog_dirs: vec![catalog.join("packages")],
        cache_dir: catalog.join("cache"),
        cache_key: [42; 32],
        trusted_publishers: Vec::new(),
        allow_unsigned: true,
        egress: EgressPolicy::default(),
        limits: HostLimits {
            pool_size: 4,
            memory_bytes: 32 << 20,
            cpu: Duration::from_millis(400),
            compile_time: Duration::from_secs(60),
            ..HostLimits::default()
        },
        records: CatalogRecords::default(),
        allow_changed_packages: true,
        blocked_digests: Vec::new(),
        compile_command: Some(vec![this.into(), "compile".into()]),
    }
}

/// Writes a package for each component. Returns their number.
fn package(folder: &Path, catalog: &Path) -> usize {
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder can be read")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "wasm")
        })
        .collect();
    files.sort();
    for (number, file) in files.iter().enumerate() {
        let bytes = fs::read(file).expect("the component can be read");
        let key = format!("chance-{number}");
        let place = catalog.join("packages/evaluator").join(&key).join("0.1.0");
        fs::create_dir_all(&place).expect("a folder can be made");
        fs::write(place.join("component.wasm"), &bytes).expect("it can be written");
        let manifest = manifest(&key, &bytes).to_string();
        fs::write(place.join("manifest.json"), manifest).expect("it can be written");
    }
    files.len()
}

fn manifest(key: &str, component: &[u8]) -> Value {
    json!({
        "schema_version": "1",
        "kind": "evaluator",
        "key": key,
        "publisher": "dev.gtm.fuzz",
        "manifest_version": "0.1.0",
        "name": "Chance",
        "description": "A component made by chance.",
        "category": "other",
        "declared_integration_kinds": ["wasm_component"],
        "capabilities": ["test.evaluate"],
        "stage": "preview",
        "license": "Apache-2.0",
        "egress": [],
        "auth": { "schemes": [{ "type": "none" }] },
        "credential_fields": [],
        "component": {
            "path": "component.wasm",
            "digest": Digest::of(component),
            "size_bytes": component.len(),
            "world": "gtm:plugin/evaluator@0.1.0",
            "host_imports": imports_of(component).unwrap_or_default(),
        },
        "limits": {
            "memory_bytes": 33_554_432, "wall_ms": 500, "cpu_ms": 400,
            "egress_requests": 0, "egress_bytes_out": 0, "egress_bytes_in": 0,
        },
        "operations": [{
            "id": "evaluate",
            "capability": "test.evaluate",
            "input_schema": { "type": "object" },
            "output_schema": true,
            "side_effect": "read",
        }],
        "provenance": { "repository": null, "commit": null, "source_paths": ["fuzz/components"] },
    })
}
