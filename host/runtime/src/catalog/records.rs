//! What the host remembers of packages: the caller reads it from storage before the catalog is loaded,
//! and stores what was new afterwards.

use std::collections::BTreeMap;

use gtm_domain::Digest;
use serde_json::Value;

use super::{Catalog, ListedOnly, SignatureStatus};
use crate::manifest::{Manifest, PluginKind};

/// Everything that is remembered.
#[derive(Debug, Clone, Default)]
pub struct CatalogRecords {
    /// Versions that were seen.
    pub packages: Vec<PackageRecord>,
    /// The publisher that first brought a plug-in, or to which the operator gave it.
    pub publishers: BTreeMap<(PluginKind, String), String>,
}

/// A version that was seen. It means these bytes for ever.
#[derive(Debug, Clone, PartialEq)]
pub struct PackageRecord {
    /// Kind of plug-in.
    pub kind: PluginKind,
    /// Key of the plug-in.
    pub key: String,
    /// Version as the manifest writes it.
    pub version: String,
    /// Digest of the component; none if the version has none.
    pub component: Option<Digest>,
    /// Digest of the manifest's RFC 8785 bytes.
    pub manifest_digest: Digest,
    /// The manifest as it was written.
    pub manifest: Value,
    /// Whether it may be used: the first version of a plug-in, one that widens nothing, or one that the
    /// operator approved.
    pub approved: bool,
}

/// A package of the catalog, to be remembered.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    /// What it is.
    pub package: PackageRecord,
    /// Its publisher; none if nobody trusted signed it.
    pub publisher: Option<String>,
}

impl Catalog {
    /// The packages in order, whether they run or not.
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
