//! What is known of a connection beyond its row: the last check of its credentials, and whether its
//! secrets open. What follows for its public status is the engine's to say.

use gtm_domain::{Digest, Timestamp, canonical_digest};
use serde::Serialize;
use serde_json::json;

use super::connection::ConnectionRow;
use crate::error::StoreError;

/// How credentials were checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerificationMethod {
    /// Their form, without a request.
    Format,
    /// A request to the provider.
    LiveProbe,
}

impl VerificationMethod {
    /// The stored value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::LiveProbe => "live_probe",
        }
    }
    /// The method with this value.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Format, Self::LiveProbe]
            .into_iter()
            .find(|m| m.as_str() == text)
    }
}

/// What a check said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerificationResult {
    /// Nothing yet: there was an attempt, and its answer decides nothing.
    Pending,
    /// The credentials are good.
    Verified,
    /// The credentials are bad.
    Failed,
}

impl VerificationResult {
    /// The stored value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Verified => "verified",
            Self::Failed => "failed",
        }
    }
    /// The result with this value.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Pending, Self::Verified, Self::Failed]
            .into_iter()
            .find(|r| r.as_str() == text)
    }
}

/// A check to be recorded.
#[derive(Debug, Clone)]
pub struct NewVerification {
    /// The connection as it was when it was checked.
    pub checked: ConnectionRow,
    /// How.
    pub method: VerificationMethod,
    /// What it said.
    pub result: VerificationResult,
    /// Whether a request left.
    pub network_request_made: bool,
    /// One sentence for the operator. Never holds a secret.
    pub detail: Option<String>,
}

/// The last check of a connection's credentials.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerificationRecord {
    /// How.
    pub method: VerificationMethod,
    /// What it said.
    pub result: VerificationResult,
    /// Whether a request left.
    pub network_request_made: bool,
    /// Whether the provider took these very credentials before.
    pub revoked: bool,
    /// One sentence for the operator.
    pub detail: Option<String>,
    /// Digest over what was checked.
    pub subject: Digest,
    /// When.
    pub at: Timestamp,
}

/// A connection with what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ConnectionState {
    /// The connection.
    pub connection: ConnectionRow,
    /// The last check, if there was one.
    pub verification: Option<VerificationRecord>,
    /// Whether that check was of the credentials, settings and manifest that the connection has now.
    pub verification_is_current: bool,
    /// Whether the key ring opens all of its secrets.
    pub secrets_open: bool,
}

impl ConnectionRow {
    /// Digest over what a check of the credentials speaks of.
    pub(crate) fn verification_subject(&self) -> Result<Digest, StoreError> {
        canonical_digest(&json!({
            "credentials_version": self.credentials_version,
            "manifest_version": self.manifest_version,
            "settings": self.settings,
        }))
        .map_err(|e| StoreError::Corrupt(format!("settings of connection {}: {e}", self.id)))
    }
}
