//! Connections as the API shows them: the stored row plus the status and verification derived from it
//! (specification, Connection; annex A12). The status is never stored, so it cannot be older than the facts
//! from which it is derived.

pub mod credentials;
pub mod verification;

use std::collections::BTreeSet;
use std::time::Duration;

use gtm_domain::connection::{
    Connection, ConnectionState, ConnectionStatus, VerificationMethod, VerificationRecord,
    VerificationResult,
};
use gtm_domain::open_enumeration::open_enumeration;
use gtm_domain::{ConnectionId, ProjectId, Timestamp};
use gtm_runtime::verification_modes;
pub use gtm_runtime::{ConnectorCatalog, VerificationMode};
use gtm_store::ProjectScope;
use serde::Serialize;
use utoipa::ToSchema;

use crate::engine::Engine;
use crate::error::EngineError;
use crate::plugins::ConnectorFacts;

/// How long a verification stays valid: a provider may withdraw credentials without telling us.
pub const VERIFICATION_SPAN: Duration = Duration::from_secs(30 * 24 * 60 * 60);

// Exactly the specification's members.
/// A connection of the project.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ConnectionView {
    #[schema(value_type = String, pattern = "^conn_")]
    pub id: ConnectionId,
    #[schema(value_type = String, pattern = "^prj_")]
    pub project_id: ProjectId,
    /// Key of the connector.
    pub provider_key: String,
    pub manifest_version: String,
    pub name: String,
    /// Credential fields and settings that have a value.
    #[schema(value_type = std::collections::BTreeSet<String>)]
    pub configured_fields: Vec<String>,
    /// Counts the changes of the credentials.
    #[schema(minimum = 1)]
    pub credentials_version: i64,
    #[schema(value_type = String, extensions(("x-extensible-enum" = json!(open_enumeration::<PublicStatus>()))))]
    pub status: PublicStatus,
    #[schema(inline)]
    pub verification: VerificationView,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// Whether a connection can be used (annex A12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PublicStatus {
    /// A credential that it needs is missing; bindings to it do not resolve.
    Incomplete,
    /// Everything that it needs is there.
    Configured,
    /// Disabled by its owner; bindings to it do not resolve.
    Disabled,
    /// Its secrets cannot be decrypted with the present master keys.
    Error,
    /// The provider accepted its credentials before, but refused them at the last check.
    Revoked,
}

impl PublicStatus {
    /// The value in answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Incomplete => "incomplete",
            Self::Configured => "configured",
            Self::Disabled => "disabled",
            Self::Error => "error",
            Self::Revoked => "revoked",
        }
    }
}

/// What is known about a connection's credentials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct VerificationView {
    /// How the connector's credentials are checked.
    #[schema(value_type = String, extensions(("x-extensible-enum" = json!(verification_modes()))))]
    pub mode: VerificationMode,
    /// Verdict of the last check.
    #[schema(value_type = String, extensions(("x-extensible-enum" = json!(open_enumeration::<VerificationStatus>()))))]
    pub status: VerificationStatus,
    /// Whether the last check sent a request to the provider.
    pub network_request_made: bool,
}

/// Verdict of the last check of the credentials (annex A12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerificationStatus {
    /// The present credentials, settings and manifest have never been checked.
    NotAttempted,
    /// The last check gave no verdict; the next one may.
    Pending,
    /// The credentials are valid.
    Verified,
    /// The credentials are invalid.
    Failed,
    /// The last check was too long ago.
    Expired,
    /// Nothing checks this connector's credentials.
    Unavailable,
}

impl VerificationStatus {
    /// The value in answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotAttempted => "not_attempted",
            Self::Pending => "pending",
            Self::Verified => "verified",
            Self::Failed => "failed",
            Self::Expired => "expired",
            Self::Unavailable => "unavailable",
        }
    }
}

