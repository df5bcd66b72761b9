//! The fixture catalog and a runtime that uses it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use gtm_domain::Timestamp;
use gtm_domain::clock::ManualClock;
use gtm_runtime::egress::{EgressPolicy, PrivateHost};
use gtm_runtime::{
    CallLabels, CatalogRecords, ConnectorCall, ConnectorOutcome, Credentials, HostLimits, Plugin,
    PluginKind, PluginPattern, Runtime, RuntimeConfig, TrustedPublisher,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

const HOW: &str = "run `cargo xtask plugins --fixtures` first";

fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"))
}

/// Where the packaged fixtures are.
pub fn catalog_dir() -> PathBuf {
    let dir = std::env::var_os("GTM_TEST_FIXTURE_CATALOG")
        .map(PathBuf::from)
        .unwrap_or_else(|| target_dir().join("fixture-catalog"));
    assert!(
        dir.is_dir(),
        "there is no fixture catalog at {}: {HOW}",
        dir.display()
    );
    dir
}

/// The publisher that signed them.
pub fn publisher() -> TrustedPublisher {
    let path = std::env::var_os("GTM_TEST_PUBLISHER_KEY")
        .map(PathBuf::from)
        .unwrap_or_else(|| target_dir().join("dev-publisher/public-key"));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("cannot read {}: {e}: {HOW}", path.display()));
    let raw = base64::engine::general_purpose::STANDARD
        .decode(text.trim())
        .unwrap();
    let hex = gtm_domain::Digest::of(&raw).to_hex();
    TrustedPublisher {
        id: format!("dev-{}", &hex[..8]),
        publisher: "dev.gtm.fixtures".into(),
        public_key: raw.try_into().unwrap(),
        keys: everything(),
        not_before: None,
        not_after: None,
    }
}

pub fn everything() -> Vec<PluginPattern> {
    let of_kind = |kind: PluginKind| format!("{kind}/*").parse().unwrap();
    PluginKind::ALL.map(of_kind).into()
}

/// The time on the tests' clock.
pub const NOW: Timestamp = Timestamp::from_millis(1_767_225_600_000);

/// A configuration with these catalog directories, allowed to reach loopback.
pub fn config(catalog_dirs: Vec<PathBuf>) -> RuntimeConfig {
    RuntimeConfig {
        catalog_dirs,
        cache_dir: Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile-cache"),
        cache_key: [42; 32],
        trusted_publishers: vec![publisher()],
        allow_unsigned: false,
        egress: EgressPolicy {
            private_hosts: vec![PrivateHost {
                host: "127.0.0.1".into(),
                port: None,
                connectors: ["http-probe".into(), "greedy-connector".into()].into(),
                open_web: false,
            }],
            retry_base: Duration::from_millis(5),
            ..EgressPolicy::default()
        },
        limits: HostLimits {
            pool_size: 8,
            ..HostLimits::default()
        },
        records: CatalogRecords::default(),
        allow_changed_packages: false,
        blocked_digests: Vec::new(),
        compile_command: None,
    }
}

/// A runtime with this configuration.
pub async fn start(config: RuntimeConfig) -> Runtime {
    Runtime::start(config, Arc::new(ManualClock::at(NOW)))
        .await
        .unwrap()
}

/// A runtime on the fixture catalog.
pub async fn runtime() -> Runtime {
    let runtime = start(config(vec![catalog_dir()])).await;
    assert!(
        runtime.catalog().refused().is_empty(),
        "{:#?}",
        runtime.catalog().refused()
    );
    runtime
}

/// A fixture by kind and key.
pub fn plugin(runtime: &Runtime, kind: PluginKind, key: &str) -> Arc<Plugin> {
    runtime
        .catalog()
        .find(kind, key, None)
        .unwrap_or_else(|| panic!("no fixture {key}: {HOW}"))
}

/// A call of a fixture connector, which the test may still change.
pub fn connector_call(
    runtime: &Runtime,
    key: &str,
    operation: &str,
    input: Value,
) -> ConnectorCall {
    ConnectorCall {
        plugin: plugin(runtime, PluginKind::Connector, key),
        operation: operation.into(),
        input,
        settings: Value::Null,
        credentials: Credentials::new(),
        connection: None,
        repeated_gets: None,
        idempotency_key: None,
        deadline: Duration::from_secs(30),
        cancel: CancellationToken::new(),
        span_fields: CallLabels::default(),
    }
}

/// Has the misbehaving connector do something.
pub async fn misbehave(runtime: &Runtime, fault: &str, amount: u64) -> ConnectorOutcome {
    let input = json!({ "fault": fault, "amount": amount });
    runtime
        .call_connector(connector_call(
            runtime,
            "misbehaving-connector",
            "fault",
            input,
        ))
        .await
}
