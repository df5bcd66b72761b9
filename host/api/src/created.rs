//! The answer to a create call: the first one, or the first one again (specification, Endpoints rule 1).
//! Handlers build it before anything is stored, and the engine stores it, without reading it, together with
//! what it creates.

use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use gtm_domain::idempotency::StoredResponse;
use gtm_engine::CreateOutcome;
use http::header::{CONTENT_TYPE, LOCATION};
use http::{HeaderName, HeaderValue, StatusCode};

use crate::error::ApiError;
use crate::idempotency_key::IDEMPOTENCY_REPLAYED;

/// An answer to be stored. `location` is the path of the created resource; our paths are visible ASCII.
#[must_use]
pub fn answer(status: StatusCode, location: String, body: Bytes) -> StoredResponse {
    StoredResponse {
        status: status.as_u16(),
        headers: vec![(LOCATION.as_str().to_owned(), location)],
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
    let status = StatusCode::from_u16(stored.status).map_err(|cause| ApiError::internal(&cause))?;
    let mut response = (status, stored.body).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let kept = stored
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

    /// Answers are kept for 24 hours, so some may have been stored by the previous version.
    #[test]
    fn an_answer_is_sent_as_it_was_stored() {
        let stored = StoredResponse {
            status: 202,
            headers: vec![
                ("location".to_owned(), "/v1/jobs/job_1".to_owned()),
                ("job-reused".to_owned(), "true".to_owned()),
            ],
            body: Bytes::from_static(b"{\"id\":\"job_1\"}"),
        };
        let location = "/v1/jobs/job_1".to_owned();
        let made = answer(StatusCode::ACCEPTED, location, stored.body.clone());
        assert_eq!(made.headers, stored.headers[..1]);
        assert_eq!((made.status, &made.body), (stored.status, &stored.body));
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
}
