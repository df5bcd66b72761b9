//! The answer to a create call: the first one, or the first one again (specification, Endpoints rule 1).
//! Handlers build it before anything is stored, and the engine stores it, without reading it, together with
//! what it creates.

use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use gtm_domain::idempotency::StoredAnswer;
use gtm_engine::CreateOutcome;
use http::header::{CONTENT_TYPE, LOCATION};
use http::{HeaderName, HeaderValue, StatusCode};
use serde::{Deserialize, Serialize};

use crate::error::ApiError;
use crate::idempotency_key::IDEMPOTENCY_REPLAYED;

/// What an answer says besides its body. The store keeps it as JSON, for 24 hours: a new version must still
/// read what the one before it wrote.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    status: u16,
    /// Headers that belong to the answer itself; no request ids.
    headers: Vec<(String, String)>,
}

/// An answer to be stored. `location` is the path of the created resource; our paths are visible ASCII.
#[must_use]
pub fn answer(status: StatusCode, location: String, body: Bytes) -> StoredAnswer {
    answer_with(status, location, &[], body)
}

/// The same with more headers.
#[must_use]
pub fn answer_with(
    status: StatusCode,
    location: String,
    more: &[(&str, &str)],
    body: Bytes,
) -> StoredAnswer {
    let more = more
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let head = Head {
        status: status.as_u16(),
        headers: [(LOCATION.as_str().to_owned(), location)]
            .into_iter()
            .chain(more)
            .collect(),
    };
    StoredAnswer {
        // A number and strings always serialize.
        head: serde_json::to_string(&head).unwrap_or_default(),
        body,
    }
}

/// The answer to a create call, with status, headers and body as stored. Only a repeated answer says that
/// it is one.
///
/// # Errors
/// 500 if the stored value is not an answer.
pub fn response<T>(outcome: CreateOutcome<T>) -> Result<Response, ApiError> {
    let (stored, replayed) = match outcome {
        CreateOutcome::Created { answer, .. } | CreateOutcome::Reused(answer) => (answer, None),
        CreateOutcome::Replayed(answer) => {
            let replayed = (IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
            (answer, Some(replayed))
        }
    };
    let head: Head =
        serde_json::from_str(&stored.head).map_err(|cause| ApiError::internal(&cause))?;
    let status = StatusCode::from_u16(head.status).map_err(|cause| ApiError::internal(&cause))?;
    let mut response = (status, stored.body).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let kept = head
        .headers
        .iter()
        .filter_map(|(name, value)| Some((name.parse::<HeaderName>().ok()?, value.parse().ok()?)));
    headers.extend(kept.chain(replayed));
    Ok(response)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// The form in which the migration of earlier answers writes them, too.
    const STORED: &str =
        r#"{"status":202,"headers":[["location","/v1/jobs/job_1"],["job-reused","true"]]}"#;

    #[test]
    fn an_answer_is_sent_as_it_was_stored() {
        let stored = StoredAnswer {
            head: STORED.to_owned(),
            body: Bytes::from_static(b"{\"id\":\"job_1\"}"),
        };
        let location = "/v1/jobs/job_1".to_owned();
        let reused = [("job-reused", "true")];
        let made = answer_with(StatusCode::ACCEPTED, location, &reused, stored.body.clone());
        assert_eq!(made, stored);
        for (outcome, replayed) in [
            (CreateOutcome::<()>::Reused(stored.clone()), None),
            (CreateOutcome::Replayed(stored), Some("true")),
        ] {
            let sent = response(outcome).unwrap();
            let header = |name| {
                let value: Option<&HeaderValue> = sent.headers().get(name);
                value.map(|value| value.to_str().unwrap())
            };
            assert_eq!(sent.status(), StatusCode::ACCEPTED);
            assert_eq!(header("content-type"), Some("application/json"));
            assert_eq!(header("location"), Some("/v1/jobs/job_1"));
            assert_eq!(header("job-reused"), Some("true"));
            assert_eq!(header("idempotency-replayed"), replayed);
        }
    }

    #[test]
    fn what_is_no_answer_is_an_internal_error() {
        for head in ["", "{}", r#"{"status":7,"headers":[]}"#] {
            let stored = StoredAnswer {
                head: head.to_owned(),
                body: Bytes::new(),
            };
            let refused = response(CreateOutcome::<()>::Replayed(stored)).unwrap_err();
            assert_eq!(
                refused.status(),
                StatusCode::INTERNAL_SERVER_ERROR,
                "{head}"
            );
        }
    }
}
