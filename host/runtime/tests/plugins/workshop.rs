//! A catalog in which tests corrupt packages and sign them again.

use std::fs;
use std::path::{Path, PathBuf};

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use base64::Engine as _;
use gtm_domain::{Digest, canonical_json};
use gtm_runtime::{PluginKind, Runtime, RuntimeConfig, TrustedPublisher};
use serde_json::{Value, json};

use crate::fixtures::{catalog_dir, config, everything, start};

/// A catalog with a copy of one fixture that a test corrupts, and a key to sign it again.
pub struct Workshop {
    pub root: tempfile::TempDir,
    key: Ed25519KeyPair,
    pub package: PathBuf,
}

impl Workshop {
    pub fn with(kind: &str, key: &str) -> Self {
        let root = tempfile::tempdir().unwrap();
        let package = copy(kind, key, root.path());
        Self {
            root,
            key: Ed25519KeyPair::generate().unwrap(),
            package,
        }
    }
    pub fn connector() -> Self {
        Self::with("connector", "misbehaving-connector")
    }
    pub fn manifest(&self) -> Value {
        serde_json::from_slice(&fs::read(self.package.join("manifest.json")).unwrap()).unwrap()
    }
    /// Changes the manifest and signs it.
    pub fn change(&self, change: impl FnOnce(&mut Value)) {
        let mut manifest = self.manifest();
        change(&mut manifest);
        self.sign(&manifest);
    }
    pub fn sign(&self, manifest: &Value) {
        self.sign_in(&self.package, manifest);
    }
    /// Puts a signed manifest into this package.
    pub fn sign_in(&self, package: &Path, manifest: &Value) {
        fs::write(package.join("manifest.json"), manifest.to_string()).unwrap();
        let signature = self.key.sign(&canonical_json(manifest).unwrap());
        let signature = base64::engine::general_purpose::STANDARD.encode(signature.as_ref());
        let file = json!({ "alg": "ed25519", "key_id": "workshop", "signature": signature });
        fs::write(package.join("manifest.sig"), file.to_string()).unwrap();
    }
    /// Puts other bytes into the package, with a matching digest and size.
    pub fn replace_component(&self, bytes: &[u8]) {
        fs::write(self.package.join("component.wasm"), bytes).unwrap();
        self.change(|manifest| {
            manifest["component"]["digest"] = json!(Digest::of(bytes).to_string());
            manifest["component"]["size_bytes"] = json!(bytes.len());
        });
    }
    pub fn config(&self) -> RuntimeConfig {
        let mut config = config(vec![self.root.path().into()]);
        config.trusted_publishers.push(TrustedPublisher {
            id: "workshop".into(),
            publisher: "dev.gtm.fixtures".into(),
            public_key: self.key.public_key().as_ref().try_into().unwrap(),
            keys: everything(),
            not_before: None,
            not_after: None,
        });
        config
    }
    pub async fn start(&self) -> Runtime {
        start(self.config()).await
    }
    /// The refusal code of the only package.
    pub async fn refusal(&self) -> &'static str {
        let runtime = self.start().await;
        assert!(
            runtime.catalog().plugins().is_empty(),
            "{:?}",
            runtime.catalog().plugins()
        );
        let refused = runtime.catalog().refused();
        assert_eq!(refused.len(), 1, "{refused:#?}");
        assert!(!refused[0].reason.is_empty());
        assert_eq!(refused[0].kind, Some(PluginKind::Connector));
        refused[0].code
    }
}

/// A fixture's package, copied below another root.
pub fn copy(kind: &str, key: &str, root: &Path) -> PathBuf {
    let place = Path::new(kind).join(key).join("0.1.0");
    let (from, to) = (catalog_dir().join(&place), root.join(&place));
    fs::create_dir_all(&to).unwrap();
    for file in ["manifest.json", "manifest.sig", "component.wasm"] {
        fs::copy(from.join(file), to.join(file)).unwrap();
    }
    to
}
