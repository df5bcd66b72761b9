//! The manifest of a plug-in as types that mirror `wit/manifest.schema.json` exactly.
//!
//! [`read`] and [`rules`] read a manifest from text, with the schema and the rules that JSON Schema cannot
//! express; `${…}` templates are in [`template`]. Nothing here knows about packages, signatures or
//! components.

mod access;
pub mod difference;
mod error;
mod metering;
pub mod read;
pub mod rules;
#[cfg(test)]
mod scheme_tests;
pub mod template;

use std::fmt;

use gtm_domain::Digest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use access::*;
pub use error::ManifestError;
pub use metering::*;
pub use read::{fits_member, parse_manifest};

/// The four kinds of plug-in, one WIT world each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PluginKind {
    /// Serves capabilities by talking to one provider.
    Connector,
    /// Generates the result of a product capability.
    GenerationBackend,
    /// Turns a document model into files.
    DocumentRenderer,
    /// Maps JSON to JSON.
    Evaluator,
}

impl PluginKind {
    pub const ALL: [Self; 4] = [
        Self::Connector,
        Self::GenerationBackend,
        Self::DocumentRenderer,
        Self::Evaluator,
    ];

    /// The value of the manifest's `kind`, and the name of the catalog's folder.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Connector => "connector",
            Self::GenerationBackend => "generation_backend",
            Self::DocumentRenderer => "document_renderer",
            Self::Evaluator => "evaluator",
        }
    }
    /// The kind of a manifest value or folder name.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.key() == key)
    }
    /// The WIT world that components of this kind target.
    #[must_use]
    pub const fn world(self) -> &'static str {
        match self {
            Self::Connector => "gtm:plugin/connector@0.1.0",
            Self::GenerationBackend => "gtm:plugin/generation-backend@0.1.0",
            Self::DocumentRenderer => "gtm:plugin/document-renderer@0.1.0",
            Self::Evaluator => "gtm:plugin/evaluator@0.1.0",
        }
    }
}

impl fmt::Display for PluginKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// What the author of a plug-in declares about it, signed by the publisher.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the manifest's schema; `1`.
    pub schema_version: String,
    pub kind: PluginKind,
    /// Unique among the plug-ins of a kind.
    pub key: String,
    /// Reverse-domain name of the publisher.
    pub publisher: String,
    /// SemVer of the plug-in.
    pub manifest_version: semver::Version,
    pub name: String,
    /// One paragraph for people.
    #[serde(default)]
    pub description: Option<String>,
    /// Category of annex A12.
    pub category: String,
    /// Integration kinds of annex A12.
    pub declared_integration_kinds: Vec<String>,
    /// Capabilities that the operations serve or, without a component, would serve.
    pub capabilities: Vec<String>,
    /// Home page of the provider.
    #[serde(default)]
    pub homepage_url: Option<String>,
    /// Documentation of the provider.
    #[serde(default)]
    pub docs_url: Option<String>,
    /// Where a customer obtains a key.
    #[serde(default)]
    pub key_acquisition_url: Option<String>,
    pub stage: Stage,
    /// Day on which a deprecated version stops working.
    #[serde(default)]
    pub sunset_at: Option<String>,
    /// Breaking changes against earlier versions.
    #[serde(default)]
    pub breaking_changes: Vec<BreakingChange>,
    /// SPDX expression.
    pub license: String,
    /// Absent if the manifest is only a catalog entry.
    #[serde(default)]
    pub component: Option<ComponentRef>,
    /// Hosts that the plug-in may reach, and no others.
    pub egress: Vec<Egress>,
    /// Credential schemes that the host applies.
    pub auth: Auth,
    /// Credentials that a connection holds.
    pub credential_fields: Vec<CredentialField>,
    /// JSON Schema of a connection's or binding's settings.
    #[serde(default)]
    pub settings_schema: Option<Value>,
    /// Request that shows whether the credentials work.
    #[serde(default)]
    pub verification: Option<Verification>,
    /// Rate limits and retries of the provider.
    #[serde(default)]
    pub rate: Rate,
    /// Where the provider says what a call consumed.
    #[serde(default)]
    pub usage: Vec<UsageSource>,
    /// Bounds on one call; all zero without a component.
    #[serde(default)]
    pub limits: Limits,
    /// What the plug-in can do; nothing without a component.
    #[serde(default)]
    pub operations: Vec<Operation>,
    /// Capabilities that a generation backend invokes.
    #[serde(default)]
    pub requires: Vec<Requirement>,
    /// Privileges that the plug-in asks for; only the operator grants them.
    #[serde(default)]
    pub grants: Vec<Grant>,
    /// Whether its answers are made up. The host marks what it makes of them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub synthetic: bool,
    /// Where the component comes from.
    pub provenance: Provenance,
    /// Checked facts about the provider.
    #[serde(default)]
    pub facts: Vec<Fact>,
}

