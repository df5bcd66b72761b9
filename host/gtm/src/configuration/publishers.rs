//! `[[trusted_publishers]]`: whose signatures are accepted, and for which plug-ins.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gtm_domain::Timestamp;
use gtm_runtime::PluginPattern;
use serde::{Deserialize, Serialize};

/// `[[trusted_publishers]]`.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(try_from = "WrittenPublisher")]
pub struct Publisher {
    /// Key id, as it appears in the packages' signatures.
    pub id: String,
    /// The publisher who owns the key, as manifests name it.
    pub publisher: String,
    /// Raw Ed25519 public key in base64.
    pub public_key: PublicKey,
    /// What the key may sign.
    pub keys: Vec<PluginEntry>,
    /// First instant at which the key is valid.
    pub not_before: Option<Timestamp>,
    /// Last instant at which the key is valid.
    pub not_after: Option<Timestamp>,
}

/// The same as written in the file, so that each missing member has its own message.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPublisher {
    id: String,
    #[serde(default)]
    publisher: Option<String>,
    public_key: PublicKey,
    #[serde(default)]
    keys: Option<Vec<PluginEntry>>,
    #[serde(default)]
    not_before: Option<Timestamp>,
    #[serde(default)]
    not_after: Option<Timestamp>,
}

impl TryFrom<WrittenPublisher> for Publisher {
    type Error = String;

    fn try_from(written: WrittenPublisher) -> Result<Self, String> {
        let id = written.id;
        let publisher = written.publisher.ok_or_else(|| {
            format!(
                "{id} lacks `publisher`: whose key it is, as the manifests name it, \
                 such as publisher = \"com.example\""
            )
        })?;
        let keys = written
            .keys
            .filter(|keys| !keys.is_empty())
            .ok_or_else(|| {
                format!(
                    "{id} lacks `keys`: which plug-ins it may sign, such as \
                 keys = [\"connector/acme-*\", \"generation_backend/acme-writer\"]"
                )
            })?;
        Ok(Self {
            id,
            publisher,
            public_key: written.public_key,
            keys,
            not_before: written.not_before,
            not_after: written.not_after,
        })
    }
}

/// Plug-ins that a publisher's key may sign, such as `connector/acme-*`.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct PluginEntry(pub PluginPattern);

impl TryFrom<String> for PluginEntry {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let pattern = text.parse();
        pattern
            .map(Self)
            .map_err(|error: gtm_runtime::publisher::ParsePluginPatternError| error.to_string())
    }
}
impl From<PluginEntry> for String {
    fn from(entry: PluginEntry) -> Self {
        entry.0.to_string()
    }
}

/// An Ed25519 public key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct PublicKey(pub [u8; 32]);

impl TryFrom<String> for PublicKey {
    type Error = &'static str;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        let bytes = STANDARD
            .decode(text.trim())
            .ok()
            .and_then(|bytes| bytes.try_into().ok());
        bytes
            .map(Self)
            .ok_or("expected the 32 bytes of an Ed25519 public key in base64")
    }
}
impl From<PublicKey> for String {
    fn from(key: PublicKey) -> Self {
        STANDARD.encode(key.0)
    }
}
