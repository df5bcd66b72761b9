//! Pins: everything that a job's backend can observe, fixed when the job is created.
//!
//! A resumed run reads the pins, never the current bindings. So it gets the same backend, connectors and
//! settings, or fails and says what is gone.
//!
//! One pin is set later: what runs read of facts that must be as fresh as possible (decision 0085).

use std::collections::BTreeMap;

use gtm_domain::binding::Bindings;
use gtm_domain::brand::BrandBinding;
use gtm_domain::document::TemplateBinding;
use gtm_domain::offer::OfferBinding;
use gtm_domain::start_url::StartUrls;
use gtm_domain::{ConnectionId, Digest};
use gtm_runtime::PluginKind;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::EngineError;
use crate::plan::{Plan, Role};
use crate::plugins::{BackendFacts, BackendRunner, ConnectorCaller, PluginIdentity, PureRunner};

/// The pins of a job.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredPins", into = "StoredPins")]
pub struct Pins {
    /// Plug-ins by their role in the job; a role to which nothing was bound is absent.
    pub plugins: BTreeMap<Role, PinnedPlugin>,
    /// Connections by provider capability.
    pub connections: BTreeMap<String, PinnedConnection>,
    /// What connections lack that are bound and cannot serve: names of credentials, by capability.
    pub lacking: BTreeMap<String, Vec<String>>,
    /// The brand guideline that the job follows, if a brand was chosen.
    pub brand: Option<BrandBinding>,
    /// The revision of the offer that the job sells, if its binding names one.
    pub offer: Option<OfferBinding>,
    /// The templates of the formats that the job may make, as far as there are any.
    pub templates: Vec<TemplateBinding>,
    /// Where research of the job's domain begins, or of any domain if the job names none. `None` in jobs
    /// older than host-side start URLs; those have them in the backend's settings.
    pub start_urls: Option<StartUrls>,
    /// What the job's first run read of facts that change, as its type defines it. `None` until it has.
    pub observed: Option<Value>,
}

/// Pins as stored, as JSON with their job. The writer and its grant have members of their own: it was the
/// only plug-in of a job when the first pins were stored, and older versions of this program read it there.
#[derive(Clone, Serialize, Deserialize)]
struct StoredPins {
    backend: Option<PinnedPlugin>,
    connections: BTreeMap<String, PinnedConnection>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    lacking: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    free_urls: bool,
    #[serde(default)]
    brand: Option<BrandBinding>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    offer: Option<OfferBinding>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    templates: Vec<TemplateBinding>,
    #[serde(default)]
    start_urls: Option<StartUrls>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    plugins: BTreeMap<Role, PinnedPlugin>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    observed: Option<Value>,
}

impl From<StoredPins> for Pins {
    fn from(stored: StoredPins) -> Self {
        let mut plugins = stored.plugins;
        let writer = stored.backend.map(|writer| PinnedPlugin {
            free_urls: stored.free_urls,
            ..writer
        });
        plugins.extend(writer.map(|writer| (Role::WRITER, writer)));
        Self {
            plugins,
            connections: stored.connections,
            lacking: stored.lacking,
            brand: stored.brand,
            offer: stored.offer,
            templates: stored.templates,
            start_urls: stored.start_urls,
            observed: stored.observed,
        }
    }
}

impl From<Pins> for StoredPins {
    fn from(pins: Pins) -> Self {
        let mut plugins = pins.plugins;
        let mut backend = plugins.remove(&Role::WRITER);
        let free_urls = backend
            .as_mut()
            .is_some_and(|writer| std::mem::take(&mut writer.free_urls));
        Self {
            backend,
            connections: pins.connections,
            lacking: pins.lacking,
            free_urls,
            brand: pins.brand,
            offer: pins.offer,
            templates: pins.templates,
            start_urls: pins.start_urls,
            plugins,
            observed: pins.observed,
        }
    }
}

/// A bound plug-in with the settings of its binding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PinnedPlugin {
    pub key: String,
    /// Version; `None` if the binding has none.
    pub version: Option<String>,
    /// Digest of the component; `None` if the catalog did not have it.
    pub digest: Option<Digest>,
    /// Digest of the manifest; `None` if the catalog did not have it, and in jobs older than pinned
    /// manifests.
    #[serde(default)]
    pub manifest_digest: Option<Digest>,
    pub settings: Value,
    /// Whether this plug-in may fetch pages at addresses of its own making. The operator's grant to one
    /// backend of a job does not extend to another.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub free_urls: bool,
}

/// A bound connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PinnedConnection {
    pub connection: ConnectionId,
    /// Version of its credentials at that time.
    pub credentials_version: i64,
    /// Its connector, with the connection's settings overlaid by the binding's.
    pub connector: PinnedPlugin,
}

