//! `GET /docs`: the API's description as a page for people, with everything that the page loads, and the
//! reference of the error codes. These are not operations of the API, so the description does not list
//! them.

use std::sync::LazyLock;

use axum::Router;
use axum::extract::Path;
use axum::response::Response;
use axum::routing::get;
use bytes::Bytes;
use http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY};
use http::{HeaderMap, HeaderValue};

use super::error_reference;
use crate::api::Api;
use crate::authorization::Unserved;
use crate::error::ApiError;
use crate::routes::unknown::unknown_path;
use crate::unchanging;

/// Nothing is loaded from or sent to anywhere else. The page creates its styles as it runs, hence
/// `unsafe-inline` for styles alone; its search runs in a worker of its own.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; worker-src blob:; child-src blob:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A file to serve.
struct File {
    name: &'static str,
    media_type: &'static str,
    bytes: Bytes,
    tag: HeaderValue,
}

const PAGE: &str = "";
const ERRORS: &str = "errors";
const HTML: &str = "text/html; charset=utf-8";

/// Name, media type and content of the page, whose name is empty, and of the files that it loads.
static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    let file = |(name, media_type, bytes): (_, _, Bytes)| File {
        name,
        media_type,
        tag: unchanging::tag_of(&bytes),
        bytes,
    };
    let fixed = CONTENTS.map(|(name, kind, bytes)| (name, kind, Bytes::from_static(bytes)));
    let errors = (ERRORS, HTML, Bytes::from(error_reference::page()));
    fixed.into_iter().chain([errors]).map(file).collect()
});

const CONTENTS: [(&str, &str, &[u8]); 6] = [
    (
        PAGE,
        HTML,
        include_bytes!("../../../assets/docs/index.html"),
    ),
    (
        "page.css",
        "text/css; charset=utf-8",
        include_bytes!("../../../assets/docs/page.css"),
    ),
    (
        "errors.css",
        "text/css; charset=utf-8",
        include_bytes!("../../../assets/docs/errors.css"),
    ),
    (
        "page.js",
        "text/javascript; charset=utf-8",
        include_bytes!("../../../assets/docs/page.js"),
    ),
    (
        "redoc.standalone.js",
        "text/javascript; charset=utf-8",
        include_bytes!("../../../assets/redoc/redoc.standalone.js"),
    ),
    (
        "redoc.standalone.js.LICENSE.txt",
        "text/plain; charset=utf-8",
        include_bytes!("../../../assets/redoc/redoc.standalone.js.LICENSE.txt"),
    ),
];

/// The page and its assets.
pub fn pages() -> Router<Api> {
    Router::new()
        .route("/docs", get(page))
        .route("/docs/{asset}", get(asset))
}

async fn page(headers: HeaderMap, otherwise: Unserved) -> Result<Response, ApiError> {
    serve(&headers, PAGE, otherwise).await
}

async fn asset(
    headers: HeaderMap,
    Path(name): Path<String>,
    otherwise: Unserved,
) -> Result<Response, ApiError> {
    serve(&headers, &name, otherwise).await
}

async fn serve(headers: &HeaderMap, name: &str, otherwise: Unserved) -> Result<Response, ApiError> {
    let Some(file) = FILES.iter().find(|file| file.name == name) else {
        return Err(unknown_path(otherwise).await);
    };
    let mut response = unchanging::respond(
        headers,
        file.media_type,
        file.tag.clone(),
        file.bytes.clone(),
    );
    let out = response.headers_mut();
    out.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    out.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Ok(response)
}
