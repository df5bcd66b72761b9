//! What an answer other than 2xx means.
//!
//! Danger: the provider's own words may quote the key or the query, so they stay out of messages. Its error
//! type, which is an identifier, goes into `detail`.

use gtm_sdk::http::Response;
use gtm_sdk::{Failure, Value, json::json};

/// Whether the provider says that it knows no such company or person. Not every 404 says so.
pub(crate) fn is_no_match(answer: &Response) -> bool {
    answer.status == 404 && error_type(answer).as_deref() == Some("not_found")
}

pub(crate) fn of(answer: &Response) -> Failure {
    let status = answer.status;
    let http = format!("http_{status}");
    let failure = match status {
        400 => Failure::invalid_input(http, "The provider cannot read what it was asked for."),
        401 | 403 => Failure::unauthorized(http, "The provider refused the key."),
        402 => Failure::quota("credits_exhausted", "The account's credits are used up."),
        404 => Failure::not_found(http, "The provider has no such operation at its address."),
        429 => Failure::rate_limited(http, "The provider asks to slow down."),
        _ => Failure::upstream(http, format!("The provider answered with status {status}.")),
    };
    failure
        .with_retry_after_ms(answer.retry_after_ms())
        .with_detail(json!({
            "status": status,
            "receipt_id": answer.receipt_id,
            "provider_code": error_type(answer),
        }))
}

fn error_type(answer: &Response) -> Option<String> {
    let body: Value = serde_json::from_slice(&answer.body).ok()?;
    let name = body.pointer("/error/type")?.as_str()?;
    let is_identifier =
        (1..=64).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    is_identifier.then(|| name.to_owned())
}
