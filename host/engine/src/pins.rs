//! What a job keeps from the moment of its creation: everything that its backend can observe.
//!
//! A resumed run reads these, never the current bindings, so it meets the same backend, the same
//! connectors and the same settings, or fails and says what is gone.

use std::collections::BTreeMap;

use gtm_domain::brand::BrandBinding;
use gtm_domain::start_url::StartUrls;
use gtm_domain::{ConnectionId, Digest};
use gtm_store::{BindingTarget, Bindings};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::EngineError;
use crate::plugins::{BackendFacts, BackendRunner, ConnectorCaller, PluginIdentity};

/// The pins of a job, stored as JSON with it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Pins {
    /// The backend; none if nothing was bound.
    pub backend: Option<PinnedPlugin>,
    /// Connections by provider capability.
    pub connections: BTreeMap<String, PinnedConnection>,
    /// Whether the backend may have pages fetched from addresses of its own making.
    #[serde(default)]
    pub free_urls: bool,
    /// The brand's guideline that the result speaks for; none if there is none.
    #[serde(default)]
    pub brand: Option<BrandBinding>,
    /// Where research of the job's domain begins, or of any domain if it names none. None in jobs from
    /// before start URLs were the host's: then they stand in the backend's settings.
    #[serde(default)]
    pub start_urls: Option<StartUrls>,
}

/// A bound plug-in with the settings of its binding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PinnedPlugin {
    /// Key.
    pub key: String,
    /// Version; none if the binding has none.
    pub version: Option<String>,
    /// Digest of the component; none if the catalog did not have it.
    pub digest: Option<Digest>,
    /// Digest of the manifest; none if the catalog did not have it, and in jobs of before manifests were
    /// pinned.
    #[serde(default)]
    pub manifest_digest: Option<Digest>,
    /// Settings.
    pub settings: Value,
}

/// A bound connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PinnedConnection {
    /// Connection.
    pub connection: ConnectionId,
    /// Which change of its credentials was current.
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

impl Pins {
    /// The pins of a job that runs product capability `capability` under these bindings. Only
    /// connections that the backend's manifest asks for are pinned.
    pub fn resolve(
        capability: &str,
        bindings: &Bindings,
        backends: &dyn BackendRunner,
        connectors: &dyn ConnectorCaller,
    ) -> Self {
        let mut facts: Option<BackendFacts> = None;
        let backend =
            bindings
                .get(capability)
                .and_then(|effective| match &effective.binding.target {
                    BindingTarget::Backend { key, version } => {
                        let stands_at = version.as_deref();
                        facts = stands_at.and_then(|v| backends.find_backend(key, v));
                        let found = facts.as_ref().map(|f| &f.identity);
                        Some(PinnedPlugin {
                            key: key.clone(),
                            version: version.clone(),
                            digest: found.map(|i| i.digest),
                            manifest_digest: found.and_then(|i| i.manifest_digest),
                            settings: effective.binding.settings.clone(),
                        })
                    }
                    BindingTarget::Connection { .. } => None,
                });
        let wanted = |name: &str| facts.as_ref().is_some_and(|facts| facts.declares(name));
        let connections = bindings
            .iter()
            .filter(|(name, _)| wanted(name))
            .filter_map(|(name, effective)| {
                let row = effective.connection.as_ref()?;
                let settings = overlaid(&row.settings, &effective.binding.settings);
                // What lacks a credential serves nothing: as if nothing were bound.
                let facts = connectors.connector_facts(&row.provider_key, &row.manifest_version);
                if facts.is_some_and(|f| !f.missing(&row.configured_fields, &settings).is_empty()) {
                    return None;
                }
                let found = connectors.find_connector(&row.provider_key, &row.manifest_version);
                let connector = PinnedPlugin {
                    key: row.provider_key.clone(),
                    version: Some(row.manifest_version.clone()),
                    digest: found.as_ref().map(|i| i.digest),
                    manifest_digest: found.and_then(|i| i.manifest_digest),
                    settings,
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
            backend,
            connections,
            free_urls: facts.as_ref().is_some_and(|facts| facts.free_urls),
            brand: None,
            start_urls: None,
        }
    }

    /// Where research begins, for sites that are not at `https://<domain>/`.
    #[must_use]
    pub fn start_urls(&self) -> StartUrls {
        let in_settings = || {
            let backend = self.backend.as_ref()?;
            StartUrls::deserialize(backend.settings.get("start_urls")?).ok()
        };
        let own = self.start_urls.clone();
        own.or_else(in_settings).unwrap_or_default()
    }

    /// As stored.
    ///
    /// # Errors
    /// If a setting does not serialize.
    pub fn to_value(&self) -> Result<Value, EngineError> {
        serde_json::to_value(self).map_err(|e| EngineError::shape("pins", e))
    }
    /// From storage.
    ///
    /// # Errors
    /// If the value was not written by [`Self::to_value`].
    pub fn from_value(value: &Value) -> Result<Self, EngineError> {
        Self::deserialize(value).map_err(|e| EngineError::shape("pins", e))
    }
}

/// The members of `over` laid over those of `under`.
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
    use gtm_domain::BrandId;
    use serde_json::json;

    #[test]
    fn pins_survive_storage() {
        let plugin = PinnedPlugin {
            key: "web-fetch".into(),
            version: Some("1.0.0".into()),
            digest: Some(Digest::of(b"x")),
            manifest_digest: Some(Digest::of(b"z")),
            settings: json!({"a": 1}),
        };
        let connection = PinnedConnection {
            connection: ConnectionId::from_uuid(uuid::Uuid::from_u128(7)),
            credentials_version: 3,
            connector: plugin.clone(),
        };
        let pins = Pins {
            backend: Some(plugin),
            connections: [("web.fetch".to_owned(), connection)].into(),
            free_urls: true,
            brand: Some(BrandBinding {
                brand_profile_id: BrandId::from_uuid(uuid::Uuid::from_u128(8)),
                revision: 2,
                guideline_hash: Digest::of(b"y"),
            }),
            start_urls: Some(
                [("a.example".to_owned(), "http://b/".to_owned())]
                    .into_iter()
                    .collect(),
            ),
        };
        assert_eq!(Pins::from_value(&pins.to_value().unwrap()).unwrap(), pins);
        assert!(Pins::from_value(&json!(3)).is_err());
        let mut before_manifests = pins.to_value().unwrap();
        before_manifests["backend"]
            .as_object_mut()
            .unwrap()
            .remove("manifest_digest");
        let read = Pins::from_value(&before_manifests).unwrap();
        assert_eq!(read.backend.unwrap().manifest_digest, None);
        let before_brands = json!({"backend": null, "connections": {}});
        assert_eq!(Pins::from_value(&before_brands).unwrap(), Pins::default());
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
        // A setting of that name is a backend's own affair since.
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
