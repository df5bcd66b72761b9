//! What an operation promises about its errors. Handlers declare them as constants, and the description's
//! responses are built from these, so that no code is written down twice.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use gtm_domain::ErrorCode;
use utoipa::IntoResponses;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::{RefOr, Response};

use crate::error_status::status_of;
use crate::openapi::{ERROR_CODES, error_table};

pub trait Operation {
    /// The errors that this operation can answer with, besides those it has in common with all operations
    /// of its kind; those with one status in the order in which they are described.
    const ERRORS: &'static [DeclaredError];
}

/// An error code, and when an operation answers with it.
#[derive(Debug, Clone, Copy)]
pub struct DeclaredError {
    code: ErrorCode,
    status: u16,
    when: Option<&'static str>,
}

impl DeclaredError {
    /// The key's project has nothing with this id.
    pub const NOT_IN_PROJECT: Self = Self::when(ErrorCode::NotFound, "absent in the key's project");
    /// The key's organization has nothing with this id.
    pub const NOT_IN_ORGANIZATION: Self =
        Self::when(ErrorCode::NotFound, "absent in the key's organization");
    /// A job that was deleted.
    pub const EXPIRED: Self = Self::when(ErrorCode::JobExpired, "past the 30-day retention");
    /// A query that cannot be parsed.
    pub const MALFORMED_QUERY: Self =
        Self::when(ErrorCode::MalformedRequest, "the query is malformed");
    /// A cursor that the list did not issue.
    pub const CURSOR: Self = Self::of(ErrorCode::InvalidCursor);
    /// A page size that no list allows.
    pub const LIMIT: Self = Self::when(ErrorCode::InvalidRequest, "limit is out of range");
    /// What a list without filters can answer.
    pub const OF_A_LIST: &'static [Self] = &[Self::MALFORMED_QUERY, Self::CURSOR, Self::LIMIT];
    /// What a list with filters can answer.
    pub const OF_A_FILTERED_LIST: &'static [Self] = &[
        Self::MALFORMED_QUERY,
        Self::CURSOR,
        Self::when(
            ErrorCode::InvalidRequest,
            "a parameter has an invalid value",
        ),
    ];
    /// A body that breaks the schema, or a rule that schemas cannot express.
    pub const BROKEN_RULES: Self = Self::when(
        ErrorCode::InvalidRequest,
        "error.details.violations lists every broken rule",
    );
    /// An idempotency key that belongs to another request.
    pub const KEY_REUSED: Self = Self::of(ErrorCode::IdempotencyKeyReused);
    /// An idempotency key whose first request has not been answered yet.
    pub const KEY_IN_PROGRESS: Self = Self::of(ErrorCode::IdempotencyInProgress);

    /// A code with the meaning in the published table.
    #[must_use]
    pub const fn of(code: ErrorCode) -> Self {
        Self {
            code,
            status: status_of(code).as_u16(),
            when: None,
        }
    }

    /// A code with this operation's own explanation.
    #[must_use]
    pub const fn when(code: ErrorCode, when: &'static str) -> Self {
        Self {
            code,
            status: status_of(code).as_u16(),
            when: Some(when),
        }
    }

    /// The same with an HTTP status for which the specification has no code (decision 0004).
    #[must_use]
    pub const fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }
}

/// The responses of [`Operation::ERRORS`], for the description.
pub struct Errors<O>(PhantomData<O>);

impl<O: Operation> IntoResponses for Errors<O> {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut by_status: BTreeMap<u16, Vec<DeclaredError>> = BTreeMap::new();
        for error in O::ERRORS {
            by_status.entry(error.status).or_default().push(*error);
        }
        let responses = by_status.into_iter();
        responses
            .map(|(status, errors)| (status.to_string(), response(&errors).into()))
            .collect()
    }
}

fn response(errors: &[DeclaredError]) -> Response {
    let codes: Vec<&str> = errors.iter().map(|error| error.code.as_str()).collect();
    let words: Vec<Option<&str>> = errors.iter().map(|error| error.when).collect();
    let mut response = Response::new(error_table().explain(&codes, &words, None));
    response.extensions = Some(Extensions::from_iter([(ERROR_CODES, codes)]));
    response
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::{Value, json};

    struct Example;
    impl Operation for Example {
        const ERRORS: &'static [DeclaredError] = &[
            DeclaredError::MALFORMED_QUERY,
            DeclaredError::NOT_IN_PROJECT,
            DeclaredError::CURSOR,
            DeclaredError::when(ErrorCode::MalformedRequest, "too large").with_status(413),
        ];
    }

    #[test]
    fn errors_of_one_status_are_one_response() {
        let responses = serde_json::to_value(Errors::<Example>::responses()).unwrap();
        let codes: Vec<(&String, &Value)> = responses
            .as_object()
            .unwrap()
            .iter()
            .map(|(status, response)| (status, &response[ERROR_CODES]))
            .collect();
        assert_eq!(
            codes,
            [
                (
                    &"400".to_owned(),
                    &json!(["invalid_request", "invalid_cursor"])
                ),
                (&"404".to_owned(), &json!(["not_found"])),
                (&"413".to_owned(), &json!(["invalid_request"])),
            ]
        );
        let text = |status: &str| {
            responses[status]["description"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        assert_eq!(text("413"), "`invalid_request`: Too large.");
        assert!(text("400").contains("- `invalid_request`: The query is malformed.\n"));
        assert!(text("400").contains("- `invalid_cursor`: The pagination cursor is malformed"));
    }
}
