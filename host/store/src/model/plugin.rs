//! Plug-in packages that this installation has seen, by digest.

use gtm_domain::{Digest, Timestamp};
use serde::Serialize;
use serde_json::Value;

/// A package that the catalog offers now.
#[derive(Debug, Clone, PartialEq)]
pub struct PluginPackage {
    /// Digest of the component.
    pub digest: Digest,
    /// Manifest `kind`.
    pub kind: String,
    /// Manifest `key`.
    pub key: String,
    /// Manifest `version`.
    pub version: String,
    /// The whole manifest.
    pub manifest: Value,
}

/// A package that was seen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KnownPlugin {
    /// Digest of the component.
    pub digest: Digest,
    /// Manifest `kind`.
    pub kind: String,
    /// Manifest `key`.
    pub key: String,
    /// Manifest `version`.
    pub version: String,
    /// The whole manifest.
    pub manifest: Value,
    /// When it was first seen.
    pub first_seen_at: Timestamp,
    /// When it was last seen.
    pub last_seen_at: Timestamp,
}
