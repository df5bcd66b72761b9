//! The catalog of connectors as `GET /v1/connectors` shows it (specification, Connector catalog): one entry
//! per key, with what only the host can say about it: availability and verification mode (annex A12). Also
//! decides which package a connection means by a key and version.

use std::collections::BTreeMap;

use gtm_domain::open_enumeration::open_enumeration;
use gtm_domain::{Digest, Timestamp, canonical_digest};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::schema::{Array, ArrayBuilder, ObjectBuilder, Type};

use super::{Catalog, ListedOnly, SignatureStatus};
use crate::manifest::read::MANIFEST_SCHEMA;
use crate::manifest::{Manifest, PluginKind, Stage};

/// Whether a connector can be used (annex A12). Never the author's claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Availability {
    /// Listed, but without a component.
    CatalogOnly,
    /// Runs, but may change, or no trusted publisher vouches for it.
    Preview,
    /// Runs, is stable and signed by a trusted publisher.
    Available,
    /// Runs until its sunset date.
    Deprecated,
    /// Its sunset date has passed.
    Retired,
    /// The operator withdrew its component.
    Blocked,
}

impl Availability {
    /// The API's name for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CatalogOnly => "catalog_only",
            Self::Preview => "preview",
            Self::Available => "available",
            Self::Deprecated => "deprecated",
            Self::Retired => "retired",
            Self::Blocked => "blocked",
        }
    }
}

/// How the credentials of a connection can be checked (annex A12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerificationMode {
    /// The credentials cannot be checked.
    Unavailable,
    /// Their form only, without a request.
    Format,
    /// The manifest's request to the provider.
    LiveProbe,
}

impl VerificationMode {
    /// The API's name for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::Format => "format",
            Self::LiveProbe => "live_probe",
        }
    }
}

/// The words for how credentials are checked: those that this host says, and the specification's other one.
#[must_use]
pub fn verification_modes() -> Vec<Value> {
    let mut modes = open_enumeration::<VerificationMode>();
    modes.push(json!("manual"));
    modes
}

/// The connectors that this host knows, one for each key.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(examples(example))]
pub struct ConnectorCatalog {
    /// Opaque. Changes if and only if the catalog's content does.
    #[schema(min_length = 1)]
    pub catalog_version: String,
    /// The connectors, sorted by key.
    #[schema(inline)]
    pub connectors: Vec<ConnectorEntry>,
}

// Exactly the specification's members.
/// A connector.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ConnectorEntry {
    pub manifest_version: String,
    pub key: String,
    pub name: String,
    #[schema(extensions(("x-extensible-enum" = json!(manifest_words("/properties/category/enum")))))]
    pub category: String,
    #[schema(schema_with = integration_kinds)]
    pub declared_integration_kinds: Vec<String>,
    #[schema(value_type = String, extensions(("x-extensible-enum" = json!(open_enumeration::<Availability>()))))]
    pub availability: Availability,
    #[schema(value_type = String, extensions(("x-extensible-enum" = json!(verification_modes()))))]
    pub verification_mode: VerificationMode,
    #[schema(required)]
    pub homepage_url: Option<String>,
    #[schema(required)]
    pub docs_url: Option<String>,
    #[schema(required)]
    pub key_acquisition_url: Option<String>,
    /// Provider capabilities that it serves or, listed only, would serve.
    pub capabilities: Vec<String>,
    #[schema(inline)]
    pub credential_fields: Vec<CredentialFieldEntry>,
    #[schema(inline)]
    pub provenance: ProvenanceEntry,
}

/// A credential field of a connector.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct CredentialFieldEntry {
    pub key: String,
    pub label: String,
    pub description: String,
    pub environment_aliases: Vec<String>,
    pub required: bool,
    pub secret: bool,
}

/// Where a connector comes from.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ProvenanceEntry {
    /// Where the sources are; null where the build could not tell.
    #[schema(required)]
    pub repository: Option<String>,
    /// What was built; null where the sources were not those of a commit.
    #[schema(required, pattern = "^[0-9a-f]{40}$")]
    pub commit: Option<String>,
    pub source_paths: Vec<String>,
}

