//! Connections to create or change with their secrets, and connections with opened secrets.

use std::collections::BTreeMap;

use gtm_domain::connection::{Connection, ConnectionStatus};
use secrecy::SecretString;
use serde_json::Value;

/// A connection to create.
#[derive(Debug, Clone)]
pub struct NewConnection {
    /// Key of the connector.
    pub provider_key: String,
    /// Version of the connector's manifest.
    pub manifest_version: String,
    /// Name shown to people.
    pub name: String,
    pub settings: Value,
    /// Credential values by field name; sealed before they are stored.
    pub credentials: BTreeMap<String, SecretString>,
}

/// Changes to a connection; a field that is `None` stays unchanged.
#[derive(Debug, Clone, Default)]
pub struct ConnectionChange {
    pub name: Option<String>,
    pub manifest_version: Option<String>,
    /// New settings; they replace the old ones as a whole.
    pub settings: Option<Value>,
    /// Credential fields to set; the others keep their values.
    pub credentials: BTreeMap<String, SecretString>,
    /// Credential fields to remove.
    pub remove_credentials: Vec<String>,
    pub status: Option<ConnectionStatus>,
}

/// A connection with its opened secrets, for the egress gate alone.
#[derive(Debug, Clone)]
pub struct ConnectionSecrets {
    pub connection: Connection,
    /// Credential values by field name. Their `Debug` form is hidden.
    pub credentials: BTreeMap<String, SecretString>,
}
