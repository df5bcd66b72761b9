//! Plug-in packages that this installation has seen: the content of each version, whether it may be used,
//! and who publishes each plug-in.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::{Digest, Timestamp};

/// A plug-in, regardless of version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct PluginKey {
    /// Manifest `kind`.
    pub kind: String,
    /// Manifest `key`.
    pub key: String,
}

impl fmt::Display for PluginKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind, self.key)
    }
}

/// The content of a plug-in version.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PluginVersion {
    #[serde(flatten)]
    pub plugin: PluginKey,
    /// Manifest `manifest_version`.
    pub version: String,
    /// Digest of the component; `None` if the version has none.
    pub component_digest: Option<Digest>,
    /// Digest of the manifest's RFC 8785 bytes.
    pub manifest_digest: Digest,
    pub manifest: Value,
}

/// A package that the catalog offers now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PluginPackage {
    #[serde(flatten)]
    pub content: PluginVersion,
    /// Its publisher; `None` if no trusted publisher signed it.
    pub publisher: Option<String>,
    /// Whether it may be used without the operator's consent. Applies only when it is first seen.
    pub approved: bool,
}

/// A package that was seen. From then on, its version permanently stands for this content.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KnownPlugin {
    /// Its content when first seen.
    #[serde(flatten)]
    pub content: PluginVersion,
    /// When it was first seen.
    pub first_seen_at: Timestamp,
    /// When it was last seen.
    pub last_seen_at: Timestamp,
    /// Since when it may be used; `None` while it awaits the operator's consent.
    pub approved_at: Option<Timestamp>,
}

/// The owner of a plug-in: the publisher that brought it first, or to which the operator assigned it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PluginPublisher {
    #[serde(flatten)]
    pub plugin: PluginKey,
    pub publisher: String,
    pub since: Timestamp,
}

/// What an installation remembers about plug-ins, read at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PluginRecords {
    /// Versions, by kind, key and version.
    pub packages: Vec<KnownPlugin>,
    /// Owners, by kind and key.
    pub publishers: Vec<PluginPublisher>,
}

/// Result of noting a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noted {
    /// The package is new.
    New,
    /// The package is known with the same content.
    Known,
    /// Contradicts the record: other bytes, another publisher, another consent.
    Contradicts,
}

impl PluginPackage {
    /// Compares this package with the record of the same version. A version stands for the same bytes and
    /// the same consent for ever.
    #[must_use]
    pub fn noted_beside(&self, known: &KnownPlugin) -> Noted {
        let same = known.content.component_digest == self.content.component_digest
            && known.content.manifest_digest == self.content.manifest_digest
            && known.approved_at.is_some() == self.approved;
        if same {
            Noted::Known
        } else {
            Noted::Contradicts
        }
    }
}