fn example() -> Value {
    json!({
        "catalog_version": "0f6c2a3f5f5f4c0c8b1d7e6a9d3b2c1a",
        "connectors": [
            {
                "manifest_version": "0.1.0",
                "key": "tavily",
                "name": "Tavily",
                "category": "search",
                "declared_integration_kinds": ["rest"],
                "availability": "catalog_only",
                "verification_mode": "unavailable",
                "homepage_url": null,
                "docs_url": "https://docs.tavily.com",
                "key_acquisition_url": null,
                "capabilities": ["web.search"],
                "credential_fields": [
                    {
                        "key": "api_key",
                        "label": "API key",
                        "description": "Tavily API key.",
                        "environment_aliases": ["TAVILY_API_KEY"],
                        "required": true,
                        "secret": true
                    }
                ],
                "provenance": {
                    "repository": "https://git.example/gtm",
                    "commit": "0123456789abcdef0123456789abcdef01234567",
                    "source_paths": ["connectors/catalog/tavily.json"]
                }
            }
        ]
    })
}

/// The words that manifests may choose from at this pointer into their schema.
fn manifest_words(pointer: &str) -> Value {
    let schema: Option<Value> = serde_json::from_str(MANIFEST_SCHEMA).ok();
    let words = schema.as_ref().and_then(|schema| schema.pointer(pointer));
    words.cloned().unwrap_or_default()
}

fn integration_kinds() -> Array {
    let words = manifest_words("/properties/declared_integration_kinds/items/enum");
    let kind = ObjectBuilder::new()
        .schema_type(Type::String)
        .extensions(Some(Extensions::from_iter([("x-extensible-enum", words)])));
    ArrayBuilder::new().items(kind).build()
}

/// A connector of the catalog, whether it runs or not.
#[derive(Debug, Clone, Copy)]
pub struct CatalogedConnector<'c> {
    pub manifest: &'c Manifest,
    /// Digest of the manifest's RFC 8785 bytes.
    pub manifest_digest: Digest,
    /// Digest of its component; `None` for an entry without one.
    pub component: Option<Digest>,
    signature: &'c SignatureStatus,
    listed_only: Option<ListedOnly>,
}

impl CatalogedConnector<'_> {
    #[must_use]
    pub const fn runs(&self) -> bool {
        self.listed_only.is_none()
    }

    /// Whether it can be used at this time.
    #[must_use]
    pub fn availability(&self, now: Timestamp) -> Availability {
        match (self.listed_only, self.manifest.stage) {
            (Some(ListedOnly::NoComponent), _) => Availability::CatalogOnly,
            (Some(ListedOnly::Blocked | ListedOnly::Pending), _) => Availability::Blocked,
            (None, Stage::Deprecated) if self.is_past_its_last_day(now) => Availability::Retired,
            (None, Stage::Deprecated) => Availability::Deprecated,
            (None, Stage::Ga) if matches!(self.signature, SignatureStatus::Trusted { .. }) => {
                Availability::Available
            }
            (None, _) => Availability::Preview,
        }
    }

    /// How credentials for it are checked.
    #[must_use]
    pub fn verification_mode(&self) -> VerificationMode {
        if !self.runs() {
            VerificationMode::Unavailable
        } else if self.manifest.verification.is_some() {
            VerificationMode::LiveProbe
        } else if self.manifest.credential_fields.is_empty() {
            VerificationMode::Unavailable
        } else {
            VerificationMode::Format
        }
    }

    /// Both are RFC 3339 dates in UTC, which sort as text.
    fn is_past_its_last_day(&self, now: Timestamp) -> bool {
        let now = now.to_string();
        self.manifest
            .sunset_at
            .as_deref()
            .is_some_and(|last| now.get(..10).is_some_and(|today| today > last))
    }

    /// The entry that the public catalog shows at this time.
    #[must_use]
    pub fn entry(&self, now: Timestamp) -> ConnectorEntry {
        let manifest = self.manifest;
        let fields = manifest.credential_fields.iter();
        ConnectorEntry {
            manifest_version: manifest.manifest_version.to_string(),
            key: manifest.key.clone(),
            name: manifest.name.clone(),
            category: manifest.category.clone(),
            declared_integration_kinds: manifest.declared_integration_kinds.clone(),
            availability: self.availability(now),
            verification_mode: self.verification_mode(),
            homepage_url: manifest.homepage_url.clone(),
            docs_url: manifest.docs_url.clone(),
            key_acquisition_url: manifest.key_acquisition_url.clone(),
            capabilities: manifest.capabilities.clone(),
            credential_fields: fields
                .map(|field| CredentialFieldEntry {
                    key: field.key.clone(),
                    label: field.label.clone(),
                    description: field.description.clone(),
                    environment_aliases: field.environment_aliases.clone(),
                    required: field.required,
                    secret: field.secret,
                })
                .collect(),
            provenance: ProvenanceEntry {
                repository: manifest.provenance.repository.clone(),
                commit: manifest.provenance.commit.clone(),
                source_paths: manifest.provenance.source_paths.clone(),
            },
        }
    }

    /// Which of two packages with one key is shown: one that runs, then a release, then the higher version.
    fn rank(&self) -> (bool, bool, &semver::Version) {
        let version = &self.manifest.manifest_version;
        (self.runs(), version.pre.is_empty(), version)
    }
}