impl PinnedPlugin {
    /// The plug-in, if it was in the catalog when the job was created.
    #[must_use]
    pub fn identity(&self) -> Option<PluginIdentity> {
        Some(PluginIdentity {
            key: self.key.clone(),
            version: self.version.clone()?,
            digest: self.digest?,
            manifest_digest: self.manifest_digest,
        })
    }
}

/// A plug-in that fills a role without a binding, and so without settings.
fn unbound(found: PluginIdentity) -> PinnedPlugin {
    PinnedPlugin {
        key: found.key,
        version: Some(found.version),
        digest: Some(found.digest),
        manifest_digest: found.manifest_digest,
        settings: Value::Object(Map::new()),
        free_urls: false,
    }
}

impl Pins {
    /// The pins of a job with this plan under these bindings. Pins only connections that a generation
    /// backend's manifest requests, or that the host itself asks.
    pub fn resolve(
        plan: &Plan,
        bindings: &Bindings,
        backends: &dyn BackendRunner,
        pure: &dyn PureRunner,
        connectors: &dyn ConnectorCaller,
    ) -> Self {
        let mut facts: Vec<BackendFacts> = Vec::new();
        let mut plugins = BTreeMap::new();
        for planned in &plan.roles {
            let bound = bindings.get(planned.bound_as).and_then(|effective| {
                let served = planned.served_by(&effective.binding.target)?;
                Some((effective, served))
            });
            let Some((effective, (key, version))) = bound else {
                let found = planned
                    .otherwise
                    .and_then(|key| pure.newest_pure(planned.kind, key));
                plugins.extend(found.map(|found| (planned.role.clone(), unbound(found))));
                continue;
            };
            let mut free_urls = false;
            let found = version.and_then(|version| match planned.kind {
                PluginKind::GenerationBackend => {
                    let backend = backends.find_backend(key, version)?;
                    let identity = backend.identity.clone();
                    free_urls = backend.free_urls;
                    facts.push(backend);
                    Some(identity)
                }
                kind => pure.find_pure(kind, key, version),
            });
            let pinned = PinnedPlugin {
                key: key.to_owned(),
                version: version.map(str::to_owned),
                digest: found.as_ref().map(|i| i.digest),
                manifest_digest: found.and_then(|i| i.manifest_digest),
                settings: effective.binding.settings.clone(),
                free_urls,
            };
            plugins.insert(planned.role.clone(), pinned);
        }
        let wanted = |name: &str| {
            let own = plan.calls.iter().any(|call| call.capability == name);
            own || facts.iter().any(|facts| facts.declares(name))
        };
        let mut lacking = BTreeMap::new();
        let connections = bindings
            .iter()
            .filter(|(name, _)| wanted(name))
            .filter_map(|(name, effective)| {
                let row = effective.connection.as_ref()?;
                let settings = overlaid(&row.settings, &effective.binding.settings);
                let facts = connectors.connector_facts(&row.provider_key, &row.manifest_version);
                let missing: Vec<_> = facts
                    .iter()
                    .flat_map(|facts| facts.missing(&row.configured_fields, &settings))
                    .map(|field| field.key.clone())
                    .collect();
                // Without a credential it cannot serve.
                if !missing.is_empty() {
                    lacking.insert(name.to_owned(), missing);
                    return None;
                }
                let found = connectors.find_connector(&row.provider_key, &row.manifest_version);
                let connector = PinnedPlugin {
                    key: row.provider_key.clone(),
                    version: Some(row.manifest_version.clone()),
                    digest: found.as_ref().map(|i| i.digest),
                    manifest_digest: found.and_then(|i| i.manifest_digest),
                    settings,
                    free_urls: false,
                };
                let pinned = PinnedConnection {
                    connection: row.id,
                    credentials_version: row.credentials_version,
                    connector,
                };
                Some((name.to_owned(), pinned))
            })
            .collect();
        Self {
            plugins,
            connections,
            lacking,
            brand: None,
            offer: None,
            templates: Vec::new(),
            start_urls: None,
            observed: None,
        }
    }

    /// The credentials that the connection bound to a capability lacks; none if there is no such connection.
    #[must_use]
    pub fn lacking(&self, capability: &str) -> &[String] {
        self.lacking
            .get(capability)
            .map_or(&[], |names| names.as_slice())
    }

    /// The generation backend that writes the result; `None` if none was bound.
    #[must_use]
    pub fn writer(&self) -> Option<&PinnedPlugin> {
        self.plugins.get(&Role::WRITER)
    }

    /// Where research begins, for sites that are not at `https://<domain>/`.
    #[must_use]
    pub fn start_urls(&self) -> StartUrls {
        let in_settings = || {
            let backend = self.writer()?;
            StartUrls::deserialize(backend.settings.get("start_urls")?).ok()
        };
        let own = self.start_urls.clone();
        own.or_else(in_settings).unwrap_or_default()
    }

