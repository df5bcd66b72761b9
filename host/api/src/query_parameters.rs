//! Which query parameters an operation has, according to its description. Others are refused, in one place
//! for all operations. Danger: a misspelt filter that is ignored would return unfiltered data.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use gtm_domain::ErrorCode;
use http::request::Parts;
use http::{Extensions, Method, Uri};
use serde_json::Value;
use url::form_urlencoded;

use crate::error::ApiError;

/// Longest parameter name that an error repeats, in characters.
const MAX_NAME_CHARS: usize = 64;

/// The query parameters of all operations, by path and method.
#[derive(Debug)]
pub struct QueryParameters(BTreeMap<String, BTreeMap<String, Operation>>);

#[derive(Debug)]
struct Operation {
    names: Vec<String>,
    guarded: bool,
}

impl QueryParameters {
    /// Reads them from the API's description.
    #[must_use]
    pub fn of(document: &Value) -> Self {
        let operation = |value: &Value| {
            let parameters = value["parameters"].as_array().into_iter().flatten();
            let mut names: Vec<String> = parameters
                .filter(|parameter| parameter["in"] == "query")
                .filter_map(|parameter| parameter["name"].as_str().map(str::to_owned))
                .collect();
            names.sort_unstable();
            Operation {
                names,
                guarded: value.get("security").is_some(),
            }
        };
        let paths = document["paths"].as_object().into_iter().flatten();
        let by_method = |item: &Value| {
            let methods = item.as_object().into_iter().flatten();
            methods
                .map(|(method, value)| (method.clone(), operation(value)))
                .collect()
        };
        Self(
            paths
                .map(|(path, item)| (path.clone(), by_method(item)))
                .collect(),
        )
    }

    fn operation(&self, method: &Method, extensions: &Extensions) -> Option<&Operation> {
        // HEAD is supported wherever GET is.
        let method = match *method {
            Method::HEAD => "get".to_owned(),
            _ => method.as_str().to_ascii_lowercase(),
        };
        let path = extensions.get::<MatchedPath>()?;
        self.0.get(path.as_str())?.get(&method)
    }

    /// Refuses a parameter that the operation does not have. Paths without an operation accept any.
    ///
    /// # Errors
    /// 400 `invalid_request`, naming the parameter and those that exist.
    pub fn check(&self, parts: &Parts) -> Result<(), ApiError> {
        match self.operation(&parts.method, &parts.extensions) {
            Some(operation) => operation.check(&parts.uri),
            None => Ok(()),
        }
    }
}

impl Operation {
    fn check(&self, uri: &Uri) -> Result<(), ApiError> {
        let query = uri.query().unwrap_or_default();
        let unknown = form_urlencoded::parse(query.as_bytes())
            .map(|(name, _)| name)
            .find(|name| !self.names.iter().any(|known| known == name));
        let Some(name) = unknown else { return Ok(()) };
        let shown: String = name.chars().take(MAX_NAME_CHARS).collect();
        let shown = shown.escape_debug();
        let message = match self.names.as_slice() {
            [] => format!(
                "This operation has no query parameters, and so none with the name \"{shown}\"."
            ),
            names => format!(
                "This operation has no query parameter \"{shown}\"; it has {}.",
                names.join(", ")
            ),
        };
        Err(ApiError::new(ErrorCode::MalformedRequest, message))
    }
}

/// The check for operations without a key. Operations with a key check once the key is known, because a
/// known caller's mistakes count against its rate limit ([`crate::authorization`]).
pub async fn enforce(
    State(known): State<Arc<QueryParameters>>,
    request: Request,
    next: Next,
) -> Response {
    let operation = known.operation(request.method(), request.extensions());
    if let Some(open) = operation.filter(|operation| !operation.guarded)
        && let Err(error) = open.check(request.uri())
    {
        return error.into_response();
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(names: &[&str], query: &str) -> Option<String> {
        let operation = Operation {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            guarded: true,
        };
        let uri: Uri = format!("/v1/x?{query}").parse().unwrap_or_default();
        let error = operation.check(&uri).err()?;
        assert_eq!(error.status().as_u16(), 400);
        Some(format!("{error:?}"))
    }

    #[test]
    fn only_what_the_operation_has_is_taken() {
        for good in ["", "limit=1", "cursor=a&limit=x", "%6cimit=1", "&&"] {
            assert_eq!(message(&["cursor", "limit"], good), None, "{good}");
        }
        for (bad, named) in [
            ("page=2", "page"),
            ("limit=1&Limit=2", "Limit"),
            ("%ff=1", "\u{fffd}"),
            ("limit%00=1", "limit"),
            ("=1", "cursor, limit"),
        ] {
            let message = message(&["cursor", "limit"], bad).unwrap_or_default();
            assert!(
                message.contains(named) && message.contains("it has cursor, limit"),
                "{bad}: {message}"
            );
        }
        let long = message(&[], &"a".repeat(5_000)).unwrap_or_default();
        assert!(
            long.contains("no query parameters") && long.len() < 500,
            "{long}"
        );
    }
}
