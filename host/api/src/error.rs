//! Errors as callers see them: the envelope of the specification, or RFC 9457 problem details for
//! those who ask for it. An [`ApiError`] travels as a response extension until
//! [`crate::context`] renders it, because only there the request's id is known.

use std::time::Duration;

use axum::response::{IntoResponse, Response};
use gtm_domain::ErrorCode;
use http::header::{ALLOW, CONNECTION, CONTENT_RANGE, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, Object, ObjectBuilder, SchemaFormat};
use utoipa::openapi::schema::{SchemaType, Type};
use utoipa::{PartialSchema as _, ToSchema};

use crate::error_status::status_of;
use crate::media_range::Accepted;
use crate::openapi::PUBLISHED_ERRORS;
use crate::validation::{MAX_VIOLATIONS, Violation};

const JSON: &str = "application/json";
const PROBLEM: &str = "application/problem+json";

/// An error with code, status and a sentence for people. It contains nothing internal.
#[derive(Debug, Clone)]
pub struct ApiError {
    code: ErrorCode,
    status: StatusCode,
    message: String,
    details: Option<Value>,
    retry_after: Option<u64>,
    closing: bool,
}

impl ApiError {
    /// An error with the status that the specification gives its code.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            status: status_of(code),
            message: message.into(),
            details: None,
            retry_after: None,
            closing: false,
        }
    }

    /// `invalid_request` with an HTTP status for which the specification has no code: 405, 408, 413, 414,
    /// 416 and 431. Clients that branch on the code see that the request is at fault.
    pub fn refused(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            ..Self::new(ErrorCode::MalformedRequest, message)
        }
    }

    /// 422 with everything that is wrong with the body.
    #[must_use]
    pub fn invalid(violations: &[Violation]) -> Self {
        let message = match violations {
            [only] => format!("The request is invalid: {} {}.", only.place(), only.message),
            all => format!(
                "The request breaks {} rules; error.details.violations lists them.",
                all.len()
            ),
        };
        Self::new(ErrorCode::InvalidRequest, message)
            .with_details(Some(json!({ "violations": violations })))
    }

    /// 408.
    #[must_use]
    pub fn body_too_slow(within: Duration) -> Self {
        let seconds = within.as_secs();
        Self::refused(
            StatusCode::REQUEST_TIMEOUT,
            format!("The body did not arrive within {seconds} seconds."),
        )
    }

    /// 404, the same for a missing resource and for one out of scope.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(
            ErrorCode::NotFound,
            "The project of this key has no such resource.",
        )
    }

    /// 410.
    #[must_use]
    pub fn job_expired() -> Self {
        Self::new(
            ErrorCode::JobExpired,
            "The job and its result passed the 30-day retention.",
        )
    }

    /// 500. The cause goes to the log, not to the caller.
    pub fn internal(cause: &dyn std::fmt::Display) -> Self {
        tracing::error!(error = %cause, "request failed");
        Self::new(
            ErrorCode::InternalError,
            "Something went wrong on our side. Quote the request id when you report it.",
        )
    }

    /// 503 of `/readyz`, outside the specification's paths: the node cannot serve yet, or no longer.
    #[must_use]
    pub fn unavailable() -> Self {
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            ..Self::new(
                ErrorCode::InternalError,
                "The node is not ready: its database does not answer.",
            )
        }
    }

    /// The same error with further facts.
    #[must_use]
    pub fn with_details(self, details: Option<Value>) -> Self {
        Self { details, ..self }
    }

    /// The same error with `Retry-After` in seconds; only `rate_limit_exceeded` carries it.
    #[must_use]
    pub fn with_retry_after(self, seconds: u64) -> Self {
        Self {
            retry_after: Some(seconds),
            ..self
        }
    }

    /// The seconds of `Retry-After`, if set.
    #[must_use]
    pub const fn retry_after(&self) -> Option<u64> {
        self.retry_after
    }

    /// The same error, after which the connection closes: it is uncertain where the next request begins.
    #[must_use]
    pub fn closing(self) -> Self {
        Self {
            closing: true,
            ..self
        }
    }

    /// The code that callers branch on.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        self.code
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// The body, once the request's id is known.
    #[must_use]
    pub fn body(&self, request_id: &str, docs_base: &str, form: ErrorForm) -> String {
        let docs_url = format!("{docs_base}#{}", self.code.as_str());
        let (code, status) = (self.code.as_str(), self.status);
        match form {
            ErrorForm::Envelope => {
                let envelope = ErrorEnvelope {
                    error: ErrorBody {
                        code,
                        message: &self.message,
                        request_id,
                        docs_url: &docs_url,
                        details: self.details.as_ref(),
                    },
                };
                // Texts and JSON values always serialize.
                serde_json::to_string(&envelope).unwrap_or_default()
            }
            ErrorForm::Problem => {
                let problem = ProblemDetails {
                    kind: &docs_url,
                    title: status.canonical_reason().unwrap_or("Error"),
                    status: status.as_u16(),
                    detail: &self.message,
                    instance: format!("urn:request:{request_id}"),
                    code,
                    details: self.details.as_ref(),
                };
                // Strings and numbers always serialize.
                serde_json::to_string(&problem).unwrap_or_default()
            }
        }
    }

    /// The whole response, once the request's id is known. `headers` are those already set on the response
    /// that carried the error; only `Allow` and `Content-Range` are kept.
    #[must_use]
    pub fn render(
        &self,
        request_id: &str,
        docs_base: &str,
        form: ErrorForm,
        headers: &HeaderMap,
    ) -> Response {
        let body = self.body(request_id, docs_base, form);
        let mut response = (self.status, body).into_response();
        let out = response.headers_mut();
        let media_type = HeaderValue::from_static(form.media_type());
        out.insert(CONTENT_TYPE, media_type);
        if self.closing {
            out.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            out.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after {
            out.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        for kept in [ALLOW, CONTENT_RANGE] {
            if let Some(value) = headers.get(&kept) {
                out.insert(kept, value.clone());
            }
        }
        response
    }
}

/// Every error of the API. Branch on `error.code`, not on the status alone.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorEnvelope<'e> {
    #[schema(inline)]
    error: ErrorBody<'e>,
}

