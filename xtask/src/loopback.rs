//! HTTP to servers on this machine that xtask itself started.

use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(30);

/// A client that ignores the proxy settings of the environment, because loopback is never behind a proxy. It
/// returns statuses of 400 and above as answers, not as errors.
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
