//! `gtm connection verify`: the provider itself says whether it takes a connection's credentials. The
//! request is the connector's manifest's, and no plug-in runs. Where the manifest has none, the form of
//! the values is checked. What came of it is kept with the connection.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use gtm_domain::ConnectionId;
use gtm_engine::connections::VerificationStatus;
use gtm_runtime::egress::{
    CallGrant, EgressGate, GrantParts, VerificationOutcome, VerificationStatus as ProbeStatus,
};
use gtm_runtime::manifest::{CredentialField, Grant, Verification};
use gtm_runtime::{Credentials, HostLimits, Manifest, VerificationMode};
use gtm_store::{
    ConnectionRow, ConnectionSecrets, NewVerification, VerificationMethod, VerificationResult,
};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::connection_view::{self, Shown};
use crate::credential_input;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash};

/// Requests of one verification: the probe, and one for a token where the scheme needs it.
const REQUESTS: u32 = 2;
/// The whole of it; the probe's own bound is the manifest's and shorter.
const SPAN: Duration = Duration::from_secs(30);

/// What to verify.
#[derive(Debug, Args)]
pub struct Verify {
    /// The connection's id
    #[arg(value_name = "CONN")]
    pub id: ConnectionId,
    /// Verify even if the provider charges for the request
    #[arg(long)]
    billable: bool,
}

/// What is told, in the words of the API.
struct Verdict {
    status: VerificationStatus,
    /// How it was checked; none if it was not.
    method: Option<VerificationMethod>,
    network_request_made: bool,
    http_status: Option<u16>,
    quota: BTreeMap<String, Value>,
    reason: Option<String>,
}

/// Verify a connection.
///
/// # Errors
/// If the credentials are not verified (the verdict is printed before), or the connection,
/// its connector or its secrets are not there.
pub async fn run(
    command: &Verify,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let id = command.id;
    let stored = installation
        .operator()
        .connection_secrets(id)
        .await?
        .ok_or_else(|| Failure::absent("connection", id))?;
    let (key, version) = (
        &stored.connection.provider_key,
        &stored.connection.manifest_version,
    );
    let runtime = installation.start_runtime().await?;
    let connector = runtime
        .catalog()
        .connector(key, Some(version))
        .ok_or_else(|| {
            Failure::new(format!("the catalog has no connector {key} {version}"))
                .hint("`gtm plugin list` shows what is loaded, and what was refused and why")
        })?;
    let checked = stored.connection.clone();
    let verdict = match connector.verification_mode() {
        _ if !connector.runs() => Verdict::unavailable(
            "nothing of this connector runs here, so nothing can check its credentials",
        ),
        VerificationMode::Unavailable => {
            Verdict::unavailable("the connector has no credentials, so there is nothing to check")
        }
        VerificationMode::Format => of_their_form(connector.manifest, &stored),
        VerificationMode::LiveProbe => {
            let (gate, limits) = (runtime.gate(), runtime.limits());
            verify(gate, limits, connector.manifest, stored, command.billable).await?
        }
    };
    let operator = installation.operator();
    if let Some(new) = verdict.record(checked) {
        operator.record_verification(new).await?;
    }
    let now = installation.clock.now();
    let known = connection_view::one(&operator, id, runtime.catalog(), now).await?;
    verdict.print(&known, id, output)?;
    known.warn_of_missing_price();
    match verdict.status {
        VerificationStatus::Verified => Ok(()),
        status => Err(Failure::new(format!(
            "the credentials of {id} are not verified: {}",
            status.as_str()
        ))),
    }
}

async fn verify(
    gate: &EgressGate,
    limits: &HostLimits,
    manifest: &Manifest,
    stored: ConnectionSecrets,
    billable: bool,
) -> Result<Verdict, Failure> {
    Ok(match probe_of(manifest, &stored, billable) {
        Err(reason) => Verdict::unavailable(reason),
        Ok(verification) => {
            let grant = grant(limits, manifest, stored)?;
            Verdict::of(gate.verify(&grant, verification).await)
        }
    })
}

