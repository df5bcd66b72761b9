//! The responses that operations share, and what every response has: headers, error examples and a list of
//! codes.

use serde_json::{Map, Value, json};

use super::error_codes::{ERROR_CODES, Table, of_status};
use super::parameters::remove_null;
use crate::request_id;

/// Responses that are the same in every operation that can send them: name under `#/components/responses`,
/// status, codes (all codes of the status if empty), description.
const SHARED: [(&str, u16, &[&str], &str); 14] = [
    (
        "BadRequest",
        400,
        &["invalid_request"],
        "the request is malformed: a header, a query parameter or the syntax of the body. One that cannot be read as HTTP/1.1 gets a bare `400` (see Errors)",
    ),
    (
        UNKNOWN_PARAMETER,
        400,
        &["invalid_request"],
        "a query parameter that the operation does not have. A request that cannot be read as HTTP/1.1 gets a bare `400` (see Errors)",
    ),
    ("Unauthorized", 401, &[], "the key is not accepted"),
    (
        "Forbidden",
        403,
        &[],
        "the key is known but may not do this",
    ),
    (
        "MethodNotAllowed",
        405,
        &[],
        "the path does not support this method; `Allow` names those that it supports. HEAD is supported wherever GET is",
    ),
    (
        "RequestTimeout",
        408,
        &[],
        "the request body took too long to arrive",
    ),
    ("ContentTooLarge", 413, &[], "the body is too large"),
    (
        "UriTooLong",
        414,
        &[],
        "the request target is longer than 8 KiB. One that makes the head longer than 48 KiB gets a bare `431` (see Errors)",
    ),
    (
        "RateLimited",
        429,
        &["rate_limit_exceeded"],
        "too many requests of this key in 60 seconds; or, without `RateLimit-*`, too many keys from this address that were not accepted, could not be looked up or are being looked up, or too many requests from this address at once. Wait at least the larger of `Retry-After` and `RateLimit-Reset`",
    ),
    (
        TOO_MANY_CONNECTIONS,
        429,
        &["rate_limit_exceeded"],
        "too many requests from this address at once",
    ),
    (
        "TooManyJobs",
        429,
        &["rate_limit_exceeded", "quota_exceeded"],
        "`Retry-After` comes only with `rate_limit_exceeded`, which passes by waiting. A quota lasts until the next month or until it is raised; `error.details` has `scope` and `resets_at`",
    ),
    (
        "TooManyRequests",
        429,
        &[],
        "`Retry-After` comes only with `rate_limit_exceeded`, which passes by waiting. The others last until the next month or until the limit is raised; `error.details` has `scope` and `resets_at`, for a budget also `limit_usd`, `settled_usd` and `reserved_usd` (reserved for running jobs: what they do not use is released when they end), and `awaiting_usd` if some of it is reserved for calls whose cost is not known for certain, until an operator has settled them",
    ),
    (
        "RequestHeaderFieldsTooLarge",
        431,
        &[],
        "more than 64 headers, or more than 16 KiB of them. More than 512, or a head of more than 48 KiB, target included, get a bare `431` (see Errors)",
    ),
    (
        "InternalError",
        500,
        &[],
        "unexpected. Quote the request id when you report it",
    ),
];

/// The response to a malformed request of an operation without a key.
const UNKNOWN_PARAMETER: &str = "UnknownParameter";
/// The 429 of an operation without a key.
const TOO_MANY_CONNECTIONS: &str = "TooManyConnections";

/// Facts about an operation that its shared responses depend on.
#[derive(Clone, Copy)]
pub struct Traits {
    /// It requires an API key.
    pub guarded: bool,
    /// It takes a body.
    pub body: bool,
    /// It creates a job, which counts against quotas.
    pub queues: bool,
    /// It spends money: credit, quota and budget can stop it.
    pub spends: bool,
}

impl Traits {
    fn shared(self) -> Vec<&'static str> {
        let too_many = match (self.spends, self.queues) {
            (true, _) => "TooManyRequests",
            (false, true) => "TooManyJobs",
            (false, false) => "RateLimited",
        };
        let mut names = if self.guarded {
            vec!["BadRequest", "Unauthorized", "Forbidden", too_many]
        } else {
            vec![UNKNOWN_PARAMETER, TOO_MANY_CONNECTIONS]
        };
        if self.body {
            names.push("ContentTooLarge");
        }
        names.extend([
            "MethodNotAllowed",
            "RequestTimeout",
            "UriTooLong",
            "RequestHeaderFieldsTooLarge",
            "InternalError",
        ]);
        names
    }
}

/// `components.responses`.
pub fn components(table: &Table) -> Map<String, Value> {
    let build = |(name, status, codes, text): &(&str, u16, &[&str], &str)| {
        let codes = if codes.is_empty() {
            of_status(*status)
        } else {
            codes.to_vec()
        };
        let mut response = json!({ "description": table.explain(&codes, &[], Some(text)) });
        add_error_body(&mut response, *status, &codes, table);
        let rate = match *name {
            UNKNOWN_PARAMETER | TOO_MANY_CONNECTIONS => None,
            _ => counted(*status),
        };
        add_headers(&mut response, *status, rate);
        ((*name).to_owned(), response)
    };
    SHARED.iter().map(build).collect()
}

