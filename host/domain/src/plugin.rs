//! Plug-in packages that this installation has seen: what each version means, whether it may be used,
//! and whose each plug-in is.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::{Digest, Timestamp};

/// A plug-in, whatever its version.
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

/// What a version of a plug-in means.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PluginVersion {
    /// The plug-in.
    #[serde(flatten)]
    pub plugin: PluginKey,
    /// Manifest `manifest_version`.
    pub version: String,
    /// Digest of the component; none if the version has none.
    pub component_digest: Option<Digest>,
    /// Digest of the manifest's RFC 8785 bytes.
    pub manifest_digest: Digest,
    /// The whole manifest.
    pub manifest: Value,
}

/// A package that the catalog offers now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PluginPackage {
    /// What is in it.
    #[serde(flatten)]
    pub content: PluginVersion,
    /// Its publisher; none if nobody trusted signed it.
    pub publisher: Option<String>,
    /// Whether it may be used without the operator's consent. Counts only when it is seen first.
    pub approved: bool,
}

/// A package that was seen. The version means it for ever.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KnownPlugin {
    /// What was in it.
    #[serde(flatten)]
    pub content: PluginVersion,
    /// When it was first seen.
    pub first_seen_at: Timestamp,
    /// When it was last seen.
    pub last_seen_at: Timestamp,
    /// Since when it may be used; none while it waits for the operator's consent.
    pub approved_at: Option<Timestamp>,
}

/// Whose a plug-in is: the publisher that brought it first, or to which the operator gave it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PluginPublisher {
    /// The plug-in.
    #[serde(flatten)]
    pub plugin: PluginKey,
    /// The publisher.
    pub publisher: String,
    /// Since when.
    pub since: Timestamp,
}

/// What an installation remembers of plug-ins, as it stood at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PluginRecords {
    /// Versions, by kind, key and version.
    pub packages: Vec<KnownPlugin>,
    /// Owners, by kind and key.
    pub publishers: Vec<PluginPublisher>,
}

/// What came of noting a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noted {
    /// It was not known.
    New,
    /// It was known as it is.
    Known,
    /// Something else is known: other bytes, another publisher, another consent.
    Contradicts,
}

impl PluginPackage {
    /// What this package is to an installation that has seen this version already: a version means the
    /// same bytes and the same consent for ever.
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
