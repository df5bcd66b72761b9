//! Connections to providers and their secrets.

use std::collections::BTreeMap;

use gtm_domain::{ConnectionId, OrganizationId, ProjectId, Timestamp};
use secrecy::SecretString;
use serde::Serialize;
use serde_json::Value;

/// Whether a connection may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConnectionStatus {
    /// Usable.
    Configured,
    /// Switched off by its owner; bindings to it do not resolve.
    Disabled,
}

impl ConnectionStatus {
    /// The stored value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Configured => "configured",
            Self::Disabled => "disabled",
        }
    }
    /// The status with this value.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Configured, Self::Disabled]
            .into_iter()
            .find(|s| s.as_str() == text)
    }
}

/// A connection without its secrets: only the names of the fields that have a value are shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConnectionRow {
    /// Identifier.
    pub id: ConnectionId,
    /// The project that owns it.
    pub project: ProjectId,
    /// The project's organization.
    pub organization: OrganizationId,
    /// Key of the connector (manifest `key`).
    pub provider_key: String,
    /// Version of the connector's manifest that it was configured with.
    pub manifest_version: String,
    /// Name for people.
    pub name: String,
    /// Whether it may be used.
    pub status: ConnectionStatus,
    /// Settings, validated by the caller against the manifest's schema.
    pub settings: Value,
    /// Names of the credential fields that have a value, sorted.
    pub configured_fields: Vec<String>,
    /// Counts the changes of the credentials, from 1.
    pub credentials_version: i64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// A connection to be made.
#[derive(Debug, Clone)]
pub struct NewConnection {
    /// Key of the connector.
    pub provider_key: String,
    /// Version of the connector's manifest.
    pub manifest_version: String,
    /// Name for people.
    pub name: String,
    /// Settings.
    pub settings: Value,
    /// Credential values by field name; sealed before they are stored.
    pub credentials: BTreeMap<String, SecretString>,
}

/// Changes to a connection; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct ConnectionChange {
    /// New name.
    pub name: Option<String>,
    /// New manifest version.
    pub manifest_version: Option<String>,
    /// New settings, replacing the old as a whole.
    pub settings: Option<Value>,
    /// Credential fields to set; other fields keep their values.
    pub credentials: BTreeMap<String, SecretString>,
    /// Credential fields to remove.
    pub remove_credentials: Vec<String>,
    /// New status.
    pub status: Option<ConnectionStatus>,
}

/// A connection with its opened secrets, for the egress gate alone.
#[derive(Debug, Clone)]
pub struct ConnectionSecrets {
    /// The connection.
    pub connection: ConnectionRow,
    /// Credential values by field name. Their `Debug` form is hidden.
    pub credentials: BTreeMap<String, SecretString>,
}
