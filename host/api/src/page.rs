//! Paging of lists: `after` and `limit` of a query string.

use axum::extract::FromRequestParts;
use gtm_domain::ErrorCode;
use http::request::Parts;

use crate::error::ApiError;
use crate::validation::Violation;

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 200;

/// Which part of a list is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Only what stands after this sequence; 0 for the beginning.
    pub after: u64,
    /// At most this many: 1 to 200.
    pub limit: u32,
}

impl<S: Sync> FromRequestParts<S> for Page {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        parse(parts.uri.query().unwrap_or_default())
    }
}

fn parse(query: &str) -> Result<Page, ApiError> {
    let mut page = Page {
        after: 0,
        limit: DEFAULT_LIMIT,
    };
    let malformed = |message: &str| ApiError::new(ErrorCode::MalformedRequest, message);
    let (mut after_seen, mut limit_seen) = (false, false);
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let seen = match name {
            "after" => &mut after_seen,
            "limit" => &mut limit_seen,
            _ => {
                return Err(malformed(
                    "This operation knows the query parameters after and limit alone.",
                ));
            }
        };
        if std::mem::replace(seen, true) {
            return Err(malformed("A query parameter is given twice."));
        }
        // Only digits: Rust's own parser would take a leading plus sign.
        let digits = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
        match name {
            "after" => {
                let cursor = value
                    .parse()
                    .ok()
                    .filter(|n| digits && *n <= i64::MAX as u64);
                page.after = cursor.ok_or_else(|| {
                    ApiError::new(
                        ErrorCode::InvalidCursor,
                        "after is not a cursor of this list.",
                    )
                })?;
            }
            _ if !digits => return Err(malformed("limit must be a whole number.")),
            _ => {
                let limit = value.parse().ok().filter(|n| (1..=MAX_LIMIT).contains(n));
                page.limit = limit.ok_or_else(|| {
                    ApiError::invalid(&[Violation::new(
                        "/limit",
                        "maximum",
                        format!("must be 1 to {MAX_LIMIT}"),
                    )])
                })?;
            }
        }
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn status(query: &str) -> u16 {
        parse(query).unwrap_err().status().as_u16()
    }

    #[test]
    fn what_is_accepted_and_what_is_not() {
        assert_eq!(
            parse("").unwrap(),
            Page {
                after: 0,
                limit: 50
            }
        );
        assert_eq!(
            parse("limit=200&after=7").unwrap(),
            Page {
                after: 7,
                limit: 200
            }
        );
        for bad in [
            "after=",
            "after=x",
            "after=-1",
            "after=+1",
            "after=99999999999999999999",
            "limit=x",
            "limit=",
            "limit=+5",
            "page=2",
            "limit=1&limit=2",
        ] {
            assert_eq!(status(bad), 400, "{bad}");
        }
        for bad in ["limit=0", "limit=201", "limit=99999999999"] {
            assert_eq!(status(bad), 422, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn no_query_panics(query in "[ -~]{0,60}") {
            let _ = parse(&query);
        }
    }
}
