//! Answers whose bytes are the same for everyone as long as the process lives: sent with an entity tag, and
//! without the body to callers who already have it.

use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use gtm_domain::Digest;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue, StatusCode};

/// A strong entity tag of some bytes, in quotes.
#[must_use]
pub fn tag_of(bytes: &[u8]) -> HeaderValue {
    let tag = format!("\"sha256-{}\"", Digest::of(bytes).to_hex());
    // Hexadecimal digits in quotes are a valid header value.
    HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\""))
}

/// 200 with the bytes, or 304 to a caller who sent their tag. Caches may store them but must revalidate
/// before each use: an upgrade of the node changes them.
#[must_use]
pub fn respond(
    request: &HeaderMap,
    content_type: &'static str,
    tag: HeaderValue,
    bytes: Bytes,
) -> Response {
    let mut response = if is_known(request, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut whole = bytes.into_response();
        whole
            .headers_mut()
            .insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        whole
    };
    let headers = response.headers_mut();
    headers.insert(ETAG, tag);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// `If-None-Match` by weak comparison (RFC 9110, section 13.1.2).
fn is_known(request: &HeaderMap, tag: &HeaderValue) -> bool {
    let values = request.get_all(IF_NONE_MATCH).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|one| one.trim())
        .map(|one| one.strip_prefix("W/").unwrap_or(one))
        .any(|one| one == "*" || one.as_bytes() == tag.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(value: &str) -> u16 {
        let mut request = HeaderMap::new();
        if let Ok(value) = HeaderValue::from_str(value) {
            request.insert(IF_NONE_MATCH, value);
        }
        let tag = HeaderValue::from_static("\"a\"");
        respond(&request, "text/plain", tag, Bytes::from_static(b"x"))
            .status()
            .as_u16()
    }

    #[test]
    fn the_body_is_left_out_for_those_who_have_it() {
        for known in ["\"a\"", "W/\"a\"", "\"b\", \"a\"", "*"] {
            assert_eq!(status(known), 304, "{known}");
        }
        for other in ["", "\"b\"", "a", "\"a", "W/\"b\""] {
            assert_eq!(status(other), 200, "{other}");
        }
    }
}
