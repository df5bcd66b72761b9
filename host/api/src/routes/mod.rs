//! The table of contents of the API: every operation has a file of its own.

mod brands;
mod catalog;
mod documents;
mod dossiers;
mod jobs;
mod message_templates;
mod node;
mod offers;
mod playbooks;
mod prospect_messages;
pub(crate) mod shown_jobs;
mod unknown;
mod usage;

pub use brands::envelope::BrandEnvelope;
pub use brands::guideline_revisions::RevisionEnvelope;
pub use jobs::receipts::PublicReceipt;
pub(crate) use node::healthz::healthz as operator_healthz;
pub(crate) use node::readyz::for_operators as operator_readyz;
pub use offers::envelope::OfferEnvelope;

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use axum::response::IntoResponse;
use serde_json::Value;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::ToSchema;
use utoipa::openapi::Components;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::Api;
use crate::contract::Contract;
use crate::error::{ApiError, ErrorEnvelope, ProblemDetails};
use crate::job_schemas::{JobSchemas, Named};
use crate::validation::SchemaError;
use crate::{context, page, query_parameters, request_limits};
use unknown::{unknown_method, unknown_path};

/// All operations with their documentation.
fn operations() -> OpenApiRouter<Api> {
    let mut operations = OpenApiRouter::with_openapi(crate::openapi::preamble())
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
        .routes(routes!(documents::create::create_document))
        .routes(routes!(documents::file::download_file))
        .routes(routes!(
            dossiers::create::create_company_dossier_specification,
            dossiers::list::list_company_dossier_specifications
        ))
        .routes(routes!(dossiers::get::get_company_dossier_specification))
        .routes(routes!(
            message_templates::generate::generate_message_template_revision
        ))
        .routes(routes!(
            message_templates::create::create_message_template_revision,
            message_templates::list::list_message_template_revisions
        ))
        .routes(routes!(
            message_templates::get::get_message_template_revision
        ))
        .routes(routes!(
            message_templates::render::render_message_template_revision
        ))
        .routes(routes!(offers::list::list_offers))
        .routes(routes!(offers::get::get_offer))
        .routes(routes!(jobs::list::list_jobs))
        .routes(routes!(jobs::get::get_job))
        .routes(routes!(jobs::events::list_job_events))
        .routes(routes!(jobs::receipts::list_job_receipts))
        .routes(routes!(jobs::candidates::list_job_candidates))
        .routes(routes!(
            prospect_messages::create::generate_prospect_message
        ))
        .routes(routes!(usage::get::get_usage))
        .routes(routes!(catalog::connectors::connector_catalog_list))
        .routes(routes!(catalog::connections::connection_list))
        .routes(routes!(catalog::capabilities::capabilities))
        .routes(routes!(node::description::openapi_document))
        .routes(routes!(node::healthz::healthz))
        .routes(routes!(node::readyz::readyz));
    let described = operations.get_openapi_mut();
    crate::openapi::declare(described);
    name_schemas(described.components.get_or_insert_default());
    operations
}

/// Add the schemas that no handler names by its type: of errors, of jobs, of guidelines and of lists.
fn name_schemas(components: &mut Components) {
    let errors = [named::<ErrorEnvelope>(), named::<ProblemDetails>()];
    let jobs = JobSchemas::default()
        .with::<playbooks::job::PlaybookJobs>()
        .with::<brands::job::ResearchJobs>()
        .with::<documents::job::DocumentJobs>()
        .with::<message_templates::job::GenerationJobs>()
        .with::<prospect_messages::job::ProspectMessageJobs>()
        .components();
    let guideline = brands::guideline_schema::components();
    let templates = message_templates::envelope::components();
    let candidates = jobs::candidates::components();
    let lists = [
        page::described::<brands::list::Brands>(),
        page::described::<brands::guideline_revisions::Revisions>(),
        page::described::<dossiers::list::Specifications>(),
        page::described::<jobs::candidates::Candidates>(),
        page::described::<jobs::events::Events>(),
        page::described::<jobs::list::Jobs>(),
        page::described::<jobs::receipts::Receipts>(),
        page::described::<message_templates::list::Revisions>(),
        page::described::<offers::list::Offers>(),
    ];
    let lists = lists.map(|(name, schema)| (name.to_owned(), schema.into()));
    let all = errors.into_iter().chain(jobs).chain(guideline);
    components
        .schemas
        .extend(all.chain(templates).chain(candidates).chain(lists));
}

fn named<T: ToSchema>() -> Named {
    (T::name().into_owned(), T::schema())
}

/// The contract of all operations, for [`Api::new`].
///
/// # Errors
/// If a published request schema does not compile.
pub fn contract() -> Result<Contract, SchemaError> {
    Contract::of(operations().get_openapi())
}

/// The OpenAPI document of all operations.
#[must_use]
pub fn openapi() -> Value {
    crate::openapi::document(operations().get_openapi())
}

/// The whole API as a service.
pub fn router(api: Api) -> Router {
    let (router, _) = operations().split_for_parts();
    router
        .route_layer(middleware::from_fn_with_state(
            Arc::clone(api.contract().query_parameters()),
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

fn panicked(_cause: Box<dyn std::any::Any + Send>) -> axum::response::Response {
    // The panic's own text may hold anything. The panic hook has already logged where it happened.
    ApiError::internal(&"a handler panicked").into_response()
}
