//! What the host remembers of packages: the caller reads it from storage before the catalog is loaded, and
//! stores new sightings afterwards.

use std::collections::BTreeMap;

use gtm_domain::Digest;
use serde_json::Value;

use super::{Catalog, ListedOnly, SignatureStatus};
use crate::manifest::{Manifest, PluginKind};

/// Everything that is remembered of packages.
#[derive(Debug, Clone, Default)]
pub struct CatalogRecords {
    /// Versions seen so far.
    pub packages: Vec<PackageRecord>,
    /// The publisher that first provided each plug-in, or to which the operator transferred it.
    pub publishers: BTreeMap<(PluginKind, String), String>,
}

/// A version that was seen. It means these bytes for ever.
#[derive(Debug, Clone, PartialEq)]
pub struct PackageRecord {
    pub kind: PluginKind,
    pub key: String,
    /// Version as the manifest writes it.
    pub version: String,
    /// Digest of the component, if the version has one.
    pub component: Option<Digest>,
    /// Digest of the manifest's RFC 8785 bytes.
    pub manifest_digest: Digest,
    /// The manifest as its author wrote it.
    pub manifest: Value,
    /// Whether it may be used: it is the first version of a plug-in, does no more than the one before, or
    /// was approved by the operator.
    pub approved: bool,
}

/// A package of the catalog, to be remembered.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    pub package: PackageRecord,
    /// Absent if no trusted publisher signed it.
    pub publisher: Option<String>,
}

impl Catalog {
    /// The valid packages, whether they run or not.
    #[must_use]
    pub fn sightings(&self) -> Vec<Sighting> {
        let running = self.plugins.iter().map(|plugin| {
            sighting(
                &plugin.manifest,
                plugin.manifest_digest,
                &plugin.manifest_json,
                &plugin.signature,
                true,
            )
        });
        let listed = self.listed.iter().map(|entry| {
            sighting(
                &entry.manifest,
                entry.manifest_digest,
                &entry.manifest_json,
                &entry.signature,
                entry.reason != ListedOnly::Pending,
            )
        });
        running.chain(listed).collect()
    }
}

fn sighting(
    manifest: &Manifest,
    manifest_digest: Digest,
    manifest_json: &Value,
    signature: &SignatureStatus,
    approved: bool,
) -> Sighting {
    Sighting {
        package: PackageRecord {
            kind: manifest.kind,
            key: manifest.key.clone(),
            version: manifest.manifest_version.to_string(),
            component: manifest.component.as_ref().map(|c| c.digest),
            manifest_digest,
            manifest: manifest_json.clone(),
            approved,
        },
        publisher: match signature {
            SignatureStatus::Trusted { .. } => Some(manifest.publisher.clone()),
            SignatureStatus::Unsigned => None,
        },
    }
}