/// Whether every value has the form that the manifest says, and none is missing.
fn of_their_form(manifest: &Manifest, stored: &ConnectionSecrets) -> Verdict {
    let settings = &stored.connection.settings;
    let broken = manifest.credential_fields.iter().find_map(|field| {
        match stored.credentials.get(&field.key) {
            Some(value) => credential_input::check(field, value.expose_secret()).err(),
            None if field.needed_with(settings) => Some(Failure::new(format!(
                "the credential {} is missing",
                field.key
            ))),
            None => None,
        }
    });
    Verdict {
        status: if broken.is_some() {
            VerificationStatus::Failed
        } else {
            VerificationStatus::Verified
        },
        method: Some(VerificationMethod::Format),
        network_request_made: false,
        http_status: None,
        quota: BTreeMap::new(),
        reason: Some(broken.map_or_else(
            || "only the form was checked: the connector has no request to the provider".to_owned(),
            |failure| failure.message,
        )),
    }
}

/// The probe, or why there is none.
fn probe_of<'a>(
    manifest: &'a Manifest,
    stored: &ConnectionSecrets,
    billable: bool,
) -> Result<&'a Verification, &'static str> {
    let verification = manifest
        .verification
        .as_ref()
        .ok_or("the connector has no request that shows whether credentials work")?;
    // A provider that needs none is asked all the same: whether it answers as it should is worth knowing.
    let settings = &stored.connection.settings;
    let lacks = |field: &CredentialField| {
        field.needed_with(settings) && !stored.credentials.contains_key(&field.key)
    };
    if manifest.credential_fields.iter().any(lacks) {
        return Err("the connection lacks credentials that it needs");
    }
    if verification.billable && !billable {
        return Err("the provider charges for the request: --billable allows it");
    }
    Ok(verification)
}

fn grant(
    limits: &HostLimits,
    manifest: &Manifest,
    stored: ConnectionSecrets,
) -> Result<CallGrant, Failure> {
    let parts = GrantParts {
        connector: &manifest.key,
        egress: &manifest.egress,
        open_web: manifest.asks_for(Grant::OpenWeb),
        schemes: &manifest.auth.schemes,
        rate: &manifest.rate,
        taker: None,
        settings: &stored.connection.settings,
        credentials: credentials(manifest, stored.credentials),
        replay_safe: false,
        idempotency: None,
        budget: Arc::new(limits.egress_budget(REQUESTS, &manifest.limits, Instant::now() + SPAN)),
        cancel: CancellationToken::new(),
    };
    CallGrant::for_call(parts).map_err(|failure| Failure::new(failure.message))
}

/// A field that the manifest does not know counts as secret.
fn credentials(manifest: &Manifest, values: BTreeMap<String, SecretString>) -> Credentials {
    let mut credentials = Credentials::new();
    for (field, value) in values {
        let public = manifest
            .credential_fields
            .iter()
            .any(|f| f.key == field && !f.secret);
        if public {
            credentials.insert_public(field, value);
        } else {
            credentials.insert(field, value);
        }
    }
    credentials
}

impl Verdict {
    fn unavailable(reason: &str) -> Self {
        Self {
            status: VerificationStatus::Unavailable,
            method: None,
            network_request_made: false,
            http_status: None,
            quota: BTreeMap::new(),
            reason: Some(reason.to_owned()),
        }
    }

    fn of(outcome: VerificationOutcome) -> Self {
        Self {
            status: match outcome.status {
                ProbeStatus::Valid => VerificationStatus::Verified,
                ProbeStatus::Invalid => VerificationStatus::Failed,
                ProbeStatus::Inconclusive => VerificationStatus::Pending,
            },
            method: Some(VerificationMethod::LiveProbe),
            network_request_made: outcome.network_request_made,
            http_status: outcome.http_status,
            quota: outcome.quota,
            reason: outcome.failure.map(|failure| failure.message),
        }
    }

