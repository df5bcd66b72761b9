//! HTTP to servers that xtask itself started on this machine.

use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(30);

/// A client without a proxy, whatever the environment says: loopback is never behind one. A status
/// of 400 and above is an answer, not an error.
pub fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(TIMEOUT))
        .proxy(None)
        .build()
        .into()
}

/// Whether a `GET` of this URL is answered with success.
pub fn answers(agent: &ureq::Agent, url: &str, bearer: Option<&str>) -> bool {
    let mut request = agent.get(url);
    if let Some(token) = bearer {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    request
        .call()
        .is_ok_and(|response| response.status().is_success())
}
