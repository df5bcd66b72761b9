//! The plug-ins that this host knows: loaded packages, packages that are listed without running, and
//! refused packages with the reason.
//!
//! Packages are read in [`scan`] ([`package_files`]), machine code is loaded in [`code`], signatures checked in [`signature`], a component's imports read in
//! [`imports`]; [`admission`] decides which packages may be used, by what is remembered about them
//! ([`records`]); [`connectors`] is the public catalog of connectors. Nothing here runs a plug-in.

pub mod admission;
pub mod code;
pub mod connectors;
pub mod contracts;
pub mod imports;
pub mod package_files;
pub mod records;
pub mod scan;
pub mod signature;

use std::path::PathBuf;
use std::sync::Arc;

use gtm_domain::{Digest, canonical_digest};
use serde_json::Value;

use crate::check_places::CheckPlaces;
use crate::manifest::{Manifest, PluginKind};
use crate::schema::Violation;
use code::Code;
use contracts::OperationContracts;

/// A plug-in that passed every check and can be called.
pub struct Plugin {
    pub kind: PluginKind,
    /// Key, unique among the plug-ins of a kind.
    pub key: String,
    pub version: semver::Version,
    /// Digest of the component; jobs pin it together with that of the manifest.
    pub digest: Digest,
    /// Length of the component.
    pub size_bytes: u64,
    /// Digest of the manifest's RFC 8785 bytes.
    pub manifest_digest: Digest,
    pub manifest: Manifest,
    /// The manifest as its author wrote it.
    pub manifest_json: Value,
    pub signature: SignatureStatus,
    pub(crate) contracts: OperationContracts,
    pub(crate) code: Code,
    /// Where its inputs and answers are checked; shared with other versions of the plug-in.
    pub(crate) checks: CheckPlaces,
}

impl Plugin {
    /// Whether its next call needs no compiler. If not, a host's start or its first call compiles it, and may find
    /// that it cannot run.
    #[must_use]
    pub fn is_compiled(&self) -> bool {
        self.code.is_compiled()
    }

    /// Checks settings against the manifest's `settings_schema`, before they are stored.
    ///
    /// # Errors
    /// The violations.
    pub fn check_settings(&self, settings: &Value) -> Result<(), Vec<Violation>> {
        self.contracts.check_settings(settings)
    }
}

impl std::fmt::Debug for Plugin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Plugin({} {}@{} {})",
            self.kind, self.key, self.version, self.digest
        )
    }
}

/// A valid package that this host does not run.
#[derive(Debug)]
pub struct Listed {
    pub kind: PluginKind,
    pub key: String,
    pub version: semver::Version,
    /// Why it does not run.
    pub reason: ListedOnly,
    /// Digest of the manifest's RFC 8785 bytes.
    pub manifest_digest: Digest,
    pub manifest: Manifest,
    /// The manifest as its author wrote it.
    pub manifest_json: Value,
    pub signature: SignatureStatus,
}

/// Why a valid package does not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListedOnly {
    /// It has no component.
    NoComponent,
    /// The operator withdrew its component.
    Blocked,
    /// It may do more than the version before it, and the operator has not consented yet.
    Pending,
}

/// Whether a trusted publisher signed a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignatureStatus {
    /// A trusted publisher signed it.
    Trusted { key_id: String },
    /// No trusted publisher signed it; loaded only because the configuration allows that.
    Unsigned,
}

/// A package that was not loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedPackage {
    pub path: PathBuf,
    /// As far as the folder names it.
    pub kind: Option<PluginKind>,
    /// As far as the folder names it.
    pub key: Option<String>,
    /// As far as the folder names it.
    pub version: Option<String>,
    /// Stable code in snake_case; [`scan`] lists them.
    pub code: &'static str,
    /// One sentence for the operator.
    pub reason: String,
}

/// All plug-ins of this host.
#[derive(Debug, Default)]
pub struct Catalog {
    plugins: Vec<Arc<Plugin>>,
    listed: Vec<Listed>,
    refused: Vec<RefusedPackage>,
    version: String,
}

impl Catalog {
    pub(crate) fn new(
        mut plugins: Vec<Arc<Plugin>>,
        mut listed: Vec<Listed>,
        mut refused: Vec<RefusedPackage>,
    ) -> Self {
        plugins.sort_by(|a, b| (a.kind, &a.key, &a.version).cmp(&(b.kind, &b.key, &b.version)));
        listed.sort_by(|a, b| (a.kind, &a.key, &a.version).cmp(&(b.kind, &b.key, &b.version)));
        refused.sort_by(|a, b| a.path.cmp(&b.path));
        let identity: Vec<[String; 5]> = plugins
            .iter()
            .map(|p| {
                [
                    p.kind.key().to_owned(),
                    p.key.clone(),
                    p.version.to_string(),
                    p.manifest_digest.to_string(),
                    p.digest.to_string(),
                ]
            })
            .collect();
        let version = canonical_digest(&identity)
            .map(|digest| digest.to_string())
            .unwrap_or_default();
        Self {
            plugins,
            listed,
            refused,
            version,
        }
    }

    /// Sorted by kind, key and version.
    #[must_use]
    pub fn plugins(&self) -> &[Arc<Plugin>] {
        &self.plugins
    }
    /// Packages that are listed without running, sorted by kind, key and version.
    #[must_use]
    pub fn listed(&self) -> &[Listed] {
        &self.listed
    }
    /// Whether it has any version of a plug-in, running or only listed.
    #[must_use]
    pub fn knows(&self, kind: PluginKind, key: &str) -> bool {
        let runs = self
            .plugins
            .iter()
            .any(|plugin| plugin.kind == kind && plugin.key == key);
        runs || (self.listed.iter()).any(|entry| entry.kind == kind && entry.key == key)
    }

    /// The versions of a plug-in that need no consent or have it, whether they run or are only listed.
    pub fn in_use(
        &self,
        kind: PluginKind,
        key: &str,
    ) -> impl Iterator<Item = (&semver::Version, &Manifest)> {
        let loaded = self
            .plugins
            .iter()
            .filter(move |plugin| plugin.kind == kind && plugin.key == key)
            .map(|plugin| (&plugin.version, &plugin.manifest));
        let listed = self
            .listed
            .iter()
            .filter(move |entry| {
                entry.kind == kind && entry.key == key && entry.reason != ListedOnly::Pending
            })
            .map(|entry| (&entry.version, &entry.manifest));
        loaded.chain(listed)
    }
    /// The packages that were not loaded, sorted by path.
    #[must_use]
    pub fn refused(&self) -> &[RefusedPackage] {
        &self.refused
    }
    /// The plug-in with this kind and key: the named version, else the highest one. A pre-release counts
    /// only if there is no release.
    #[must_use]
    pub fn find(&self, kind: PluginKind, key: &str, version: Option<&str>) -> Option<Arc<Plugin>> {
        let candidates = self
            .plugins
            .iter()
            .filter(|plugin| plugin.kind == kind && plugin.key == key);
        match version {
            Some(version) => candidates
                .into_iter()
                .find(|plugin| plugin.version.to_string() == version)
                .cloned(),
            None => candidates
                .max_by_key(|plugin| (plugin.version.pre.is_empty(), plugin.version.clone()))
                .cloned(),
        }
    }
    /// A digest over kind, key, version, manifest digest and component digest of every plug-in: two hosts
    /// with the same value run the same code.
    #[must_use]
    pub fn catalog_version(&self) -> String {
        self.version.clone()
    }
}
