//! The table of contents of the API: every operation, one file each.

mod brands;
mod catalog;
mod dossiers;
mod jobs;
mod node;
mod playbooks;
mod usage;

pub use brands::envelope::BrandEnvelope;
pub use brands::guideline_revisions::RevisionEnvelope;
pub use jobs::receipts::PublicReceipt;
pub(crate) use node::healthz::healthz as operator_healthz;
pub(crate) use node::readyz::for_operators as operator_readyz;

use axum::Router;
use axum::middleware;
use axum::response::IntoResponse;
use gtm_domain::ErrorCode;
use http::StatusCode;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::Api;
use crate::authorization::Unserved;
use crate::error::ApiError;
use crate::{context, openapi, query_parameters, request_limits};

/// All operations with their documentation.
pub(crate) fn operations() -> OpenApiRouter<Api> {
    OpenApiRouter::with_openapi(openapi::preamble())
        .routes(routes!(playbooks::create::create_playbook))
        .routes(routes!(
            brands::create::create_brand,
            brands::list::list_brands
        ))
        .routes(routes!(brands::get::get_brand))
        .routes(routes!(brands::guideline::get_brand_guideline))
        .routes(routes!(
            brands::guideline_revisions::list_brand_guideline_revisions
        ))
        .routes(routes!(brands::research::research_brand))
        .routes(routes!(
            dossiers::create::create_company_dossier_specification,
            dossiers::list::list_company_dossier_specifications
        ))
        .routes(routes!(dossiers::get::get_company_dossier_specification))
        .routes(routes!(jobs::list::list_jobs))
        .routes(routes!(jobs::get::get_job))
        .routes(routes!(jobs::events::list_job_events))
        .routes(routes!(jobs::receipts::list_job_receipts))
        .routes(routes!(usage::get::get_usage))
        .routes(routes!(catalog::connectors::connector_catalog_list))
        .routes(routes!(catalog::connections::connection_list))
        .routes(routes!(catalog::capabilities::capabilities))
        .routes(routes!(node::description::openapi_document))
        .routes(routes!(node::healthz::healthz))
        .routes(routes!(node::readyz::readyz))
}

/// The whole API as a service.
pub fn router(api: Api) -> Router {
    let (router, _) = operations().split_for_parts();
    router
        .route_layer(middleware::from_fn_with_state(
            api.clone(),
            query_parameters::enforce,
        ))
        .merge(node::reference::pages())
        .fallback(unknown_path)
        .method_not_allowed_fallback(unknown_method)
        .layer(middleware::from_fn(request_limits::enforce))
        .layer(middleware::from_fn_with_state(
            api.clone(),
            request_limits::answer_in_time,
        ))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(
            api.clone(),
            context::surround,
        ))
        .with_state(api)
}

async fn unknown_path(_: Unserved) -> ApiError {
    ApiError::new(ErrorCode::NotFound, "The API has no such path.")
}

/// The specification has no code for 405: the request is at fault, so `invalid_request`.
async fn unknown_method(_: Unserved) -> ApiError {
    ApiError::refused(
        StatusCode::METHOD_NOT_ALLOWED,
        "This path does not answer this method; see the Allow header.",
    )
}

fn panicked(_cause: Box<dyn std::any::Any + Send>) -> axum::response::Response {
    // The panic's own text may hold anything; the hook has already logged where it happened.
    ApiError::internal(&"a handler panicked").into_response()
}
