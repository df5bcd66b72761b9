//! Verifies a connection by asking the provider whether it accepts the credentials. The request comes from
//! the connector's manifest, and no plug-in runs. If the manifest has none, only the form of the values is
//! checked. The verdict is stored with the connection.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use gtm_domain::connection::{Connection, NewVerification, VerificationMethod, VerificationResult};
use gtm_runtime::egress::{
    CallGrant, EgressGate, GrantParts, VerificationOutcome, VerificationStatus as Answer,
};
use gtm_runtime::manifest::{CredentialField, Grant, Verification as Probe};
use gtm_runtime::{HostLimits, Manifest, Runtime, VerificationMode};
use gtm_store::{ConnectionSecrets, Operator, StoreError};
use secrecy::ExposeSecret as _;
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::credentials;

/// Maximum number of requests per verification: the probe, and one for a token if the scheme needs it.
const REQUESTS: u32 = 2;
/// Time limit of a whole verification; the manifest's own limit for the probe is shorter.
const SPAN: Duration = Duration::from_secs(30);

/// A check of a connection's credentials.
#[derive(Debug, Clone, PartialEq)]
pub struct CredentialCheck {
    pub method: VerificationMethod,
    pub result: VerificationResult,
    pub network_request_made: bool,
    /// Status of the provider's answer, if it answered.
    pub http_status: Option<u16>,
    /// Quota figures from the answer that the manifest maps.
    pub quota: BTreeMap<String, Value>,
    /// One sentence for the operator. Must never contain a secret.
    pub detail: Option<String>,
}

/// Why the check gave no verdict. Nothing is stored in this case.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NotChecked {
    /// The catalog does not have the connection's version of its connector.
    #[error("the catalog has no connector {key} {version}")]
    UnknownConnector { key: String, version: String },
    /// The catalog lists the connector but runs nothing of it.
    #[error("nothing of this connector runs here, so nothing can check its credentials")]
    NotRunning,
    #[error("the connector has no credentials, so there is nothing to check")]
    NoCredentials,
    #[error("the connection lacks credentials that it needs")]
    Incomplete,
    /// The request costs money, and nobody has allowed that.
    #[error("the provider charges for the request")]
    Billable,
    /// The connection's settings do not yield a request.
    #[error("{0}")]
    Settings(String),
    /// The check ran, but its verdict could not be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Verifies a connection and stores the verdict. DANGER: this does not check whether the caller may verify
/// the connection or use its secrets; whoever hands out `stored` decides that. A request that the provider
/// charges for is sent only if `billable` allows it.
///
/// # Errors
/// See [`NotChecked`]. Credentials that the provider refuses are not an error.
pub async fn verify(
    runtime: &Runtime,
    operator: &Operator,
    stored: ConnectionSecrets,
    billable: bool,
) -> Result<CredentialCheck, NotChecked> {
    let Connection {
        provider_key: key,
        manifest_version: version,
        ..
    } = &stored.connection;
    let found = runtime.catalog().connector(key, Some(version));
    let connector = found.ok_or_else(|| NotChecked::UnknownConnector {
        key: key.clone(),
        version: version.clone(),
    })?;
    if !connector.runs() {
        return Err(NotChecked::NotRunning);
    }
    let (manifest, mode) = (connector.manifest, connector.verification_mode());
    let checked = stored.connection.clone();
    let check = match request_of(manifest, mode, &stored, billable)? {
        None => check_form(manifest, &stored),
        Some(request) => {
            let (gate, limits) = (runtime.gate(), runtime.limits());
            probe(gate, limits, manifest, request, stored).await?
        }
    };
    operator.record_verification(check.record(checked)).await?;
    Ok(check)
}

/// The request that checks the credentials; `None` if only their form can be checked.
fn request_of<'m>(
    manifest: &'m Manifest,
    mode: VerificationMode,
    stored: &ConnectionSecrets,
    billable: bool,
) -> Result<Option<&'m Probe>, NotChecked> {
    let probe = match mode {
        VerificationMode::Unavailable => return Err(NotChecked::NoCredentials),
        VerificationMode::Format => return Ok(None),
        VerificationMode::LiveProbe => manifest.verification.as_ref(),
    };
    // A provider that needs no credentials is asked too: whether it answers as it should is worth knowing.
    let settings = &stored.connection.settings;
    let lacks = |field: &CredentialField| {
        field.needed_with(settings) && !stored.credentials.contains_key(&field.key)
    };
    if manifest.credential_fields.iter().any(lacks) {
        return Err(NotChecked::Incomplete);
    }
    if probe.is_some_and(|probe| probe.billable) && !billable {
        return Err(NotChecked::Billable);
    }
    Ok(probe)
}

/// Whether all values are present and have the form that the manifest requires.
fn check_form(manifest: &Manifest, stored: &ConnectionSecrets) -> CredentialCheck {
    let settings = &stored.connection.settings;
    let broken = manifest.credential_fields.iter().find_map(|field| {
        match stored.credentials.get(&field.key) {
            Some(value) => credentials::check(field, value.expose_secret())
                .err()
                .map(|unfit| unfit.to_string()),
            None if field.needed_with(settings) => {
                Some(format!("the credential {} is missing", field.key))
            }
            None => None,
        }
    });
    CredentialCheck {
        method: VerificationMethod::Format,
        result: if broken.is_some() {
            VerificationResult::Failed
        } else {
            VerificationResult::Verified
        },
        network_request_made: false,
        http_status: None,
        quota: BTreeMap::new(),
        detail: Some(broken.unwrap_or_else(|| {
            "only the form was checked: the connector has no request to the provider".to_owned()
        })),
    }
}

/// Sends the probe to the provider.
async fn probe(
    gate: &EgressGate,
    limits: &HostLimits,
    manifest: &Manifest,
    request: &Probe,
    stored: ConnectionSecrets,
) -> Result<CredentialCheck, NotChecked> {
    let public = credentials::public_fields(manifest);
    let budget = limits.egress_budget(REQUESTS, &manifest.limits, Instant::now() + SPAN);
    let grant = CallGrant::for_call(GrantParts {
        connector: &manifest.key,
        egress: &manifest.egress,
        open_web: manifest.asks_for(Grant::OpenWeb),
        schemes: &manifest.auth.schemes,
        rate: &manifest.rate,
        limit_key: None,
        settings: &stored.connection.settings,
        credentials: credentials::for_call(stored.credentials, &public),
        replay_safe: false,
        idempotency: None,
        budget: Arc::new(budget),
        cancel: CancellationToken::new(),
    })
    .map_err(|failure| NotChecked::Settings(failure.message))?;
    Ok(CredentialCheck::of(gate.verify(&grant, request).await))
}

impl CredentialCheck {
    fn of(outcome: VerificationOutcome) -> Self {
        Self {
            method: VerificationMethod::LiveProbe,
            result: match outcome.status {
                Answer::Valid => VerificationResult::Verified,
                Answer::Invalid => VerificationResult::Failed,
                Answer::Inconclusive => VerificationResult::Pending,
            },
            network_request_made: outcome.network_request_made,
            http_status: outcome.http_status,
            quota: outcome.quota,
            detail: outcome.failure.map(|failure| failure.message),
        }
    }

    fn record(&self, checked: Connection) -> NewVerification {
        NewVerification {
            checked,
            method: self.method,
            result: self.result,
            network_request_made: self.network_request_made,
            detail: self.detail.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
