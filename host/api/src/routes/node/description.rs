//! `GET /openapi.json`.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;

use crate::api::Api;
use crate::openapi::OpenApiDocument;
use crate::unchanging;

/// Read this description.
///
/// The OpenAPI 3.1 description of the API, as `/docs` shows it. It needs no key, and is therefore outside
/// `/v1`.
#[utoipa::path(
    get, path = "/openapi.json", tag = "Node", operation_id = "openapi_document",
    params(("If-None-Match" = Option<String>, Header, description = "The `ETag` of a copy that the caller has.", pattern = "^[\\x20-\\x7e]*$", max_length = 1024, example = json!("\"sha256-5d41402a\""))),
    responses(
        (status = 200, description = "The OpenAPI 3.1 description of the API.", content_type = "application/json", body = OpenApiDocument,
            headers(("ETag" = String, description = "Changes if and only if the description does."))),
        (status = 304, description = "The copy is still current.",
            headers(("ETag" = String, description = "Changes if and only if the description does."))),
    )
)]
pub async fn openapi_document(api: State<Api>, headers: HeaderMap) -> Response {
    unchanging::respond(
        &headers,
        "application/json",
        api.contract().document_tag(),
        api.contract().document(),
    )
}
