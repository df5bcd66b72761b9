//! Secrets of connections: on their way in, and opened.

use std::collections::BTreeMap;

use gtm_domain::connection::{Connection, ConnectionStatus};
use secrecy::SecretString;
use serde_json::Value;

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
    pub connection: Connection,
    /// Credential values by field name. Their `Debug` form is hidden.
    pub credentials: BTreeMap<String, SecretString>,
}