#[derive(Debug, Serialize, ToSchema)]
struct ErrorBody<'e> {
    /// Stable code, to branch on. New codes may be added, so treat one that you don't know by its status.
    #[schema(
        pattern = "^[a-z][a-z_]*$",
        examples("invalid_request"),
        extensions(
            ("x-extensible-enum" = json!(published_codes())),
            ("x-error-codes" = json!(PUBLISHED_ERRORS)),
        )
    )]
    code: &'e str,
    /// One sentence for people.
    message: &'e str,
    /// The X-Request-ID of this response.
    request_id: &'e str,
    /// Where the code is explained.
    #[schema(format = "uri")]
    docs_url: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = details, required = false)]
    details: Option<&'e Value>,
}

fn published_codes() -> Vec<&'static str> {
    PUBLISHED_ERRORS
        .iter()
        .map(|published| published.code)
        .collect()
}

/// What clients may rely on of the facts that go with a code; there may be others.
fn details() -> Object {
    let text = |about: &str| {
        let text = ObjectBuilder::new().schema_type(Type::String);
        text.description(Some(about))
    };
    let violations = ArrayBuilder::new()
        .max_items(Some(MAX_VIOLATIONS))
        .items(Violation::schema());
    let scope =
        text("What a quota or budget is of: `project`, `key`, `organization` or `usage_tier`.");
    let resets_at = text("When it resets.")
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)));
    ObjectBuilder::new()
        .description(Some("Further facts. A failed validation lists its violations; an exhausted quota or budget tells `scope` and `resets_at`."))
        .property("violations", violations)
        .property("scope", scope)
        .property("resets_at", resets_at)
        .build()
}

/// The same error as RFC 9457 problem details, on `Accept: application/problem+json`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemDetails<'e> {
    #[serde(rename = "type")]
    #[schema(format = "uri")]
    kind: &'e str,
    title: &'e str,
    status: u16,
    detail: &'e str,
    /// `urn:request:` and the request id.
    instance: String,
    code: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false)]
    details: Option<&'e Value>,
}

/// The format of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorForm {
    /// `{"error": {…}}`.
    Envelope,
    /// RFC 9457.
    Problem,
}

impl ErrorForm {
    const fn media_type(self) -> &'static str {
        match self {
            Self::Envelope => JSON,
            Self::Problem => PROBLEM,
        }
    }

    /// Problem details only for callers who name their media type and want JSON no more than that (RFC 9110
    /// §12.5.1). A caller who accepts neither gets the envelope: an error in the wrong format is better
    /// than none.
    #[must_use]
    pub fn accepted(headers: &HeaderMap) -> Self {
        let accepted = Accepted::of(headers);
        let problem = accepted.quality(&[PROBLEM]);
        let json = accepted.quality(&[JSON, "application/*", "*/*"]);
        if problem > 0.0 && problem >= json {
            Self::Problem
        } else {
            Self::Envelope
        }
    }
}

impl IntoResponse for ApiError {
    /// A bare status that carries the error as an extension; the request context renders it.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use http::header::ACCEPT;

    fn accept(value: &'static str) -> ErrorForm {
        ErrorForm::accepted(&HeaderMap::from_iter([(
            ACCEPT,
            HeaderValue::from_static(value),
        )]))
    }

    #[test]
    fn problem_details_only_for_those_who_name_them() {
        for problem in [
            "application/problem+json",
            "application/json, application/problem+json",
            "Application/Problem+JSON;q=0.5",
            "application/problem+json; Q=0.5, */*;q=0.1",
            "application/*;q=0.2, application/problem+json;q=0.3",
            "application/problem+json;q=0.2, application/json;q=0, */*",
            "application/problem+json;q=0, application/problem+json;q=0.1",
        ] {
            assert_eq!(accept(problem), ErrorForm::Problem, "{problem}");
        }
        for envelope in [
            "",
            "*/*",
            "application/*",
            "text/html",
            "application/problem+json;q=0",
            "application/problem+json;q=0.000, text/html",
            "application/problem+json;q=0.1, application/json",
            "application/json;q=0.9,application/problem+json ; q = 0.8",
            "application/problem+json;q=0.5, */*",
            "application/problem+json;q=0.5, application/*;q=0.6, */*;q=0.1",
            "application/problem+jsonp",
        ] {
            assert_eq!(accept(envelope), ErrorForm::Envelope, "{envelope}");
        }
        assert_eq!(ErrorForm::accepted(&HeaderMap::new()), ErrorForm::Envelope);
    }
}
