//! The host's own request that shows whether a connection's credentials work, without the plug-in.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use gtm_domain::Failure;
use gtm_domain::receipt::Receipt;
use serde_json::Value;

use super::exchange::HttpRequest;
use super::gate::EgressGate;
use super::grant::CallGrant;
use super::rendered_url::render_url;
use super::target::Target;
use super::{inject, retry};
use crate::manifest::Verification;

/// How many bytes of an answer the patterns are matched against.
const MAX_ANSWER_BYTES: u64 = 256 * 1024;

/// What a verification says about the credentials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerificationStatus {
    /// The answer matches `valid`.
    Valid,
    /// The answer matches `invalid`.
    Invalid,
    /// Anything else; it never changes what is known about a connection.
    Inconclusive,
}

#[derive(Debug, Clone)]
pub struct VerificationOutcome {
    pub status: VerificationStatus,
    /// Whether a request was sent.
    pub network_request_made: bool,
    /// Status of the answer, if there was one.
    pub http_status: Option<u16>,
    /// Quota figures that the manifest maps.
    pub quota: BTreeMap<String, Value>,
    /// Why there was no answer.
    pub failure: Option<Failure>,
    /// Absent if nothing reached the gate.
    pub receipt: Option<Receipt>,
}

impl EgressGate {
    /// Runs a manifest's verification once, without retries. Whether one that costs money may run is for
    /// the caller to decide.
    pub async fn verify(
        &self,
        grant: &CallGrant,
        verification: &Verification,
    ) -> VerificationOutcome {
        let mut outcome = VerificationOutcome {
            status: VerificationStatus::Inconclusive,
            network_request_made: false,
            http_status: None,
            quota: BTreeMap::new(),
            failure: None,
            receipt: None,
        };
        let request = match request(grant, verification) {
            Ok(request) => request,
            Err(failure) => {
                outcome.failure = Some(failure);
                return outcome;
            }
        };
        let mut once = grant.clone();
        once.retry.max_attempts = 1;
        let exchanged = self.send(&once, request).await;
        outcome.network_request_made = exchanged.request_sent;
        outcome.http_status = exchanged.receipt.status;
        outcome.receipt = Some(exchanged.receipt);
        match exchanged.result {
            Err(failure) => outcome.failure = Some(failure),
            Ok(response) => {
                // `invalid` first: where both match, reporting a bad key as good is the worse error.
                if retry::matches(&verification.invalid, response.status, &response.body) {
                    outcome.status = VerificationStatus::Invalid;
                } else if retry::matches(&verification.valid, response.status, &response.body) {
                    outcome.status = VerificationStatus::Valid;
                    let json: Value = serde_json::from_slice(&response.body).unwrap_or_default();
                    for (name, pointer) in &verification.quota {
                        outcome.quota.extend(
                            json.pointer(pointer)
                                .map(|value| (name.clone(), value.clone())),
                        );
                    }
                }
            }
        }
        outcome
    }
}

fn request(grant: &CallGrant, verification: &Verification) -> Result<HttpRequest, Failure> {
    let wanted = &verification.request;
    let url = render_url(grant, &wanted.url)?;
    let mut headers: Vec<_> = wanted
        .headers
        .iter()
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let body = wanted
        .body
        .as_ref()
        .map(|json| Bytes::from(json.to_string()));
    if body.is_some()
        && !wanted
            .headers
            .keys()
            .any(|name| name.eq_ignore_ascii_case("content-type"))
    {
        headers.push(("content-type".to_owned(), "application/json".to_owned()));
    }
    let credential = match &wanted.credential {
        Some(id) => Some(id.clone()),
        None => first_scheme(grant, &url)?,
    };
    Ok(HttpRequest {
        method: wanted.method.clone(),
        url,
        headers,
        body,
        credential,
        timeout: Some(Duration::from_millis(verification.timeout_ms.min(15_000))),
        max_body_bytes: Some(MAX_ANSWER_BYTES),
        truncate: true,
        max_redirects: 0,
    })
}

/// The first scheme whose credentials may go to the URL.
fn first_scheme(grant: &CallGrant, url: &str) -> Result<Option<String>, Failure> {
    let target = Target::parse(url)?;
    for scheme in &grant.schemes {
        if let Some(id) = scheme.id()
            && inject::may_go_to(grant, scheme, &target.origin)?
        {
            return Ok(Some(id.to_owned()));
        }
    }
    Ok(None)
}
