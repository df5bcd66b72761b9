//! `GET /v1/company-dossier-specifications`.

use axum::Json;
use axum::extract::State;
use gtm_domain::DossierSpecificationId;
use gtm_engine::DossierSpecificationPage;

use super::ReadSpecifications;
use super::envelope::SpecificationEnvelope;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::page::{Collection, ListQuery, PageBody, Unfiltered};

/// The specifications of a project.
#[derive(Debug)]
pub struct Specifications;

impl Collection for Specifications {
    const NAME: &'static str = "company_dossier_specifications";
    type Filter = Unfiltered;
    type Key = DossierSpecificationId;
}

/// List company dossier specifications, newest first.
///
/// The plans of the key's project. Go on with `next_cursor` while `has_more` is true.
#[utoipa::path(
    get, path = "/v1/company-dossier-specifications", tag = "Company dossier specifications",
    operation_id = "list_company_dossier_specifications_v1_company_dossier_specifications_get",
    params(
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before. Good for 7 days."),
        ("limit" = Option<u32>, Query, description = "Rows on a page; 20 by default.", minimum = 1, maximum = 100)),
    responses(
        (status = 200, description = "A page of specifications.", body = ref("#/components/schemas/CompanyDossierSpecificationList"), content_type = "application/json"),
        (status = 400, description = "invalid_request: the query is malformed; invalid_cursor"),
        (status = 422, description = "invalid_request: limit is out of range"),
    ),
    security(("bearer" = [])),
    extensions(("x-stability" = json!("preview")))
)]
pub async fn list_company_dossier_specifications(
    api: State<Api>,
    caller: Authorized<ReadSpecifications>,
    query: ListQuery<Specifications>,
) -> Result<Json<PageBody<Specifications, SpecificationEnvelope>>, ApiError> {
    let page = query.page(&api, caller.scope(), "")?;
    let wanted = DossierSpecificationPage {
        before: page.after,
        limit: page.rows(),
    };
    let rows = api
        .engine()
        .dossier_specifications(caller.scope(), wanted)
        .await?;
    Ok(Json(page.answer(rows, |row| row.id, Into::into)))
}
