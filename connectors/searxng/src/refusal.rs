//! What an answer other than 2xx means, and what to do about it.
//!
//! The instance belongs to whoever created the connection, so each message says what to change there.

use gtm_sdk::http::Response;
use gtm_sdk::{Failure, json::json};

pub(crate) fn of(answer: &Response) -> Failure {
    let status = answer.status;
    let http = format!("http_{status}");
    let failure = match status {
        300..=399 => Failure::upstream(
            http,
            "The server redirects searches: set base_url to the address that it redirects to.",
        ),
        400 => Failure::invalid_input(http, "SearXNG does not accept this query."),
        401 => Failure::unauthorized(
            http,
            "The server in front of SearXNG asks for a login, which this connector does not have: let this host through.",
        ),
        // SearXNG has no keys: a 403 means that its settings do not allow the format.
        403 => Failure::denied(
            "json_not_enabled",
            "SearXNG refused to answer as JSON (403): add json to search.formats in its settings.yml and restart it.",
        ),
        404 => Failure::not_found(
            http,
            "There is no SearXNG at base_url: it is the address of its start page, path included.",
        ),
        429 => Failure::rate_limited(
            http,
            "SearXNG asks to slow down. If its limiter is on, add this host to pass_ip in its limiter.toml.",
        ),
        _ => Failure::upstream(http, format!("SearXNG answered with status {status}.")),
    };
    failure
        .with_retry_after_ms(answer.retry_after_ms())
        .with_detail(json!({"status": status, "receipt_id": answer.receipt_id}))
}
