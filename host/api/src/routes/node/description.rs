//! `GET /v1/openapi.json`.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::CONTENT_TYPE;

use crate::api::Api;

/// This document.
#[utoipa::path(
    get, path = "/v1/openapi.json", tag = "Node", operation_id = "openapi_document_v1_openapi_json_get",
    responses((status = 200, description = "The OpenAPI 3.1 description of the API.", content_type = "application/json", body = Object)),
    extensions(("x-stability" = json!("preview")))
)]
pub async fn openapi_document(api: State<Api>) -> Response {
    let mut response = api.document().into_response();
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