impl Catalog {
    /// The connector with this key: the named version, else the one that `GET /v1/connectors` shows.
    #[must_use]
    pub fn connector(&self, key: &str, version: Option<&str>) -> Option<CatalogedConnector<'_>> {
        self.connectors()
            .filter(|connector| connector.manifest.key == key)
            .filter(|connector| {
                version.is_none_or(|v| connector.manifest.manifest_version.to_string() == v)
            })
            .max_by(|a, b| a.rank().cmp(&b.rank()))
    }

    /// The public catalog of connectors at this time.
    #[must_use]
    pub fn connector_catalog(&self, now: Timestamp) -> ConnectorCatalog {
        let mut shown: BTreeMap<&str, CatalogedConnector<'_>> = BTreeMap::new();
        for connector in self.connectors() {
            let held = shown.entry(&connector.manifest.key).or_insert(connector);
            if held.rank() < connector.rank() {
                *held = connector;
            }
        }
        let connectors: Vec<ConnectorEntry> = shown
            .values()
            .map(|connector| connector.entry(now))
            .collect();
        ConnectorCatalog {
            catalog_version: version_of(&connectors),
            connectors,
        }
    }

    fn connectors(&self) -> impl Iterator<Item = CatalogedConnector<'_>> {
        let running = self.plugins.iter().map(|plugin| {
            let connector = CatalogedConnector {
                manifest: &plugin.manifest,
                manifest_digest: plugin.manifest_digest,
                component: Some(plugin.digest),
                signature: &plugin.signature,
                listed_only: None,
            };
            (plugin.kind, connector)
        });
        // A package that waits for the operator's consent is not shown.
        let consented = |entry: &&super::Listed| entry.reason != ListedOnly::Pending;
        let listed = self.listed.iter().filter(consented).map(|entry| {
            let connector = CatalogedConnector {
                manifest: &entry.manifest,
                manifest_digest: entry.manifest_digest,
                component: entry.manifest.component.as_ref().map(|c| c.digest),
                signature: &entry.signature,
                listed_only: Some(entry.reason),
            };
            (entry.kind, connector)
        });
        running
            .chain(listed)
            .filter(|(kind, _)| *kind == PluginKind::Connector)
            .map(|(_, connector)| connector)
    }
}

/// A digest over everything shown, so that nothing shown can change without it. It changes on the day a
/// connector retires, but not with a lower version hidden behind a higher one.
fn version_of(connectors: &[ConnectorEntry]) -> String {
    // Strings, booleans and lists of them always have a canonical form.
    let digest = canonical_digest(&connectors)
        .map(|digest| digest.to_string())
        .unwrap_or_default();
    // Half of the digest tells catalogs apart, and opaque values are better short.
    digest
        .trim_start_matches("sha256:")
        .chars()
        .take(32)
        .collect()
}
