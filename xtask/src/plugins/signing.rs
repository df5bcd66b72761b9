//! The development publisher: an Ed25519 key that signs what this checkout builds.
//!
//! The key is created once and stays in the target directory. Its signature means only "built on this
//! machine"; a host trusts it only if its configuration names it.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const PRIVATE_KEY: &str = "private-key.pk8";
/// File of the public key in the publisher's folder.
pub const PUBLIC_KEY: &str = "public-key";

/// The development publisher's key pair.
pub struct Publisher {
    pair: Ed25519KeyPair,
    /// Key ID: `dev-` and the first eight hexadecimal digits of the public key's SHA-256.
    pub id: String,
    /// The raw public key, 32 bytes in standard Base64, as a host's configuration expects it.
    pub public_key: String,
}

impl Publisher {
    /// Reads the key pair from this folder; creates one if there is none.
    pub fn load_or_create(folder: &Path) -> Result<Self> {
        let path = folder.join(PRIVATE_KEY);
        if !path.exists() {
            create(folder, &path)?;
        }
        let stored = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let pair = Ed25519KeyPair::from_pkcs8(&stored).map_err(|error| {
            anyhow::anyhow!(
                "{} is not an Ed25519 key ({error}); remove it to get a new one",
                path.display()
            )
        })?;
        let raw = pair.public_key().as_ref();
        let id = format!("dev-{}", &hex::encode(Sha256::digest(raw))[..8]);
        let public_key = STANDARD.encode(raw);
        let public_key_file = folder.join(PUBLIC_KEY);
        if fs::read_to_string(&public_key_file).ok().as_deref() != Some(&public_key) {
            fs::write(&public_key_file, &public_key)
                .with_context(|| format!("cannot write {}", public_key_file.display()))?;
        }
        Ok(Self {
            pair,
            id,
            public_key,
        })
    }

    /// The content of `manifest.sig`: a detached signature over the manifest's RFC 8785 form.
    pub fn sign(&self, manifest: &Value) -> Result<Value> {
        Ok(json!({
            "alg": "ed25519",
            "key_id": self.id,
            "signature": STANDARD.encode(self.pair.sign(&canonical(manifest)?).as_ref()),
        }))
    }

    /// Whether this publisher signed the manifest: `signature` is the content of its `manifest.sig`.
    pub fn has_signed(&self, manifest: &Value, signature: &Value) -> Result<bool> {
        let member = |name: &str| signature.get(name).and_then(Value::as_str);
        if member("alg") != Some("ed25519") {
            return Ok(false);
        }
        let Some(bytes) = member("signature").and_then(|text| STANDARD.decode(text).ok()) else {
            return Ok(false);
        };
        let key = UnparsedPublicKey::new(&ED25519, self.pair.public_key().as_ref());
        Ok(key.verify(&canonical(manifest)?, &bytes).is_ok())
    }
}

fn canonical(manifest: &Value) -> Result<Vec<u8>> {
    serde_json_canonicalizer::to_vec(manifest).context("the manifest has no canonical form")
}

/// Creates a key and puts it in place atomically: two builds that start at once end up with one key.
fn create(folder: &Path, path: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new())
        .map_err(|error| anyhow::anyhow!("cannot make a signing key: {error}"))?;
    // Only its owner can read a temporary file, and so it stays for the key.
    let mut file = tempfile::NamedTempFile::new_in(folder)
        .with_context(|| format!("cannot write in {}", folder.display()))?;
    file.write_all(document.as_ref())?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(_) if path.exists() => Ok(()),
        Err(error) => Err(error).with_context(|| format!("cannot write {}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn the_key_is_made_once_and_its_signature_holds() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("publisher");
        let first = Publisher::load_or_create(&folder).unwrap();
        let second = Publisher::load_or_create(&folder).unwrap();
        assert_eq!(first.id, second.id);
        assert_eq!(first.id.len(), "dev-".len() + 8);

        let manifest = json!({"b": 1, "a": [true, "é"]});
        let signature = second.sign(&manifest).unwrap();
        assert_eq!(signature["key_id"], first.id);
        let bytes = STANDARD
            .decode(signature["signature"].as_str().unwrap())
            .unwrap();
        let raw = STANDARD
            .decode(fs::read_to_string(folder.join(PUBLIC_KEY)).unwrap())
            .unwrap();
        let key = UnparsedPublicKey::new(&ED25519, raw);
        // Members in another order have the same canonical form.
        let canonical = r#"{"a":[true,"é"],"b":1}"#;
        key.verify(canonical.as_bytes(), &bytes).unwrap();
        assert!(key.verify(b"{}", &bytes).is_err());

        assert!(first.has_signed(&manifest, &signature).unwrap());
        assert!(!first.has_signed(&json!({}), &signature).unwrap());
        let other = tempfile::tempdir().unwrap();
        let other = Publisher::load_or_create(other.path()).unwrap();
        assert!(!other.has_signed(&manifest, &signature).unwrap());
        for (member, value) in [("alg", "none"), ("signature", "not Base64!")] {
            let mut changed = signature.clone();
            changed[member] = json!(value);
            assert!(!first.has_signed(&manifest, &changed).unwrap(), "{member}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_reads_the_private_key() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        Publisher::load_or_create(folder.path()).unwrap();
        let mode = fs::metadata(folder.path().join(PRIVATE_KEY))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