    /// The JSON to be stored.
    ///
    /// # Errors
    /// If a setting cannot be serialized.
    pub fn to_value(&self) -> Result<Value, EngineError> {
        serde_json::to_value(self).map_err(|e| EngineError::shape("pins", e))
    }
    /// Reads the stored JSON.
    ///
    /// # Errors
    /// If the value was not written by [`Self::to_value`].
    pub fn from_value(value: &Value) -> Result<Self, EngineError> {
        Self::deserialize(value).map_err(|e| EngineError::shape("pins", e))
    }
}

/// Merges two objects; where both have a member, `over` wins.
fn overlaid(under: &Value, over: &Value) -> Value {
    let mut members: Map<String, Value> = under.as_object().cloned().unwrap_or_default();
    if let Some(over) = over.as_object() {
        members.extend(over.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
    Value::Object(members)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gtm_domain::document::DocumentFormat;
    use gtm_domain::{BrandId, DocumentTemplateId, OfferId};
    use serde_json::json;

    #[test]
    fn pins_survive_storage() {
        let plugin = PinnedPlugin {
            key: "web-fetch".into(),
            version: Some("1.0.0".into()),
            digest: Some(Digest::of(b"x")),
            manifest_digest: Some(Digest::of(b"z")),
            settings: json!({"a": 1}),
            free_urls: false,
        };
        let granted = PinnedPlugin {
            free_urls: true,
            ..plugin.clone()
        };
        let connection = PinnedConnection {
            connection: ConnectionId::from_uuid(uuid::Uuid::from_u128(7)),
            credentials_version: 3,
            connector: plugin.clone(),
        };
        let pins = Pins {
            plugins: [
                (Role::WRITER, granted.clone()),
                (Role::named("render.pptx"), plugin),
                (Role::named("companion"), granted),
            ]
            .into(),
            connections: [("web.fetch".to_owned(), connection)].into(),
            lacking: [("news.search".to_owned(), vec!["api_key".to_owned()])].into(),
            brand: Some(BrandBinding {
                brand_profile_id: BrandId::from_uuid(uuid::Uuid::from_u128(8)),
                revision: 2,
                guideline_hash: Digest::of(b"y"),
            }),
            offer: Some(OfferBinding {
                offer_id: OfferId::from_uuid(uuid::Uuid::from_u128(9)),
                revision: 3,
                offer_hash: Digest::of(b"o"),
            }),
            templates: vec![TemplateBinding {
                template_id: DocumentTemplateId::from_uuid(uuid::Uuid::from_u128(10)),
                format: DocumentFormat::Docx,
                digest: Digest::of(b"t"),
            }],
            start_urls: Some(
                [("a.example".to_owned(), "http://b/".to_owned())]
                    .into_iter()
                    .collect(),
            ),
            observed: Some(json!({"at": "2026-11-28T00:00:00.000Z"})),
        };
        assert_eq!(Pins::from_value(&pins.to_value().unwrap()).unwrap(), pins);
        assert!(Pins::from_value(&json!(3)).is_err());
        let mut before_manifests = pins.to_value().unwrap();
        before_manifests["backend"]
            .as_object_mut()
            .unwrap()
            .remove("manifest_digest");
        let read = Pins::from_value(&before_manifests).unwrap();
        assert_eq!(read.writer().unwrap().manifest_digest, None);
        let before_brands = json!({"backend": null, "connections": {}});
        assert_eq!(Pins::from_value(&before_brands).unwrap(), Pins::default());
    }

    #[test]
    fn a_writer_is_stored_where_older_versions_look_for_it() {
        let stored = json!({
            "backend": {"key": "playbook", "version": "1.0.0", "digest": Digest::of(b"x"),
                "manifest_digest": Digest::of(b"y"), "settings": {"a": 1}},
            "connections": {}, "free_urls": true, "brand": null, "start_urls": {},
        });
        let pins = Pins::from_value(&stored).unwrap();
        assert_eq!(pins.writer().unwrap().key, "playbook");
        assert!(pins.writer().unwrap().free_urls);
        assert_eq!(pins.plugins.len(), 1);
        assert_eq!(pins.to_value().unwrap(), stored, "to the last member");
    }

    #[test]
    fn start_urls_of_an_older_job_stand_in_its_settings() {
        let older = json!({"backend": {"key": "playbook", "version": null, "digest": null,
            "settings": {"start_urls": {"acme.example": "http://127.0.0.1/"}}}, "connections": {}});
        let mut pins = Pins::from_value(&older).unwrap();
        assert_eq!(
            pins.start_urls().get("acme.example"),
            Some("http://127.0.0.1/")
        );
        // Once the host pins start URLs, a setting of that name is the backend's own business.
        pins.start_urls = Some(StartUrls::default());
        assert!(pins.start_urls().is_empty());
        assert!(Pins::default().start_urls().is_empty());
    }

    #[test]
    fn the_binding_overrides_the_connection() {
        let both = overlaid(&json!({"model": "a", "free": true}), &json!({"model": "b"}));
        assert_eq!(both, json!({"model": "b", "free": true}));
    }
}
