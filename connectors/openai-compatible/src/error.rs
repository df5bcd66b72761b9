//! Converts the provider's refusals to failures.
//!
//! Danger: the provider's own words may quote the key or the prompt, so they stay out of messages. Its
//! error code, which is an identifier, goes into `detail`.

use gtm_sdk::http::Response;
use gtm_sdk::{Failure, Value, json::json};

/// Codes by which providers say that money, not speed, is the problem.
const QUOTA_CODES: [&str; 10] = [
    "insufficient_quota",
    "credit_balance_exhausted",
    "organization_spend_limit_exceeded",
    "organization_usage_limit_exceeded",
    "project_spend_limit_exceeded",
    "billing_hard_limit_reached",
    "billing_not_active",
    "insufficient_credits",
    "quota_exceeded",
    "credit_balance_too_low",
];

/// The failure for an answer other than 2xx.
pub(crate) fn from_response(answer: &Response) -> Failure {
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or(Value::Null);
    from_status(
        answer.status,
        &body,
        answer.retry_after_ms(),
        &answer.receipt_id,
    )
}

/// The failure for a 2xx answer that carries an error instead of choices, if it does. Some gateways answer
/// like that once they have begun to answer.
pub(crate) fn from_body(answer: &Response, body: &Value) -> Option<Failure> {
    let error = body.get("error").filter(|error| !error.is_null())?;
    let status = error["code"]
        .as_u64()
        .and_then(|code| u16::try_from(code).ok())
        .filter(|code| (400..600).contains(code))
        .unwrap_or(502);
    Some(from_status(
        status,
        body,
        answer.retry_after_ms(),
        &answer.receipt_id,
    ))
}

/// Whether a refusal is about the requested form of structured output.
pub(crate) fn is_about_format(answer: &Response) -> bool {
    if !matches!(answer.status, 400 | 404 | 415 | 422 | 501) {
        return false;
    }
    let text = answer.text().to_ascii_lowercase();
    [
        "response_format",
        "json_schema",
        "json_object",
        "structured output",
        "guided_json",
        "grammar",
    ]
    .iter()
    .any(|word| text.contains(word))
}

fn from_status(
    status: u16,
    body: &Value,
    retry_after_ms: Option<u64>,
    receipt_id: &str,
) -> Failure {
    let codes: Vec<&str> = ["/error/code", "/error/type", "/code", "/type"]
        .into_iter()
        .filter_map(|pointer| body.pointer(pointer).and_then(Value::as_str))
        .filter(|code| is_identifier(code))
        .collect();
    let is_quota = codes.iter().any(|code| QUOTA_CODES.contains(code));
    let is_too_long = codes.iter().any(|code| {
        matches!(
            *code,
            "context_length_exceeded" | "exceed_context_size_error"
        )
    });
    let http = format!("http_{status}");
    let failure = match status {
        _ if is_quota => Failure::quota("insufficient_quota", "The account's quota is used up."),
        402 => Failure::quota("insufficient_quota", "The provider asks for payment."),
        401 | 403 => Failure::unauthorized(http, "The provider refused the key."),
        404 => Failure::not_found(http, "The server does not have this model or address."),
        429 => Failure::rate_limited(http, "The provider asks to slow down."),
        _ if is_too_long || status == 413 => Failure::invalid_input(
            "context_length_exceeded",
            "The conversation is longer than the model can read.",
        ),
        _ => Failure::upstream(http, format!("The provider answered with status {status}.")),
    };
    failure
        .with_retry_after_ms(retry_after_ms)
        .with_detail(json!({
            "status": status,
            "receipt_id": receipt_id,
            "provider_code": codes.first(),
        }))
}

fn is_identifier(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}