/// A connection as the API shows it. If the catalog no longer has its connector, nothing is reported as
/// missing or checked.
#[must_use]
pub fn describe(
    state: &ConnectionState,
    facts: Option<&ConnectorFacts>,
    now: Timestamp,
) -> ConnectionView {
    let row = &state.connection;
    ConnectionView {
        id: row.id,
        project_id: row.project,
        provider_key: row.provider_key.clone(),
        manifest_version: row.manifest_version.clone(),
        name: row.name.clone(),
        configured_fields: configured_fields(row),
        credentials_version: row.credentials_version,
        status: status_of(state, facts),
        verification: verification_of(state, facts, now),
        created_at: row.created_at,
        updated_at: row.updated_at,
    }
}

fn configured_fields(row: &Connection) -> Vec<String> {
    let settings = row.settings.as_object();
    let names: BTreeSet<&String> = row
        .configured_fields
        .iter()
        .chain(settings.iter().flat_map(|members| members.keys()))
        .collect();
    names.into_iter().cloned().collect()
}

fn status_of(state: &ConnectionState, facts: Option<&ConnectorFacts>) -> PublicStatus {
    let row = &state.connection;
    let lacks = |f: &ConnectorFacts| !f.missing(&row.configured_fields, &row.settings).is_empty();
    let revoked = state.verification.as_ref().is_some_and(|v| v.revoked);
    if row.status == ConnectionStatus::Disabled {
        PublicStatus::Disabled
    } else if !state.secrets_open {
        PublicStatus::Error
    } else if facts.is_some_and(lacks) {
        PublicStatus::Incomplete
    } else if revoked && state.verification_is_current {
        PublicStatus::Revoked
    } else {
        PublicStatus::Configured
    }
}

fn verification_of(
    state: &ConnectionState,
    facts: Option<&ConnectorFacts>,
    now: Timestamp,
) -> VerificationView {
    let mode = facts.map_or(
        VerificationMode::Unavailable,
        ConnectorFacts::verification_mode,
    );
    let (status, network_request_made) = match (&state.verification, mode) {
        (_, VerificationMode::Unavailable) => (VerificationStatus::Unavailable, false),
        (None, _) => (VerificationStatus::NotAttempted, false),
        // A check that used another method than the connector's present one says nothing.
        (Some(check), _) if !is_of_mode(check, mode) => (VerificationStatus::NotAttempted, false),
        // Nobody has checked the present credentials, settings and manifest.
        (Some(_), _) if !state.verification_is_current => (VerificationStatus::NotAttempted, false),
        (Some(check), _) if is_old(check, now) => {
            (VerificationStatus::Expired, check.network_request_made)
        }
        (Some(check), _) => {
            let status = match check.result {
                VerificationResult::Pending => VerificationStatus::Pending,
                VerificationResult::Verified => VerificationStatus::Verified,
                VerificationResult::Failed => VerificationStatus::Failed,
            };
            (status, check.network_request_made)
        }
    };
    VerificationView {
        mode,
        status,
        network_request_made,
    }
}

fn is_of_mode(check: &VerificationRecord, mode: VerificationMode) -> bool {
    match check.method {
        VerificationMethod::Format => mode == VerificationMode::Format,
        VerificationMethod::LiveProbe => mode == VerificationMode::LiveProbe,
    }
}

fn is_old(check: &VerificationRecord, now: Timestamp) -> bool {
    now > check.at.plus(VERIFICATION_SPAN)
}

impl Engine {
    /// The project's own connections, oldest first.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn connections(
        &self,
        scope: &ProjectScope,
    ) -> Result<Vec<ConnectionView>, EngineError> {
        let now = self.clock().now();
        let states = self.store().connections(scope).await?;
        Ok(states
            .iter()
            .map(|state| {
                let row = &state.connection;
                let facts = self
                    .connectors()
                    .connector_facts(&row.provider_key, &row.manifest_version);
                describe(state, facts.as_ref(), now)
            })
            .collect())
    }

    /// The present catalog of connectors.
    #[must_use]
    pub fn connector_catalog(&self) -> ConnectorCatalog {
        self.connectors().connector_catalog(self.clock().now())
    }
}

#[cfg(test)]
mod tests;
