//! Attacks of a determined publisher: packages under other keys and names, versions that may do more, and
//! schemas and answers that cost more than they show.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use gtm_domain::Failure;
use gtm_runtime::{
    BackendCall, BackendHost, CallLabels, CapabilityCall, CatalogRecords, HostAbort, ListedOnly,
    PluginError, PluginKind, Runtime, RuntimeConfig, StageStatus, TrustedPublisher,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::fixtures::{NOW, plugin, start};
use crate::workshop::Workshop;

const KEY: &str = "misbehaving-connector";

/// The refusal code of each refused version.
fn codes(runtime: &Runtime) -> Vec<(&str, &'static str)> {
    let refused = runtime.catalog().refused().iter();
    refused
        .map(|package| (package.version.as_deref().unwrap(), package.code))
        .collect()
}

fn loaded(runtime: &Runtime) -> Vec<String> {
    let plugins = runtime.catalog().plugins().iter();
    plugins.map(|p| p.version.to_string()).collect()
}

/// What a host would remember after starting with this configuration.
fn remembered(runtime: &Runtime) -> CatalogRecords {
    let sightings = runtime.catalog().sightings();
    CatalogRecords {
        publishers: sightings
            .iter()
            .filter_map(|s| {
                Some((
                    (s.package.kind, s.package.key.clone()),
                    s.publisher.clone()?,
                ))
            })
            .collect(),
        packages: sightings.into_iter().map(|s| s.package).collect(),
    }
}

/// A second version in the workshop's catalog, signed with its key.
fn version(workshop: &Workshop, version: &str, change: impl FnOnce(&mut Value)) -> PathBuf {
    let place = workshop.package.with_file_name(version);
    fs::create_dir_all(&place).unwrap();
    let component = workshop.package.join("component.wasm");
    fs::copy(component, place.join("component.wasm")).unwrap();
    let mut manifest = workshop.manifest();
    manifest["manifest_version"] = json!(version);
    change(&mut manifest);
    workshop.sign_in(&place, &manifest);
    place
}

#[tokio::test]
async fn a_key_signs_only_what_the_operator_gave_it() {
    let workshop = Workshop::connector();
    workshop.change(|_| {});
    let as_trusted = |change: fn(&mut TrustedPublisher)| {
        let mut config = workshop.config();
        config.trusted_publishers.iter_mut().for_each(change);
        start(config)
    };
    for (change, code) in [
        (
            (|p| p.keys = vec!["connector/acme-*".parse().unwrap()]) as fn(&mut TrustedPublisher),
            "plugin_not_granted",
        ),
        (
            |p| p.keys = vec!["evaluator/*".parse().unwrap()],
            "plugin_not_granted",
        ),
        (|p| p.publisher = "com.acme".into(), "publisher_differs"),
    ] {
        assert_eq!(codes(&as_trusted(change).await), [("0.1.0", code)]);
    }
    let exact = as_trusted(|p| p.keys = vec![format!("connector/{KEY}").parse().unwrap()]).await;
    assert_eq!(loaded(&exact), ["0.1.0"]);
}

#[tokio::test]
async fn a_plugin_stays_its_first_publishers() {
    let workshop = Workshop::connector();
    workshop.change(|_| {});
    version(&workshop, "9.9.9", |m| {
        m["publisher"] = json!("com.vendor-b")
    });
    let config = || {
        let mut config = workshop.config();
        let second = TrustedPublisher {
            publisher: "com.vendor-b".into(),
            ..config.trusted_publishers.last().unwrap().clone()
        };
        config.trusted_publishers.push(second);
        config
    };
    let both = start(config()).await;
    assert_eq!(
        codes(&both),
        [
            ("0.1.0", "contested_publisher"),
            ("9.9.9", "contested_publisher")
        ],
        "nobody was first"
    );
    for (owner, own, other) in [
        ("dev.gtm.fixtures", "0.1.0", "9.9.9"),
        ("com.vendor-b", "9.9.9", "0.1.0"),
    ] {
        let mut config = config();
        let plugin = (PluginKind::Connector, KEY.to_owned());
        config.records.publishers.insert(plugin, owner.into());
        let runtime = start(config).await;
        assert_eq!(codes(&runtime), [(other, "other_publisher")]);
        assert_eq!(loaded(&runtime), [own]);
    }
}

#[tokio::test]
async fn versions_and_plugins_may_share_a_component_and_stay_apart() {
    let workshop = Workshop::connector();
    workshop.change(|_| {});
    version(&workshop, "0.2.0", |_| {});
    let twin = workshop.root.path().join("connector/twin/0.1.0");
    fs::create_dir_all(&twin).unwrap();
    fs::copy(
        workshop.package.join("component.wasm"),
        twin.join("component.wasm"),
    )
    .unwrap();
    let mut manifest = workshop.manifest();
    manifest["key"] = json!("twin");
    workshop.sign_in(&twin, &manifest);
    let runtime = workshop.start().await;
    assert_eq!(loaded(&runtime).len(), 3, "{:?}", codes(&runtime));

    // Neither twin admits other bytes under a version that was seen.
    let records = remembered(&runtime);
    let mut bytes = fs::read(workshop.package.join("component.wasm")).unwrap();
    bytes.extend([0, 2, 1, b'x']);
    workshop.replace_component(&bytes);
    let again = |records: &CatalogRecords| {
        start(RuntimeConfig {
            records: records.clone(),
            ..workshop.config()
        })
    };
    let changed = again(&records).await;
    assert_eq!(codes(&changed), [("0.1.0", "known_digest_differs")]);
    assert_eq!(loaded(&changed).len(), 2);
}

#[tokio::test]
async fn a_manifest_does_not_widen_under_one_version() {
    let workshop = Workshop::connector();
    workshop.change(|_| {});
    let records = remembered(&workshop.start().await);
    workshop.change(|manifest| {
        let hosts = manifest["egress"].as_array_mut().unwrap();
        hosts.push(json!({ "host": "evil.example" }));
    });
    let config = RuntimeConfig {
        records,
        ..workshop.config()
    };
    let changed = start(config.clone()).await;
    assert_eq!(codes(&changed), [("0.1.0", "known_manifest_differs")]);
    let development = RuntimeConfig {
        allow_changed_packages: true,
        ..config
    };
    assert_eq!(loaded(&start(development).await), ["0.1.0"]);
}

#[tokio::test]
async fn a_version_that_may_do_more_waits_for_consent() {
    let workshop = Workshop::connector();
    workshop.change(|_| {});
    let mut records = remembered(&workshop.start().await);
    version(&workshop, "0.1.5", |_| {});
    version(&workshop, "0.2.0", |manifest| {
        let hosts = manifest["egress"].as_array_mut().unwrap();
        hosts.push(json!({ "host": "evil.example" }));
    });
    // As wide as the pending one. A version without consent must not be the reference.
    version(&workshop, "0.3.0", |manifest| {
        let hosts = manifest["egress"].as_array_mut().unwrap();
        hosts.push(json!({ "host": "evil.example" }));
    });
    for known in [CatalogRecords::default(), records.clone()] {
        let config = RuntimeConfig {
            records: known,
            ..workshop.config()
        };
        let runtime = start(config).await;
        let catalog = runtime.catalog();
        assert_eq!(loaded(&runtime), ["0.1.0", "0.1.5"]);
        let pending: Vec<_> = catalog
            .listed()
            .iter()
            .map(|entry| (entry.version.to_string(), entry.reason))
            .collect();
        assert_eq!(
            pending,
            [
                ("0.2.0".to_owned(), ListedOnly::Pending),
                ("0.3.0".to_owned(), ListedOnly::Pending)
            ]
        );
        // Nothing resolves to it, by any name.
        let kind = PluginKind::Connector;
        let newest = catalog.find(kind, KEY, None).unwrap();
        assert_eq!(newest.version.to_string(), "0.1.5");
        assert!(catalog.find(kind, KEY, Some("0.2.0")).is_none());
        assert!(catalog.connector(KEY, Some("0.2.0")).is_none());
        let shown = catalog.connector(KEY, None).unwrap();
        assert_eq!(shown.manifest.manifest_version.to_string(), "0.1.5");
        let public = catalog.connector_catalog(NOW).connectors;
        assert_eq!(public.len(), 1);
        assert_eq!(public[0].manifest_version, "0.1.5");
        records = remembered(&runtime);
    }
    // The next start decides the same; consent admits the version, and others no wider than it.
    let config = |records: &CatalogRecords| RuntimeConfig {
        records: records.clone(),
        ..workshop.config()
    };
    assert_eq!(loaded(&start(config(&records)).await), ["0.1.0", "0.1.5"]);
    for package in &mut records.packages {
        package.approved |= package.version == "0.2.0";
    }
    let approved = start(config(&records)).await;
    assert_eq!(loaded(&approved), ["0.1.0", "0.1.5", "0.2.0"]);
    version(&workshop, "0.2.1", |manifest| {
        let hosts = manifest["egress"].as_array_mut().unwrap();
        hosts.push(json!({ "host": "evil.example" }));
    });
    let next = start(config(&records)).await;
    assert_eq!(loaded(&next), ["0.1.0", "0.1.5", "0.2.0", "0.2.1"]);
}

/// `a0: allOf [a1, a1]`, `a1: allOf [a2, a2]`, …: `2^levels` schemas in a few lines.
fn laughs(levels: usize) -> Value {
    let mut definitions = serde_json::Map::new();
    for level in 0..levels {
        let next = json!({ "$ref": format!("#/$defs/a{}", level + 1) });
        definitions.insert(format!("a{level}"), json!({ "allOf": [next, next] }));
    }
    definitions.insert(format!("a{levels}"), json!({ "type": "object" }));
    json!({ "type": "object", "allOf": [{ "$ref": "#/$defs/a0" }], "$defs": definitions })
}

#[tokio::test]
async fn a_schema_that_laughs_is_refused_before_it_is_compiled() {
    for levels in [26, 44] {
        let workshop = Workshop::connector();
        workshop.change(|m| m["operations"][0]["input_schema"] = laughs(levels));
        assert_eq!(workshop.refusal().await, "schema_unusable", "{levels}");
        let workshop = Workshop::connector();
        workshop.change(|m| m["settings_schema"] = laughs(levels));
        assert_eq!(workshop.refusal().await, "schema_unusable", "{levels}");
    }
    for schema in [
        json!({ "properties": { "next": { "$ref": "#" } } }),
        json!({ "$dynamicRef": "#meta" }),
        json!({ "$id": "https://example.com/", "properties": { "a": { "$id": "b" } } }),
    ] {
        let workshop = Workshop::connector();
        workshop.change(|m| m["operations"][0]["output_schema"] = schema);
        assert_eq!(workshop.refusal().await, "schema_unusable");
    }
}

#[tokio::test]
async fn what_nobody_signed_is_not_looked_at() {
    let workshop = Workshop::connector();
    let mut manifest = workshop.manifest();
    manifest["settings_schema"] = laughs(44);
    manifest["unknown"] = json!(true);
    fs::write(workshop.package.join("manifest.json"), manifest.to_string()).unwrap();
    assert_eq!(workshop.refusal().await, "signature_invalid");
    fs::remove_file(workshop.package.join("manifest.sig")).unwrap();
    assert_eq!(workshop.refusal().await, "signature_missing");
}

struct Nobody;

#[async_trait]
impl BackendHost for Nobody {
    async fn invoke(
        &self,
        calls: Vec<CapabilityCall>,
    ) -> Result<Vec<Result<Value, Failure>>, HostAbort> {
        panic!("{calls:?}")
    }
    fn bound(&self, capability: &str) -> bool {
        capability == "web.fetch"
    }
    async fn stage(&self, _: &str, _: StageStatus) -> Result<(), HostAbort> {
        Ok(())
    }
    async fn report(&self, _: u8, _: Option<String>) -> Result<(), HostAbort> {
        Ok(())
    }
    fn canceled(&self) -> bool {
        false
    }
}

/// The echo backend, which answers `{"input": …}`, with this output schema for it.
async fn echoing(schema: Value, task: &str, input: Value) -> Result<Value, PluginError> {
    let workshop = Workshop::with("generation_backend", "echo-backend");
    workshop.change(|manifest| {
        manifest["limits"]["memory_bytes"] = json!(268_435_456);
        manifest["limits"]["cpu_ms"] = json!(30_000);
        manifest["limits"]["output_bytes"] = json!(8_388_608);
        manifest["operations"][0]["output_schema"] = schema;
    });
    let runtime = workshop.start().await;
    let call = BackendCall {
        plugin: plugin(&runtime, PluginKind::GenerationBackend, "echo-backend"),
        task: task.into(),
        input,
        settings: json!({}),
        started_at: NOW,
        seed: [0; 32],
        deadline: Duration::from_secs(60),
        cancel: CancellationToken::new(),
        span_fields: CallLabels::default(),
    };
    runtime.generate(call, Arc::new(Nobody)).await.result
}

fn ones(count: usize) -> Value {
    json!({ "items": vec![1; count] })
}

#[tokio::test]
async fn a_flood_of_violations_is_one_sentence() {
    let items = json!({ "type": "array", "items": { "type": "string" } });
    let wrong = json!({ "properties": { "input": { "properties": { "items": items } } } });
    let either = json!({ "anyOf": [wrong, { "required": ["absent"] }] });
    for schema in [wrong.clone(), either] {
        let error = echoing(schema, "echo", ones(150_000)).await.unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, PluginError::ContractViolation(_)), "{text}");
        assert!(text.len() < 300, "{text}");
    }
    // With few violations, each is reported.
    let error = echoing(wrong, "echo", ones(50)).await.unwrap_err();
    assert!(error.to_string().contains("and 17 more"), "{error}");
}

#[tokio::test]
async fn an_answer_of_more_values_than_the_host_holds_is_not_parsed() {
    let anything = json!({ "type": "object" });
    let error = echoing(anything.clone(), "echo", ones(1_000_000)).await;
    let error = error.unwrap_err();
    assert!(
        matches!(&error, PluginError::LimitExceeded { limit: "output", message } if message.contains("200000 values")),
        "{error}"
    );
    assert!(echoing(anything, "echo", ones(150_000)).await.is_ok());
}

#[tokio::test]
async fn what_a_backend_asks_holds_no_more_values_either() {
    let call =
        |count: usize| json!({ "capability": "web.fetch", "input": { "url": vec![1; count] } });
    let anything = json!({ "type": "object" });
    let many = json!({ "calls": [call(150_000), call(150_000)] });
    let answer = echoing(anything.clone(), "invoke", many).await.unwrap();
    assert_eq!(
        answer["answers"],
        json!([{ "failure": "invalid_input" }, { "failure": "input_too_large" }])
    );
}
