//! `gtm connection verify`: asks the engine to check a connection's credentials and shows the result.

use clap::Args;
use gtm_domain::ConnectionId;
use gtm_domain::connection::{VerificationMethod, VerificationResult};
use gtm_engine::connections::verification::{CredentialCheck, NotChecked, verify};
use serde_json::json;

use super::connection_view::{self, Shown};
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash};

#[derive(Debug, Args)]
pub struct Verify {
    /// The connection's id
    #[arg(value_name = "CONN")]
    pub id: ConnectionId,
    /// Verify even if the provider charges for the request
    #[arg(long)]
    billable: bool,
}

/// Verifies a connection.
///
/// # Errors
/// If the credentials are not verified (the result is printed first), or if the connection, its connector
/// or its secrets are missing.
pub async fn run(
    command: &Verify,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let id = command.id;
    let operator = installation.operator();
    let stored = operator
        .connection_secrets(id)
        .await?
        .ok_or_else(|| Failure::absent("connection", id))?;
    let runtime = installation.start_runtime().await?;
    let (check, reason) = match verify(&runtime, &operator, stored, command.billable).await {
        Ok(check) => (Some(check), None),
        Err(not_checked) => (None, Some(unavailable(not_checked)?)),
    };
    let now = installation.clock.now();
    let known = connection_view::one(&operator, id, runtime.catalog(), now).await?;
    print(check.as_ref(), reason, &known, id, output)?;
    known.warn_of_missing_price();
    match check {
        Some(check) if check.result == VerificationResult::Verified => Ok(()),
        other => Err(Failure::new(format!(
            "the credentials of {id} are not verified: {}",
            status(other.as_ref())
        ))),
    }
}

/// Why the credentials cannot be checked.
///
/// # Errors
/// If that is a failure of the command itself.
fn unavailable(not_checked: NotChecked) -> Result<String, Failure> {
    let told = not_checked.to_string();
    match not_checked {
        NotChecked::NotRunning | NotChecked::NoCredentials | NotChecked::Incomplete => Ok(told),
        NotChecked::Billable => Ok(format!("{told}: --billable allows it")),
        NotChecked::UnknownConnector { .. } => Err(Failure::new(told)
            .hint("`gtm plugin list` shows what is loaded, and what was refused and why")),
        NotChecked::Settings(_) => Err(Failure::new(told)),
        NotChecked::Store(store) => Err(store.into()),
    }
}

/// The API's name for the status.
const fn status(check: Option<&CredentialCheck>) -> &'static str {
    match check {
        Some(check) => check.result.as_str(),
        None => "unavailable",
    }
}

/// The status for people: what only looks right is not sold as verified by the provider.
fn status_text(check: Option<&CredentialCheck>) -> String {
    let form_only = check.is_some_and(|check| {
        check.method == VerificationMethod::Format && check.result == VerificationResult::Verified
    });
    match form_only {
        true => "only the form is verified".to_owned(),
        false => status(check).to_owned(),
    }
}

fn print(
    check: Option<&CredentialCheck>,
    reason: Option<String>,
    known: &Shown,
    id: ConnectionId,
    output: Output,
) -> Result<(), Failure> {
    let reason = reason.or_else(|| check?.detail.clone());
    let sent = check.is_some_and(|check| check.network_request_made);
    let http_status = check.and_then(|check| check.http_status);
    let quota = json!(check.map(|check| check.quota.clone()).unwrap_or_default());
    let value = json!({
        "id": id,
        "status": status(check),
        "network_request_made": sent,
        "http_status": http_status,
        "quota": quota,
        "reason": reason,
        "verification": known.verification(),
        "missing_settings": known.missing_settings(),
    });
    output.print(&value, || {
        let mut pairs = vec![
            ("id", id.to_string()),
            ("status", status_text(check)),
            ("request sent", if sent { "yes" } else { "no" }.to_owned()),
            ("http status", or_dash(http_status)),
            ("reason", or_dash(reason.as_ref())),
        ];
        if check.is_some_and(|check| !check.quota.is_empty()) {
            pairs.push(("quota", quota.to_string()));
        }
        fields(&pairs)
    })
}