    /// What is to be kept of it; nothing if nothing was tried.
    fn record(&self, checked: ConnectionRow) -> Option<NewVerification> {
        Some(NewVerification {
            checked,
            method: self.method?,
            result: match self.status {
                VerificationStatus::Verified => VerificationResult::Verified,
                VerificationStatus::Failed => VerificationResult::Failed,
                _ => VerificationResult::Pending,
            },
            network_request_made: self.network_request_made,
            detail: self.reason.clone(),
        })
    }

    fn print(&self, known: &Shown, id: ConnectionId, output: Output) -> Result<(), Failure> {
        let value = json!({
            "id": id,
            "status": self.status,
            "network_request_made": self.network_request_made,
            "http_status": self.http_status,
            "quota": self.quota,
            "reason": self.reason,
            "verification": known.verification(),
            "missing_settings": known.missing_settings(),
        });
        output.print(&value, || {
            let mut pairs = vec![
                ("id", id.to_string()),
                ("status", self.status.as_str().to_owned()),
                (
                    "request sent",
                    if self.network_request_made {
                        "yes"
                    } else {
                        "no"
                    }
                    .to_owned(),
                ),
                ("http status", or_dash(self.http_status)),
                ("reason", or_dash(self.reason.as_ref())),
            ];
            if !self.quota.is_empty() {
                pairs.push(("quota", json!(self.quota).to_string()));
            }
            fields(&pairs)
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::credential_input::tests::manifest;
    use crate::system_clock::SystemClock;
    use gtm_domain::{Clock as _, OrganizationId, ProjectId};
    use gtm_runtime::egress::{EgressPolicy, PrivateHost};
    use gtm_store::ConnectionStatus;
    use std::net::SocketAddr;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    /// A connector whose key is asked for at `/me` of the server in the setting `url`.
    fn probed(billable: bool) -> Manifest {
        let mut value = serde_json::to_value(manifest()).unwrap();
        value["egress"] =
            json!([{ "host": "${setting.url}", "private_network": "operator_opt_in" }]);
        value["auth"]["schemes"] = json!([{ "type": "bearer", "id": "key", "hosts": ["${setting.url}"],
            "inject": [{ "in": "header", "name": "Authorization", "value": "Bearer ${credential.api_key}" }] }]);
        value["verification"] = json!({
            "request": { "method": "GET", "url": "${setting.url}/me" }, "billable": billable,
            "valid": { "statuses": [200] }, "invalid": { "statuses": [401] }, "quota": { "left": "/left" },
        });
        for limit in ["egress_bytes_out", "egress_bytes_in"] {
            value["limits"][limit] = json!(100_000);
        }
        serde_json::from_value(value).unwrap()
    }

    fn stored(url: &str, key: Option<&str>) -> ConnectionSecrets {
        let now = SystemClock.now();
        let nil = uuid_of_zero();
        let connection = ConnectionRow {
            id: nil.0,
            project: nil.1,
            organization: nil.2,
            provider_key: "sample".to_owned(),
            manifest_version: "1.0.0".to_owned(),
            name: "sample".to_owned(),
            status: ConnectionStatus::Configured,
            settings: json!({ "url": url }),
            configured_fields: Vec::new(),
            credentials_version: 1,
            created_at: now,
            updated_at: now,
        };
        let credentials = key
            .map(|key| ("api_key".to_owned(), SecretString::from(key.to_owned())))
            .into_iter()
            .collect();
        ConnectionSecrets {
            connection,
            credentials,
        }
    }

    fn uuid_of_zero() -> (ConnectionId, ProjectId, OrganizationId) {
        let zeros = "0".repeat(26);
        (
            format!("conn_{zeros}").parse().unwrap(),
            format!("prj_{zeros}").parse().unwrap(),
            format!("org_{zeros}").parse().unwrap(),
        )
    }

    /// A provider that takes one key, and breaks on a second.
    async fn provider() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    let Ok(byte) = stream.read_u8().await else {
                        break;
                    };
                    head.push(byte);
                }
                let head = String::from_utf8_lossy(&head).to_lowercase();
                let status = match () {
                    () if !head.starts_with("get /me ") => "404 Not Found",
                    () if head.contains("authorization: bearer sk-good\r\n") => "200 OK",
                    () if head.contains("authorization: bearer sk-breaks\r\n") => "500 Oh",
                    () => "401 Unauthorized",
                };
                let answer = format!(
                    "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: 11\r\nconnection: close\r\n\r\n{{\"left\": 3}}"
                );
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        address
    }

    fn gate(address: SocketAddr) -> EgressGate {
        let policy = EgressPolicy {
            private_hosts: vec![PrivateHost {
                host: address.ip().to_string(),
                port: Some(address.port()),
                connectors: [manifest().key].into(),
                open_web: false,
            }],
            ..EgressPolicy::default()
        };
        EgressGate::new(policy, Arc::new(SystemClock)).unwrap()
    }

    #[tokio::test]
    async fn the_provider_has_the_last_word() {
        let address = provider().await;
        let url = format!("http://{address}");
        for (key, status, http) in [
            ("sk-good", VerificationStatus::Verified, 200),
            ("sk-bad", VerificationStatus::Failed, 401),
            ("sk-breaks", VerificationStatus::Pending, 500),
        ] {
            let verdict = verify(
                &gate(address),
                &HostLimits::default(),
                &probed(false),
                stored(&url, Some(key)),
                false,
            )
            .await
            .unwrap();
            assert_eq!(
                (verdict.status, verdict.http_status),
                (status, Some(http)),
                "{:?}",
                verdict.reason
            );
            assert!(verdict.network_request_made);
            assert_eq!(
                verdict.quota.contains_key("left"),
                status == VerificationStatus::Verified
            );
        }
    }

    #[tokio::test]
    async fn without_a_request_nothing_is_claimed() {
        let address = provider().await;
        let url = format!("http://{address}");
        let good = || stored(&url, Some("sk-good"));
        for (manifest, stored, wanted) in [
            (manifest(), good(), VerificationStatus::Unavailable),
            (probed(true), good(), VerificationStatus::Unavailable),
            (
                probed(false),
                stored(&url, None),
                VerificationStatus::Unavailable,
            ),
            (
                probed(false),
                stored("http://127.0.0.2:9", Some("sk-good")),
                VerificationStatus::Pending,
            ),
        ] {
            let limits = HostLimits::default();
            let verdict = verify(&gate(address), &limits, &manifest, stored, false)
                .await
                .unwrap();
            assert_eq!(
                (verdict.status, verdict.network_request_made),
                (wanted, false)
            );
            assert!(verdict.reason.is_some());
        }
        let limits = HostLimits::default();
        let consented = verify(&gate(address), &limits, &probed(true), good(), true).await;
        assert_eq!(consented.unwrap().status, VerificationStatus::Verified);
    }

    #[tokio::test]
    async fn the_host_caps_a_verification_as_it_caps_every_call() {
        type Cap = fn(&mut HostLimits);
        let address = provider().await;
        let mut with_body = probed(false);
        if let Some(verification) = &mut with_body.verification {
            verification.request.body = Some(json!({ "twelve": 1 }));
        }
        let caps: [(Manifest, Cap, bool); 4] = [
            (probed(false), |_| {}, true),
            (probed(false), |limits| limits.egress_requests = 0, false),
            (probed(false), |limits| limits.egress_bytes_in = 10, true),
            (with_body, |limits| limits.egress_bytes_out = 11, false),
        ];
        for (index, (manifest, cap, sent)) in caps.into_iter().enumerate() {
            let mut limits = HostLimits::default();
            cap(&mut limits);
            let stored = stored(&format!("http://{address}"), Some("sk-good"));
            let verdict = verify(&gate(address), &limits, &manifest, stored, false)
                .await
                .unwrap();
            assert_eq!(
                verdict.network_request_made, sent,
                "{index}: {:?}",
                verdict.reason
            );
            let whole = verdict.quota.contains_key("left");
            assert_eq!(whole, index == 0, "{index}: {:?}", verdict.reason);
        }
    }
}