impl Manifest {
    #[must_use]
    pub fn operation(&self, id: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.id == id)
    }
    /// The first operation that serves this capability.
    #[must_use]
    pub fn operation_for(&self, capability: &str) -> Option<&Operation> {
        self.operations
            .iter()
            .find(|operation| operation.capability == capability)
    }
    /// Whether this plug-in asks for a grant.
    #[must_use]
    pub fn asks_for(&self, grant: Grant) -> bool {
        self.grants.contains(&grant)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// May change without notice.
    Preview,
    /// May change with notice.
    Beta,
    /// Stable.
    Ga,
    /// Going away at `sunset_at`.
    Deprecated,
}

/// A change that users of earlier versions must react to.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BreakingChange {
    /// The version that introduced it.
    pub version: String,
    /// What to do.
    pub message: String,
    /// Last day of the earlier behaviour.
    pub upgrade_by: String,
    /// Operations affected; all if absent.
    #[serde(default)]
    pub operations: Option<Vec<String>>,
}

/// The component file of a package.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComponentRef {
    /// Path relative to the package.
    pub path: String,
    /// SHA-256 of the file.
    pub digest: Digest,
    /// Length of the file in bytes.
    pub size_bytes: u64,
    /// WIT world, `gtm:plugin/<world>@<version>`.
    pub world: String,
    /// Sorted names of what the component imports.
    pub host_imports: Vec<String>,
}

/// One thing that a plug-in can do.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// Id, passed to the component's export.
    pub id: String,
    /// Capability that it serves.
    pub capability: String,
    /// One sentence for people.
    #[serde(default)]
    pub summary: Option<String>,
    /// JSON Schema of the input.
    pub input_schema: Value,
    /// JSON Schema of the output.
    pub output_schema: Value,
    /// Whether the provider charges.
    pub side_effect: SideEffect,
    #[serde(default)]
    pub personal_data: bool,
    /// Whether a call whose outcome is unknown may simply be repeated.
    #[serde(default = "yes")]
    pub replay_safe: bool,
    /// Header in which the provider takes an idempotency key, if it does.
    #[serde(default)]
    pub idempotency_header: Option<String>,
}

const fn yes() -> bool {
    true
}

/// What an operation does at the provider; no operation writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideEffect {
    Read,
    /// Reads, and the provider charges for it.
    BillableRead,
}

/// A capability that a generation backend invokes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// Name of the contract.
    pub capability: String,
    /// Whether the backend also works without it.
    #[serde(default)]
    pub optional: bool,
}

/// A privilege that only the operator grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grant {
    /// Any public host by GET and HEAD on ports 80 and 443, without credentials.
    OpenWeb,
    /// Pages at addresses that a generation backend makes up, beyond those that it was given.
    FreeUrls,
}

/// Where a component comes from.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Repository URL; absent if the build could not determine it.
    pub repository: Option<String>,
    /// Commit, 40 hex digits; absent if the sources were not exactly those of a commit.
    pub commit: Option<String>,
    pub source_paths: Vec<String>,
    /// How it was built.
    #[serde(default)]
    pub build: Option<Build>,
    #[serde(default)]
    pub attestation: Option<Attestation>,
}

/// How a component was built.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    #[serde(default)]
    pub toolchain: Option<String>,
    #[serde(default)]
    pub command: Option<String>,
    /// Whether building again yields the same bytes.
    #[serde(default)]
    pub reproducible: Option<bool>,
}

/// An attestation file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attestation {
    /// Path relative to the package.
    #[serde(default)]
    pub path: Option<String>,
    /// SHA-256 of the file.
    #[serde(default)]
    pub digest: Option<Digest>,
}

/// A checked fact about a provider.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    pub claim: String,
    pub source: String,
    /// Day of the check.
    pub checked_on: String,
    pub confidence: Confidence,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// The provider's documentation.
    OfficialDocs,
    /// The provider's own client.
    OfficialClient,
    ThirdParty,
    Unconfirmed,
}
