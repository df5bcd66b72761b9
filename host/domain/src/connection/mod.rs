//! Connections to providers, without their secrets.

pub mod verification;

use serde::Serialize;
use serde_json::Value;

use crate::{ConnectionId, OrganizationId, ProjectId, Timestamp};

pub use verification::{
    ConnectionState, NewVerification, VerificationMethod, VerificationRecord, VerificationResult,
};

/// Whether a connection may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConnectionStatus {
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
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Configured, Self::Disabled]
            .into_iter()
            .find(|s| s.as_str() == text)
    }
}

/// A connection without its secrets: shows only the names of the fields that have a value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Connection {
    pub id: ConnectionId,
    /// The project that owns it.
    pub project: ProjectId,
    /// The project's organization.
    pub organization: OrganizationId,
    /// Key of the connector (manifest `key`).
    pub provider_key: String,
    /// Version of the connector's manifest under which it was configured.
    pub manifest_version: String,
    /// Name for people.
    pub name: String,
    pub status: ConnectionStatus,
    /// Settings, validated by the caller against the manifest's schema.
    pub settings: Value,
    /// Names of the credential fields that have a value, sorted.
    pub configured_fields: Vec<String>,
    /// Counts the changes of the credentials, from 1.
    pub credentials_version: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}