/// Completes the responses of an operation: adds the shared ones, and what its own responses lack.
pub fn complete(operation: &mut Value, traits: Traits, table: &Table) {
    let Some(responses) = operation
        .get_mut("responses")
        .and_then(Value::as_object_mut)
    else {
        return;
    };
    for name in traits.shared() {
        let Some((_, status, ..)) = SHARED.iter().find(|(shared, ..)| *shared == name) else {
            continue;
        };
        responses
            .entry(status.to_string())
            .or_insert_with(|| json!({ "$ref": format!("#/components/responses/{name}") }));
    }
    for (status, response) in responses.iter_mut() {
        if response.get("$ref").is_some() {
            continue;
        }
        let number = status.parse().unwrap_or_default();
        if number >= 400 {
            // The operation declares these ([`crate::operation`]).
            let codes = response[ERROR_CODES].clone();
            let codes = codes.as_array().into_iter().flatten();
            let codes: Vec<&str> = codes.filter_map(Value::as_str).collect();
            add_error_body(response, number, &codes, table);
        }
        let rate = if traits.guarded {
            counted(number)
        } else {
            None
        };
        add_headers(response, number, rate);
    }
    responses.sort_keys();
}

/// Whether an answer with this status to a caller with a key carries the rate headers: always, sometimes,
/// or never. Nothing is counted before the key is known; "sometimes" marks a status that may be sent before
/// or after that.
const fn counted(status: u16) -> Option<bool> {
    match status {
        401 => None,
        400 | 403 | 405 | 408 | 414 | 429 | 431 | 500 => Some(false),
        _ => Some(true),
    }
}

fn add_error_body(response: &mut Value, status: u16, codes: &[&str], table: &Table) {
    response[ERROR_CODES] = json!(codes);
    response["content"] = json!({
        "application/json": {
            "schema": { "$ref": "#/components/schemas/ErrorEnvelope" },
            "examples": table.envelopes(status, codes),
        },
        "application/problem+json": {
            "schema": { "$ref": "#/components/schemas/Problem" },
            "example": table.problem(status, codes),
        },
    });
}

/// `rate` says whether the rate headers are always, sometimes, or never sent.
fn add_headers(response: &mut Value, status: u16, rate: Option<bool>) {
    if let Some(own) = response.get_mut("headers").and_then(Value::as_object_mut) {
        for (name, header) in own.iter_mut() {
            remove_null(&mut header["schema"]);
            header["required"] = json!(name == "Location" || name == "ETag");
        }
    }
    let mut header = |name: &str, component: &str| {
        response["headers"][name] = json!({ "$ref": format!("#/components/headers/{component}") });
    };
    header("X-Request-ID", "XRequestId");
    match rate {
        Some(true) => {
            header("RateLimit-Limit", "RateLimitLimit");
            header("RateLimit-Remaining", "RateLimitRemaining");
            header("RateLimit-Reset", "RateLimitReset");
        }
        Some(false) => {
            header("RateLimit-Limit", "RateLimitLimitIfCounted");
            header("RateLimit-Remaining", "RateLimitRemainingIfCounted");
            header("RateLimit-Reset", "RateLimitResetIfCounted");
        }
        None => {}
    }
    match status {
        401 => header("WWW-Authenticate", "WwwAuthenticate"),
        405 => header("Allow", "Allow"),
        429 => header("Retry-After", "RetryAfter"),
        _ => {}
    }
}

/// `components.headers`.
pub fn headers() -> Value {
    let count = |required: bool, description: &str, example: u32| {
        let when = if required {
            ""
        } else {
            " Absent if the request was refused before it was counted."
        };
        json!({
            "description": format!("{description}{when}"), "required": required,
            "schema": { "type": "integer", "minimum": 0 }, "example": example,
        })
    };
    let limit = "Requests in the rolling window of 60 seconds.";
    let remaining = "Requests left after this one.";
    let reset = "Whole seconds until the oldest request leaves the window.";
    json!({
        "XRequestId": {
            "description": "The request's id: the caller's or a generated one.", "required": true,
            "schema": { "type": "string", "pattern": request_id::PATTERN }, "example": "req_01m7z8v6chfmaabk0kbfj2tjga",
        },
        "RateLimitLimit": count(true, limit, 120),
        "RateLimitRemaining": count(true, remaining, 119),
        "RateLimitReset": count(true, reset, 60),
        "RateLimitLimitIfCounted": count(false, limit, 120),
        "RateLimitRemainingIfCounted": count(false, remaining, 119),
        "RateLimitResetIfCounted": count(false, reset, 60),
        "RetryAfter": {
            "description": "Seconds to wait. Only on `rate_limit_exceeded`.", "required": false,
            "schema": { "type": "integer", "minimum": 1 }, "example": 12,
        },
        "WwwAuthenticate": {
            "description": "`Bearer`.", "required": true, "schema": { "type": "string" }, "example": "Bearer",
        },
        "Allow": {
            "description": "The methods that the path answers.", "required": true,
            "schema": { "type": "string" }, "example": "GET,HEAD",
        },
    })
}
